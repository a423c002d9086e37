// SPDX-License-Identifier: MIT
// Runs over files, streams, memory and live memory, each as a stream or with random access.

#include "wfp_parser.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <wallfly_host/wf_slot_memory.h>

int wf_parser_begin(struct wf_parser *p) {
    const struct wf_parser_options *o = &p->options;
    struct wf_error error;
    wfp_forget_run(p);
    struct wf_merge_options options = {.size = sizeof options,
                                       .slots = &o->slots,
                                       .memory = o->memory,
                                       .delay = o->delay,
                                       .delay_ms = o->delay_ms,
                                       .as_stored = o->order != WF_PARSER_BY_TIME};
    p->merge = wf_merge_open(&options, &error);
    return error.code == WF_OK ? WF_OK : wfp_fail(p, error.code, "%s", error.text);
}

static int call_for_all(struct wf_parser *p) {
    struct wf_slots_item item;
    while (wf_merge_next(p->merge, &item)) {
        if (!wfp_call(p, &item)) return WF_ERR_STOPPED;
    }
    int err = wf_merge_error(p->merge);
    return err == WF_OK || p->problem[0] ? err : wfp_fail(p, err, "%s", wf_err_text(err));
}

static int fail_unbegun(struct wf_parser *p) {
    return p->problem[0] ? WF_ERR_USAGE : wfp_fail(p, WF_ERR_USAGE, "the run has not begun");
}

int wf_parser_feed(struct wf_parser *p, const void *bytes, size_t len) {
    if (!p->merge) return fail_unbegun(p);
    wf_merge_feed(p->merge, bytes, len);
    return call_for_all(p);
}

int wf_parser_end(struct wf_parser *p) {
    if (!p->merge) return fail_unbegun(p);
    wf_merge_end(p->merge);
    return wf_parser_feed(p, NULL, 0);
}

// ---- random access

static int run_source(struct wf_parser *p, const struct wf_merge_source *source) {
    int err = wf_parser_begin(p);
    if (err != WF_OK) return err;
    err = wf_merge_read(p->merge, source);
    if (err == WF_OK) return call_for_all(p);
    return p->problem[0] ? err : wfp_fail(p, err, "%s", wf_err_text(err));
}

static int run_span(struct wf_parser *p, const void *bytes, size_t len) {
    struct wf_merge_span span = {bytes, len};
    return run_source(p, &(struct wf_merge_source){&span, wf_merge_span_at});
}

// ---- images and live memory

static int run_image(struct wf_parser *p, const uint8_t *bytes, size_t len) {
    struct wf_error error;
    wfp_forget_run(p);
    struct wf_slot_memory *m = wf_slot_memory_open(bytes, len, NULL, &error);
    if (!m) return wfp_fail(p, error.code, "%s", error.text);
    size_t n;
    uint8_t *stream = wf_slot_memory_read_all(m, &n);
    int err = stream ? run_span(p, stream, n)
                     : wfp_fail(p, WF_ERR_NOMEM, "%s", wf_err_text(WF_ERR_NOMEM));
    free(stream);
    wf_slot_memory_close(m);
    return err;
}

int wf_parser_run_memory(struct wf_parser *p, const void *bytes, size_t len) {
    bool image = !p->options.slots.no_header && !wf_slots_has_attributes(bytes, len) &&
                 wf_slots_has_memory(bytes, len);
    return image ? run_image(p, bytes, len) : run_span(p, bytes, len);
}

static int follow(struct wf_parser *p, struct wf_slot_memory *m, wf_parser_idle_fn idle,
                  void *user) {
    uint8_t *buf = malloc(WFP_PIECE);
    int err = buf ? WF_OK : wfp_fail(p, WF_ERR_NOMEM, "%s", wf_err_text(WF_ERR_NOMEM));
    while (err == WF_OK && !wf_slot_memory_done(m)) {
        size_t n = wf_slot_memory_read(m, buf, WFP_PIECE);
        if (n) {
            err = wf_parser_feed(p, buf, n);
            continue;
        }
        switch (idle(p, user)) {
        case WF_PARSER_WAIT: break;
        case WF_PARSER_END: wf_slot_memory_end(m); break;
        case WF_PARSER_SKIP: wf_slot_memory_skip(m); break;
        }
    }
    if (err == WF_OK) err = wf_parser_end(p);
    free(buf);
    return err;
}

int wf_parser_run_live(struct wf_parser *p, void *bytes, size_t len, bool taking,
                       wf_parser_idle_fn idle, void *user) {
    struct wf_slot_memory_options options = {
        .size = sizeof options, .live = true, .taking = taking};
    struct wf_error error;
    wfp_forget_run(p);
    struct wf_slot_memory *m = wf_slot_memory_open(bytes, len, &options, &error);
    if (!m) return wfp_fail(p, error.code, "%s", error.text);
    int err = wf_parser_begin(p);
    if (err == WF_OK) err = follow(p, m, idle, user);
    wf_slot_memory_close(m);
    return err;
}

// ---- files

struct file {
    struct wf_parser *parser;
    const char *name;
    int fd;
};

static int fail_read(const struct file *f) {
    return wfp_fail(f->parser, WF_ERR_READ, "%s cannot be read: %s", f->name, strerror(errno));
}

static int64_t read_file(void *ctx, uint64_t offset, void *buf, size_t len) {
    const struct file *f = ctx;
    ssize_t n;
    do n = pread(f->fd, buf, len, (off_t)offset);
    while (n < 0 && errno == EINTR);
    return n < 0 ? fail_read(f) : n;
}

static int run_pipe(struct wf_parser *p, const struct file *f) {
    uint8_t *buf = malloc(WFP_PIECE);
    int err = wf_parser_begin(p);
    if (!buf) err = wfp_fail(p, WF_ERR_NOMEM, "%s", wf_err_text(WF_ERR_NOMEM));
    while (err == WF_OK) {
        ssize_t n = read(f->fd, buf, WFP_PIECE);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) err = fail_read(f);
        if (n <= 0) break;
        err = wf_parser_feed(p, buf, (size_t)n);
    }
    if (err == WF_OK) err = wf_parser_end(p);
    free(buf);
    return err;
}

// Returns true for an image of memory: no attributes, but the magic anywhere.
static bool is_image(const struct file *f, uint8_t *buf) {
    int64_t n = read_file((void *)(uintptr_t)f, 0, buf, WFP_PIECE);
    if (n > 0 && wf_slots_has_attributes(buf, (size_t)n)) return false;
    for (uint64_t at = 0; n > 0; n = read_file((void *)(uintptr_t)f, at, buf, WFP_PIECE)) {
        if (wf_slots_has_memory(buf, (size_t)n)) return true;
        if (n < 8) return false;
        at += ((uint64_t)n - 4) & ~UINT64_C(3); // it may cross the end
    }
    return false;
}

static int run_image_file(struct wf_parser *p, const struct file *f, size_t len) {
    uint8_t *bytes = malloc(len);
    size_t got = 0;
    int64_t n = 1;
    if (!bytes) return wfp_fail(p, WF_ERR_NOMEM, "%s", wf_err_text(WF_ERR_NOMEM));
    while (got < len && n > 0) {
        n = read_file((void *)(uintptr_t)f, got, bytes + got, len - got);
        if (n > 0) got += (size_t)n;
    }
    int err = n < 0 ? WF_ERR_READ : run_image(p, bytes, got);
    free(bytes);
    return err;
}

static int run_open_file(struct wf_parser *p, struct file *f) {
    struct wf_merge_source source = {f, read_file};
    struct stat st;
    if (fstat(f->fd, &st) != 0) return fail_read(f);
    if (!S_ISREG(st.st_mode) || lseek(f->fd, 0, SEEK_CUR) != 0) return run_pipe(p, f);
    uint8_t *buf = malloc(WFP_PIECE);
    if (!buf) return wfp_fail(p, WF_ERR_NOMEM, "%s", wf_err_text(WF_ERR_NOMEM));
    bool image = !p->options.slots.no_header && is_image(f, buf);
    free(buf);
    if (p->problem[0]) return WF_ERR_READ;
    return image ? run_image_file(p, f, (size_t)st.st_size) : run_source(p, &source);
}

int wf_parser_run_file(struct wf_parser *p, const char *name) {
    bool standard = strcmp(name, "-") == 0;
    struct file f = {p, standard ? "standard input" : name, STDIN_FILENO};
    wfp_forget_run(p);
    if (!standard) {
        f.fd = open(name, O_RDONLY | O_CLOEXEC);
        if (f.fd < 0) return fail_read(&f);
    }
    int err = run_open_file(p, &f);
    if (!standard) close(f.fd);
    return err;
}
