// SPDX-License-Identifier: MIT
// Reads the entries of a spool, file after file.

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "wfb_spool.h"

enum { READ = 256 << 10, CAP = READ + WFB_SPOOL_ENTRY_MAX };

struct wf_spool_reader {
    char *folder;
    int fd;        // -1: none
    uint64_t file; // position of its first byte
    uint64_t next; // ... of the next entry
    uint64_t skipped;
    int err;
    uint8_t *bytes; // of the file from `next` on
    size_t at, len;
};

struct wf_spool_reader *wf_spool_reader_open(const char *folder, uint64_t position,
                                             struct wf_error *error) {
    struct wf_spool_reader *r = calloc(1, sizeof *r);
    if (r) {
        r->fd = -1;
        r->next = position;
        r->folder = strdup(folder);
        r->bytes = malloc(CAP);
    }
    if (r && r->folder && r->bytes) {
        if (access(folder, R_OK | X_OK) == 0) return r;
        wf_error_set(error, WF_ERR_READ, "%s: %s", folder, strerror(errno));
    } else {
        wf_error_code(error, WF_ERR_NOMEM);
    }
    wf_spool_reader_close(r);
    return NULL;
}

void wf_spool_reader_close(struct wf_spool_reader *r) {
    if (!r) return;
    if (r->fd >= 0) close(r->fd);
    free(r->folder);
    free(r->bytes);
    free(r);
}

uint64_t wf_spool_skipped(const struct wf_spool_reader *r) { return r->skipped; }
int wf_spool_reader_error(const struct wf_spool_reader *r) { return r->err; }

// ---- files

static void skip_to(struct wf_spool_reader *r, uint64_t position) {
    r->skipped += position - r->next;
    r->next = position;
    r->at = r->len = 0;
    if (r->fd >= 0) close(r->fd);
    r->fd = -1;
}

// Opens the file with the next entry, or if there is none the next file. Returns false if there is
// no such file before `end`.
static bool open_next(struct wf_spool_reader *r, uint64_t end) {
    char path[WFB_SPOOL_PATH];
    uint64_t *files;
    size_t count, i = 0;
    r->err = wfb_spool_list(r->folder, &files, &count);
    if (r->err == WF_ERR_READ) r->err = WF_OK; // as an empty folder
    if (r->err != WF_OK || !count) return false;
    while (i + 1 < count && files[i + 1] <= r->next) ++i;
    if (files[i] > r->next && files[i] < end) skip_to(r, files[i]);
    const uint64_t file = files[i];
    free(files);
    if (file > r->next) return false;
    wfb_spool_name(r->folder, file, path);
    if (r->fd >= 0) close(r->fd);
    r->fd = open(path, O_RDONLY | O_CLOEXEC);
    r->file = file;
    r->at = r->len = 0;
    return r->fd >= 0;
}

// The begin of the next file that has entries before `end`, or `end`.
static uint64_t next_file(struct wf_spool_reader *r, uint64_t end) {
    uint64_t *files, found = end;
    size_t count;
    if (wfb_spool_list(r->folder, &files, &count) != WF_OK) return end;
    for (size_t i = count; i-- > 0;)
        if (files[i] > r->file && files[i] < found) found = files[i];
    free(files);
    return found;
}

// ---- entries

// Gets more bytes of the file. Returns false at its end. What is behind `end` is not safe: it may
// be cut off when it cannot be written whole, and something else may come there.
static bool fill(struct wf_spool_reader *r, uint64_t end) {
    const size_t had = r->len - r->at, room = CAP - had;
    const uint64_t safe = end - r->next > had ? end - r->next - had : 0;
    memmove(r->bytes, r->bytes + r->at, had);
    r->len = had;
    r->at = 0;
    ssize_t n;
    do {
        n = pread(r->fd, r->bytes + r->len, safe < room ? (size_t)safe : room,
                  (off_t)(r->next - r->file + r->len));
    } while (n < 0 && errno == EINTR);
    if (n > 0) r->len += (size_t)n;
    return n > 0;
}

static size_t take(struct wf_spool_reader *r, uint64_t end, struct wf_spool_entry *entry) {
    for (;;) {
        size_t n = wfb_spool_take(r->bytes + r->at, r->len - r->at, entry);
        if (n || !fill(r, end)) return n;
    }
}

bool wf_spool_next(struct wf_spool_reader *r, uint64_t end, struct wf_spool_entry *entry) {
    while (r->next < end) {
        if (r->fd < 0 && !open_next(r, end)) return false;
        const size_t len = take(r, end, entry);
        if (len && len != SIZE_MAX) {
            entry->position = r->next;
            entry->next = r->next += len;
            r->at += len;
            return true;
        }
        // The end of the file, or damage: the next one begins with an entry.
        const uint64_t begin = next_file(r, end);
        if (begin == r->next && r->fd >= 0) {
            close(r->fd);
            r->fd = -1;
        } else {
            skip_to(r, begin);
        }
    }
    return false;
}
