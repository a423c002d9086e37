// SPDX-License-Identifier: MIT
// Shared by the files of the CTF writer (docs/ctf.md): layouts, classes, labels, streams, metadata.
#ifndef WFI_CTF_H
#define WFI_CTF_H

#include "util/wfi_index.h"
#include "writers/wfi_writer.h"

// ---- layouts (wf_ctf_layout.c): the order and shape of an event's fields. Both the bytes and
// their declaration are made from the layout.

// S(shape, bytes, declaration): %s is the field's name. Bytes 0: the length is in the data.
#define WFI_CTF_SHAPES(S)                                                                          \
    S(NONE, 0, "")                                                                                 \
    S(U8, 1, "u8 _%s;")                                                                            \
    S(U16, 2, "u16 _%s;")                                                                          \
    S(U32, 4, "u32 _%s;")                                                                          \
    S(U64, 8, "u64 _%s;")                                                                          \
    S(X8, 1, "x8 _%s;")                                                                            \
    S(X16, 2, "x16 _%s;")                                                                          \
    S(X32, 4, "x32 _%s;")                                                                          \
    S(X64, 8, "x64 _%s;")                                                                          \
    S(S16, 2, "s16 _%s;")                                                                          \
    S(S32, 4, "s32 _%s;")                                                                          \
    S(REASON, 1, "reason _%s;")                                                                    \
    S(COMMAND, 1, "command _%s;")                                                                  \
    S(STATUS, 1, "status _%s;")                                                                    \
    S(LOSS, 1, "loss _%s;")                                                                        \
    S(YES_NO, 1, "yes_no _%s;")                                                                    \
    S(OBJECT, 8, "object _%s;")                                                                    \
    S(TASK, 8, "task _%s;")                                                                        \
    S(ACTOR, 8, "actor _%s;")                                                                      \
    S(TEXT, 8, "text _%s;")                                                                        \
    S(FUNCTION, 8, "function _%s;")                                                                \
    S(IRQ, 2, "irq _%s;")                                                                          \
    S(SIGNAL, 8, "u32 _%s; signal _%s_name;")                                                      \
    S(BUILT, 6, "u8 _%s[6];")                                                                      \
    S(STRING, 0, "string { encoding = UTF8; } _%s;")                                               \
    S(BYTES, 0, "u32 _%s_length; x8 _%s[_%s_length];")                                             \
    S(WORDS, 0, "u32 _%s_length; x32 _%s[_%s_length];")

enum wfi_ctf_shape {
#define WF_X(shape, bytes, declaration) WFI_CTF_##shape,
    WFI_CTF_SHAPES(WF_X)
#undef WF_X
        WFI_CTF_SHAPES_END
};
extern const uint8_t wfi_ctf_bytes[WFI_CTF_SHAPES_END];
extern const char *const wfi_ctf_declarations[WFI_CTF_SHAPES_END];

enum { WFI_CTF_FIELDS_MAX = WF_FIELDS_MAX + 1 };

struct wfi_ctf_field {
    const char *name;
    uint8_t shape;
    uint8_t value; // index of the event's value
};

struct wfi_ctf_layout {
    struct wfi_ctf_field field[WFI_CTF_FIELDS_MAX];
    unsigned count;
    unsigned bytes; // most bytes of an event, without the contents of STRING, BYTES and WORDS
    uint8_t owner;  // index + 1 of the value with the object of a SIGNAL; 0: any object
};

// The layout of a row: its fields without the stamp, which is the event's time, and without the
// fields that distinguish rows of the same number.
void wfi_ctf_layout_row(struct wfi_ctf_layout *l, const struct wf_row *row);

// Events that are not records of a row.
enum wfi_ctf_own {
    WFI_CTF_USER, // application records
    WFI_CTF_SLOT, // events of slot traces that are no records
    WFI_CTF_LOST,
    WFI_CTF_CLOCK,
    WFI_CTF_INCONSISTENT, // records that do not fit a row
    WFI_CTF_OWN_END
};
void wfi_ctf_layout_own(struct wfi_ctf_layout *l, enum wfi_ctf_own own);

// The values of an event. At most one STRING, and one of BYTES and WORDS.
struct wfi_ctf_values {
    const uint64_t *value;
    const char *text;
    size_t text_len;
    const uint8_t *bytes;
    const uint32_t *words;
    size_t count; // of bytes or words
};

// ---- labels (wf_ctf_labels.c): the names of values when an event had them

enum wfi_ctf_space {
    WFI_CTF_OBJECTS,
    WFI_CTF_TASKS,
    WFI_CTF_ACTORS,
    WFI_CTF_TEXTS,
    WFI_CTF_FUNCTIONS,
    WFI_CTF_IRQS,
    WFI_CTF_SIGNALS, // the value is the number from wfi_ctf_label
    WFI_CTF_SPACES
};

enum { WFI_CTF_CACHE = 256 };
#define WFI_CTF_NAMELESS UINT32_MAX // as the length of the text of a label without a name

struct wfi_ctf_label {
    uint64_t key, with; // with: the object of a signal
    uint32_t text, len; // in the pool
};

struct wfi_ctf_labels {
    char *pool;
    size_t pool_len, pool_cap, total; // total: labels of all spaces
    bool left_out;                    // there were too many
    bool failed;                      // out of memory
    struct wfi_ctf_labels_of {
        struct wfi_ctf_label *list;
        size_t count, cap;
        struct wfi_index index;        // by key and text: index + 1
        uint32_t cache[WFI_CTF_CACHE]; // index + 1 of the label used last
    } of[WFI_CTF_SPACES];
};

void wfi_ctf_labels_close(struct wfi_ctf_labels *l);
// Keeps the current name of a key. Returns the number of the pair, from 1; 0: it is not kept.
uint32_t wfi_ctf_label(struct wfi_ctf_labels *l, struct wf_session *s, enum wfi_ctf_space space,
                       uint64_t key, uint64_t with);
// Names labels whose key had no name when it was used, and has one now. Of two labels of a key with
// the same name only one gets it. Labels without a name are not written.
void wfi_ctf_labels_end(struct wfi_ctf_labels *l, struct wf_session *s);

// ---- classes (wf_ctf_classes.c): each has two numbers in the trace, an even one, and an odd one
// for events with a tick of their own

enum { WFI_CTF_NAMES_MAX = 32000 }; // classes with names; with those of rows they fit 16 bits

struct wfi_ctf_class {
    struct wfi_ctf_layout layout;
    char *name;
    size_t name_len;
    const uint32_t *first; // its number's entry in of_number or of_own
    bool used, ticking;    // there are events without, and with a tick of their own
};

struct wfi_ctf_classes {
    struct wfi_ctf_class *list;
    size_t count, cap;
    uint32_t of_row[WFI_ROWS_MAX], of_own[WFI_CTF_OWN_END]; // index + 1
    uint32_t *of_number;    // users and slots: the last one of a number
    struct wfi_index index; // by index in of_number or of_own, and name: index + 1
};

void wfi_ctf_classes_close(struct wfi_ctf_classes *all);
// Returns the class of a row; null when out of memory.
struct wfi_ctf_class *wfi_ctf_class_row(struct wfi_ctf_classes *all, const struct wf_row *row);
// Returns the class of an event of slots by its number; null: there was no such event yet.
struct wfi_ctf_class *wfi_ctf_class_slot(struct wfi_ctf_classes *all, unsigned number);
// Returns the class of a name; null when out of memory.
//   number  slot: its class << 10 | event; application record: class RECORD and id; others: 0
struct wfi_ctf_class *wfi_ctf_class_own(struct wfi_ctf_classes *all, enum wfi_ctf_own own,
                                        unsigned number, const char *name, size_t name_len);

// ---- streams (wf_ctf_stream.c): packets, one stream a core, and the clock

enum { WFI_CTF_EARLY = 4096 };

struct wfi_ctf_stream {
    struct wfi_strbuf text; // the packet
    uint64_t begin, last;   // first time of the packet; latest time of the stream
    uint64_t packets, discarded;
    bool open;       // there is a packet in text
    bool timed;      // an event with known time was put
    bool hole;       // the packet reports a loss, and lasts up to the next event
    uint32_t *early; // positions of the events that wait for the first time
    unsigned early_count;
};

// Converts ticks of the target to the clock of the trace, which has one rate.
struct wfi_ctf_clock {
    uint64_t hz;       // the first known one; 0: none
    uint64_t now_hz;   // the target's present rate
    uint64_t from, at; // a tick of the target, and the time of the trace then
    uint64_t latest;   // latest time of all streams
};

struct wfi_ctf {
    struct wfi_ctf_labels labels;
    struct wfi_ctf_classes classes;
    struct wfi_ctf_stream stream[WF_SLOT_CORES];
    struct wfi_ctf_clock clock;
    uint64_t hash[2]; // of all bytes of the streams
    bool used[WF_SLOT_CORES];
};

static inline struct wfi_ctf *wfi_ctf(const struct wf_writer *w) { return w->own; }

// The latest time. Readers fail near the end of signed 64 bits.
#define WFI_CTF_TIME_MAX (INT64_MAX / 2)
uint64_t wfi_ctf_time(const struct wfi_ctf_clock *k, uint64_t tick);
// Adds an event to the stream of a core. If its tick is not known, it gets the time of the event
// before it, or if it is the first, of the event after it.
void wfi_ctf_put(struct wf_writer *w, unsigned core, struct wfi_ctf_class *class, bool known,
                 uint64_t tick, const struct wfi_ctf_values *v);
// Counts events that are missing on the core. The event that reports the loss must follow.
void wfi_ctf_discard(struct wf_writer *w, unsigned core, uint64_t events);
void wfi_ctf_streams_end(struct wf_writer *w);
void wfi_ctf_streams_close(struct wfi_ctf *c);

// ---- metadata (wf_ctf_metadata.c)
void wfi_ctf_metadata(struct wf_writer *w);

#endif
