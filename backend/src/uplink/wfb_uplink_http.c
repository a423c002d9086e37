// SPDX-License-Identifier: MIT
// Each message is an upload, whose response is the agent's answer.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "engine/wfb_curl.h"
#include "wallfly_host/wf_fleet_chunk.h"
#include "wallfly_host/wf_fleet_profile.h"
#include "wfb_uplink.h"

enum { CONNECT_S = 10, WHOLE_S = 60, TEXT_MAX = 240, RETRY_MS = 1000 };

struct http {
    struct wf_uplink uplink;
    struct wfb_curl lib;
    CURL *curl;
    struct curl_slist *headers;
    char text[TEXT_MAX + 1]; // of the response
    size_t len;
    char profile[TEXT_MAX]; // of its header
    size_t profile_len;
    char problem[CURL_ERROR_SIZE];
};

// ---- opening

// Only the begin of a long text is kept.
static size_t add_text(char *bytes, size_t size, size_t count, void *ctx) {
    struct http *h = ctx;
    const size_t len = size * count, room = TEXT_MAX - h->len;
    memcpy(h->text + h->len, bytes, len < room ? len : room);
    h->len += len < room ? len : room;
    return len;
}

// A header of the response: NAME: VALUE and the end of the line.
static size_t add_response_header(char *bytes, size_t size, size_t count, void *ctx) {
    static const char name[] = WF_FLEET_PROFILE_HEADER ":";
    struct http *h = ctx;
    const size_t len = size * count;
    size_t begin = sizeof name - 1, end = len;
    if (len < begin || strncasecmp(bytes, name, begin) != 0) return len;
    while (begin < end && bytes[begin] == ' ') ++begin;
    while (end > begin && strchr("\r\n ", bytes[end - 1])) --end;
    h->profile_len = end - begin < TEXT_MAX ? end - begin : TEXT_MAX;
    memcpy(h->profile, bytes + begin, h->profile_len);
    return len;
}

static int on_progress(void *ctx, curl_off_t down, curl_off_t of, curl_off_t up, curl_off_t total) {
    const struct http *h = ctx;
    (void)down, (void)of, (void)up, (void)total;
    return h->uplink.o.stopped && h->uplink.o.stopped(h->uplink.o.ctx);
}

static bool add_header(struct http *h, const char *header) {
    struct curl_slist *more = h->lib.curl_slist_append(h->headers, header);
    if (more) h->headers = more;
    return more != NULL;
}

// A header that is sent empty is left out.
static int add_headers(struct http *h, const char *token, struct wf_error *error) {
    char header[1100];
    for (const char *c = token ? token : ""; *c; ++c)
        if (*c <= ' ' || *c > '~')
            return wf_error_set(error, WF_ERR_USAGE, "the token has a character that HTTP forbids");
    const int len = snprintf(header, sizeof header, "Authorization: Bearer %s", token ? token : "");
    if (len >= (int)sizeof header)
        return wf_error_set(error, WF_ERR_USAGE, "the token is too long");
    if ((!token || add_header(h, header)) && add_header(h, "Expect:") &&
        add_header(h, "Content-Type: application/octet-stream"))
        return WF_OK;
    return wf_error_code(error, WF_ERR_NOMEM);
}

// The path is added to the URL, which has none.
static int make_url(struct http *h, struct wf_error *error) {
    const struct wf_uplink_options *o = &h->uplink.o;
    char url[1024];
    const char *host = strstr(o->url, "://") + 3;
    if (!*host || host[strcspn(host, "/@?#")])
        return wf_error_set(error, WF_ERR_USAGE, "'%.100s' is no http://HOST[:PORT]", o->url);
    const int len = snprintf(url, sizeof url, "%s/v1/%s/%s", o->url, o->project, o->device);
    if (len >= (int)sizeof url) return wf_error_set(error, WF_ERR_USAGE, "the URL is too long");
    return h->lib.curl_easy_setopt(h->curl, CURLOPT_URL, url) == CURLE_OK
               ? WF_OK
               : wf_error_code(error, WF_ERR_NOMEM);
}

static bool set_options(struct http *h) {
    CURL *c = h->curl;
    return h->lib.curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
           h->lib.curl_easy_setopt(c, CURLOPT_ERRORBUFFER, h->problem) == CURLE_OK &&
           h->lib.curl_easy_setopt(c, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_S) == CURLE_OK &&
           h->lib.curl_easy_setopt(c, CURLOPT_TIMEOUT, (long)WHOLE_S) == CURLE_OK &&
           h->lib.curl_easy_setopt(c, CURLOPT_HTTPHEADER, h->headers) == CURLE_OK &&
           h->lib.curl_easy_setopt(c, CURLOPT_NOPROGRESS, 0L) == CURLE_OK &&
           h->lib.curl_easy_setopt(c, CURLOPT_XFERINFOFUNCTION, on_progress) == CURLE_OK &&
           h->lib.curl_easy_setopt(c, CURLOPT_XFERINFODATA, h) == CURLE_OK &&
           h->lib.curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, add_text) == CURLE_OK &&
           h->lib.curl_easy_setopt(c, CURLOPT_WRITEDATA, h) == CURLE_OK &&
           h->lib.curl_easy_setopt(c, CURLOPT_HEADERFUNCTION, add_response_header) == CURLE_OK &&
           h->lib.curl_easy_setopt(c, CURLOPT_HEADERDATA, h) == CURLE_OK;
}

static int open_http(struct wf_uplink *u, struct wf_error *error) {
    struct http *h = (struct http *)u;
    int err = wfb_curl_load(&h->lib, error);
    if (err != WF_OK) return err;
    if (h->lib.curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK ||
        !(h->curl = h->lib.curl_easy_init()))
        return wf_error_code(error, WF_ERR_NOMEM);
    err = make_url(h, error);
    if (err == WF_OK) err = add_headers(h, u->o.secret, error);
    if (err != WF_OK) return err;
    return set_options(h) ? WF_OK : wf_error_code(error, WF_ERR_NOMEM);
}

static void close_http(struct wf_uplink *u) {
    struct http *h = (struct http *)u;
    if (h->curl) h->lib.curl_easy_cleanup(h->curl);
    if (h->headers) h->lib.curl_slist_free_all(h->headers);
}

// ---- sending

static bool may_pass(long status) { return status == 408 || status == 429 || status >= 500; }

static unsigned retry_after(struct http *h) {
    curl_off_t seconds = 0;
    h->lib.curl_easy_getinfo(h->curl, CURLINFO_RETRY_AFTER, &seconds);
    return seconds >= 1 && seconds <= 3600 ? (unsigned)seconds * 1000 : RETRY_MS;
}

static int send_http(struct wf_uplink *u, const uint8_t *message, size_t len, unsigned *retry_ms,
                     struct wf_error *error) {
    struct http *h = (struct http *)u;
    long status = 0;
    h->len = h->profile_len = 0;
    h->problem[0] = 0;
    *retry_ms = RETRY_MS;
    if (h->lib.curl_easy_setopt(h->curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)len) !=
            CURLE_OK ||
        h->lib.curl_easy_setopt(h->curl, CURLOPT_POSTFIELDS, message) != CURLE_OK)
        return wf_error_code(error, WF_ERR_LINK);
    CURLcode code = h->lib.curl_easy_perform(h->curl);
    if (code != CURLE_OK) {
        wf_error_set(error, WF_ERR_LINK, "the agent does not answer: %.180s",
                     h->problem[0] ? h->problem : h->lib.curl_easy_strerror(code));
        wfb_uplink_report(u, error->text);
        return WF_ERR_LINK;
    }
    h->lib.curl_easy_getinfo(h->curl, CURLINFO_RESPONSE_CODE, &status);
    if ((status == 200 || status == 409) &&
        wfb_uplink_answer(u, (const uint8_t *)h->text, h->len)) {
        if (h->profile_len && u->o.profile)
            u->o.profile(u->o.ctx, (const uint8_t *)h->profile, h->profile_len);
        wfb_uplink_report(u, NULL);
        return wf_error_code(error, WF_OK);
    }
    h->text[h->len] = 0;
    h->text[strcspn(h->text, "\r\n")] = 0;
    const int err = may_pass(status) ? WF_ERR_LINK : WF_ERR_USAGE;
    wf_error_set(error, err, "HTTP %ld: %.200s", status,
                 status == 200 || status == 409 ? "the answer is not that of an agent" : h->text);
    if (err == WF_ERR_LINK) {
        *retry_ms = retry_after(h);
        wfb_uplink_report(u, error->text);
    }
    return err;
}

// Answers come with what is sent.
static void step_http(struct wf_uplink *u, unsigned timeout_ms) {
    (void)u;
    nanosleep(&(struct timespec){timeout_ms / 1000, timeout_ms % 1000 * 1000000L}, NULL);
}

const struct wfb_uplink_kind wfb_uplink_http = {
    {"http://", "https://"}, sizeof(struct http), open_http, close_http, send_http, step_http};
