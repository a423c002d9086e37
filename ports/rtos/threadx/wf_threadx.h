// SPDX-License-Identifier: MIT
// Hooks of ThreadX 6: #include this in tx_user.h (TX_INCLUDE_USER_DEFINE_FILE), and add
// wf_threadx.c to the program. It replaces ThreadX' own event trace. README.md lists which records
// are direct and which are derived.
#ifndef WF_THREADX_H
#define WF_THREADX_H

// Assembler files of ThreadX' ports include tx_user.h too.
#if !defined __ASSEMBLER__ && !defined __IASMARM__ && !defined __IASMRISCV__

#include "../wf_irq_number.h"
#include "wallfly/wf_config.h"

#ifdef __cplusplus
extern "C" {
#endif

void wf_threadx_event(unsigned id, const void *a, unsigned long b, unsigned long c,
                      unsigned long d);

#if WF_CFG_ON
#ifndef TX_ENABLE_EVENT_TRACE
#define TX_ENABLE_EVENT_TRACE
#endif
// The kernel writes no semicolon after it.
#define TX_TRACE_IN_LINE_INSERT(id, a, b, c, d, filter)                                            \
    wf_threadx_event((unsigned)(id), (const void *)(a), (unsigned long)(b), (unsigned long)(c),    \
                     (unsigned long)(d));
#endif

#ifdef __cplusplus
}
#endif
#endif
#endif
