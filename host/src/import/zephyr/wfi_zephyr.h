// SPDX-License-Identifier: MIT
// Importer of Zephyr's CTF stream: wf_import_zephyr.c cuts the stream into events, the other files
// give them their meaning, by the names of the events and fields in the metadata.
#ifndef WFI_ZEPHYR_H
#define WFI_ZEPHYR_H

#include "core/wfi_import.h"
#include "util/wfi_index.h"
#include "wfi_zephyr_meta.h"

enum wfi_zephyr_meaning {
    ZEPHYR_OTHER, // an event of its own name
    ZEPHYR_SWITCHED_OUT,
    ZEPHYR_SWITCHED_IN,
    ZEPHYR_PRIORITY_SET,
    ZEPHYR_CREATE,
    ZEPHYR_ABORT,
    ZEPHYR_SUSPEND,
    ZEPHYR_RESUME,
    ZEPHYR_READY,
    ZEPHYR_PENDING,
    ZEPHYR_NAME_SET,
    ZEPHYR_INFO,
    ZEPHYR_ISR_ENTER,
    ZEPHYR_ISR_EXIT,
    ZEPHYR_IDLE,
    ZEPHYR_NAMED_EVENT,
    ZEPHYR_MUTEX_INIT,
    ZEPHYR_SEMA_INIT,
    ZEPHYR_SEMA_RESET,
    // Those from here on are made by the running thread or interrupt.
    ZEPHYR_ACTS,
    ZEPHYR_SEMA_GIVE_ENTER = ZEPHYR_ACTS,
    ZEPHYR_SEMA_GIVE_EXIT,
    ZEPHYR_SEMA_TAKE_EXIT,
    ZEPHYR_START_CALL,
    ZEPHYR_END_CALL,
    // Those from here on only by a thread.
    ZEPHYR_ACTS_AS_THREAD,
    ZEPHYR_SEMA_BLOCKING = ZEPHYR_ACTS_AS_THREAD,
    ZEPHYR_MUTEX_BLOCKING,
    ZEPHYR_MUTEX_LOCK_EXIT,
    ZEPHYR_MUTEX_UNLOCK_ENTER,
    ZEPHYR_MUTEX_UNLOCK_EXIT,
    ZEPHYR_SLEEP_ENTER,
    ZEPHYR_SLEEP_EXIT,
    ZEPHYR_YIELD
};

enum wfi_zephyr_meaning wfi_zephyr_meaning_of(const char *name);

// ---- events

struct wfi_zephyr_value {
    uint64_t v;       // numbers; sign-extended
    const char *text; // TEXT, STRING, BYTES
    uint32_t len;     // without the zero
};

struct wfi_zephyr_parsed {
    const struct wfi_zephyr_event *event;
    uint64_t id, stamp;
    size_t size;
    unsigned core;
    struct wfi_zephyr_value value[3 * ZEPHYR_FIELDS];
};

enum wfi_zephyr_result { ZEPHYR_GOOD, ZEPHYR_SHORT, ZEPHYR_UNKNOWN_ID, ZEPHYR_BAD };

// What parsing depends on.
struct wfi_zephyr_way {
    const struct wfi_zephyr_meta *meta;
    bool no_stamps; // the metadata has them, the stream does not
};

// Parses the event at `bytes`; at: its offset in the stream or packet.
enum wfi_zephyr_result wfi_zephyr_parse(const struct wfi_zephyr_way *way, const uint8_t *bytes,
                                        size_t len, uint64_t at, struct wfi_zephyr_parsed *e);
// Parses the fields of a header. Returns the length, 0 if more bytes are needed.
size_t wfi_zephyr_parse_list(const struct wfi_zephyr_meta *m, const struct wfi_zephyr_list *list,
                             const uint8_t *bytes, size_t len, uint64_t at,
                             struct wfi_zephyr_value *values);

// Returns a field's value; 0 if the event does not have it.
static inline uint64_t wfi_zephyr_get(const struct wfi_zephyr_parsed *e,
                                      enum wfi_zephyr_role role) {
    return e->event->at[role] < 0 ? 0 : e->value[e->event->at[role]].v;
}
static inline bool wfi_zephyr_has(const struct wfi_zephyr_parsed *e, enum wfi_zephyr_role role) {
    return e->event->at[role] >= 0;
}

// ---- state

enum {
    ZEPHYR_PIECE = 512,
    ZEPHYR_PIECES = 256,
    ZEPHYR_NAME_KEPT = 32
}; // entities of a piece, pieces

enum wfi_zephyr_entity_kind { ZEPHYR_IS_THREAD, ZEPHYR_IS_MUTEX, ZEPHYR_IS_SEMA };

struct wfi_zephyr_entity {
    uint64_t key;
    uint8_t kind;
    unsigned epoch; // losses before its state was learned
    // Threads.
    char name[ZEPHYR_NAME_KEPT];
    uint32_t name_len;
    bool pending;      // since then it was not made ready
    uint8_t cause;     // of its next leave, WF_REASON_...; unknown: none is recorded
    uint64_t waits_on; // mutex or semaphore of its last *_blocking; 0: none
    bool counted;      // among the waiters of that semaphore
    // Mutexes: unknown, free (holder 0), held; depth 0: unknown.
    bool known; // also of a semaphore's count
    uint64_t holder;
    unsigned depth, entered; // entered: *_enter events without their exit
    // Semaphores.
    bool complete; // all waiters are known
    uint32_t count, waiters;
};

struct wfi_zephyr_core {
    bool out; // `out_thread` has left, the next one is not recorded yet
    uint64_t out_thread;
    uint8_t out_reason;
    bool idle; // the idle loop runs, in idle_thread; 0: not known
    uint64_t idle_thread;
    uint64_t confirmed; // up to this offset the running thread is confirmed by what follows
};

struct wfi_zephyr_packet {
    bool open, numbered;
    uint64_t at, content_end, end; // offsets in the stream
    uint64_t number, discarded;
    uint64_t first, last; // stamps; last 0: not known
    unsigned core;
};

// Bytes that cannot be read.
struct wfi_zephyr_damage {
    bool lost; // the next event or packet is searched
    const char *why;
    uint64_t from, len;
};

struct wfi_zephyr_state {
    struct wfi_zephyr_meta meta;
    struct wfi_zephyr_way way;
    bool chosen;          // how to read the stream
    const char *notes[2]; // for the user, to come before the first event; null: none
    // Time.
    bool timed;
    unsigned stamp_bits;
    uint64_t raw, tick, small; // small: longest step back that is no wrap
    struct wfi_zephyr_packet packet;
    struct wfi_zephyr_damage damage;
    // Entities.
    struct wfi_index index;
    struct wfi_zephyr_entity *pieces[ZEPHYR_PIECES], spare;
    size_t entity_count;
    struct wfi_zephyr_core cores[WFI_IMPORT_CORES];
    unsigned epoch;  // losses
    bool scheduled;  // a thread was switched in or out
    bool from_start; // before the first switch no thread ran, and nothing was lost
    // What is usual in this stream.
    unsigned paired, alone;             // switches with and without switched_out before
    unsigned readied;                   // pending threads made ready
    unsigned exits_paired, exits_alone; // of interrupts
    bool sleeps;                        // calls of k_sleep are recorded
    bool swap_known, swapped;           // priority and name of priority_set
};

static inline struct wfi_zephyr_state *wfi_zephyr_state(struct wfi_import *im) { return im->state; }

// ---- wf_zephyr_threads.c
struct wfi_zephyr_entity *wfi_zephyr_entity_of(struct wfi_import *im,
                                               enum wfi_zephyr_entity_kind kind, uint64_t key);
void wfi_zephyr_forget(struct wfi_zephyr_state *z); // all state, after a loss
void wfi_zephyr_lose(struct wfi_import *im, const char *why);
// The running thread that acts; null: an interrupt does, or it is not known, or the idle loop runs.
struct wfi_zephyr_entity *wfi_zephyr_actor(struct wfi_import *im);
void wfi_zephyr_take_thread(struct wfi_import *im, const struct wfi_zephyr_parsed *e);
void wfi_zephyr_take_core(struct wfi_import *im,
                          const struct wfi_zephyr_parsed *e); // interrupts, idle
bool wfi_zephyr_pairs_are_sure(const struct wfi_zephyr_state *z);
bool wfi_zephyr_exits_are_sure(const struct wfi_zephyr_state *z);
bool wfi_zephyr_is_running(const struct wfi_import *im, uint64_t thread);

// ---- wf_zephyr_stream.c
void wfi_zephyr_choose(struct wfi_import *im, const uint8_t *bytes, size_t len);
// Takes the time of an event.
void wfi_zephyr_take_time(struct wfi_import *im, const struct wfi_zephyr_parsed *e);
enum wfi_sniff wfi_zephyr_sniff(const uint8_t *bytes, size_t len, bool whole);

// ---- wf_zephyr_packets.c
// Reads the header of a packet, or skips to one. Returns the number of bytes used.
size_t wfi_zephyr_take_packet(struct wfi_import *im, const uint8_t *bytes, size_t len, uint64_t at,
                              bool last);
void wfi_zephyr_add_damage(struct wfi_zephyr_state *z, uint64_t at, size_t len, const char *why);
void wfi_zephyr_report_damage(struct wfi_import *im);

// ---- wf_zephyr_objects.c
void wfi_zephyr_take_object(struct wfi_import *im, const struct wfi_zephyr_parsed *e);

// ---- wf_zephyr_events.c
void wfi_zephyr_take(struct wfi_import *im, const struct wfi_zephyr_parsed *e);
void wfi_zephyr_own_event(struct wfi_import *im, const struct wfi_zephyr_parsed *e);
// Checks that the events that follow agree with the running thread, before one that it makes; if
// they do not, events are lost. Returns false when it needs more bytes. more: there may be some.
bool wfi_zephyr_confirm(struct wfi_import *im, const uint8_t *bytes, size_t len, uint64_t at,
                        bool more);

#endif
