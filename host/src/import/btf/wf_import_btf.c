// SPDX-License-Identifier: MIT
// The Best Trace Format, versions 1.0 to 2.2, as text:
//
//   time,source,source instance,type,target,target instance,event[,note]
//
// with lines of parameters and comments that begin with #. Source: the published specification
// (2.1.5). Types and names may be numbers, for which the header has tables.

#include <stdlib.h>

#include "wfi_btf.h"

enum { SNIFF_MAX = 65536 }; // of lines of the header

static const char *const lacks[] = {"fill levels of queues, counts of semaphores",
                                    "holders of mutexes", NULL};

// ---- a line

// Takes a column. Blanks around it do not belong to it.
static struct wfi_part take_column(struct wfi_part *rest) {
    return wfi_part_trim(wfi_part_cut(rest, ','));
}

// An empty instance, or one of another form, is 0.
static uint64_t read_instance(struct wfi_part p) {
    int64_t v;
    return wfi_part_signed(p, &v) ? (uint64_t)v : 0;
}

static bool read_line(struct wfi_part text, struct wfi_btf_line *l) {
    unsigned commas = 0;
    for (size_t i = 0; i < text.len; ++i) commas += text.at[i] == ',';
    if (commas < 6) return false;
    if (!wfi_part_number(take_column(&text), &l->tick)) return false;
    l->source = take_column(&text);
    l->source_instance = read_instance(take_column(&text));
    l->type = take_column(&text);
    l->target = take_column(&text);
    l->instance = read_instance(take_column(&text));
    l->event = take_column(&text);
    l->note = wfi_part_trim(text);
    return l->type.len && l->target.len && l->event.len;
}

// ---- detection

static bool is_type(struct wfi_part p) {
    static const char *const types[] = {"T",   "I",   "R",     "IB",   "STI", "ECU",   "Processor",
                                        "C",   "M",   "SCHED", "SIG",  "SEM", "EVENT", "SIM",
                                        "SYS", "ISR", "OS",    "Proc", "P"};
    uint64_t number;
    for (unsigned i = 0; i < sizeof types / sizeof *types; ++i) {
        if (wfi_part_is(p, types[i])) return true;
    }
    (void)wfi_part_skip(&p, "-");
    return wfi_part_number(p, &number);
}

// The first line that is no parameter decides.
static enum wfi_sniff sniff_btf(const uint8_t *bytes, size_t len, bool whole) {
    struct wfi_part rest = {(const char *)bytes, len};
    struct wfi_btf_line l;
    bool header = false;
    if (!wfi_import_is_text(bytes, len)) return WFI_SNIFF_NO;
    while (rest.len) {
        bool ends = whole || memchr(rest.at, '\n', rest.len);
        struct wfi_part line = wfi_part_cut(&rest, '\n');
        if (line.len && line.at[line.len - 1] == '\r') --line.len;
        line = wfi_part_trim(line);
        bool parameter = line.len && line.at[0] == '#';
        header |= wfi_part_skip(&line, "#version ");
        if (!line.len || parameter) continue;
        if (ends) return read_line(line, &l) && is_type(l.type) ? WFI_SNIFF_YES : WFI_SNIFF_NO;
        if (!wfi_is_digit(line.at[0])) return WFI_SNIFF_NO;
    }
    if (whole) return header ? WFI_SNIFF_YES : WFI_SNIFF_NO; // a trace without events
    return len < SNIFF_MAX ? WFI_SNIFF_PERHAPS : WFI_SNIFF_NO;
}

// ---- the header

static uint64_t ticks_per_second(struct wfi_part unit) {
    if (wfi_part_is(unit, "ps")) return UINT64_C(1000000000000);
    if (wfi_part_is(unit, "us")) return 1000000;
    if (wfi_part_is(unit, "ms")) return 1000;
    return wfi_part_is(unit, "s") ? 1 : 1000000000;
}

// "-3 Name" in a table; of a type only the first word.
static void take_entry(struct wfi_import *im, struct wfi_part line) {
    struct wfi_btf *b = wfi_btf_of(im);
    uint64_t number;
    struct wfi_part first = wfi_part_cut(&line, ' ');
    line = wfi_part_trim(line);
    if (b->table == WFI_BTF_TYPES) line = wfi_part_cut(&line, ' ');
    if (b->table && line.len && wfi_part_number(first, &number))
        wfi_btf_add_number(im, b->table, number, line);
}

static void take_parameter(struct wfi_import *im, struct wfi_part line) {
    struct wfi_btf *b = wfi_btf_of(im);
    if (wfi_part_skip(&line, "-")) {
        take_entry(im, line);
        return;
    }
    if (!line.len || line.at[0] == ' ' || line.at[0] == '\t') return; // a comment
    struct wfi_part word = wfi_part_cut(&line, ' ');
    line = wfi_part_trim(line);
    bool yes = wfi_part_is(line, "true");
    b->table = WFI_BTF_NO_TABLE;
    if (wfi_part_is(word, "timeScale") || wfi_part_is(word, "timescale"))
        b->hz = ticks_per_second(line);
    else if (wfi_part_is(word, "typeTable"))
        b->table = WFI_BTF_TYPES;
    else if (wfi_part_is(word, "entityTable"))
        b->table = WFI_BTF_NAMES;
    else if (wfi_part_is(word, "ringOverflow"))
        b->overwritten |= yes;
    else if (wfi_part_is(word, "truncated") || wfi_part_is(word, "taskTableOverflow"))
        b->truncated |= yes;
}

// What the header says of losses has no place in the trace.
static void report_losses(struct wfi_import *im) {
    struct wfi_btf *b = wfi_btf_of(im);
    if (b->overwritten) wfi_import_beginning(im, 0);
    if (b->truncated) wfi_import_loss(im, 0, false, "the recorder had no room for all events");
    b->overwritten = b->truncated = false;
}

// ---- events

static void take_event(struct wfi_import *im, struct wfi_btf_line *l) {
    struct wfi_btf *b = wfi_btf_of(im);
    uint64_t offset = im->offset;
    wfi_btf_settle(im, l->tick, false);
    im->offset = offset;
    im->tick = l->tick;
    l->type = wfi_btf_resolve(b, WFI_BTF_TYPES, l->type);
    l->source = wfi_btf_resolve(b, WFI_BTF_NAMES, l->source);
    l->target = wfi_btf_resolve(b, WFI_BTF_NAMES, l->target);
    bool done = false;
    if (wfi_part_is(l->type, "T"))
        done = wfi_btf_task(im, l);
    else if (wfi_part_is(l->type, "I") || wfi_part_is(l->type, "ISR"))
        done = wfi_btf_isr(im, l);
    if (!done) wfi_btf_event(im, l);
}

static void take_line(struct wfi_import *im, struct wfi_part line) {
    struct wfi_btf *b = wfi_btf_of(im);
    struct wfi_btf_line l;
    struct wfi_part text = wfi_part_trim(line);
    if (!text.len) return;
    if (wfi_part_skip(&text, "#")) {
        take_parameter(im, text);
        if (b->begun) report_losses(im);
        return;
    }
    if (!read_line(text, &l)) {
        wfi_import_damage(im, im->offset, line.len, "a line that is no event");
        memset(b->left, 0, sizeof b->left);
        return;
    }
    if (!b->begun) {
        wfi_import_target(im, b->hz ? b->hz : 1000000000, 4, 0);
        im->tick = l.tick;
        report_losses(im);
        b->begun = true;
    }
    take_event(im, &l);
}

static size_t decode_btf(struct wfi_import *im, const uint8_t *bytes, size_t len, bool last) {
    size_t used = wfi_lines_decode(im, &wfi_btf_of(im)->lines, bytes, len, last, take_line);
    if (last && used == len) wfi_btf_settle(im, 0, true);
    return used;
}

static void close_btf(struct wfi_import *im) { wfi_btf_close(wfi_btf_of(im)); }

const struct wfi_import_format wfi_import_btf = {
    .name = "Best Trace Format",
    .sniff = sniff_btf,
    .size = sizeof(struct wfi_btf),
    .decode = decode_btf,
    .close = close_btf,
    .lacks = lacks,
};
