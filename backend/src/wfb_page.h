// SPDX-License-Identifier: MIT
// The inside of the page's web server: wf_page.c (listening, token, libwebsockets' context),
// wfb_page_http.c (access checks, files), wfb_page_clients.c (WebSockets), wfb_page_input.c (their
// masks).
#ifndef WFB_PAGE_H
#define WFB_PAGE_H

#include <libwebsockets.h>
#include <uv.h>

#include "wallfly_backend/wf_page.h"
#include "wfb_link.h"

// Before each answer; the room for connect-src, too, is bounded by the names' sizes.
enum { WFB_PAGE_POLICY_MAX = 512, WFB_PAGE_URL_MAX = 256, WFB_PAGE_CONNECTIONS_MAX = 96 };

struct wfb_message {
    struct wfb_message *next;
    size_t len, sent;
    bool text;
    // LWS_PRE bytes that libwebsockets writes its header to, then the message.
    uint8_t bytes[];
};

struct wf_page_client {
    struct wf_page *page;
    struct lws *wsi;
    struct wf_page_client *next;
    void *user;
    struct wfb_message *first, **last; // that wait
    size_t queued;                     // their bytes
    char *text;                        // of the message that is coming
    size_t len, cap;
    bool dropped; // it is closed soon
};

// Of a connection, for libwebsockets.
struct wfb_page_session {
    const uint8_t *body; // rest of the answer that is being sent
    size_t len;
    struct wf_page_client *client;
};

struct wfb_input {              // what a socket has sent: see wfb_page_input.c
    bool open, frames, refused; // frames: it is a WebSocket
    uint8_t line_ends;          // in a row, of heads
    size_t behind;              // bytes behind the last head, in the same read
    uint8_t head[14];           // of a frame
    unsigned have, need;        // its bytes
    uint64_t left;              // of its payload
};

struct wf_page {
    struct wf_page_handlers on;
    struct wf_page_file *files; // the caller's bytes
    unsigned file_count;
    char token[WF_PAGE_TOKEN_MAX + 1];
    char host[128]; // as the user has given it, if so
    char url[WFB_PAGE_URL_MAX];
    char policy[WFB_PAGE_POLICY_MAX];
    unsigned port;

    uv_poll_t listener;
    uv_timer_t end; // of closing: waits for libwebsockets
    int fd;
    unsigned handles;
    bool closing;
    struct lws_context *context; // null again when it is gone
    struct lws_vhost *vhost;
    unsigned connections;
    struct wfb_input *inputs; // by descriptor
    size_t input_count;
    struct wf_page_client *clients;
    unsigned client_count;
};

// wfb_page_http.c
int wfb_page_http(struct lws *wsi, enum lws_callback_reasons reason,
                  struct wfb_page_session *session, const char *path);
// Whether a WebSocket may be opened: 0, or what libwebsockets wants when it has been refused.
int wfb_page_upgrade(struct lws *wsi, const char *protocol);

// wfb_page_clients.c
int wfb_page_socket(struct lws *wsi, enum lws_callback_reasons reason,
                    struct wfb_page_session *session, const void *in, size_t len);

// wfb_page_input.c
bool wfb_input_open(struct wf_page *page, int fd); // a new connection; false: out of memory
void wfb_input_close(struct wf_page *page, int fd);
struct wfb_input *wfb_input_of(struct wf_page *page, int fd); // null: none of the page's
// From here on frames come. False: some came before they could.
bool wfb_input_upgrade(struct wfb_input *in);

// wf_page.c
struct wf_page *wfb_page_of(struct lws *wsi);
void wfb_page_say(struct wf_page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
