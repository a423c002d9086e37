// SPDX-License-Identifier: MIT
// User events, state machines, intervals and runnables, counters. A user event is a message: its
// format and arguments are those of printf, an argument is a word.

#include <stdio.h>
#include <string.h>

#include "wfi_tracerecorder.h"

enum { CHANNEL_MAX = 64, FORMAT_MAX = 2 * CHANNEL_MAX + 3 + 8 * WFI_TR_WORDS };

// ---- user events

struct message {
    struct wfi_import_field args[WFI_TR_WORDS];
    char texts[WFI_TR_WORDS][24];
    unsigned count;
};

static void add_arg(struct message *m, enum wfi_import_type type, uint64_t value) {
    m->args[m->count++] = (struct wfi_import_field){NULL, type, value, NULL, 0};
}

// A text is not transported, only its address.
static void add_pointer(struct message *m, uint64_t value) {
    char *text = m->texts[m->count];
    int len = snprintf(text, sizeof m->texts[0], "0x%08llX", (unsigned long long)value);
    m->args[m->count++] = (struct wfi_import_field){NULL, WFI_FIELD_TEXT, 0, text, (size_t)len};
}

static uint64_t cut(uint64_t value, unsigned bits) {
    return bits < 64 ? value & ((UINT64_C(1) << bits) - 1) : value;
}

// Adds the argument of a conversion. wide: it has the length of a 64-bit type.
static void add_converted(struct message *m, char conversion, bool wide, uint64_t word) {
    unsigned bits = wide ? 64 : 32;
    switch (conversion) {
    case 'd':
    case 'i':
        word = wide ? word : (uint64_t)(int64_t)(int32_t)(uint32_t)word;
        add_arg(m, WFI_FIELD_SIGNED, word);
        break;
    case 'u':
    case 'x':
    case 'X':
    case 'o': add_arg(m, WFI_FIELD_UNSIGNED, cut(word, bits)); break;
    case 'c': add_arg(m, WFI_FIELD_UNSIGNED, cut(word, 8)); break;
    case 's': add_pointer(m, word); break;
    default: add_arg(m, WFI_FIELD_HEX, word);
    }
}

struct args {
    const struct wfi_tr *t;
    const struct wfi_tr_event *e;
    unsigned next, end; // words
};

// Reads a conversion after its '%'. Returns its end.
static const char *add_conversion(struct message *m, struct args *a, const char *p,
                                  const char *end) {
    bool wide = false;
    if (p < end && *p == '%') return p + 1;
    for (; p < end && memchr("-+ #0123456789.*hljztLq", *p, 23); ++p) {
        wide |= memchr("ljztLq", *p, 6) != NULL;
        if (*p == '*' && a->next < a->end)
            add_converted(m, 'd', false, wfi_tr_word(a->t, a->e, a->next++));
    }
    if (p == end) return p;
    if (a->next < a->end) {
        uint64_t word = wfi_tr_word(a->t, a->e, a->next++);
        // With words of 4 bytes long arguments are cut.
        bool is_signed = *p == 'd' || *p == 'i';
        if (a->t->word == 4 && is_signed) word = (uint64_t)(int64_t)(int32_t)(uint32_t)word;
        add_converted(m, *p, wide || a->t->word == 4, word);
    }
    return p + 1;
}

static void add_args(struct message *m, struct args *a, const char *text, size_t len) {
    for (const char *p = text, *end = text + len; p < end;)
        p = *p == '%' ? add_conversion(m, a, p + 1, end) : p + 1;
    while (a->next < a->end) add_arg(m, WFI_FIELD_UNSIGNED, wfi_tr_word(a->t, a->e, a->next++));
}

// Puts the channel before the format. Returns its length.
static size_t put_channel(char *format, const struct wfi_tr_handle *channel) {
    size_t n = 0;
    if (!channel->name) return 0;
    for (unsigned i = 0; i < channel->name_len && i < CHANNEL_MAX; ++i) {
        if (channel->name[i] == '%') format[n++] = '%';
        format[n++] = channel->name[i];
    }
    format[n++] = ':';
    format[n++] = ' ';
    return n;
}

void wfi_tr_on_user(struct wfi_import *im, const struct wfi_tr_event *e) {
    const struct wfi_tr *t = im->state;
    const struct wfi_tr_handle *channel = wfi_tr_handle(im, wfi_tr_word(t, e, 0));
    unsigned first = 1 + e->row->kind; // word of the text
    size_t len = (size_t)(e->n - first) * t->word;
    const char *text = (const char *)e->words + (size_t)first * t->word;
    const char *zero = len ? memchr(text, 0, len) : NULL;
    char format[FORMAT_MAX];
    struct message m;
    struct args a = {t, e, 1, first};
    if (zero) len = (size_t)(zero - text);
    m.count = 0;
    add_args(&m, &a, text, len);
    size_t at = put_channel(format, channel);
    memcpy(format + at, text, len);
    wfi_import_log(im, format, at + len, m.args, m.count);
}

// Channel and format are addresses of texts in the program.
void wfi_tr_on_compact(struct wfi_import *im, const struct wfi_tr_event *e) {
    static const char *const names[WFI_TR_WORDS] = {"channel", "format", "arg1",  "arg2",  "arg3",
                                                    "arg4",    "arg5",   "arg6",  "arg7",  "arg8",
                                                    "arg9",    "arg10",  "arg11", "arg12", "arg13"};
    struct wfi_import_field fields[WFI_TR_WORDS];
    for (unsigned i = 0; i < e->n; ++i) {
        enum wfi_import_type type = i < 2 ? WFI_FIELD_ADDRESS : WFI_FIELD_UNSIGNED;
        uint64_t word = wfi_tr_word(im->state, e, i);
        fields[i] = (struct wfi_import_field){names[i], type, word, NULL, 0};
    }
    wfi_import_event(im, "user event", 10, fields, e->n);
}

// ---- state machines

void wfi_tr_on_state_create(struct wfi_import *im, const struct wfi_tr_event *e) {
    struct wfi_tr_handle *h = wfi_tr_handle(im, wfi_tr_word(im->state, e, 0));
    char room[24];
    size_t len;
    const char *name = wfi_tr_name_of(h, room, &len);
    h->is_state = true;
    wfi_import_state_name(im, h->key, name, len);
}

void wfi_tr_on_state(struct wfi_import *im, const struct wfi_tr_event *e) {
    const struct wfi_tr *t = im->state;
    struct wfi_tr_handle *h = wfi_tr_handle(im, wfi_tr_word(t, e, 1));
    if (!h->is_state)
        wfi_tr_on_state_create(im, &(struct wfi_tr_event){e->words + t->word, 1, 0, NULL});
    WFI_IMPORT(im, init_tran, wfi_tr_word(t, e, 0), h->key);
}

// ---- intervals, runnables: begin and end of the same channel, or of a runnable

static void take_span(struct wfi_import *im, const struct wfi_tr_event *e, enum wfi_row row) {
    struct wfi_tr_handle *h = wfi_tr_handle(im, wfi_tr_word(im->state, e, 0));
    wfi_import_record(im, row, (const uint64_t[]){wfi_tr_text_of(im, h)});
}

void wfi_tr_on_span_begin(struct wfi_import *im, const struct wfi_tr_event *e) {
    take_span(im, e, WFI_ROW_span_begin);
}

void wfi_tr_on_span_end(struct wfi_import *im, const struct wfi_tr_event *e) {
    take_span(im, e, WFI_ROW_span_end);
}

// ---- counters

static struct wfi_import_field number(const char *name, int64_t value) {
    return (struct wfi_import_field){name, WFI_FIELD_SIGNED, (uint64_t)value, NULL, 0};
}

// An event of a counter, with its limits.
static void keep_counter(struct wfi_import *im, const struct wfi_tr_handle *h, const char *event,
                         const int64_t *value) {
    char room[24];
    struct wfi_import_field fields[4];
    unsigned n = 1;
    fields[0] = (struct wfi_import_field){"counter", WFI_FIELD_TEXT, 0, NULL, 0};
    fields[0].text = wfi_tr_name_of(h, room, &fields[0].len);
    if (value) fields[n++] = number("value", *value);
    if (h->has_limits) {
        fields[n++] = number("low", h->low);
        fields[n++] = number("high", h->high);
    }
    wfi_import_event(im, event, strlen(event), fields, n);
}

void wfi_tr_on_counter_create(struct wfi_import *im, const struct wfi_tr_event *e) {
    const struct wfi_tr *t = im->state;
    struct wfi_tr_handle *h = wfi_tr_handle(im, wfi_tr_word(t, e, 0));
    const int64_t value = wfi_tr_signed(t, wfi_tr_word(t, e, 1));
    h->has_limits = e->n > 3;
    h->low = wfi_tr_signed(t, wfi_tr_word(t, e, 2));
    h->high = wfi_tr_signed(t, wfi_tr_word(t, e, 3));
    keep_counter(im, h, e->row->name, &value);
}

void wfi_tr_on_counter(struct wfi_import *im, const struct wfi_tr_event *e) {
    const struct wfi_tr *t = im->state;
    struct wfi_tr_handle *h = wfi_tr_handle(im, wfi_tr_word(t, e, 0));
    int64_t value = wfi_tr_signed(t, wfi_tr_word(t, e, 1));
    if (value >= INT32_MIN && value <= INT32_MAX)
        WFI_IMPORT(im, counter, wfi_tr_text_of(im, h), (uint64_t)value);
    else
        keep_counter(im, h, "counter", &value);
}

void wfi_tr_on_counter_limit(struct wfi_import *im, const struct wfi_tr_event *e) {
    const struct wfi_tr_handle *h = wfi_tr_handle(im, wfi_tr_word(im->state, e, 0));
    keep_counter(im, h, "counter limit exceeded", NULL);
}
