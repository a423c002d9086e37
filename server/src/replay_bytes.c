// SPDX-License-Identifier: MIT
// Reads three kinds of sources as chunks, as of a recording. In the recording's block that contains
// the first byte, the bytes before it are skipped.

#include "replay_bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "wallfly_server/store.h"

// ---- kept bytes of a live source

bool spool_open(struct spool *s, uint64_t limit, struct wf_error *error) {
    s->limit = limit;
    s->fd = temporary_open(error);
    return s->fd >= 0;
}

void spool_close(struct spool *s) {
    if (s->fd >= 0) close(s->fd);
    if (s->failed >= 0) close(s->failed);
    free(s->links);
    *s = (struct spool){.fd = -1, .failed = -1};
}

static void report_failure(const struct spool *s) {
    char text[256];
    snprintf(text, sizeof text,
             "received bytes cannot be kept for the page: %s; records cannot be shown",
             strerror(errno));
    if (s->warn) s->warn(s->ctx, text);
}

bool spool_put(struct spool *s, uv_mutex_t *lock, const uint8_t *bytes, size_t len) {
    while (len && s->fd >= 0) {
        uint64_t at = s->len % s->limit, room = s->limit - at;
        size_t n = len < room ? len : (size_t)room;
        uv_mutex_lock(lock);
        s->reach = s->len + n;
        uv_mutex_unlock(lock);
        bool good = temporary_write(s->fd, at, bytes, n);
        uv_mutex_lock(lock);
        if (!good) { // closed later, as another thread may read it
            s->failed = s->fd;
            s->fd = -1;
        }
        s->len += n;
        uv_mutex_unlock(lock);
        if (!good) report_failure(s);
        bytes += n;
        len -= n;
    }
    return s->fd >= 0;
}

bool spool_copy(const struct spool *s, struct spool *copy) {
    *copy = *s;
    copy->links = malloc((s->link_count + 1) * sizeof *copy->links);
    if (copy->links && s->link_count)
        memcpy(copy->links, s->links, s->link_count * sizeof *copy->links);
    return copy->links != NULL;
}

uint64_t spool_written_over(const struct spool *s) {
    if (s->fd < 0) return s->reach;
    return s->reach > s->limit ? s->reach - s->limit : 0;
}

// Drops links whose bytes are no longer kept.
static void drop_links(struct spool *s) {
    size_t gone = 0;
    while (gone < s->link_count && s->links[gone] < spool_gone(s)) ++gone;
    s->link_count -= gone;
    if (gone) memmove(s->links, s->links + gone, s->link_count * sizeof *s->links);
}

void spool_relink(struct spool *s) {
    drop_links(s);
    if (s->link_count == s->link_cap) {
        size_t cap = s->link_cap ? 2 * s->link_cap : 16;
        uint64_t *links = realloc(s->links, cap * sizeof *links);
        if (!links) return;
        s->links = links;
        s->link_cap = cap;
    }
    s->links[s->link_count++] = s->len;
}

uint64_t spool_gone(const struct spool *s) {
    if (s->fd < 0) return s->len;
    return s->len > s->limit ? s->len - s->limit : 0;
}

// ---- reading

static int set_error(const char *what, struct wf_error *error) {
    return wf_error_set(error, WF_ERR_READ, "%.180s: %s", what, strerror(errno));
}

static bool is_recording(int fd) {
    uint8_t head[WF_RECORDING_MAGIC_LEN];
    return pread(fd, head, sizeof head, 0) == (ssize_t)sizeof head &&
           wf_recording_is(head, sizeof head);
}

static int open_file(struct bytes *b, const char *file, uint64_t block_at, struct wf_error *error) {
    b->fd = open(file, O_RDONLY | O_CLOEXEC);
    if (b->fd < 0) return set_error(file, error);
    if (!is_recording(b->fd)) return WF_OK;
    b->recording = wf_recording_open();
    b->at = block_at;
    if (!b->recording) return wf_error_code(error, WF_ERR_NOMEM);
    if (block_at) wf_recording_go_on(b->recording, block_at);
    return WF_OK;
}

struct bytes *bytes_open(const struct spool *spool, const char *file, unsigned lane,
                         uint64_t offset, uint64_t block_at, struct wf_error *error) {
    struct bytes *b = malloc(sizeof *b);
    if (!b) {
        wf_error_code(error, WF_ERR_NOMEM);
        return NULL;
    }
    memset(b, 0, offsetof(struct bytes, block));
    b->spool = spool;
    b->fd = -1;
    b->lane = lane;
    b->offset = offset;
    b->reached = offset == 0;
    if (!spool && open_file(b, file, block_at, error) != WF_OK) {
        bytes_close(b);
        return NULL;
    }
    while (spool && b->link < spool->link_count && spool->links[b->link] <= offset) ++b->link;
    return b;
}

void bytes_close(struct bytes *b) {
    if (!b) return;
    wf_recording_close(b->recording);
    if (b->fd >= 0) close(b->fd);
    free(b);
}

static int make_chunk(struct bytes *b, struct wf_chunk *chunk, ssize_t n, struct wf_error *error) {
    if (n < 0) return set_error("reading again", error);
    *chunk = (struct wf_chunk){.kind = WF_CHUNK_BYTES, .bytes = b->block, .len = (size_t)n};
    chunk->offset = b->offset;
    b->offset += (uint64_t)n;
    return n > 0;
}

// The ring may have been overwritten since the reading began.
static int next_kept(struct bytes *b, struct wf_chunk *chunk, struct wf_error *error) {
    const struct spool *s = b->spool;
    uint64_t at = b->offset % s->limit, len = sizeof b->block;
    while (b->link < s->link_count && s->links[b->link] < b->offset) ++b->link;
    if (b->link < s->link_count && s->links[b->link] == b->offset) {
        ++b->link;
        *chunk = (struct wf_chunk){.kind = WF_CHUNK_DOWN};
        return 1;
    }
    if (b->offset < spool_gone(s))
        return wf_error_set(error, WF_ERR_READ, "these records were overwritten by newer ones");
    if (len > s->limit - at) len = s->limit - at;
    if (len > s->len - b->offset) len = s->len - b->offset;
    if (b->link < s->link_count && len > s->links[b->link] - b->offset)
        len = s->links[b->link] - b->offset;
    return len ? make_chunk(b, chunk, pread(s->fd, b->block, (size_t)len, (off_t)at), error) : 0;
}

// Returns whether a chunk belongs to the requested part. Cuts the first one to its start.
static bool is_wanted(struct bytes *b, struct wf_chunk *chunk) {
    if (chunk->kind >= WF_CHUNK_DAMAGE || chunk->lane != b->lane) return false;
    if (b->reached) return true;
    if (chunk->kind != WF_CHUNK_BYTES || chunk->offset + chunk->len < b->offset) return false;
    b->reached = true;
    uint64_t before = b->offset > chunk->offset ? b->offset - chunk->offset : 0;
    chunk->bytes += before;
    chunk->len -= (size_t)before;
    chunk->offset += before;
    return chunk->len > 0;
}

static int next_recorded(struct bytes *b, struct wf_chunk *chunk, struct wf_error *error) {
    for (;;) {
        while (wf_recording_next(b->recording, chunk)) {
            if (is_wanted(b, chunk)) return 1;
        }
        if (b->ended) return 0;
        ssize_t n = pread(b->fd, b->block, sizeof b->block, (off_t)b->at);
        if (n < 0) return set_error("reading again", error);
        b->at += (uint64_t)n;
        b->ended = n == 0;
        if (b->ended)
            wf_recording_end(b->recording);
        else if (!wf_recording_feed(b->recording, b->block, (size_t)n))
            return wf_error_code(error, WF_ERR_NOMEM);
    }
}

int bytes_next(struct bytes *b, struct wf_chunk *chunk, struct wf_error *error) {
    if (b->spool) return next_kept(b, chunk, error);
    if (b->recording) return next_recorded(b, chunk, error);
    return make_chunk(b, chunk, pread(b->fd, b->block, sizeof b->block, (off_t)b->offset), error);
}
