// SPDX-License-Identifier: MIT
// Passes the trace to the pages. Thousands of items are taken between two reads of the clock, so
// that serving costs almost nothing while a file is read.

#include "page_notes.h"
#include "page_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "wallfly_server/object_history.h"
#include "wallfly_server/sql_console.h"
#include "wallfly_server/json.h"
#include "wallfly_server/memory.h"
#include "wallfly_server/page_search.h"

enum {
    CLOCK_ITEMS = 4096,       // items between reads of the clock
    TURN_NS = 4000000,        // between iterations of the loop
    PUSH_NS = 100000000,      // between status messages
    QUEUE_MANY = 1 << 20,     // bytes queued for a page; above it no status is sent
    SUMMARIES_MAX = 96 << 20, // memory of a live time line
};

// ---- messages to pages

static struct page_hello hello_of(const struct page *p) {
    return (struct page_hello){&p->about, p->o.live, p->o.commands, false, p->o.around};
}

static void send_to_all(struct page *p, const char *text, size_t len) {
    for (unsigned i = 0; i < p->client_count; ++i) {
        if (wf_page_queued(p->clients[i]) < QUEUE_MANY) wf_page_text(p->clients[i], text, len);
    }
}

// Time 0, the rate and the format may become known only later in the trace.
static void update_hello(struct page *p) {
    struct wf_timeline_span now;
    size_t len;
    wf_timeline_extent(p->timeline, &now);
    p->about.t0 = now.first;
    if (wf_session_is_part(p->session))
        p->about.before = now.first - wf_time_zero(p->session, false);
    p->about.hz = now.hz;
    enum wf_lane_format format = wf_lane_get_format(p->source.lane);
    if (now.known == p->span.known && now.first == p->span.first && now.hz == p->span.hz &&
        format == p->format && p->about.ended == p->ended)
        return;
    p->span = now;
    p->format = format;
    p->ended = p->about.ended;
    const struct page_hello hello = hello_of(p);
    char *text = page_message(page_put_hello, &hello, &len);
    if (text) send_to_all(p, text, len);
    free(text);
}

void page_push(struct page *p) {
    uint64_t now = uv_hrtime();
    size_t len = 0;
    if (now - p->pushed_ns < PUSH_NS) return;
    p->pushed_ns = now;
    update_hello(p);
    if (!p->client_count) return;
    if (!*p->error && wf_timeline_error(p->timeline) != WF_OK)
        snprintf(p->error, sizeof p->error, "the time line ends here: %s",
                 wf_err_text(wf_timeline_error(p->timeline)));
    char *text = page_message(page_put_status, p, &len);
    if (text && (!p->status || strcmp(text, p->status) != 0)) {
        send_to_all(p, text, len);
        free(p->status);
        p->status = text;
        return;
    }
    free(text);
}

void page_note(struct page *p, const char *text) { snprintf(p->note, sizeof p->note, "%s", text); }

struct result {
    const char *command, *end, *text;
};

static void put_result(FILE *out, const void *ctx) {
    const struct result *r = ctx;
    fputs("{\"said\":{\"command\":", out);
    json_text(out, r->command);
    fprintf(out, ",\"end\":\"%s\",\"text\":", r->end);
    json_text(out, r->text);
    fputs("}}", out);
}

void page_send_result(struct page *p, const char *command, const char *end, const char *text) {
    const struct result result = {command, end, text};
    for (unsigned i = 0; i < p->client_count; ++i) page_send(p->clients[i], put_result, &result);
}

// ---- clients

void page_client_up(struct page *p, struct wf_page_client *c) {
    p->clients[p->client_count++] = c;
    update_hello(p);
    const struct page_hello hello = hello_of(p);
    page_send(c, page_put_hello, &hello);
    page_send(c, page_put_status, p);
}

void page_client_message(struct page *p, struct wf_page_client *c, const char *text, size_t len) {
    update_hello(p);
    page_request(p, c, text, len);
}

void page_client_down(struct page *p, struct wf_page_client *c) {
    unsigned i = 0;
    while (i < p->client_count && p->clients[i] != c) ++i;
    if (i < p->client_count) p->clients[i] = p->clients[--p->client_count];
    page_forget(p, c);
}

static int open_timeline(struct page *p, struct wf_error *error) {
    struct wf_timeline_options o = {.size = sizeof o, .store = store_functions(&p->store)};
    struct replay_options *again = &p->source.again;
    if (p->o.keep) { // half for received bytes, half for the time line
        o.store_limit = again->spool = p->o.keep / 2;
        o.memory_limit = SUMMARIES_MAX;
    }
    again->warn = p->o.warn;
    p->marks = marks_open();
    p->arrivals = arrivals_open();
    p->notes = page_notes_open(p, p->o.notes, p->o.live);
    p->upload = page_upload_open(p);
    if (!p->marks || !p->arrivals || !p->notes || !p->upload)
        return wf_error_code(error, WF_ERR_NOMEM);
    p->timeline = wf_timeline_open(p->session, &o, error);
    if (!p->timeline) return error->code;
    p->replay = replay_open(again, error);
    if (!p->replay) return error->code;
    p->console = sql_console_open(p->o.sql);
    p->histories = object_histories_open();
    if (!p->histories || (p->o.sql && !p->console)) return wf_error_code(error, WF_ERR_NOMEM);
    struct page_searches *searches = page_searches_open();
    if (!searches) return wf_error_code(error, WF_ERR_NOMEM);
    p->about = (struct page_query_context){.page = p,
                                           .replay = p->replay,
                                           .histories = p->histories,
                                           .console = p->console,
                                           .searches = searches,
                                           .live = p->o.keep != 0,
                                           .timeline = p->timeline,
                                           .marks = p->marks,
                                           .arrivals = p->arrivals,
                                           .notes = p->notes,
                                           .upload = p->upload,
                                           .source = p->o.title ? p->o.title : p->source.name,
                                           .lane = wf_lane_number(p->source.lane),
                                           .of = p->source.lane,
                                           .target_clock = p->o.target_clock};
    return WF_OK;
}

int page_open(struct page *p, struct site *site, const struct page_source *source,
              const struct page_options *o, struct wf_error *error) {
    *p = (struct page){.o = *o, .site = site, .loop = site ? site->loop : NULL, .source = *source};
    p->session = wf_lane_session(source->lane);
    p->store.warn = o->warn;
    if (!store_open(&p->store, error)) return WF_ERR_WRITE;
    int err = open_timeline(p, error);
    if (err == WF_OK && site && site_add(site, p) != WF_OK)
        err = wf_error_set(error, WF_ERR_TOO_MANY, "%s: more than %d traces are served",
                           source->name, SITE_PAGES_MAX);
    if (err != WF_OK) page_close(p);
    return err;
}

void page_close(struct page *p) {
    p->stop = true;
    page_jobs_close(p);
    page_upload_close(p->upload);
    p->upload = NULL;
    page_searches_close(p->about.searches);
    p->about.searches = NULL;
    wf_timeline_close(p->timeline);
    marks_close(p->marks);
    page_notes_close(p->notes);
    sql_console_close(p->console);
    object_histories_close(p->histories);
    arrivals_close(p->arrivals);
    replay_close(p->replay);
    store_close(&p->store);
    free(p->status);
    p->timeline = NULL;
    p->replay = NULL;
    p->marks = NULL;
    p->notes = NULL;
    p->console = NULL;
    p->histories = NULL;
    p->arrivals = NULL;
    p->status = NULL;
}

// ---- the trace

void page_item(struct page *p, const struct wf_item *item) {
    const struct wf_recording_info *recording = wf_trace_recording(p->source.trace);
    wf_timeline_take(p->timeline, item);
    if (recording) arrivals_item(p->arrivals, item, wf_session_target(p->session)->hz);
    replay_item(p->replay, p->session, item, p->about.lane, recording ? recording->block_at : 0);
}

void page_chunk(struct page *p, const struct wf_chunk *chunk) {
    const struct wf_recording_info *recording = wf_trace_recording(p->source.trace);
    if (recording) arrivals_chunk(p->arrivals, chunk, recording->head.start_ns);
}

void page_turn(struct page *p) {
    if (++p->items < CLOCK_ITEMS) return;
    p->items = 0;
    uint64_t now = uv_hrtime();
    if (now - p->turned_ns < TURN_NS) return;
    uv_run(p->loop, UV_RUN_NOWAIT);
    site_work(p->site);
    p->turned_ns = uv_hrtime();
}

void page_end(struct page *p) {
    wf_timeline_end(p->timeline);
    if (arrivals_end(p->arrivals) != WF_OK) memory_is_out();
    p->about.ended = true;
    update_hello(p);
    page_notes_end(p->notes);
    p->of = 0;
    p->pushed_ns = 0;
    page_push(p);
}
