// SPDX-License-Identifier: MIT
// Files of a capture. With a split, bytes after the last 0x7E (in text: line feed) of a lane are
// held back until the record is complete, so that a new file can begin between any two calls.

#include "wallfly_backend/wf_capture.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "wallfly_host/wf_text_trace.h"
#include "wfb_disk.h"

enum { FLAG = 0x7E, NAME_MAX_LEN = 4096, HELD_MAX = 65536, SENT_MAX = 2048 };

struct lane {
    bool up, been; // been: it was connected before
    bool told;     // this file contains the known state of its target
    char peer[WF_RECORDING_NAME_MAX + 1];
    struct wf_session *session; // with a split, if the caller supplies none
    uint8_t *held;              // the beginning of a record; only with a split
    size_t held_len, held_cap;
};

struct wf_capture {
    struct wf_capture_options options;
    struct wfb_disk *disk;
    struct wf_recording_writer *writer; // null: raw
    struct lane *lanes;
    unsigned lane_count;
    uint64_t file_us;          // monotonic, when the file was created
    uint64_t before;           // file bytes of the files before this one
    uint64_t file_bytes;       // of this file
    uint64_t head_bytes;       // of this file, before the first data
    uint64_t file_data;        // received bytes in it
    struct wf_outfile *output; // the current file
    unsigned number;           // in the name of the current file
    bool nameless;             // the missing names were reported
    bool kept;                 // after its end: the last file contains data
    struct wf_capture_totals totals;
    int err;
    char why[256];
    char *base;              // the name as given
    char name[NAME_MAX_LEN]; // of the current file
};

static uint64_t now_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

static uint64_t utc_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static bool splits(const struct wf_capture *c) {
    return c->options.split_bytes || c->options.split_us;
}

static void fail(struct wf_capture *c, int err, const char *text) {
    if (c->err) return;
    c->err = err;
    snprintf(c->why, sizeof c->why, "%.180s: %s", c->name, text);
}

// For an error text that already contains the file's name.
static void fail_why(struct wf_capture *c, int err, const char why[256]) {
    if (c->err) return;
    c->err = err;
    snprintf(c->why, sizeof c->why, "%s", why);
}

// An old file of this name is replaced only when the new one contains readable data.
static bool publish(struct wf_capture *c) {
    char why[256];
    if (!c->output || wf_outfile_is_published(c->output)) return true;
    wfb_disk_wait(c->disk);
    if (wfb_disk_error(c->disk)) return false;
    int err = wf_outfile_publish(c->output, why);
    if (err != WF_OK) fail_why(c, err, why);
    return err == WF_OK;
}

static bool to_disk(void *ctx, const char *bytes, size_t len) {
    struct wf_capture *c = ctx;
    bool data = c->writer || c->options.raw; // else header or end of the file
    if (wfb_disk_error(c->disk) || !wfb_disk_write(c->disk, bytes, len)) return false;
    c->file_bytes += len;
    c->totals.file_bytes = c->before + c->file_bytes;
    return !data || publish(c);
}

// Returns the last component of a name and sets its extension.
static const char *file_of(const char *name, const char **ending) {
    const char *slash = strrchr(name, '/'), *file = slash ? slash + 1 : name;
    const char *dot = strrchr(file, '.');
    *ending = dot && dot != file ? dot : file + strlen(file);
    return file;
}

// Makes trace-0001.wfr from trace.wfr.
static bool name_part(const struct wf_capture *c, unsigned number, char name[NAME_MAX_LEN]) {
    const char *ending;
    file_of(c->base, &ending);
    int len = splits(c) ? snprintf(name, NAME_MAX_LEN, "%.*s-%04u%s", (int)(ending - c->base),
                                   c->base, number, ending)
                        : snprintf(name, NAME_MAX_LEN, "%s", c->base);
    return len < NAME_MAX_LEN;
}

// Returns the number in the name of a file of this recording; 0 for other files.
static unsigned number_in(const char *name, const char *file, const char *ending) {
    size_t stem = (size_t)(ending - file);
    if (strncmp(name, file, stem) != 0 || name[stem] != '-') return 0;
    const char *digits = name + stem + 1;
    size_t len = strspn(digits, "0123456789");
    bool is = len >= 4 && len <= 9 && strcmp(digits + len, ending) == 0;
    return is ? (unsigned)strtoul(digits, NULL, 10) : 0;
}

// Returns the last number in use, by an earlier recording that may have removed its first files.
static unsigned last_number(const struct wf_capture *c) {
    const char *ending, *file = file_of(c->base, &ending);
    char folder[NAME_MAX_LEN] = ".";
    unsigned last = 0;
    int len = (int)(file - c->base);
    if (len) snprintf(folder, sizeof folder, "%.*s", len, c->base);
    DIR *d = opendir(folder);
    for (const struct dirent *e; d && (e = readdir(d)) != NULL;) {
        unsigned number = number_in(e->d_name, file, ending);
        if (number > last) last = number;
    }
    if (d) closedir(d);
    return last;
}

static void put(struct wf_capture *c, enum wf_chunk_kind kind, unsigned lane, const void *bytes,
                size_t len) {
    struct wf_chunk chunk = {.kind = kind, .lane = lane, .bytes = bytes, .len = len};
    if (c->err || !c->writer) return;
    chunk.time_us = now_us() - c->file_us;
    int err = wf_recording_put(c->writer, &chunk);
    if (err != WF_OK && err != WF_ERR_USAGE) fail(c, err, wf_err_text(err));
}

// Reported once, because it holds for each file from this one on.
static void say_nameless(struct wf_capture *c, const struct lane *lane) {
    char text[512];
    if (c->nameless || !c->options.say) return;
    c->nameless = true;
    snprintf(text, sizeof text,
             "%.200s: the names of %.100s take more than 512 KiB and are not in this file or those "
             "behind it; --dic reads them, from a file that `wallfly convert --to=dic` makes of "
             "the one before",
             c->name, lane->peer);
    c->options.say(c->options.ctx, text);
}

// Writes the connection of a target, then the state from the files before this one: a target that
// reconnects without a reset does not send its names again.
static void put_up(struct wf_capture *c, unsigned number) {
    struct lane *lane = &c->lanes[number];
    const struct wf_session *s = lane->session;
    size_t len = 0;
    put(c, WF_CHUNK_UP, number, lane->peer, strlen(lane->peer));
    if (c->options.session) s = c->options.session(c->options.ctx, number);
    uint8_t *state = s && lane->been && !lane->told ? wf_session_write_state(s, &len) : NULL;
    if (state) put(c, WF_CHUNK_STATE, number, state, len);
    if (state && wf_session_state_nameless(state, len)) say_nameless(c, lane);
    free(state);
    lane->been = lane->told = true;
}

// Called at the beginning of each file except the first.
static void carry_over(struct wf_capture *c) {
    for (unsigned i = 0; i < c->lane_count; ++i) c->lanes[i].told = false;
    for (unsigned i = 0; i < c->lane_count; ++i) {
        if (c->lanes[i].up) put_up(c, i);
    }
}

static int begin_file(struct wf_capture *c) {
    struct wf_recording_head head = {.part = c->totals.files + 1};
    int err = WF_OK;
    if (!name_part(c, ++c->number, c->name)) {
        fail(c, WF_ERR_USAGE, "the name is too long");
        return c->err;
    }
    char why[256];
    err = wf_outfile_open(c->name, c->options.overwrite ? WF_MODE_LIVE : WF_MODE_NEW,
                          c->options.files, &c->output, why);
    if (err != WF_OK) {
        fail_why(c, err, why);
        return c->err;
    }
    if (!wfb_disk_begin(c->disk, wf_outfile_fd(c->output))) {
        fail(c, WF_ERR_NOMEM, wf_err_text(WF_ERR_NOMEM));
        return c->err;
    }
    c->file_us = now_us();
    c->file_data = 0;
    ++c->totals.files;
    if (c->options.raw) return WF_OK;
    head.start_ns = utc_ns();
    snprintf(head.tool, sizeof head.tool, "%s", c->options.tool);
    c->writer = wf_recording_create(&head, to_disk, c, &err);
    if (err != WF_OK) fail(c, err, wf_err_text(err));
    c->head_bytes = c->file_bytes;
    return err;
}

// Returns whether this file contains data after its header.
static bool has_data(struct wf_capture *c) { return wfb_disk_wait(c->disk) > c->head_bytes; }

// A file with a write error is kept if part of it can be read.
static void close_output(struct wf_capture *c, bool good) {
    char why[256];
    if (!c->output) return;
    wfb_disk_wait(c->disk); // until all errors are known
    bool bad = c->err || wfb_disk_error(c->disk);
    if (bad && !(wf_outfile_is_published(c->output) && has_data(c))) good = false;
    int err = wf_outfile_close(c->output, good, why);
    c->output = NULL;
    if (err != WF_OK) fail_why(c, err, why);
}

static void end_file(struct wf_capture *c, bool good) {
    struct wf_recording_writer *w = c->writer;
    if (w) {
        c->writer = NULL;
        int err = wf_recording_finish(w);
        if (err != WF_OK) fail(c, err, wf_err_text(err));
    }
    close_output(c, good);
    c->before += c->file_bytes;
    c->file_bytes = 0;
    c->totals.file_bytes = c->before;
}

static void forget_oldest(struct wf_capture *c) {
    char name[NAME_MAX_LEN];
    if (!c->options.keep || c->number <= c->options.keep) return;
    if (name_part(c, c->number - c->options.keep, name) && !wf_files_has(c->options.files, name))
        wfb_disk_remove(c->disk, name);
}

// Returns how many bytes are written at a time, so that a file exceeds its size only slightly.
static uint64_t step(const struct wf_capture *c) {
    enum { STEPS = 16, LEAST = 512 };
    uint64_t bytes = c->options.split_bytes / STEPS;
    return bytes < LEAST ? LEAST : bytes;
}

// Returns whether this file has its size. The open block is flushed when it may reach the size,
// because its compressed length is not known before. A file takes at least an eighth of its size in
// received bytes, because the state of the targets alone may exceed the size.
static bool is_full(struct wf_capture *c) {
    uint64_t most = c->options.split_bytes;
    if (!most || c->file_data < most / 8) return false;
    uint64_t full = most > step(c) ? most - step(c) : most;
    if (c->writer && c->file_bytes + wf_recording_waiting(c->writer) >= full) {
        int err = wf_recording_flush(c->writer);
        if (err != WF_OK) fail(c, err, wf_err_text(err));
    }
    return c->file_bytes >= full;
}

// Starts a new file when it is time, before the next data is written.
static void split(struct wf_capture *c) {
    const struct wf_capture_options *o = &c->options;
    bool full = !c->err && is_full(c);
    bool old = o->split_us && now_us() - c->file_us >= o->split_us;
    static const char why[] = "goes on in the next file";
    if (c->err || (!full && !old)) return;
    for (unsigned i = 0; i < c->lane_count; ++i) {
        if (c->lanes[i].up) put(c, WF_CHUNK_DOWN, i, why, sizeof why - 1);
    }
    end_file(c, true);
    if (begin_file(c) != WF_OK) return;
    carry_over(c);
    forget_oldest(c);
}

static struct lane *lane_of(struct wf_capture *c, unsigned number) {
    if (number >= WF_RECORDING_LANES) return NULL;
    if (number < c->lane_count) return &c->lanes[number];
    struct lane *lanes = realloc(c->lanes, (number + 1) * sizeof *lanes);
    if (!lanes) {
        fail(c, WF_ERR_NOMEM, wf_err_text(WF_ERR_NOMEM));
        return NULL;
    }
    memset(lanes + c->lane_count, 0, (number + 1 - c->lane_count) * sizeof *lanes);
    c->lanes = lanes;
    c->lane_count = number + 1;
    return &c->lanes[number];
}

static void put_bytes(struct wf_capture *c, unsigned lane, const uint8_t *bytes, size_t len) {
    if (!len || c->err) return;
    c->file_data += len;
    if (c->writer)
        put(c, WF_CHUNK_BYTES, lane, bytes, len);
    else if (!to_disk(c, (const char *)bytes, len))
        fail(c, WF_ERR_WRITE, "the disk does not take it");
}

static void release(struct wf_capture *c, unsigned number) {
    struct lane *lane = &c->lanes[number];
    put_bytes(c, number, lane->held, lane->held_len);
    lane->held_len = 0;
}

static bool hold(struct lane *lane, const uint8_t *bytes, size_t len) {
    if (lane->held_cap - lane->held_len < len) {
        size_t cap = lane->held_len + len + 1024;
        uint8_t *held = realloc(lane->held, cap);
        if (!held) return false;
        lane->held = held;
        lane->held_cap = cap;
    }
    if (len) memcpy(lane->held + lane->held_len, bytes, len);
    lane->held_len += len;
    return true;
}

// Decodes the bytes, for the state at the start of the next file.
static void follow(const struct wf_capture *c, struct lane *lane, const uint8_t *bytes,
                   size_t len) {
    static const struct wf_session_options options = {.dialect = WF_DIALECT_WALLFLY};
    struct wf_item item;
    int err;
    if (!splits(c) || c->options.raw || c->options.session) return;
    if (!lane->session) lane->session = wf_session_open(&options, &err);
    if (!lane->session) return;
    wf_session_feed(lane->session, bytes, len);
    while (wf_session_next(lane->session, &item)) {
    }
}

// Returns the byte that ends a record of the lane: a line feed for transmission text.
static uint8_t end_mark(const struct wf_capture *c, unsigned number) {
    const struct wf_session *s = c->lanes[number].session;
    if (c->options.session) s = c->options.session(c->options.ctx, number);
    return s && wf_session_takes_text(s) ? '\n' : FLAG;
}

static void take_bytes(struct wf_capture *c, unsigned number, const uint8_t *bytes, size_t len) {
    struct lane *lane = lane_of(c, number);
    if (c->err || !lane) return;
    c->totals.bytes += len;
    split(c);
    follow(c, lane, bytes, len);
    size_t whole = len;
    if (splits(c)) {
        const uint8_t *flag = memrchr(bytes, end_mark(c, number), len);
        whole = flag ? (size_t)(flag - bytes) + 1 : 0;
        if (lane->held_len + len - whole > HELD_MAX) whole = len; // longer than any record
    }
    if (whole) {
        release(c, number);
        put_bytes(c, number, bytes, whole);
    }
    if (!hold(lane, bytes + whole, len - whole)) put_bytes(c, number, bytes + whole, len - whole);
}

size_t wf_capture_step(const struct wf_capture *c) {
    return c->options.split_bytes ? (size_t)step(c) : SIZE_MAX;
}

void wf_capture_bytes(struct wf_capture *c, unsigned lane, const uint8_t *bytes, size_t len) {
    for (size_t n; len; bytes += n, len -= n) {
        n = wf_capture_step(c) < len ? wf_capture_step(c) : len;
        take_bytes(c, lane, bytes, n);
    }
}

void wf_capture_up(struct wf_capture *c, unsigned number, const char *peer) {
    struct lane *lane = lane_of(c, number);
    if (!lane) return;
    split(c);
    lane->up = true;
    snprintf(lane->peer, sizeof lane->peer, "%s", peer);
    put_up(c, number);
}

void wf_capture_down(struct wf_capture *c, unsigned number, const char *why) {
    struct lane *lane = lane_of(c, number);
    if (!lane) return;
    release(c, number);
    lane->up = false;
    put(c, WF_CHUNK_DOWN, number, why, strlen(why));
    if (lane->session) wf_session_relink(lane->session);
}

void wf_capture_sent(struct wf_capture *c, unsigned lane, uint8_t command, const void *payload,
                     size_t len) {
    uint8_t bytes[SENT_MAX] = {command};
    if (len >= sizeof bytes || !lane_of(c, lane)) return;
    if (len) memcpy(bytes + 1, payload, len);
    put(c, WF_CHUNK_SENT, lane, bytes, len + 1);
}

void wf_capture_chunk(struct wf_capture *c, unsigned lane, const struct wf_chunk *chunk) {
    bool takes = chunk->kind == WF_CHUNK_STATE || chunk->kind == WF_CHUNK_SENT;
    if (!takes || !lane_of(c, lane)) return;
    put(c, chunk->kind, lane, chunk->bytes, chunk->len);
    follow(c, &c->lanes[lane], NULL, 0);
    if (c->lanes[lane].session) wf_recording_apply(c->lanes[lane].session, chunk);
}

void wf_capture_tick(struct wf_capture *c) {
    if (c->err || !c->writer) return;
    uint64_t since = wf_recording_open_since(c->writer);
    if (since == UINT64_MAX || now_us() - c->file_us < since + WF_RECORDING_SPAN_US) return;
    int err = wf_recording_flush(c->writer);
    if (err != WF_OK) fail(c, err, wf_err_text(err));
}

// Adds whether anything can be read in spite of the error.
static void tell_why(struct wf_capture *c, char why[256]) {
    bool has = c->err && (c->totals.files > 1 || c->kept || (c->output && has_data(c)));
    snprintf(why, 256, "%.200s%s", c->why,
             !c->err ? ""
             : has   ? "; what was written before can be read"
                     : "; nothing was recorded");
}

bool wf_capture_error(struct wf_capture *c, char why[256]) {
    int error = wfb_disk_error(c->disk);
    if (error) {
        c->err = 0; // the system's error text is more precise
        fail(c, WF_ERR_WRITE, strerror(error));
    }
    tell_why(c, why);
    return c->err != 0;
}

struct wf_capture_totals wf_capture_totals(const struct wf_capture *c) {
    return c->totals;
}
const char *wf_capture_name(const struct wf_capture *c) { return c->name; }

static void destroy(struct wf_capture *c) {
    for (unsigned i = 0; i < c->lane_count; ++i) {
        free(c->lanes[i].held);
        wf_session_close(c->lanes[i].session);
    }
    free(c->lanes);
    free(c->base);
    free(c);
}

int wf_capture_open(const char *name, const struct wf_capture_options *options,
                    struct wf_capture **capture, char why[256]) {
    struct wf_capture *c = calloc(1, sizeof *c);
    *capture = NULL;
    snprintf(why, 256, "out of memory");
    if (!c) return WF_ERR_NOMEM;
    c->options = *options;
    c->base = strdup(name);
    c->disk = wfb_disk_open();
    if (!c->base || !c->disk) {
        if (c->disk) wfb_disk_close(c->disk);
        destroy(c);
        return WF_ERR_NOMEM;
    }
    if (splits(c) && !c->options.overwrite) c->number = last_number(c);
    int err = begin_file(c);
    if (err == WF_OK) {
        forget_oldest(c);
        *capture = c;
        return WF_OK;
    }
    snprintf(why, 256, "%s", c->why);
    close_output(c, false);
    wfb_disk_close(c->disk);
    destroy(c);
    return err;
}

int wf_capture_close(struct wf_capture *c, struct wf_capture_totals *totals, char why[256]) {
    for (unsigned i = 0; i < c->lane_count; ++i) release(c, i);
    end_file(c, true);
    c->kept = has_data(c);
    if (totals) *totals = c->totals;
    int error = wfb_disk_close(c->disk);
    if (error) {
        c->err = 0;
        fail(c, WF_ERR_WRITE, strerror(error));
    }
    int err = c->err;
    tell_why(c, why);
    destroy(c);
    return err;
}

void wf_capture_discard(struct wf_capture *c) {
    end_file(c, false);
    wfb_disk_close(c->disk);
    destroy(c);
}
