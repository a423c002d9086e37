// SPDX-License-Identifier: MIT
// A link to a target with a queue of commands (wf_command_queue.h). Shared by send and attach.
#ifndef TALK_H
#define TALK_H

#include <uv.h>

#include "cmd.h"
#include "input_options.h"
#include "names.h"
#include "wallfly_backend/wf_command_queue.h"
#include "wallfly_backend/wf_dic.h"
#include "wallfly_backend/wf_hub.h"

struct talk;

struct talk_handlers {
    void *ctx;
    void (*result)(void *ctx, const struct wf_command_result *result);
    // A message for the user, without end of line.
    void (*report)(void *ctx, const char *text);
    void (*done)(void *ctx, int err); // the link has ended, see wf_link.h; talk_run returns
    // The others may be null.
    void (*item)(void *ctx, const struct wf_item *item);
    // Called once per iteration of the loop, before it waits.
    void (*turn)(void *ctx);
    void (*interrupted)(void *ctx); // by a signal; talk_run returns
};

struct talk_options {
    struct wf_session_options session;
    const char *dic;            // dictionary file, see struct wf_dic
    struct names *names;        // of the program, opened; owned by the caller
    bool assume;                // the sizes are right even if the target has not sent them
    bool keep_filters;          // restore the filters after the target resets
    bool once;                  // end when the first target has disconnected
    enum wf_ask ask;            // see wf_link.h
    bool patient;               // commands wait for a target, and for names it has not sent yet
    struct input_options input; // read by talk_parse, closed by the caller
    double timeout_s;           // to wait for the answer of a command
    double wait_s;              // patient: to wait for a target; 0: forever
};

// Sets the options that send and attach share, which begin with STREAM_SESSION_ROWS. timeout: value
// of --timeout, or null. Returns an exit code, after an error message.
int talk_parse(const struct args *args, const char *timeout, struct talk_options *o);
// Returns an exit code, after an error message.
int talk_open(const char *source, const struct talk_options *options,
              const struct talk_handlers *on, struct talk **talk);
void talk_run(struct talk *t);        // until talk_stop, the end of the link, or a signal
void talk_stop(struct talk *t);       // from a handler
uv_loop_t *talk_loop(struct talk *t); // for other handles; close them before talk_close
void talk_close(struct talk *t);

struct wf_command_queue *talk_queue(struct talk *t);

// (talk_json.c) Prints a result as a line of JSON.
void talk_json(struct talk *t, const struct wf_command_result *r);

struct wf_session *talk_session(struct talk *t);

extern const char talk_server[]; // the source when none is given: a running `wallfly serve`

#endif
