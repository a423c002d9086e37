// SPDX-License-Identifier: MIT
// A file is written under its own name when it contains data (wf_outfile.h), by a thread
// (wfb_disk.h).

#include "wfb_parts.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t clock_ns(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static uint64_t now_us(void) { return clock_ns(CLOCK_MONOTONIC) / 1000; }

void wfb_parts_fail(struct wfb_parts *p, int err, const char *text) {
    if (!p->error.code) wf_error_set(&p->error, err, "%.180s: %s", p->name, text);
}

// Notes an error that has only a code.
static void note_code(struct wfb_parts *p, int err) {
    if (err != WF_OK) wfb_parts_fail(p, err, wf_err_text(err));
}

// Notes an error whose text contains the file's name.
static void note_error(struct wfb_parts *p, const struct wf_error *error) {
    if (!p->error.code) p->error = *error;
}

// Returns the last component of a name and sets its extension.
static const char *find_ending(const char *name, const char **ending) {
    const char *slash = strrchr(name, '/'), *file = slash ? slash + 1 : name;
    const char *dot = strrchr(file, '.');
    *ending = dot && dot != file ? dot : file + strlen(file);
    return file;
}

// Makes trace-0001.wfr from trace.wfr.
static bool make_name(const struct wfb_parts *p, unsigned number, char name[WFB_PATH_MAX]) {
    const char *ending;
    find_ending(p->base, &ending);
    int len = p->split ? snprintf(name, WFB_PATH_MAX, "%.*s-%04u%s", (int)(ending - p->base),
                                  p->base, number, ending)
                       : snprintf(name, WFB_PATH_MAX, "%s", p->base);
    return len < WFB_PATH_MAX;
}

// Removes the file that is one too many, in order with the writes: when the new one contains data,
// so that a source that cannot be opened costs no file.
static void remove_oldest(struct wfb_parts *p) {
    char name[WFB_PATH_MAX];
    if (!p->options->keep || p->number <= p->options->keep || p->removed_for == p->number) return;
    p->removed_for = p->number;
    if (make_name(p, p->number - p->options->keep, name) && !wf_files_has(p->options->files, name))
        wfb_disk_remove(p->disk, name);
}

// An old file of this name is replaced only when the new one contains readable data.
static bool publish_file(struct wfb_parts *p) {
    struct wf_error error;
    if (!p->output || p->options->complete || wf_outfile_is_published(p->output)) return true;
    wfb_disk_wait(p->disk);
    if (wfb_disk_error(p->disk)) return false;
    if (wf_outfile_publish(p->output, &error) == WF_OK) return true;
    note_error(p, &error);
    return false;
}

static bool write_to_disk(void *ctx, const char *bytes, size_t len) {
    struct wfb_parts *p = ctx;
    bool data = p->writer || p->options->raw; // else header or end of the file
    if (wfb_disk_error(p->disk) || !wfb_disk_write(p->disk, bytes, len)) return false;
    p->file_bytes += len;
    p->totals.file_bytes = p->before + p->file_bytes;
    if (data && !publish_file(p)) return false;
    if (data) remove_oldest(p);
    return true;
}

// Returns the number in the name of a file of this recording; 0 for other files.
static unsigned parse_number(const char *name, const char *file, const char *ending) {
    size_t stem = (size_t)(ending - file);
    if (strncmp(name, file, stem) != 0 || name[stem] != '-') return 0;
    const char *digits = name + stem + 1;
    size_t len = strspn(digits, "0123456789");
    bool is = len >= 4 && len <= 9 && strcmp(digits + len, ending) == 0;
    return is ? (unsigned)strtoul(digits, NULL, 10) : 0;
}

// Returns the last number in use, by an earlier recording that may have removed its first files.
static unsigned find_last_number(const struct wfb_parts *p) {
    const char *ending, *file = find_ending(p->base, &ending);
    char folder[WFB_PATH_MAX] = ".";
    unsigned last = 0;
    int len = (int)(file - p->base);
    if (len) snprintf(folder, sizeof folder, "%.*s", len, p->base);
    DIR *d = opendir(folder);
    for (const struct dirent *e; d && (e = readdir(d)) != NULL;) {
        unsigned number = parse_number(e->d_name, file, ending);
        if (number > last) last = number;
    }
    if (d) closedir(d);
    return last;
}

void wfb_parts_put(struct wfb_parts *p, enum wf_chunk_kind kind, unsigned lane, const void *bytes,
                   size_t len) {
    struct wf_chunk chunk = {.kind = kind, .lane = lane, .bytes = bytes, .len = len};
    if (p->error.code || !p->writer) return;
    chunk.time_us = now_us() - p->begin_us;
    int err = wf_recording_put(p->writer, &chunk);
    if (err != WF_ERR_USAGE) note_code(p, err);
}

static int begin_file(struct wfb_parts *p) {
    struct wf_recording_head head = {.part = p->totals.files + 1};
    if (!make_name(p, ++p->number, p->name)) {
        wfb_parts_fail(p, WF_ERR_USAGE, "the name is too long");
        return p->error.code;
    }
    struct wf_error error;
    enum wf_outfile_mode mode = p->options->complete    ? WF_MODE_BESIDE
                                : p->options->overwrite ? WF_MODE_LIVE
                                                        : WF_MODE_NEW;
    if (wf_outfile_open(p->name, mode, p->options->files, &p->output, &error) != WF_OK)
        note_error(p, &error);
    else if (!wfb_disk_begin(p->disk, wf_outfile_fd(p->output)))
        note_code(p, WF_ERR_NOMEM);
    if (p->error.code) return p->error.code;
    p->begin_us = now_us();
    p->file_data = 0;
    ++p->totals.files;
    if (p->options->raw) return WF_OK;
    head.start_ns = clock_ns(CLOCK_REALTIME);
    if (p->totals.files == 1) p->start_ns = head.start_ns;
    snprintf(head.tool, sizeof head.tool, "%s", p->options->tool);
    p->writer = wf_recording_create(&head, write_to_disk, p, &error);
    note_code(p, error.code);
    p->head_bytes = p->file_bytes;
    return error.code;
}

// Returns whether this file contains data after its header.
static bool has_data(struct wfb_parts *p) { return wfb_disk_wait(p->disk) > p->head_bytes; }

// A file with a write error is kept if part of it can be read.
static void close_output(struct wfb_parts *p, bool good) {
    struct wf_error error;
    if (!p->output) return;
    wfb_disk_wait(p->disk); // until all errors are known
    bool bad = p->error.code || wfb_disk_error(p->disk);
    if (bad && !(wf_outfile_is_published(p->output) && has_data(p))) good = false;
    if (good && has_data(p)) remove_oldest(p);
    p->kept = good && has_data(p);
    if (wf_outfile_close(p->output, good, &error) != WF_OK) {
        note_error(p, &error);
        p->kept = false;
    }
    p->output = NULL;
}

static void end_file(struct wfb_parts *p, bool good) {
    struct wf_recording_writer *w = p->writer;
    p->writer = NULL;
    if (w) note_code(p, wf_recording_finish(w));
    close_output(p, good);
    p->before += p->file_bytes;
    p->file_bytes = 0;
    p->totals.file_bytes = p->before;
}

uint64_t wfb_parts_step(const struct wfb_parts *p) {
    enum { STEPS = 16, LEAST = 512 };
    uint64_t bytes = p->options->split_bytes / STEPS;
    return bytes < LEAST ? LEAST : bytes;
}

// Returns whether this file has its size. The open block is flushed when it may reach the size,
// because its compressed length is not known before. A file takes at least an eighth of its size in
// received bytes, because the state of the targets alone may exceed the size.
static bool is_full(struct wfb_parts *p) {
    uint64_t most = p->options->split_bytes;
    if (!most || p->file_data < most / 8) return false;
    uint64_t full = most > wfb_parts_step(p) ? most - wfb_parts_step(p) : most;
    if (p->writer && p->file_bytes + wf_recording_waiting(p->writer) >= full)
        note_code(p, wf_recording_flush(p->writer));
    return p->file_bytes >= full;
}

void wfb_parts_put_bytes(struct wfb_parts *p, unsigned lane, const uint8_t *bytes, size_t len) {
    if (!len || p->error.code) return;
    p->file_data += len;
    if (p->writer)
        wfb_parts_put(p, WF_CHUNK_BYTES, lane, bytes, len);
    else if (!write_to_disk(p, (const char *)bytes, len))
        wfb_parts_fail(p, WF_ERR_WRITE, "cannot be written");
}

void wfb_parts_tick(struct wfb_parts *p) {
    if (p->error.code || !p->writer) return;
    uint64_t since = wf_recording_open_since(p->writer);
    if (since == UINT64_MAX || now_us() - p->begin_us < since + WF_RECORDING_SPAN_US) return;
    note_code(p, wf_recording_flush(p->writer));
}

bool wfb_parts_is_due(struct wfb_parts *p) {
    bool full = !p->error.code && is_full(p);
    bool old = p->options->split_us && now_us() - p->begin_us >= p->options->split_us;
    return !p->error.code && (full || old);
}

int wfb_parts_next(struct wfb_parts *p) {
    end_file(p, true);
    return begin_file(p);
}

// Sets the system's error, whose text is more precise than that of another error.
static void note_disk_error(struct wfb_parts *p, int number) {
    if (!number) return;
    p->error.code = WF_OK;
    wfb_parts_fail(p, WF_ERR_WRITE, strerror(number));
}

static int report_error(struct wfb_parts *p, struct wf_error *error) {
    if (p->error.code == WF_OK) return WF_OK;
    bool has = p->totals.files > 1 || p->kept || (p->output && has_data(p));
    return wf_error_set(error, p->error.code, "%.200s%s", p->error.text,
                        has ? "; data written before can be read" : "; nothing was recorded");
}

bool wfb_parts_error(struct wfb_parts *p, struct wf_error *error) {
    note_disk_error(p, wfb_disk_error(p->disk));
    return report_error(p, error) != WF_OK;
}

int wfb_parts_open(struct wfb_parts *p, const char *name, const struct wf_capture_options *options,
                   struct wf_error *error) {
    p->options = options;
    p->split = options->split_bytes || options->split_us;
    p->base = strdup(name);
    p->disk = wfb_disk_open();
    int err = p->base && p->disk ? WF_OK : WF_ERR_NOMEM;
    if (err == WF_OK) {
        if (p->split && !options->overwrite) p->number = find_last_number(p);
        err = begin_file(p);
        if (err == WF_OK) return WF_OK;
        *error = p->error;
        close_output(p, false);
    } else {
        wf_error_code(error, err);
    }
    if (p->disk) wfb_disk_close(p->disk);
    free(p->base);
    return err;
}

int wfb_parts_close(struct wfb_parts *p, bool good, struct wf_error *error) {
    end_file(p, good);
    note_disk_error(p, wfb_disk_close(p->disk));
    free(p->base);
    return report_error(p, error);
}
