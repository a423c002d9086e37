// SPDX-License-Identifier: MIT
// Complete inputs of a lane: files with random access, images of memory.

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_box.h"
#include "wallfly_host/wf_kept_names.h"
#include "wfi_trace.h"

int wfi_input_error(struct wf_error *error, int err) {
    if (err != WF_ERR_READ) return wf_error_code(error, err);
    return wf_error_set(error, err, "cannot be read: %s", strerror(errno));
}

// A lane takes one complete input. Returns null with the error set.
static struct wf_lane *new_input(struct wf_trace *t, unsigned lane, struct wf_error *error) {
    struct wf_lane *l = wf_trace_lane(t, lane, error);
    if (!l) return NULL;
    t->turn = l;
    if (!l->reader && !l->first_len && !l->over && !t->reading && !t->recorded) return l;
    wf_error_set(error, WF_ERR_USAGE, "lane %u: has had input already", lane);
    return NULL;
}

// A lane whose input cannot be read returns no items.
static int drop_input(struct wf_lane *l, int err) {
    l->reader = NULL;
    l->next = wfi_next_nothing;
    l->steps = 0;
    l->over = true;
    return err;
}

// Fills the buffer, unless the input ends or fails. Returns the number of bytes read.
static size_t read_full(const struct wf_merge_source *source, uint64_t at, uint8_t *to, size_t room,
                        bool *failed) {
    size_t len = 0;
    int64_t n = 1;
    while (len < room && n > 0) {
        n = source->read_at(source->ctx, at + len, to + len, room - len);
        if (n > 0 && (uint64_t)n > room - len) n = -1;
        if (n > 0) len += (size_t)n;
    }
    *failed = n < 0;
    return len;
}

int wfi_load_source(struct wf_trace *t, const struct wf_merge_source *source,
                    struct wf_merge_span *all, struct wf_error *error) {
    size_t room = WFI_PIECE;
    bool failed;
    if (source->read_at == wf_merge_span_at) { // it is in memory
        *all = *(const struct wf_merge_span *)source->ctx;
        return WF_OK;
    }
    for (all->len = 0;; room *= 2) {
        uint8_t *more = realloc(t->buffer, room);
        if (!more) return wf_error_code(error, WF_ERR_NOMEM);
        all->bytes = t->buffer = more;
        all->len += read_full(source, all->len, more + all->len, room - all->len, &failed);
        if (failed) return wfi_input_error(error, WF_ERR_READ);
        if (all->len < room) return WF_OK;
    }
}

int wfi_feed_source(struct wf_trace *t, struct wf_lane *lane,
                    const struct wf_merge_source *source) {
    if (!t->buffer) t->buffer = malloc(WFI_PIECE);
    if (!t->buffer) return WF_ERR_NOMEM;
    t->source = *source;
    t->source_lane = lane;
    t->source_at = 0;
    t->reading = true;
    return WF_OK;
}

// Opens the reader of a complete input. Returns the error.
static int open_reader(struct wf_lane *l, const struct wfi_reader *reader, struct wf_error *error) {
    return wf_error_code(error, wfi_set_reader(l, reader));
}

static int read_lane(struct wf_lane *l, const struct wfi_reader *reader,
                     const struct wf_merge_source *source, struct wf_error *error) {
    if (!reader) return wf_error_code(error, wfi_feed_source(l->trace, l, source));
    int err = open_reader(l, reader, error);
    return err == WF_OK ? reader->read(l, source, error) : err;
}

static int read_recording(struct wf_trace *t, const struct wf_merge_source *source,
                          struct wf_error *error) {
    if (t->recorded || t->reading)
        return wf_error_set(error, WF_ERR_USAGE, "recording: the trace has had a file already");
    int err = wfi_recorded_open(t);
    if (err == WF_OK) err = wfi_feed_source(t, NULL, source);
    t->turn = NULL;
    return wf_error_code(error, err);
}

// Reads a file on a lane by the reader of its format; null: it is fed.
static int read_file(struct wf_trace *t, unsigned lane, const struct wfi_reader *reader,
                     const struct wf_merge_source *source, struct wf_error *error) {
    struct wf_lane *l = new_input(t, lane, error);
    if (!l) return error->code;
    int err = read_lane(l, reader, source, error);
    if (err == WF_OK && !t->reading) wfi_end_lane(l);
    return err == WF_OK ? WF_OK : drop_input(l, err);
}

// The format of the options is not replaced by another. Returns null for a file that is fed.
static const struct wfi_reader *find_reader(const struct wf_trace *t, const uint8_t *first,
                                            size_t len) {
    const struct wfi_reader *wanted = wfi_reader_for(t->options.format, first, len, true);
    if (wanted && wanted->import) return wanted;
    const struct wfi_reader *found = wfi_detect_file(first, len);
    return wanted && found && found->format != wanted->format ? NULL : found;
}

int wf_trace_read(struct wf_trace *t, unsigned lane, const struct wf_merge_source *source,
                  struct wf_error *error) {
    struct wf_error none;
    bool failed;
    if (!error) error = &none;
    uint8_t *first = malloc(WFI_PIECE);
    if (!first) return wf_error_code(error, WF_ERR_NOMEM);
    size_t n = read_full(source, 0, first, WFI_PIECE, &failed);
    int reason = errno;
    bool recording = n >= WF_RECORDING_MAGIC_LEN && wf_recording_is(first, n);
    const struct wfi_reader *reader = find_reader(t, first, n);
    free(first);
    if (recording) return read_recording(t, source, error);
    if (!failed || n) return read_file(t, lane, reader, source, error);
    struct wf_lane *l = new_input(t, lane, error);
    if (!l) return error->code;
    errno = reason;
    return drop_input(l, wfi_input_error(error, WF_ERR_READ));
}

// Moves the bytes of the ring to the trace.
static int read_ring(struct wf_lane *l, struct wf_box *box, const uint8_t *image, size_t len,
                     struct wf_error *error) {
    struct wf_trace *t = l->trace;
    enum wf_lane_format format = t->options.format;
    if (format && format != WF_LANE_FRAMES)
        return wf_error_set(error, WF_ERR_USAGE, "holds frames, no trace of the wanted format");
    int err = wf_box_learn(box, image, len, l->session);
    if (err == WF_OK) {
        free(t->buffer);
        t->buffer = box->stream;
        box->stream = NULL;
        err = wf_trace_feed(t, l->number, t->buffer, box->len);
    }
    if (err != WF_OK) return wf_error_code(error, err);
    wfi_end_lane(l);
    return wf_error_code(error, WF_OK);
}

// Another tracer's buffer. own: why there is none of wallfly's recorder.
static int read_found(struct wf_lane *l, const uint8_t *image, size_t len, const uint8_t *program,
                      size_t program_len, const struct wf_box *own, struct wf_error *error) {
    struct wf_trace *t = l->trace;
    const struct wfi_reader *reader;
    struct wfi_import_found found;
    wf_error_code(error, WF_OK);
    int err = wfi_find_import(t, image, len, program, program_len, &reader, &found, error);
    if (err == WF_ERR_BAD_BOX && error->code == WF_OK) {
        wf_error_set(error, err, "%s", own->problem);
        error->place = WF_AT_BYTE;
        error->at = own->offset;
    }
    if (err != WF_OK) return err;
    if (found.copy) {
        free(t->buffer);
        t->buffer = found.copy;
    }
    err = open_reader(l, reader, error);
    if (err != WF_OK) return err;
    wfi_import_read_memory(l, found.data, found.len, found.at);
    wfi_end_lane(l);
    return WF_OK;
}

int wf_trace_read_image(struct wf_trace *t, unsigned lane, const uint8_t *image, size_t len,
                        const uint8_t *program, size_t program_len, struct wf_error *error) {
    struct wf_error none;
    struct wf_box box;
    if (!error) error = &none;
    struct wf_lane *l = new_input(t, lane, error);
    if (!l) return error->code;
    int err = wf_box_read(image, len, program, program_len, &box);
    if (err == WF_OK) {
        err = read_ring(l, &box, image, len, error);
    } else if (err == WF_ERR_BAD_BOX && wf_slots_has_memory(image, len)) {
        err = open_reader(l, &wfi_reader_slot_memory, error);
        if (err == WF_OK) err = wfi_slots_read_memory(l, image, len, error);
        if (err == WF_OK) wfi_end_lane(l);
    } else if (err == WF_ERR_BAD_BOX) {
        err = read_found(l, image, len, program, program_len, &box, error);
    } else {
        wf_error_code(error, err);
    }
    wf_box_free(&box);
    return err == WF_OK ? WF_OK : drop_input(l, err);
}
