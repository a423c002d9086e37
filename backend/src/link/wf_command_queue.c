// SPDX-License-Identifier: MIT
// See wf_command_queue.h.

#include "wallfly_backend/wf_command_queue.h"

#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "wfb_options.h"

// A newly connected target sends its target info, and counts commands from 1. So commands wait
// until the target has sent it, or for SETTLE_MS.
enum { SETTLE_MS = 200 };

struct queued {
    struct queued *next;
    char *command; // as the result shows it
    unsigned count;
    char *word[]; // their text is stored after them
};

struct wf_command_queue {
    struct wf_command_queue_options o;
    struct wf_commander *commander;
    uv_timer_t timer;
    struct queued *first, **last;
    unsigned waiting;
    struct wf_words words;
    struct wf_request request;
    struct wf_answer answer;
    unsigned frame;  // frame of the request being sent
    bool asking;     // waiting for an answer
    bool up;         // a target is connected
    bool been_up;    // an earlier one has disconnected
    bool settled;    // the target's first records have arrived
    bool late;       // the first command has timed out waiting for a target or names
    bool asked_info; // INFO was sent for it
    unsigned resets; // resets of the target seen so far
};

const char *wf_outcome_name(enum wf_outcome outcome) {
    static const char *const names[] = {
#define O(NAME, name) #name,
        WF_OUTCOMES(O)
#undef O
    };
    return names[outcome];
}

static struct queued *take_first(struct wf_command_queue *q) {
    struct queued *c = q->first;
    q->first = c->next;
    if (!q->first) q->last = &q->first;
    --q->waiting;
    return c;
}

static void stop_waiting(struct wf_command_queue *q) {
    uv_timer_stop(&q->timer);
    q->asking = q->late = q->asked_info = false;
}

// The handler may drop the commands that wait.
static void end_first(struct wf_command_queue *q, enum wf_outcome outcome, const char *text) {
    struct queued *c = take_first(q);
    const struct wf_command_result r = {c->command, c->word[0], outcome, text,
                                        q->asking ? &q->answer : NULL};
    q->o.result(q->o.ctx, &r);
    stop_waiting(q);
    free(c);
}

static void on_timer(uv_timer_t *timer);

static void send_frame(struct wf_command_queue *q) {
    const struct wf_frame *f = &q->request.frame[q->frame];
    wf_answer_begin(&q->answer, q->o.session, q->request.row, f);
    int err = q->o.send(q->o.ctx, f);
    if (err != WF_OK) {
        end_first(q, WF_OUTCOME_LINK, wf_err_text(err));
        return;
    }
    wf_command_sent(q->commander, f);
    q->asking = true;
    uv_timer_start(&q->timer, on_timer, q->o.answer_ms, 0);
}

static void wait_for(struct wf_command_queue *q, unsigned ms) {
    if (ms && !uv_is_active((uv_handle_t *)&q->timer)) uv_timer_start(&q->timer, on_timer, ms, 0);
}

static void ask_for_info(struct wf_command_queue *q) {
    const struct wf_frame info = {.record = WF_COMMAND_INFO};
    if (!q->asked_info) q->o.send(q->o.ctx, &info);
    q->asked_info = true;
}

// Sends the first command if possible; else it stays in the queue, or ends with a result at once.
static void begin_first(struct wf_command_queue *q) {
    if (!q->up) {
        if (!q->o.patient || q->late)
            end_first(q, WF_OUTCOME_LINK, "no target is connected");
        else
            wait_for(q, q->o.wait_ms);
        return;
    }
    if (!q->settled) return;
    enum wf_made made = wf_command_make(q->commander, q->first->word, q->first->count, &q->request);
    bool lacking = made == WF_MADE_NO_INFO || (made == WF_MADE_NO_NAME && q->o.patient);
    if (lacking && !q->late) {
        if (made == WF_MADE_NO_INFO) ask_for_info(q);
        wait_for(q, q->o.answer_ms);
        return;
    }
    uv_timer_stop(&q->timer);
    if (made != WF_MADE) {
        end_first(q, WF_OUTCOME_WRONG, q->request.problem);
        return;
    }
    q->frame = 0;
    send_frame(q);
}

static void settle(struct wf_command_queue *q) {
    if (q->settled) return;
    q->settled = true;
    uv_timer_stop(&q->timer);
}

void wf_command_queue_run(struct wf_command_queue *q) {
    // On the first connection known info must be of this target; a server sends all of it.
    if (q->up && !q->been_up && wf_session_target(q->o.session)->known) settle(q);
    for (const struct queued *c = NULL; q->first && !q->asking && q->first != c;) {
        c = q->first;
        begin_first(q);
    }
}

static void on_timer(uv_timer_t *timer) {
    struct wf_command_queue *q = timer->data;
    if (q->asking)
        end_first(q, WF_OUTCOME_SILENT, q->answer.text);
    else if (q->up && !q->settled)
        q->settled = true;
    else
        q->late = true;
    wf_command_queue_run(q);
}

static void take_answer(struct wf_command_queue *q, enum wf_answer_state state) {
    if (state == WF_ANSWER_WAITING) return;
    bool good = state == WF_ANSWER_GOOD;
    if (good && ++q->frame < q->request.count)
        send_frame(q);
    else
        end_first(q, good ? WF_OUTCOME_GOOD : WF_OUTCOME_REFUSED, q->answer.text);
}

void wf_command_queue_item(struct wf_command_queue *q, const struct wf_item *item) {
    const struct wf_record *r = &item->record;
    unsigned resets = wf_session_target(q->o.session)->resets;
    if (resets != q->resets) wf_command_reset(q->commander, q->o.keep_filters);
    q->resets = resets;
    if (q->asking) take_answer(q, wf_answer_take(&q->answer, q->o.session, item));
    bool whole = item->kind == WF_ITEM_RECORD && r->row && !r->left && !r->missing;
    if (whole && r->row->effect == WF_EFFECT_TARGET_INFO) settle(q);
}

void wf_command_queue_link(struct wf_command_queue *q, bool up) {
    q->up = up;
    if (up) {
        q->late = q->settled = false;
        uv_timer_start(&q->timer, on_timer, SETTLE_MS, 0);
        return;
    }
    q->been_up = true;
    if (q->asking) {
        take_answer(q, wf_answer_down(&q->answer));
    } else { // the first command waits for a target again
        uv_timer_stop(&q->timer);
        q->late = false;
    }
}

void wf_command_queue_fail(struct wf_command_queue *q) {
    while (q->first) end_first(q, WF_OUTCOME_LINK, "no target is connected");
}

// ---- the queue

static size_t copy_text(char *to, const char *text, size_t len, char end) {
    memcpy(to, text, len);
    to[len] = end;
    return len + 1;
}

bool wf_command_queue_put(struct wf_command_queue *q, const char *text, size_t text_len,
                          char *const word[], unsigned count) {
    size_t len = 0;
    for (unsigned i = 0; i < count; ++i) len += strlen(word[i]) + 1;
    struct queued *c = calloc(1, sizeof *c + count * sizeof *c->word + 2 * len + text_len + 1);
    if (!c) return false;
    char *to = (char *)(c->word + count);
    c->count = count;
    for (unsigned i = 0; i < count; ++i) {
        c->word[i] = to;
        to += copy_text(to, word[i], strlen(word[i]), 0);
    }
    c->command = to;
    if (text) copy_text(to, text, text_len, 0);
    for (unsigned i = 0; i < count && !text; ++i)
        to += copy_text(to, word[i], strlen(word[i]), i + 1 < count ? ' ' : 0);
    *q->last = c;
    q->last = &c->next;
    ++q->waiting;
    return true;
}

static void reject(struct wf_command_queue *q, const char *command, const char *why) {
    const struct wf_command_result r = {command, command, WF_OUTCOME_WRONG, why, NULL};
    q->o.result(q->o.ctx, &r);
}

void wf_command_queue_line(struct wf_command_queue *q, const char *line) {
    const char *at = line;
    for (const char *from = at; wf_words_next(&at, &q->words); from = at) {
        from += strspn(from, " \t;");
        size_t len = (size_t)(at - from);
        while (len && strchr(" \t;", from[len - 1])) --len;
        bool full = q->o.most && q->waiting == q->o.most;
        if (full || !wf_command_queue_put(q, from, len, q->words.word, q->words.count))
            reject(q, "", "too many commands are queued");
    }
    if (*q->words.problem) reject(q, line, q->words.problem);
}

bool wf_command_queue_idle(const struct wf_command_queue *q) { return !q->first; }

void wf_command_queue_drop(struct wf_command_queue *q) {
    // A later answer or time-out belongs to no command. Before that the timer is that of SETTLE_MS.
    if (q->settled || !q->up) stop_waiting(q);
    while (q->first) free(take_first(q));
}

struct wf_commander *wf_command_queue_commander(struct wf_command_queue *q) {
    return q->commander;
}

struct wf_command_queue *wf_command_queue_open(uv_loop_t *loop,
                                               const struct wf_command_queue_options *options) {
    struct wf_error error;
    struct wf_command_queue *q = calloc(1, sizeof *q);
    if (q && wfb_copy_options(&q->o, sizeof q->o, options, &error) == WF_OK)
        q->commander = wf_commander_open(q->o.session);
    if (!q || !q->commander) {
        free(q);
        return NULL;
    }
    q->last = &q->first;
    uv_timer_init(loop, &q->timer);
    q->timer.data = q;
    return q;
}

static void on_closed(uv_handle_t *handle) { free(handle->data); }

void wf_command_queue_close(struct wf_command_queue *q) {
    if (!q) return;
    wf_command_queue_drop(q);
    wf_commander_close(q->commander);
    uv_close((uv_handle_t *)&q->timer, on_closed);
}
