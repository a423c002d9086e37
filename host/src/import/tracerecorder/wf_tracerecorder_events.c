// SPDX-License-Identifier: MIT
// Order, losses and time of an event. Its counter counts every attempt to store one, on its core:
// what is missing in between was lost. The blocks of a header count, too.

#include <string.h>

#include "wfi_tracerecorder.h"

enum {
    HEAD_BLOCKS = 3, // header, time, table; each entry is one more
    GROUP = 16,      // events whose duration is measured
    MARGIN = 2       // lost events may have come so many times faster
};

static const struct wfi_tr_code *row_of(const struct wfi_tr *t, unsigned code) {
    unsigned row = t->row[code];
    return row ? &t->rows[row - 1] : NULL;
}

// ---- losses

// Returns true if the time since the last event does not suffice for a turn of the counter.
static bool is_exact(const struct wfi_tr *t, uint64_t silence) {
    uint64_t turn = UINT64_C(1) << t->count_bits;
    return t->fastest && silence < t->fastest * (turn / GROUP) / MARGIN;
}

static void measure(struct wfi_tr *t, uint64_t time) {
    if (t->marked++ % GROUP) return;
    uint64_t took = time - t->mark;
    if (t->marked > 1 && (!t->fastest || took < t->fastest)) t->fastest = took ? took : 1;
    t->mark = time;
}

// The first event after a header is the start of tracing. If it is another one, those from the
// blocks of the header on were lost.
static unsigned missing_at_first(const struct wfi_tr *t, const uint8_t *p, unsigned missing) {
    const struct wfi_tr_code *row = row_of(t, wfi_tr_get16(t, p) & 0xFFF);
    unsigned turn = 1u << t->count_bits, number = wfi_tr_get16(t, p + 2);
    const struct wfi_tr_core *c = &t->core[wfi_tr_core_of(t, number)];
    if (t->ring || (row && row->op == WFI_TR_DO_START)) return 0;
    if (!c->counted) missing = (number - 1) & (turn - 1);
    missing = (missing - HEAD_BLOCKS - t->entries_of_head) & (turn - 1);
    return missing < turn / 16 ? missing : 0;
}

static void note_loss(struct wfi_import *im, const uint8_t *p, uint64_t time, unsigned missing) {
    struct wfi_tr *t = im->state;
    bool exact = !t->first && is_exact(t, time - im->tick);
    if (t->first) missing = missing_at_first(t, p, missing);
    t->first = false;
    if (!missing) return;
    t->marked = 0;
    ++t->epoch;
    wfi_import_loss(im, missing, exact, "the recorder's buffer was full");
}

// ---- the effect of an event

static void (*const effects[])(struct wfi_import *, const struct wfi_tr_event *) = {
#define X(op, function) wfi_tr_on_##function,
    WFI_TR_OPS(X)
#undef X
};

static void keep_unknown(struct wfi_import *im, const struct wfi_tr_event *e) {
    static const char digits[] = "0123456789ABCDEF";
    char name[] = "event 0x000";
    for (unsigned i = 0; i < 3; ++i) name[8 + i] = digits[e->code >> (8 - 4 * i) & 15];
    wfi_tr_keep(im, e, name);
}

void wfi_tr_take(struct wfi_import *im, const uint8_t *p, uint64_t time, unsigned missing) {
    struct wfi_tr *t = im->state;
    unsigned id = wfi_tr_get16(t, p), number = wfi_tr_get16(t, p + 2);
    im->core = wfi_tr_core_of(t, number) % WFI_TR_CORES;
    struct wfi_tr_core *c = &t->core[im->core];
    if (t->first || missing) note_loss(im, p, time, missing);
    im->tick = time;
    if (t->table) {
        t->table = false;
        wfi_tr_report_table(im);
    }
    measure(t, time);
    c->counted = true;
    c->count = (uint16_t)(number & ((1u << t->count_bits) - 1));
    const struct wfi_tr_event e = {p + WFI_TR_EVENT, id >> 12, id & 0xFFF, row_of(t, id & 0xFFF)};
    if (wfi_tr_is_known(t, p))
        effects[e.row->op](im, &e);
    else
        keep_unknown(im, &e);
}

// ---- events of their own name

// Shows a word by its sign if it is negative, as an address if it is a handle.
void wfi_tr_keep(struct wfi_import *im, const struct wfi_tr_event *e, const char *name) {
    static const char *const names[WFI_TR_WORDS] = {
        "object", "value",  "value2",  "value3",  "value4",  "value5",  "value6", "value7",
        "value8", "value9", "value10", "value11", "value12", "value13", "value14"};
    const struct wfi_tr *t = im->state;
    struct wfi_import_field fields[WFI_TR_WORDS + 1];
    unsigned n = 0;
    if (e->row && e->row->kind)
        fields[n++] = (struct wfi_import_field){"code", WFI_FIELD_HEX, e->code, NULL, 0};
    for (unsigned i = 0; i < e->n && i < WFI_TR_WORDS; ++i) {
        enum wfi_import_type type = i ? WFI_FIELD_HEX : WFI_FIELD_ADDRESS;
        fields[n++] = (struct wfi_import_field){names[i], type, wfi_tr_word(t, e, i), NULL, 0};
    }
    wfi_import_event(im, name, strlen(name), fields, n);
}

void wfi_tr_on_event(struct wfi_import *im, const struct wfi_tr_event *e) {
    wfi_tr_keep(im, e, e->row->name);
}

// A call that may or may not have begun a wait.
void wfi_tr_on_maybe(struct wfi_import *im, const struct wfi_tr_event *e) {
    if (!im->cores[im->core].irqs) wfi_tr_core(im)->why = WF_REASON_unknown;
    wfi_tr_keep(im, e, e->row->name);
}

void wfi_tr_on_nothing(struct wfi_import *im, const struct wfi_tr_event *e) {
    (void)im;
    (void)e;
}

void wfi_tr_on_tick(struct wfi_import *im, const struct wfi_tr_event *e) {
    struct wfi_tr *t = im->state;
    wfi_tr_clock_tick(&t->clock, (uint32_t)wfi_tr_word(t, e, 0));
}

void wfi_tr_on_name(struct wfi_import *im, const struct wfi_tr_event *e) {
    const struct wfi_tr *t = im->state;
    struct wfi_tr_handle *h = wfi_tr_handle(im, wfi_tr_word(t, e, 0));
    size_t len = (size_t)(e->n - 1) * t->word;
    wfi_tr_set_name(im, h, e->words + t->word, len);
    if (h->irq && h->name) wfi_import_irq_name(im, (uint16_t)(h->irq - 1), h->name, h->name_len);
}
