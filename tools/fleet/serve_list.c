// SPDX-License-Identifier: MIT
// What is asked of the engine for a page that is not a window.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "serve.h"
#include "wallfly_server/devices_page.h"
#include "wallfly_server/memory.h"

enum { ON_A_PAGE = 100 };
static const uint64_t newest_ns = 10000000000; // of a device's traces

// A question. Only the thread uses it until it is answered.
struct question {
    struct serve_job job;
    struct fleet_server *server;
    struct wf_page_request *request;
    int err; // WF_ERR_STOPPED until it is answered
    struct wf_error error;
    // The list:
    struct wf_devices_options options;
    char part[SERVE_VALUE_MAX], version[SERVE_VALUE_MAX];
    struct wf_devices devices;
    // The newest seconds:
    struct serve_place place;
    uint64_t seen_ns;
};

static bool client_left(const struct serve_job *job) {
    const struct question *q = job->of;
    return wf_page_client_left(q->request);
}

static struct question *new_question(struct fleet_server *s, struct wf_page_request *r) {
    struct question *q = calloc(1, sizeof *q);
    if (!q) {
        serve_refuse(s, r, 503, wf_err_text(WF_ERR_NOMEM));
        return NULL;
    }
    q->server = s;
    q->request = r;
    q->err = wf_error_code(&q->error, WF_ERR_STOPPED);
    return q;
}

static void ask(struct question *q, void (*in_thread)(struct serve_job *job),
                void (*done)(struct serve_job *job)) {
    q->job =
        (struct serve_job){.of = q, .ask = in_thread, .done = done, .nobody_waits = client_left};
    if (serve_job_add(q->server, &q->job)) return;
    serve_refuse(q->server, q->request, 503, serve_busy);
    free(q);
}

// ---- the list

static bool parse_order(const char *name, enum wf_devices_order *order) {
#define WF_X(id, text, words, sql)                                                                 \
    if (strcmp(name, text) == 0) {                                                                 \
        *order = WF_DEVICES_BY_##id;                                                               \
        return true;                                                                               \
    }
    WF_DEVICES_ORDERS(WF_X)
#undef WF_X
    return false;
}

static bool parse_first(const char *text, uint64_t *first) {
    const size_t len = strspn(text, "0123456789");
    *first = strtoull(text, NULL, 10);
    return len >= 1 && len <= 12 && !text[len];
}

static bool parse_field(struct question *q, const char *name, const char *value) {
    struct wf_devices_options *o = &q->options;
    if (strcmp(name, "order") == 0) return parse_order(value, &o->order);
    if (strcmp(name, "first") == 0) return parse_first(value, &o->from);
    if (strcmp(name, "find") == 0) {
        snprintf(q->part, sizeof q->part, "%s", value);
        o->part = *value ? q->part : NULL;
        return true;
    }
    if (strcmp(name, "version") != 0) return false;
    snprintf(q->version, sizeof q->version, "%s", value);
    o->version = q->version; // "": devices without a version
    return true;
}

static bool parse_query(struct question *q, const char *query) {
    char name[SERVE_NAME_MAX], value[SERVE_VALUE_MAX];
    q->options = (struct wf_devices_options){.size = sizeof q->options, .most = ON_A_PAGE};
    while (*query) {
        if (!serve_take_field(&query, name, value) || !parse_field(q, name, value)) return false;
    }
    return true;
}

static void ask_list(struct serve_job *job) {
    struct question *q = job->of;
    struct wf_engine *engine = serve_engine(job, &q->error);
    q->err = engine ? wf_devices_read(engine, q->server->fleet->project, &q->options, &q->devices,
                                      &q->error)
                    : q->error.code;
    wf_engine_close(engine);
}

static void answer_list(struct question *q) {
    char *page = NULL;
    size_t len = 0;
    const struct devices_page p = {.project = q->server->fleet->project,
                                   .devices = &q->devices,
                                   .asked = &q->options,
                                   .now = time(NULL)};
    FILE *out = memory_stream(&page, &len);
    if (out) devices_page_put(out, &p);
    if (out && memory_close(out))
        wf_page_answer(q->request, &(struct wf_page_answer){.status = 200,
                                                            .policy = devices_page_policy,
                                                            .bytes = page,
                                                            .len = len});
    else
        serve_refuse(q->server, q->request, 503, wf_err_text(WF_ERR_NOMEM));
    free(page);
}

static void on_list(struct serve_job *job) {
    struct question *q = job->of;
    if (q->err == WF_OK)
        answer_list(q);
    else
        serve_refuse_error(q->server, q->request, &q->error);
    wf_devices_free(&q->devices);
    free(q);
}

void serve_list(struct fleet_server *s, struct wf_page_request *r, const char *query) {
    struct question *q = new_question(s, r);
    if (!q) return;
    if (parse_query(q, query)) {
        ask(q, ask_list, on_list);
        return;
    }
    serve_refuse(s, r, 400,
                 "The address has something else than find=TEXT, version=TEXT, order=WORD and "
                 "first=NUMBER.");
    free(q);
}

// ---- the newest seconds of a device

static void ask_seen(struct serve_job *job) {
    struct question *q = job->of;
    struct wf_engine *engine = serve_engine(job, &q->error);
    q->err = engine ? wf_devices_seen(engine, q->server->fleet->project, q->place.device,
                                      q->place.stream, &q->seen_ns, &q->error)
                    : q->error.code;
    wf_engine_close(engine);
}

static void on_seen(struct serve_job *job) {
    struct question *q = job->of;
    if (q->err == WF_OK) {
        q->place.until = (struct wf_window_bound){true, true, q->seen_ns};
        q->place.from = q->place.until;
        q->place.from.ns -= q->seen_ns < newest_ns ? q->seen_ns : newest_ns;
        serve_window(q->server, q->request, &q->place, true);
    } else {
        serve_refuse_error(q->server, q->request, &q->error);
    }
    free(q);
}

void serve_newest(struct fleet_server *s, struct wf_page_request *r,
                  const struct serve_place *place) {
    struct question *q = new_question(s, r);
    if (!q) return;
    q->place = *place;
    ask(q, ask_seen, on_seen);
}
