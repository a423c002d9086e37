// SPDX-License-Identifier: MIT
// A timeline on a small trace, and all that it draws as text: one row on each line; < and > mark
// cuts, ~ an open slice.
#ifndef WF_TEST_DRAWN_H
#define WF_TEST_DRAWN_H

#include "wf_test_timeline.h"

enum { M = 0x100, N = 0x200, S = 0x300, Q = 0x400, TEXT = 0x500 }; // objects, a text

static struct bench *b;
static struct wf_timeline *t;
static struct test_store store;

static inline void start(void) {
    const struct wf_timeline_options options = {.size = sizeof options,
                                                .store = {&store, test_write, test_read}};
    memset(&store, 0, sizeof store);
    b = open_bench();
    t = wf_timeline_open(b->s, &options, NULL);
    assert_non_null(t);
}

static inline void stop(void) {
    assert_int_equal(wf_timeline_error(t), WF_OK);
    wf_timeline_close(t);
    close_bench(b);
    free(store.bytes);
}

static inline void take_all(void) {
    struct wf_item item;
    wf_session_feed(b->s, b->stream.bytes, b->stream.len);
    while (wf_session_next(b->s, &item)) wf_timeline_take(t, &item);
    b->stream.len = 0;
}

static inline void lose(unsigned records) { lose_records(b, records); }

// Started with the records of put_two_tasks; the next one comes at 10.
static inline void two_tasks(void) {
    start();
    put_two_tasks(b);
    take_all();
    b->clock = 10;
}

// ---- as text

static inline const char *name(uint32_t entity) {
    struct wf_entity of;
    wf_timeline_entity(t, entity, &of);
    return of.name;
}

static inline void add_row_name(unsigned row) {
    struct wf_timeline_row r;
    wf_timeline_row(t, row, &r);
    add(&b->text, "%s", wf_row_kind_names[r.kind]);
    if (r.entity != WF_ENTITY_NONE) add(&b->text, " %s", name(r.entity));
}

static inline void add_value(enum wf_track_kind kind, const struct wf_piece *p) {
    struct text *to = &b->text;
    switch (kind) {
    case WF_TRACK_STATES:
        add(to, "%s", wf_task_state_names[p->value]);
        if (p->value == WF_TASK_RUNNING) add(to, "@%u", p->more);
        if (p->value == WF_TASK_BLOCKED && p->more) add(to, " on %s", name(p->more));
        break;
    case WF_TRACK_IRQS: add(to, "%s+%u", p->value == 2 ? "?" : "", p->more); break;
    case WF_TRACK_USED:
    case WF_TRACK_LEVEL: add(to, "%" PRId64, p->value); break;
    case WF_TRACK_MARKS: add(to, "%" PRId64 " %s", p->value, name(p->more)); break;
    case WF_TRACK_LOSS: add(to, "%" PRId64 "%s", p->value, p->more ? "" : "?"); break;
    case WF_TRACK_FILTERS: add(to, "%" PRIx64, (uint64_t)p->value); break;
    case WF_TRACK_STEPS: add(to, "%s%s", name((uint32_t)p->value), p->more ? "!" : ""); break;
    case WF_TRACK_PRIORITY:
        add(to, "%" PRId64, p->value);
        if (p->more) add(to, " (%s)", name(p->more));
        break;
    case WF_TRACK_JOBS:
        add(to, "%s", ((const char *[]){"open", "done", "abandoned"})[p->value]);
        break;
    case WF_TRACK_UNPAIRED: add(to, "%s %u", p->value == 1 ? "enter" : "exit", p->more); break;
    case WF_TRACK_HOLDER:
        if (!p->value) add(to, "?");
        // fallthrough
    default: add(to, "%s", name((uint32_t)p->value));
    }
}

static bool draws_jobs; // else the tracks of jobs are left out

static inline void add_track(uint32_t track) {
    static struct wf_piece pieces[64];
    struct wf_track of;
    wf_timeline_track(t, track, &of);
    if (of.kind == WF_TRACK_JOBS && !draws_jobs) return;
    add(&b->text, " [%s", wf_track_kind_names[of.kind]);
    if (of.level) add(&b->text, "%u", of.level);
    add(&b->text, ":");
    size_t n = wf_timeline_range(t, track, 0, UINT64_MAX, 1, pieces, 64);
    assert_true(n <= 64);
    for (size_t i = 0; i < n; ++i) {
        const struct wf_piece *p = &pieces[i];
        add(&b->text, " %s%" PRIu64 "-%" PRIu64 "%s%s ", p->flags & WF_PIECE_BEGIN_CUT ? "<" : "",
            p->begin, p->end, p->flags & WF_PIECE_END_CUT ? ">" : "",
            p->flags & WF_PIECE_OPEN ? "~" : "");
        add_value(of.kind, p);
    }
    add(&b->text, "]");
}

// Checks all that is drawn after the records put so far.
static inline void drawn(const char *want) {
    static struct wf_arrow arrows[64];
    take_all();
    b->text.len = 0;
    b->text.bytes[0] = 0;
    for (unsigned i = 0; i < wf_timeline_rows(t); ++i) {
        struct wf_timeline_row r;
        wf_timeline_row(t, i, &r);
        if (r.kind == WF_ROW_LOAD) continue; // it has no slices
        add_row_name(i);
        if (r.core >= 0 && r.kind != WF_ROW_CORE) add(&b->text, " c%d", r.core);
        for (uint32_t k = r.first_track; k != WF_NO_TRACK; k = wf_timeline_next_track(t, k))
            add_track(k);
        add(&b->text, "\n");
    }
    uint64_t n = wf_timeline_arrows(t, 0, UINT64_MAX, arrows, 64);
    assert_true(n <= 64);
    for (unsigned i = 0; i < n; ++i) {
        const struct wf_arrow *a = &arrows[i];
        add(&b->text, "%s %" PRIu64 "-%" PRIu64 " ", wf_arrow_kind_names[a->kind], a->begin,
            a->end);
        add_row_name(a->from_row);
        add(&b->text, " > ");
        add_row_name(a->to_row);
        if (a->entity != WF_ENTITY_NONE) add(&b->text, " %s", name(a->entity));
        add(&b->text, "\n");
    }
    assert_string_equal(b->text.bytes, want);
}

#endif
