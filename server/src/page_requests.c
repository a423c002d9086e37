// SPDX-License-Identifier: MIT
// Requests: untrusted input. Each has a number and the name of a query; a table contains the
// handlers.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "page_parts.h"
#include "wallfly_server/sql_console.h"
#include "wallfly_server/json.h"
#include "wallfly_server/memory.h"
#include "wallfly_server/page_search.h"

enum { JOBS_MAX = 32, RUN_NS = 20000000, PROGRESS_NS = 200000000 };

static const struct op {
    const char *name;
    page_query_fn *answer;
    bool binary;
} ops[] = {
    {"rows", page_query_rows, false},         {"things", page_query_entities, false},
    {"tiles", page_query_tiles, true},        {"step", page_query_step, false},
    {"arrows", page_query_arrows, false},     {"rules", page_query_rules, false},
    {"marks", page_query_marks, false},       {"mark", page_query_mark, false},
    {"notes", page_query_notes, false},       {"note", page_query_note, false},
    {"failures", page_query_failures, false}, {"tables", page_query_tables, false},
    {"load", page_query_load, false},         {"found", page_query_found, false},
    {"names", page_query_names, false},       {"beyond", page_query_beyond, false},
    {"added", page_query_added, false},
};

// A request with a long answer.
struct page_job {
    struct page_job *next;
    struct page *page;
    struct wf_page_client *client; // null: disconnected
    cJSON *ask;
    const struct page_query *query;
    struct page_job *outer; // a background job that waits meanwhile
    double n;
    bool cancelled;
    uint64_t done, of;
    uint64_t ran_ns, reported_ns;
};

struct refusal {
    double n; // NAN: the request has no valid number
    const char *text;
};

static void put_refusal(FILE *out, const void *ctx) {
    const struct refusal *r = ctx;
    if (isnan(r->n))
        fputs("{\"n\":null,\"error\":", out);
    else
        fprintf(out, "{\"n\":%.0f,\"error\":", r->n);
    json_text(out, r->text);
    putc('}', out);
}

static void send_error(struct wf_page_client *c, double n, const char *text) {
    const struct refusal refusal = {n, text};
    page_send(c, put_refusal, &refusal);
}

// An answer, in memory.
struct reply {
    char *bytes;
    size_t len;
    struct wf_error error;
};

static struct reply make_reply(const struct page_query_context *about, page_query_fn *answer,
                               const cJSON *ask, double n, bool binary) {
    struct reply r = {.error = {.code = WF_ERR_NOMEM}};
    FILE *out = memory_stream(&r.bytes, &r.len);
    if (!out) return r;
    if (!binary) fprintf(out, "{\"n\":%.0f,", n);
    r.error.code = answer(about, ask, out, &r.error);
    if (!binary) putc('}', out);
    if (!memory_close(out) && r.error.code == WF_OK) r.error.code = WF_ERR_NOMEM;
    return r;
}

static void send_reply(struct wf_page_client *c, const struct reply *r, double n, bool binary) {
    if (r->error.code != WF_OK)
        send_error(c, n, *r->error.text ? r->error.text : wf_err_text(r->error.code));
    else if (binary)
        wf_page_bytes(c, r->bytes, r->len);
    else
        wf_page_text(c, r->bytes, r->len);
}

// ---- jobs

static void free_job(struct page_job *job) {
    cJSON_Delete(job->ask);
    free(job);
}

static void run_short_jobs(struct page *p);

// Returns a page of the server, or null behind the last one. A page without a site is alone.
static struct page *page_at(struct page *p, unsigned i) {
    if (!p->site) return i ? NULL : p;
    return site_page(p->site, i);
}

static void send_progress(struct page_job *job, uint64_t now) {
    char text[128];
    if (!job->client || now < job->reported_ns + PROGRESS_NS) return; // it may be newer than `now`
    job->reported_ns = now;
    int len = snprintf(text, sizeof text, "{\"n\":%.0f,\"progress\":[%llu,%llu]}", job->n,
                       (unsigned long long)job->done, (unsigned long long)job->of);
    wf_page_text(job->client, text, (size_t)len);
}

// Runs the loop and updates all pages while a job runs. During a background job the short jobs of
// all pages run, too. Jobs that wait send progress as well, as a client gives up without any.
static void turn(struct page_job *running, uint64_t now) {
    struct page *p;
    uv_run(running->page->loop, UV_RUN_NOWAIT);
    for (unsigned i = 0; (p = page_at(running->page, i)); ++i) {
        page_push(p);
        if (running->query->background) run_short_jobs(p);
        for (struct page_job *job = p->jobs; job; job = job->next) send_progress(job, now);
        for (struct page_job *job = p->job; job; job = job->outer) send_progress(job, now);
    }
}

static bool report_progress(void *ctx, uint64_t done, uint64_t of) {
    struct page_job *job = ctx;
    uint64_t now = uv_hrtime();
    job->done = done;
    job->of = of;
    if (now - job->ran_ns > RUN_NS) {
        turn(job, now);
        job->ran_ns = uv_hrtime();
    }
    return !job->cancelled && !job->page->stop;
}

static void queue_job(struct page *p, struct wf_page_client *c, cJSON *ask,
                      const struct page_query *query, double n) {
    struct page_job **last = &p->jobs, *job = NULL;
    unsigned count = 0;
    for (; *last; last = &(*last)->next) count += (*last)->client == c;
    if (count < JOBS_MAX) job = calloc(1, sizeof *job);
    if (!job) {
        send_error(c, n, "too many queries are queued");
        cJSON_Delete(ask);
        return;
    }
    *job = (struct page_job){.page = p,
                             .client = c,
                             .ask = ask,
                             .query = query,
                             .n = n,
                             .of = 1,
                             .reported_ns = uv_hrtime()};
    *last = job;
    uv_stop(p->loop); // so that the caller of the loop runs the jobs
}

// The page may disconnect before it is done.
static void run_job(struct page *p, struct page_job *job) {
    struct page_query_context about = p->about;
    about.client = job->client;
    about.progress = (struct replay_progress){report_progress, job};
    job->ran_ns = uv_hrtime();
    struct reply r = make_reply(&about, job->query->answer, job->ask, job->n, false);
    if (job->client && job->cancelled)
        send_error(job->client, job->n, "cancelled");
    else if (job->client)
        send_reply(job->client, &r, job->n, false);
    free(r.bytes);
}

static void run_next(struct page *p, struct page_job **at) {
    struct page_job *job = *at;
    *at = job->next;
    job->outer = p->job;
    p->job = job;
    if (job->client) run_job(p, job);
    p->job = job->outer;
    free_job(job);
}

// While a job runs, the queue changes: the search begins again behind it.
static void run_short_jobs(struct page *p) {
    struct page_job **at = &p->jobs;
    while (*at && !p->stop) {
        if ((*at)->query->background) {
            at = &(*at)->next;
        } else {
            run_next(p, at);
            at = &p->jobs;
        }
    }
}

bool page_work(struct page *p) {
    bool background = false;
    if (p->job) return false;
    while (p->jobs && !p->stop && !background) {
        background = p->jobs->query->background;
        run_next(p, &p->jobs);
    }
    return p->jobs && !p->stop;
}

void page_forget(struct page *p, struct wf_page_client *c) {
    for (struct page_job *job = p->jobs; job; job = job->next) {
        if (job->client == c) job->client = NULL;
    }
    for (struct page_job *job = p->job; job; job = job->outer) {
        if (job->client != c) continue;
        job->client = NULL;
        job->cancelled = true;
    }
    page_searches_drop(p->about.searches, c);
    page_upload_drop(p->upload, c);
}

void page_jobs_close(struct page *p) {
    while (p->jobs) {
        struct page_job *job = p->jobs;
        p->jobs = job->next;
        free_job(job);
    }
}

// A job that waits ends at once; one that runs ends at its next report of progress.
static void cancel_job(struct page *p, const struct wf_page_client *c, double n) {
    struct page_job **at = &p->jobs;
    for (struct page_job *job = p->job; job; job = job->outer)
        job->cancelled |= job->client == c && job->n == n;
    while (*at) {
        struct page_job *job = *at;
        if (job->client != c || job->n != n) {
            at = &job->next;
            continue;
        }
        *at = job->next;
        send_error(job->client, n, "cancelled");
        free_job(job);
    }
}

// ---- queries

static void send_command(struct page *p, struct wf_page_client *c, const cJSON *ask, double n) {
    const cJSON *line = cJSON_GetObjectItemCaseSensitive(ask, "line");
    char text[64];
    if (!p->o.commands) {
        send_error(c, n, "commands are not allowed: serve --allow-commands");
        return;
    }
    if (!cJSON_IsString(line)) {
        send_error(c, n, "'line' is no text");
        return;
    }
    int len = snprintf(text, sizeof text, "{\"n\":%.0f}", n);
    wf_page_text(c, text, (size_t)len);
    p->o.command(p->o.ctx, line->valuestring);
}

static void set_recording(struct page *p, struct wf_page_client *c, const cJSON *ask, double n) {
    const cJSON *on = cJSON_GetObjectItemCaseSensitive(ask, "on");
    struct wf_error error = {.code = WF_OK};
    char text[64];
    if (!p->o.commands || !p->o.record) {
        send_error(c, n, "recording is not allowed: serve --allow-commands");
    } else if (!cJSON_IsBool(on)) {
        send_error(c, n, "'on' is not true or false");
    } else if (p->o.record(p->o.ctx, cJSON_IsTrue(on), &error) != WF_OK) {
        send_error(c, n, error.text);
    } else {
        int len = snprintf(text, sizeof text, "{\"n\":%.0f}", n);
        wf_page_text(c, text, (size_t)len);
    }
}

// Takes ownership of the request.
static void dispatch(struct page *p, struct wf_page_client *c, cJSON *ask, double n,
                     const char *op) {
    const struct page_query *slow = NULL;
    for (unsigned i = 0; i < sizeof ops / sizeof ops[0]; ++i) {
        if (strcmp(ops[i].name, op) == 0) {
            struct page_query_context about = p->about;
            about.client = c;
            struct reply r = make_reply(&about, ops[i].answer, ask, n, ops[i].binary);
            send_reply(c, &r, n, ops[i].binary);
            free(r.bytes);
            cJSON_Delete(ask);
            return;
        }
    }
    for (const struct page_query *a = page_queries; a->op && !slow; ++a) {
        if (strcmp(a->op, op) == 0) slow = a;
    }
    if (slow) {
        queue_job(p, c, ask, slow, n);
        return;
    }
    if (strcmp(op, "cancel") == 0)
        cancel_job(p, c, n);
    else if (strcmp(op, "command") == 0)
        send_command(p, c, ask, n);
    else if (strcmp(op, "recording") == 0)
        set_recording(p, c, ask, n);
    else
        send_error(c, n, "unknown query");
    cJSON_Delete(ask);
}

void page_request(struct page *p, struct wf_page_client *c, const char *text, size_t len) {
    const double most = 9007199254740992.0; // 2^53
    cJSON *ask = cJSON_ParseWithLength(text, len);
    const cJSON *number = cJSON_GetObjectItemCaseSensitive(ask, "n");
    const cJSON *op = cJSON_GetObjectItemCaseSensitive(ask, "op");
    double n = cJSON_IsNumber(number) ? number->valuedouble : NAN;
    bool whole = n >= -most && n <= most && floor(n) == n;
    if (whole && cJSON_IsString(op)) {
        dispatch(p, c, ask, n, op->valuestring);
        return;
    }
    send_error(c, whole ? n : NAN,
               !ask ? "the request is not JSON"
                    : "a request has 'n', a whole number, and 'op', a text");
    cJSON_Delete(ask);
}
