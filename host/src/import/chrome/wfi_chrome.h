// SPDX-License-Identifier: MIT
// Internals of the importer of Chrome trace events.
#ifndef WFI_CHROME_H
#define WFI_CHROME_H

#include "util/wfi_index.h"
#include "wfi_json.h"

enum {
    WFI_CHROME_THREADS = 65536,
    WFI_CHROME_SPANS = 64,  // open spans of a thread whose names are kept
    WFI_CHROME_DAMAGE = 256 // ranges of damage reported one by one
};

// The members of an event; strings still have their escapes.
struct wfi_chrome_event {
    char ph;
    struct wfi_part name, cat, id, pid, tid, args;
    bool timed, lasts; // has ts, dur
    int64_t ts, dur;   // in nanoseconds
};

// Takes an event whose "{" has been taken. Returns false if it is no JSON; ph 0: it is no event.
bool wfi_chrome_read(struct wfi_json *j, struct wfi_chrome_event *e);

// What happens at a time: an event, or the end of one. In the order of the trace:
enum wfi_chrome_phase {
    WFI_CHROME_END,   // ends of spans; those that began last are first
    WFI_CHROME_EVENT, // events in the order of the file
    WFI_CHROME_BEGIN  // begins of spans whose length is known; the longest first
};
struct wfi_chrome_entry {
    int64_t ts;
    int64_t order; // among those of the same time and phase: the least first
    uint64_t at;   // of the event, in the file
    uint32_t thread;
    uint8_t phase;
};

struct wfi_chrome_thread {
    struct wfi_part pid, tid, name; // valid while the file is indexed
    uint64_t key;
    unsigned span_count;
    uint64_t *spans; // keys of their names
};

struct wfi_chrome_process {
    struct wfi_part pid, name; // valid while the file is indexed
};

struct wfi_chrome {
    bool begun;
    struct wfi_chrome_entry *entries;
    size_t count, cap, next;
    int64_t zero; // time of tick 0
    struct wfi_chrome_thread *threads;
    size_t thread_count, thread_cap;
    struct wfi_chrome_process *processes;
    size_t process_count, process_cap;
    struct wfi_index thread_index, process_index;
    uint64_t damage_at, damage_len; // not reported yet
    unsigned damages;
};

static inline struct wfi_chrome *wfi_chrome_of(struct wfi_import *im) { return im->state; }

// Finds all events of the file, names the threads, and sorts (wf_chrome_index.c).
void wfi_chrome_index(struct wfi_import *im, const char *text, size_t len);
// Reports the damage that is not reported yet.
void wfi_chrome_damage(struct wfi_import *im);
// Emits the records of an entry (wf_chrome_events.c).
void wfi_chrome_emit(struct wfi_import *im, const struct wfi_chrome_entry *entry,
                     const struct wfi_chrome_event *e);

#endif
