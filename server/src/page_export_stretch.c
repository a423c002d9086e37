// SPDX-License-Identifier: MIT
// A stretch of the trace as a file, for the page to save: the page itself, a format of `wallfly
// convert`, or a recording.

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "packed.h"
#include "page_parts.h"
#include "rows.h"
#include "wallfly_host/wf_writer.h"
#include "wallfly_server/memory.h"

enum { BYTES_MOST = 32000000, RECORDS = 20000 }; // of a file; of a page

struct stretch {
    const struct page_query_context *a;
    const struct wf_format *format;
    uint64_t from, until; // ticks
    struct packed packed;
    uint64_t bytes; // of the file so far
    struct wf_filter filter;
    struct wf_writer *writer;
    bool in_loss; // the item before was a loss
    uint64_t end; // of a recording: the byte of the stream behind its last record
    struct wf_recording_writer *recording;
    int err;
};

static bool put_bytes(void *ctx, const char *bytes, size_t len) {
    struct stretch *s = ctx;
    s->bytes += len;
    if (s->bytes <= BYTES_MOST) packed_put(&s->packed, bytes, len);
    return s->bytes <= BYTES_MOST;
}

// ---- the page, as of `wallfly page`

static int put_html(struct stretch *s, struct wf_error *error) {
    struct wf_timeline_span span;
    wf_timeline_extent(s->a->timeline, &span);
    uint64_t until = s->until < span.last ? s->until : span.last;
    uint64_t from = s->from > s->a->t0 ? s->from : s->a->t0;
    struct page_export k = {.a = s->a,
                            .from = (int64_t)(from - s->a->t0),
                            .until = (int64_t)(until - s->a->t0),
                            .most = RECORDS,
                            .size_max = BYTES_MOST};
    struct page_export_part part = {.id = "kept"};
    char *data, *html = NULL;
    size_t len;
    if (!span.known || from > until)
        return wf_error_set(error, WF_ERR_USAGE, "the trace has nothing there");
    int err = page_export_make(&k, s->a->page, &data, &part.len, error);
    part.data = data;
    FILE *out = err == WF_OK ? memory_stream(&html, &len) : NULL;
    bool good = out && page_export_put_html(out, &part, 1);
    if (out) good &= memory_close(out);
    if (err == WF_OK && !good) err = wf_error_code(error, WF_ERR_NOMEM);
    if (good) put_bytes(s, html, len);
    free(html);
    free(data);
    if (err == WF_ERR_TOO_MANY) s->bytes = UINT64_MAX;
    return err;
}

// ---- formats of `wallfly convert`: read from the beginning, so that states are right

static bool open_writer(struct stretch *s, struct wf_session *session, uint64_t rows) {
    const struct wf_writer_options o = {.size = sizeof o,
                                        .filter = &s->filter,
                                        .target_clock = true,
                                        .rows = rows,
                                        .source = s->a->source};
    struct wf_error error;
    s->writer = wf_writer_open(s->format, session, &o, put_bytes, s, &error);
    if (!s->writer) s->err = error.code;
    return s->writer != NULL;
}

static bool write_item(void *ctx, struct wf_session *session, const struct wf_item *item,
                       uint64_t number) {
    struct stretch *s = ctx;
    uint64_t before = item->kind == WF_ITEM_DAMAGE ? number : number - 1;
    if (!s->writer && !open_writer(s, session, before)) return false;
    wf_writer_item(s->writer, item);
    return s->bytes <= BYTES_MOST;
}

static void end_writer(void *ctx) {
    struct stretch *s = ctx;
    int err = s->writer ? wf_writer_close(s->writer) : WF_OK;
    if (s->err == WF_OK && err != WF_ERR_CUT) s->err = err;
}

static int put_converted(struct stretch *s, struct wf_error *error) {
    const struct page_query_context *a = s->a;
    s->filter = (struct wf_filter){.size = sizeof s->filter,
                                   .has_from = true,
                                   .has_until = true,
                                   .has_ticks = true,
                                   .from_tick = s->from,
                                   .until_tick = s->until};
    memset(s->filter.id, true, sizeof s->filter.id);
    const struct replay_reading on = {.ctx = s,
                                      .item = write_item,
                                      .end = end_writer,
                                      .progress = a->progress,
                                      .names_in_order = !replay_gone(a->replay)};
    int err = replay_run(a->replay, replay_oldest(a->replay), &on, error);
    return err == WF_OK && s->err != WF_OK ? wf_error_code(error, s->err) : err;
}

// ---- a recording

// How many records are missing shows at the next one, so a loss is cut behind that.
static bool find_end(void *ctx, struct wf_session *session, const struct wf_item *item,
                     uint64_t number) {
    struct stretch *s = ctx;
    (void)session;
    (void)number;
    if (item->kind == WF_ITEM_LOSS) s->in_loss = true;
    if (item->kind != WF_ITEM_RECORD) return true;
    bool go_on = item->record.tick <= s->until || s->in_loss;
    s->in_loss = false;
    if (!go_on) s->end = item->record.offset;
    return go_on;
}

static int put_chunk(void *ctx, const struct wf_chunk *chunk) {
    return wf_recording_put(((struct stretch *)ctx)->recording, chunk);
}

// Chunks of a recording have the times of that one; a trace of another kind has none.
static uint64_t start_of(const struct page *p) {
    const struct wf_recording_info *recording = wf_trace_recording(p->source.trace);
    struct timespec now;
    if (recording) return recording->head.start_ns;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static int put_recording(struct stretch *s, struct wf_error *error) {
    const struct page_query_context *a = s->a;
    const struct wf_recording_head head = {
        .start_ns = start_of(a->page), .part = 1, .tool = "wallfly " WALLFLY_VERSION};
    const struct replay_reading on = {.ctx = s, .item = find_end, .progress = a->progress};
    const struct wf_chunk up = {.kind = WF_CHUNK_UP,
                                .bytes = (const uint8_t *)a->source,
                                .len = strnlen(a->source, WF_RECORDING_NAME_MAX)};
    uint64_t row = replay_near(a->replay, s->from);
    if (row <= replay_gone(a->replay)) row = replay_oldest(a->replay);
    s->end = UINT64_MAX;
    int err = replay_run(a->replay, row, &on, error);
    if (err != WF_OK) return err;
    s->recording = wf_recording_create(&head, put_bytes, s, error);
    if (!s->recording) return error->code;
    err = wf_recording_put(s->recording, &up);
    if (err == WF_OK) err = replay_copy(a->replay, row, s->end, put_chunk, s, error);
    int ended = wf_recording_finish(s->recording);
    return err == WF_OK && ended != WF_OK ? wf_error_code(error, ended) : err;
}

// ---- the answer

typedef int put_fn(struct stretch *s, struct wf_error *error);

static const struct {
    const char *name;
    put_fn *put;
} formats[] = {{"html", put_html},
               {"wfr", put_recording},
               {"csv", put_converted},
               {"perfetto", put_converted},
               {"jsonl", put_converted}};

static put_fn *find_format(const cJSON *as) {
    for (unsigned i = 0; cJSON_IsString(as) && i < sizeof formats / sizeof *formats; ++i) {
        if (strcmp(formats[i].name, as->valuestring) == 0) return formats[i].put;
    }
    return NULL;
}

static int refuse_size(struct wf_error *error) {
    return wf_error_set(error, WF_ERR_USAGE,
                        "the file would have more than %d million bytes; select a shorter "
                        "stretch. `wallfly convert` has no limit, `wallfly page` has --size",
                        BYTES_MOST / 1000000);
}

int page_query_export(const struct page_query_context *a, const cJSON *ask, FILE *out,
                      struct wf_error *error) {
    struct stretch s = {.a = a};
    const cJSON *as = cJSON_GetObjectItemCaseSensitive(ask, "as");
    put_fn *put = find_format(as);
    if (!put) return wf_error_set(error, WF_ERR_USAGE, "'as' is not a format that can be exported");
    s.format = wf_format_find(as->valuestring);
    if (!page_query_window(a, ask, &s.from, &s.until, error)) return WF_ERR_USAGE;
    fputs("\"data\":\"", out);
    if (!packed_begin(&s.packed, out)) return wf_error_code(error, WF_ERR_NOMEM);
    int err = put(&s, error);
    bool good = packed_end(&s.packed);
    if (s.bytes > BYTES_MOST) return refuse_size(error);
    if (err == WF_OK && !good) err = wf_error_code(error, WF_ERR_NOMEM);
    fprintf(out, "\",\"bytes\":%llu", (unsigned long long)s.bytes);
    return err;
}
