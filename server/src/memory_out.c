// SPDX-License-Identifier: MIT
// See memory.h.

#include "wallfly_server/memory.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static atomic_bool out;
static void (*on_failure)(void);

void memory_on_failure(void (*report)(void)) { on_failure = report; }

void memory_is_out(void) {
    int was = errno;
    if (!atomic_exchange(&out, true) && on_failure) on_failure();
    errno = was;
}

bool memory_was_out(void) { return atomic_load(&out); }

struct memory {
    char **text;
    size_t *len, cap;
};

static ssize_t write_bytes(void *cookie, const char *bytes, size_t len) {
    struct memory *m = cookie;
    if (m->cap - *m->len <= len) {
        size_t cap = 2 * m->cap + len;
        char *more = realloc(*m->text, cap);
        if (!more) return 0;
        *m->text = more;
        m->cap = cap;
    }
    memcpy(*m->text + *m->len, bytes, len);
    *m->len += len;
    (*m->text)[*m->len] = 0;
    return (ssize_t)len;
}

// For ftell() and rewind(): the bytes after the new position are dropped.
static int seek_to(void *cookie, off64_t *offset, int whence) {
    struct memory *m = cookie;
    off64_t to = *offset + (whence == SEEK_SET ? 0 : (off64_t)*m->len);
    if (to < 0 || to > (off64_t)*m->len) return -1;
    *m->len = (size_t)to;
    *offset = to;
    return 0;
}

static int free_cookie(void *cookie) {
    free(cookie);
    return 0;
}

FILE *memory_stream(char **text, size_t *len) {
    enum { FIRST = 256 };
    static const cookie_io_functions_t functions = {
        .write = write_bytes, .seek = seek_to, .close = free_cookie};
    struct memory *m = calloc(1, sizeof *m);
    *len = 0;
    *text = calloc(1, FIRST);
    FILE *stream = m && *text ? fopencookie(m, "w", functions) : NULL;
    if (stream) {
        *m = (struct memory){text, len, FIRST};
        return stream;
    }
    memory_is_out();
    free(m);
    free(*text);
    *text = NULL;
    return NULL;
}

bool memory_close(FILE *stream) {
    bool good = !ferror(stream);
    good &= fclose(stream) == 0;
    if (!good) memory_is_out();
    return good;
}
