// SPDX-License-Identifier: MIT
// See event_file.h.

#include "event_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "wallfly_server/store.h"

bool event_file_open(struct event_file *f, size_t size, struct wf_error *error) {
    *f = (struct event_file){.fd = -1, .size = size};
    f->buffer = malloc(size * EVENT_FILE_BUFFER);
    if (!f->buffer) {
        wf_error_code(error, WF_ERR_NOMEM);
        return false;
    }
    f->fd = temporary_open(error);
    return f->fd >= 0;
}

void event_file_close(struct event_file *f) {
    if (f->buffer && f->fd >= 0) close(f->fd);
    free(f->buffer);
    *f = (struct event_file){.fd = -1};
}

static unsigned char *in_buffer(const struct event_file *f, uint64_t index) {
    return index < f->written ? NULL : f->buffer + (index - f->written) * f->size;
}

bool event_file_add(struct event_file *f, const void *entry) {
    if (f->count - f->written == EVENT_FILE_BUFFER) {
        if (!temporary_write(f->fd, f->written * f->size, f->buffer, EVENT_FILE_BUFFER * f->size))
            return false;
        f->written = f->count;
    }
    memcpy(in_buffer(f, f->count++), entry, f->size);
    return true;
}

bool event_file_get(const struct event_file *f, uint64_t index, void *entry) {
    const unsigned char *held = in_buffer(f, index);
    if (held) memcpy(entry, held, f->size);
    if (held) return true;
    ssize_t n;
    do {
        n = pread(f->fd, entry, f->size, (off_t)(index * f->size));
    } while (n < 0 && errno == EINTR);
    return n == (ssize_t)f->size;
}

bool event_file_set(struct event_file *f, uint64_t index, const void *entry) {
    unsigned char *held = in_buffer(f, index);
    if (held) memcpy(held, entry, f->size);
    return held || temporary_write(f->fd, index * f->size, entry, f->size);
}
