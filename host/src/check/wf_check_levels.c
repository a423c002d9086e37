// SPDX-License-Identifier: MIT
// Rules of levels: the count of a queue or semaphore, the values of a counter, the least free bytes
// of a stack or heap.

#include "wfi_check.h"

static struct wfi_sum *sum_of(struct wfi_rule *r, uint64_t key, const struct wf_change *c) {
    uint32_t number = wfi_keys_number(&r->keys, key, 0);
    struct wfi_sum *s = number ? wfi_sum_at(r, number) : NULL;
    if (!s) {
        r->c->err = WF_ERR_NOMEM;
        return NULL;
    }
    s->task = r->r.kind == WF_CHECK_STACK ? c->task : NULL;
    s->object = c->object;
    s->text = c->text;
    return s;
}

static void add_level(struct wfi_rule *r, struct wfi_sum *s, double value, uint64_t from,
                      uint64_t to) {
    struct wfi_place p = {.from = from,
                          .to = to,
                          .record = r->c->record,
                          .value = value,
                          .task = s->task,
                          .object = s->object,
                          .text = s->text,
                          .core = -1,
                          .irq = -1};
    wfi_sum_add(r, s, &p);
}

// The level that a change at `to` ends, if it was the one at the begin of the window.
static void end_level(struct wfi_rule *r, struct wfi_sum *s, uint64_t to) {
    uint64_t begin = r->c->begin;
    if (s->level_known && s->since < begin && to >= begin && begin <= r->c->end)
        add_level(r, s, s->level, begin, begin);
    s->level_known = false;
}

static void set_count(struct wfi_rule *r, const struct wf_change *c) {
    struct wfi_sum *s = sum_of(r, c->object->index, c);
    if (!s) return;
    end_level(r, s, c->tick);
    s->level_known = c->got;
    s->level = (double)c->value;
    s->since = c->tick;
    if (c->got && wfi_check_in_window(r->c, c->tick, c->tick))
        add_level(r, s, s->level, c->tick, c->tick);
}

static void set_low(struct wfi_rule *r, const struct wf_change *c, uint64_t key) {
    struct wfi_sum *s = sum_of(r, key, c);
    if (!s || !wfi_check_in_window(r->c, c->tick, c->tick)) return;
    s->holes = r->c->all_holes;
    add_level(r, s, (double)c->value, c->tick, c->tick);
}

void wfi_level_take(struct wfi_rule *r, const struct wf_change *c) {
    switch (r->r.kind) {
    case WF_CHECK_QUEUE:
        if (c->kind == WF_CHANGE_COUNT) set_count(r, c);
        break;
    case WF_CHECK_COUNTER:
        if (c->kind != WF_CHANGE_COUNTER || !wfi_check_in_window(r->c, c->tick, c->tick)) break;
        struct wfi_sum *s = sum_of(r, c->text, c);
        if (s) add_level(r, s, (double)c->value, c->tick, c->tick);
        break;
    case WF_CHECK_STACK:
        if (c->kind == WF_CHANGE_LOW && c->task) set_low(r, c, c->task->index);
        break;
    default:
        if (c->kind == WF_CHANGE_LOW && !c->task) set_low(r, c, c->object->index);
    }
}

void wfi_level_end(struct wfi_rule *r) {
    for (size_t i = 0; r->r.kind == WF_CHECK_QUEUE && i < r->sums.count; ++i) {
        if (r->sums.at[i]) end_level(r, r->sums.at[i], r->c->now);
    }
}
