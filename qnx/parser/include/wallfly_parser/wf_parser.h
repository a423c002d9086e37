// SPDX-License-Identifier: MIT
// Slot traces by callbacks: a program registers classes and events and runs the parser
// over a file, an image or memory that is being recorded to. Reads QNX's kernel-event logs (.kev)
// and wallfly's own slot traces, and images of the slot recorder's memory, recognized by content.
//
//   struct wf_parser *p = wf_parser_create(&(struct wf_parser_options){0}, &error);
//   wf_parser_on(p, WF_SAT_COMM, 9, on_signal, &mine);
//   int err = wf_parser_run_file(p, "all.kev");
//
// Classes and events are the external ones, as programs pass them to TraceEvent(). For THREAD,
// VTHREAD (until QNX 7.1) and PROCESS an event is a bit, 1 << state; for interrupts it is the
// number of the interrupt. Events without an external number, such as wallfly's records, have class
// WF_PARSER_INTERNAL + their class in the slot.
//
// Threads: a parser is for one thread at a time, several may run in parallel; callbacks run in the
// thread that runs the parser. They may query and register, but neither run nor destroy it.
// Programs that pull events instead of using callbacks use wallfly_host/wf_slots.h or wf_merge.h.
#ifndef WF_PARSER_H
#define WF_PARSER_H

#include <wallfly_host/wf_merge.h>
#include <wf_sat.h>

#ifdef __cplusplus
extern "C" {
#endif

struct wf_parser;

enum {
    WF_PARSER_INTERNAL = 256,     // + the class in the slot's head: events without another
                                  // registration
    WF_PARSER_EVENTS = 0x7FFFFFFF // last event of a range: all
};

enum wf_parser_order {
    WF_PARSER_BY_TIME,  // across all cores; streams: as far as possible (wf_parser_late)
    WF_PARSER_AS_STORED // a little faster, no memory for waiting events
};

struct wf_parser_options { // all 0: by time, the rest from the trace
    enum wf_parser_order order;
    struct wf_slots_options slots; // clock, byte order, rate, no_header; size and with_control are
                                   // always set
    size_t memory;                 // bytes, as in wf_merge.h
    uint64_t delay;                // ticks, as in wf_merge.h
    unsigned delay_ms;             // the same in milliseconds
};

struct wf_parser_event {
    unsigned cls, event; // external
    bool wide;           // the 64-bit variant of QNX 7.0 and later
    uint32_t head;       // of the slot, in the parser's byte order: with the internal numbers
    uint8_t core;
    bool timed;            // tick has 64 bits; else only the low 32 were known
    uint64_t tick;         // of the target's clock; wf_parser_hz ticks per second
    const uint32_t *words; // in the parser's byte order; valid until the callback returns
    unsigned count;        // of words; a longer event may have an extra word, 0
    const uint8_t *bytes;  // the words as stored: texts, and the bytes of wallfly's records
    unsigned len;          // bytes
    uint64_t offset;       // in the trace, bytes
    bool owned;            // the last RUNNING of its core is known:
    uint32_t pid, tid;     // the thread that ran there
};

// Each returns 0 to continue; any other value stops the run (wf_parser_stopped).
typedef int (*wf_parser_fn)(struct wf_parser *p, void *user, const struct wf_parser_event *e);
typedef int (*wf_parser_loss_fn)(struct wf_parser *p, void *user, const struct wf_slots_loss *l);
typedef int (*wf_parser_damage_fn)(struct wf_parser *p, void *user,
                                   const struct wf_slots_damage *d);
// Live memory: called when there is nothing new. May sleep.
enum wf_parser_idle {
    WF_PARSER_WAIT, // call again
    WF_PARSER_END,  // recording has ended
    WF_PARSER_SKIP  // unfinished writers will not continue (wf_slot_memory_skip)
};
typedef enum wf_parser_idle (*wf_parser_idle_fn)(struct wf_parser *p, void *user);

// Returns null when out of memory (`error`, may be null).
struct wf_parser *wf_parser_create(const struct wf_parser_options *options, struct wf_error *error);
void wf_parser_destroy(struct wf_parser *p); // null is allowed

// Registers a callback for an event, or for those from first to last. Classes KERCALL and INT
// include all of their subclasses. If several registrations match an event, the last one is used.
// fn null: removes it. (EMPTY, 0) is called once, when the attributes are known: tick 0, no words.
// Returns WF_OK, WF_ERR_USAGE (no such class; first > last), WF_ERR_NOMEM.
int wf_parser_on(struct wf_parser *p, unsigned cls, unsigned event, wf_parser_fn fn, void *user);
int wf_parser_on_range(struct wf_parser *p, unsigned cls, unsigned first, unsigned last,
                       wf_parser_fn fn, void *user);
// Called for missing data, and for data that cannot be read (which is skipped).
void wf_parser_on_loss(struct wf_parser *p, wf_parser_loss_fn fn, void *user);
void wf_parser_on_damage(struct wf_parser *p, wf_parser_damage_fn fn, void *user);

// Runs over a whole trace. Each run starts anew; registrations stay.
//   file    "-": standard input
//   memory  a complete trace or image
//   live    memory that is being recorded to, until idle returns END. Its address is a multiple of
//           16. taking: marks in it what was read, for a recorder that keeps the oldest
//           events; see wf_slot_memory.h
// Returns WF_OK, WF_ERR_STOPPED (by a callback), WF_ERR_READ, WF_ERR_BAD_BOX, WF_ERR_NOMEM; for the
// last three wf_parser_problem has the details.
int wf_parser_run_file(struct wf_parser *p, const char *name);
int wf_parser_run_memory(struct wf_parser *p, const void *bytes, size_t len);
int wf_parser_run_live(struct wf_parser *p, void *bytes, size_t len, bool taking,
                       wf_parser_idle_fn idle, void *user);

// The same for a trace in pieces: starts anew; takes bytes; ends it. Errors as above.
int wf_parser_begin(struct wf_parser *p);
int wf_parser_feed(struct wf_parser *p, const void *bytes, size_t len);
int wf_parser_end(struct wf_parser *p);

// Properties of the run, also valid in callbacks and after it. Before the first run, and after one
// that could not begin (an image without its rings, no memory): null, 0, and totals of zeros.
const char *wf_parser_attribute(const struct wf_parser *p, const char *key); // "CPU_NUM"; or null
const struct wf_slots *wf_parser_slots(const struct wf_parser *p);           // all attributes
uint64_t wf_parser_hz(const struct wf_parser *p);                            // 0: unknown
const struct wf_slots_ledger *wf_parser_totals(const struct wf_parser *p);
uint64_t wf_parser_late(const struct wf_parser *p); // events that came after later ones
int wf_parser_stopped(const struct wf_parser *p);   // the value of the callback that stopped it
const char *wf_parser_problem(const struct wf_parser *p); // a sentence; "" if there is none

#ifdef __cplusplus
}
#endif
#endif
