// SPDX-License-Identifier: MIT
// Shared by the tests of the timeline: a store in memory that can fail, and a timeline on a session
// of its own.
#ifndef WF_TEST_TIMELINE_H
#define WF_TEST_TIMELINE_H

#include "wf_test_model.h"

#include "timeline/wfi_timeline.h"

struct test_store {
    uint8_t *bytes;
    size_t cap, most; // most: the highest end offset of a write
    unsigned writes, reads;
    bool fails;
};

static inline bool test_write(void *ctx, uint64_t at, const void *bytes, size_t len) {
    struct test_store *s = ctx;
    ++s->writes;
    if (s->fails) return false;
    if (at + len > s->cap) {
        s->cap = 2 * (at + len);
        s->bytes = realloc(s->bytes, s->cap);
        assert_non_null(s->bytes);
    }
    memcpy(s->bytes + at, bytes, len);
    if (at + len > s->most) s->most = at + len;
    return true;
}

static inline bool test_read(void *ctx, uint64_t at, void *bytes, size_t len) {
    struct test_store *s = ctx;
    ++s->reads;
    if (s->fails || at + len > s->most) return false;
    memcpy(bytes, s->bytes + at, len);
    return true;
}

struct line {
    struct test_store store;
    struct wf_session *s;
    struct wf_timeline *t;
};

static inline void open_line(struct line *l, uint64_t store_limit, uint64_t memory_limit) {
    const struct wf_session_options options = {.size = sizeof options,
                                               .dialect = WF_DIALECT_WALLFLY};
    memset(l, 0, sizeof *l);
    struct wf_timeline_options with = {.size = sizeof with,
                                       .store = {&l->store, test_write, test_read},
                                       .store_limit = store_limit,
                                       .memory_limit = memory_limit};
    l->s = wf_session_open(&options, NULL);
    l->t = wf_timeline_open(l->s, &with, NULL);
    assert_non_null(l->t);
}

static inline void close_line(struct line *l) {
    wf_timeline_close(l->t);
    wf_session_close(l->s);
    free(l->store.bytes);
}

#endif
