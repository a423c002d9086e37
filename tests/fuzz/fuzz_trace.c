// SPDX-License-Identifier: MIT
// Any input on the lanes of a trace: pieces of any length on any lane, connections that end, whole
// inputs, images. The first byte has the options; each piece begins with its action and its length.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz_sinks.h"
#include "wallfly_host/wf_trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LANES = 3, RELINK, END, READ, IMAGE, FILE_PIECE, ACTIONS };

static volatile unsigned checks; // so that the bytes of chunks are read

static void drain(struct wf_trace *t, struct wf_writer *writers[LANES]) {
    struct wf_item item;
    while (wf_trace_next(t, &item)) {
        bool shown = item.kind != WF_ITEM_SLOT && item.kind != WF_ITEM_CHUNK;
        if (item.kind == WF_ITEM_CHUNK) checks += item.chunk->len && item.chunk->bytes[0];
        unsigned lane = shown ? wf_lane_number(item.lane) : LANES;
        if (lane < LANES) wf_writer_item(writers[lane], &item); // a recording may have more
    }
}

// Returns false after an action that ends the trace.
static bool act(struct wf_trace *t, struct wf_writer *writers[LANES], unsigned action,
                struct wf_merge_span *piece) {
    const struct wf_merge_source source = {piece, wf_merge_span_at};
    struct wf_error error;
    unsigned lane = action / ACTIONS % LANES;
    bool goes_on = true;
    switch (action % ACTIONS) {
    case RELINK: wf_trace_relink(t, lane); break;
    case END: wf_trace_end_lane(t, lane); break;
    case READ:
        (void)wf_trace_read(t, lane, &source, &error);
        goes_on = false;
        break;
    case IMAGE:
        (void)wf_trace_read_image(t, lane, piece->bytes, piece->len, NULL, 0, &error);
        goes_on = false;
        break;
    case FILE_PIECE: (void)wf_trace_feed_file(t, piece->bytes, piece->len); break;
    default: (void)wf_trace_feed(t, lane, piece->bytes, piece->len); break;
    }
    drain(t, writers);
    return goes_on;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2) return 0;
    const struct wf_trace_options options = {.size = sizeof options,
                                             .format = (enum wf_lane_format)(data[0] % 4),
                                             .as_stored = data[0] & 4,
                                             .raw_slots = data[0] & 8,
                                             .chunk_bytes = data[0] & 16 ? 1 + data[0] : 0};
    const struct wf_writer_options how = {.size = sizeof how, .part = drop_part, .row = drop_row};
    struct wf_writer *writers[LANES];
    struct wf_error error;
    struct wf_trace *t = wf_trace_open(&options, &error);
    for (unsigned i = 0; i < LANES; ++i) {
        struct wf_session *s = wf_lane_session(wf_trace_lane(t, i, &error));
        writers[i] = wf_writer_open(wf_format_find("jsonl"), s, &how, drop, NULL, NULL);
    }
    bool goes_on = true;
    for (++data, --size; size > 3 && goes_on;) {
        unsigned action = data[0];
        struct wf_merge_span piece = {data + 3, data[1] | (size_t)data[2] << 8};
        if (piece.len > size - 3) piece.len = size - 3;
        uint8_t *copy = malloc(piece.len ? piece.len : 1);
        memcpy(copy, piece.bytes, piece.len);
        data += 3 + piece.len;
        size -= 3 + piece.len;
        piece.bytes = copy;
        goes_on = act(t, writers, action, &piece);
        free(copy);
    }
    if (goes_on) {
        wf_trace_end(t);
        drain(t, writers);
    }
    for (unsigned i = 0; i < LANES; ++i) {
        const struct wf_ledger *l = wf_session_ledger(wf_lane_session(wf_trace_lane(t, i, &error)));
        if (goes_on && l->bytes != l->bytes_good + l->bytes_idle + l->bytes_bad + l->bytes_repeated)
            abort();
        (void)wf_writer_close(writers[i]);
    }
    const struct wf_verdict *v = wf_trace_verdict(t);
    if ((v->kind == WF_VERDICT_GOOD) != !v->text[0] || v->lossy != (v->loss[0] != 0)) abort();
    wf_trace_close(t);
    return 0;
}
