// SPDX-License-Identifier: MIT
// See page_commands.h. Uses the page's own session, so that the trace is decoded once.

#include "wallfly_server/page_commands.h"

#include <stdlib.h>
#include <string.h>

enum { WAITING_MAX = 64, ANSWER_MS = 3000 };

struct wanted {
    struct wanted *next;
    char text[]; // one command
};

struct page_commands {
    struct wf_session *session;
    struct wf_commander *commander;
    page_send_fn *send;
    page_result_fn *result;
    void *ctx;
    uv_timer_t timer;
    struct wanted *first, **last;
    unsigned waiting;
    struct wf_words words;
    struct wf_request request;
    struct wf_answer answer;
    unsigned frame; // frame of the request being sent
    unsigned resets;
    bool asking, up, keep, going;
};

static void on_timer(uv_timer_t *timer);

static void finish_first(struct page_commands *c, const char *end, const char *text) {
    struct wanted *w = c->first;
    c->first = w->next;
    if (!c->first) c->last = &c->first;
    --c->waiting;
    c->asking = false;
    uv_timer_stop(&c->timer);
    c->result(c->ctx, w->text, end, text);
    free(w);
}

static void send_frame(struct page_commands *c) {
    const struct wf_frame *f = &c->request.frame[c->frame];
    wf_answer_begin(&c->answer, c->session, c->request.row, f);
    int err = c->send(c->ctx, f);
    if (err != WF_OK) {
        finish_first(c, "link", wf_err_text(err));
        return;
    }
    wf_command_sent(c->commander, f);
    c->asking = true;
    uv_timer_start(&c->timer, on_timer, ANSWER_MS, 0);
}

static void send_next(struct page_commands *c) {
    const char *at = c->first->text;
    if (!c->up) {
        finish_first(c, "link", "no target is connected");
    } else if (!wf_words_next(&at, &c->words)) {
        finish_first(c, "wrong", *c->words.problem ? c->words.problem : "it contains no command");
    } else if (wf_command_make(c->commander, c->words.word, c->words.count, &c->request) !=
               WF_MADE) {
        finish_first(c, "wrong", c->request.problem);
    } else {
        c->frame = 0;
        send_frame(c);
    }
}

// Not reentrant: a result may arrive while the next command is sent.
static void run_queue(struct page_commands *c) {
    if (c->going) return;
    c->going = true;
    while (c->first && !c->asking) send_next(c);
    c->going = false;
}

static void on_timer(uv_timer_t *timer) {
    struct page_commands *c = timer->data;
    if (c->asking) finish_first(c, "silent", c->answer.text);
    run_queue(c);
}

static void take_answer(struct page_commands *c, enum wf_answer_state state) {
    if (state == WF_ANSWER_WAITING) return;
    bool good = state == WF_ANSWER_GOOD;
    if (good && ++c->frame < c->request.count)
        send_frame(c);
    else
        finish_first(c, good ? "good" : "refused", c->answer.text);
    run_queue(c);
}

void page_commands_item(struct page_commands *c, const struct wf_item *item) {
    unsigned resets = wf_session_target(c->session)->resets;
    if (resets != c->resets) wf_command_reset(c->commander, c->keep);
    c->resets = resets;
    if (c->asking) take_answer(c, wf_answer_take(&c->answer, c->session, item));
}

void page_commands_up(struct page_commands *c, bool up) {
    c->up = up;
    if (!up && c->asking) take_answer(c, wf_answer_down(&c->answer));
    run_queue(c);
}

static void queue_command(struct page_commands *c, const char *text, size_t len) {
    struct wanted *w = c->waiting < WAITING_MAX ? calloc(1, sizeof *w + len + 1) : NULL;
    if (!w) {
        c->result(c->ctx, "", "wrong", "too many commands are queued");
        return;
    }
    memcpy(w->text, text, len);
    *c->last = w;
    c->last = &w->next;
    ++c->waiting;
}

void page_commands_take(struct page_commands *c, const char *line) {
    const char *at = line;
    for (const char *from = at; wf_words_next(&at, &c->words); from = at) {
        from += strspn(from, " \t;");
        size_t len = (size_t)(at - from);
        while (len && strchr(" \t;", from[len - 1])) --len;
        if (c->words.count) queue_command(c, from, len);
    }
    if (*c->words.problem) c->result(c->ctx, line, "wrong", c->words.problem);
    run_queue(c);
}

struct page_commands *page_commands_open(uv_loop_t *loop, struct wf_session *s, page_send_fn *send,
                                         page_result_fn *result, void *ctx, bool keep) {
    struct page_commands *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    c->commander = wf_commander_open(s);
    if (!c->commander) {
        free(c);
        return NULL;
    }
    c->session = s;
    c->send = send;
    c->result = result;
    c->ctx = ctx;
    c->keep = keep;
    c->last = &c->first;
    uv_timer_init(loop, &c->timer);
    c->timer.data = c;
    return c;
}

static void on_closed(uv_handle_t *handle) { free(handle->data); }

void page_commands_close(struct page_commands *c) {
    if (!c) return;
    while (c->first) {
        struct wanted *w = c->first;
        c->first = w->next;
        free(w);
    }
    wf_commander_close(c->commander);
    uv_close((uv_handle_t *)&c->timer, on_closed);
}
