// SPDX-License-Identifier: MIT
// Our own text. Columns: time, group, record, sentence. A loss has a line of its own with amount,
// cause and place.

#include <string.h>

#include "writers/wfi_writer.h"

__extension__ typedef unsigned __int128 wide;

enum { TIME_WIDTH = 17, GROUP_WIDTH = 5, NAME_WIDTH = 17 };

// Colours, by the subject of a line.
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

static void put_text(struct wf_writer *w, const char *text) { wfi_strbuf_put(&w->text, text); }

static void put_colour(struct wf_writer *w, const char *code) {
    if (w->options.colour && code) put_text(w, code);
}

// Ends a column that began at `from`, with at least one blank.
static void pad_to(struct wf_writer *w, size_t from, size_t width) {
    size_t len = wfi_strbuf_len(&w->text) - from;
    wfi_strbuf_blanks(&w->text, len < width ? width - len : 1);
}

// Number of decimals that distinguish ticks: 7 at 10 MHz.
static unsigned decimals(uint64_t hz) {
    unsigned digits = 0;
    for (uint64_t power = 1; power < hz && digits < 9; power *= 10) ++digits;
    return digits;
}

// Times count from the first time of the trace, and are negative for a late slot before it. Ticks
// are those of the target.
static size_t time_text(const struct wf_writer *w, uint64_t tick, char text[48]) {
    static const uint64_t power[] = {1,      10,      100,      1000,      10000,
                                     100000, 1000000, 10000000, 100000000, 1000000000};
    uint64_t hz = w->s->target.hz;
    enum wf_time_unit unit = w->options.time;
    if (!hz || unit == WF_TIME_TICKS) return (size_t)(wfi_dec(text, tick) - text);
    uint64_t zero = w->scope.zero;
    char *p = text;
    if (tick < zero) *p++ = '-';
    tick = tick < zero ? zero - tick : tick - zero;
    unsigned digits = decimals(hz);
    unsigned shift = unit == WF_TIME_MS ? 3 : unit == WF_TIME_US ? 6 : 0;
    if (digits < shift) digits = shift;
    uint64_t whole = tick / hz;
    uint64_t rest = tick % hz, scale = power[digits];
    uint64_t part =
        hz <= UINT64_MAX / scale ? rest * scale / hz : (uint64_t)((wide)rest * scale / hz);
    whole = whole * power[shift] + part / power[digits - shift];
    part %= power[digits - shift];
    p = wfi_dec(p, whole);
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
    const char *unit = known ? unit_text(w) : "";
    put_colour(w, DIM);
    if (len < TIME_WIDTH - 3) wfi_strbuf_blanks(&w->text, TIME_WIDTH - 3 - len);
    wfi_strbuf_bytes(text, len, &w->text);
    put_text(w, " ");
    put_text(w, unit);
    wfi_strbuf_blanks(&w->text, 3 - strlen(unit));
    put_colour(w, RESET);
}

static void put_columns(struct wf_writer *w, const char *group, const char *name, size_t name_len) {
    size_t from = wfi_strbuf_len(&w->text);
    put_text(w, group);
    pad_to(w, from, GROUP_WIDTH);
    from = wfi_strbuf_len(&w->text);
    wfi_strbuf_bytes(name, name_len, &w->text);
    wfi_strbuf_show(&w->text, from);
    pad_to(w, from, NAME_WIDTH);
}

static void put_core(struct wf_writer *w, unsigned core) {
    if (w->s->target.cores > 1) wfi_strbuf_printf(&w->text, "c%-3u", core);
}

static void begin_note(struct wf_writer *w, const char *tint, bool known, uint64_t tick) {
    put_time(w, known, tick);
    put_colour(w, tint);
    put_text(w, "---- ");
}

// Ends a note whose text begins at `from`, with its place in the input.
static void end_note(struct wf_writer *w, size_t from, uint64_t offset) {
    wfi_strbuf_show(&w->text, from);
    wfi_strbuf_printf(&w->text, " [byte %llu]", (unsigned long long)(w->s->before + offset));
    put_colour(w, RESET);
    put_text(w, "\n");
}

static void put_loss(struct wf_writer *w, const struct wf_loss *l) {
    begin_note(w, l->kind == WF_LOSS_HOLE || l->kind == WF_LOSS_UNSEEN ? RED : YELLOW,
               wfi_loss_timed(w->s, l), l->tick_before);
    size_t from = wfi_strbuf_len(&w->text);
    wfi_put_loss(w->s, l, &w->text);
    end_note(w, from, l->offset);
}

// In slots each record has a time.
static bool is_timed(const struct wf_writer *w, const struct wf_record *r) {
    return r->stamped || w->s->slots.on;
}

static void put_odd_record(struct wf_writer *w, const struct wf_record *r) {
    begin_note(w, RED, is_timed(w, r), r->tick);
    size_t from = wfi_strbuf_len(&w->text);
    wfi_put_odd(r, &w->text);
    end_note(w, from, r->offset);
}

static void put_record(struct wf_writer *w, const struct wf_record *r) {
    if (!wfi_is_whole(r)) {
        put_odd_record(w, r);
        return;
    }
    struct wfi_record_name name;
    wfi_record_name(w->s, r, &name);
    put_time(w, is_timed(w, r), r->tick);
    put_core(w, r->core);
    put_colour(w, group_colours[r->row->group]);
    put_columns(w, wf_groups[r->row->group].name, name.text, name.len);
    put_colour(w, RESET);
    size_t from = wfi_strbuf_len(&w->text);
    wfi_put_words(w, r, &w->text);
    wfi_strbuf_show(&w->text, from);
    if (wfi_strbuf_len(&w->text) == from) --w->text.end; // no elements
    if (r->back) put_text(w, "  (its time stamp lies before the last one)");
    put_text(w, "\n");
}

static void put_event(struct wf_writer *w, const struct wf_slot_event *e) {
    put_time(w, true, e->tick);
    put_core(w, e->core);
    size_t from = wfi_strbuf_len(&w->text);
    wfi_put_event(w, e, "%-4Z %-16z", &w->text);
    wfi_strbuf_show(&w->text, from);
    put_text(w, "\n");
}

static void take_item(struct wf_writer *w, const struct wf_item *item) {
    if (item->kind == WF_ITEM_RECORD)
        put_record(w, &item->record);
    else if (item->kind == WF_ITEM_LOSS)
        put_loss(w, &item->loss);
    else if (item->kind == WF_ITEM_EVENT)
        put_event(w, item->event);
}

const struct wfi_ops wfi_text_ops = {.style = WFI_STYLE_WALLFLY, .item = take_item};
