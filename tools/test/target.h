// SPDX-License-Identifier: MIT
// The target under test: what comes from it, one arrival after the other, commands to it, and how
// it is started anew. Runs the event loop while it waits.
#ifndef TEST_TARGET_H
#define TEST_TARGET_H

#include <signal.h>
#include <stdio.h>

#include "program.h"
#include "wallfly_backend/wf_hub.h"
#include "wallfly_host/wf_command.h"
#include "wallfly_host/wf_writer.h"

enum came {
    CAME_LINE,
    CAME_START,   // the target has started anew
    CAME_GONE,    // the link to it is down
    CAME_NOTHING, // in the time given
    CAME_STOP     // Ctrl-C, or the link is dead
};

struct arrival {
    enum came what;
    bool stamped, is_record;
    struct wf_record record; // of the line, if is_record; its payload lies in `bytes`
    const char *text;        // line as QSPY prints it; GONE: why
    struct arrival *next;
    char bytes[];
};

struct names;

struct target_options {
    const char *source, *command, *dic;
    struct names *names; // of the program, opened; stays the caller's
    double start_s;      // how long it may take to start
    FILE *log;           // what comes and goes, or null
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
    const struct wf_item *item;     // being written
    bool hidden;                    // of a record that is no line
    unsigned resets;                // target infos of a start that have been seen
    bool announced;                 // the target that is connected has sent one, or was waited for
    bool met;                       // it has connected, since the program was started
    bool coming;                    // a start is on its way, nobody has to ask for it
    bool hangs;                     // it has not answered
    bool dead;                      // the link has failed
    volatile sig_atomic_t *stopped; // set by a signal
};

// Complains itself; returns an exit code.
int target_open(struct target *t, const struct target_options *options,
                volatile sig_atomic_t *stopped);
void target_close(struct target *t);

struct wf_session *target_session(const struct target *t);

// What comes next, within so many seconds. The arrival (not set for NOTHING and STOP) is the
// caller's to free.
enum came target_next(struct target *t, double seconds, struct arrival **arrival);
// Lets so much time pass; what comes is queued.
void target_run(struct target *t, unsigned milliseconds);
// Returns WF_OK or an error of wf_hub_send.
int target_send(struct target *t, uint8_t command, const void *payload, size_t len);
// Starts it anew and drops all that came before. False: why says what went wrong.
//   failed   the test before has, and nobody knows what the target does
bool target_restart(struct target *t, bool failed, char why[512]);

#endif
