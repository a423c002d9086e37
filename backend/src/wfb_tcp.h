// SPDX-License-Identifier: MIT
// A TCP client and what may be done to the bytes it receives first (wfb_rtt.c).
#ifndef WFB_TCP_H
#define WFB_TCP_H

#include "wfb_retry.h"

struct wfb_client {
    struct wf_link link;
    struct wf_peer peer;
    struct wfb_retry retry;
    struct sockaddr_storage address;
    char name[WFB_NAME_MAX]; // of the address
    uv_tcp_t tcp;
    uv_connect_t request;
    bool open, up, has_been; // the handle is; a target is; one was
    int error;               // why the last try failed
    // Null: the bytes are the target's. Else it is told of a connection and given the bytes, and
    // hands on what is left of them.
    const struct wfb_first *first;
};

struct wfb_first {
    void (*connected)(struct wfb_client *c);
    void (*bytes)(struct wfb_client *c, const uint8_t *bytes, size_t len);
    void (*ending)(struct wfb_client *c); // before the target is gone
};

int wfb_client_open(struct wfb_client *c, const char *address, char why[256]);
void wfb_client_close(struct wf_link *link);
int wfb_client_write(struct wf_peer *peer, const uint8_t *frame, size_t len);
void wfb_client_take(struct wfb_client *c, const uint8_t *bytes, size_t len);

// A peer that has died without a word is noticed within half a minute.
void wfb_keep_alive(uv_tcp_t *tcp);
// From now on within three seconds: somebody waits for its place.
void wfb_ask_alive(uv_tcp_t *tcp);

#endif
