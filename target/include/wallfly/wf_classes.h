// SPDX-License-Identifier: MIT
// Classes of events for the slot recorder (WF_CFG_SLOTS 1), in the manner of QNX's kernel trace:
// which events are kept is switched by class and event, judged by thread, and by functions of the
// program, before anything is copied. docs/compat-qnx.md; compat/trace.h is QNX's own call.
//
// A class is a number of wf_sat.h (WF_SAT_USER ...). Events are counted plainly in their class:
// kernel calls and interrupts by their number, processes 0..4, threads by their state. A class that
// stands for several (WF_SAT_KERCALL, WF_SAT_INT) is for switches only.
#ifndef WF_CLASSES_H
#define WF_CLASSES_H

#include <stdbool.h>
#include <stdint.h>

#include "wallfly/wf_config.h"
#include "wf_sat.h"

#ifdef __cplusplus
extern "C" {
#endif

// What the switches take: 2 * WF_SAT_CLASS_END * WF_CFG_CLASS_EVENTS / 8 bytes of RAM, and for each
// filter and each handler the size of struct wfi_class_rule (12 bytes with pointers of 32 bits).

enum { WF_CLASSES_ALL = -1 }; // instead of a class or an event: every one

enum wf_classes_error {
    WF_CLASSES_OK = 0,         // done; of an event also: it is filtered out
    WF_CLASSES_NO_CLASS = -1,  // no such class, or one that stands for several
    WF_CLASSES_NO_EVENT = -2,  // no such event in the class
    WF_CLASSES_SHARED = -3,    // beyond WF_CFG_CLASS_EVENTS: has no switch of its own
    WF_CLASSES_NO_ROOM = -4,   // all filters (handlers) are in use
    WF_CLASSES_NO_THREAD = -5, // events of this class have no thread, or the program gives none
    WF_CLASSES_TOO_LONG = -6,  // more words, or a longer text, than an event can have
    WF_CLASSES_REFUSED = -7,   // wanted, but there was no room; the recorder counts it
    WF_CLASSES_OFF = -8        // the recorder was not started
};

struct wf_classes_hooks { // each may be null
    // The thread that runs on this core. False: none does, as in an interrupt. Context: any that
    // records.
    bool (*thread)(uint32_t *pid, uint32_t *tid);
    // Called by wf_classes_start: reports what there is by events of PROCESS and THREAD.
    void (*state)(void);
};

// Forgets all switches, filters and handlers: stopped, all off, all fast. The hooks are copied.
// Context: after wf_slots_start, before anything else of this file.
void wf_classes_init(const struct wf_classes_hooks *hooks);

// Events are kept from now on; with `state`, those of the state hook come first. Where the ring
// mode was changed (below) it changes now. Context: a thread, one at a time.
int wf_classes_start(bool state);
void wf_classes_stop(void); // Context: any

// What a full ring does from the next start on: refuse events until it is read (true), or give up
// the oldest ones. Without it, as set by wf_slots_config. Nothing may record meanwhile or read.
void wf_classes_keep_oldest(bool keep);

// Slots held that are not read yet (where the oldest go: that are in the rings), of all cores.
// Context: any.
uint32_t wf_classes_held(void);

enum wf_classes_form {
    WF_CLASSES_FAST, // the most important words, as a rule two: one slot
    WF_CLASSES_WIDE  // all words
};

// cls: a class or WF_CLASSES_ALL, event: one of it or WF_CLASSES_ALL. Events from number
// WF_CFG_CLASS_EVENTS - 1 on share the last switch of their class, which only ALL moves. Context of
// these and of the filters and handlers: a thread, or where the critical section can be taken.
// Events that are on their way meanwhile go by the old state or the new; while a filter or handler
// is being changed, also by none.
int wf_classes_switch(int cls, int32_t event, bool on);
int wf_classes_set_form(int cls, int32_t event, enum wf_classes_form form);

// Static filters: only events while process `pid` runs, or its thread `tid`. One of each kind for a
// class and for each of its events; all of them must agree. A second call changes the first. Only
// kernel calls, THREAD, VTHREAD, SYSTEM and COMM have a thread; where none runs they do not agree.
// pid and tid have as many bits here as pointers.
enum wf_classes_kind { WF_CLASSES_PID = 1, WF_CLASSES_TID = 2 };
int wf_classes_filter(int cls, int32_t event, enum wf_classes_kind kind, uint32_t pid,
                      uint32_t tid); // tid: of kind TID
int wf_classes_unfilter(int cls, int32_t event, enum wf_classes_kind kind);

// What a handler sees.
struct wf_classes_event {
    uint32_t head;         // class, event, and structure in bits 30..31 (wf_slot.h); no core
    const uint32_t *words; // as they will be kept, in the fast or the wide form; never null
    unsigned count;
    void *area;       // as given with the handler
    uint32_t feature; // bit 0: pid is known, bit 1: tid is
    uint32_t pid, tid;
};
enum { WF_CLASSES_HAS_PID = 1, WF_CLASSES_HAS_TID = 2 };

// Dynamic filters: called for each event that is switched on and not filtered away, before it takes
// a slot, in the context it is recorded in; 0 discards it. That of the class first, then that of
// the event. A handler must be short and record nothing. One that is taken away may still be
// running elsewhere.
int wf_classes_set_handler(int cls, int32_t event, int (*handler)(struct wf_classes_event *),
                           void *area); // null handler: takes it away

// ---- events ----

// Which words the fast form of an event has, in its order: of all of them numbers a, b (0..15);
// or the first n (up to 7).
#define WF_CLASSES_SAME        0u // the two forms are one
#define WF_CLASSES_FAST1(a)    (1u | (uint32_t)(a) << 4)
#define WF_CLASSES_FAST2(a, b) (2u | (uint32_t)(a) << 4 | (uint32_t)(b) << 8)
#define WF_CLASSES_FIRST(n)    (0x65432100u + (n))

// Records an event if it is wanted: words of the wide form, `fast` selects those of the fast form.
// Up to 2 * (WF_CFG_CHUNK - 5) words. event: with WF_SAT_64 added, its variant for 64 bits. Of
// interrupts it is the number of the interrupt, which is one of the words, too. Context: any.
int wf_classes_record(unsigned cls, uint32_t event, const uint32_t *words, unsigned count,
                      uint32_t fast);
// The same with a text behind up to WF_CLASSES_TEXT_WORDS words: ends at 127 bytes, and a zero.
// (Chunks of 16 slots take 88 bytes in all.)
enum { WF_CLASSES_TEXT = 128, WF_CLASSES_TEXT_WORDS = 8 };
int wf_classes_record_text(unsigned cls, uint32_t event, const uint32_t *words, unsigned count,
                           const char *text);

// Whether an event is switched on and the trace started, to be asked before its words are put
// together; filters and handlers are asked later. event: without WF_SAT_64. Context: any.
static inline bool wf_classes_wants(unsigned cls, uint32_t event);

// ---- inside; not for users ----

#if UINTPTR_MAX < 0xFFFFFFFFu
// In pieces: what changes does so with interrupts off, and keys are looked at twice.
#define WFI_CLASS_GET(p, order)    (*(const volatile __typeof__(*(p)) *)(p))
#define WFI_CLASS_SET(p, v, order) (*(volatile __typeof__(*(p)) *)(p) = (v))
#else
#define WFI_CLASS_GET(p, order)    __atomic_load_n((p), __ATOMIC_##order)
#define WFI_CLASS_SET(p, v, order) __atomic_store_n((p), (v), __ATOMIC_##order)
#endif

// A filter or a handler: what it is for, and its two values.
struct wfi_class_rule {
    uint32_t key;
    uintptr_t value[2];
};

enum { WFI_CLASS_WORDS = WF_CFG_CLASS_EVENTS / 32 };

struct wfi_classes {
    uint32_t on[WF_SAT_CLASS_END][WFI_CLASS_WORDS], wide[WF_SAT_CLASS_END][WFI_CLASS_WORDS];
    uint32_t running;           // classes whose events are kept, a bit for each
    uint32_t filtered, handled; // classes that have filters, handlers
    uint8_t keep;               // 0: as the recorder was started, 1: the newest, 2: the oldest
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
