// SPDX-License-Identifier: MIT
// Zephyr's own interrupt hooks and their caller: in a separate file, as --wrap needs.

void sys_trace_isr_enter(void);
void sys_trace_isr_exit(void);
void sys_trace_isr_exit_to_scheduler(void);
void hooked_isr_enter(void);
void hooked_isr_exit(void);

void hooked_isr_enter(void) { sys_trace_isr_enter(); }
void hooked_isr_exit(void) { sys_trace_isr_exit_to_scheduler(); }
