// SPDX-License-Identifier: MIT
// Tests of the target. The host sets a probe to change one call of a function; a pause serves
// commands. With WF_CFG_TEST 0 both expand to nothing. Stamps of a test build count the records
// that have one, from 1 at each set-up, so that each run of a test gives the same trace.
//
//   int read_sensor(void) {
//       WF_PROBE_DEF(read_sensor);
//       WF_PROBE(return (int)wf_probe;) // the test's value
//       return SENSOR->VALUE;
//   }
#ifndef WF_PROBE_H
#define WF_PROBE_H

#include "wallfly/wf_records.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WF_PROBES_MAX = 16 };

// Records ASSERT_FAIL. If wf_rx_start was called, then calls the flush and the stop hook. Returns
// if there is no stop hook. Context: any.
#if WF_CFG_ON || defined WFI_BUILDING
void wf_assert_fail(const char *module, uint16_t location);
#else
static inline void wf_assert_fail(const char *module, uint16_t location) {
    (void)module;
    (void)location;
}
#endif

#if (WF_CFG_ON || defined WFI_BUILDING) && WF_CFG_TEST

// At the top of a function: defines wf_probe, the oldest probe for this function, or 0.
#define WF_PROBE_DEF(fun) const uint32_t wf_probe = wfi_probe_get(WF_FUN(fun))
// WF_PROBE: code for any probe but 0; WF_PROBE_ID: code for a probe of that value.
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
