// SPDX-License-Identifier: MIT
// The reading that makes the history of an object (object_reading.c).
#ifndef OBJECT_HISTORY_PRIVATE_H
#define OBJECT_HISTORY_PRIVATE_H

#include "event_file.h"
#include "wallfly_server/object_history.h"

enum event_kind { EVENT_TAKE, EVENT_GIVE, EVENT_WAIT, EVENT_REFUSED, EVENT_LOSS, EVENT_KINDS };
// How a wait ended; of a take of a mutex GOT: it was given back.
enum event_end { END_OPEN, END_GOT, END_TIMEOUT, END_REFUSED, END_GAVE_UP, END_CUT, EVENT_ENDS };
enum { EVENT_BEGIN_UNKNOWN = 1, EVENT_LEVEL = 2, EVENT_HOLDS = 4 }; // flags

#define NO_TASK UINT32_MAX // fits no enumeration

struct event {
    uint64_t tick, end; // end: of waits and holds that have ended
    uint64_t record;    // number of the record that reported it; 0: none
    int64_t level;      // LEVEL: entries or units afterwards
    uint32_t task;      // NO_TASK: an interrupt, or not known
    uint32_t holder;    // of a wait for a mutex: its holder then; NO_TASK: not known
    uint8_t kind, how, flags;
};

struct history_task {
    char *name;
    uint64_t events;
};

struct history {
    uint32_t entity;
    bool used;
    uint64_t key, read; // read: records of the trace when it was read
    unsigned life;      // number of earlier objects with this key
    uint64_t turn;      // when it was last used
    struct event_file events;
    uint64_t left; // events beyond OBJECT_EVENTS
    struct history_task *tasks;
    uint32_t task_count;
    uint64_t kinds[EVENT_KINDS], ends[EVENT_ENDS];      // ends: of waits
    uint64_t longest_wait, longest_hold, first_timeout; // events; UINT64_MAX: none
    uint64_t wait_ticks, hold_ticks;
    // The events of the current filter.
    char only[16];
    int64_t task;
    struct event_file shown; // indices (uint32_t)
    bool filtered;           // else all events are shown
};

// Reads the trace. h: with key, life and open files.
int history_read(struct history *h, const struct page_query_context *a, struct wf_error *error);

#endif
