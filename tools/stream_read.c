// SPDX-License-Identifier: MIT
// The input of a stream: a link, a seekable file, a memory image, or bytes passed by another owner
// of the link.

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "stream.h"
#include "term/progress.h"
#include "wallfly_server/memory.h"

// ---- a link

static bool on_bytes(void *ctx, struct wf_peer *peer, const uint8_t *bytes, size_t len) {
    struct stream *s = ctx;
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

static void on_known(void *ctx, struct wf_peer *peer, uint8_t id, const uint8_t *payload,
                     size_t len) {
    struct lane *l = stream_lane(ctx, wf_peer_lane(peer));
    if (l) wf_session_learn(l->session, id, payload, len);
}

static void on_ended(void *ctx) {
    struct stream *s = ctx;
    s->recording = wf_trace_recording(s->trace);
    if (!s->recording) return;
    wf_trace_end(s->trace);
    stream_drain(s);
}

static void on_link(void *ctx, struct wf_peer *peer, bool up, const char *why) {
    struct stream *s = ctx;
    if (wf_link_is_file(s->args->operand[0])) return;
    struct lane *l = stream_lane(s, wf_peer_lane(peer));
    if (!l) return;
    stream_turn_to(l);
    if (!s->look && !s->again)
        diag_note("%s: target %s%s%s", wf_peer_name(peer), up ? "connected" : "disconnected",
                  *why ? ": " : "", why);
    if (up) {
        connection_begin(l, wf_peer_name(peer), 0);
    } else {
        wf_trace_relink(s->trace, l->number);
        stream_drain(s);
        connection_end(l, 0, why);
    }
}

static int read_link(struct stream *s, bool once) {
    const struct source_handlers on = {.ctx = s,
                                       .bytes = on_bytes,
                                       .link = on_link,
                                       .known = on_known,
                                       .ended = on_ended,
                                       .interrupted = &s->interrupted,
                                       .once = once,
                                       .ask = s->ask,
                                       .quiet = s->again,
                                       .most = s->single ? 1 : 0};
    int code = source_run(s->args->operand[0], &on);
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
    if (c->kind == WF_CHUNK_BYTES) connection_begun(l, false);
    if (c->kind == WF_CHUNK_STATE) {
        connection_begun(l, true);
        connection_nameless(l, wf_session_state_nameless(c->bytes, c->len));
        if (!item->changed && !s->again && !s->look)
            diag_note("%s: what was known of the target in the file before cannot be read",
                      s->name);
    }
    if (c->kind != WF_CHUNK_UP && c->kind != WF_CHUNK_DOWN) return;
    snprintf(text, sizeof text, "%.*s", (int)c->len, c->len ? (const char *)c->bytes : "");
    if (c->kind == WF_CHUNK_UP)
        connection_begin(l, text, c->time_us);
    else
        connection_end(l, c->time_us, text);
}

// ---- files

static int64_t read_at(void *ctx, uint64_t offset, void *buf, size_t len) {
    const int *fd = ctx;
    ssize_t n;
    do n = pread(*fd, buf, len, (off_t)offset);
    while (n < 0 && errno == EINTR);
    return n;
}

static int read_slots_file(struct stream *s) {
    const char *name = s->args->operand[0];
    bool standard = strcmp(name, "-") == 0;
    struct wf_error error;
    int fd = standard ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return diag_error(EXIT_INPUT, "%s: %s", name, strerror(errno));
    struct wf_merge_source source = {&fd, read_at};
    int code = wf_trace_read(s->trace, s->lanes[0]->number, &source, &error) == WF_OK
                   ? EXIT_GOOD
                   : stream_complain(s, &error);
    if (code == EXIT_GOOD) stream_drain(s);
    if (!standard) close(fd);
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
        code = stream_complain(s, &error);
    else
        stream_drain(s);
    if (code == EXIT_GOOD && s->code == EXIT_GOOD && !wf_lane_bytes(s->lanes[0]->of))
        diag_note("%s: the black box is empty", s->image);
    wf_input_close(&image);
    return code;
}

int stream_run(struct stream *s, bool once) {
    if (!s->look && !stream_dictionaries(s->lanes[0])) return EXIT_INPUT;
    if (s->live) stream_flush(s->lanes[0]);
    bool slots = !s->image && !s->pieces && slots_in_file(s->args->operand[0]) != SLOTS_NONE;
    int code = s->image ? read_image(s) : slots ? read_slots_file(s) : read_link(s, once);
    if (code == EXIT_GOOD) code = s->code;
    if (s->recording && s->one_lane) s->lane_end = s->recording->lane_end;
    // The lanes of a pipe are known only at its end.
    if (code == EXIT_GOOD && s->lane_end && !s->lane_came && !s->interrupted)
        code = stream_no_lane(s, s->lane_end);
    if (code == EXIT_GOOD && memory_was_out()) code = EXIT_INPUT;
    return stream_end(s, code);
}

// ---- pushed by the owner of the link

int stream_push_begin(struct stream *s) {
    return stream_dictionaries(s->lanes[0]) ? EXIT_GOOD : EXIT_INPUT;
}

void stream_push(struct stream *s, const uint8_t *bytes, size_t len) {
    if (s->code != EXIT_GOOD) return; // after an error the rest is ignored
    wf_trace_feed(s->trace, s->lanes[0]->number, bytes, len);
    stream_drain(s);
}

void stream_push_known(struct stream *s, uint8_t id, const uint8_t *payload, size_t len) {
    wf_session_learn(s->lanes[0]->session, id, payload, len);
}

void stream_push_down(struct stream *s) {
    wf_trace_relink(s->trace, s->lanes[0]->number);
    stream_drain(s);
}

int stream_push_end(struct stream *s) { return stream_end(s, s->code); }

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
    bool again = strcmp(name, "-") != 0 && wf_link_is_file(name) && !source_is_live(name);
    *rate = 0;
    if (args->value[STREAM_IMAGE] || args->value[STREAM_RATE] || !again) return EXIT_GOOD;
    int code = stream_open(&s, args);
    if (code != EXIT_GOOD) return code;
    code = stream_run(&s, true);
    *rate = s.rate;
    if (code == EXIT_GOOD && s.interrupted)
        code = diag_error(EXIT_INPUT, "%s: interrupted", s.name);
    stream_close(&s);
    return code;
}

static void on_progress(void *ctx, uint64_t bytes, uint64_t records) {
    progress_tell(ctx, bytes, records);
}

int stream_run_shown(struct stream *s, bool always, const char *file) {
    struct progress progress;
    progress_begin(&progress, always, file);
    s->progress = on_progress;
    s->progress_ctx = &progress;
    int code = stream_run(s, true);
    progress_end(&progress);
    return code;
}
