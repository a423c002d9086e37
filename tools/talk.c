// SPDX-License-Identifier: MIT
// A queue of commands for a hub. The first command is encoded to frames when a target is connected
// and the required names are known. It stays in the queue until its answer has arrived or it has
// timed out.

#include "talk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stream.h"
#include "term/signals.h"

// A newly connected target sends its target info, and counts commands from 1. So commands wait
// until the target has sent it, or for SETTLE_MS.
enum { SETTLE_MS = 200 };

struct wanted {
    struct wanted *next;
    char *command; // the words separated by blanks
    unsigned count;
    char *word[]; // their text is stored after them
};

struct talk {
    uv_loop_t loop;
    struct signals signals;
    struct wf_hub *hub;
    struct wf_commander *commander;
    struct talk_options options;
    struct talk_handlers on;
    struct wf_dic dic;
    uv_timer_t timer;
    uv_prepare_t prepare;
    struct wanted *first, **last;
    struct wf_request request;
    struct wf_answer answer;
    unsigned frame; // frame of the request being sent
    bool asking;    // waiting for an answer
    bool closing;
    bool file;       // the source is a file: do not report connections
    bool late;       // the first command has timed out waiting for a target or names
    bool asked_info; // INFO was sent for it
    bool settled;    // the target's first records have arrived
    bool been_up;
    unsigned resets; // resets of the target seen so far
};

const char talk_server[] = "spy:127.0.0.1:7701";

bool talk_parse(const struct args *args, const char *timeout, struct talk_options *o) {
    o->dic = args->value[STREAM_DIC];
    o->assume = args->value[STREAM_SIZES] || o->dic;
    o->timeout_s = 1;
    return source_ask(args->value[STREAM_ASK], true, &o->ask) &&
           stream_options(args, &o->session) && parse_seconds("--timeout", timeout, &o->timeout_s);
}

static void result(struct talk *t, enum talk_end end, const char *text) {
    struct wanted *w = t->first;
    struct talk_result r = {w->command, w->word[0], end, text, t->asking ? &t->answer : NULL};
    t->first = w->next;
    if (!t->first) t->last = &t->first;
    t->on.result(t->on.ctx, &r);
    uv_timer_stop(&t->timer);
    t->asking = t->late = t->asked_info = false;
    free(w);
}

static void on_timer(uv_timer_t *timer);

static uint64_t to_ms(double seconds) { return (uint64_t)(seconds * 1000); }

static void send_frame(struct talk *t) {
    const struct wf_frame *f = &t->request.frame[t->frame];
    wf_answer_begin(&t->answer, wf_hub_session(t->hub), t->request.row, f);
    int err = wf_hub_send(t->hub, f->record, f->payload, f->len);
    if (err != WF_OK) {
        result(t, TALK_LINK, wf_err_text(err));
        return;
    }
    wf_command_sent(t->commander, f);
    t->asking = true;
    uv_timer_start(&t->timer, on_timer, to_ms(t->options.timeout_s), 0);
}

static void wait_for(struct talk *t, uint64_t ms) {
    if (ms && !uv_is_active((uv_handle_t *)&t->timer)) uv_timer_start(&t->timer, on_timer, ms, 0);
}

// Sends the first command if possible; else it stays in the queue, or ends with a result at once.
static void begin(struct talk *t) {
    if (!wf_hub_connected(t->hub)) {
        if (!t->options.patient || t->late)
            result(t, TALK_LINK, "no target is connected");
        else
            wait_for(t, to_ms(t->options.wait_s));
        return;
    }
    if (!t->settled) return;
    const struct wanted *w = t->first;
    enum wf_made made = wf_command_make(t->commander, w->word, w->count, &t->request);
    bool lacking = made == WF_MADE_NO_INFO || (made == WF_MADE_NO_NAME && t->options.patient);
    if (lacking && !t->late) {
        if (made == WF_MADE_NO_INFO && !t->asked_info)
            wf_hub_send(t->hub, WF_COMMAND_INFO, NULL, 0);
        t->asked_info |= made == WF_MADE_NO_INFO;
        wait_for(t, to_ms(t->options.timeout_s));
        return;
    }
    uv_timer_stop(&t->timer);
    if (made != WF_MADE) {
        result(t, TALK_WRONG, t->request.problem);
        return;
    }
    t->frame = 0;
    send_frame(t);
}

static void go_on(struct talk *t) {
    for (const struct wanted *w = NULL; t->first && !t->asking && t->first != w;) {
        w = t->first;
        begin(t);
    }
}

static void on_timer(uv_timer_t *timer) {
    struct talk *t = timer->data;
    if (t->asking)
        result(t, TALK_SILENT, t->answer.text);
    else if (wf_hub_connected(t->hub) && !t->settled)
        t->settled = true;
    else
        t->late = true;
    go_on(t);
}

static void answered(struct talk *t, enum wf_answer_state state) {
    if (state == WF_ANSWER_WAITING) return;
    bool good = state == WF_ANSWER_GOOD;
    if (good && ++t->frame < t->request.count)
        send_frame(t);
    else
        result(t, good ? TALK_GOOD : TALK_REFUSED, t->answer.text);
}

static void settle(struct talk *t) {
    if (t->settled) return;
    t->settled = true;
    uv_timer_stop(&t->timer);
}

static void on_item(void *ctx, const struct wf_item *item) {
    struct talk *t = ctx;
    struct wf_session *s = wf_hub_session(t->hub);
    const struct wf_record *r = &item->record;
    if (wf_session_target(s)->resets != t->resets)
        wf_command_reset(t->commander, t->options.keep_filters);
    t->resets = wf_session_target(s)->resets;
    if (t->on.item) t->on.item(t->on.ctx, item);
    if (t->asking) answered(t, wf_answer_take(&t->answer, s, item));
    bool whole = item->kind == WF_ITEM_RECORD && r->row && !r->left && !r->missing;
    if (!whole || r->row->effect != WF_EFFECT_TARGET_INFO) return;
    wf_dic_read(&t->dic, s, NULL);
    settle(t);
}

static void on_up(void *ctx, const char *peer) {
    struct talk *t = ctx;
    char text[512];
    if (!t->file) t->on.say(t->on.ctx, source_link_text(peer, true, "", text));
    t->late = t->settled = false;
    uv_timer_start(&t->timer, on_timer, SETTLE_MS, 0);
}

static void on_down(void *ctx, const char *peer, const char *why) {
    struct talk *t = ctx;
    char text[512];
    if (t->closing) return;
    if (!t->file) t->on.say(t->on.ctx, source_link_text(peer, false, why, text));
    t->been_up = true;
    if (t->asking) {
        answered(t, wf_answer_down(&t->answer));
    } else { // the first command waits for a target again
        uv_timer_stop(&t->timer);
        t->late = false;
    }
}

static void on_say(void *ctx, const char *text) {
    struct talk *t = ctx;
    t->on.say(t->on.ctx, text);
}

static void on_done(void *ctx, int err) {
    struct talk *t = ctx;
    while (t->first) result(t, TALK_LINK, "no target is connected");
    t->on.done(t->on.ctx, err);
    talk_stop(t);
}

static void on_signal(void *ctx) {
    struct talk *t = ctx;
    if (t->on.interrupted) t->on.interrupted(t->on.ctx);
    talk_stop(t);
}

// Any new record may contain names that the first command waits for.
static void on_prepare(uv_prepare_t *prepare) {
    struct talk *t = prepare->data;
    // On the first connection known info must be of this target; a server sends all of it.
    bool up = wf_hub_connected(t->hub);
    char text[512];
    if (names_watch(t->options.names, wf_hub_session(t->hub), false, text))
        t->on.say(t->on.ctx, text);
    if (up && !t->been_up && wf_session_target(wf_hub_session(t->hub))->known) settle(t);
    go_on(t);
    if (t->on.turn) t->on.turn(t->on.ctx);
}

static int open_hub(struct talk *t, const char *source) {
    const struct talk_options *o = &t->options;
    const struct wf_hub_options options = {.size = sizeof options,
                                           .session = o->session,
                                           .once = o->once,
                                           .keep_filters = o->keep_filters,
                                           .ask = o->ask};
    const struct wf_hub_handlers on = {
        .ctx = t, .up = on_up, .down = on_down, .item = on_item, .report = on_say, .done = on_done};
    struct wf_error error;
    int err = wf_hub_open(&t->loop, source, &options, &on, &t->hub, &error);
    if (err != WF_OK) return diag_error(exit_code_of(err), "%s", error.text);
    t->commander = wf_commander_open(wf_hub_session(t->hub));
    if (!t->commander) return out_of_memory();
    if (wf_dic_read(&t->dic, wf_hub_session(t->hub), &error) != WF_OK)
        return diag_error(EXIT_INPUT, "%s", error.text);
    if (o->assume) wf_commander_assume(t->commander);
    names_use(o->names, wf_hub_session(t->hub));
    return EXIT_GOOD;
}

// All handles are opened first, because all of them are closed, also after an error.
int talk_open(const char *source, const struct talk_options *options,
              const struct talk_handlers *on, struct talk **talk) {
    struct talk *t = calloc(1, sizeof *t);
    if (!t) return out_of_memory();
    t->options = *options;
    t->on = *on;
    t->last = &t->first;
    t->file = wf_link_is_file(source);
    t->dic = (struct wf_dic){.file = options->dic, .ctx = t, .report = diag_text};
    uv_loop_init(&t->loop);
    signals_open(&t->signals, &t->loop, on_signal, t);
    signals_ignore_pipes();
    uv_timer_init(&t->loop, &t->timer);
    uv_prepare_init(&t->loop, &t->prepare);
    t->timer.data = t->prepare.data = t;
    int code = open_hub(t, source);
    if (code != EXIT_GOOD) {
        talk_close(t);
        return code;
    }
    uv_prepare_start(&t->prepare, on_prepare);
    *talk = t;
    return EXIT_GOOD;
}

void talk_drop(struct talk *t) {
    while (t->first) {
        struct wanted *w = t->first;
        t->first = w->next;
        free(w);
    }
    t->last = &t->first;
}

void talk_close(struct talk *t) {
    t->closing = true;
    talk_drop(t);
    if (t->hub) wf_hub_close(t->hub);
    wf_commander_close(t->commander);
    uv_close((uv_handle_t *)&t->timer, NULL);
    uv_close((uv_handle_t *)&t->prepare, NULL);
    signals_close(&t->signals);
    uv_run(&t->loop, UV_RUN_DEFAULT);
    uv_loop_close(&t->loop);
    free(t);
}

bool talk_put(struct talk *t, char *const word[], unsigned count) {
    size_t len = 0;
    for (unsigned i = 0; i < count; ++i) len += strlen(word[i]) + 1;
    struct wanted *w = calloc(1, sizeof *w + count * sizeof *w->word + 2 * len);
    if (!w) return false;
    char *to = (char *)(w->word + count);
    w->command = to + len;
    w->count = count;
    char *command = w->command;
    for (unsigned i = 0; i < count; ++i) {
        size_t n = strlen(word[i]);
        w->word[i] = memcpy(to, word[i], n + 1);
        memcpy(command, word[i], n);
        command[n] = i + 1 < count ? ' ' : 0;
        to += n + 1;
        command += n + 1;
    }
    *t->last = w;
    t->last = &w->next;
    return true;
}

uv_loop_t *talk_loop(struct talk *t) { return &t->loop; }
void talk_run(struct talk *t) { uv_run(&t->loop, UV_RUN_DEFAULT); }
void talk_stop(struct talk *t) { uv_stop(&t->loop); }
bool talk_idle(const struct talk *t) { return !t->first; }
struct wf_session *talk_session(struct talk *t) {
    return wf_hub_session(t->hub);
}
const struct wf_commander *talk_commander(const struct talk *t) { return t->commander; }
