// SPDX-License-Identifier: MIT
// Messages from pages: one request to the timeline of a recorded trace on each line. For any input
// the answers are JSON, or tiles of the stated length.

#include <stdlib.h>
#include <string.h>

#include "page_source.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// ---- stubs for the rest of the tools

void page_push(struct page *p) { (void)p; }

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

static const struct option_row options[] = {STREAM_OPTION_ROWS, {NULL, 0, NULL, NULL}};
static const struct cmd cmd = {"fuzz_page", NULL, "FILE", 0, 1, "", "", options};
static char *file[] = {WF_TEST_DATA "/screen/trace.bin"};
static const struct args args = {.cmd = &cmd, .operand = file, .operands = 1};

static struct stream stream;
static struct page page;
static uv_loop_t loop;

static void on_item(struct lane *l, const struct wf_item *item) {
    wf_timeline_take(page.timeline, item);
    replay_item(page.replay, l->session, item, l->number, stream_block_at(l->stream));
}

static void on_command(void *ctx, const char *line) {
    (void)ctx;
    if (strlen(line) > WF_PAGE_REQUEST_MAX) abort();
}

static void open_page(void) {
    struct wf_timeline_options to = {.store_limit = 0};
    struct wf_timeline_span span;
    uv_loop_init(&loop);
    stream = (struct stream){.single = true, .on_item = on_item};
    if (stream_open(&stream, &args) != EXIT_GOOD) abort();
    char why[256];
    if (!store_open(&page.store, why)) abort();
    to.store = store_functions(&page.store);
    const struct replay_options again = stream_again(&stream);
    page.loop = &loop;
    page.o.commands = true;
    page.o.command = on_command;
    page.timeline = wf_timeline_open(stream.lanes[0]->session, &to);
    page.replay = replay_open(&again, why);
    if (!page.timeline || !page.replay || stream_run(&stream, true) != EXIT_GOOD) abort();
    wf_timeline_end(page.timeline);
    wf_timeline_tell(page.timeline, &span);
    if (!span.records || !wf_timeline_tracks(page.timeline)) abort();
    page.about = (struct answering){.replay = page.replay,
                                    .timeline = page.timeline,
                                    .source = file[0],
                                    .t0 = span.first,
                                    .hz = span.hz};
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
    page_work(&page);
    if (page.jobs) abort();
    return 0;
}
