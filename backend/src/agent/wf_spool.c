// SPDX-License-Identifier: MIT
// Chunks are collected in memory and written at once, so that one sync is for many.

#include "wallfly_backend/wf_spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "wfb_options.h"
#include "wfb_spool.h"

enum { READ = 1 << 20 };
static const uint64_t usual_file = 64 << 20;

struct wf_spool {
    struct wf_spool_options o;
    char *folder;
    int lock, fd;             // fd: of the last file
    uint64_t begin;           // position of the oldest file
    uint64_t file;            // ... of the last one
    atomic_uint_fast64_t end; // ... behind the last entry that is safe
    uint64_t others;          // bytes of other files
    uint8_t *batch;
    size_t len, cap;
};

static int fail(const struct wf_spool *s, struct wf_error *error) {
    return wf_error_set(error, WF_ERR_WRITE, "%s: %s", s->folder, strerror(errno));
}

uint64_t wf_spool_end(const struct wf_spool *s) { return atomic_load(&s->end); }
uint64_t wf_spool_begin(const struct wf_spool *s) { return s->begin; }

// ---- files

static int sync_folder(const struct wf_spool *s, struct wf_error *error) {
    int fd = open(s->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool good = fd >= 0 && fsync(fd) == 0;
    int err = good ? WF_OK : fail(s, error);
    if (fd >= 0) close(fd);
    return err;
}

// Opens the file that begins at a position, or makes it.
static int open_file(struct wf_spool *s, uint64_t position, struct wf_error *error) {
    char path[WFB_SPOOL_PATH];
    wfb_spool_name(s->folder, position, path);
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0) return fail(s, error);
    if (s->fd >= 0) close(s->fd);
    s->fd = fd;
    s->file = position;
    return sync_folder(s, error);
}

// Finds the end of the last whole entry of the last file, and cuts off what is behind it.
static int find_end(struct wf_spool *s, struct wf_error *error) {
    const size_t cap = READ + WFB_SPOOL_ENTRY_MAX;
    uint8_t *bytes = malloc(cap);
    uint64_t good = 0; // bytes of the file
    size_t len = 0;
    ssize_t n = bytes ? 1 : -1;
    while (n > 0) {
        struct wf_spool_entry entry;
        n = pread(s->fd, bytes + len, cap - len, (off_t)(good + len));
        if (n < 0) break;
        len += (size_t)n;
        size_t at = 0, one;
        while ((one = wfb_spool_take(bytes + at, len - at, &entry)) != 0 && one != SIZE_MAX)
            at += one;
        memmove(bytes, bytes + at, len - at);
        len -= at;
        good += at;
        if (one == SIZE_MAX) break;
    }
    free(bytes);
    if (!bytes) return wf_error_code(error, WF_ERR_NOMEM);
    if (n < 0 || ftruncate(s->fd, (off_t)good) != 0 || lseek(s->fd, (off_t)good, SEEK_SET) < 0)
        return fail(s, error);
    atomic_store(&s->end, s->file + good);
    return WF_OK;
}

static int open_last(struct wf_spool *s, struct wf_error *error) {
    uint64_t *files;
    size_t count;
    int err = wfb_spool_list(s->folder, &files, &count);
    if (err == WF_ERR_READ) return fail(s, error);
    if (err != WF_OK) return wf_error_code(error, err);
    s->begin = count ? files[0] : 0;
    err = open_file(s, count ? files[count - 1] : 0, error);
    free(files);
    return err == WF_OK ? find_end(s, error) : err;
}

// ---- opening

static int lock_folder(struct wf_spool *s, struct wf_error *error) {
    char path[WFB_SPOOL_PATH];
    if (mkdir(s->folder, 0700) != 0 && errno != EEXIST) return fail(s, error);
    snprintf(path, sizeof path, "%s/lock", s->folder);
    s->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (s->lock < 0) return fail(s, error);
    if (flock(s->lock, LOCK_EX | LOCK_NB) == 0) return WF_OK;
    if (errno != EWOULDBLOCK) return fail(s, error);
    return wf_error_set(error, WF_ERR_USAGE, "%s: another agent has this spool", s->folder);
}

static int open_spool(struct wf_spool *s, const struct wf_spool_options *options,
                      struct wf_error *error) {
    int err = wfb_copy_options(&s->o, sizeof s->o, options, error);
    if (err != WF_OK) return err;
    if (!s->o.file_bytes) s->o.file_bytes = usual_file;
    if (strlen(s->o.folder) > WFB_SPOOL_PATH - 64)
        return wf_error_set(error, WF_ERR_USAGE, "the name of the spool's folder is too long");
    s->folder = strdup(s->o.folder);
    if (!s->folder) return wf_error_code(error, WF_ERR_NOMEM);
    err = lock_folder(s, error);
    return err == WF_OK ? open_last(s, error) : err;
}

struct wf_spool *wf_spool_open(const struct wf_spool_options *options, struct wf_error *error) {
    struct wf_error own;
    struct wf_spool *s = calloc(1, sizeof *s);
    if (!error) error = &own;
    if (!s) {
        wf_error_code(error, WF_ERR_NOMEM);
        return NULL;
    }
    s->lock = s->fd = -1;
    if (open_spool(s, options, error) == WF_OK) return s;
    wf_spool_close(s);
    return NULL;
}

void wf_spool_close(struct wf_spool *s) {
    if (!s) return;
    if (s->fd >= 0) close(s->fd);
    if (s->lock >= 0) close(s->lock);
    free(s->folder);
    free(s->batch);
    free(s);
}

// ---- writing

void wf_spool_set_others(struct wf_spool *s, uint64_t bytes) { s->others = bytes; }

bool wf_spool_has_room(const struct wf_spool *s, uint64_t bytes) {
    const uint64_t used = wf_spool_end(s) - s->begin + s->len + s->others;
    return !s->o.most_bytes || used + bytes <= s->o.most_bytes;
}

static bool make_room(struct wf_spool *s, size_t len) {
    if (s->cap - s->len >= len) return true;
    const size_t cap = 2 * s->cap > s->len + len ? 2 * s->cap : s->len + len;
    uint8_t *more = realloc(s->batch, cap);
    if (!more) return false;
    s->batch = more;
    s->cap = cap;
    return true;
}

int wf_spool_put(struct wf_spool *s, const char *device, const struct wf_fleet_chunk *chunk) {
    const size_t name = strlen(device);
    const size_t most = WFB_SPOOL_HEAD + name + WF_FLEET_CHUNK_FRAME + chunk->len;
    if (!wf_spool_has_room(s, most)) return WF_ERR_TOO_MANY;
    if (!make_room(s, most)) return WF_ERR_NOMEM;
    uint8_t *p = s->batch + s->len;
    memcpy(p + WFB_SPOOL_HEAD, device, name);
    const size_t rest = 1 + name + wf_fleet_chunk_write(chunk, p + WFB_SPOOL_HEAD + name);
    for (unsigned i = 0; i < 4; ++i) p[i] = (uint8_t)(rest >> 8 * i);
    p[4] = (uint8_t)name;
    s->len += 4 + rest;
    return WF_OK;
}

static bool write_all(int fd, const uint8_t *bytes, size_t len) {
    while (len) {
        ssize_t n = write(fd, bytes, len);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        bytes += n;
        len -= (size_t)n;
    }
    return true;
}

// After an error the file ends with what is safe, as if nothing had been written.
static int give_up(struct wf_spool *s, struct wf_error *error) {
    const off_t safe = (off_t)(wf_spool_end(s) - s->file);
    int err = fail(s, error);
    if (ftruncate(s->fd, safe) != 0) (void)fail(s, error);
    (void)lseek(s->fd, safe, SEEK_SET);
    return err;
}

int wf_spool_sync(struct wf_spool *s, struct wf_error *error) {
    struct wf_error own;
    const size_t len = s->len;
    const uint64_t end = wf_spool_end(s);
    if (!error) error = &own;
    s->len = 0;
    if (!len) return wf_error_code(error, WF_OK);
    if (end - s->file >= s->o.file_bytes && open_file(s, end, error) != WF_OK) return error->code;
    if (!write_all(s->fd, s->batch, len) || fdatasync(s->fd) != 0) return give_up(s, error);
    atomic_store(&s->end, end + len);
    return wf_error_code(error, WF_OK);
}

void wf_spool_drop(struct wf_spool *s, uint64_t position) {
    uint64_t *files;
    size_t count;
    char path[WFB_SPOOL_PATH];
    if (position < s->begin || wfb_spool_list(s->folder, &files, &count) != WF_OK) return;
    for (size_t i = 0; i + 1 < count && files[i + 1] <= position; ++i) {
        wfb_spool_name(s->folder, files[i], path);
        if (unlink(path) != 0) break;
        s->begin = files[i + 1];
    }
    free(files);
}
