// SPDX-License-Identifier: MIT
// See wf_input.h. Files are mapped because a core may be larger than the memory, and little of it
// is read twice.

#include "wallfly_backend/wf_input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STEP = 65536 };

// The bytes read from a pipe, by the name of the pipe. A second reader of a pipe would get nothing.
struct kept {
    struct kept *next;
    char *name;
    uint8_t *bytes;
    size_t len;
};
static struct kept *all_kept;

static int set_error(const char *name, const char *what, struct wf_error *error) {
    return wf_error_set(error, WF_ERR_READ, "%.160s: %s", name, what);
}

static int set_no_memory(const char *name, struct wf_error *error) {
    return wf_error_set(error, WF_ERR_NOMEM, "%.160s: %s", name, wf_err_text(WF_ERR_NOMEM));
}

// Waits for bytes or the end. The writer of a FIFO may be late, or never write.
static int wait_for_bytes(int fd, const char *name, struct wf_error *error) {
    struct pollfd p = {.fd = fd, .events = POLLIN};
    int n;
    do n = poll(&p, 1, WF_INPUT_WAIT_MS);
    while (n < 0 && errno == EINTR);
    if (n > 0) return WF_OK;
    if (n < 0) return set_error(name, strerror(errno), error);
    return wf_error_set(error, WF_ERR_READ, "%.160s: no data for %d s; is its writer running?",
                        name, WF_INPUT_WAIT_MS / 1000);
}

static int grow_pipe(struct kept *k, size_t *cap, const char *name, struct wf_error *error) {
    if (*cap - k->len >= STEP) return WF_OK;
    uint8_t *more = realloc(k->bytes, *cap = 2 * *cap + STEP);
    if (!more) return set_no_memory(name, error);
    k->bytes = more;
    return WF_OK;
}

static int read_pipe(int fd, struct kept *k, const char *name, struct wf_error *error) {
    size_t cap = 0;
    for (ssize_t n = 1; n != 0;) {
        int err = grow_pipe(k, &cap, name, error);
        if (err == WF_OK) err = wait_for_bytes(fd, name, error);
        if (err != WF_OK) return err;
        n = read(fd, k->bytes + k->len, STEP);
        if (n < 0 && errno != EINTR && errno != EAGAIN)
            return set_error(name, strerror(errno), error);
        if (n > 0) k->len += (size_t)n;
        if (k->len > WF_INPUT_PIPE_MAX)
            return wf_error_set(error, WF_ERR_READ,
                                "%.160s: longer than %d MiB; only a regular file may be larger",
                                name, WF_INPUT_PIPE_MAX >> 20);
    }
    return WF_OK;
}

static void free_kept(struct kept *k) {
    free(k->name);
    free(k->bytes);
    free(k);
}

static int keep_pipe(int fd, const char *name, struct wf_input *input, struct wf_error *error) {
    struct kept *k = calloc(1, sizeof *k);
    if (k) k->name = strdup(name);
    int err = k && k->name ? read_pipe(fd, k, name, error) : set_no_memory(name, error);
    if (err != WF_OK) {
        if (k) free_kept(k);
        return err;
    }
    k->next = all_kept;
    all_kept = k;
    *input = (struct wf_input){.bytes = k->bytes, .len = k->len};
    return WF_OK;
}

static int map_file(int fd, const struct stat *st, const char *name, struct wf_input *input,
                    struct wf_error *error) {
    if (st->st_size == 0) return WF_OK;
    void *bytes = mmap(NULL, (size_t)st->st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (bytes == MAP_FAILED) return set_error(name, strerror(errno), error);
    *input = (struct wf_input){.bytes = bytes, .len = (size_t)st->st_size, .mapped = bytes};
    return WF_OK;
}

static int open_input(int fd, const char *name, struct wf_input *input, struct wf_error *error) {
    struct stat st;
    if (fstat(fd, &st) != 0) return set_error(name, strerror(errno), error);
    if (S_ISDIR(st.st_mode)) return set_error(name, "is a directory, not a file", error);
    return S_ISREG(st.st_mode) ? map_file(fd, &st, name, input, error)
                               : keep_pipe(fd, name, input, error);
}

int wf_input_open(const char *name, struct wf_input *input, struct wf_error *error) {
    *input = (struct wf_input){.bytes = NULL};
    for (const struct kept *k = all_kept; k; k = k->next) {
        if (strcmp(k->name, name) != 0) continue;
        *input = (struct wf_input){.bytes = k->bytes, .len = k->len};
        return WF_OK;
    }
    // Opening a FIFO would wait for its writer.
    int fd = open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return set_error(name, strerror(errno), error);
    int err = open_input(fd, name, input, error);
    close(fd);
    return err;
}

void wf_input_close(struct wf_input *input) {
    if (input->mapped) munmap(input->mapped, input->len);
    *input = (struct wf_input){.bytes = NULL};
}
