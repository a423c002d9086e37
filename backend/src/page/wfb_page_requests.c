// SPDX-License-Identifier: MIT
// Requests that the owner of the server answers, at once or later. The owner keeps a request until
// it has answered it; the connection may end before.

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wfb_page.h"

enum { QUERY_MAX = 2048, ANSWER_S = 10 };

// Appends a field, which libwebsockets has decoded. Returns false if it does not fit.
static bool add_field(char *query, size_t *len, const char *field) {
    if (*len) query[(*len)++] = '&';
    for (; *field; ++field) {
        if (*len + 4 > QUERY_MAX) return false;
        if (*field == '&' || *field == '%')
            *len += (size_t)snprintf(query + *len, 4, "%%%02X", (unsigned char)*field);
        else
            query[(*len)++] = *field;
    }
    query[*len] = 0;
    return *len + 2 < QUERY_MAX;
}

// Reads what is behind the '?', "" if there is none. Returns false if it is too long.
static bool read_query(struct lws *wsi, char *query) {
    char field[QUERY_MAX];
    size_t len = 0;
    query[0] = 0;
    for (int i = 0;; ++i) {
        const int n = lws_hdr_copy_fragment(wsi, field, sizeof field, WSI_TOKEN_HTTP_URI_ARGS, i);
        if (n == -1) return true; // no more
        if (n < 0 || !add_field(query, &len, field)) return false;
    }
}

int wfb_page_request(struct lws *wsi, struct wfb_page_session *s, const char *path, bool head) {
    const struct wf_page *page = wfb_page_of(wsi);
    char query[QUERY_MAX];
    if (!read_query(wsi, query)) return -1;
    struct wf_page_request *r = calloc(1, sizeof *r);
    if (!r) return -1;
    r->wsi = wsi;
    r->session = s;
    r->head = head;
    s->request = r;
    lws_set_timeout(wsi, NO_PENDING_TIMEOUT, 0); // the owner may need long
    // libwebsockets 4.1 reports a socket again and again while it does not want its bytes yet.
    lws_rx_flow_control(wsi, 0);
    page->on.request(page->on.ctx, r, path, query);
    return 0;
}

static void free_request(struct wf_page_request *r) {
    free(r->body);
    free(r);
}

// Its bytes are sent when libwebsockets asks for them.
static void send_later(struct wf_page_request *r) {
    r->answered = true;
    if (!r->wsi) {
        free_request(r);
        return;
    }
    lws_set_timeout(r->wsi, PENDING_TIMEOUT_HTTP_CONTENT, ANSWER_S);
    lws_rx_flow_control(r->wsi, 1); // else it is not asked either
    lws_callback_on_writable(r->wsi);
}

static const char *copy_text(char *to, size_t cap, const char *from) {
    if (!from) return NULL;
    snprintf(to, cap, "%s", from);
    return to;
}

void wf_page_answer(struct wf_page_request *r, const struct wf_page_answer *a) {
    const char *type = a->type ? a->type : "text/html; charset=utf-8";
    r->body = malloc(a->len + 1);
    if (r->body) memcpy(r->body, a->bytes, a->len);
    r->answer = (struct wfb_answer){.status = r->body ? a->status : 503,
                                    .type = copy_text(r->type, sizeof r->type, type),
                                    .policy = copy_text(r->policy, sizeof r->policy, a->policy),
                                    .len = r->body ? a->len : 0};
    if (r->wsi && a->location) {
        snprintf(r->location, sizeof r->location, "/%s/%s", wfb_page_of(r->wsi)->token,
                 a->location);
        r->answer.location = r->location;
    }
    send_later(r);
}

void wf_page_answer_file(struct wf_page_request *r, const char *path) {
    static const char missing[] = "wallfly: no such file.\n";
    r->file = r->wsi ? wfb_page_find_file(wfb_page_of(r->wsi), path) : NULL;
    if (r->file)
        send_later(r);
    else
        wf_page_answer(r, &(struct wf_page_answer){.status = 404,
                                                   .type = "text/plain; charset=utf-8",
                                                   .bytes = missing,
                                                   .len = sizeof missing - 1});
}

// libwebsockets does not read from the socket, and so does not notice.
bool wf_page_client_left(const struct wf_page_request *r) {
    struct pollfd at = {.fd = r->wsi ? lws_get_socket_fd(r->wsi) : -1, .events = POLLRDHUP};
    return at.fd < 0 || poll(&at, 1, 0) > 0;
}

int wfb_page_send_answer(struct lws *wsi, struct wfb_page_session *s) {
    struct wf_page_request *r = s->request;
    if (!r->answered) return 0;
    if (r->file) {
        const struct wf_page_file *file = r->file;
        const bool head = r->head;
        wfb_page_end_request(s);
        return wfb_page_send_file(wsi, s, file, head);
    }
    if (!wfb_page_send_head(wsi, &r->answer)) return -1;
    s->body = (const uint8_t *)r->body;
    s->len = r->head ? 0 : r->answer.len;
    if (s->len) return wfb_page_send_body(wsi, s);
    s->body = NULL;
    wfb_page_end_request(s);
    return lws_http_transaction_completed(wsi) ? -1 : 0;
}

void wfb_page_end_request(struct wfb_page_session *s) {
    struct wf_page_request *r = s ? s->request : NULL;
    if (!r) return;
    s->request = NULL;
    r->wsi = NULL;
    if (r->answered) free_request(r);
}
