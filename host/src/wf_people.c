// SPDX-License-Identifier: MIT
// Our own text: time, group, record, sentence in columns; every loss a line of its own that says
// how much is missing, where, and why.

#include <stdio.h>
#include <string.h>

#include "wfi_writer.h"

enum { TIME_WIDTH = 17, GROUP_WIDTH = 5, NAME_WIDTH = 17 };

// Colours, by what a line is about.
#define RESET  "\033[0m"
#define DIM    "\033[2m"
#define BOLD   "\033[1m"
#define RED    "\033[1;31m"
#define YELLOW "\033[33m"

static const char *const group_colours[WF_GROUP_END] = {
    [WF_GROUP_SM] = "\033[36m",   [WF_GROUP_AO] = "\033[32m",     [WF_GROUP_EQ] = "\033[32m",
    [WF_GROUP_MP] = "\033[34m",   [WF_GROUP_TE] = "\033[35m",     [WF_GROUP_QF] = "\033[35m",
    [WF_GROUP_SC] = "\033[33m",   [WF_GROUP_SEM] = "\033[33m",    [WF_GROUP_MTX] = "\033[33m",
    [WF_GROUP_USER] = "\033[1m",  [WF_GROUP_FAIL] = "\033[1;31m", [WF_GROUP_TASK] = "\033[32m",
    [WF_GROUP_ISR] = "\033[35m",  [WF_GROUP_QUE] = "\033[32m",    [WF_GROUP_EVT] = "\033[33m",
    [WF_GROUP_TMR] = "\033[35m",  [WF_GROUP_HEAP] = "\033[34m",   [WF_GROUP_MUT] = "\033[33m",
    [WF_GROUP_SEMA] = "\033[33m", [WF_GROUP_NOTE] = "\033[1m",
};

int wfi_people_open(struct wf_writer *w) {
    return wfi_sentences_open(&w->sentences, WFI_STYLE_PEOPLE) ? WF_OK : WF_ERR_NOMEM;
}

static void put(struct wf_writer *w, const char *text) {
    wfi_put_bytes(text, strlen(text), &w->text);
}

static void colour(struct wf_writer *w, const char *code) {
    if (w->options.colour && code) put(w, code);
}

static void pad_to(struct wf_writer *w, size_t from, size_t width) {
    size_t len = (size_t)(w->text.end - w->text.buf) - from;
    if (len >= width) width = len + 1;
    if (!wfi_text_room(&w->text, width)) return;
    memset(w->text.end, ' ', width - len);
    w->text.end += width - len;
}

static size_t mark(const struct wf_writer *w) { return (size_t)(w->text.end - w->text.buf); }

// As many digits as a tick needs: 7 for 10 MHz.
static unsigned decimals(uint64_t hz) {
    unsigned digits = 0;
    for (uint64_t power = 1; power < hz && digits < 9; power *= 10) ++digits;
    return digits;
}

static size_t time_text(const struct wf_writer *w, uint64_t tick, char text[48]) {
    static const uint64_t power[] = {1,      10,      100,      1000,      10000,
                                     100000, 1000000, 10000000, 100000000, 1000000000};
    uint64_t hz = w->s->target.hz;
    enum wf_time_unit unit = w->options.time;
    if (!hz || unit == WF_TIME_TICKS) return (size_t)(wfi_dec(text, tick) - text);
    unsigned digits = decimals(hz);
    unsigned shift = unit == WF_TIME_MS ? 3 : unit == WF_TIME_US ? 6 : 0;
    if (digits < shift) digits = shift;
    uint64_t whole = tick / hz;
    // Exact below 18 GHz, where the product fits; above, ticks are finer than what is shown.
    uint64_t rest = tick % hz, scale = power[digits];
    uint64_t part = hz <= UINT64_MAX / scale ? rest * scale / hz : rest / (hz / scale);
    whole = whole * power[shift] + part / power[digits - shift];
    part %= power[digits - shift];
    char *p = wfi_dec(text, whole);
    if (digits == shift) return (size_t)(p - text);
    *p++ = '.';
    for (unsigned i = digits - shift; i-- > 0; part %= power[i])
        *p++ = (char)('0' + part / power[i]);
    return (size_t)(p - text);
}

static const char *unit_text(const struct wf_writer *w) {
    if (!w->s->target.hz || w->options.time == WF_TIME_TICKS) return "";
    if (w->options.time == WF_TIME_MS) return "ms";
    return w->options.time == WF_TIME_US ? "us" : "s";
}

static void put_time(struct wf_writer *w, bool known, uint64_t tick) {
    char text[48];
    size_t len = known ? time_text(w, tick, text) : 0;
    if (!wfi_text_room(&w->text, TIME_WIDTH + 64)) return;
    colour(w, DIM);
    for (size_t i = len; i < TIME_WIDTH - 3; ++i) *w->text.end++ = ' ';
    wfi_put_bytes(text, len, &w->text);
    const char *unit = known ? unit_text(w) : "";
    *w->text.end++ = ' ';
    put(w, unit);
    for (size_t i = strlen(unit); i < 3; ++i) *w->text.end++ = ' ';
    colour(w, RESET);
}

static void put_columns(struct wf_writer *w, const char *group, const char *name, size_t name_len) {
    size_t from = mark(w);
    put(w, group);
    pad_to(w, from, GROUP_WIDTH);
    from = mark(w);
    wfi_put_bytes(name, name_len, &w->text);
    pad_to(w, from, NAME_WIDTH);
}

static void end_line(struct wf_writer *w) { put(w, "\n"); }

static void put_core(struct wf_writer *w, unsigned core) {
    if (w->s->target.cores > 1) wfi_text_printf(&w->text, "c%-3u", core);
}

static void begin_note(struct wf_writer *w, const char *tint, bool known, uint64_t tick) {
    put_time(w, known, tick);
    colour(w, tint);
    put(w, "---- ");
}

static void end_note(struct wf_writer *w) {
    colour(w, RESET);
    end_line(w);
}

static const char *plural(uint64_t n) { return n == 1 ? "" : "s"; }

static void damage_words(struct wf_writer *w, const struct wf_loss *l) {
    static const char *const words[WF_DAMAGE_END] = {
        [WF_DAMAGE_BAD_SUM] = "bad checksum",
        [WF_DAMAGE_TOO_SHORT] = "too short",
        [WF_DAMAGE_TOO_LONG] = "too long",
        [WF_DAMAGE_CUT] = "cut off",
    };
    const char *between = " (";
    wfi_text_printf(&w->text, "%llu damaged byte%s", (unsigned long long)l->bytes,
                    plural(l->bytes));
    for (unsigned i = 0; i < WF_DAMAGE_END; ++i) {
        if (!l->damage[i] || !words[i]) continue;
        wfi_text_printf(&w->text, "%s%u %s", between, l->damage[i], words[i]);
        between = ", ";
    }
    if (between[0] == ',') put(w, ")");
}

static void lost_words(struct wf_writer *w, const struct wf_loss *l) {
    if (l->bytes || l->given_up) put(w, "; ");
    wfi_text_printf(&w->text, "%llu byte%s in a damaged part of the recording",
                    (unsigned long long)l->lost, plural(l->lost));
}

// Of a slot trace, whose recorder counts by core.
static void slot_words(struct wf_writer *w, const struct wf_loss *l) {
    unsigned long long n = l->records, given = l->given_up;
    if (w->s->target.cores > 1) wfi_text_printf(&w->text, "core %u: ", l->core);
    if (l->why) {
        wfi_text_printf(&w->text, "%llu damaged byte%s: %s", (unsigned long long)l->bytes,
                        plural(l->bytes), l->why);
        return;
    }
    if (n)
        wfi_text_printf(&w->text, "%s%llu event%s missing", l->exact ? "" : "at least ", n,
                        plural(n));
    else
        put(w, "events may be missing here, it is not known how many");
    if (!n)
        return;
    else if (given >= n)
        put(w, ": given up by the target, its ring was full");
    else if (given)
        wfi_text_printf(&w->text, ": %llu given up by the target, the others lost on the way",
                        given);
    else
        put(w, ": lost on the way");
}

static void hole_words(struct wf_writer *w, const struct wf_loss *l) {
    unsigned long long n = l->records, given = l->given_up;
    if (w->s->slots.on) {
        slot_words(w, l);
        return;
    }
    if (l->why) { // transmission text
        wfi_text_printf(&w->text, "%llu byte%s dropped: %s", (unsigned long long)l->bytes,
                        plural(l->bytes), l->why);
        return;
    }
    if (n) wfi_text_printf(&w->text, "%llu record%s missing: ", n, plural(n));
    if (n && given >= n) {
        put(w, "given up by the target, its buffer was full");
        if (l->bytes) put(w, "; ");
    } else if (given) {
        wfi_text_printf(&w->text, "%llu given up by the target, the others lost on the way", given);
        if (l->bytes) put(w, "; ");
    } else if (n && !l->bytes && !l->lost) {
        put(w, "the sequence jumps");
    }
    if (l->bytes) damage_words(w, l);
    if (l->lost) lost_words(w, l);
    if (!n && l->bytes && !l->lost) put(w, ", no record missing");
    if (n && !l->exact && !w->s->lines) put(w, "; the 8-bit sequence cannot tell 256 more");
}

static void loss(struct wf_writer *w, const struct wf_loss *l) {
    bool known = w->s->clock.known && l->kind != WF_LOSS_RESTART;
    if (w->s->slots.on) known = l->tick_before != 0; // nothing came of that core before
    begin_note(w, l->kind == WF_LOSS_HOLE || l->kind == WF_LOSS_UNSEEN ? RED : YELLOW, known,
               l->tick_before);
    switch (l->kind) {
    case WF_LOSS_HOLE: hole_words(w, l); break;
    case WF_LOSS_UNSEEN:
        wfi_text_printf(&w->text, "%llu more records missing before this, by the target's count",
                        (unsigned long long)l->records);
        if (l->given_up) put(w, ": given up, its buffer was full");
        break;
    case WF_LOSS_LATE: put(w, "the next record comes late, it was counted as missing"); break;
    case WF_LOSS_REPEATED: put(w, "a record came twice, the copy is left out"); break;
    case WF_LOSS_RESTART:
        put(w, "the target started anew");
        if (l->records)
            wfi_text_printf(&w->text, ", its first %llu missing", (unsigned long long)l->records);
        if (l->bytes) {
            put(w, "; before that ");
            damage_words(w, l);
        }
        break;
    }
    wfi_text_printf(&w->text, " [byte %llu]", (unsigned long long)l->offset);
    end_note(w);
}

// In slots each record has a time.
static bool is_timed(const struct wf_writer *w, const struct wf_record *r) {
    return r->stamped || w->s->slots.on;
}

// Good checksum, but not what the sizes or the table say.
static void odd_record(struct wf_writer *w, const struct wf_record *r) {
    begin_note(w, RED, is_timed(w, r), r->tick);
    if (!r->row)
        wfi_text_printf(&w->text, "record %u with %zu bytes is not in the table", r->id, r->len);
    else if (r->left > 0)
        wfi_text_printf(&w->text, "%s has %d byte%s too many for the sizes in force", r->row->name,
                        r->left, plural((uint64_t)r->left));
    else
        wfi_text_printf(&w->text, "%s with %zu bytes is too short for the sizes in force",
                        r->row->name, r->len);
    wfi_text_printf(&w->text, " [byte %llu]", (unsigned long long)r->offset);
    end_note(w);
}

static void element_cut(void *ctx, const char *type, int bytes) {
    (void)ctx;
    (void)type;
    (void)bytes;
}

static bool concerns(const struct wf_writer *w, const struct wf_record *r) {
    for (unsigned i = 0; r->row && i < r->row->count; ++i) {
        if (r->row->fields[i].type != WF_TYPE_OBJ) continue;
        const struct wfi_name *name = wfi_object_name(w->s, r->value[i]);
        if (name && strcmp(name->text, w->filter.object) == 0) return true;
    }
    return false;
}

static bool in_time(const struct wf_writer *w, uint64_t tick) {
    double hz = w->s->target.hz ? (double)w->s->target.hz : 1.0;
    double at = (double)tick / hz;
    if (w->filter.has_from && (!w->s->clock.known || at < w->filter.from_s)) return false;
    return !w->filter.has_until || at <= w->filter.until_s;
}

static bool shown(const struct wf_writer *w, const struct wf_record *r) {
    if (!w->filtered) return true;
    if (!w->filter.id[r->id]) return false;
    if (w->filter.has_object && !concerns(w, r)) return false;
    return in_time(w, r->tick);
}

static void record(struct wf_writer *w, const struct wf_record *r) {
    if (!shown(w, r)) return;
    if (!r->row || r->left || r->missing) {
        odd_record(w, r);
        return;
    }
    const struct wfi_name *user = NULL;
    if (r->row == &wf_user_row) user = wfi_dict_get(&w->s->names.users, r->id);
    char number[24];
    const char *name = user ? user->text : r->row->name;
    size_t len = user ? user->len : strlen(name);
    if (r->row == &wf_user_row && !user) {
        len = (size_t)snprintf(number, sizeof number, "user+%u", r->id - w->s->user_first);
        name = number;
    }
    put_time(w, is_timed(w, r), r->tick);
    put_core(w, r->core);
    colour(w, group_colours[r->row->group]);
    put_columns(w, wf_groups[r->row->group].name, name, len);
    if (r->row == &wf_user_row) --w->text.end; // the first element brings its own blank
    colour(w, RESET);
    if (r->row == &wf_user_row) {
        wfi_put_elements(w->s, r, WFI_STYLE_PEOPLE, &w->text, element_cut, w);
    } else {
        wfi_sentence(&w->sentences, w->s, r, &w->text);
    }
    if (r->back) put(w, "  (its time stamp lies before the last one)");
    end_line(w);
}

// An event of a slot trace that is no record, in the words of QNX.
static void event(struct wf_writer *w, const struct wf_slot_event *e) {
    if (w->filtered && (w->filter.no_events || w->filter.has_object || !in_time(w, e->tick))) {
        return;
    }
    if (!w->sat) {
        const char *why;
        struct wf_sat_options options = {.style = WF_SAT_STYLE_7,
                                         .release = w->s->slots.release,
                                         .format = "%-4Z %-16z",
                                         .one_line = true,
                                         .big_endian = w->s->target.big_endian,
                                         .hz = w->s->target.hz};
        w->sat = wf_sat_open(&options, &why);
        if (!w->sat) return;
    }
    put_time(w, true, e->tick);
    put_core(w, e->core);
    size_t room = wf_sat_room(w->sat, e->count);
    if (!wfi_text_room(&w->text, room)) return;
    w->text.end += wf_sat_line(w->sat, e, w->text.end, room);
}

void wfi_people_item(struct wf_writer *w, const struct wf_item *item) {
    if (item->kind == WF_ITEM_RECORD)
        record(w, &item->record);
    else if (item->kind == WF_ITEM_LOSS)
        loss(w, &item->loss);
    else if (item->kind == WF_ITEM_EVENT)
        event(w, item->event);
}
