// SPDX-License-Identifier: MIT
// Sends commands in words to a target, one after the other: each when the one before has its answer
// or has timed out. A command is encoded when a target is connected and the names that it needs are
// known; it stays in the queue until its answer has arrived. It runs on the caller's libuv loop;
// all functions must be called from the loop's thread.
#ifndef WF_COMMAND_QUEUE_H
#define WF_COMMAND_QUEUE_H

#include "wallfly_host/wf_command.h"

#ifdef __cplusplus
extern "C" {
#endif

struct uv_loop_s; // uv_loop_t
struct wf_command_queue;

// O(NAME, name): how a command has ended; the name as in JSON (docs/commands.md).
#define WF_OUTCOMES(O)                                                                             \
    O(GOOD, good)                                                                                  \
    O(REFUSED, refused) /* the target reported an error */                                         \
    O(SILENT, silent)   /* no answer in time */                                                    \
    O(WRONG, wrong)     /* the command is not valid; nothing was sent */                           \
    O(LINK, link)       /* no target, or the link cannot send */
enum wf_outcome {
#define WF_OUTCOME_ENUM(NAME, name) WF_OUTCOME_##NAME,
    WF_OUTCOMES(WF_OUTCOME_ENUM)
#undef WF_OUTCOME_ENUM
};
const char *wf_outcome_name(enum wf_outcome outcome);

struct wf_command_result {
    const char *command; // as given
    const char *name;    // its first word
    enum wf_outcome outcome;
    const char *text;               // message for the user, without end of line
    const struct wf_answer *answer; // null: nothing was sent
};

struct wf_command_queue_options {
    size_t size;                // sizeof(struct wf_command_queue_options)
    struct wf_session *session; // decodes the target's bytes; must outlive the queue
    void *ctx;                  // passed to the functions
    int (*send)(void *ctx, const struct wf_frame *frame); // as wf_hub_send
    void (*result)(void *ctx, const struct wf_command_result *result);
    bool keep_filters;  // the filters are restored after the target resets
    bool patient;       // commands wait for a target, and for names it has not sent yet
    unsigned answer_ms; // to wait for an answer, or for a name
    unsigned wait_ms;   // patient: to wait for a target; 0: forever
    unsigned most;      // waiting commands, further ones are WRONG; 0: any number
};

// Returns null when out of memory, or for options without a size.
struct wf_command_queue *wf_command_queue_open(struct uv_loop_s *loop,
                                               const struct wf_command_queue_options *options);
// `queue` may be null. Frees itself as the loop runs.
void wf_command_queue_close(struct wf_command_queue *queue);
// For completion, and for wf_commander_assume.
struct wf_commander *wf_command_queue_commander(struct wf_command_queue *queue);

// Appends a command; its words are copied. text: as the result shows it; null: the words separated
// by blanks. Returns false when out of memory.
bool wf_command_queue_put(struct wf_command_queue *queue, const char *text, size_t len,
                          char *const word[], unsigned count);
// Appends the commands of a line, as in a file for `wallfly send`.
void wf_command_queue_line(struct wf_command_queue *queue, const char *line);
bool wf_command_queue_idle(const struct wf_command_queue *queue); // every command has its result
void wf_command_queue_drop(struct wf_command_queue *queue); // drops the commands, without results
void wf_command_queue_fail(struct wf_command_queue *queue); // no target will come: LINK for all

// The caller reports when a target has connected or disconnected, and each item of the session.
void wf_command_queue_link(struct wf_command_queue *queue, bool up);
void wf_command_queue_item(struct wf_command_queue *queue, const struct wf_item *item);
// Sends what can be sent. Call it once per iteration of the loop, before it waits.
void wf_command_queue_run(struct wf_command_queue *queue);

#ifdef __cplusplus
}
#endif
#endif
