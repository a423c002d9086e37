// SPDX-License-Identifier: MIT
// Talking to a target: commands in words are sent one after the other, each when the one before
// has its answer. What send and attach share. It runs on the caller's libuv loop.
#ifndef TALK_H
#define TALK_H

#include <uv.h>

#include "cmd.h"
#include "names.h"
#include "wallfly_backend/wf_dic.h"
#include "wallfly_backend/wf_hub.h"
#include "wallfly_host/wf_command.h"

struct talk;

enum talk_end {
    TALK_GOOD,
    TALK_REFUSED, // the target said no
    TALK_SILENT,  // it did not answer in time
    TALK_WRONG,   // the command makes no sense; nothing was sent
    TALK_LINK     // there is no target, or nothing can be sent to it
};

struct talk_result {
    const char *command; // as it was given
    const char *name;    // its first word
    enum talk_end end;
    const char *text;               // for people, without end of line
    const struct wf_answer *answer; // null: nothing was sent
};

struct talk_handlers {
    void *ctx; // all functions must be there
    void (*item)(void *ctx, const struct wf_item *item);
    void (*result)(void *ctx, const struct talk_result *result);
    void (*say)(void *ctx, const char *text);
    // Once in each turn of the loop, before it waits.
    void (*turn)(void *ctx);
    void (*done)(void *ctx, int err); // the link has ended, see wf_link.h
};

struct talk_options {
    struct wf_session_options session;
    const char *dic;     // dictionary file, as struct wf_dic
    struct names *names; // of the program, opened; stays the caller's
    bool assume;         // the sizes are right though the target has not told them
    bool keep_filters;   // after a reset of the target
    bool once;           // ends when the first target has left
    enum wf_ask ask;     // see wf_link.h
    bool patient;        // commands wait for a target, and for names it has not told yet
    unsigned timeout_ms; // for the answer of a command
    unsigned wait_ms;    // patient: for a target; 0: for ever
};

//   returns  an exit code; it has complained
int talk_open(uv_loop_t *loop, const char *source, const struct talk_options *options,
              const struct talk_handlers *on, struct talk **talk);
void talk_close(struct talk *t); // frees itself as the loop goes on

// Queues a command; the words are copied. False when out of memory.
bool talk_put(struct talk *t, char *const word[], unsigned count);
bool talk_idle(const struct talk *t); // every command has had its result
// Forgets the commands that have not been begun.
void talk_drop(struct talk *t);

struct wf_session *talk_session(struct talk *t);
const struct wf_commander *talk_commander(const struct talk *t);

// "1.5" in seconds, to milliseconds. Complains and returns false if it is not from 0.001 to 86400.
bool talk_seconds(const char *option, const char *text, unsigned *ms);
extern const char talk_server[]; // the source when none is given: a running `wallfly serve`

#endif
