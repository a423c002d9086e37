// SPDX-License-Identifier: MIT
// Shared by the parts of the printer of kernel-event logs: rows of the table, plans (an event's row
// prepared for printing), the format of a line's beginning, pieces of text.
#ifndef WFI_SAT_H
#define WFI_SAT_H

#include "wallfly_host/wf_sat.h"
#include "util/wfi_strbuf.h"

enum {
    WFI_SAT_CLASSES = 32,
    WFI_SAT_EVENTS = 512, // of a class, without the bit of the 64-bit variant
    WFI_SAT_COLUMN = 26,  // column where the names of arguments with a line of their own end
    WFI_SAT_MESSAGE = 3,  // words of a message, at most
    WFI_SAT_FORM_ITEMS = 64,
    WFI_SAT_WIDTH_MAX = 99,
    WFI_SAT_WORD_MAX = 80, // at most: characters of a word with its name
    WFI_SAT_HEAD_MAX = 192 // at most: characters of the label and of text printed once
};

struct wfi_sat_row {
    uint8_t cls;
    uint16_t event;
    const char *name, *label, *words;
};
struct wfi_sat_call {
    uint8_t number;
    const char *name, *enter, *leave;
};
extern const struct wfi_sat_row wfi_sat_rows[];
extern const struct wfi_sat_call wfi_sat_calls[];
extern const struct wf_sat_state wfi_sat_states[];
extern const unsigned wfi_sat_row_count, wfi_sat_call_count, wfi_sat_state_count;

// Returns whether events of this internal class may have the bit of the 64-bit variant.
bool wfi_sat_varies(unsigned cls);

// ---------------------------------------------------------------------------------------------
// Plans

enum wfi_sat_shape {
    WFI_SAT_ARGS, // label, then arguments
    WFI_SAT_BUFFER,
    WFI_SAT_THREAD,
    WFI_SAT_INT_ENTER,
    WFI_SAT_INT_EXIT,
    WFI_SAT_HANDLER_ENTER,
    WFI_SAT_HANDLER_EXIT,
    WFI_SAT_LEFT,    // the end of a kernel call, which may have failed
    WFI_SAT_RESTART, // of a kernel call: no arguments
    WFI_SAT_USER
};

struct wfi_sat_arg {
    char form; // as in the table; 'd' for none
    bool fast;
    uint8_t inline_len, own_len; // of " name:" and of "\n      name:"
    uint16_t inline_at, own_at;  // offsets into the plans' text
};

// The words of an event.
enum { WFI_SAT_FAST, WFI_SAT_WIDE, WFI_SAT_FAST_64, WFI_SAT_WIDE_64, WFI_SAT_SETS };

struct wfi_sat_plan {
    uint8_t shape;  // enum wfi_sat_shape
    bool raw;       // words without a known meaning
    bool open;      // ends in text
    bool open_fast; // the same, of the fast form
    uint8_t cls_len, event_len, label_len;
    uint16_t cls, event, label; // offsets into the text; label: both as QNX 6.x writes them
    uint16_t arg, args;         // the first and their number
    uint8_t need[WFI_SAT_SETS]; // words needed
};

struct wfi_sat_plans {
    char *text;
    struct wfi_sat_plan *plan;
    struct wfi_sat_arg *arg;
    uint16_t text_len, plan_count, arg_count;
    uint16_t index[WFI_SAT_CLASSES][WFI_SAT_EVENTS]; // into plan, 0: none
};

bool wfi_sat_plans_open(struct wfi_sat_plans *plans, enum wf_sat_release release);
void wfi_sat_plans_close(struct wfi_sat_plans *plans);

// ---------------------------------------------------------------------------------------------
// Formats

struct wfi_sat_item {
    char what; // of c C e t Z z; 0: text
    bool left, zero, sharp;
    bool quick;       // as in the default format: takes the short path
    char sign;        // '+', ' ' or 0
    uint8_t width;    // for text its length
    int8_t precision; // -1: none
    uint8_t last;     // not 0: only the last ones of this many characters are printed
    uint16_t text;    // its offset in the format
};

struct wfi_sat_form {
    struct wfi_sat_item item[WFI_SAT_FORM_ITEMS];
    unsigned count;
    size_t room; // the bytes a beginning can have
    char *text;
};

// The values for the beginning of a line.
struct wfi_sat_head {
    uint64_t tick, number, past; // past: ticks since the first event
    uint64_t hz;
    bool before; // the event is before the first one by `past`
    unsigned core;
    const char *cls, *event; // at most 32 characters, to which they are padded with blanks
    unsigned cls_len, event_len;
};

// Returns WF_OK, WF_ERR_NOMEM or WF_ERR_USAGE.
int wfi_sat_form_open(struct wfi_sat_form *form, const char *format, struct wf_error *error);
char *wfi_sat_form_put(const struct wfi_sat_form *form, const struct wfi_sat_head *head, char *p);

// ---------------------------------------------------------------------------------------------
// Pieces

extern const char wfi_sat_hex2[513]; // "00" "01" ... "ff"

static inline char *wfi_sat_hex8(char *p, uint32_t v) {
    memcpy(p, wfi_sat_hex2 + 2 * (v >> 24), 2);
    memcpy(p + 2, wfi_sat_hex2 + 2 * (v >> 16 & 255), 2);
    memcpy(p + 4, wfi_sat_hex2 + 2 * (v >> 8 & 255), 2);
    memcpy(p + 6, wfi_sat_hex2 + 2 * (v & 255), 2);
    return p + 8;
}

static inline char *wfi_sat_0x8(char *p, uint32_t v) {
    memcpy(p, "0x", 2);
    return wfi_sat_hex8(p + 2, v);
}

char *wfi_sat_hex(char *p, uint64_t v); // only the digits that are needed
char *wfi_sat_blanks(char *p, size_t count);

// ---------------------------------------------------------------------------------------------
// Lines

struct wf_sat {
    struct wf_sat_options options; // format: not used after opening
    struct wfi_sat_plans plans;
    struct wfi_sat_form form; // of style 7
    bool formatted, started;
    uint64_t first, number; // tick of the first event, events so far
};

// The line being printed.
struct wfi_sat_line {
    const struct wf_sat *p;
    const struct wf_slot_event *e;
    const struct wfi_sat_plan *plan; // null: none
    char *to;
    unsigned at;   // words used
    bool own_line; // each argument has its own
};

static inline void wfi_sat_put(struct wfi_sat_line *l, const char *text, size_t len) {
    memcpy(l->to, text, len);
    l->to += len;
}
#define WFI_SAT_PUT(l, text) wfi_sat_put(l, text, sizeof text - 1)

static inline uint32_t wfi_sat_word(const struct wfi_sat_line *l, unsigned i) {
    return i < l->e->count ? l->e->words[i] : 0;
}

// The number of words that an argument has in a set, of `left` words of the event.
unsigned wfi_sat_words(const struct wfi_sat_arg *arg, unsigned set, unsigned left);
// Prints the next words, in a form of the table.
void wfi_sat_value(struct wfi_sat_line *l, char form, unsigned words);
// Prints all arguments of the event's plan, and the words after them.
void wfi_sat_args(struct wfi_sat_line *l);
// Prints the remaining words by number, with the separator before the first.
void wfi_sat_raw(struct wfi_sat_line *l, const char *separator);
// Prints the words of slots that the table does not know; a filling zero is left out.
void wfi_sat_rest(struct wfi_sat_line *l);

#endif
