// SPDX-License-Identifier: MIT
// Internals of the importer of ThreadX trace buffers. Layout of a buffer: a header of 48 bytes, a
// registry of objects, and a ring of events of 32 bytes, all in words of 32 bits in the target's
// byte order. Source: the chapters "Format of event trace buffer" and "ThreadX trace events" of the
// TraceX user guide.
#ifndef WFI_THREADX_H
#define WFI_THREADX_H

#include "core/wfi_import.h"
#include "util/wfi_index.h"

enum {
    TXI_HEADER = 48,
    TXI_ENTRY = 16, // of the registry, before the name
    TXI_EVENT = 32,
    TXI_NAME_MAX = 4096,
    TXI_ENTITIES_MAX = 65536,
    TXI_RECENT = 64,
    TXI_PRIO_MAX = 1023
};

// First word of an event, in place of a thread. An event slot that was never used has context 0, or
// UNUSED as its id.
#define TXI_ISR     UINT32_C(0xFFFFFFFF)
#define TXI_INIT    UINT32_C(0xF0F0F0F0)
#define TXI_UNUSED  UINT32_C(0xFFFFFFFF)
#define TXI_FOREVER UINT32_C(0xFFFFFFFF) // a wait without a timeout

// Ids of events. Those that the guide has no number for follow the order of the service names.
enum wfi_threadx_id {
    TXI_RESUME = 1,
    TXI_SUSPEND,
    TXI_ISR_ENTER,
    TXI_ISR_EXIT,
    TXI_TIME_SLICE,
    TXI_RUNNING,
    TXI_BLOCK_ALLOCATE = 10,
    TXI_BLOCK_CREATE,
    TXI_BLOCK_DELETE,
    TXI_BLOCK_RELEASE = 17,
    TXI_BYTE_ALLOCATE = 20,
    TXI_BYTE_CREATE,
    TXI_BYTE_DELETE,
    TXI_BYTE_RELEASE = 27,
    TXI_FLAGS_CREATE = 30,
    TXI_FLAGS_DELETE,
    TXI_FLAGS_GET,
    TXI_FLAGS_SET = 36,
    TXI_MUTEX_CREATE = 50,
    TXI_MUTEX_DELETE,
    TXI_MUTEX_GET,
    TXI_MUTEX_PUT = 57,
    TXI_QUEUE_CREATE = 60,
    TXI_QUEUE_DELETE,
    TXI_QUEUE_FLUSH,
    TXI_QUEUE_FRONT_SEND,
    TXI_QUEUE_RECEIVE = 68,
    TXI_QUEUE_SEND,
    TXI_SEMAPHORE_CEILING_PUT = 80,
    TXI_SEMAPHORE_CREATE,
    TXI_SEMAPHORE_DELETE,
    TXI_SEMAPHORE_GET,
    TXI_SEMAPHORE_PUT = 88,
    TXI_THREAD_CREATE = 100,
    TXI_THREAD_DELETE,
    TXI_THREAD_PRIORITY_CHANGE = 108,
    TXI_THREAD_RELINQUISH,
    TXI_THREAD_RESET,
    TXI_SERVICE_LAST = 199,
    TXI_USER_FIRST = 4096,
    TXI_USER_LAST = 65535
};

// States of a thread, in RESUME (before) and SUSPEND (after).
enum {
    TXI_READY,
    TXI_COMPLETED,
    TXI_TERMINATED,
    TXI_SUSPENDED,
    TXI_SLEEP,
    TXI_QUEUE_SUSP,
    TXI_SEMAPHORE_SUSP,
    TXI_FLAGS_SUSP,
    TXI_BLOCK_SUSP,
    TXI_BYTE_SUSP,
    TXI_MUTEX_SUSP = 13,
    TXI_PRIORITY_CHANGE
};

struct wfi_threadx_event {
    uint32_t context, word, id, stamp, info[4];
    uint32_t index; // from the oldest slot on
    size_t at;      // offset of the slot in the buffer
};

// A thread or an object.
struct wfi_threadx_entity {
    uint32_t key;
    uint32_t name_at; // offset of its name in the buffer; 0: none
    bool live;        // its registry entry is in use
    bool created;     // its create is among the events
    bool ended;       // threads
    int16_t prio;     // threads; -1: unknown
    // Threads: the call that may wait, by the state that the wait would have; 0: none.
    uint8_t tries;
    bool tries_to_send;
    bool waits; // the call waits, since the event `waits_since`
    uint32_t tried, bits, ticks, waits_since;
    uint32_t most;       // queues: the largest fill level of all events
    uint32_t last;       // queues: the last event
    bool erratic;        // queues: an event with an unknown effect
    uint32_t block_size; // block pools; 0: unknown
};

// The last call of a service from threads, and from interrupts. If it passes its object on to a
// thread that waits, the RESUME of that thread follows.
struct wfi_threadx_call {
    uint32_t context, id, object, index;
    uint32_t count;   // of the object after it is passed on
    unsigned resumes; // number of threads that it may resume
};

struct wfi_threadx {
    // Layout; offsets in the buffer.
    bool begun, done, big;
    uint32_t mask, name_bytes;
    size_t registry, entries;
    size_t events;                // of the first slot
    uint32_t slots, oldest, next; // without the slots that the file does not have
    uint32_t gap, missing;        // before the event `gap`; UINT32_MAX: none
    const uint8_t *bytes;         // of the call of decode
    size_t len;
    // Found by the first pass over all events.
    bool down;         // the clock counts down
    bool wide;         // the stamps have more bits than the mask
    bool interrupted;  // events of interrupts have the interrupted thread
    bool suspends;     // there are SUSPENDs
    bool irq_numbers;  // ISR_ENTER has numbers
    uint32_t surveyed; // the last thread
    // Time.
    bool timed;
    uint32_t stamp;
    // The thread that runs after the present call of the kernel, if it is another one; and why.
    bool pending;
    uint32_t heir;
    uint8_t heir_reason;
    uint8_t leave;                     // why the running thread leaves; 0: it was not suspended
    uint32_t forgets;                  // event after the last damage
    struct wfi_threadx_call call[2];   // of threads, of interrupts
    struct wfi_threadx_entity *thread; // of the event's context; null: no thread
    struct wfi_threadx_entity *entities;
    size_t entity_count, entity_cap;
    struct wfi_index index;
    uint32_t recent[TXI_RECENT]; // number of an entity + 1
};

static inline uint32_t wfi_threadx_word(bool big, const uint8_t *p) {
    return big ? (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]
               : (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

// Header of a buffer with its pointers as offsets.
struct wfi_threadx_header {
    bool big;
    uint32_t mask, base, name_bytes;
    uint32_t registry, registry_end, events, events_end, current;
};
// Returns null if the 48 bytes are a header; else what is wrong, and its offset.
const char *wfi_threadx_header(const uint8_t *bytes, struct wfi_threadx_header *h, unsigned *at);
bool wfi_threadx_find(const struct wfi_image *image, size_t from, struct wfi_import_found *found);

// ---- events

// Reads the used slot `index` or the next one after it. Returns false if there is none.
bool wfi_threadx_read(const struct wfi_threadx *x, uint32_t index, struct wfi_threadx_event *e);
// Finds the next event in the same context. Returns false if there is none close by.
bool wfi_threadx_next_own(const struct wfi_threadx *x, const struct wfi_threadx_event *e,
                          struct wfi_threadx_event *next);
void wfi_threadx_take(struct wfi_import *im, const struct wfi_threadx_event *e);

// ---- entities

// Returns null if it is not known.
struct wfi_threadx_entity *wfi_threadx_entity(struct wfi_threadx *x, uint32_t key);
// Returns the entity, which is new if needed; null when there are too many, or out of memory.
struct wfi_threadx_entity *wfi_threadx_add(struct wfi_import *im, uint32_t key);
bool wfi_threadx_read_registry(struct wfi_import *im);
// Names the entity, if it has a name.
void wfi_threadx_name(struct wfi_import *im, const struct wfi_threadx_entity *t);
// Names the entities that are there before the first event.
void wfi_threadx_name_all(struct wfi_import *im);

// ---- the running thread

// Notes what the context of an event shows of the running thread, before the event is taken.
void wfi_threadx_run_context(struct wfi_import *im, const struct wfi_threadx_event *e);
// heir: the thread that runs next, 0: none. It runs once an event shows it.
void wfi_threadx_run_next(struct wfi_import *im, uint32_t heir, unsigned reason);
// Returns true if the heir runs from this event on.
bool wfi_threadx_run_due(const struct wfi_import *im, const struct wfi_threadx_event *e);
void wfi_threadx_run_heir(struct wfi_import *im, const struct wfi_threadx_event *e);

// ---- calls of services

void wfi_threadx_resume(struct wfi_import *im, const struct wfi_threadx_event *e);
void wfi_threadx_suspend(struct wfi_import *im, const struct wfi_threadx_event *e);
void wfi_threadx_call(struct wfi_import *im, const struct wfi_threadx_event *e);
// An event of its own name and fields.
void wfi_threadx_plain(struct wfi_import *im, const struct wfi_threadx_event *e);
// Notes in the first pass what the services of a queue show of it.
void wfi_threadx_note_queue(struct wfi_threadx_entity *q, const struct wfi_threadx_event *e);

#endif
