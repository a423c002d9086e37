// SPDX-License-Identifier: MIT
// Descriptions that all text formats share: the name and sentence of a record, the amount and cause
// of a loss, an event of a slot trace.

#include <stdio.h>
#include <string.h>

#include "wfi_writer.h"

const char *const wfi_loss_kinds[] = {
    [WF_LOSS_HOLE] = "hole",       [WF_LOSS_UNSEEN] = "unseen",
    [WF_LOSS_LATE] = "late",       [WF_LOSS_REPEATED] = "repeated",
    [WF_LOSS_RESTART] = "restart", [WF_LOSS_BEGINNING] = "beginning",
};

static const char *plural(uint64_t n) { return n == 1 ? "" : "s"; }

static void put_damage(const struct wf_loss *l, struct wfi_strbuf *t) {
    static const char *const words[WF_DAMAGE_END] = {
        [WF_DAMAGE_BAD_SUM] = "bad checksum",        [WF_DAMAGE_TOO_SHORT] = "too short",
        [WF_DAMAGE_TOO_LONG] = "too long",           [WF_DAMAGE_CUT] = "cut off",
        [WF_DAMAGE_BY_TARGET] = "cut by the target",
    };
    const char *between = " (";
    wfi_strbuf_printf(t, "%llu damaged byte%s", (unsigned long long)l->bytes, plural(l->bytes));
    for (unsigned i = 0; i < WF_DAMAGE_END; ++i) {
        if (!l->damage[i] || !words[i]) continue;
        wfi_strbuf_printf(t, "%s%u %s", between, l->damage[i], words[i]);
        between = ", ";
    }
    if (between[0] == ',') wfi_strbuf_put(t, ")");
}

static void put_lost_bytes(const struct wf_loss *l, struct wfi_strbuf *t) {
    if (l->bytes || l->given_up) wfi_strbuf_put(t, "; ");
    wfi_strbuf_printf(t, "%llu byte%s in a damaged part of the recording",
                      (unsigned long long)l->lost, plural(l->lost));
}

// A loss of a slot trace. Its recorder counts per core.
static void put_slot_loss(struct wf_session *s, const struct wf_loss *l, struct wfi_strbuf *t) {
    unsigned long long n = l->records, given = l->given_up;
    if (s->target.cores > 1) wfi_strbuf_printf(t, "core %u: ", l->core);
    if (l->why) {
        wfi_strbuf_printf(t, "%llu damaged byte%s: %s", (unsigned long long)l->bytes,
                          plural(l->bytes), l->why);
        return;
    }
    if (n)
        wfi_strbuf_printf(t, "%s%llu event%s missing", l->exact ? "" : "at least ", n, plural(n));
    else
        wfi_strbuf_put(t, "events may be missing here, it is not known how many");
    if (!n)
        return;
    else if (given >= n)
        wfi_strbuf_put(t, ": given up by the target, its ring was full");
    else if (given)
        wfi_strbuf_printf(t, ": %llu given up by the target, the others lost on the way", given);
    else
        wfi_strbuf_put(t, ": lost on the way");
}

// A loss of another tracer's recording.
static void put_import_loss(struct wf_session *s, const struct wf_loss *l, struct wfi_strbuf *t) {
    unsigned long long n = l->records;
    if (s->target.cores > 1) wfi_strbuf_printf(t, "core %u: ", l->core);
    if (l->bytes)
        wfi_strbuf_printf(t, "%llu damaged byte%s", (unsigned long long)l->bytes, plural(l->bytes));
    else if (n)
        wfi_strbuf_printf(t, "%s%llu event%s missing", l->exact ? "" : "at least ", n, plural(n));
    else
        wfi_strbuf_put(t, "events are missing here, it is not known how many");
    if (l->why) wfi_strbuf_printf(t, ": %s", l->why);
}

static void put_hole(struct wf_session *s, const struct wf_loss *l, struct wfi_strbuf *t) {
    unsigned long long n = l->records, given = l->given_up;
    if (s->slots.on) {
        put_slot_loss(s, l, t);
        return;
    }
    if (s->imported) {
        put_import_loss(s, l, t);
        return;
    }
    if (l->why) { // transmission text
        wfi_strbuf_printf(t, "%llu byte%s dropped: %s", (unsigned long long)l->bytes,
                          plural(l->bytes), l->why);
        return;
    }
    if (n) wfi_strbuf_printf(t, "%llu record%s missing: ", n, plural(n));
    if (n && given >= n)
        wfi_strbuf_put(t, "given up by the target, its buffer was full");
    else if (given)
        wfi_strbuf_printf(t, "%llu given up by the target, the others lost on the way", given);
    else if (n && !l->bytes && !l->lost)
        wfi_strbuf_put(t, "the sequence jumps");
    if (given && l->bytes) wfi_strbuf_put(t, "; ");
    if (l->bytes) put_damage(l, t);
    if (l->lost) put_lost_bytes(l, t);
    if (!n && l->bytes && !l->lost) wfi_strbuf_put(t, ", no record missing");
    if (n && !l->exact && !s->lines) wfi_strbuf_put(t, "; the 8-bit sequence cannot show 256 more");
}

void wfi_put_loss(struct wf_session *s, const struct wf_loss *l, struct wfi_strbuf *t) {
    switch (l->kind) {
    case WF_LOSS_HOLE: put_hole(s, l, t); break;
    case WF_LOSS_UNSEEN:
        wfi_strbuf_printf(t, "%llu more records missing before this, by the target's count",
                          (unsigned long long)l->records);
        if (l->given_up) wfi_strbuf_put(t, ": given up, its buffer was full");
        break;
    case WF_LOSS_LATE:
        wfi_strbuf_put(t, "the next record comes late, it was counted as missing");
        break;
    case WF_LOSS_REPEATED: wfi_strbuf_put(t, "a record came twice, the copy is left out"); break;
    case WF_LOSS_RESTART:
        wfi_strbuf_put(t, "the target started anew");
        if (l->records)
            wfi_strbuf_printf(t, ", its first %llu missing", (unsigned long long)l->records);
        if (l->bytes) {
            wfi_strbuf_put(t, "; before that ");
            put_damage(l, t);
        }
        break;
    case WF_LOSS_BEGINNING:
        wfi_strbuf_put(t, "the trace begins here: ");
        if (l->overwritten)
            wfi_strbuf_printf(t, "%llu older event%s were overwritten",
                              (unsigned long long)l->overwritten, plural(l->overwritten));
        else
            wfi_strbuf_put(t, "older events were overwritten, it is not known how many");
        break;
    }
}

// The checksum is right, but the record is not in the table, or its length does not fit the sizes.
void wfi_put_odd(const struct wf_record *r, struct wfi_strbuf *t) {
    if (!r->row)
        wfi_strbuf_printf(t, "record %u with %zu bytes is not in the table", r->id, r->len);
    else if (r->left > 0)
        wfi_strbuf_printf(t, "%s has %d byte%s too many for the field sizes", r->row->name, r->left,
                          plural((uint64_t)r->left));
    else
        wfi_strbuf_printf(t, "%s with %zu bytes is too short for the field sizes", r->row->name,
                          r->len);
}

// ---- records

void wfi_put_words(struct wf_writer *w, const struct wf_record *r, struct wfi_strbuf *t) {
    if (r->row != &wf_user_row) {
        wfi_sentence(&w->sentences, w->s, r, t);
        return;
    }
    size_t from = wfi_strbuf_len(t);
    wfi_put_elements(w->s, r, WFI_STYLE_WALLFLY, t, NULL, NULL);
    size_t len = wfi_strbuf_len(t) - from;
    if (!len) return;
    memmove(t->buf + from, t->buf + from + 1, len - 1); // each element begins with a blank
    --t->end;
}

// ---- events of slot traces that are no records, as QNX prints them

void wfi_put_event(struct wf_writer *w, const struct wf_slot_event *e, const char *format,
                   struct wfi_strbuf *t) {
    if (!w->sat) {
        struct wf_sat_options options = {.size = sizeof options,
                                         .style = WF_SAT_STYLE_7,
                                         .release = w->s->slots.release,
                                         .format = format,
                                         .one_line = true,
                                         .big_endian = w->s->target.big_endian,
                                         .hz = w->s->target.hz};
        w->sat = wf_sat_open(&options, NULL);
        if (!w->sat) return;
    }
    size_t room = wf_sat_room(w->sat, e->count);
    if (!wfi_strbuf_room(t, room)) return;
    size_t len = wf_sat_line(w->sat, e, t->end, room);
    t->end += len ? len - 1 : 0; // without its end of line
}
