// SPDX-License-Identifier: MIT
// The web server of the time line: serves the files of one page over HTTP and exchanges messages
// with the open pages over WebSocket, all below a secret path, http://HOST:PORT/TOKEN/. It does not
// depend on traces. It runs on the caller's libuv loop (libwebsockets implements the protocols);
// all functions must be called from the loop's thread. By default it listens on the loopback. The
// content security policy is strict; requests with a wrong token, Host or Origin are refused.
#ifndef WF_PAGE_H
#define WF_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wallfly_host/wf_error.h"

#ifdef __cplusplus
extern "C" {
#endif

struct uv_loop_s; // uv_loop_t
struct wf_page;
struct wf_page_client; // an open page

enum {
    WF_PAGE_CLIENTS_MAX = 64,
    WF_PAGE_REQUEST_MAX = 1 << 20, // most bytes of a message from a page
    WF_PAGE_QUEUE_MAX = 64 << 20, // most bytes queued for a page; a page that exceeds it is dropped
    WF_PAGE_TOKEN_MIN = 16,
    WF_PAGE_TOKEN_MAX = 64,
    WF_PAGE_FOLDER_MAX = 320, // most bytes of the path of a folder
    WF_PAGE_NO_PART = -1
};

struct wf_page_request; // a GET or HEAD that waits for its answer

struct wf_page_file {
    const char *path; // the path after the token: "" is the page itself, "page.js"
    const char *type; // "text/html; charset=utf-8"
    const uint8_t *bytes;
    size_t len;
    const uint8_t *gzip; // the same bytes, compressed, for clients that accept gzip; null: none
    size_t gzip_len;
};

struct wf_page_options {
    size_t size;        // sizeof(struct wf_page_options)
    const char *listen; // "[HOST:]PORT"; null: a free port of the loopback
    const char *token;  // [A-Za-z0-9_-], WF_PAGE_TOKEN_MIN to _MAX; null: a new one, 128 bits
    const struct wf_page_file *files;
    unsigned file_count;
};

struct wf_page_handlers {
    void *ctx; // all functions are required
    void (*up)(void *ctx, struct wf_page_client *c);
    // A message, not zero-terminated, valid during the call.
    void (*message)(void *ctx, struct wf_page_client *c, const char *text, size_t len);
    void (*down)(void *ctx, struct wf_page_client *c); // the client is freed when this returns
    void (*report)(void *ctx, const char *text);       // for the user, without end of line
    // The next two may be null: then the files are served, and WebSockets beside them.
    // Otherwise each request below the token is passed on, with its path behind the token (without
    // '&') and what is behind the '?', or ""; both are decoded, but in the latter & and % within a
    // field. It has to be answered once, now or later, also when its client is gone.
    void (*request)(void *ctx, struct wf_page_request *r, const char *path, const char *query);
    // Returns whether a folder ("a/b/", "" is that of the token) has WebSockets.
    bool (*folder)(void *ctx, const char *folder);
};

struct wf_page_answer {
    unsigned status;
    const char *type;     // null: "text/html; charset=utf-8"
    const char *location; // of a redirection: behind the token; null: none
    const char *policy;   // content security policy; null: that of the files
    const void *bytes;    // copied
    size_t len;
};

// Starts listening.
//   error    on an error the fault and the remedy, for the user
//   returns  WF_OK, WF_ERR_USAGE, WF_ERR_LINK (the port is in use), WF_ERR_NOMEM
int wf_page_open(struct uv_loop_s *loop, const struct wf_page_options *options,
                 const struct wf_page_handlers *on, struct wf_page **page, struct wf_error *error);
// Closes all connections (`down` is called). Frees itself as the loop runs.
void wf_page_close(struct wf_page *page);
const char *wf_page_url(const struct wf_page *page); // "http://127.0.0.1:40123/TOKEN/"

// Answer a request, which is freed.
void wf_page_answer(struct wf_page_request *r, const struct wf_page_answer *answer);
// ... with one of the files of wf_page_options.
void wf_page_answer_file(struct wf_page_request *r, const char *path);
// Returns whether the client of a request has closed its connection.
bool wf_page_client_left(const struct wf_page_request *r);

// Sends a message; the bytes are copied. Messages arrive complete and in order.
//   returns  false when out of memory or when too many bytes are queued: the client is dropped soon
bool wf_page_text(struct wf_page_client *c, const char *text, size_t len);
bool wf_page_bytes(struct wf_page_client *c, const void *bytes, size_t len);
// Returns the bytes queued for the client. A caller that pushes data should pause while there are
// many.
size_t wf_page_queued(const struct wf_page_client *c);
void **wf_page_user(struct wf_page_client *c); // the caller's pointer
// Returns the number in the path of its WebSocket, "ws/NUMBER", 0 to 999; WF_PAGE_NO_PART: the path
// is "ws".
int wf_page_part(const struct wf_page_client *c);
// Returns the folder of its WebSocket, as of `folder` of the handlers; "": that of the token.
const char *wf_page_folder(const struct wf_page_client *c);

// Checks bytes read from a socket (of the page or not) before libwebsockets receives them. A
// program that passes all reads here refuses frames without a mask; otherwise they are accepted.
//   returns  false when the read must fail and the connection end. Context: the loop's thread
bool wf_page_take_input(struct wf_page *page, int fd, const void *bytes, size_t len);

#ifdef __cplusplus
}
#endif
#endif
