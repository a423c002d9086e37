// SPDX-License-Identifier: MIT
// Internals of the server for uploads: wf_upload.c listens and runs the loop, wfb_upload_http.c has
// the requests.
#ifndef WFB_UPLOAD_H
#define WFB_UPLOAD_H

#include <libwebsockets.h>
#include <uv.h>

#include "wallfly_backend/wf_upload.h"

enum { WFB_UPLOAD_IDLE_S = 60 }; // for idle connections

// A request, from its header to the end of its response.
struct wfb_request {
    struct wf_upload_request public; // first
    struct wf_upload *upload;
    struct lws *wsi; // null: the client is gone
    size_t received; // of the body
    bool dropped;    // its body is not kept: it is answered already
    bool held;       // by the caller, who will answer it
    bool answered;
    bool whole; // the body was received
    bool last;  // the connection ends after the response
    unsigned status, retry_after_s;
    char header[WF_UPLOAD_HEADER_MAX + 2], value[WF_UPLOAD_HEADER_MAX + 1]; // header: with a colon
    bool binary;
    size_t answer_len;
    uint8_t answer[LWS_PRE + WF_UPLOAD_TEXT_MAX + 1];
    struct wfb_request *next, **at; // in the list of all
};

struct wf_upload {
    struct wf_upload_options o;
    char url[128];
    uv_loop_t loop;
    uv_poll_t listener;
    int fd;
    bool has_loop, has_listener;
    struct lws_context *context;
    struct lws_vhost *vhost;
    unsigned connections;
    size_t held;      // bytes of all bodies
    unsigned waiting; // requests that the caller will answer
    struct wfb_request *requests;
};

// Ends the connection when no whole header has come in time: of a new connection, or of one that
// has had its response.
void wfb_upload_await_header(struct lws *wsi, bool is_new);
int wfb_upload_http(struct lws *wsi, enum lws_callback_reasons reason, void *in, size_t len);
void wfb_request_free(struct wfb_request *r);

#endif
