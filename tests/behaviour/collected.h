// SPDX-License-Identifier: MIT
// The behaviour of traces in memory.
#ifndef COLLECTED_H
#define COLLECTED_H

#include "../host/wf_test.h"
#include "plant.h"
#include "wallfly_host/wf_behaviour.h"

static inline void collect_bytes(struct wf_behaviour *b, const uint8_t *bytes, size_t len,
                                 const char *source) {
    const struct wf_session_options session = {.size = sizeof session,
                                               .dialect = WF_DIALECT_WALLFLY};
    const struct wf_behaviour_options options = {.size = sizeof options, .source = source};
    struct wf_session *s = wf_session_open(&session, NULL);
    struct wf_behaviour_sink *k = wf_behaviour_sink_open(b, s, &options, NULL);
    struct wf_item item;
    assert_non_null(k);
    wf_session_feed(s, bytes, len);
    while (wf_session_next(s, &item)) wf_behaviour_sink_take(k, &item);
    wf_session_end(s);
    while (wf_session_next(s, &item)) wf_behaviour_sink_take(k, &item);
    wf_behaviour_sink_end(k);
    assert_int_equal(wf_behaviour_sink_error(k), WF_OK);
    wf_behaviour_sink_close(k);
    wf_session_close(s);
}

static inline void collect_plant(struct wf_behaviour *b, const struct plant_options *o) {
    static uint8_t bytes[PLANT_BYTES];
    collect_bytes(b, bytes, plant_record(o, bytes, sizeof bytes), "plant.bin");
}

static inline struct wf_behaviour_diff *compare_plants(const struct plant_options *good,
                                                       const struct plant_options *now) {
    struct wf_behaviour *a = wf_behaviour_open(NULL), *b = wf_behaviour_open(NULL);
    const struct wf_behaviour_compare_options options = {.size = sizeof options};
    collect_plant(a, good);
    collect_plant(b, now);
    struct wf_behaviour_diff *d = wf_behaviour_compare(a, b, &options, NULL);
    assert_non_null(d);
    wf_behaviour_close(a);
    wf_behaviour_close(b);
    return d;
}

#endif
