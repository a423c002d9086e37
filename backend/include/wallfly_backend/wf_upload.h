// SPDX-License-Identifier: MIT
// An HTTP server that takes uploads: the bodies of POST requests, which the caller answers at once
// or later. It does not read what is in them. libwebsockets implements the protocol; TLS is for a
// server in front of it.
//
//   u = wf_upload_open(&options, &error)
//   again and again: wf_upload_step(u, timeout_ms, -1)    // calls options.head, options.body
//   for each body: wf_upload_answer(request, &answer)
//
// All functions of one server are for one thread.
#ifndef WF_UPLOAD_H
#define WF_UPLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wallfly_host/wf_error.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wf_upload;

enum {
    WF_UPLOAD_PATH_MAX = 255,
    WF_UPLOAD_TOKEN_MAX = 255,
    WF_UPLOAD_TYPE_MAX = 63,
    WF_UPLOAD_TEXT_MAX = 200,
    WF_UPLOAD_HEADER_MAX = 63,       // characters of a header's name, and of its value
    WF_UPLOAD_CONNECTIONS_MAX = 512, // further ones are closed
    WF_UPLOAD_AT_PATH_MAX = 4,       // bodies of one path at a time; others are answered with 429
    WF_UPLOAD_HELD_AT_PATH_MAX = 16 << 20, // ... bytes of them
    WF_UPLOAD_HELD_MAX = 64 << 20          // ... of all bodies; others are answered with 503
};

// Valid until it is answered.
struct wf_upload_request {
    char path[WF_UPLOAD_PATH_MAX + 1];   // without what follows a question mark
    char token[WF_UPLOAD_TOKEN_MAX + 1]; // of `Authorization: Bearer`; "": none
    char type[WF_UPLOAD_TYPE_MAX + 1];   // of Content-Type, without parameters; "": none, or longer
    uint8_t *body;                       // null in options.head
    size_t len;                          // of the body
};

struct wf_upload_answer {
    unsigned status;        // 200, 409 ...
    unsigned retry_after_s; // 0: the header is not sent
    const char *text;       // for people, without end of line; null: `bytes` are the answer
    const uint8_t *bytes;
    size_t len;                        // at most WF_UPLOAD_TEXT_MAX
    const char *header, *header_value; // one more header, of printable ASCII; null: none
};

struct wf_upload_options {
    size_t size;        // sizeof(struct wf_upload_options)
    const char *listen; // [HOST:]PORT; without a host the loopback; 0: a free port
    size_t most;        // bytes of a body, at most 16 MiB; over it: 413
    // A request's header was received. May answer it: its body is dropped then.
    void (*head)(void *ctx, struct wf_upload_request *request);
    // Its body was received. It is answered from here, or later from the same thread.
    void (*body)(void *ctx, struct wf_upload_request *request);
    void *ctx;
    // ms for a header, and for a body besides as long for each 480 KiB: then the connection is
    // closed, however steadily a few bytes come. 0: 30 s. One that is refused by its header is
    // answered after 5 s at most, and closed, if its body has not passed then.
    unsigned patience_ms;
    // Longer bodies together have half of the room of all at most; 0: there is no difference.
    size_t usual;
};

// Starts listening.
//   returns  null with `error`: WF_ERR_USAGE (no address), WF_ERR_LINK (the port is in use), NOMEM
struct wf_upload *wf_upload_open(const struct wf_upload_options *options, struct wf_error *error);
// Closes all connections; requests that were not answered are freed.
void wf_upload_close(struct wf_upload *u);
const char *wf_upload_url(const struct wf_upload *u); // http://127.0.0.1:8080
// Waits for requests up to a time, and handles them.
//   fd  also ends the wait when it can be read; -1: none
void wf_upload_step(struct wf_upload *u, unsigned timeout_ms, int fd);
// Answers a request, and frees it: also one whose client is gone.
void wf_upload_answer(struct wf_upload_request *request, const struct wf_upload_answer *answer);

#ifdef __cplusplus
}
#endif
#endif
