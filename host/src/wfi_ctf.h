// SPDX-License-Identifier: MIT
// The inside of the writer of CTF 1.8 (docs/ctf.md), shared by its files: layouts of events, event
// classes, labels, streams, metadata.
#ifndef WFI_CTF_H
#define WFI_CTF_H

#include "wfi_index.h"
#include "wfi_writer.h"

// ---- layouts (wf_ctf_layout.c): how the fields of an event lie. The bytes and their declaration
// are both made of them.

// S(shape, bytes, declaration): %s stands for the field's name. Bytes 0: in the data.
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
    uint8_t value; // which of the event's
};

struct wfi_ctf_layout {
    struct wfi_ctf_field field[WFI_CTF_FIELDS_MAX];
    unsigned count;
    unsigned bytes; // at most, without what STRING, BYTES and WORDS hold
    uint8_t owner;  // the value that is the object of a SIGNAL, + 1; 0: any
};

// A row's: its fields but the stamp, which is the event's time, and what tells rows apart that
// share a number.
void wfi_ctf_layout_row(struct wfi_ctf_layout *l, const struct wf_row *row);

// Events that are no records of a row.
enum wfi_ctf_own {
    WFI_CTF_USER, // application records
    WFI_CTF_SLOT, // events of slot traces that are no records
    WFI_CTF_LOST,
    WFI_CTF_CLOCK,
    WFI_CTF_ODD, // records that have no other way
    WFI_CTF_OWN_END
};
void wfi_ctf_layout_own(struct wfi_ctf_layout *l, enum wfi_ctf_own own);

// What goes into an event. At most one STRING, and one of BYTES and WORDS.
struct wfi_ctf_values {
    const uint64_t *value;
    const char *text;
    size_t text_len;
    const uint8_t *bytes;
    const uint32_t *words;
    size_t count; // of bytes or words
};

// ---- labels (wf_ctf_labels.c): what values were called when an event had them

enum wfi_ctf_space {
    WFI_CTF_OBJECTS,
    WFI_CTF_TASKS,
    WFI_CTF_ACTORS,
    WFI_CTF_TEXTS,
    WFI_CTF_FUNCTIONS,
    WFI_CTF_IRQS,
    WFI_CTF_SIGNALS, // not by value: by the number that wfi_ctf_label gives
    WFI_CTF_SPACES
};

enum { WFI_CTF_CACHE = 256 };
#define WFI_CTF_NAMELESS UINT32_MAX // as the length of a label's text

struct wfi_ctf_label {
    uint64_t key, with; // with: of a signal the object
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
// Notes what the key is called now. The number of key and label together, from 1; 0: none is kept.
uint32_t wfi_ctf_label(struct wfi_ctf_labels *l, struct wf_session *s, enum wfi_ctf_space space,
                       uint64_t key, uint64_t with);
// Those that had no name when they were used get the one they have now, if any.
void wfi_ctf_labels_end(struct wfi_ctf_labels *l, struct wf_session *s);
// Is it worth writing? Of two of a key that have the same name in the end one is.
bool wfi_ctf_label_counts(const struct wfi_ctf_labels *l, enum wfi_ctf_space space, uint32_t index);

// ---- classes (wf_ctf_classes.c): each has two numbers in the trace, the even one for the usual
// case, the odd one for events that have a tick of their own

enum { WFI_CTF_NAMES_MAX = 32000 }; // classes; those of rows still fit into 16 bits then

struct wfi_ctf_class {
    struct wfi_ctf_layout layout;
    char *name;
    size_t name_len;
    const uint32_t *first; // of its number
    bool used, ticking;    // is there an event of it; one with its own tick
};

struct wfi_ctf_classes {
    struct wfi_ctf_class *list;
    uint32_t count, cap;
    uint32_t of_row[WFI_ROWS_MAX], of_own[WFI_CTF_OWN_END]; // index + 1
    uint32_t *of_number;                                    // of users and slots: the last one
    struct wfi_index index; // by the place in of_number or of_own, and name: index + 1
};

void wfi_ctf_classes_close(struct wfi_ctf_classes *all);
// Null when out of memory.
struct wfi_ctf_class *wfi_ctf_class_row(struct wfi_ctf_classes *all, const struct wf_row *row);
// Of a slot event, if there has been one of its number; or null.
struct wfi_ctf_class *wfi_ctf_class_slot(struct wfi_ctf_classes *all, unsigned number);
// number: class << 10 and event of a slot, of which application records have class RECORD; 0 for
// what has none.
struct wfi_ctf_class *wfi_ctf_class_own(struct wfi_ctf_classes *all, enum wfi_ctf_own own,
                                        unsigned number, const char *name, size_t name_len);

// ---- streams (wf_ctf_stream.c): packets, one stream a core, and the clock

enum { WFI_CTF_EARLY = 4096 };

struct wfi_ctf_stream {
    struct wfi_text text; // the packet
    uint64_t begin, last; // its first time; the stream's latest
    uint64_t packets, discarded;
    bool open;       // there is a packet in text
    bool timed;      // there was an event whose time is known
    bool hole;       // the packet tells of a loss, and lasts up to the next event
    uint32_t *early; // where events lie that wait for the first time
    unsigned early_count;
};

// Ticks of the target as ticks of the trace's clock, which has one rate and never goes back.
struct wfi_ctf_clock {
    uint64_t hz;       // the first that was known; 0: none
    uint64_t now_hz;   // the target's now
    uint64_t from, at; // the target's tick, and the trace's then
    uint64_t latest;   // of all streams
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

// The latest time: half of what signed 64 bits hold, as readers fail on the last ones.
#define WFI_CTF_TIME_MAX (INT64_MAX / 2)
// The trace's time of a tick, at one rate.
uint64_t wfi_ctf_time(const struct wfi_ctf_clock *k, uint64_t tick);
// An event of core. known: at that tick, of the target; else at the time of the one before, or the
// first one behind.
void wfi_ctf_put(struct wf_writer *w, unsigned core, struct wfi_ctf_class *class, bool known,
                 uint64_t tick, const struct wfi_ctf_values *v);
// So many events are missing on that core, here; the event that tells of it comes next.
void wfi_ctf_discard(struct wf_writer *w, unsigned core, uint64_t events);
void wfi_ctf_streams_end(struct wf_writer *w);
void wfi_ctf_streams_close(struct wfi_ctf *c);

// ---- metadata (wf_ctf_metadata.c)
void wfi_ctf_metadata(struct wf_writer *w);

void wfi_ctf_hash(uint64_t hash[2], const char *bytes, size_t len);

#endif
