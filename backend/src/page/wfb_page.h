// SPDX-License-Identifier: MIT
// Internals of the page's web server: wf_page.c (listening, token, libwebsockets context),
// wfb_page_http.c (access checks, files), wfb_page_clients.c (WebSockets), wfb_page_input.c (frame
// masks), wfb_page_requests.c (requests that the owner answers).
#ifndef WFB_PAGE_H
#define WFB_PAGE_H

#include <libwebsockets.h>
#include <uv.h>

#include "wallfly_backend/wf_page.h"
#include "link/wfb_link.h"

// The policy is sent with each response. It fits, because the names in connect-src are limited.
enum { WFB_PAGE_POLICY_MAX = 512, WFB_PAGE_URL_MAX = 256, WFB_PAGE_CONNECTIONS_MAX = 96 };

struct wfb_message {
    struct wfb_message *next;
    size_t len, sent;
    bool text;
    // LWS_PRE bytes for libwebsockets' header, then the message.
    uint8_t bytes[];
};

struct wf_page_client {
    struct wf_page *page;
    struct lws *wsi;
    struct wf_page_client *next;
    void *user;
    struct wfb_message *first, **last; // the queued messages
    size_t queued;                     // bytes in them
    char *text;                        // the message being received
    size_t len, cap;
    bool dropped; // it will be closed soon
    int part;     // see wf_page_part
    char folder[WF_PAGE_FOLDER_MAX + 1];
};

struct wfb_answer { // the head of a response
    unsigned status;
    const char *type, *encoding, *location, *policy; // policy: null: that of the page
    size_t len;
};

struct wf_page_request {
    struct lws *wsi; // null: the client is gone
    struct wfb_page_session *session;
    bool head, answered;
    struct wfb_answer answer; // with these texts:
    char type[64], location[WF_PAGE_TOKEN_MAX + WF_PAGE_FOLDER_MAX + 160], policy[256];
    const struct wf_page_file *file; // null: `body`
    char *body;
};

// Data of a connection, stored by libwebsockets.
struct wfb_page_session {
    const uint8_t *body; // rest of the response being sent
    size_t len;
    struct wf_page_client *client;
    struct wf_page_request *request; // of the owner
};

struct wfb_input {              // parser state of a socket's input: see wfb_page_input.c
    bool open, frames, refused; // frames: after the upgrade to WebSocket
    uint8_t line_ends;          // consecutive line ends in a request header
    size_t behind;              // bytes after the last request header, in the same read
    uint8_t head[14];           // header of a frame
    unsigned have, need;        // bytes of head: received, needed
    uint64_t left;              // bytes of the payload not received yet
};

struct wf_page {
    struct wf_page_handlers on;
    struct wf_page_file *files; // copies of the caller's entries
    unsigned file_count;
    char token[WF_PAGE_TOKEN_MAX + 1];
    char host[128]; // as given by the user, or ""
    char url[WFB_PAGE_URL_MAX];
    char policy[WFB_PAGE_POLICY_MAX];
    unsigned port;

    uv_poll_t listener;
    uv_timer_t end; // timer for closing: waits for libwebsockets
    int fd;
    unsigned handles;
    bool closing;
    struct lws_context *context; // null when it is destroyed
    struct lws_vhost *vhost;
    unsigned connections;
    struct wfb_input *inputs; // indexed by descriptor
    size_t input_count;
    struct wf_page_client *clients;
    unsigned client_count;
};

// wfb_page_http.c
int wfb_page_http(struct lws *wsi, enum lws_callback_reasons reason,
                  struct wfb_page_session *session, const char *path);
// Checks whether a WebSocket may be opened. Returns 0, or libwebsockets' code for a refused
// request.
int wfb_page_upgrade(struct lws *wsi, const char *protocol);
// Reads the path of a WebSocket. Returns false if it is not below the token or is none.
bool wfb_page_socket_path(struct lws *wsi, char folder[WF_PAGE_FOLDER_MAX + 1], int *part);
bool wfb_page_send_head(struct lws *wsi, const struct wfb_answer *a);
// Return libwebsockets' code. Sends a file, and then what is left of the response.
int wfb_page_send_file(struct lws *wsi, struct wfb_page_session *session,
                       const struct wf_page_file *f, bool head);
int wfb_page_send_body(struct lws *wsi, struct wfb_page_session *session);
const struct wf_page_file *wfb_page_find_file(const struct wf_page *page, const char *path);

// wfb_page_requests.c
// Passes a request on to the owner. Returns libwebsockets' code.
int wfb_page_request(struct lws *wsi, struct wfb_page_session *session, const char *path,
                     bool head);
// Sends the answer, if there is one.
int wfb_page_send_answer(struct lws *wsi, struct wfb_page_session *session);
// The response was sent, or the client is gone.
void wfb_page_end_request(struct wfb_page_session *session);

// wfb_page_clients.c
int wfb_page_socket(struct lws *wsi, enum lws_callback_reasons reason,
                    struct wfb_page_session *session, const void *in, size_t len);

// wfb_page_input.c
bool wfb_input_open(struct wf_page *page, int fd); // a new connection; false: out of memory
void wfb_input_close(struct wf_page *page, int fd);
struct wfb_input *wfb_input_of(struct wf_page *page, int fd); // null: not a socket of the page
// Later bytes are frames. Returns false when bytes arrived before the upgrade.
bool wfb_input_upgrade(struct wfb_input *in);

// wf_page.c
struct wf_page *wfb_page_of(struct lws *wsi);
void wfb_page_report(struct wf_page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
