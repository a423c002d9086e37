// SPDX-License-Identifier: MIT
// The target under test: a queue of its output, commands to it, and its restart. Runs the event
// loop while it waits.
#ifndef TEST_TARGET_H
#define TEST_TARGET_H

#include <signal.h>
#include <stdio.h>

#include "program.h"
#include "wallfly_backend/wf_hub.h"
#include "wallfly_host/wf_command.h"
#include "wallfly_host/wf_writer.h"

enum arrival_kind {
    ARRIVAL_LINE,
    ARRIVAL_START,   // the target has restarted
    ARRIVAL_DOWN,    // the link to it is closed
    ARRIVAL_TIMEOUT, // nothing within the given time
    ARRIVAL_STOP     // Ctrl-C, or the link has failed
};

struct arrival {
    enum arrival_kind kind;
    bool stamped, is_record;
    struct wf_record record; // record of the line, if is_record; its payload is in `bytes`
    const char *text;        // line as QSPY prints it; DOWN: the reason
    struct arrival *next;
    char bytes[];
};

struct names;

struct target_options {
    const char *source, *command, *dic;
    struct names *names; // of the program, opened; owned by the caller
    double start_s;      // longest time of a start
    FILE *log;           // log of both directions, or null
};

struct target {
    struct target_options options;
    uv_loop_t loop;
    uv_timer_t timer;
    struct wf_hub *hub;
    struct wf_commander *commander;
    struct wf_writer *writer;
    struct program program;
    struct arrival *first, **last;
    const struct wf_item *item;     // the item being printed
    bool hidden;                    // the record is not shown as a line
    unsigned resets;                // target infos of starts seen so far
    bool announced;                 // the connected target has sent one, or the wait for it is over
    bool met;                       // connected since the program was started
    bool coming;                    // a start is expected without a request
    bool hangs;                     // the target has not answered
    bool dead;                      // the link has failed
    volatile sig_atomic_t *stopped; // set by a signal
};

// Prints errors itself; returns an exit code.
int target_open(struct target *t, const struct target_options *options,
                volatile sig_atomic_t *stopped);
void target_close(struct target *t);

struct wf_session *target_session(const struct target *t);

// Waits for the next arrival, at most `seconds`. The caller frees it (not set for TIMEOUT and
// STOP).
enum arrival_kind target_next(struct target *t, double seconds, struct arrival **arrival);
// Runs the loop for that time; arrivals are queued.
void target_run(struct target *t, unsigned milliseconds);
// Returns WF_OK or an error of wf_hub_send.
int target_send(struct target *t, uint8_t command, const void *payload, size_t len);
// Restarts the target and drops all earlier arrivals. Returns false with why on an error.
//   failed   the previous test has failed, so the target's state is unknown
bool target_restart(struct target *t, bool failed, char why[512]);

#endif
