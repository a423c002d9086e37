// SPDX-License-Identifier: MIT
// Any input for the model and its consumers. The first byte chooses: bytes of a link; bytes of a
// slot trace; a script of records (with few keys, so that they collide) and losses, as frames of
// any cores or as slots; or one of events of QNX's kernel, of an old and a new release.
#ifndef FUZZ_SCRIPT_H
#define FUZZ_SCRIPT_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_model.h"
#include "wallfly_host/wf_slot_record.h"

struct script {
    struct wf_session *s;
    void *ctx;
    void (*take)(void *ctx, const struct wf_item *item);
    struct wf_item item; // of a script: the last one
    struct wf_slot_event event;
};

static inline void require(bool good) {
    if (!good) abort();
}

static inline void take_frames(struct script *to, const uint8_t *data, size_t size) {
    struct wf_item item;
    wf_session_feed(to->s, data, size);
    wf_session_end(to->s);
    while (wf_session_next(to->s, &item)) to->take(to->ctx, &item);
}

static inline void take_slots(struct script *to, const uint8_t *data, size_t size, bool end) {
    struct wf_slots_item from;
    struct wf_item item;
    struct wf_slots *slots = wf_slots_open(NULL, NULL);
    require(slots != NULL);
    wf_slots_feed(slots, data, size);
    if (end) wf_slots_end(slots);
    while (wf_slots_next(slots, &from)) {
        if (wf_session_take_slot(to->s, slots, &from, &item)) to->take(to->ctx, &item);
    }
    wf_slots_close(slots);
}

// An event of threads, processes, interrupts or kernel calls.
static inline void take_event(struct script *to, const uint8_t *p) {
    static const uint16_t classes[] = {4, 4, 4, 4, 3, 2};
    static const uint16_t processes[] = {64, 128, 192, 256, 320};
    struct wf_slot_event *e = &to->event;
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
    to->take(to->ctx, &item);
}

static inline void set_loss(struct script *to, const uint8_t *p) {
    struct wf_loss *l = &to->item.loss;
    to->item.kind = WF_ITEM_LOSS;
    memset(l, 0, sizeof *l);
    l->kind = (enum wf_loss_kind)(p[1] % (WF_LOSS_RESTART + 1));
    l->core = p[2] % 4;
    l->any_core = p[2] & 16;
    l->offset = to->event.offset + p[2];
}

static inline void set_record(struct script *to, const uint8_t *p) {
    struct wf_record *r = &to->item.record;
    to->item.kind = WF_ITEM_RECORD;
    r->row = &wf_rows[wf_row_count - 1 - p[0] % 160 % wf_row_count];
    r->id = r->row->id;
    r->core = p[3] % 4;
    r->back = p[0] % 32 == 31;
    r->stamped = true;
    for (unsigned f = 0; f < r->row->count; ++f) {
        unsigned kind = r->row->fields[f].kind;
        bool small = kind == WF_KIND_CORE || kind == WF_KIND_REASON || kind == WF_KIND_NESTING ||
                     kind == WF_KIND_PRIO;
        r->value[f] = small                                           ? p[3] % 4
                      : kind == WF_KIND_TASK || kind == WF_KIND_ACTOR ? p[1] % 5
                                                                      : p[2] % 6;
    }
    r->text = "name";
    r->text_len = 4;
}

// Four bytes for each step: the kind, and up to three small values.
static inline void take_script(struct script *to, const uint8_t *p, size_t size, bool events) {
    for (; size >= 4; p += 4, size -= 4) {
        to->item.record.tick += p[3] >> 4;
        if (events && p[0] < 240) {
            take_event(to, p);
            continue;
        }
        if (p[0] >= 250)
            set_loss(to, p);
        else
            set_record(to, p);
        to->take(to->ctx, &to->item);
    }
}

// times: number of repetitions of a script; time continues.
static inline void take_any(struct script *to, const uint8_t *data, size_t size, unsigned times) {
    static const char header[] = "TRACE_HEADER_BEGIN::TRACE_LITTLE_ENDIAN::TRUE"
                                 "TRACE_CYCLES_PER_SEC::1000000000TRACE_CPU_NUM::4TRACE_WALLFLY::"
                                 "T8O4F4TRACE_HEADER_END::";
    static const char old[] = "TRACE_HEADER_BEGIN::TRACE_LITTLE_ENDIAN::TRUETRACE_CPU_NUM::4"
                              "TRACE_SYS_RELEASE::6.4.1TRACE_HEADER_END::";
    static const char new8[] = "TRACE_HEADER_BEGIN::TRACE_LITTLE_ENDIAN::TRUETRACE_CPU_NUM::1"
                               "TRACE_SYS_RELEASE::8.0.0TRACE_HEADER_END::";
    switch (data[0] % 6) {
    case 0: take_frames(to, data + 1, size - 1); return;
    case 1: take_slots(to, data + 1, size - 1, true); return;
    case 2: take_slots(to, (const uint8_t *)header, sizeof header - 1, false); break;
    case 4: take_slots(to, (const uint8_t *)old, sizeof old - 1, false); break;
    case 5: take_slots(to, (const uint8_t *)new8, sizeof new8 - 1, false); break;
    default: break;
    }
    for (unsigned i = 0; i < times; ++i) take_script(to, data + 1, size - 1, data[0] % 6 >= 4);
}

#endif
