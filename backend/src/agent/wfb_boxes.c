// SPDX-License-Identifier: MIT
#include "wfb_boxes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BOX_MAX = 16 << 20 };

struct box {
    uint64_t stream;
    uint64_t position; // of its first entry in the spool
    uint8_t *bytes;
    size_t len, cap;
    bool whole;
    time_t used;
};

static void close_box(struct wfb_stream *of) {
    struct box *box = of->client;
    if (box) free(box->bytes);
    free(box);
    of->client = NULL;
}

// Leaves out a box whose rest will not come.
static void cut_box(struct wfb_boxes *b, struct wfb_stream *of) {
    const struct box *box = of->client;
    char text[80];
    snprintf(text, sizeof text, "a black box is cut: its first %zu bytes came, and no more",
             box->len);
    b->refuse(b->ctx, of->device, box->stream, text);
    close_box(of);
}

static int append(struct box *box, const struct wf_fleet_chunk *c) {
    if (box->cap - box->len < c->len) {
        const size_t cap = 2 * box->cap + c->len;
        uint8_t *more = realloc(box->bytes, cap);
        if (!more) return WF_ERR_NOMEM;
        box->bytes = more;
        box->cap = cap;
    }
    memcpy(box->bytes + box->len, c->bytes, c->len);
    box->len += c->len;
    box->whole = !(c->flags & WF_FLEET_CHUNK_MORE);
    return WF_OK;
}

static int begin_box(struct wfb_stream *of, const struct wf_spool_entry *e) {
    struct box *box = of->client = calloc(1, sizeof *box);
    if (!box) return WF_ERR_NOMEM;
    box->stream = e->chunk.stream;
    box->position = e->position;
    return WF_OK;
}

int wfb_boxes_take(struct wfb_boxes *b, const struct wf_spool_entry *e, time_t now_s,
                   const uint8_t **image, size_t *len) {
    const struct wf_fleet_chunk *c = &e->chunk;
    struct wfb_stream *of = wfb_streams_get(&b->devices, e->device, 0);
    *image = NULL;
    if (!of) return WF_ERR_NOMEM;
    struct box *box = of->client;
    if (box && box->whole) {
        close_box(of);
    } else if (box && box->stream == c->stream && box->len != c->offset) {
        cut_box(b, of);
        return WF_OK;
    } else if (box && !c->offset) {
        cut_box(b, of);
    }
    if (!c->offset && begin_box(of, e) != WF_OK) return WF_ERR_NOMEM;
    box = of->client;
    // Others without their begin are those of a box that was refused, or was read before a restart.
    if (!box || box->stream != c->stream) {
        if (c->flags & WF_FLEET_CHUNK_BEGINS)
            b->refuse(b->ctx, e->device, c->stream, "a black box is cut: its begin did not come");
        return WF_OK;
    }
    box->used = now_s;
    if (c->len > BOX_MAX - box->len) {
        b->refuse(b->ctx, e->device, c->stream, "a black box of over 16 MiB");
        close_box(of);
        return WF_OK;
    }
    int err = append(box, c);
    if (err == WF_OK && box->whole) {
        *image = box->bytes;
        *len = box->len;
    }
    return err;
}

uint64_t wfb_boxes_oldest(const struct wfb_boxes *b) {
    uint64_t oldest = UINT64_MAX;
    for (size_t i = 0; i < b->devices.count; ++i) {
        const struct box *box = b->devices.list[i].client;
        if (box && !box->whole && box->position < oldest) oldest = box->position;
    }
    return oldest;
}

void wfb_boxes_forget(struct wfb_boxes *b, time_t before_s) {
    for (size_t i = 0; i < b->devices.count; ++i) {
        struct wfb_stream *of = &b->devices.list[i];
        const struct box *box = of->client;
        if (box && box->whole) close_box(of);
        if (of->client && box->used < before_s) cut_box(b, of);
        of->seen_s = of->client != NULL;
    }
    wfb_streams_forget(&b->devices, 1);
}

void wfb_boxes_close(struct wfb_boxes *b) {
    for (size_t i = 0; i < b->devices.count; ++i) close_box(&b->devices.list[i]);
    wfb_streams_close(&b->devices);
}
