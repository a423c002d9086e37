// SPDX-License-Identifier: MIT
// Slot traces by callbacks: a program registers classes and events and runs the parser
// over a file, an image or memory that is being recorded to. Reads QNX's kernel-event logs (.kev)
// and wallfly's own slot traces, and images of the slot recorder's memory, recognized by content.
//
//   struct wf_parser *p = wf_parser_create(&(struct wf_parser_options){0}, &err);
//   wf_parser_on(p, WF_SAT_COMM, 9, on_signal, &mine);
//   err = wf_parser_run_file(p, "all.kev");
//
// Classes and events are the external ones, as programs give them to TraceEvent(): of THREAD,
// VTHREAD (till QNX 7.1) and PROCESS an event is a bit, 1 << state; of interrupts it is the
// interrupt's number. What has no such number, wallfly's records among it, has class
// WF_PARSER_INTERNAL + its class in the slot.
//
// Threads: a parser is for one thread at a time, several may run in parallel; callbacks come in the
// thread that runs it. They may ask and register, but neither run nor destroy.
// Programs that pull events in place of callbacks use wallfly_host/wf_slots.h or wf_merge.h.
#ifndef WF_PARSER_H
#define WF_PARSER_H

#include <wallfly_host/wf_merge.h>
#include <wf_sat.h>

#ifdef __cplusplus
extern "C" {
#endif

struct wf_parser;

enum {
    WF_PARSER_INTERNAL = 256,     // + the class in the slot's head: any event that no other has
    WF_PARSER_EVENTS = 0x7FFFFFFF // last event of a range: all
};

enum wf_parser_order {
    WF_PARSER_BY_TIME,  // of all cores together; streams: as far as can be (wf_parser_late)
    WF_PARSER_AS_STORED // a little faster, no memory for events that wait
};

struct wf_parser_options { // all 0: by time, all else from the trace
    enum wf_parser_order order;
    struct wf_slots_options slots; // clock, byte order, rate, no_header; with_control counts as set
    size_t memory;                 // bytes and
    uint64_t delay;                // ticks,
    unsigned delay_ms;             // or milliseconds, as wf_merge.h has them
};

struct wf_parser_event {
    unsigned cls, event; // external
    bool wide;           // the 64-bit variant of QNX 7.0 and later
    uint32_t head;       // of the slot, in the parser's byte order: has the internal numbers
    uint8_t core;
    bool timed;            // tick is in 64 bits; else only the low 32 were known
    uint64_t tick;         // of the target's clock; wf_parser_hz a second
    const uint32_t *words; // in the parser's byte order; valid until the callback returns
    unsigned count;        // of words; a longer event may have one more than was given, 0
    const uint8_t *bytes;  // the words as stored: texts, and the bytes of wallfly's records
    unsigned len;          // bytes
    uint64_t offset;       // in the trace, bytes
    bool owned;            // its core's last RUNNING is known:
    uint32_t pid, tid;     // the thread that ran there
};

// Each returns 0 to go on; any other value stops the run (wf_parser_stopped).
typedef int (*wf_parser_fn)(struct wf_parser *p, void *user, const struct wf_parser_event *e);
typedef int (*wf_parser_loss_fn)(struct wf_parser *p, void *user, const struct wf_slots_loss *l);
typedef int (*wf_parser_damage_fn)(struct wf_parser *p, void *user,
                                   const struct wf_slots_damage *d);
// Live: nothing new at present. May sleep.
enum wf_parser_idle {
    WF_PARSER_WAIT, // ask again
    WF_PARSER_END,  // nothing is recorded any more
    WF_PARSER_SKIP  // unfinished writers will not go on (wf_slot_memory_skip)
};
typedef enum wf_parser_idle (*wf_parser_idle_fn)(struct wf_parser *p, void *user);

// Null when out of memory (*err).
struct wf_parser *wf_parser_create(const struct wf_parser_options *options, int *err);
void wf_parser_destroy(struct wf_parser *p); // null is good

// Wants an event, or those from first to last. Classes KERCALL and INT stand for all of theirs. For
// an event that several have asked for the last one holds. fn null: not wanted any more. (EMPTY, 0)
// comes once, when the attributes are known: tick 0, no words.
// Returns WF_OK, WF_ERR_USAGE (no such class; first > last), WF_ERR_NOMEM.
int wf_parser_on(struct wf_parser *p, unsigned cls, unsigned event, wf_parser_fn fn, void *user);
int wf_parser_on_range(struct wf_parser *p, unsigned cls, unsigned first, unsigned last,
                       wf_parser_fn fn, void *user);
// What is missing, and what cannot be read (which is passed over).
void wf_parser_on_loss(struct wf_parser *p, wf_parser_loss_fn fn, void *user);
void wf_parser_on_damage(struct wf_parser *p, wf_parser_damage_fn fn, void *user);

// Runs over a whole trace. Each run begins anew; what was registered stays.
//   file    "-": standard input
//   memory  a trace or an image, whole
//   live    memory in which a recorder records (a multiple of 16 as address; taking: it keeps the
//           oldest and learns what has been read, see wf_slot_memory.h), until idle returns END
// Returns WF_OK, WF_ERR_STOPPED (by a callback), WF_ERR_READ, WF_ERR_BAD_BOX, WF_ERR_NOMEM; of the
// last three wf_parser_problem has the details.
int wf_parser_run_file(struct wf_parser *p, const char *name);
int wf_parser_run_memory(struct wf_parser *p, const void *bytes, size_t len);
int wf_parser_run_live(struct wf_parser *p, void *bytes, size_t len, bool taking,
                       wf_parser_idle_fn idle, void *user);

// The same for a trace that comes in pieces: begins anew; takes bytes; they end. Errors as above.
int wf_parser_begin(struct wf_parser *p);
int wf_parser_feed(struct wf_parser *p, const void *bytes, size_t len);
int wf_parser_end(struct wf_parser *p);

// Of the run, also from callbacks and after it. Before the first run, and after one that could not
// begin (an image without its rings, no memory): null, 0, and totals of zeros.
const char *wf_parser_attribute(const struct wf_parser *p, const char *key); // "CPU_NUM"; or null
const struct wf_slots *wf_parser_slots(const struct wf_parser *p);           // all attributes
uint64_t wf_parser_hz(const struct wf_parser *p);                            // 0: unknown
const struct wf_slots_ledger *wf_parser_totals(const struct wf_parser *p);
uint64_t wf_parser_late(const struct wf_parser *p); // events that came behind later ones
int wf_parser_stopped(const struct wf_parser *p);   // what the callback that stopped it returned
const char *wf_parser_problem(const struct wf_parser *p); // a sentence; "" if there is none

#ifdef __cplusplus
}
#endif
#endif
