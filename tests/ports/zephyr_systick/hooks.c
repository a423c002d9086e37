// SPDX-License-Identifier: MIT
// Zephyr's own interrupt hooks. With user tracing they call the user's function.

#include "systick.h"

void sys_trace_isr_exit_to_scheduler(void);

#ifdef CONFIG_TRACING_USER
void sys_trace_isr_enter_user(void);
void sys_trace_isr_exit_user(void);
void sys_trace_isr_enter(void) { sys_trace_isr_enter_user(); }
void sys_trace_isr_exit(void) { sys_trace_isr_exit_user(); }
#else
void sys_trace_isr_enter(void) {}
void sys_trace_isr_exit(void) {}
#endif
void sys_trace_isr_exit_to_scheduler(void) {}
