// SPDX-License-Identifier: MIT
// Joins a hub and a queue of commands.

#include "talk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stream.h"
#include "term/signals.h"

struct talk {
    uv_loop_t loop;
    struct signals signals;
    struct wf_hub *hub;
    struct wf_command_queue *queue;
    struct talk_options options;
    struct talk_handlers on;
    struct wf_dic dic;
    uv_prepare_t prepare;
    bool closing;
    bool file; // the source is a file: do not report connections
};

const char talk_server[] = "spy:127.0.0.1:7701";

int talk_parse(const struct args *args, const char *timeout, struct talk_options *o) {
    o->dic = args->value[STREAM_DIC];
    o->assume = args->value[STREAM_SIZES] || o->dic;
    o->timeout_s = 1;
    if (!source_ask(args->value[STREAM_ASK], true, &o->ask) ||
        !stream_options(args, 0, &o->session) ||
        !parse_seconds("--timeout", timeout, &o->timeout_s))
        return EXIT_USAGE;
    return input_parse(args, STREAM_INPUT, &o->input);
}

static int send_frame(void *ctx, const struct wf_frame *f) {
    struct talk *t = ctx;
    return wf_hub_send(t->hub, f->record, f->payload, f->len);
}

static void on_result(void *ctx, const struct wf_command_result *r) {
    struct talk *t = ctx;
    t->on.result(t->on.ctx, r);
}

static void on_item(void *ctx, const struct wf_item *item) {
    struct talk *t = ctx;
    const struct wf_record *r = &item->record;
    if (t->on.item) t->on.item(t->on.ctx, item);
    wf_command_queue_item(t->queue, item);
    bool whole = item->kind == WF_ITEM_RECORD && r->row && !r->left && !r->missing;
    if (whole && r->row->effect == WF_EFFECT_TARGET_INFO)
        wf_dic_read(&t->dic, wf_hub_session(t->hub), NULL);
}

static void report_link(struct talk *t, const char *peer, bool up, const char *why) {
    char text[512];
    if (!t->file) t->on.report(t->on.ctx, source_link_text(peer, up, why, text));
    wf_command_queue_link(t->queue, up);
}

static void on_up(void *ctx, const char *peer) { report_link(ctx, peer, true, ""); }

static void on_down(void *ctx, const char *peer, const char *why) {
    struct talk *t = ctx;
    if (!t->closing) report_link(t, peer, false, why);
}

static void on_report(void *ctx, const char *text) {
    struct talk *t = ctx;
    t->on.report(t->on.ctx, text);
}

static void on_done(void *ctx, int err) {
    struct talk *t = ctx;
    wf_command_queue_fail(t->queue);
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
    char text[512];
    if (names_watch(t->options.names, wf_hub_session(t->hub), false, text))
        t->on.report(t->on.ctx, text);
    wf_command_queue_run(t->queue);
    if (t->on.turn) t->on.turn(t->on.ctx);
}

static int open_queue(struct talk *t) {
    const struct talk_options *o = &t->options;
    const struct wf_command_queue_options options = {.size = sizeof options,
                                                     .session = wf_hub_session(t->hub),
                                                     .ctx = t,
                                                     .send = send_frame,
                                                     .result = on_result,
                                                     .keep_filters = o->keep_filters,
                                                     .patient = o->patient,
                                                     .answer_ms = (unsigned)(o->timeout_s * 1000),
                                                     .wait_ms = (unsigned)(o->wait_s * 1000)};
    t->queue = wf_command_queue_open(&t->loop, &options);
    if (!t->queue) return out_of_memory();
    if (o->assume) wf_commander_assume(wf_command_queue_commander(t->queue));
    return EXIT_GOOD;
}

static int open_hub(struct talk *t, const char *source) {
    const struct talk_options *o = &t->options;
    const struct wf_hub_options options = {.size = sizeof options,
                                           .session = o->session,
                                           .once = o->once,
                                           .keep_filters = o->keep_filters,
                                           .ask = o->ask,
                                           .format = o->input.format,
                                           .describe = o->input.describe,
                                           .describe_len = o->input.describe_len};
    const struct wf_hub_handlers on = {.ctx = t,
                                       .up = on_up,
                                       .down = on_down,
                                       .item = on_item,
                                       .report = on_report,
                                       .done = on_done};
    struct wf_error error;
    int err = wf_hub_open(&t->loop, source, &options, &on, &t->hub, &error);
    if (err != WF_OK) return diag_error(exit_code_of(err), "%s", error.text);
    if (open_queue(t) != EXIT_GOOD) return EXIT_INPUT;
    if (wf_dic_read(&t->dic, wf_hub_session(t->hub), &error) != WF_OK)
        return diag_error(EXIT_INPUT, "%s", error.text);
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
    t->file = wf_link_is_file(source);
    t->dic = (struct wf_dic){.file = options->dic, .ctx = t, .report = diag_text};
    uv_loop_init(&t->loop);
    signals_open(&t->signals, &t->loop, on_signal, t);
    signals_ignore_pipes();
    uv_prepare_init(&t->loop, &t->prepare);
    t->prepare.data = t;
    int code = open_hub(t, source);
    if (code != EXIT_GOOD) {
        talk_close(t);
        return code;
    }
    uv_prepare_start(&t->prepare, on_prepare);
    *talk = t;
    return EXIT_GOOD;
}

void talk_close(struct talk *t) {
    t->closing = true;
    if (t->hub) wf_hub_close(t->hub);
    wf_command_queue_close(t->queue);
    uv_close((uv_handle_t *)&t->prepare, NULL);
    signals_close(&t->signals);
    uv_run(&t->loop, UV_RUN_DEFAULT);
    uv_loop_close(&t->loop);
    free(t);
}

uv_loop_t *talk_loop(struct talk *t) { return &t->loop; }
void talk_run(struct talk *t) { uv_run(&t->loop, UV_RUN_DEFAULT); }
void talk_stop(struct talk *t) { uv_stop(&t->loop); }
struct wf_command_queue *talk_queue(struct talk *t) {
    return t->queue;
}
struct wf_session *talk_session(struct talk *t) {
    return wf_hub_session(t->hub);
}
