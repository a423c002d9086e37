// SPDX-License-Identifier: MIT
// The input of a stream: a link, a seekable file, a memory image, or bytes passed by another owner
// of the link.

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "stream.h"
#include "wallfly_server/memory.h"

// ---- a link

static bool take_bytes(struct stream *s, struct wf_peer *peer, const uint8_t *bytes, size_t len) {
    if (wf_peer_is_recording(peer)) {
        wf_trace_feed_file(s->trace, bytes, len);
    } else {
        struct lane *l = stream_lane(s, wf_peer_lane(peer));
        if (!l) return s->code == EXIT_GOOD;
        stream_turn_to(l);
        connection_begun(l, false);
        wf_trace_feed(s->trace, l->number, bytes, len);
    }
    if (!stream_drain(s)) return false;
    return !s->live || !s->last || (stream_flush(s->last) && !ferror(stdout));
}

static void on_bytes(void *ctx, struct wf_peer *peer, const uint8_t *bytes, size_t len) {
    struct stream *s = ctx;
    if (!take_bytes(s, peer, bytes, len)) source_stop(&s->source);
}

static void on_known(void *ctx, struct wf_peer *peer, uint8_t id, const uint8_t *payload,
                     size_t len) {
    struct lane *l = stream_lane(ctx, wf_peer_lane(peer));
    if (l) wf_session_learn(l->session, id, payload, len);
}

static void on_report(void *ctx, const char *text) {
    const struct stream *s = ctx;
    if (!s->again) diag_note("%s", text);
}

static void on_done(void *ctx, int err) {
    struct stream *s = ctx;
    s->recording = wf_trace_recording(s->trace);
    if (s->recording) {
        wf_trace_end(s->trace);
        stream_drain(s);
    }
    source_done(&s->source, err);
}

// Returns the lane of a target that has connected or disconnected; null: a file, or a lane that is
// not selected.
static struct lane *report_link(struct stream *s, struct wf_peer *peer, bool up, const char *why) {
    char text[512];
    struct lane *l =
        wf_link_is_file(s->args->operand[0]) ? NULL : stream_lane(s, wf_peer_lane(peer));
    if (!l) return NULL;
    stream_turn_to(l);
    if (!s->look && !s->again) diag_note("%s", source_link_text(wf_peer_name(peer), up, why, text));
    return l;
}

static void on_up(void *ctx, struct wf_peer *peer) {
    struct lane *l = report_link(ctx, peer, true, "");
    if (l) connection_begin(l, wf_peer_name(peer), 0);
}

static void on_down(void *ctx, struct wf_peer *peer, const char *why) {
    struct stream *s = ctx;
    if (*why && wf_link_is_file(s->args->operand[0])) source_note_cut();
    struct lane *l = report_link(s, peer, false, why);
    if (!l) return;
    wf_trace_relink(s->trace, l->number);
    stream_drain(s);
    connection_end(l, 0, why);
}

// A lane that was not opened is left out; its target is not asked.
static bool is_commandable(void *ctx, struct wf_peer *peer) {
    const struct stream *s = ctx;
    for (unsigned i = 0; i < s->lane_count; ++i) {
        enum wf_lane_format format = wf_lane_get_format(s->lanes[i]->of);
        if (s->lanes[i]->number != wf_peer_lane(peer)) continue;
        return format && !wf_lane_format_is_foreign(format);
    }
    return false;
}

static int read_link(struct stream *s, bool once) {
    const struct source_options options = {
        .link = {.once = once, .ask = s->ask, .most = s->single ? 1 : 0}, .seconds = s->seconds};
    const struct wf_link_handlers on = {s,       on_up,    on_bytes, on_down,       on_report,
                                        on_done, on_known, NULL,     is_commandable};
    int code = source_run(&s->source, s->args->operand[0], &options, &on);
    // The connections of a recording that was not read to its end.
    for (unsigned i = 0; i < s->lane_count && s->recording; ++i)
        connection_end(s->lanes[i], s->recording->last_us, "");
    return code;
}

// ---- recordings

static void report_fault(struct stream *s, const struct wf_chunk *c) {
    char text[512];
    s->damaged |= c->kind == WF_CHUNK_DAMAGE;
    s->cut |= c->kind == WF_CHUNK_CUT;
    wf_chunk_text(c, s->recording, s->name, text);
    if (!s->again && !s->look) diag_note("%s", text);
}

void stream_chunk(struct stream *s, struct lane *l, const struct wf_item *item) {
    const struct wf_chunk *c = item->chunk;
    char text[WF_RECORDING_NAME_MAX + 1];
    s->recording = wf_trace_recording(s->trace);
    if (!l) {
        report_fault(s, c);
        return;
    }
    if (s->on_chunk) s->on_chunk(l, c);
    if (c->kind == WF_CHUNK_BYTES) connection_begun(l, false);
    if (c->kind == WF_CHUNK_STATE) {
        connection_begun(l, true);
        connection_nameless(l, wf_session_state_nameless(c->bytes, c->len));
        if (!item->changed && !s->again && !s->look)
            diag_note("%s: the state of the target from the previous file cannot be read", s->name);
    }
    if (c->kind != WF_CHUNK_UP && c->kind != WF_CHUNK_DOWN) return;
    snprintf(text, sizeof text, "%.*s", (int)c->len, c->len ? (const char *)c->bytes : "");
    if (c->kind == WF_CHUNK_UP)
        connection_begin(l, text, c->time_us);
    else
        connection_end(l, c->time_us, text);
}

// ---- files

struct file {
    int fd;
    struct source *source;
};

// A signal ends the reading.
static int64_t read_at(void *ctx, uint64_t offset, void *buf, size_t len) {
    const struct file *f = ctx;
    ssize_t n;
    if (!source_goes_on(f->source)) {
        errno = EINTR;
        return -1;
    }
    do n = pread(f->fd, buf, len, (off_t)offset);
    while (n < 0 && errno == EINTR);
    return n;
}

static int read_slots_file(struct stream *s) {
    const char *name = s->args->operand[0];
    bool standard = strcmp(name, "-") == 0;
    struct wf_error error;
    struct file file = {standard ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC), &s->source};
    if (file.fd < 0) return diag_error(EXIT_INPUT, "%s: %s", name, strerror(errno));
    struct wf_merge_source source = {&file, read_at};
    int err = wf_trace_read(s->trace, s->lanes[0]->number, &source, &error), code = EXIT_GOOD;
    if (err == WF_OK)
        stream_drain(s);
    else if (!s->source.interrupted)
        code = stream_report(s, &error);
    if (!standard) close(file.fd);
    return code;
}

static int read_image(struct stream *s) {
    struct wf_input image = {.bytes = NULL};
    const struct wf_input none = {.bytes = NULL},
                          *program = s->args->value[STREAM_ELF] ? &s->names.bytes : &none;
    struct wf_error error;
    int code = map_file(s->image, &image);
    if (code != EXIT_GOOD) return code;
    if (wf_trace_read_image(s->trace, s->lanes[0]->number, image.bytes, image.len, program->bytes,
                            program->len, &error) != WF_OK)
        code = stream_report(s, &error);
    else
        stream_drain(s);
    if (code == EXIT_GOOD && s->code == EXIT_GOOD && !wf_lane_bytes(s->lanes[0]->of))
        diag_note("%s: the black box is empty", s->image);
    wf_input_close(&image);
    return code;
}

static int read_file(struct stream *s) {
    source_begin(&s->source);
    s->without_link = true;
    int code = s->image ? read_image(s) : read_slots_file(s);
    s->without_link = false;
    source_end(&s->source);
    return code;
}

int stream_run(struct stream *s, bool once) {
    if (!s->look && !stream_dictionaries(s->lanes[0])) return EXIT_INPUT;
    if (s->live) stream_flush(s->lanes[0]);
    bool file = s->image || (!s->pieces && slots_is_whole_file(s->args->operand[0]));
    int code = file ? read_file(s) : read_link(s, once);
    if (code == EXIT_GOOD) code = s->code;
    if (s->recording && s->one_lane) s->lane_end = s->recording->lane_end;
    // The lanes of a pipe are known only at its end.
    if (code == EXIT_GOOD && s->lane_end && !s->lane_came && !s->source.interrupted)
        code = stream_no_lane(s, s->lane_end);
    if (code == EXIT_GOOD && memory_was_out()) code = EXIT_INPUT;
    return stream_end(s, code);
}

// ---- pushed by the owner of the link

void stream_push(struct stream *s, const uint8_t *bytes, size_t len) {
    if (s->code != EXIT_GOOD) return; // after an error the rest is ignored
    wf_trace_feed(s->trace, s->lanes[0]->number, bytes, len);
    stream_drain(s);
}

void stream_push_down(struct stream *s) {
    wf_trace_relink(s->trace, s->lanes[0]->number);
    stream_drain(s);
}

// ---- a first look

static void look_for_rate(struct lane *l, const struct wf_item *it) {
    (void)it;
    enum { LOOK = 100000 }; // records; a recorder sends it far more often
    const struct wf_ledger *ledger = wf_session_ledger(l->session);
    l->stream->rate = wf_session_target(l->session)->hz;
    l->stream->enough = l->stream->rate || ledger->records > LOOK;
}

int stream_rate(const struct args *args, uint64_t *rate) {
    struct stream s = {.single = true, .look = true, .on_item = look_for_rate};
    const char *name = args->operands ? args->operand[0] : "-";
    bool again = strcmp(name, "-") != 0 && wf_link_is_file(name) && !wf_link_is_live(name);
    *rate = 0;
    if (args->value[STREAM_IMAGE] || args->value[STREAM_RATE] || !again) return EXIT_GOOD;
    int code = stream_open(&s, args);
    if (code != EXIT_GOOD) return code;
    code = stream_run(&s, true);
    *rate = s.rate;
    if (code == EXIT_GOOD && s.source.interrupted)
        code = diag_error(EXIT_INPUT, "%s: interrupted", s.name);
    stream_close(&s);
    return code;
}

int stream_run_shown(struct stream *s, bool always, const char *file) {
    struct progress progress;
    progress_begin(&progress, always, file);
    s->progress = &progress;
    int code = stream_run(s, true);
    progress_end(&progress);
    s->progress = NULL;
    return code;
}
