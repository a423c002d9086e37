// SPDX-License-Identifier: MIT
// LTTng-UST's tracepoint with the fields of the record of a task switch.
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER bench

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "./bench_tracepoint.h"

#if !defined BENCH_TRACEPOINT_H || defined LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ
#define BENCH_TRACEPOINT_H

#include <stdint.h>

#include <lttng/tracepoint.h>

// clang-format off
LTTNG_UST_TRACEPOINT_EVENT(bench, task_switch,
    LTTNG_UST_TP_ARGS(uint8_t, next, uint8_t, before),
    LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(uint8_t, next, next)
                        lttng_ust_field_integer(uint8_t, before, before)))
// clang-format on

#endif

#include <lttng/tracepoint-event.h>
