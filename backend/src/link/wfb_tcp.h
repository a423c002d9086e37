// SPDX-License-Identifier: MIT
// A TCP client, with an optional filter for the first bytes it receives (wfb_rtt.c).
#ifndef WFB_TCP_H
#define WFB_TCP_H

#include "wfb_retry.h"

struct wfb_client {
    struct wf_link link;
    struct wf_peer peer;
    struct wfb_retry retry;
    struct sockaddr_storage address;
    char name[WFB_PEER_NAME_MAX]; // name of the address
    uv_tcp_t tcp;
    uv_connect_t request;
    bool open, up, has_been; // the handle is open; a target is connected; a target was connected
    int error;               // of the last try
    // Null: all bytes are the target's. Else these functions get the connection and the bytes, and
    // pass on the target's part.
    const struct wfb_first *first;
};

struct wfb_first {
    void (*connected)(struct wfb_client *c);
    void (*bytes)(struct wfb_client *c, const uint8_t *bytes, size_t len);
    void (*ending)(struct wfb_client *c); // before the target is disconnected
};

int wfb_client_open(struct wf_link *link, const char *address, struct wf_error *error);
void wfb_client_close(struct wf_link *link);
int wfb_client_write(struct wf_peer *peer, const uint8_t *frame, size_t len);
void wfb_client_hold(struct wf_peer *peer, bool hold);
void wfb_client_take(struct wfb_client *c, const uint8_t *bytes, size_t len);

// Detects a dead peer within half a minute.
void wfb_keep_alive(uv_tcp_t *tcp);
// Detects a dead peer within three seconds. For a peer whose place another target waits for.
void wfb_probe_alive(uv_tcp_t *tcp);

#endif
