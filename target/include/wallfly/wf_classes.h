// SPDX-License-Identifier: MIT
// Classes of events for the slot recorder (WF_CFG_SLOTS 1), modeled on QNX's kernel trace. An event
// is recorded if its class and number are switched on and if the filters by thread and the handlers
// of the program accept it. All of this is checked before anything is copied. docs/compat-qnx.md;
// compat/trace.h is QNX's own call.
//
// A class is a number of wf_sat.h (WF_SAT_USER ...). Events are numbered from 0 within their class:
// kernel calls and interrupts by their number, processes 0..4, threads by their state. A class that
// combines several others (WF_SAT_KERCALL, WF_SAT_INT) can only be used in switches, filters and
// handlers.
#ifndef WF_CLASSES_H
#define WF_CLASSES_H

#include <stdbool.h>
#include <stdint.h>

#include "wallfly/wf_config.h"
#include "wf_sat.h"

#ifdef __cplusplus
extern "C" {
#endif

// RAM of the switches: 2 * WF_SAT_CLASS_END * WF_CFG_CLASS_EVENTS / 8 bytes. Each filter and each
// handler takes the size of struct wfi_class_rule (12 bytes with 32-bit pointers).

enum { WF_CLASSES_ALL = -1 }; // in place of a class or an event: all of them

enum wf_classes_error {
    WF_CLASSES_OK = 0,         // done; for an event also: filtered out
    WF_CLASSES_NO_CLASS = -1,  // no such class, or a combined class where it is not allowed
    WF_CLASSES_NO_EVENT = -2,  // no such event in the class
    WF_CLASSES_SHARED = -3,    // beyond WF_CFG_CLASS_EVENTS: has no switch of its own
    WF_CLASSES_NO_ROOM = -4,   // all filters (handlers) are in use
    WF_CLASSES_NO_THREAD = -5, // events of this class have no thread, or there is no thread hook
    WF_CLASSES_TOO_LONG = -6,  // more words, or a longer text, than an event can have
    WF_CLASSES_REFUSED = -7,   // the event passed the filters, but there was no room; it is counted
    WF_CLASSES_OFF = -8        // the recorder was not started
};

struct wf_classes_hooks { // each may be null
    // Gets the process and thread that run on this core. Returns false when no thread runs, for
    // instance in an interrupt. Context: any context that records.
    bool (*thread)(uint32_t *pid, uint32_t *tid);
    // Called by wf_classes_start: records the present state as PROCESS and THREAD events.
    void (*state)(void);
};

// Clears all switches, filters and handlers: stopped, all events off, all in fast form. Copies the
// hooks; null: no hooks. Context: after wf_slots_start, before any other function of this file.
void wf_classes_init(const struct wf_classes_hooks *hooks);

// Starts recording events. With `state` true, the state hook's events are recorded first. A mode
// set by wf_classes_keep_oldest takes effect now, unless the trace is already started. Returns
// WF_CLASSES_OK or WF_CLASSES_OFF. Context: a thread, one at a time.
int wf_classes_start(bool state);
void wf_classes_stop(void); // Stops recording events. Context: any

// Sets what a full ring does from the next start on: refuse new events until it is read (true), or
// overwrite the oldest (false). Without this call, wf_slots_config decides. No event may be
// recorded or read during wf_classes_start when it changes the mode.
void wf_classes_keep_oldest(bool keep);

// Returns the number of slots not read yet, of all cores. In rings that overwrite the oldest it
// counts all slots in the rings, read or not. Context: any.
uint32_t wf_classes_held(void);

enum wf_classes_form {
    WF_CLASSES_FAST, // the most important words, as a rule two: one slot
    WF_CLASSES_WIDE  // all words
};

// Switch events on or off, and choose their form. cls: a class or WF_CLASSES_ALL; event: one of the
// class or WF_CLASSES_ALL. Events from number WF_CFG_CLASS_EVENTS - 1 on share the last switch of
// their class; only WF_CLASSES_ALL changes it. Return an enum wf_classes_error. Context of these
// and of the filters and handlers: a thread, or any context that may take the critical section.
// Events recorded during a change see the old or the new state; while a filter or handler changes,
// an event may also see none.
int wf_classes_switch(int cls, int32_t event, bool on);
int wf_classes_set_form(int cls, int32_t event, enum wf_classes_form form);

// Static filters: record only events of process `pid`, or of its thread `tid`. A class has at most
// one filter of each kind, and so has each of its events; all of them must accept the event. A
// second call replaces the first. Only kernel calls, THREAD, VTHREAD, SYSTEM and COMM have a
// thread; where no thread runs, the filters reject. pid and tid are compared in the width of a
// pointer. Return an enum wf_classes_error.
enum wf_classes_kind { WF_CLASSES_PID = 1, WF_CLASSES_TID = 2 };
int wf_classes_filter(int cls, int32_t event, enum wf_classes_kind kind, uint32_t pid,
                      uint32_t tid); // tid: used by kind TID only
int wf_classes_unfilter(int cls, int32_t event, enum wf_classes_kind kind);

// What a handler receives.
struct wf_classes_event {
    uint32_t head;         // class, event, and structure in bits 30..31 (wf_slot.h); no core
    const uint32_t *words; // as they will be recorded, in the fast or the wide form; never null
    unsigned count;
    void *area;       // as passed to wf_classes_set_handler
    uint32_t feature; // bit 0: pid is known, bit 1: tid is
    uint32_t pid, tid;
};
enum { WF_CLASSES_HAS_PID = 1, WF_CLASSES_HAS_TID = 2 };

// Dynamic filters: the handler is called for each event that is switched on and passed the static
// filters, before the event takes a slot, in the context of the event. It returns 0 to discard the
// event. The handler of the class is called first, then that of the event. A handler must be short
// and must not record. After removal it may still be running on another core or thread.
int wf_classes_set_handler(int cls, int32_t event, int (*handler)(struct wf_classes_event *),
                           void *area); // null handler: removes it

// ---- events ----

// Selects the words of the fast form, in order: word numbers a, b (0..15) of the wide form, or the
// first n words (up to 7).
#define WF_CLASSES_SAME        0u // both forms are the same
#define WF_CLASSES_FAST1(a)    (1u | (uint32_t)(a) << 4)
#define WF_CLASSES_FAST2(a, b) (2u | (uint32_t)(a) << 4 | (uint32_t)(b) << 8)
#define WF_CLASSES_FIRST(n)    (0x65432100u + (n))

// Records an event if the switches, filters and handlers accept it. words: the wide form, up to 2 *
// (WF_CFG_CHUNK - 5) words; `fast` selects the words of the fast form. event: add WF_SAT_64 for the
// 64-bit variant; for interrupts the number of the interrupt, which is also one of the words.
// Returns an enum wf_classes_error. Context: any.
int wf_classes_record(unsigned cls, uint32_t event, const uint32_t *words, unsigned count,
                      uint32_t fast);
// The same with a text after the words. Takes up to WF_CLASSES_TEXT_WORDS words; the text is cut
// after 127 bytes and stored with its zero. (With chunks of 16 slots, words and text have 88
// bytes.)
enum { WF_CLASSES_TEXT = 128, WF_CLASSES_TEXT_WORDS = 8 };
int wf_classes_record_text(unsigned cls, uint32_t event, const uint32_t *words, unsigned count,
                           const char *text);

// Returns whether the trace is started and the event is switched on; call it before assembling the
// words. It does not check filters and handlers. event: without WF_SAT_64. Context: any.
static inline bool wf_classes_wants(unsigned cls, uint32_t event);

// ---- inside; not for users ----

#if UINTPTR_MAX < 0xFFFFFFFFu
// Access in several pieces: changes run with interrupts off, and a reader checks the key twice.
#define WFI_CLASS_GET(p, order)    (*(const volatile __typeof__(*(p)) *)(p))
#define WFI_CLASS_SET(p, v, order) (*(volatile __typeof__(*(p)) *)(p) = (v))
#else
#define WFI_CLASS_GET(p, order)    __atomic_load_n((p), __ATOMIC_##order)
#define WFI_CLASS_SET(p, v, order) __atomic_store_n((p), (v), __ATOMIC_##order)
#endif

// A filter or a handler: the key (see wf_classes.c) and its two values.
struct wfi_class_rule {
    uint32_t key;
    uintptr_t value[2];
};

enum { WFI_CLASS_WORDS = WF_CFG_CLASS_EVENTS / 32 };

struct wfi_classes {
    uint32_t on[WF_SAT_CLASS_END][WFI_CLASS_WORDS], wide[WF_SAT_CLASS_END][WFI_CLASS_WORDS];
    uint32_t running;           // classes whose events are recorded, a bit each
    uint32_t filtered, handled; // classes that have filters, handlers
    uint8_t keep; // 0: as the recorder was started, 1: overwrite the oldest, 2: keep the oldest
    struct wf_classes_hooks hooks;
    struct wfi_class_rule filters[WF_CFG_CLASS_FILTERS], handlers[WF_CFG_CLASS_HANDLERS];
};
extern struct wfi_classes wfi_classes;

static inline uint32_t wfi_class_bit(uint32_t event) {
    return event < WF_CFG_CLASS_EVENTS ? event : WF_CFG_CLASS_EVENTS - 1;
}

static inline bool wf_classes_wants(unsigned cls, uint32_t event) {
    uint32_t bit = wfi_class_bit(event);
    if (cls >= WF_SAT_CLASS_END) return false;
    uint32_t running = WFI_CLASS_GET(&wfi_classes.running, RELAXED);
    uint32_t on = WFI_CLASS_GET(&wfi_classes.on[cls][bit / 32], RELAXED);
    return (running >> cls & on >> bit % 32 & 1) != 0;
}

#ifdef __cplusplus
}
#endif
#endif
