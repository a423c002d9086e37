// SPDX-License-Identifier: MIT
// Recordings with any contents. The first byte is the size of the pieces. Most damage ends at
// Zstandard's checksum, so block contents are also tested directly: a seed that begins with 0 is
// the contents of a block, and a block is made of it here.

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "wallfly_host/wf_recording.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_chunks(struct wf_recording *r, struct wf_session *s) {
    struct wf_chunk c;
    struct wf_item item;
    volatile uint8_t sum = 0;
    while (wf_recording_next(r, &c)) {
        if (c.lane >= WF_RECORDING_LANES) abort();
        for (size_t i = 0; i < c.len; ++i) sum = (uint8_t)(sum + c.bytes[i]);
        wf_recording_apply(s, &c);
        while (wf_session_next(s, &item)) {
        }
    }
}

// amid: reads the data as a later part of a file.
static void read_all(const uint8_t *data, size_t size, size_t piece, bool amid) {
    struct wf_session_options options = {.size = sizeof options, .dialect = WF_DIALECT_WALLFLY};
    struct wf_session *s = wf_session_open(&options, NULL);
    struct wf_recording *r = wf_recording_open();
    if (!s || !r) abort();
    if (amid) wf_recording_go_on(r, size);
    for (size_t at = 0; at < size; at += piece) {
        if (!wf_recording_feed(r, data + at, size - at < piece ? size - at : piece)) abort();
        read_chunks(r, s);
    }
    wf_recording_end(r);
    read_chunks(r, s);
    wf_recording_close(r);
    wf_session_close(s);
}

static void read_block(const uint8_t *data, size_t size) {
    size_t cap = ZSTD_compressBound(size);
    uint8_t *packed = malloc(cap);
    ZSTD_CCtx *zstd = ZSTD_createCCtx();
    if (!packed || !zstd) abort();
    ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1);
    size_t len = ZSTD_compress2(zstd, packed, cap, data, size);
    if (ZSTD_isError(len)) abort();
    read_all(packed, len, len, false);
    read_all(packed, len, len, true);
    ZSTD_freeCCtx(zstd);
    free(packed);
}

static void read_index(const uint8_t *data, size_t size) {
    static struct wf_index_entry entry;
    struct wf_trailer trailer;
    size_t at = 0;
    while (wf_index_next(data, size, &at, &entry) > 0) {
        if (at > size) abort();
    }
    if (size >= WF_TRAILER_LEN) wf_trailer_read(data + size - WF_TRAILER_LEN, &trailer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2) return 0;
    if (data[0] == 0) {
        read_block(data + 1, size - 1);
        return 0;
    }
    read_all(data + 1, size - 1, data[0], false);
    read_all(data + 1, size - 1, data[0], true);
    read_index(data + 1, size - 1);
    return 0;
}
