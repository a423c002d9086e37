// SPDX-License-Identifier: MIT
// `wallfly serve`: the target behind a link for front ends on UDP.

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <uv.h>

#include "capture.h"
#include "ending.h"
#include "screen.h"
#include "stream.h"
#include "wallfly_backend/wf_front.h"

enum {
    SERVE_FRONT = STREAM_SESSION_OPTIONS,
    SERVE_ALLOW,
    SERVE_KEEP,
    SERVE_IDLE,
    SERVE_RECORD,
    SERVE_CAPTURE,
    SERVE_OUT = SERVE_CAPTURE + CAPTURE_OPTIONS,
    SERVE_FILES,
    SERVE_OBJECTS,
    SERVE_ONCE,
    SERVE_QUIET,
    SERVE_EVERY,
    SERVE_COLOUR,
};

static const struct option_row options[] = {
    STREAM_SESSION_ROWS,
    {"front", 0, "[HOST:]PORT", "where front ends attach (127.0.0.1:7701)"},
    {"allow-commands", 0, NULL, "let front ends send commands to the target and switch files"},
    {"keep-filters", 0, NULL, "set the filters again after a reset of the target"},
    {"idle", 0, "S", "drop front ends that have said nothing for so many seconds"},
    {"record", 0, "FILE", "record what the target sends, and the commands to it, as `record` does"},
    CAPTURE_ROWS,
    {"out", 0, "DIR", "folder of the files that front ends switch on (the current one)"},
    {"files", 0, "LIST", "files on from the start: text, binary, matlab, sequence"},
    {"objects", 'g', "LIST", "objects of the sequence diagram, with commas; ? is all others"},
    {"once", 0, NULL, "tcp-listen: end when the first target has left"},
    {"quiet", 'q', NULL, "show no lines"},
    {"every", 0, "N", "show of the records every Nth, dots for the others; 99: none of them"},
    {"color", 0, "WHEN", "auto (dark, on a terminal), dark, light or never"},
    {NULL, 0, NULL, NULL},
};

enum { TICK_MS = 250 };

struct serve {
    uv_loop_t loop;
    struct ending ending;
    uv_prepare_t prepare;
    uv_timer_t tick;
    struct wf_front *front;
    struct wf_capture *capture; // null: nothing is recorded
    struct screen screen;
    struct names names;
    int code;
    bool opened; // the source
    bool dirty;  // standard output has lines that wait
};

static void stop(struct serve *s) { uv_stop(&s->loop); }
static void on_signal(void *ctx) { stop(ctx); }

static void on_say(void *ctx, const char *text) {
    (void)ctx;
    complain(EXIT_GOOD, "%s", text);
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

static void on_done(void *ctx, int err) {
    struct serve *s = ctx;
    if (err) s->code = EXIT_INPUT;
    stop(s);
}

// Once a turn of the loop, before it may wait.
static void on_prepare(uv_prepare_t *prepare) {
    struct serve *s = prepare->data;
    char text[512];
    if (s->front && names_watch(&s->names, wf_front_session(s->front), false, text))
        on_say(s, text);
    if (!s->dirty) return;
    s->dirty = false;
    if (fflush(stdout) != 0) stop(s);
}

// A few times a second, while something is recorded.
static void on_tick(uv_timer_t *timer) {
    struct serve *s = timer->data;
    char why[256];
    wf_capture_tick(s->capture);
    if (wf_capture_error(s->capture, why)) stop(s);
}

static bool parse_files(const char *list, unsigned *files) {
    static const char *const names[] = {"text", "binary", "matlab", "sequence"};
    for (const char *p = list; p && *p;) {
        size_t len = strcspn(p, ",");
        unsigned i = 0;
        while (i < 4 && (strlen(names[i]) != len || strncmp(names[i], p, len) != 0)) ++i;
        if (i == 4) {
            complain(EXIT_USAGE, "--files: '%.*s' is not text, binary, matlab or sequence",
                     (int)len, p);
            return false;
        }
        *files |= 1u << i;
        p += len + (p[len] == ',');
    }
    return true;
}

static bool parse(const struct args *args, struct wf_front_options *o, struct screen *screen) {
    const char *idle = args->value[SERVE_IDLE], *every = args->value[SERVE_EVERY];
    const char *folder = args->value[SERVE_OUT], *objects = args->value[SERVE_OBJECTS];
    uint64_t n = 0, lines = 0;
    struct stat st;
    if (!stream_options(args, &o->session) || !parse_files(args->value[SERVE_FILES], &o->files) ||
        !screen_parse(args->value[SERVE_COLOUR], screen)) {
        return false;
    }
    if (idle && !parse_number("--idle", idle, 1, 1000000, &n)) return false;
    if (every && !parse_number("--every", every, 1, 99, &lines)) return false;
    if (folder && (stat(folder, &st) != 0 || !S_ISDIR(st.st_mode))) {
        complain(EXIT_USAGE, "--out: '%s' is not a folder", folder);
        return false;
    }
    if ((o->files & WF_FRONT_SEQUENCE) && !objects) {
        complain(EXIT_USAGE, "--files: sequence needs --objects=LIST, the names to draw");
        return false;
    }
    o->listen = args->value[SERVE_FRONT];
    o->allow_commands = args->value[SERVE_ALLOW] != NULL;
    o->keep_filters = args->value[SERVE_KEEP] != NULL;
    o->idle_s = (unsigned)n;
    o->folder = folder;
    o->dic = args->value[STREAM_DIC];
    o->objects = objects;
    o->once = args->value[SERVE_ONCE] != NULL;
    screen->every = (unsigned)lines;
    return true;
}

// What came from the target and what front ends did, on standard error.
static void summary(struct wf_front *front) {
    const struct wf_ledger *l = wf_get_ledger(wf_front_session(front));
    struct wf_front_counters c = wf_front_count(front);
    complain(0,
             "%" PRIu64 " records, %" PRIu64 " missing%s; %" PRIu64 " of %" PRIu64 " bytes damaged",
             l->records, l->missing,
             l->exact     ? ", by its own count"
             : l->missing ? " or more"
                          : "",
             l->bytes_bad, l->bytes);
    complain(0,
             "%" PRIu64 " front ends attached, %u at a time, %" PRIu64 " detached, %" PRIu64
             " vanished, %" PRIu64 " idle, %" PRIu64 " refused",
             c.attached, c.most, c.detached, c.vanished, c.idle, c.refused);
    complain(0,
             "%" PRIu64 " packets from them, %" PRIu64 " commands sent, %" PRIu64
             " not allowed; %" PRIu64 " gaps",
             c.packets, c.commands, c.not_allowed, c.gaps);
    complain(0,
             "ignored: %" PRIu64 " of nobody attached, %" PRIu64 " oversized, %" PRIu64
             " malformed, %" PRIu64 " late",
             c.strangers, c.oversized, c.malformed, c.late);
    complain(0, "%" PRIu64 " packets to them, %" PRIu64 " lost by slow ones", c.sent, c.lost);
}

static void open_handles(struct serve *s) {
    uv_loop_init(&s->loop);
    ending_open(&s->ending, &s->loop, on_signal, s);
    ending_ignore_pipes();
    uv_prepare_init(&s->loop, &s->prepare);
    s->prepare.data = s;
    uv_prepare_start(&s->prepare, on_prepare);
    uv_timer_init(&s->loop, &s->tick);
    s->tick.data = s;
    if (s->capture) uv_timer_start(&s->tick, on_tick, TICK_MS, TICK_MS);
}

static void close_handles(struct serve *s) {
    ending_close(&s->ending);
    uv_close((uv_handle_t *)&s->prepare, NULL);
    uv_close((uv_handle_t *)&s->tick, NULL);
    uv_run(&s->loop, UV_RUN_DEFAULT);
    uv_loop_close(&s->loop);
}

static int record_open(struct serve *s, const struct args *args) {
    struct wf_capture_options o = {.tool = "wallfly " WALLFLY_VERSION, .say = on_say};
    const char *name = args->value[SERVE_RECORD];
    char why[256];
    if (!capture_parse(args, SERVE_CAPTURE, &o)) return EXIT_USAGE;
    if (!name && (o.overwrite || o.split_bytes || o.split_us))
        return complain(EXIT_USAGE, "--split, --ring and --force go with --record=FILE");
    int err = name ? wf_capture_open(name, &o, &s->capture, why) : WF_OK;
    if (err == WF_OK) return EXIT_GOOD;
    return complain(err == WF_ERR_USAGE ? EXIT_USAGE : EXIT_INPUT, "%s", why);
}

static void record_close(struct serve *s) {
    struct wf_capture_totals t;
    char why[256], name[256];
    if (!s->capture) return;
    if (!s->opened) { // nothing could come
        wf_capture_discard(s->capture);
        return;
    }
    snprintf(name, sizeof name, "%.255s", wf_capture_name(s->capture));
    if (wf_capture_close(s->capture, &t, why) == WF_OK)
        complain(0, "%s%s: %" PRIu64 " bytes received, %" PRIu64 " on disk in %u file%s", name,
                 t.files > 1 ? " is the last file" : "", t.bytes, t.file_bytes, t.files,
                 t.files == 1 ? "" : "s");
    else
        s->code = complain(EXIT_INPUT, "%s; what was written before can be read", why);
}

static void serve(struct serve *s, const char *source, const struct wf_front_options *o,
                  const struct wf_front_handlers *on) {
    char why[256];
    open_handles(s);
    int err = wf_front_open(&s->loop, source, o, on, &s->front, why);
    s->opened = err == WF_OK;
    if (s->opened) {
        names_use(&s->names, wf_front_session(s->front));
        uv_run(&s->loop, UV_RUN_DEFAULT);
        fflush(stdout);
        summary(s->front);
        wf_front_close(s->front);
    } else {
        s->code = complain(err == WF_ERR_USAGE ? EXIT_USAGE : EXIT_INPUT, "%s", why);
    }
    close_handles(s);
}

static int run(const struct args *args) {
    struct serve s = {.code = EXIT_GOOD};
    struct wf_front_options o = {.listen = NULL};
    struct wf_front_handlers on = {&s, on_say, on_line, on_clear, NULL, on_done};
    if (!parse(args, &o, &s.screen)) return EXIT_USAGE;
    if (args->value[SERVE_QUIET]) {
        on.line = NULL;
        on.clear = NULL;
    }
    s.code = stream_names(args, &s.names);
    if (s.code != EXIT_GOOD) return s.code;
    s.code = record_open(&s, args);
    if (s.code != EXIT_GOOD) {
        names_close(&s.names);
        return s.code;
    }
    o.capture = s.capture;
    serve(&s, args->operand[0], &o, &on);
    record_close(&s);
    names_close(&s.names);
    return s.code;
}

const struct cmd cmd_serve = {
    "serve",
    run,
    "SOURCE",
    1,
    1,
    "Serves a target to front ends: QView, QUTest, and `wallfly print spy:`.",
    "SOURCE is as for print. Front ends attach on UDP, by default only from this machine; any\n"
    "number up to 64 at a time. They can watch; with --allow-commands they can also send commands\n"
    "to the target, which is what QUTest and QView's menus need. The lines of the trace go to\n"
    "standard output as QSPY shows them. Ctrl-C ends it. See docs/front-ends.md.",
    options};
