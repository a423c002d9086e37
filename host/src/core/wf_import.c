// SPDX-License-Identifier: MIT
// Input and items of an importer. Its records are those of a session, with an own time: sequence,
// checksum and wraps are not involved.

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/wfi_import_queue.h"
#include "util/wfi_grow.h"

enum {
    PIECE = 1 << 16,  // bytes added to held input at a time
    MOST = 1 << 16,   // default of `most`
    QS_VERSION = 740, // the records are those of that version
    STAMP = 8
};

// ---- open and close

struct wfi_import *wfi_import_open(struct wf_session *s, const struct wfi_import_format *format,
                                   const struct wfi_import_options *options) {
    struct wfi_import *im = calloc(1, sizeof *im);
    if (!im) return NULL;
    im->s = s;
    im->format = format;
    if (options) im->options = *options;
    im->queue = calloc(1, sizeof *im->queue);
    im->state = calloc(1, format->size ? format->size : 1);
    s->imported = true;
    if (im->queue && im->state) {
        wfi_import_plan_rows(im->queue);
        wfi_import_target(im, im->options.hz, 4, 0);
        if (!format->open || format->open(im) == WF_OK) return im;
    }
    wfi_import_close(im);
    return NULL;
}

void wfi_import_close(struct wfi_import *im) {
    if (!im) return;
    struct wfi_import_queue *q = im->queue;
    if (im->state && im->format->close) im->format->close(im);
    for (size_t i = 0; q && i < q->known_count; ++i) free(q->known[i].text);
    for (unsigned i = 0; q && i < 256; ++i) free(q->events[i].text);
    if (q) {
        wfi_index_close(&q->texts);
        free(q->known);
        free(q->entries);
        free(q->bytes);
        free(q->held);
    }
    free(q);
    free(im->state);
    free(im);
}

void wfi_import_target(struct wfi_import *im, uint64_t hz, unsigned address_bytes, unsigned cores) {
    struct wf_session *s = im->s;
    struct wf_target *t = &s->target;
    if (im->options.hz) hz = im->options.hz;
    for (unsigned i = 0; i < WF_TYPE_END; ++i) {
        if (!t->bytes[i]) t->bytes[i] = wf_types[i].bytes;
    }
    t->bytes[WF_TYPE_TIME] = t->bytes[WF_TYPE_OBJ] = t->bytes[WF_TYPE_FUN] = STAMP;
    t->sizes_known = true;
    if (hz) t->hz = hz;
    t->cores = (uint8_t)(cores > WFI_IMPORT_CORES ? WFI_IMPORT_CORES : cores);
    if (!s->options.version) t->version = t->version_raw = QS_VERSION;
    wfi_set_key_sizes(s);
    s->names.objects.key_bytes = s->names.functions.key_bytes = address_bytes;
    wfi_plan_all(s);
}

void wfi_import_fail(struct wfi_import *im, uint64_t offset, const char *format, ...) {
    va_list args;
    char text[sizeof im->error.text];
    if (im->error.code != WF_OK) return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    wf_error_set(&im->error, WF_ERR_BAD_IMPORT, "%s: %s", im->format->name, text);
    im->error.place = WF_AT_BYTE;
    im->error.at = offset;
}

// ---- the queue

bool wfi_import_grow(struct wfi_import *im, size_t len) {
    struct wfi_import_queue *q = im->queue;
    if (WFI_GROW(q->entries, &q->cap, q->count + 1) && WFI_GROW(q->bytes, &q->room, q->used + len))
        return true;
    wf_error_code(&im->error, WF_ERR_NOMEM);
    return false;
}

// ---- items

static void take_time(struct wf_session *s, struct wf_record *r, uint64_t tick) {
    r->tick = tick;
    r->back = s->clock.known && tick < s->clock.last;
    if (r->back)
        ++s->ledger.back;
    else
        s->clock.last = tick;
    s->clock.known = true;
    wfi_clock_note(&s->clock, tick);
}

// Fixed layouts, and elements after the stamp, are read by their plan, as the row is known.
static void decode_entry(struct wf_session *s, const struct wfi_import_entry *e,
                         struct wf_record *r) {
    const struct wfi_plan *plan = &s->plans[e->row < wf_row_count ? e->row : WFI_ROWS_MAX];
    bool elements = plan->open && plan->stamped;
    if (plan->len != r->len && !elements) { // a name
        wfi_decode(s, r);
        return;
    }
    r->row = plan->row;
    r->left = 0;
    r->missing = 0;
    r->stamped = plan->stamped;
    if (elements) {
        r->value[0] = e->tick;
        r->value[1] = STAMP;
        return;
    }
    wfi_decode_fixed(plan, r);
}

static void give_record(struct wfi_import *im, const struct wfi_import_entry *e,
                        struct wf_item *item) {
    struct wf_session *s = im->s;
    struct wf_record *r = &item->record;
    item->kind = WF_ITEM_RECORD;
    item->changed = item->discarded = false;
    r->id = e->id;
    r->core = e->core;
    r->seq = r->seq_expected = (uint8_t)(s->qspy_last + 1);
    s->qspy_last = r->seq;
    r->offset = e->offset;
    r->raw_len = 0; // the input does not contain this payload
    r->first = s->ledger.records == 0;
    r->payload = im->queue->bytes + e->at;
    r->len = e->len;
    decode_entry(s, e, r);
    r->stamp = e->tick;
    if (r->stamped)
        take_time(s, r, e->tick);
    else
        r->tick = s->clock.last, r->back = false;
    ++s->ledger.records;
    ++s->ledger.by_id[r->id];
    if (wfi_applies(s, r)) wfi_apply(s, item);
}

static void give_loss(struct wfi_import *im, const struct wfi_import_entry *e,
                      struct wf_item *item) {
    struct wf_ledger *l = &im->s->ledger;
    item->kind = WF_ITEM_LOSS;
    memcpy(&item->loss, im->queue->bytes + e->at, sizeof item->loss);
    item->loss.tick_before = im->s->clock.last;
    if (item->loss.kind == WF_LOSS_BEGINNING) return; // nothing that was recorded is missing
    l->missing += item->loss.records;
    l->given_up += item->loss.given_up;
    l->bytes_bad += item->loss.bytes;
    l->bytes_good -= item->loss.bytes <= l->bytes_good ? item->loss.bytes : l->bytes_good;
    l->exact = (!l->holes || l->exact) && item->loss.exact; // of formats that show losses
    ++l->holes;
    for (unsigned i = 0; i < WF_DAMAGE_END; ++i) l->damage[i] += item->loss.damage[i];
}

// ---- input

void wfi_import_feed(struct wfi_import *im, const uint8_t *bytes, size_t len) {
    im->queue->src = bytes;
    im->queue->end = len ? bytes + len : bytes; // may be null
}

void wfi_import_start(struct wfi_import *im, uint64_t at) { im->at = im->queue->counted = at; }

void wfi_import_end(struct wfi_import *im) { im->queue->last = true; }
bool wfi_import_has_ended(const struct wfi_import *im) { return im->queue->last; }

int wfi_import_restart(struct wfi_import *im) {
    struct wfi_import_queue *q = im->queue;
    if (im->format->close) im->format->close(im);
    memset(im->state, 0, im->format->size ? im->format->size : 1);
    memset(im->cores, 0, sizeof im->cores);
    im->core = 0;
    im->at = im->tick = im->offset = q->counted = 0;
    q->last = q->done = false;
    q->held_len = q->held_at = 0;
    q->src = q->end = NULL;
    return im->format->open ? im->format->open(im) : WF_OK;
}

// Counts the input up to an offset in the ledger.
static void count_until(struct wfi_import *im, uint64_t offset) {
    struct wf_ledger *l = &im->s->ledger;
    if (offset <= im->queue->counted) return;
    l->bytes += offset - im->queue->counted;
    l->bytes_good += offset - im->queue->counted;
    im->queue->counted = offset;
}

static void count_bytes(struct wfi_import *im, size_t used) {
    im->at += used;
    count_until(im, im->at);
}

// Appends input to the held bytes. Returns the number of bytes appended.
static size_t hold(struct wfi_import *im) {
    struct wfi_import_queue *q = im->queue;
    size_t rest = (size_t)(q->end - q->src), n = rest;
    if (!im->format->whole && n > PIECE) n = PIECE;
    if (q->held_at && q->held_len) memmove(q->held, q->held + q->held_at, q->held_len);
    q->held_at = 0;
    if (!n) return 0; // without input all may be null
    if (!WFI_GROW(q->held, &q->held_cap, q->held_len + n)) {
        wf_error_code(&im->error, WF_ERR_NOMEM);
        return 0;
    }
    memcpy(q->held + q->held_len, q->src, n);
    q->held_len += n;
    q->src += n;
    return n;
}

static void drop_held(struct wfi_import *im, size_t len) {
    im->queue->held_at += len;
    im->queue->held_len -= len;
}

// Held bytes that cannot be decoded.
static void damage_held(struct wfi_import *im, size_t len, const char *why) {
    im->offset = im->at;
    count_bytes(im, len);
    wfi_import_damage(im, im->offset, len, why);
    drop_held(im, len);
}

// A format that is decoded as a whole may report damage long before it has used its bytes.
static size_t run_decode(struct wfi_import *im, const uint8_t *bytes, size_t len, bool last) {
    if (im->format->whole) count_until(im, im->at + len);
    size_t used = im->format->decode(im, bytes, len, last);
    if (used > len) used = len;
    count_bytes(im, used);
    return used;
}

// Decodes held input. Returns false if nothing could be decoded.
static bool decode_held(struct wfi_import *im, bool last) {
    struct wfi_import_queue *q = im->queue;
    static const uint8_t none[1];
    size_t before = q->count;
    size_t used = run_decode(im, q->held ? q->held + q->held_at : none, q->held_len, last);
    drop_held(im, used);
    return used || q->count != before;
}

// Decodes some input. Returns false if there is nothing more to decode now.
static bool decode_some(struct wfi_import *im) {
    struct wfi_import_queue *q = im->queue;
    size_t most = im->format->most ? im->format->most : MOST;
    bool whole = im->format->whole;
    if (q->done || im->error.code != WF_OK) return false;
    if (!q->held_len && (!whole || q->last) && q->src != q->end) {
        size_t before = q->count;
        size_t used = run_decode(im, q->src, (size_t)(q->end - q->src), q->last);
        q->src += used;
        if (used || q->count != before) return true;
    }
    if (q->held_len && !whole && decode_held(im, false)) return true;
    // A decoder that asks for more has read a length that cannot be right.
    if (q->held_len >= most && !whole) {
        damage_held(im, 1, "a length that cannot be right");
        return true;
    }
    if (hold(im)) return true;
    if (im->error.code != WF_OK || !q->last) return false;
    if (decode_held(im, true)) return true;
    q->done = true;
    if (!q->held_len || im->error.code != WF_OK) return false;
    damage_held(im, q->held_len, "the input ends inside an event");
    return true;
}

bool wfi_import_next(struct wfi_import *im, struct wf_item *item) {
    struct wfi_import_queue *q = im->queue;
    while (q->head == q->count) {
        q->head = q->count = q->used = im->waiting = 0;
        if (!decode_some(im)) return false;
    }
    const struct wfi_import_entry *e = &q->entries[q->head++];
    if (e->loss)
        give_loss(im, e, item);
    else
        give_record(im, e, item);
    return true;
}
