// SPDX-License-Identifier: MIT
// The model on anything. The first byte chooses: bytes of a link; bytes of a slot trace; a script
// of records (of small keys, so that they meet) and losses, as frames of any cores or as slots; or
// one of events of QNX's kernel, of an old and a new release. What the model says must always fit
// together, whatever it was told.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_model.h"
#include "wallfly_host/wf_slot_record.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool good) {
    if (!good) abort();
}

static void check_task(const struct wf_model *m, const struct wf_task *t) {
    unsigned holds = 0;
    require(wf_task_name(m, t)[0] != 0);
    require(t->waits == NULL || t->waits_known);
    if (t->state == WF_TASK_RUNNING) require(wf_model_core(m, t->core)->task == t);
    for (const struct wf_object *o = t->holds; o; o = o->next_held, ++holds) {
        require(o->holder == t && o->holder_known && holds < wf_model_objects(m));
    }
}

static void check_object(const struct wf_model *m, const struct wf_object *o) {
    unsigned waiting = 0;
    require(wf_object_name(m, o)[0] != 0);
    require(!o->ended || (!o->holder && !o->waiters));
    for (const struct wf_task *t = o->waiters; t; t = t->next_waiting, ++waiting) {
        require(t->waits == o && waiting < wf_model_tasks(m));
    }
}

static void check(const struct wf_model *m) {
    for (unsigned i = 0; i < wf_model_tasks(m); ++i) check_task(m, wf_model_task(m, i));
    for (unsigned i = 0; i < wf_model_objects(m); ++i) check_object(m, wf_model_object(m, i));
    for (unsigned i = 0; i < WF_MODEL_CORES; ++i) {
        const struct wf_core *c = wf_model_core(m, i);
        require(c->known || !c->task);
        if (c->task) require(c->task->state == WF_TASK_RUNNING && c->task->core == i);
    }
}

static void drain(struct wf_model *m) {
    struct wf_change c;
    uint64_t last = 0;
    while (wf_model_next(m, &c)) {
        require(c.kind < WF_CHANGES && c.tick >= last && c.from <= c.tick);
        if (c.kind == WF_CHANGE_TASK) {
            require(c.task && (c.was != c.is || c.was_called != c.is_called));
        }
        if (c.kind == WF_CHANGE_ODD) require(c.why != NULL);
        last = c.tick;
    }
}

static void take_frames(struct wf_session *s, struct wf_model *m, const uint8_t *data,
                        size_t size) {
    struct wf_item item;
    wf_feed(s, data, size);
    wf_end(s);
    while (wf_next(s, &item)) {
        wf_model_take(m, &item);
        drain(m);
    }
}

static void take_slots(struct wf_session *s, struct wf_model *m, const uint8_t *data, size_t size,
                       bool end) {
    const struct wf_slots_options none = {.hz = 0};
    struct wf_slots_item from;
    struct wf_item item;
    int err;
    struct wf_slots *slots = wf_slots_open(&none, &err);
    require(slots != NULL);
    wf_slots_feed(slots, data, size);
    if (end) wf_slots_end(slots);
    while (wf_slots_next(slots, &from)) {
        if (!wf_take_slot(s, slots, &from, &item)) continue;
        wf_model_take(m, &item);
        drain(m);
    }
    wf_slots_close(slots);
}

// An event of threads, processes, interrupts or kernel calls.
static void take_event(struct wf_model *m, struct wf_slot_event *e, const uint8_t *p) {
    static const uint16_t classes[] = {4, 4, 4, 4, 3, 2};
    static const uint16_t processes[] = {64, 128, 192, 256, 320};
    uint32_t words[4] = {p[1] % 3, p[2] % 4, p[2], 0x00636261};
    struct wf_item item = {.kind = WF_ITEM_EVENT, .event = e};
    e->cls = (uint8_t)classes[p[0] % 6];
    e->event = e->cls == 4 && p[0] >= 150 ? processes[p[1] % 5] : p[0] / 6;
    if (e->cls == 3) e->event = p[0] / 6 % 8;
    e->event |= (uint16_t)(p[3] & 8 ? 512 : 0);
    e->core = p[3] % 4;
    e->timed = p[3] % 128 != 127;
    e->tick += p[3] >> 4;
    e->offset += 16;
    e->words = words;
    e->bytes = (const uint8_t *)words;
    e->count = p[2] & 128 ? 4 : 2;
    e->len = 4 * e->count;
    wf_model_take(m, &item);
}

// Four bytes each: what, and up to three small values.
static void take_script(struct wf_model *m, const uint8_t *p, size_t size, bool events) {
    struct wf_slot_event event = {.tick = 0};
    struct wf_item item;
    memset(&item, 0, sizeof item);
    for (; size >= 4; p += 4, size -= 4) {
        struct wf_record *r = &item.record;
        r->tick += p[3] >> 4;
        if (events && p[0] < 240) {
            take_event(m, &event, p);
            drain(m);
            check(m);
            continue;
        }
        if (p[0] >= 250) {
            item.kind = WF_ITEM_LOSS;
            memset(&item.loss, 0, sizeof item.loss);
            item.loss.kind = (enum wf_loss_kind)(p[1] % (WF_LOSS_RESTART + 1));
            item.loss.core = p[2] % 4;
            item.loss.any_core = p[2] & 16;
            item.loss.offset = event.offset + p[2];
        } else {
            item.kind = WF_ITEM_RECORD;
            r->row = &wf_rows[wf_row_count - 1 - p[0] % 160 % wf_row_count];
            r->id = r->row->id;
            r->core = p[3] % 4;
            r->back = p[0] % 32 == 31;
            for (unsigned f = 0; f < r->row->count; ++f) {
                unsigned kind = r->row->fields[f].kind;
                bool small = kind == WF_KIND_CORE || kind == WF_KIND_REASON ||
                             kind == WF_KIND_NESTING || kind == WF_KIND_PRIO;
                r->value[f] = small                                           ? p[3] % 4
                              : kind == WF_KIND_TASK || kind == WF_KIND_ACTOR ? p[1] % 5
                                                                              : p[2] % 6;
            }
            r->text = "name";
            r->text_len = 4;
        }
        wf_model_take(m, &item);
        drain(m);
        check(m);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char header[] = "TRACE_HEADER_BEGIN::TRACE_LITTLE_ENDIAN::TRUE"
                                 "TRACE_CYCLES_PER_SEC::1000000000TRACE_CPU_NUM::4TRACE_WALLFLY::"
                                 "T8O4F4TRACE_HEADER_END::";
    static const char old[] = "TRACE_HEADER_BEGIN::TRACE_LITTLE_ENDIAN::TRUETRACE_CPU_NUM::4"
                              "TRACE_SYS_RELEASE::6.4.1TRACE_HEADER_END::";
    static const char new8[] = "TRACE_HEADER_BEGIN::TRACE_LITTLE_ENDIAN::TRUETRACE_CPU_NUM::1"
                               "TRACE_SYS_RELEASE::8.0.0TRACE_HEADER_END::";
    if (size < 2) return 0;
    const struct wf_options options = {.dialect = WF_DIALECT_WALLFLY};
    int err;
    struct wf_session *s = wf_open(&options, &err);
    struct wf_model *m = wf_model_open(s);
    require(m != NULL);
    switch (data[0] % 6) {
    case 0: take_frames(s, m, data + 1, size - 1); break;
    case 1: take_slots(s, m, data + 1, size - 1, true); break;
    case 2: take_slots(s, m, (const uint8_t *)header, sizeof header - 1, false); break;
    case 4: take_slots(s, m, (const uint8_t *)old, sizeof old - 1, false); break;
    case 5: take_slots(s, m, (const uint8_t *)new8, sizeof new8 - 1, false); break;
    default: break;
    }
    if (data[0] % 6 >= 2) take_script(m, data + 1, size - 1, data[0] % 6 >= 4);
    check(m);
    wf_model_end(m);
    drain(m);
    check(m);
    wf_model_close(m);
    wf_close(s);
    return 0;
}
