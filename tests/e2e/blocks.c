// SPDX-License-Identifier: MIT
// Makes a recording with many small blocks, as from a slow link: BYTES of the file in each block.
//   blocks FILE BYTES >recording
#include <stdio.h>
#include <stdlib.h>

#include "wallfly_host/wf_recording.h"

static bool put(void *ctx, const char *bytes, size_t len) {
    return fwrite(bytes, 1, len, ctx) == len;
}

int main(int argc, char **argv) {
    const struct wf_recording_head head = {.start_ns = 1, .part = 1, .tool = "blocks"};
    static uint8_t bytes[1 << 20];
    FILE *f = argc == 3 ? fopen(argv[1], "rb") : NULL;
    size_t piece = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;
    struct wf_recording_writer *w = wf_recording_create(&head, put, stdout, NULL);
    if (!f || !w || piece == 0 || piece > sizeof bytes) return 2;
    struct wf_chunk up = {.kind = WF_CHUNK_UP, .bytes = (const uint8_t *)"target", .len = 6};
    wf_recording_put(w, &up);
    for (size_t n; (n = fread(bytes, 1, piece, f)) != 0;) {
        struct wf_chunk c = {.kind = WF_CHUNK_BYTES, .bytes = bytes, .len = n};
        if (wf_recording_put(w, &c) != WF_OK || wf_recording_flush(w) != WF_OK) return 1;
    }
    fclose(f);
    return wf_recording_finish(w) == WF_OK ? 0 : 1;
}
