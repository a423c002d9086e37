// SPDX-License-Identifier: MIT
// Transport to a listening host program over TCP, on a POSIX host.
#ifndef WF_TCP_H
#define WF_TCP_H

#include "wallfly/wf_transport.h"

struct wf_tcp {
    int fd;
};

extern const struct wf_transport wf_tcp_transport; // its ctx is a struct wf_tcp

// Connects to "HOST:PORT", "HOST" (port 6601) or "". Returns 0, or -1 with a reason in *why. If the
// recorder has a table of names (wf_names.h), all names are sent to the new reader. Call it again
// after the link is gone. Context: any thread.
int wf_tcp_open(struct wf_tcp *t, const char *address, const char **why);

#endif
