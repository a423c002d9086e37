// SPDX-License-Identifier: MIT
// Decodes a stream of events. The length of each record allows to skip a damaged one.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "wfi_ctf.h"

#define SECOND INT64_C(1000000000)
// Times that are not exact in a double (of a page, of JSON) begin at the second of the first event.
#define TIME_MAX (INT64_C(1) << 53)

static const char *const lacks[] = {
    "the meaning of events that no mapping names (docs/import/ctf.md)", NULL};

static enum wfi_sniff sniff_ctf(const uint8_t *bytes, size_t len, bool whole) {
    size_t n = len < WF_EVENTS_MAGIC_LEN ? len : WF_EVENTS_MAGIC_LEN;
    if (memcmp(bytes, WF_EVENTS_MAGIC, n) != 0) return WFI_SNIFF_NO;
    if (n == WF_EVENTS_MAGIC_LEN) return WFI_SNIFF_YES;
    return whole ? WFI_SNIFF_NO : WFI_SNIFF_PERHAPS;
}

static void close_ctf(struct wfi_import *im) {
    struct ctf *s = im->state;
    wfi_ctf_free_classes(s);
    wfi_ctf_map_free(&s->map);
    wfi_index_close(&s->named_index);
    free(s->named);
}

// ---- parts of records

static int64_t take_signed(struct wfi_cursor *c) {
    uint64_t v = wfi_take_varint(c), half = v >> 1;
    return (int64_t)(v & 1 ? ~half : half);
}

static int64_t take_time(struct ctf *s, struct wfi_cursor *c) {
    s->time = (int64_t)((uint64_t)s->time + (uint64_t)take_signed(c));
    return s->time;
}

static void take_text(struct wfi_cursor *c, struct ctf_value *v) {
    v->len = (size_t)wfi_take_upto(c, WF_EVENTS_TEXT_MAX);
    v->text = (const char *)wfi_take_bytes(c, v->len);
    if (c->bad) v->len = 0;
}

static void take_value(struct wfi_cursor *c, struct ctf_value *v) {
    const uint8_t *type = wfi_take_bytes(c, 1), *real;
    *v =
        (struct ctf_value){c->bad ? WF_EVENTS_VALUE_NONE : (enum wf_events_value) * type, 0, "", 0};
    switch (v->type) {
    case WF_EVENTS_VALUE_NONE: break;
    case WF_EVENTS_VALUE_UNSIGNED:
    case WF_EVENTS_VALUE_HEX:
    case WF_EVENTS_VALUE_ENUM: v->v = wfi_take_varint(c); break;
    case WF_EVENTS_VALUE_SIGNED:
    case WF_EVENTS_VALUE_SIGNED_ENUM: v->v = (uint64_t)take_signed(c); break;
    case WF_EVENTS_VALUE_FLOAT:
        real = wfi_take_bytes(c, 8);
        if (!c->bad) v->v = wfi_load(real, 8);
        break;
    case WF_EVENTS_VALUE_TEXT: break;
    default: c->bad = true;
    }
    if (v->type >= WF_EVENTS_VALUE_TEXT) take_text(c, v);
}

static void copy_text(char *to, size_t cap, const struct ctf_value *v) {
    size_t len = v->len < cap - 1 ? v->len : cap - 1;
    if (len) memcpy(to, v->text, len);
    to[len] = 0;
}

static void take_env(struct ctf *s, struct wfi_cursor *c) {
    struct ctf_value name, value;
    take_text(c, &name);
    take_text(c, &value);
    if (c->bad || s->env_count == CTF_ENV) return;
    struct ctf_env *e = &s->env[s->env_count++];
    copy_text(e->name, sizeof e->name, &name);
    copy_text(e->value, sizeof e->value, &value);
}

// ---- time

// Writes the time of tick 0, as "2026-11-22 11:11:36 UTC".
static void put_date(const struct ctf *s, char text[64]) {
    time_t seconds = (time_t)(s->base / SECOND);
    struct tm tm;
    text[0] = 0;
    if (gmtime_r(&seconds, &tm)) strftime(text, 64, "%Y-%m-%d %H:%M:%S UTC", &tm);
}

// Returns the second that a time is in; the earliest times have none.
static int64_t second_of(int64_t ns) {
    int64_t rest = ns % SECOND;
    if (rest < 0) rest += SECOND;
    return ns < INT64_MIN + SECOND ? ns : ns - rest;
}

static void set_time(struct wfi_import *im, int64_t ns) {
    struct ctf *s = im->state;
    if (!s->based) s->base = ns < 0 || ns > TIME_MAX || s->epoch ? second_of(ns) : 0;
    s->based = true;
    im->tick = ns > s->base ? (uint64_t)ns - (uint64_t)s->base : 0;
}

// ---- the first event

// What is known of the trace, as an event.
static void emit_env(struct wfi_import *im) {
    const struct ctf *s = im->state;
    struct wfi_import_field fields[CTF_ENV + 1];
    char date[64];
    unsigned n = 0;
    for (; n < s->env_count; ++n)
        fields[n] = (struct wfi_import_field){s->env[n].name, WFI_FIELD_TEXT, 0, s->env[n].value,
                                              strlen(s->env[n].value)};
    put_date(s, date);
    if (s->epoch && *date)
        fields[n++] = (struct wfi_import_field){"time 0", WFI_FIELD_TEXT, 0, date, strlen(date)};
    if (n) wfi_import_event(im, "environment", 11, fields, n);
}

// Faults of a mapping are found before the first event.
static bool begin_events(struct wfi_import *im) {
    struct ctf *s = im->state;
    if (s->mapped) return true;
    if (!wfi_ctf_choose_map(im)) return false;
    for (size_t i = 0; i < s->class_count; ++i) {
        if (!wfi_ctf_bind(im, &s->classes[i])) return false;
    }
    emit_env(im);
    return true;
}

// ---- losses

static void emit_loss(struct wfi_import *im, const struct ctf_pending *p) {
    unsigned core = im->core;
    im->core = p->core;
    wfi_import_loss(im, p->events, p->exact, "the tracer's buffer was full");
    im->core = core;
}

// Emits the losses whose ranges end before a time, or all.
static void emit_pending(struct wfi_import *im, bool all, int64_t ns) {
    struct ctf *s = im->state;
    unsigned left = 0;
    for (unsigned i = 0; i < s->pending_count; ++i) {
        if (all || s->pending[i].end < ns)
            emit_loss(im, &s->pending[i]);
        else
            s->pending[left++] = s->pending[i];
    }
    s->pending_count = left;
}

static void add_pending(struct wfi_import *im, const struct ctf_pending *p) {
    struct ctf *s = im->state;
    if (s->pending_count == CTF_PENDING) emit_pending(im, true, 0);
    s->pending[s->pending_count++] = *p;
}

static unsigned core_of(uint64_t cpu) {
    return cpu && cpu <= WFI_IMPORT_CORES ? (unsigned)cpu - 1 : 0;
}

static void take_loss(struct wfi_import *im, struct wfi_cursor *c) {
    struct ctf *s = im->state;
    const uint8_t *what = wfi_take_bytes(c, 1);
    uint64_t count = wfi_take_varint(c);
    int64_t begin = take_time(s, c);
    uint64_t len = wfi_take_varint(c), cpu = wfi_take_varint(c);
    wfi_take_varint(c); // the data stream
    if (c->bad || !begin_events(im)) return;
    bool packets = *what == WF_EVENTS_LOST_PACKETS;
    struct ctf_pending p = {.end = (int64_t)((uint64_t)begin + len), .core = core_of(cpu)};
    p.events = count && !packets ? count - 1 : 0;
    p.exact = count && !packets;
    if (len > INT64_MAX || p.end < begin) p.end = begin;
    set_time(im, begin);
    im->core = p.core;
    if (packets) {
        wfi_import_loss(im, 0, false, "packets of the trace are missing");
    } else if (s->map.losses == CTF_LOSSES_AFTER) {
        add_pending(im, &p);
    } else {
        emit_loss(im, &p);
        // The lost events may also lie behind those of the range: state is unknown again there.
        if (s->map.losses == CTF_LOSSES_ANYWHERE && p.end > begin) {
            p.events = 0;
            add_pending(im, &p);
        }
    }
}

// ---- events

static void set_core(struct wfi_import *im, const struct ctf_class *k, uint64_t cpu) {
    struct ctf *s = im->state;
    const struct ctf_value *v = k->cpu >= 0 ? &s->value[k->cpu] : NULL;
    if (v && v->type == WF_EVENTS_VALUE_UNSIGNED) cpu = v->v < UINT32_MAX ? v->v + 1 : 0;
    im->core = cpu > WFI_IMPORT_CORES ? WFI_IMPORT_CORES : core_of(cpu);
    if (im->core >= WFI_IMPORT_CORES || im->core < s->cores) return;
    s->cores = im->core + 1;
    wfi_import_target(im, (uint64_t)SECOND, 8, s->cores);
}

static void take_event(struct wfi_import *im, struct wfi_cursor *c) {
    struct ctf *s = im->state;
    uint64_t class = wfi_take_varint(c);
    int64_t ns = take_time(s, c);
    uint64_t cpu = wfi_take_varint(c);
    wfi_take_varint(c); // the data stream
    if (c->bad || class >= s->class_count) {
        c->bad = true;
        return;
    }
    struct ctf_class *k = &s->classes[class];
    for (unsigned i = 0; i < k->count && !c->bad; ++i) take_value(c, &s->value[i]);
    if (c->bad) return;
    if (s->pending_count) emit_pending(im, false, ns);
    set_time(im, ns);
    im->core = 0;
    if (!begin_events(im) || (!k->is_bound && !wfi_ctf_bind(im, k))) return;
    set_core(im, k, cpu);
    if (im->core < WFI_IMPORT_CORES) {
        wfi_ctf_emit(im, k);
        return;
    }
    im->core = 0;
    ++s->beyond;
}

// ---- the end

static void take_end(struct wfi_import *im, struct wfi_cursor *c) {
    struct ctf *s = im->state;
    struct ctf_value why;
    take_text(c, &why);
    if (c->bad) return;
    s->ended = true;
    emit_pending(im, true, 0);
    if (s->beyond) wfi_import_loss(im, s->beyond, true, "events of cores above 63");
    s->beyond = 0;
    if (why.len) wfi_import_damage(im, im->offset, 0, "the trace could not be read further");
}

// ---- records

static void take_record(struct wfi_import *im, const uint8_t *bytes, size_t len) {
    struct ctf *s = im->state;
    struct wfi_cursor c = {bytes + 1, bytes + len, false};
    switch (bytes[0]) {
    case WF_EVENTS_CLOCK: {
        const uint8_t *bits = wfi_take_bytes(&c, 1);
        s->epoch = !c.bad && *bits & WF_EVENTS_CLOCK_EPOCH;
        break;
    }
    case WF_EVENTS_ENV: take_env(s, &c); break;
    case WF_EVENTS_CLASS: c.bad |= !wfi_ctf_take_class(im, &c); break;
    case WF_EVENTS_EVENT: take_event(im, &c); break;
    case WF_EVENTS_LOSS: take_loss(im, &c); break;
    case WF_EVENTS_END: take_end(im, &c); break;
    default: c.bad = true;
    }
    if (c.bad) wfi_import_damage(im, im->offset, len, "a record that cannot be right");
}

// The magic. Returns false until it is there.
static bool begin_stream(struct wfi_import *im, const uint8_t *bytes, size_t len, size_t *at) {
    struct ctf *s = im->state;
    if (s->begun) return true;
    if (len < WF_EVENTS_MAGIC_LEN) return false;
    s->begun = true;
    s->cores = 1;
    wfi_import_target(im, (uint64_t)SECOND, 8, 1);
    if (memcmp(bytes, WF_EVENTS_MAGIC, WF_EVENTS_MAGIC_LEN) == 0)
        *at = WF_EVENTS_MAGIC_LEN;
    else
        wfi_import_fail(im, 0, "not a stream of events");
    return im->error.code == WF_OK;
}

static size_t decode_ctf(struct wfi_import *im, const uint8_t *bytes, size_t len, bool last) {
    struct ctf *s = im->state;
    size_t at = 0;
    if (!begin_stream(im, bytes, len, &at)) return 0;
    while (at < len && !wfi_import_is_full(im)) {
        struct wfi_cursor c = {bytes + at, bytes + len, false};
        uint64_t n = wfi_take_varint(&c);
        im->offset = im->at + at;
        if (!c.bad && (n > WF_EVENTS_RECORD_MAX || !n)) {
            wfi_import_fail(im, im->offset, "a record of %" PRIu64 " bytes", n);
            return len;
        }
        if (c.bad || n > (uint64_t)(c.end - c.p)) break;
        take_record(im, c.p, (size_t)n);
        at = (size_t)(c.p - bytes) + (size_t)n;
    }
    if (last && at == len && !s->ended && !wfi_import_is_full(im)) {
        s->ended = true;
        emit_pending(im, true, 0);
        wfi_import_damage(im, im->at + len, 0, "the input ends before the end of the trace");
    }
    return at;
}

const struct wfi_import_format wfi_import_ctf = {
    .name = "CTF",
    .sniff = sniff_ctf,
    .size = sizeof(struct ctf),
    .decode = decode_ctf,
    .close = close_ctf,
    .lacks = lacks,
};
