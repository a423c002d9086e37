// SPDX-License-Identifier: MIT
// Requests. One that is refused by its header is answered when its body has passed, so that the
// client has an answer and not a broken connection; only a body beyond all measure, or one that
// takes its time, is not waited for.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wfb_upload.h"

enum {
    DROP_MAX = 32 << 20,
    DROP_MS = 5000,
    PATIENCE_BYTES = 480 << 10, // of a body have as long as its header: 16 KiB/s
    RETRY_S = 1
};

static struct wfb_request *request_of(struct lws *wsi) { return lws_get_opaque_user_data(wsi); }

static struct wf_upload *upload_of(struct lws *wsi) {
    return lws_context_user(lws_get_context(wsi));
}

// ---- deadlines

// libwebsockets begins its timeouts anew with each byte; its timer of a connection runs on.
static void set_deadline(struct lws *wsi, uint64_t ms) {
    lws_set_timer_usecs(wsi, (lws_usec_t)ms * 1000);
}

void wfb_upload_await_header(struct lws *wsi, bool is_new) {
    set_deadline(wsi, upload_of(wsi)->o.patience_ms + (is_new ? 0 : WFB_UPLOAD_IDLE_S * 1000));
}

static void await_body(struct lws *wsi, uint64_t len, bool dropped) {
    const uint64_t patience = upload_of(wsi)->o.patience_ms;
    const uint64_t ms = patience + patience * len / PATIENCE_BYTES;
    set_deadline(wsi, dropped && ms > DROP_MS ? DROP_MS : ms);
}

// ---- requests

static struct wfb_request *new_request(struct lws *wsi) {
    struct wf_upload *u = upload_of(wsi);
    struct wfb_request *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    r->upload = u;
    r->wsi = wsi;
    r->at = &u->requests;
    r->next = u->requests;
    if (r->next) r->next->at = &r->next;
    u->requests = r;
    lws_set_opaque_user_data(wsi, r);
    return r;
}

static void free_body(struct wfb_request *r) {
    if (r->public.body) r->upload->held -= r->public.len;
    free(r->public.body);
    r->public.body = NULL;
}

void wfb_request_free(struct wfb_request *r) {
    if (r->wsi) lws_set_opaque_user_data(r->wsi, NULL);
    *r->at = r->next;
    if (r->next) r->next->at = r->at;
    free_body(r);
    free(r);
}

// The client is gone. A request that the caller has is freed by its answer.
static void leave(struct wfb_request *r) {
    lws_set_opaque_user_data(r->wsi, NULL);
    r->wsi = NULL;
    if (!r->held) wfb_request_free(r);
}

static void set_answer(struct wfb_request *r, const struct wf_upload_answer *a) {
    uint8_t *to = r->answer + LWS_PRE;
    r->answered = true;
    r->status = a->status;
    r->retry_after_s = a->retry_after_s;
    if (a->header) {
        snprintf(r->header, sizeof r->header, "%.*s:", WF_UPLOAD_HEADER_MAX, a->header);
        snprintf(r->value, sizeof r->value, "%s", a->header_value);
    }
    r->binary = !a->text;
    if (a->text)
        r->answer_len = (size_t)snprintf((char *)to, WF_UPLOAD_TEXT_MAX + 1, "%.*s\n",
                                         WF_UPLOAD_TEXT_MAX - 1, a->text);
    else
        memcpy(to, a->bytes,
               r->answer_len = a->len < WF_UPLOAD_TEXT_MAX ? a->len : WF_UPLOAD_TEXT_MAX);
}

static void refuse(struct wfb_request *r, unsigned status, const char *text) {
    const bool later = status == 429 || status == 503;
    const struct wf_upload_answer a = {
        .status = status, .text = text, .retry_after_s = later ? RETRY_S : 0};
    set_answer(r, &a);
}

// ---- responses

static bool add_header(struct lws *wsi, const char *name, const char *value, uint8_t **p,
                       uint8_t *end) {
    return !value || lws_add_http_header_by_name(wsi, (const uint8_t *)name, (const uint8_t *)value,
                                                 (int)strlen(value), p, end) == 0;
}

// Returns libwebsockets' code: -1 ends the connection.
static int send_response(struct wfb_request *r) {
    uint8_t room[LWS_PRE + 1024], *begin = room + LWS_PRE, *p = begin, *end = room + sizeof room;
    struct lws *wsi = r->wsi;
    char seconds[16];
    snprintf(seconds, sizeof seconds, "%u", r->retry_after_s);
    const bool sent =
        lws_add_http_common_headers(
            wsi, r->status, r->binary ? "application/octet-stream" : "text/plain; charset=utf-8",
            r->answer_len, &p, end) == 0 &&
        add_header(wsi, "retry-after:", r->retry_after_s ? seconds : NULL, &p, end) &&
        add_header(wsi, "www-authenticate:", r->status == 401 ? "Bearer" : NULL, &p, end) &&
        add_header(wsi, "allow:", r->status == 405 ? "POST" : NULL, &p, end) &&
        add_header(wsi, r->header, *r->header ? r->value : NULL, &p, end) &&
        lws_finalize_write_http_header(wsi, begin, &p, end) == 0 &&
        lws_write(wsi, r->answer + LWS_PRE, r->answer_len, LWS_WRITE_HTTP_FINAL) ==
            (int)r->answer_len;
    const bool last = r->last;
    wfb_request_free(r);
    if (!sent || last || lws_http_transaction_completed(wsi)) return -1;
    wfb_upload_await_header(wsi, false);
    return 0;
}

void wf_upload_answer(struct wf_upload_request *request, const struct wf_upload_answer *answer) {
    struct wfb_request *r = (struct wfb_request *)request;
    const bool later = r->held;
    r->upload->waiting -= later;
    r->held = false;
    if (!r->wsi) {
        wfb_request_free(r);
        return;
    }
    set_answer(r, answer);
    free_body(r);
    if (later) lws_callback_on_writable(r->wsi);
}

// ---- headers

// Copies a header; "" without one. Returns false if it is too long or occurs twice.
static bool read_header(struct lws *wsi, enum lws_token_indexes which, char *text, size_t cap) {
    const int len = lws_hdr_total_length(wsi, which);
    text[0] = 0;
    return len <= 0 || lws_hdr_copy(wsi, text, (int)cap, which) == len;
}

static bool read_token(struct wfb_request *r) {
    static const char scheme[] = "Bearer ";
    char text[sizeof scheme + WF_UPLOAD_TOKEN_MAX];
    if (!read_header(r->wsi, WSI_TOKEN_HTTP_AUTHORIZATION, text, sizeof text)) return false;
    if (strncasecmp(text, scheme, sizeof scheme - 1) != 0) return true;
    const char *token = text + sizeof scheme - 1;
    token += strspn(token, " ");
    size_t len = strlen(token);
    while (len && strchr(" \t", token[len - 1])) --len;
    snprintf(r->public.token, sizeof r->public.token, "%.*s", (int)len, token);
    return true;
}

static void read_type(struct wfb_request *r) {
    char *type = r->public.type;
    if (!read_header(r->wsi, WSI_TOKEN_HTTP_CONTENT_TYPE, type, sizeof r->public.type)) type[0] = 0;
    type[strcspn(type, "; \t")] = 0;
}

// Returns false when there is no number.
static bool read_length(struct wfb_request *r, uint64_t *len) {
    char text[24], *end;
    if (!read_header(r->wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH, text, sizeof text)) return false;
    *len = strtoull(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && !*end;
}

static bool is_long(const struct wf_upload *u, size_t len) {
    return u->o.usual && len > u->o.usual;
}

// The bodies of a path, and the bytes of all that are long.
struct held {
    unsigned at_path;
    size_t bytes_at_path, bytes_long;
};
static struct held count_bodies(const struct wf_upload *u, const char *path) {
    struct held held = {0};
    for (const struct wfb_request *r = u->requests; r; r = r->next) {
        if (!r->public.body) continue;
        if (is_long(u, r->public.len)) held.bytes_long += r->public.len;
        if (strcmp(r->public.path, path) != 0) continue;
        ++held.at_path;
        held.bytes_at_path += r->public.len;
    }
    return held;
}

// Makes room for a body. One path, which is one device, must not take the room of all, and long
// bodies not that of the others.
static void make_room(struct wfb_request *r, size_t len) {
    struct wf_upload *u = r->upload;
    const struct held held = count_bodies(u, r->public.path);
    if (held.at_path >= WF_UPLOAD_AT_PATH_MAX ||
        held.bytes_at_path + len > WF_UPLOAD_HELD_AT_PATH_MAX) {
        refuse(r, 429, "too many uploads of this device at once");
        return;
    }
    const bool fits = !is_long(u, len) || held.bytes_long + len <= WF_UPLOAD_HELD_MAX / 2;
    if (fits && len <= WF_UPLOAD_HELD_MAX - u->held) r->public.body = malloc(len);
    if (r->public.body)
        u->held += r->public.len = len;
    else
        refuse(r, 503, "too much is being uploaded at once");
}

// Answers a request whose header is wrong; of others makes room for the body, unless the caller
// answers.
static void check_header(struct wfb_request *r, const char *path) {
    const struct wf_upload_options *o = &r->upload->o;
    uint64_t len = 0;
    r->last = true;
    if (lws_hdr_total_length(r->wsi, WSI_TOKEN_POST_URI) <= 0) {
        refuse(r, 405, "wallfly takes uploads by POST only");
    } else if (lws_hdr_total_length(r->wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING) > 0 ||
               !read_length(r, &len)) {
        refuse(r, 411, "a Content-Length is needed");
    } else if (strlen(path) > WF_UPLOAD_PATH_MAX || !read_token(r)) {
        refuse(r, 400, "a header or the path is too long");
    } else if (len > DROP_MAX) {
        refuse(r, 413, "the upload is too long");
    } else {
        snprintf(r->public.path, sizeof r->public.path, "%s", path);
        read_type(r);
        o->head(o->ctx, &r->public);
        if (!r->answered && !len) refuse(r, 400, "the upload is empty");
        if (!r->answered && len > o->most) refuse(r, 413, "the upload is too long");
        if (!r->answered) make_room(r, (size_t)len);
        r->dropped = r->answered && len;
        r->last = !len || r->status == 429; // its connections are for others, too
        await_body(r->wsi, len, r->dropped);
    }
}

static int take_header(struct lws *wsi, const char *path) {
    struct wfb_request *r = request_of(wsi);
    if (r) return -1; // libwebsockets does not begin one before the last is answered
    r = new_request(wsi);
    if (!r) return -1;
    check_header(r, path);
    return r->answered && !r->dropped ? send_response(r) : 0;
}

// ---- bodies

static int take_body(struct wfb_request *r, const void *bytes, size_t len) {
    if (!r || r->whole) return -1;
    if (r->dropped) return 0;
    if (len > r->public.len - r->received) return -1;
    memcpy(r->public.body + r->received, bytes, len);
    r->received += len;
    return 0;
}

static int end_body(struct wfb_request *r) {
    if (!r) return 0;
    // libwebsockets 4.1 calls this again, without end, for what a client sends before its answer.
    if (r->whole) return -1;
    r->whole = true;
    if (r->dropped) lws_callback_on_writable(r->wsi);
    if (r->dropped) return 0;
    if (r->received != r->public.len) return -1;
    lws_set_timeout(r->wsi, NO_PENDING_TIMEOUT, 0); // it waits for the caller
    r->held = true;
    ++r->upload->waiting;
    r->upload->o.body(r->upload->o.ctx, &r->public);
    return 0;
}

// The deadline. One that the caller has is not late; one that was refused has its answer, if the
// client reads it while it sends.
static int end_late(struct wfb_request *r) {
    if (r && r->held) return 0;
    if (!r || !r->answered) return -1;
    r->last = true;
    return send_response(r);
}

int wfb_upload_http(struct lws *wsi, enum lws_callback_reasons reason, void *in, size_t len) {
    struct wfb_request *r = request_of(wsi);
    switch (reason) {
    case LWS_CALLBACK_HTTP: return take_header(wsi, in);
    case LWS_CALLBACK_HTTP_BODY: return take_body(r, in, len);
    case LWS_CALLBACK_HTTP_BODY_COMPLETION: return end_body(r);
    case LWS_CALLBACK_TIMER: return end_late(r);
    case LWS_CALLBACK_HTTP_WRITEABLE: return r && r->whole && r->answered ? send_response(r) : 0;
    case LWS_CALLBACK_WSI_DESTROY:
        if (r) leave(r);
        return 0;
    default: return 0;
    }
}
