// SPDX-License-Identifier: MIT
// Stand-in for Zephyr's functions, which are empty or count: they must still be called.

#include <stdio.h>

void sys_trace_isr_enter(void);
void sys_trace_isr_exit(void);
void sys_trace_isr_exit_to_scheduler(void);

void sys_trace_isr_enter(void) { fputs("own enter\n", stderr); }
void sys_trace_isr_exit(void) { fputs("own exit\n", stderr); }
void sys_trace_isr_exit_to_scheduler(void) { fputs("own exit\n", stderr); }
