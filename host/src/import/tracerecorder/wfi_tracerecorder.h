// SPDX-License-Identifier: MIT
// Recordings of Percepio TraceRecorder (4.6 and later): a header with a table of entries, and
// events of a code, a counter, a stamp and 0 to 15 words of 4 or 8 bytes. The header is that of a
// stream, or of a ring in an image of memory.
//
//   stream   finds the header, decodes events, finds its place again after damage
//   ring     the ring buffer in an image
//   head     header, table of entries
//   codes    the meaning of the event codes of each platform
//   clock    time of stamps
//   handles  what is known of each handle: name, kind, priority
//   events   order, losses and time of an event, and its effect: tasks, objects, notes
#ifndef WFI_TRACERECORDER_H
#define WFI_TRACERECORDER_H

#include "core/wfi_import.h"
#include "util/wfi_index.h"

enum {
    WFI_TR_EVENT = 8,       // bytes of an event before its words
    WFI_TR_WORDS = 15,      // most words of an event
    WFI_TR_CODES = 4096,    // number of event codes
    WFI_TR_CORES = 16,      // most cores that events can name
    WFI_TR_HANDLES = 65536, // handles that are known; more of them have no names
    WFI_TR_PAGE = 1024,     // handles in a piece of the table
    WFI_TR_CACHE = 256,     // handles that are found at once
    WFI_TR_STATES = 64,     // most states of an entry
    WFI_TR_SYMBOL = 4096,   // longest name of an entry
    WFI_TR_HEAD_4 = 72,     // bytes of the header, up to the first entry, with 4-byte words
    WFI_TR_HEAD_8 = 88      // with 8-byte words
};

enum wfi_tr_platform {
    WFI_TR_FREERTOS = 0x1AA1,
    WFI_TR_ZEPHYR = 0x9AA9,
    WFI_TR_THREADX = 0xEAAE,
    WFI_TR_BARE = 0x1FF1
};

// Options of entries.
enum { WFI_TR_IS_COUNTER = 0x04000000, WFI_TR_IS_STATE = 0x10000000, WFI_TR_IS_HEAP_SHIFT = 31 };

// ---- event codes

// What an event does: O(name, function).
#define WFI_TR_OPS(O)                                                                              \
    O(EVENT, event)                                                                                \
    O(MAYBE, maybe)                                                                                \
    O(NOTHING, nothing)                                                                            \
    O(START, start)                                                                                \
    O(NAME, name)                                                                                  \
    O(TICK, tick)                                                                                  \
    O(PRIORITY, priority)                                                                          \
    O(TASK_CREATE, task_create)                                                                    \
    O(TASK_DELETE, task_delete)                                                                    \
    O(READY, ready)                                                                                \
    O(ACTIVATE, activate)                                                                          \
    O(DELAY, delay)                                                                                \
    O(SUSPEND, suspend)                                                                            \
    O(STACK, stack)                                                                                \
    O(IRQ_DEFINE, irq_define)                                                                      \
    O(IRQ_BEGIN, irq_begin)                                                                        \
    O(IRQ_RESUME, irq_resume)                                                                      \
    O(CREATE, create)                                                                              \
    O(DELETE, delete)                                                                              \
    O(PUT, put)                                                                                    \
    O(PUT_FAIL, put_fail)                                                                          \
    O(PUT_WAIT, put_wait)                                                                          \
    O(PUT_IRQ, put_irq)                                                                            \
    O(PUT_IRQ_FAIL, put_irq_fail)                                                                  \
    O(GET, get)                                                                                    \
    O(GET_FAIL, get_fail)                                                                          \
    O(GET_WAIT, get_wait)                                                                          \
    O(GET_IRQ, get_irq)                                                                            \
    O(GET_IRQ_FAIL, get_irq_fail)                                                                  \
    O(RECURSIVE_TAKE, recursive_take)                                                              \
    O(RECURSIVE_GIVE, recursive_give)                                                              \
    O(WAIT, wait)                                                                                  \
    O(TIMER_START, timer_start)                                                                    \
    O(TIMER_STOP, timer_stop)                                                                      \
    O(TIMER_EXPIRE, timer_expire)                                                                  \
    O(HEAP, heap)                                                                                  \
    O(ALLOC, alloc)                                                                                \
    O(FREE, free)                                                                                  \
    O(USER, user)                                                                                  \
    O(COMPACT, compact)                                                                            \
    O(STATE_CREATE, state_create)                                                                  \
    O(STATE, state)                                                                                \
    O(SPAN_BEGIN, span_begin)                                                                      \
    O(SPAN_END, span_end)                                                                          \
    O(COUNTER_CREATE, counter_create)                                                              \
    O(COUNTER, counter)                                                                            \
    O(COUNTER_LIMIT, counter_limit)

enum wfi_tr_op {
#define X(op, function) WFI_TR_DO_##op,
    WFI_TR_OPS(X)
#undef X
};

enum wfi_tr_kind {
    WFI_TR_NONE,
    WFI_TR_TASK,
    WFI_TR_QUEUE,
    WFI_TR_SEMA,
    WFI_TR_MUTEX,
    WFI_TR_TIMER,
    WFI_TR_GROUP,
    WFI_TR_STREAM,
    WFI_TR_NOTIFICATION,
    WFI_TR_KINDS
};

struct wfi_tr_code {
    uint16_t code;
    uint8_t op;       // enum wfi_tr_op, WFI_TR_DO_...
    uint8_t kind;     // enum wfi_tr_kind; of user events: their number of arguments
    uint8_t min, max; // number of words
    const char *name; // of events that keep their own name
};

// The rows of a platform; null: unknown.
const struct wfi_tr_code *wfi_tr_codes(unsigned platform, unsigned version, unsigned *count);
const char *wfi_tr_platform_name(unsigned platform); // null: unknown

// ---- state

// What is known of a handle.
struct wfi_tr_handle {
    uint64_t key;
    char *name;
    uint32_t name_len;
    uint8_t kind;      // enum wfi_tr_kind
    bool stale;        // the name is of an object that is deleted
    bool fresh;        // a mutex that has not been used since its create
    bool is_state;     // of a state machine
    bool tabled;       // an entry of the table that is not yet reported
    bool has_limits;   // a counter
    bool has_priority; // of a task
    bool from_table;   // a task's priority comes from the table, and is not yet reported
    uint8_t depth;     // of a mutex; 0: not known, or free
    uint32_t epoch;    // of a task's last call, of a mutex' last take
    uint64_t holder;   // of a mutex
    uint32_t irq;      // number + 1 of an interrupt
    uint32_t priority;
    uint64_t waits; // of a task: the object it waits for; 0: none
    uint64_t text;  // key of its name as a text; 0: none yet
    int64_t period; // of a timer
    int64_t low, high;
};

struct wfi_tr_clock {
    unsigned type;
    uint64_t turn;   // stamps of a free-running timer wrap at this
    uint32_t period; // of a timer of the RTOS: counts of a tick
    uint64_t hz;
    uint32_t tick_hz;
    bool shared;    // by several cores: stamps may step back a little
    bool begun;     // a stamp was read
    uint32_t wraps; // of the header
    uint64_t latest;
    uint64_t last; // count of the last stamp
    uint64_t now, offset, floor;
    uint64_t ticks;
    bool tick_known;
    uint32_t tick; // of the last tick event
    uint64_t tick_at;
};

struct wfi_tr_core {
    bool counted;               // `count` is valid
    uint16_t count;             // counter of the last event
    uint8_t why;                // WF_REASON_...: why the running task would leave now
    struct wfi_tr_handle *task; // that runs, if the importer's core knows it
};

enum wfi_tr_phase {
    WFI_TR_SEEK,   // skips bytes before a header
    WFI_TR_HEAD,   // header
    WFI_TR_ENTRY,  // table of entries
    WFI_TR_EVENTS, // of a stream
    WFI_TR_LOST,   // damaged: looks for events
    WFI_TR_SIZE,   // of the ring's area
    WFI_TR_AREA,   // of a ring
    WFI_TR_RING,   // events of a ring
    WFI_TR_DONE
};

struct wfi_tr_ring;

struct wfi_tr {
    enum wfi_tr_phase phase;
    bool big;      // byte order
    unsigned word; // bytes of a word
    unsigned version, platform, cores, count_bits;
    bool ring;               // the header is that of a ring
    bool headed;             // a header was read
    bool again;              // the header is not the first one
    bool first;              // no event since the header
    bool table;              // the table is not yet reported
    bool all_known, reasons; // of the platform: all codes, reasons of switches
    unsigned entries_of_head;
    uint64_t entries, states, symbol; // entries that are to come, and their sizes
    uint64_t skipped, bad_at, bad;    // bytes before a header, damaged ones
    const struct wfi_tr_code *rows;
    uint8_t row[WFI_TR_CODES];    // number of a code's row + 1; 0: none
    uint16_t words[WFI_TR_CODES]; // bit n: an event of the code can have n words
    struct wfi_tr_clock clock;
    struct wfi_tr_core core[WFI_TR_CORES];
    // The fastest 16 events: how long a turn of the counters takes at least.
    uint32_t epoch; // rises with each loss
    uint64_t fastest, mark;
    unsigned marked;
    uint64_t heap;      // handle of the heap that events without one use
    uint32_t heap_size; // to be reported with the first event; 0: not known, or reported
    uint32_t irqs;      // numbers given to interrupts
    struct wfi_index index;
    struct wfi_tr_handle *pages[WFI_TR_HANDLES / WFI_TR_PAGE];
    struct wfi_tr_handle *cache[WFI_TR_CACHE];
    uint32_t handles;
    struct wfi_tr_handle spare; // of a handle beyond the last one
    struct wfi_tr_ring *area;
    uint64_t area_time; // of the timer when the image of a ring was made
};

struct wfi_tr_event {
    const uint8_t *words;
    unsigned n;
    unsigned code;
    const struct wfi_tr_code *row; // null: unknown
};

// ---- numbers in the byte order of the target

static inline uint32_t wfi_tr_get32(const struct wfi_tr *t, const uint8_t *p) {
    uint32_t little =
        (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
    uint32_t big =
        (uint32_t)p[3] | (uint32_t)p[2] << 8 | (uint32_t)p[1] << 16 | (uint32_t)p[0] << 24;
    return t->big ? big : little;
}

static inline uint32_t wfi_tr_get16(const struct wfi_tr *t, const uint8_t *p) {
    return t->big ? (uint32_t)p[0] << 8 | p[1] : (uint32_t)p[1] << 8 | p[0];
}

// A word of 4 or 8 bytes.
static inline uint64_t wfi_tr_get(const struct wfi_tr *t, const uint8_t *p) {
    if (t->word == 4) return wfi_tr_get32(t, p);
    uint64_t first = wfi_tr_get32(t, p), second = wfi_tr_get32(t, p + 4);
    return t->big ? first << 32 | second : second << 32 | first;
}

// Word i of an event; 0: it has none.
static inline uint64_t wfi_tr_word(const struct wfi_tr *t, const struct wfi_tr_event *e,
                                   unsigned i) {
    return i < e->n ? wfi_tr_get(t, e->words + (size_t)i * t->word) : 0;
}

// The value of a signed word.
static inline int64_t wfi_tr_signed(const struct wfi_tr *t, uint64_t word) {
    return t->word == 4 ? (int32_t)(uint32_t)word : (int64_t)word;
}

// ---- head

// Returns true for the first bytes of a header that can be read: 12 bytes at p.
bool wfi_tr_is_head(const uint8_t *p);
// Returns the size of the header at p, of which 12 bytes are there.
size_t wfi_tr_head_size(const uint8_t *p);
// Returns true if the whole header at p is like the one before.
bool wfi_tr_repeats_head(const struct wfi_tr *t, const uint8_t *p);
// Reads a header. Returns false after wfi_import_fail.
bool wfi_tr_read_head(struct wfi_import *im, const uint8_t *p);
size_t wfi_tr_entry_size(const struct wfi_tr *t);
void wfi_tr_read_entry(struct wfi_import *im, const uint8_t *p);

// ---- clock

// Begins after a header: wraps and the latest stamp are the recorder's.
void wfi_tr_clock_begin(struct wfi_tr_clock *c, uint32_t wraps, uint32_t latest, uint32_t ticks);
uint64_t wfi_tr_clock_time(struct wfi_tr_clock *c, uint32_t stamp);
// Corrects the time by an event that has the RTOS' tick: turns of the timer during a silence.
void wfi_tr_clock_tick(struct wfi_tr_clock *c, uint32_t tick);
// Returns true if an event with stamp b can be the next one after stamp a.
bool wfi_tr_clock_follows(const struct wfi_tr_clock *c, uint32_t a, uint32_t b);

// ---- handles

// Returns the handle's entry, which is made at its first use; never null.
struct wfi_tr_handle *wfi_tr_handle(struct wfi_import *im, uint64_t key);
void wfi_tr_store_name(struct wfi_import *im, struct wfi_tr_handle *h, const uint8_t *text,
                       size_t len);
void wfi_tr_set_name(struct wfi_import *im, struct wfi_tr_handle *h, const uint8_t *text,
                     size_t len);
// Reports what the table has, with the first event: only then the time is known.
void wfi_tr_report_table(struct wfi_import *im);
// Repeats the name after the create of a task or object. A deleted one's name is replaced.
void wfi_tr_repeat_name(struct wfi_import *im, struct wfi_tr_handle *h);
// Returns the name, or the key as text in `room` (24 bytes).
const char *wfi_tr_name_of(const struct wfi_tr_handle *h, char room[24], size_t *len);
uint64_t wfi_tr_text_of(struct wfi_import *im, struct wfi_tr_handle *h);
void wfi_tr_close_handles(struct wfi_tr *t);

// ---- events

static inline size_t wfi_tr_event_size(const struct wfi_tr *t, const uint8_t *p) {
    return WFI_TR_EVENT + (size_t)(wfi_tr_get16(t, p) >> 12) * t->word;
}

static inline unsigned wfi_tr_core_of(const struct wfi_tr *t, unsigned number) {
    return t->cores > 1 ? number >> 12 : 0;
}

// Events that are missing before the one at p, modulo a turn of the counter.
static inline unsigned wfi_tr_missing(const struct wfi_tr *t, const uint8_t *p) {
    unsigned number = wfi_tr_get16(t, p + 2), core = wfi_tr_core_of(t, number);
    const struct wfi_tr_core *c = &t->core[core];
    if (core >= t->cores) return 1;
    return c->counted ? (number - c->count - 1) & ((1u << t->count_bits) - 1) : 0;
}

// Returns true if the code is known and the event has as many words as it can have.
static inline bool wfi_tr_is_known(const struct wfi_tr *t, const uint8_t *p) {
    unsigned id = wfi_tr_get16(t, p);
    return t->words[id & 0xFFF] >> (id >> 12) & 1;
}

// Takes the event at p, whose time is given. missing: as above.
void wfi_tr_take(struct wfi_import *im, const uint8_t *p, uint64_t time, unsigned missing);

// The effect of each event.
#define X(op, function) void wfi_tr_on_##function(struct wfi_import *, const struct wfi_tr_event *);
WFI_TR_OPS(X)
#undef X

// An event of its own name: its words are fields.
void wfi_tr_keep(struct wfi_import *im, const struct wfi_tr_event *e, const char *name);
struct wfi_tr_core *wfi_tr_core(struct wfi_import *im);
// The running task called the kernel: it does not leave for what it did before.
void wfi_tr_acts(struct wfi_import *im);
// The running task waits: for the object, 0: not known which.
void wfi_tr_waits(struct wfi_import *im, uint64_t object);
// Returns true if the running task has begun to wait for the object. *known: it cannot have done
// so in a loss.
bool wfi_tr_waited(struct wfi_import *im, uint64_t object, bool *known);
// The handle is a task's.
void wfi_tr_is_task(struct wfi_import *im, struct wfi_tr_handle *h);

// ---- ring

// The bytes of the area, as they come. Returns false after wfi_import_fail.
bool wfi_tr_ring_open(struct wfi_import *im, uint64_t size);
size_t wfi_tr_ring_fill(struct wfi_import *im, const uint8_t *bytes, size_t len);
// Emits events until the queue is full. Returns false when all are taken.
bool wfi_tr_ring_decode(struct wfi_import *im);
void wfi_tr_ring_close(struct wfi_tr *t);

#endif
