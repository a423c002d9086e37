// SPDX-License-Identifier: MIT
// Prints kernel-event logs as QNX's tools do: external class and event numbers, and the text of
// traceprinter, from events of wf_slots.h. schema/wf_sat.h is the table, docs/traceprinter.md lists
// what is unconfirmed. Opens no file, writes into the caller's memory.
#ifndef WF_HOST_SAT_H
#define WF_HOST_SAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <wf_sat.h> // of the schema; in quotes it would be this file
#include "wf_error.h"
#include "wf_slots.h"

#ifdef __cplusplus
extern "C" {
#endif

// The versions whose numbers differ. 7 means 7.0 and 7.1.
enum wf_sat_release { WF_SAT_RELEASE_6, WF_SAT_RELEASE_7, WF_SAT_RELEASE_8 };

// From the attribute SYS_RELEASE, e.g. "6.4.1"; null or text without a number counts as 6.
enum wf_sat_release wf_sat_release_of(const char *text);

// External class and event numbers, as programs use them.
struct wf_sat_number {
    unsigned cls, event;
    bool wide; // the 64-bit variant
};

// Returns false if QNX has no such class or event number. For interrupts the event is the
// interrupt's number, from the event's words; else only e->cls and e->event are used.
bool wf_sat_external(enum wf_sat_release release, const struct wf_slot_event *e,
                     struct wf_sat_number *to);
// Converts external to internal numbers. Returns false if there are none or several (KERCALL, INT).
bool wf_sat_internal(enum wf_sat_release release, unsigned cls, unsigned event, uint8_t *to_cls,
                     uint16_t *to_event);
// "KERCALLENTER"; null if there is no such external class.
const char *wf_sat_class_name(unsigned cls);
// By internal numbers: "PROCCREATE_NAME", "RUNNING", "MSG_SENDV"; null if no name is known.
const char *wf_sat_event_name(enum wf_sat_release release, unsigned cls, unsigned event);
// The event number without the bit of the 64-bit variant (WF_SAT_64), if the class has such ones.
unsigned wf_sat_plain_event(const struct wf_slot_event *e);

// Events of the internal class KERCALL below this number are the calls; their ends have it added.
enum { WF_SAT_CALL_END = 128 };

// A thread's state: an event of the internal class PR_TH.
struct wf_sat_state {
    uint8_t number;         // of the event
    uint8_t does;           // enum wf_sat_does
    const char *old, *new8; // names until QNX 7.x and of 8.0; "": none
};
// Number of events of PR_TH that are states; the first ones.
unsigned wf_sat_thread_states(enum wf_sat_release release);
// By wf_sat_plain_event; null if the release has no such state.
const struct wf_sat_state *wf_sat_state(enum wf_sat_release release, unsigned event);
// Null if it has no name.
const char *wf_sat_state_name(const struct wf_sat_state *state, enum wf_sat_release release);

// Copies a text of the log up to its zero, at most len bytes; control characters and bytes that are
// not UTF-8 become dots. Adds no zero. Returns the end.
char *wf_sat_text(char *to, const void *bytes, size_t len);

// ---------------------------------------------------------------------------------------------
// The printer. One is for one thread at a time.

enum wf_sat_style {
    WF_SAT_STYLE_GUESS, // by format and release
    WF_SAT_STYLE_6,     // of QNX 6.x
    WF_SAT_STYLE_7      // of QNX 7.x and 8.0: each line begins with a format
};

#define WF_SAT_FORMAT "t:0x%08c CPU:%02C %-16Z:%-18z"

struct wf_sat_options { // all 0: a log of QNX 6.x
    size_t size;        // sizeof(struct wf_sat_options)
    enum wf_sat_style style;
    enum wf_sat_release release;
    const char *format; // null: WF_SAT_FORMAT
    bool one_line;      // all arguments on the event's line
    bool big_endian;    // the target
    uint64_t hz;        // ticks a second, for %t; 0: unknown
};

struct wf_sat;

// Returns null when out of memory, or if the format is not valid or the size of the options is 0
// (WF_ERR_USAGE). `error` may be null.
struct wf_sat *wf_sat_open(const struct wf_sat_options *options, struct wf_error *error);
void wf_sat_close(struct wf_sat *p);

// Returns the buffer size that wf_sat_line requires for an event of this many words.
size_t wf_sat_room(const struct wf_sat *p, unsigned words);
// Prints an event as one or several lines that end in '\n', without a terminating zero. Returns the
// length; 0, with nothing written or counted, if cap is less than wf_sat_room. Control characters
// of the log become dots.
size_t wf_sat_line(struct wf_sat *p, const struct wf_slot_event *e, char *to, size_t cap);

// The text before the events: the title, a line for each attribute (key without TRACE_), and the
// title of the events.
#define WF_SAT_TITLE                                                                               \
    "TRACEPRINTER version 1.02\nTRACEPARSER LIBRARY version 1.02\n"                                \
    " -- HEADER FILE INFORMATION -- \n"
#define WF_SAT_TITLE_EVENTS " -- KERNEL EVENTS -- \n"
// Returns the length of the line; nothing is written if that is more than cap. 0 for the two
// attributes that only mark the header's ends.
size_t wf_sat_attribute(const char *key, const char *value, char *to, size_t cap);

#ifdef __cplusplus
}
#endif
#endif
