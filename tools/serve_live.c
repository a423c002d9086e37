// SPDX-License-Identifier: MIT
// Serves a live target to front ends (wf_front.h) and pages. Without front ends the hub feeds the
// page's trace. With front ends the page decodes the bytes a second time, because the hub uses
// QSPY's dialect for them.

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <uv.h>

#include "check/marks.h"
#include "page_source.h"
#include "serve.h"
#include "serve_record.h"
#include "term/signals.h"
#include "wallfly_backend/wf_command_queue.h"

enum { TICK_MS = 250, PUSH_MS = 100, ANSWER_MS = 3000, WAITING_MAX = 64 };

struct serve {
    struct stream stream; // the first member; the page's
    struct site site;
    struct page page;
    struct wf_command_queue *commands; // null: commands are not allowed
    bool paged;                        // the page was opened
    const struct serve_options *o;
    uv_loop_t loop;
    struct signals signals;
    uv_prepare_t prepare;
    uv_timer_t tick, push;
    struct wf_front *front; // or, without front ends, the hub
    struct wf_hub *hub;
    struct recorder recorder;
    struct screen screen;
    struct names names;
    struct check_marks *rules; // null: none
    int code;
    bool opened; // the source was opened
    bool dirty;  // standard output has unflushed lines
    bool ended;
};

static void stop(struct serve *s) {
    s->ended = s->page.stop = true;
    uv_stop(&s->loop);
}
static void on_signal(void *ctx) { stop(ctx); }

static struct wf_lane *link_lane(const struct serve *s) {
    return s->front ? wf_front_lane(s->front) : wf_hub_lane(s->hub);
}

static void on_report(void *ctx, const char *text) {
    struct serve *s = ctx;
    diag_note("%s", text);
    if (s && s->paged) page_note(&s->page, text);
}

static void on_line(void *ctx, enum wf_line_class line, uint8_t record, const char *text,
                    size_t len) {
    struct serve *s = ctx;
    screen_line(&s->screen, line, record, text, len);
    s->dirty = true;
}

static void on_clear(void *ctx) {
    struct serve *s = ctx;
    screen_clear(&s->screen);
    s->dirty = true;
}

// A trace read from a pipe or file stays available to the page after its end.
static bool serves_after_end(const struct serve *s, int err) {
    return s->paged && !err && !s->o->front.once && wf_link_is_file(s->o->args->operand[0]);
}

static void on_done(void *ctx, int err) {
    struct serve *s = ctx;
    struct wf_error error;
    if (serves_after_end(s, err)) {
        stream_end(&s->stream, s->stream.code);
        check_marks_end(s->rules, &s->page, &error);
        if (error.code && !*s->page.error)
            snprintf(s->page.error, sizeof s->page.error, "%s", error.text);
        page_note(&s->page, "the trace has ended");
        diag_note("the trace has ended; Ctrl-C ends");
        page_end(&s->page);
        return;
    }
    if (err) s->code = EXIT_INPUT;
    stop(s);
}

// ---- input for the page

static void on_item(struct lane *l, const struct wf_item *item) {
    struct serve *s = (struct serve *)(void *)l->stream;
    page_item(&s->page, item);
    check_marks_take(s->rules, &s->page, item);
    if (s->commands) wf_command_queue_item(s->commands, item);
}

static void on_bytes(void *ctx, const uint8_t *bytes, size_t len) {
    struct serve *s = ctx;
    recorder_bytes(&s->recorder, bytes, len);
    replay_take(s->page.replay, bytes, len);
    if (s->front) stream_push(&s->stream, bytes, len);
}

static void on_hub_item(void *ctx, const struct wf_item *item) {
    struct serve *s = ctx;
    if (s->stream.code == EXIT_GOOD) stream_item(&s->stream, item);
}

static void on_drained(void *ctx) {
    struct serve *s = ctx;
    if (s->stream.code == EXIT_GOOD) stream_drained(&s->stream);
}

static void on_known(void *ctx, uint8_t id, const uint8_t *payload, size_t len) {
    struct serve *s = ctx;
    wf_session_learn(s->page.session, id, payload, len);
}

static void on_up(void *ctx, const char *peer) {
    struct serve *s = ctx;
    char text[512];
    s->page.up = true;
    recorder_link(&s->recorder, peer);
    page_note(&s->page, source_link_text(peer, true, "", text));
    if (s->commands) wf_command_queue_link(s->commands, true);
}

static void on_down(void *ctx, const char *peer, const char *why) {
    struct serve *s = ctx;
    char text[512];
    s->page.up = false;
    recorder_link(&s->recorder, NULL);
    page_note(&s->page, source_link_text(peer, false, why, text));
    if (s->commands) wf_command_queue_link(s->commands, false);
    if (s->front) stream_push_down(&s->stream);
    replay_relink(s->page.replay);
}

// Passes the active global filter to the time line, which draws it.
static void on_sent(void *ctx, uint8_t command, const uint8_t *payload, size_t len) {
    struct serve *s = ctx;
    if (command == WF_COMMAND_GLB_FILTER && len == 1 + WF_FILTER_BYTES)
        wf_timeline_filters(s->page.timeline, payload + 1);
}

static int send_command(void *ctx, const struct wf_frame *f) {
    struct serve *s = ctx;
    return s->front ? wf_front_send(s->front, f->record, f->payload, f->len)
                    : wf_hub_send(s->hub, f->record, f->payload, f->len);
}

static void on_result(void *ctx, const struct wf_command_result *r) {
    struct serve *s = ctx;
    page_send_result(&s->page, r->command, wf_outcome_name(r->outcome), r->text);
}

static void on_command(void *ctx, const char *line) {
    struct serve *s = ctx;
    wf_command_queue_line(s->commands, line);
}

static void set_capture(struct serve *s) {
    if (s->front) wf_front_set_capture(s->front, s->recorder.capture);
    if (s->hub) wf_hub_set_capture(s->hub, s->recorder.capture);
    recorder_show(&s->recorder, &s->page);
}

static int on_record(void *ctx, bool on, struct wf_error *error) {
    struct serve *s = ctx;
    struct recorder *r = &s->recorder;
    struct wf_capture *before = r->capture;
    int err = WF_OK;
    if (on == (before && !r->failed))
        return wf_error_set(error, WF_ERR_USAGE,
                            on ? "it is being recorded already" : "nothing is being recorded");
    if (!s->front && !s->hub) return wf_error_set(error, WF_ERR_USAGE, "the trace has ended");
    r->capture = NULL;
    if (on) err = recorder_begin(r, s->stream.lanes[0]->of, error);
    set_capture(s);
    if (before) recorder_finish(before);
    return err;
}

// ---- the loop

// Runs once per iteration of the loop, before it may wait.
static void on_prepare(uv_prepare_t *prepare) {
    struct serve *s = prepare->data;
    char text[512];
    if (s->front && names_watch(&s->names, wf_lane_session(link_lane(s)), false, text))
        on_report(s, text);
    if (s->commands) wf_command_queue_run(s->commands);
    if (!s->dirty) return;
    s->dirty = false;
    if (fflush(stdout) != 0) stop(s);
}

// Runs a few times a second.
static void on_tick(uv_timer_t *timer) {
    struct serve *s = timer->data;
    recorder_tick(&s->recorder);
    if (s->paged) recorder_show(&s->recorder, &s->page);
}

static void on_push(uv_timer_t *timer) {
    struct serve *s = timer->data;
    page_push(&s->page);
}

static void open_handles(struct serve *s) {
    uv_loop_init(&s->loop);
    signals_open(&s->signals, &s->loop, on_signal, s);
    signals_ignore_pipes();
    uv_prepare_init(&s->loop, &s->prepare);
    uv_timer_init(&s->loop, &s->tick);
    uv_timer_init(&s->loop, &s->push);
    s->prepare.data = s->tick.data = s->push.data = s;
    uv_prepare_start(&s->prepare, on_prepare);
    uv_timer_start(&s->tick, on_tick, TICK_MS, TICK_MS);
}

static void close_handles(struct serve *s) {
    signals_close(&s->signals);
    uv_close((uv_handle_t *)&s->prepare, NULL);
    uv_close((uv_handle_t *)&s->tick, NULL);
    uv_close((uv_handle_t *)&s->push, NULL);
    uv_run(&s->loop, UV_RUN_DEFAULT);
    uv_loop_close(&s->loop);
}

static void run_loop(struct serve *s) {
    while (!s->ended) {
        while (s->paged && page_work(&s->page)) continue;
        if (!s->ended && !uv_run(&s->loop, UV_RUN_ONCE)) break;
    }
}

// ---- totals, on standard error

static void print_records(struct serve *s) {
    if (s->front) wf_front_end(s->front);
    if (s->hub) wf_hub_end(s->hub);
    bool whole = summary_link(s->o->args->operand[0], link_lane(s));
    if (s->o->args->value[STREAM_STRICT] && !whole && s->code == EXIT_GOOD)
        s->code = diag_error(EXIT_LOSS, "something was lost or damaged (--strict)");
}

// ---- opening

static int open_page(struct serve *s) {
    struct page_options o = s->o->page;
    if (!s->o->pages) return EXIT_GOOD;
    s->stream.single = true;
    s->stream.format = s->o->input.format;
    s->stream.again = s->o->fronts; // on_prepare reports problems with names
    s->stream.on_item = on_item;
    int code = stream_open(&s->stream, s->o->args);
    if (code != EXIT_GOOD) return code;
    code = serve_open_site(&s->site, &s->loop, s->o->args);
    if (code != EXIT_GOOD) {
        stream_close(&s->stream);
        return code;
    }
    o.command = on_command;
    o.record = on_record;
    o.ctx = s;
    code = page_open_stream(&s->page, &s->site, &s->stream, &o);
    if (code == EXIT_GOOD) code = check_marks_begin(s->rules, &s->page);
    if (code == EXIT_GOOD && !stream_dictionaries(s->stream.lanes[0])) code = EXIT_INPUT;
    if (code == EXIT_GOOD && o.commands) {
        const struct wf_command_queue_options queue = {.size = sizeof queue,
                                                       .session = s->page.session,
                                                       .ctx = s,
                                                       .send = send_command,
                                                       .result = on_result,
                                                       .keep_filters = o.keep_filters,
                                                       .answer_ms = ANSWER_MS,
                                                       .most = WAITING_MAX};
        s->commands = wf_command_queue_open(&s->loop, &queue);
        if (!s->commands) code = out_of_memory();
    }
    s->paged = code == EXIT_GOOD;
    s->recorder.session = s->paged ? s->page.session : NULL;
    if (s->paged) {
        uv_timer_start(&s->push, on_push, PUSH_MS, PUSH_MS);
        return EXIT_GOOD;
    }
    site_close(&s->site);
    if (s->page.timeline) page_close(&s->page);
    stream_close(&s->stream);
    return code;
}

static void close_page(struct serve *s) {
    if (!s->paged) return;
    wf_command_queue_close(s->commands);
    site_close(&s->site);
    page_close(&s->page);
    stream_close(&s->stream);
}

static int open_hub(struct serve *s, struct wf_error *error) {
    const struct wf_front_options *f = &s->o->front;
    struct wf_hub_options o = {.size = sizeof o,
                               .trace = s->stream.trace,
                               .once = f->once,
                               .keep_filters = f->keep_filters,
                               .ask = f->ask,
                               .capture = s->recorder.capture,
                               .format = f->format,
                               .start = f->start,
                               .start_len = f->start_len};
    struct wf_hub_handlers on = {.ctx = s,
                                 .up = on_up,
                                 .down = on_down,
                                 .item = on_hub_item,
                                 .bytes = on_bytes,
                                 .drained = on_drained,
                                 .report = on_report,
                                 .done = on_done,
                                 .sent = on_sent};
    return wf_hub_open(&s->loop, s->o->args->operand[0], &o, &on, &s->hub, error);
}

static int open_front(struct serve *s, struct wf_error *error) {
    struct wf_front_options o = s->o->front;
    struct wf_front_handlers on = {
        .ctx = s, .report = on_report, .line = on_line, .clear = on_clear, .done = on_done};
    if (s->o->quiet) {
        on.line = NULL;
        on.clear = NULL;
    }
    if (s->paged) {
        on.bytes = on_bytes;
        on.up = on_up;
        on.down = on_down;
        on.known = on_known;
        on.sent = on_sent;
    }
    o.capture = s->recorder.capture;
    return wf_front_open(&s->loop, s->o->args->operand[0], &o, &on, &s->front, error);
}

static void close_link(struct serve *s) {
    if (s->front) wf_front_close(s->front);
    if (s->hub) wf_hub_close(s->hub);
    s->front = NULL;
    s->hub = NULL;
}

static void run(struct serve *s) {
    struct wf_error error;
    s->code = open_page(s);
    if (s->code != EXIT_GOOD) return;
    int err = s->o->fronts ? open_front(s, &error) : open_hub(s, &error);
    s->opened = err == WF_OK;
    if (s->opened) {
        if (s->paged) serve_print_url(&s->site, &s->o->at, s->o->quiet || !s->o->fronts);
        if (s->paged && !s->page.up) page_note(&s->page, "no target has connected yet");
        if (s->front) names_use(&s->names, wf_lane_session(link_lane(s)));
        run_loop(s);
        fflush(stdout);
        if (s->code == EXIT_GOOD) s->code = s->stream.code; // the page's trace has failed
        print_records(s);
        if (s->front) serve_print_fronts(s->front);
    } else {
        s->code = diag_error(exit_code_of(err), "%s", error.text);
    }
    close_link(s);
    close_page(s);
}

int serve_live(struct serve_options *o) {
    struct serve s = {.o = o, .screen = o->screen};
    s.code = check_marks_open(o->args, o->args->value[SERVE_RULES], &s.rules);
    if (s.code == EXIT_GOOD) s.code = stream_names(o->args, &s.names);
    if (s.code != EXIT_GOOD) {
        check_marks_close(s.rules);
        return s.code;
    }
    s.recorder = (struct recorder){.o = o, .report = on_report, .ctx = &s};
    s.code = recorder_open(&s.recorder);
    if (s.code == EXIT_GOOD) {
        open_handles(&s);
        run(&s);
        close_handles(&s);
        if (!recorder_close(&s.recorder, s.opened)) s.code = EXIT_INPUT;
    }
    names_close(&s.names);
    check_marks_close(s.rules);
    return s.code;
}
