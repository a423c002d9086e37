// SPDX-License-Identifier: MIT
// Profiles of random schedules.
#ifndef WF_TEST_PROFILE_H
#define WF_TEST_PROFILE_H

#include "wallfly_host/wf_profile.h"
#include "wf_test_schedule.h"

struct profiled {
    struct wf_session *s;
    struct wf_stats *st;
    struct stream stream;
    const struct schedule *o;
    uint64_t random;
};

// Rows by the address of their name: a search for each record would take most of the time.
static inline const struct wf_row *profiled_row(const char *name) {
    static struct {
        const char *name;
        const struct wf_row *row;
    } known[32];
    unsigned i = 0;
    while (i < 31 && known[i].name && known[i].name != name) ++i;
    known[i].name = name;
    if (!known[i].row) known[i].row = row_called(name);
    return known[i].row;
}

static inline void profiled_feed(struct profiled *p) {
    struct wf_item item;
    wf_session_feed(p->s, p->stream.bytes, p->stream.len);
    while (wf_session_next(p->s, &item)) wf_stats_take(p->st, &item);
    p->stream.len = 0;
}

static inline void profiled_put(void *ctx, uint32_t now, const char *name, const uint64_t *values) {
    struct profiled *p = ctx;
    uint8_t payload[64];
    const struct wf_row *row = profiled_row(name);
    p->random = p->random * 6364136223846793005u + 1442695040888963407u;
    if ((p->random >> 33) % 10000 < p->o->lost) {
        ++p->stream.seq;
        return;
    }
    put_frame(&p->stream, row->id, payload, pack(payload, row, now, values));
    if (row->effect == WF_EFFECT_TASK_CREATE) {
        char text[16];
        snprintf(text, sizeof text, "t%u", (unsigned)(values[0] - 0x100) / 16);
        put_name(&p->stream, (uint32_t)values[0], text);
    }
    if (p->stream.len > sizeof p->stream.bytes - 1024) profiled_feed(p);
}

// The profile of a schedule. The caller closes it.
static inline struct wf_profile *profile_with(const struct schedule *o, unsigned lane,
                                              const struct wf_session_options *options,
                                              const struct wf_stats_options *stats) {
    struct profiled *p = calloc(1, sizeof *p);
    p->o = o;
    p->random = o->seed;
    p->s = wf_session_open(options, NULL);
    p->st = wf_stats_open(p->s, stats, NULL);
    assert_non_null(p->st);
    struct schedule_run run = {.o = o, .put = profiled_put, .ctx = p};
    schedule_run(&run);
    profiled_feed(p);
    wf_session_end(p->s);
    profiled_feed(p);
    wf_stats_end(p->st);
    assert_int_equal(wf_stats_error(p->st), WF_OK);
    struct wf_profile *profile = wf_profile_open(NULL);
    assert_int_equal(wf_profile_add(profile, p->st, lane, NULL), WF_OK);
    wf_stats_close(p->st);
    wf_session_close(p->s);
    free(p);
    return profile;
}

static inline struct wf_profile *profile_of_lane(const struct schedule *o, unsigned lane) {
    const struct wf_session_options options = {
        .size = sizeof options, .dialect = WF_DIALECT_WALLFLY, .hz = 1000000};
    const struct wf_stats_options stats = {.size = sizeof stats, .blocks = true};
    return profile_with(o, lane, &options, &stats);
}

static inline struct wf_profile *profile_of(const struct schedule *o) {
    return profile_of_lane(o, 0);
}

#endif
