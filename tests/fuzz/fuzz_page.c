// SPDX-License-Identifier: MIT
// Messages from pages: one request to the timeline of a recorded trace on each line. For any input
// the answers are JSON, or tiles of the stated length.

#include <stdlib.h>
#include <string.h>

#include "page_notes.h"
#include "page_parts.h"
#include "wallfly_server/page_search.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// ---- stubs for the server

void page_push(struct page *p) { (void)p; }

struct page *site_page(const struct site *s, unsigned i) {
    return i < s->count ? s->pages[i] : NULL;
}

bool wf_page_text(struct wf_page_client *c, const char *text, size_t len) {
    cJSON *json = cJSON_ParseWithLength(text, len);
    (void)c;
    if (!cJSON_IsObject(json) || !cJSON_GetObjectItem(json, "n")) abort();
    cJSON_Delete(json);
    return true;
}

static uint32_t at(const uint8_t *bytes, size_t len, size_t offset) {
    uint32_t value;
    if (offset + 4 > len) abort();
    memcpy(&value, bytes + offset, 4);
    return value;
}

bool wf_page_bytes(struct wf_page_client *c, const void *bytes, size_t len) {
    size_t offset = 16;
    (void)c;
    if (at(bytes, len, 0) != 0x31746677) abort();
    for (uint32_t tiles = at(bytes, len, 8); tiles; --tiles) {
        size_t n = at(bytes, len, offset + 4);
        offset += 24 + n * 60 + n % 2 * 4;
    }
    if (offset != len || len % 8) abort();
    return true;
}

// ---- a trace

static const char file[] = WF_TEST_DATA "/screen/trace.bin";

static struct page page;
static struct site site; // the page twice, so that it has another one
static uv_loop_t loop;
static struct wf_trace *trace;

static void on_command(void *ctx, const char *line) {
    (void)ctx;
    if (strlen(line) > WF_PAGE_REQUEST_MAX) abort();
}

static size_t read_file(uint8_t *bytes, size_t cap) {
    FILE *f = fopen(file, "rb");
    if (!f) abort();
    size_t len = fread(bytes, 1, cap, f);
    fclose(f);
    return len;
}

static void read_trace(struct wf_trace *t, struct wf_session *s) {
    static uint8_t bytes[1 << 20];
    size_t len = read_file(bytes, sizeof bytes);
    struct wf_item item;
    if (len == sizeof bytes || wf_trace_feed(t, 0, bytes, len) != WF_OK) abort();
    wf_trace_end(t);
    while (wf_trace_next(t, &item)) {
        wf_timeline_take(page.timeline, &item);
        replay_item(page.replay, s, &item, 0, 0);
    }
    wf_timeline_end(page.timeline);
}

static void add_marks(uint64_t t0) {
    const struct mark_rule rule = {.title = "rule", .text = "text", .verdict = MARK_FAIL};
    page.marks = marks_open();
    if (!page.marks || marks_add_rule(page.marks, &rule) != WF_OK) abort();
    for (unsigned i = 0; i < 1000; ++i) {
        const struct mark mark = {.kind = (enum mark_kind)(i % MARK_KINDS),
                                  .from = t0 + (1000 - i) * 100,
                                  .until = t0 + (1000 - i) * 100 + i * i,
                                  .row = i % 2 ? "row" : NULL,
                                  .row_kind = WF_ROW_TASK,
                                  .text = "mark"};
        if (marks_add(page.marks, &mark) != WF_OK) abort();
    }
}

static void open_page(void) {
    const struct wf_trace_options options = {.size = sizeof options};
    const struct replay_options again = {.file = file};
    struct wf_timeline_options to = {.size = sizeof to};
    struct wf_timeline_span span;
    struct wf_error error;
    uv_loop_init(&loop);
    trace = wf_trace_open(&options, &error);
    struct wf_lane *lane = trace ? wf_trace_lane(trace, 0, &error) : NULL;
    if (!lane || !store_open(&page.store, &error)) abort();
    to.store = store_functions(&page.store);
    page.loop = &loop;
    page.o.commands = true;
    page.o.command = on_command;
    page.timeline = wf_timeline_open(wf_lane_session(lane), &to, NULL);
    page.replay = replay_open(&again, &error);
    if (!page.timeline || !page.replay) abort();
    read_trace(trace, wf_lane_session(lane));
    wf_timeline_extent(page.timeline, &span);
    if (!span.records || !wf_timeline_tracks(page.timeline)) abort();
    add_marks(span.first);
    page.notes = page_notes_open(&page, NULL, true);
    if (!page.notes) abort();
    page.session = wf_lane_session(lane);
    site = (struct site){.loop = &loop, .pages = {&page, &page}, .count = 2};
    page.site = &site;
    page.source = (struct page_source){.name = file, .trace = trace, .lane = lane};
    page.about = (struct page_query_context){.page = &page,
                                             .replay = page.replay,
                                             .timeline = page.timeline,
                                             .marks = page.marks,
                                             .notes = page.notes,
                                             .source = file,
                                             .searches = page_searches_open(),
                                             .ended = true,
                                             .t0 = span.first,
                                             .hz = span.hz,
                                             .of = lane};
    if (!page.about.searches) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct wf_page_client *client = (struct wf_page_client *)&page; // used only as an identity
    if (!page.timeline) open_page();
    while (size) {
        const uint8_t *end = memchr(data, '\n', size);
        size_t len = end ? (size_t)(end - data) : size;
        page_request(&page, client, (const char *)data, len);
        len += end != NULL;
        data += len;
        size -= len;
    }
    while (page_work(&page)) continue;
    if (page.jobs) abort();
    return 0;
}
