// SPDX-License-Identifier: MIT
// Sentences of the schema ("{obj} enters {state}"), compiled to lists of pieces that are filled
// with the values of a record.
#ifndef WFI_SENTENCE_H
#define WFI_SENTENCE_H

#include "core/wfi_session.h"
#include "util/wfi_strbuf.h"

enum wfi_style {
    WFI_STYLE_NONE, // no sentences
    WFI_STYLE_WALLFLY,
    WFI_STYLE_QSPY,
    WFI_STYLE_MATLAB // objects and functions as numbers
};

// How the value of a field is printed.
enum wfi_how {
    WFI_HOW_NONE,
    WFI_HOW_TEN,      // time stamp, ten digits
    WFI_HOW_NUMBER,   // unsigned
    WFI_HOW_ZEROS,    // unsigned, zero-filled to digits
    WFI_HOW_SIGNED32, // as a signed 32-bit number
    WFI_HOW_SIGNED64,
    WFI_HOW_HEX,     // zero-filled to digits
    WFI_HOW_POINTER, // hex digits of the current pointer size
    WFI_HOW_OBJECT,
    WFI_HOW_SHARED, // an object printed to QSPY's scratch text, which keeps the first one
    WFI_HOW_FUNCTION,
    WFI_HOW_SIGNAL,
    WFI_HOW_SIGNAL_ANY,
    WFI_HOW_TEXT,
    WFI_HOW_TEXT_MATLAB,
    WFI_HOW_GROUP,
    WFI_HOW_COMMAND,
    WFI_HOW_STATUS,
    WFI_HOW_RESET,
    WFI_HOW_RESET_WORD,
    WFI_HOW_VERSION,
    WFI_HOW_RELEASE,
    WFI_HOW_BUILT,
    WFI_HOW_ITEMS,
    WFI_HOW_TASK,
    WFI_HOW_ACTOR,
    WFI_HOW_REASON,
    WFI_HOW_PRIORITY,
    WFI_HOW_IRQ,
    WFI_HOW_CAPACITY,
    WFI_HOW_ELEMENTS,
    WFI_HOW_LOG, // elements, the first of which is a format
    WFI_HOW_CONSTANT,
    WFI_HOW_LOW,
    WFI_HOW_HIGH,
};

struct wfi_piece {
    const char *text; // in a padded pool
    uint16_t len;
    uint8_t how;   // enum wfi_how
    uint8_t field; // of the value
    uint8_t digits;
};

struct wfi_sentence {
    const struct wfi_piece *pieces; // null: the row has no sentence in this style
    unsigned count;
};

struct wfi_sentences {
    enum wfi_style style;
    struct wfi_sentence of[WFI_ROWS_MAX];
    struct wfi_piece *pieces;
    char *pool;
    uint8_t owner[WFI_ROWS_MAX]; // field index + 1 of the signal's object
};

bool wfi_sentences_open(struct wfi_sentences *all, enum wfi_style style);
void wfi_sentences_close(struct wfi_sentences *all);

// Appends the sentence of a record whose row has one.
void wfi_sentence(const struct wfi_sentences *all, struct wf_session *s, const struct wf_record *r,
                  struct wfi_strbuf *t);
// Appends one value of it, without the literal. with: the object of its signal.
void wfi_sentence_value(const struct wfi_piece *piece, struct wf_session *s,
                        const struct wf_record *r, uint64_t with, struct wfi_strbuf *t);

// Append a name, or a substitute for an unknown name. 0 is NULL, but the functions ..._key look up
// 0 like other keys.
void wfi_put_object(struct wf_session *s, uint64_t obj, struct wfi_strbuf *t);
void wfi_put_function(struct wf_session *s, uint64_t fun, struct wfi_strbuf *t);
void wfi_put_object_key(struct wf_session *s, uint64_t key, struct wfi_strbuf *t);
void wfi_put_function_key(struct wf_session *s, uint64_t key, struct wfi_strbuf *t);
// The name of an interrupt, or its number, or '?'.
void wfi_put_irq(struct wf_session *s, uint64_t irq, struct wfi_strbuf *t);
void wfi_put_signal(struct wf_session *s, uint64_t sig, uint64_t obj, struct wfi_strbuf *t);
void wfi_put_name(const struct wfi_name *name, struct wfi_strbuf *t);

// Appends the constant text at an address of the target, or else the name of the object there.
void wfi_put_constant(struct wf_session *s, uint64_t address, struct wfi_strbuf *t);
// Appends the line of a log record: a format and its arguments.
void wfi_put_log(struct wf_session *s, const struct wf_record *r, struct wfi_strbuf *t);

// Appends the elements of an application record, each after a blank. cut: called for each element
// that is cut, with the type that QSPY names and the number of missing bytes; may be null.
typedef void (*wfi_cut_fn)(void *ctx, const char *type, int bytes);
void wfi_put_elements(struct wf_session *s, const struct wf_record *r, enum wfi_style style,
                      struct wfi_strbuf *t, wfi_cut_fn cut, void *ctx);
static inline bool wfi_is_signed(const struct wf_element *e) { // i8, i16, i32, i64
    return wf_elements[e->code].name[0] == 'i';
}
double wfi_element_float(const struct wf_element *e); // the value of an f32 or f64

#endif
