// SPDX-License-Identifier: MIT
// Transport into a file or standard output, on a POSIX host.
#ifndef WF_FILE_H
#define WF_FILE_H

#include "wallfly/wf_transport.h"

struct wf_file {
    int fd;
};

extern const struct wf_transport wf_file_transport; // its ctx is a struct wf_file

// name: a path, or "-" for standard output. Returns 0, or -1 with errno set.
int wf_file_open(struct wf_file *f, const char *name);

#endif
