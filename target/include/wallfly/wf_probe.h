// SPDX-License-Identifier: MIT
// Tests of the target: probes, which the host sets to change what a function does once, and pauses.
// With WF_CFG_TEST 0 both vanish. Stamps of a test build count the records that have one, from 0
// at each set-up, so that a test sees the same trace every time.
//
//   int read_sensor(void) {
//       WF_PROBE_DEF(read_sensor);
//       WF_PROBE(return (int)wf_probe;); // what the test sets in its place
//       return SENSOR->VALUE;
//   }
#ifndef WF_PROBE_H
#define WF_PROBE_H

#include "wallfly/wf_records.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WF_PROBES_MAX = 16 };

// Records ASSERT_FAIL; then, if commands are received, all is sent and the stop hook called.
// Returns if there is none. Context: any.
#if WF_CFG_ON || defined WFI_BUILDING
void wf_assert_fail(const char *module, uint16_t location);
#else
static inline void wf_assert_fail(const char *module, uint16_t location) {
    (void)module;
    (void)location;
}
#endif

#if (WF_CFG_ON || defined WFI_BUILDING) && WF_CFG_TEST

// At the top of a function: takes the oldest probe for it, or 0, into wf_probe.
#define WF_PROBE_DEF(fun) const uint32_t wf_probe = wfi_probe_get(WF_FUN(fun))
// Code for any probe but 0, or for one of that value.
#define WF_PROBE(code)                                                                             \
    do {                                                                                           \
        if (wf_probe) {                                                                            \
            code                                                                                   \
        }                                                                                          \
    } while (0)
#define WF_PROBE_ID(value, code)                                                                   \
    do {                                                                                           \
        if (wf_probe == (value)) {                                                                 \
            code                                                                                   \
        }                                                                                          \
    } while (0)

// Records TEST_PAUSED and serves commands until TEST_CONTINUE. Context: the task of wf_rx_parse.
#define WF_TEST_PAUSE() wfi_test_pause()

uint32_t wfi_probe_get(wf_function fun);
void wfi_test_pause(void);

#else

#define WF_PROBE_DEF(fun)
#define WF_PROBE(code)
#define WF_PROBE_ID(value, code)
#define WF_TEST_PAUSE() ((void)0)

#endif

#ifdef __cplusplus
}
#endif
#endif
