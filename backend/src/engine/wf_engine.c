// SPDX-License-Identifier: MIT
#include "wallfly_backend/wf_engine.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "wfb_curl.h"

enum {
    CONNECT_S = 10,
    SILENT_S = 600,
    ANSWER_MAX = 256 << 20,
    PAUSE_MS = 100,
    PAUSE_MOST_MS = 5000
};

struct wf_engine {
    struct wfb_curl lib;
    CURL *curl;
    CURLU *url;
    uint64_t give_up_s;
    void (*failed)(void *ctx, const char *text);
    bool (*stopped)(void *ctx);
    bool (*cancelled)(void *ctx);
    void *ctx;
    char reported[240]; // the failure that was reported last
    bool may_pass;      // the last failure
    struct answer {
        char *text;
        size_t len, cap;
    } answer;
    char problem[CURL_ERROR_SIZE];
};

// ---- the URL

static int check_part(struct wf_engine *e, CURLUPart part, const char *name,
                      struct wf_error *error) {
    char *text = NULL;
    if (e->lib.curl_url_get(e->url, part, &text, 0) != CURLUE_OK) return WF_OK;
    e->lib.curl_free(text);
    return wf_error_set(error, WF_ERR_USAGE, "the URL has %s; leave it out", name);
}

static int read_url(struct wf_engine *e, const struct wf_engine_options *o,
                    struct wf_error *error) {
    char *scheme = NULL;
    CURLUcode code = e->lib.curl_url_set(e->url, CURLUPART_URL, o->url, 0);
    if (code == CURLUE_OUT_OF_MEMORY) return wf_error_code(error, WF_ERR_NOMEM);
    if (code == CURLUE_OK) code = e->lib.curl_url_get(e->url, CURLUPART_SCHEME, &scheme, 0);
    bool good = code == CURLUE_OK && (strcmp(scheme, "http") == 0 || strcmp(scheme, "https") == 0);
    e->lib.curl_free(scheme);
    if (!good)
        return wf_error_set(error, WF_ERR_USAGE, "'%.100s' is not a URL like http://localhost:8123",
                            o->url);
    int err = check_part(e, CURLUPART_PASSWORD,
                         "a password, which other users of this machine can see", error);
    if (err == WF_OK) err = check_part(e, CURLUPART_QUERY, "a query", error);
    if (err == WF_OK) err = check_part(e, CURLUPART_FRAGMENT, "a fragment", error);
    if (err == WF_OK && o->user) err = check_part(e, CURLUPART_USER, "another user", error);
    return err;
}

// ---- opening

static size_t add_answer(char *bytes, size_t size, size_t count, void *ctx) {
    struct answer *a = &((struct wf_engine *)ctx)->answer;
    size_t len = size * count;
    if (len >= ANSWER_MAX - a->len) return 0;
    if (a->len + len + 1 > a->cap) {
        size_t cap = 2 * (a->len + len + 1);
        char *grown = realloc(a->text, cap);
        if (!grown) return 0;
        a->text = grown;
        a->cap = cap;
    }
    memcpy(a->text + a->len, bytes, len);
    a->len += len;
    a->text[a->len] = 0;
    return len;
}

static int on_progress(void *ctx, curl_off_t of_answer, curl_off_t got, curl_off_t of_body,
                       curl_off_t sent) {
    const struct wf_engine *e = ctx;
    (void)of_answer, (void)got, (void)of_body, (void)sent;
    return e->cancelled(e->ctx);
}

static bool set_options(struct wf_engine *e, const struct wf_engine_options *o) {
    CURL *c = e->curl;
    bool good = e->lib.curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
                e->lib.curl_easy_setopt(c, CURLOPT_ERRORBUFFER, e->problem) == CURLE_OK &&
                e->lib.curl_easy_setopt(c, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_S) == CURLE_OK &&
                e->lib.curl_easy_setopt(c, CURLOPT_TCP_KEEPALIVE, 1L) == CURLE_OK &&
                e->lib.curl_easy_setopt(c, CURLOPT_LOW_SPEED_LIMIT, 1L) == CURLE_OK &&
                e->lib.curl_easy_setopt(c, CURLOPT_LOW_SPEED_TIME, (long)SILENT_S) == CURLE_OK &&
                e->lib.curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, add_answer) == CURLE_OK &&
                e->lib.curl_easy_setopt(c, CURLOPT_WRITEDATA, e) == CURLE_OK;
    if (good && o->cancelled)
        good = e->lib.curl_easy_setopt(c, CURLOPT_XFERINFOFUNCTION, on_progress) == CURLE_OK &&
               e->lib.curl_easy_setopt(c, CURLOPT_XFERINFODATA, e) == CURLE_OK &&
               e->lib.curl_easy_setopt(c, CURLOPT_NOPROGRESS, 0L) == CURLE_OK;
    if (good && o->user) good = e->lib.curl_easy_setopt(c, CURLOPT_USERNAME, o->user) == CURLE_OK;
    if (good && o->password)
        good = e->lib.curl_easy_setopt(c, CURLOPT_PASSWORD, o->password) == CURLE_OK;
    return good;
}

static int open_handles(struct wf_engine *e, const struct wf_engine_options *o,
                        struct wf_error *error) {
    const struct wfb_curl *lib = &e->lib;
    int err = wfb_curl_load(&e->lib, error);
    if (err != WF_OK) return err;
    if (lib->curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK ||
        !(e->curl = lib->curl_easy_init()) || !(e->url = lib->curl_url()) || !set_options(e, o))
        return wf_error_code(error, WF_ERR_NOMEM);
    return read_url(e, o, error);
}

struct wf_engine *wf_engine_open(const struct wf_engine_options *options, struct wf_error *error) {
    struct wf_engine *e = calloc(1, sizeof *e);
    if (!e) {
        wf_error_code(error, WF_ERR_NOMEM);
        return NULL;
    }
    e->give_up_s = options->give_up_s;
    e->stopped = options->stopped;
    e->cancelled = options->cancelled;
    e->failed = options->failed;
    e->ctx = options->ctx;
    if (open_handles(e, options, error) == WF_OK) return e;
    wf_engine_close(e);
    return NULL;
}

void wf_engine_close(struct wf_engine *e) {
    if (!e) return;
    if (e->url) e->lib.curl_url_cleanup(e->url);
    if (e->curl) e->lib.curl_easy_cleanup(e->curl);
    free(e->answer.text);
    free(e);
}

// ---- statements

// The engine takes a statement as the body, or in the URL if the body is the data of an INSERT.
static bool set_url(struct wf_engine *e, const struct wf_statement *s) {
    char *url = NULL, *sql = s->body ? e->lib.curl_easy_escape(e->curl, s->sql, 0) : NULL;
    const char *settings = s->settings ? s->settings : "";
    size_t size = strlen(settings) + (sql ? strlen(sql) : 0) + sizeof "&query=";
    char *query = malloc(size);
    bool good = query && (sql || !s->body);
    if (good) {
        snprintf(query, size, "%s%s%s%s", settings, *settings && sql ? "&" : "",
                 sql ? "query=" : "", sql ? sql : "");
        good =
            e->lib.curl_url_set(e->url, CURLUPART_QUERY, *query ? query : NULL, 0) == CURLUE_OK &&
            e->lib.curl_url_get(e->url, CURLUPART_URL, &url, 0) == CURLUE_OK &&
            e->lib.curl_easy_setopt(e->curl, CURLOPT_URL, url) == CURLE_OK;
    }
    e->lib.curl_free(url);
    e->lib.curl_free(sql);
    free(query);
    return good;
}

static bool set_body(struct wf_engine *e, const struct wf_statement *s) {
    curl_off_t len = (curl_off_t)(s->body ? s->len : strlen(s->sql));
    return e->lib.curl_easy_setopt(e->curl, CURLOPT_POSTFIELDSIZE_LARGE, len) == CURLE_OK &&
           e->lib.curl_easy_setopt(e->curl, CURLOPT_POSTFIELDS, s->body ? s->body : s->sql) ==
               CURLE_OK;
}

static void end_answer(struct answer *a) {
    while (a->len && a->text[a->len - 1] == '\n') --a->len;
    if (a->text) a->text[a->len] = 0;
}

// Old engines answer HTTP 500 for everything. These of their codes do not pass: no such column or
// table, syntax, types, settings, users and their rights.
static bool is_final(const char *answer) {
    static const int codes[] = {16,  20,  36,  43,  44,  46,  47,  53,  60,  62,  80,  81,
                                115, 117, 164, 192, 193, 194, 195, 291, 392, 452, 497, 516};
    int code = 0;
    if (sscanf(answer, "Code: %d", &code) != 1) return false;
    for (unsigned i = 0; i < sizeof codes / sizeof *codes; ++i) {
        if (codes[i] == code) return true;
    }
    return false;
}

static int run_once(struct wf_engine *e, const struct wf_statement *statement,
                    struct wf_error *error) {
    long status = 0;
    e->answer.len = 0;
    e->problem[0] = 0;
    e->may_pass = false;
    if (!set_url(e, statement) || !set_body(e, statement))
        return wf_error_code(error, WF_ERR_NOMEM);
    CURLcode code = e->lib.curl_easy_perform(e->curl);
    if (code == CURLE_OUT_OF_MEMORY || code == CURLE_WRITE_ERROR)
        return wf_error_set(error, WF_ERR_NOMEM,
                            "no memory for the engine's answer, or it is over %d MiB",
                            ANSWER_MAX >> 20);
    if (code == CURLE_ABORTED_BY_CALLBACK) return wf_error_code(error, WF_ERR_STOPPED);
    e->may_pass = code != CURLE_OK;
    if (code != CURLE_OK)
        return wf_error_set(error, WF_ERR_LINK, "the engine does not answer: %.180s",
                            e->problem[0] ? e->problem : e->lib.curl_easy_strerror(code));
    end_answer(&e->answer);
    e->lib.curl_easy_getinfo(e->curl, CURLINFO_RESPONSE_CODE, &status);
    if (status == 200) return wf_error_code(error, WF_OK);
    e->may_pass =
        status == 408 || status == 429 || (status >= 500 && !is_final(wf_engine_answer(e, NULL)));
    return wf_error_set(error, WF_ERR_ENGINE, "HTTP %ld: %.200s", status,
                        wf_engine_answer(e, NULL));
}

static void report(struct wf_engine *e, const char *text) {
    if (!e->failed || strcmp(e->reported, text) == 0) return;
    snprintf(e->reported, sizeof e->reported, "%s", text);
    e->failed(e->ctx, text);
}

static time_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec;
}

int wf_engine_run(struct wf_engine *e, const struct wf_statement *statement,
                  struct wf_error *error) {
    struct wf_error own;
    if (!error) error = &own;
    const time_t begun = now();
    long pause_ms = PAUSE_MS;
    for (;;) {
        int err = run_once(e, statement, error);
        if (err == WF_OK) e->reported[0] = 0;
        if (err == WF_OK || !e->may_pass || (uint64_t)(now() - begun) >= e->give_up_s) return err;
        report(e, error->text);
        if (e->stopped && e->stopped(e->ctx)) return err;
        nanosleep(&(struct timespec){pause_ms / 1000, pause_ms % 1000 * 1000000}, NULL);
        pause_ms = pause_ms < PAUSE_MOST_MS / 2 ? 2 * pause_ms : PAUSE_MOST_MS;
    }
}

const char *wf_engine_answer(const struct wf_engine *e, size_t *len) {
    if (len) *len = e->answer.len;
    return e->answer.len ? e->answer.text : "";
}
