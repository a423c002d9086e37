// SPDX-License-Identifier: MIT
// Answers of an engine to the questions of wf_window_read and wf_window_program: pieces, each after
// its length of two bytes. Whatever they are, it ends with a recording that can be read, or with an
// error.

#include <stdlib.h>
#include <string.h>

#include "wallfly_backend/wf_release.h"
#include "wallfly_backend/wf_window.h"
#include "wallfly_host/wf_diff.h"
#include "wallfly_host/wf_trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const uint8_t *at, *end;
static char *answer; // of the length that it has
static size_t answer_len;
static unsigned asked;

static void require(bool good) {
    if (!good) abort();
}

// ---- an engine, in place of that of the library

int wf_engine_run(struct wf_engine *e, const struct wf_statement *statement,
                  struct wf_error *error) {
    (void)e;
    require(statement->sql && strlen(statement->sql) > 10);
    if (end - at < 2 || ++asked > 1000) return wf_error_set(error, WF_ERR_LINK, "no more answers");
    answer_len = (size_t)at[0] + 256u * at[1];
    at += 2;
    if (answer_len > (size_t)(end - at)) answer_len = (size_t)(end - at);
    free(answer);
    answer = malloc(answer_len + 1);
    require(answer != NULL);
    memcpy(answer, at, answer_len);
    answer[answer_len] = 0;
    at += answer_len;
    return wf_error_code(error, WF_OK);
}

const char *wf_engine_answer(const struct wf_engine *e, size_t *len) {
    (void)e;
    if (len) *len = answer_len;
    return answer ? answer : "";
}

// ---- the recording

struct recording {
    uint8_t *bytes;
    size_t len;
};

static bool keep(void *ctx, const char *bytes, size_t len) {
    struct recording *r = ctx;
    r->bytes = realloc(r->bytes, r->len + len);
    require(r->bytes != NULL || r->len + len == 0);
    memcpy(r->bytes + r->len, bytes, len);
    r->len += len;
    return true;
}

static void read_recording(const struct recording *r) {
    const struct wf_trace_options o = {.size = sizeof o};
    struct wf_trace *t = wf_trace_open(&o, NULL);
    struct wf_item item;
    require(t != NULL && wf_recording_is(r->bytes, r->len));
    require(wf_trace_feed_file(t, r->bytes, r->len) == WF_OK);
    while (wf_trace_next(t, &item))
        require(item.kind != WF_ITEM_CHUNK || item.chunk->kind != WF_CHUNK_DAMAGE);
    wf_trace_end(t);
    while (wf_trace_next(t, &item)) {
    }
    require(wf_trace_recording(t)->complete);
    wf_trace_close(t);
}

static void read_program(const struct wf_window_options *o, const struct wf_window_found *found) {
    struct recording r = {0};
    struct wf_error error;
    size_t len;
    int err = wf_window_program(o, found, keep, &r, &len, &error);
    require(err == error.code && (err != WF_OK || len == r.len));
    free(r.bytes);
}

static void read_release(struct wf_engine *engine) {
    struct wf_error error;
    struct wf_release_about about;
    struct wf_profile *p = wf_release_read(engine, "p", "2.1.0", &about, &error);
    require(p != NULL || (error.code != WF_OK && *error.text));
    if (!p) return;
    struct wf_diff *d = wf_diff_open(p, p, NULL, &error);
    struct wf_diff_figure figure;
    require(d != NULL);
    for (size_t n = 0; wf_diff_next(d, &n, &figure);) require(figure.verdict != WF_DIFF_CHANGED);
    wf_diff_close(d);
    wf_profile_close(p);
}

static void end_answers(void) {
    free(answer);
    answer = NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!size) return 0;
    struct recording r = {0};
    struct wf_error error;
    struct wf_window_found found;
    const struct wf_window_options o = {.size = sizeof o,
                                        .engine = (struct wf_engine *)(void *)&r,
                                        .project = "p",
                                        .device = "d",
                                        .stream = data[0] & 1,
                                        .from = {data[0] & 2, data[0] & 4, data[0] * 100u},
                                        .until = {data[0] & 8, data[0] & 16, data[0] * 1000u}};
    at = data + 1;
    end = data + size;
    answer_len = asked = 0;
    if (data[0] & 32) {
        read_release(o.engine);
        end_answers();
        return 0;
    }
    int err = wf_window_read(&o, keep, &r, &found, &error);
    require(err == error.code && (err == WF_OK || *error.text));
    if (err == WF_OK) {
        read_recording(&r);
        read_program(&o, &found);
    }
    end_answers();
    free(r.bytes);
    return 0;
}
