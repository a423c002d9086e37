// SPDX-License-Identifier: MIT
// The open pages: one WebSocket each. Messages are queued and sent in pieces as the system accepts
// them, so that none is copied twice and a slow page does not block the others.

#include <stdlib.h>
#include <string.h>

#include "wfb_page.h"

enum { PIECE = 65536 }; // bytes given to the system at a time

// libwebsockets checks its timeouts only on events.
static void drop_client(struct wf_page_client *c) {
    if (c->dropped) return;
    c->dropped = true;
    lws_set_timeout(c->wsi, PENDING_TIMEOUT_KILLED_BY_PARENT, LWS_TO_KILL_ASYNC);
    lws_cancel_service(lws_get_context(c->wsi));
}

static bool queue_message(struct wf_page_client *c, const void *bytes, size_t len, bool text) {
    if (c->dropped) return false;
    if (c->queued + len > WF_PAGE_QUEUE_MAX) {
        wfb_page_report(c->page, "a page was disconnected: its queue is full");
        drop_client(c);
        return false;
    }
    struct wfb_message *m = malloc(sizeof *m + LWS_PRE + len);
    if (!m) {
        drop_client(c);
        return false;
    }
    *m = (struct wfb_message){.len = len, .text = text};
    memcpy(m->bytes + LWS_PRE, bytes, len);
    *c->last = m;
    c->last = &m->next;
    c->queued += len;
    lws_callback_on_writable(c->wsi);
    return true;
}

bool wf_page_text(struct wf_page_client *c, const char *text, size_t len) {
    return queue_message(c, text, len, true);
}

bool wf_page_bytes(struct wf_page_client *c, const void *bytes, size_t len) {
    return queue_message(c, bytes, len, false);
}

size_t wf_page_queued(const struct wf_page_client *c) { return c->queued; }
void **wf_page_user(struct wf_page_client *c) { return &c->user; }
int wf_page_part(const struct wf_page_client *c) { return c->part; }
const char *wf_page_folder(const struct wf_page_client *c) { return c->folder; }

static void free_first(struct wf_page_client *c) {
    struct wfb_message *m = c->first;
    c->first = m->next;
    if (!c->first) c->last = &c->first;
    free(m);
}

// Sends a piece of the first message. The header overwrites bytes that were already sent.
static bool send_piece(struct wf_page_client *c) {
    struct wfb_message *m = c->first;
    size_t n = m->len - m->sent < PIECE ? m->len - m->sent : PIECE;
    bool begin = m->sent == 0, end = m->sent + n == m->len;
    int flags = lws_write_ws_flags(m->text ? LWS_WRITE_TEXT : LWS_WRITE_BINARY, begin, end);
    if (lws_write(c->wsi, m->bytes + LWS_PRE + m->sent, n, (enum lws_write_protocol)flags) < 0)
        return false;
    m->sent += n;
    c->queued -= n;
    if (end) free_first(c);
    return true;
}

static int send_queued(struct wf_page_client *c) {
    if (c->dropped) return -1;
    while (c->first) {
        if (!send_piece(c)) return -1;
        if (lws_send_pipe_choked(c->wsi)) break;
    }
    if (c->first) lws_callback_on_writable(c->wsi);
    return 0;
}

static int refuse_client(struct wf_page_client *c, enum lws_close_status status, const char *text) {
    unsigned char copy[128];
    size_t len = strlen(text);
    memcpy(copy, text, len);
    wfb_page_report(c->page, "a page was disconnected: %s", text);
    lws_close_reason(c->wsi, status, copy, len);
    c->dropped = true;
    return -1;
}

static bool grow_text(struct wf_page_client *c, size_t need) {
    size_t cap = c->cap ? c->cap : 4096;
    while (cap < need) cap *= 2;
    if (cap == c->cap) return true;
    char *text = realloc(c->text, cap);
    if (!text) return false;
    c->text = text;
    c->cap = cap;
    return true;
}

// Takes a part of a message.
static int receive_part(struct wf_page_client *c, const void *bytes, size_t len) {
    if (c->dropped) return -1;
    if (lws_frame_is_binary(c->wsi))
        return refuse_client(c, LWS_CLOSE_STATUS_UNACCEPTABLE_OPCODE,
                             "it has sent a binary message");
    if (c->len + len > WF_PAGE_REQUEST_MAX)
        return refuse_client(c, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, "its message is over 1 MiB");
    if (!grow_text(c, c->len + len)) return -1;
    if (len) memcpy(c->text + c->len, bytes, len);
    c->len += len;
    if (!lws_is_final_fragment(c->wsi) || lws_remaining_packet_payload(c->wsi)) return 0;
    c->page->on.message(c->page->on.ctx, c, c->text, c->len);
    c->len = 0;
    return c->dropped ? -1 : 0;
}

static int add_client(struct lws *wsi, struct wfb_page_session *session) {
    struct wf_page *page = wfb_page_of(wsi);
    struct wfb_input *in = wfb_input_of(page, lws_get_socket_fd(wsi));
    if (in && !wfb_input_upgrade(in)) return -1;
    struct wf_page_client *c = calloc(1, sizeof *c);
    if (!c) return -1;
    *c = (struct wf_page_client){.page = page, .wsi = wsi, .next = page->clients};
    if (!wfb_page_socket_path(wsi, c->folder, &c->part)) {
        free(c);
        return -1;
    }
    c->last = &c->first;
    session->client = page->clients = c;
    ++page->client_count;
    page->on.up(page->on.ctx, c);
    return c->dropped ? -1 : 0;
}

static void remove_client(struct wf_page_client *c) {
    struct wf_page *page = c->page;
    struct wf_page_client **at = &page->clients;
    c->dropped = true;
    page->on.down(page->on.ctx, c);
    while (*at != c) at = &(*at)->next;
    *at = c->next;
    --page->client_count;
    while (c->first) free_first(c);
    free(c->text);
    free(c);
}

int wfb_page_socket(struct lws *wsi, enum lws_callback_reasons reason,
                    struct wfb_page_session *session, const void *in, size_t len) {
    if (reason == LWS_CALLBACK_ESTABLISHED) return add_client(wsi, session);
    struct wf_page_client *c = session->client;
    if (!c) return -1;
    if (reason == LWS_CALLBACK_RECEIVE) return receive_part(c, in, len);
    if (reason == LWS_CALLBACK_SERVER_WRITEABLE) return send_queued(c);
    session->client = NULL;
    wfb_input_close(c->page, lws_get_socket_fd(wsi));
    remove_client(c);
    return 0;
}
