// SPDX-License-Identifier: MIT
// Reads a link to its end, on a loop of its own.

#include "source.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "wallfly_server/memory.h"

enum { TICK_MS = 250 };

bool source_ask(const char *text, bool commands, enum wf_ask *ask) {
    static const char *const words[] = {"auto", "always", "never", NULL};
    const enum wf_ask asks[] = {commands ? WF_ASK_ALWAYS : WF_ASK_AUTO, WF_ASK_ALWAYS,
                                WF_ASK_NEVER};
    unsigned word = 0;
    if (!parse_choice("--ask", text, words, &word)) return false;
    *ask = asks[word];
    return true;
}

const char *source_link_text(const char *peer, bool up, const char *why, char text[512]) {
    snprintf(text, 512, "%.200s: target %sconnected%s%.256s", peer, up ? "" : "dis",
             *why ? ": " : "", why);
    return text;
}

static bool was_cut; // of the command that runs

void source_note_cut(void) { was_cut = true; }
bool source_was_cut(void) { return was_cut; }

void source_stop(struct source *s) { uv_stop(&s->loop); }

void source_done(struct source *s, int err) {
    if (err) s->code = EXIT_INPUT;
    source_stop(s);
}

static void on_signal(void *ctx) {
    struct source *s = ctx;
    s->interrupted = true;
    source_stop(s);
}

void source_begin(struct source *s) {
    *s = (struct source){.code = EXIT_GOOD};
    uv_loop_init(&s->loop);
    signals_open(&s->signals, &s->loop, on_signal, s);
}

bool source_goes_on(struct source *s) {
    int kept = errno; // of a write whose error is reported later
    uv_run(&s->loop, UV_RUN_NOWAIT);
    errno = kept;
    return !s->interrupted;
}

void source_end(struct source *s) {
    signals_close(&s->signals);
    uv_run(&s->loop, UV_RUN_DEFAULT);
    uv_loop_close(&s->loop);
}

struct timers {
    struct source *source;
    const struct source_options *options;
    void *ctx;
    uv_timer_t tick, end;
};

static void on_tick(uv_timer_t *timer) {
    const struct timers *t = timer->data;
    t->options->tick(t->ctx);
}

static void on_end(uv_timer_t *timer) { source_stop(((struct timers *)timer->data)->source); }

static void start_timers(struct timers *t) {
    uv_loop_t *loop = &t->source->loop;
    uv_timer_init(loop, &t->tick);
    uv_timer_init(loop, &t->end);
    t->tick.data = t->end.data = t;
    if (t->options->tick) uv_timer_start(&t->tick, on_tick, TICK_MS, TICK_MS);
    if (t->options->seconds) uv_timer_start(&t->end, on_end, t->options->seconds * 1000, 0);
}

int source_run(struct source *s, const char *name, const struct source_options *o,
               const struct wf_link_handlers *on) {
    struct timers timers = {.source = s, .options = o, .ctx = on->ctx};
    struct wf_link_options link_options = o->link;
    struct wf_link *link;
    struct wf_error error;
    link_options.size = sizeof link_options;
    source_begin(s);
    start_timers(&timers);
    int err = wf_link_open(&s->loop, name, &link_options, on, &link, &error);
    if (err != WF_OK)
        s->code = diag_error(exit_code_of(err), "%s", error.text);
    else if (o->opened)
        s->code = o->opened(on->ctx);
    if (s->code == EXIT_GOOD) uv_run(&s->loop, UV_RUN_DEFAULT);
    if (link) wf_link_close(link);
    uv_close((uv_handle_t *)&timers.tick, NULL);
    uv_close((uv_handle_t *)&timers.end, NULL);
    source_end(s);
    return s->code;
}

// Sets the lanes of the chunks; ends when it has found `most` of them, 0: at the end of the file.
// Returns their number.
static unsigned find_lanes(FILE *f, unsigned most, bool seen[WF_RECORDING_LANES]) {
    static uint8_t block[65536];
    struct wf_recording *r = wf_recording_open();
    struct wf_chunk c;
    unsigned lanes = 0;
    memset(seen, 0, WF_RECORDING_LANES * sizeof *seen);
    for (size_t n = 1; r && n && (!most || lanes < most);) {
        n = fread(block, 1, sizeof block, f);
        if (!n || !wf_recording_feed(r, block, n)) wf_recording_end(r);
        while (wf_recording_next(r, &c)) {
            if (c.kind >= WF_CHUNK_DAMAGE || seen[c.lane]) continue;
            seen[c.lane] = true;
            ++lanes;
        }
    }
    wf_recording_close(r);
    return lanes;
}

// Opens a recording. Returns null when the file is not one or cannot be read.
static FILE *open_recording(const char *name) {
    uint8_t bytes[WF_RECORDING_MAGIC_LEN];
    errno = 0;
    FILE *f = wf_link_is_file(name) && !wf_link_is_live(name) ? fopen(name, "rb") : NULL;
    if (!f && errno == ENOMEM) memory_is_out();
    if (!f) return NULL;
    size_t n = fread(bytes, 1, sizeof bytes, f);
    if (n == sizeof bytes && wf_recording_is(bytes, n)) return f;
    fclose(f);
    return NULL;
}

// Returns the number of lanes by the trailer; 0: the file is not complete.
static unsigned read_trailer(FILE *f) {
    uint8_t bytes[WF_TRAILER_LEN];
    struct wf_trailer trailer;
    bool whole = fseek(f, -WF_TRAILER_LEN, SEEK_END) == 0 &&
                 fread(bytes, 1, sizeof bytes, f) == sizeof bytes &&
                 wf_trailer_read(bytes, &trailer);
    return whole ? trailer.lanes : 0;
}

unsigned source_lanes(const char *name) {
    static bool seen[WF_RECORDING_LANES];
    FILE *f = open_recording(name);
    if (!f) return 0;
    unsigned lanes = read_trailer(f);
    rewind(f);
    if (!lanes) lanes = find_lanes(f, 0, seen);
    fclose(f);
    return lanes;
}

unsigned source_lane_list(const char *name, bool seen[WF_RECORDING_LANES]) {
    FILE *f = open_recording(name);
    if (!f) return 0;
    unsigned most = read_trailer(f);
    rewind(f);
    unsigned lanes = find_lanes(f, most, seen);
    fclose(f);
    return lanes;
}
