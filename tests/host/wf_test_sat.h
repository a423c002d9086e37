// SPDX-License-Identifier: MIT
// Shared by the tests of kernel-event text: a printer, an event, its line.
#ifndef WF_TEST_SAT_H
#define WF_TEST_SAT_H

#include "wallfly_host/wf_sat.h"
#include "wf_test.h"

enum { LINE_MAX_LEN = 20000 };

static char sat_text[LINE_MAX_LEN];

static inline struct wf_sat *open_printer(struct wf_sat_options options) {
    struct wf_error error;
    options.size = sizeof options;
    struct wf_sat *p = wf_sat_open(&options, &error);
    if (!p) fail_msg("%s", error.text);
    return p;
}

static inline struct wf_slot_event make(unsigned cls, unsigned event, const uint32_t *words,
                                        unsigned count) {
    struct wf_slot_event e = {.cls = (uint8_t)cls,
                              .event = (uint16_t)event,
                              .core = 1,
                              .timed = true,
                              .tick = 0x37B04F81E320u,
                              .words = words,
                              .bytes = (const uint8_t *)words,
                              .count = count,
                              .len = 4 * count};
    return e;
}

static inline const char *line(struct wf_sat *p, const struct wf_slot_event *e) {
    assert_true(wf_sat_room(p, e->count) < sizeof sat_text);
    size_t len = wf_sat_line(p, e, sat_text, sizeof sat_text - 1);
    assert_true(len > 0);
    assert_int_equal(sat_text[len - 1], '\n');
    sat_text[len] = 0;
    return sat_text;
}

#endif
