// SPDX-License-Identifier: MIT
// Tiles from the coarsest level down: a finer tile is needed only where the coarser one combines
// several slices in one piece. Each level uses the list of tiles that the coarser level has left.

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "packed.h"
#include "page_parts.h"
#include "wallfly_server/memory.h"

enum {
    TOP_TILES = 4, // of a track, at the coarsest level
    ONCE = 16,     // most tiles in one query, because one of level 0 can be long
    HEAD = 16,
    TILE_HEAD = 24,
    RAW_TIMES = 24 // most raw bytes, as a multiple of the file size limit
};

struct place {
    uint32_t track;
    uint64_t index;
};

struct list {
    struct place *places;
    size_t count, cap;
};

struct level {
    struct page_export *k;
    unsigned number;
    struct list now, next;
    struct packed packed;
    uint64_t raw;
};

static bool add_tile(struct list *l, uint32_t track, uint64_t index) {
    if (l->count == l->cap) {
        size_t cap = l->cap ? 2 * l->cap : 256;
        struct place *more = realloc(l->places, cap * sizeof *more);
        if (!more) return false;
        l->places = more;
        l->cap = cap;
    }
    l->places[l->count++] = (struct place){track, index};
    return true;
}

static uint64_t index_at(int64_t t, unsigned level) {
    return (uint64_t)t >> (level + TILE_BUCKETS_LOG);
}

// Adds the two tiles of the finer level, if they overlap the window.
static bool add_finer_tiles(struct level *l, const struct place *p) {
    if (!l->number) return true;
    uint64_t from = index_at(l->k->from, l->number - 1);
    uint64_t until = index_at(l->k->until, l->number - 1);
    for (uint64_t i = 2 * p->index; i <= 2 * p->index + 1; ++i) {
        if (i >= from && i <= until && !add_tile(&l->next, p->track, i)) return false;
    }
    return true;
}

static uint32_t load32(const uint8_t *p) {
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return le32toh(v);
}

static bool has_several(const uint8_t *counts, uint32_t pieces) {
    for (uint32_t i = 0; i < pieces; ++i) {
        if (load32(counts + 4 * i) > 1) return true;
    }
    return false;
}

// The answer comes from this program, so its format is not checked.
static bool select_finer_tiles(struct level *l, const struct place *places, size_t count,
                               const uint8_t *bytes) {
    bytes += HEAD;
    for (size_t i = 0; i < count; ++i) {
        uint32_t pieces = load32(bytes + 4), flags = load32(bytes + 16);
        const uint8_t *counts = bytes + TILE_HEAD + (size_t)pieces * 6 * 8;
        if ((has_several(counts, pieces) || flags & TILE_MORE) && !add_finer_tiles(l, &places[i]))
            return false;
        bytes = counts + ((size_t)pieces * 3 + pieces % 2) * 4;
    }
    return true;
}

// Makes a query. Returns null when out of memory.
static cJSON *make_query(const struct level *l, const struct place *places, size_t count) {
    cJSON *ask = cJSON_CreateObject();
    cJSON *tiles = cJSON_AddArrayToObject(ask, "tiles");
    bool good = tiles && cJSON_AddNumberToObject(ask, "n", 0) &&
                cJSON_AddNumberToObject(ask, "level", l->number);
    for (size_t i = 0; i < count && good; ++i) {
        double pair[2] = {places[i].track, (double)places[i].index};
        cJSON *tile = cJSON_CreateDoubleArray(pair, 2);
        good = tile && cJSON_AddItemToArray(tiles, tile);
    }
    if (good) return ask;
    cJSON_Delete(ask);
    return NULL;
}

static int put_tiles(struct level *l, const struct place *places, size_t count,
                     struct wf_error *error) {
    char *bytes = NULL;
    size_t len = 0;
    FILE *out = memory_stream(&bytes, &len);
    cJSON *ask = out ? make_query(l, places, count) : NULL;
    int err = ask ? page_query_tiles(l->k->a, ask, out, error) : WF_ERR_NOMEM;
    cJSON_Delete(ask);
    if (out && !memory_close(out) && err == WF_OK) err = WF_ERR_NOMEM;
    if (err == WF_OK) {
        packed_put(&l->packed, bytes, len);
        l->raw += len;
        if (!select_finer_tiles(l, places, count, (const uint8_t *)bytes)) err = WF_ERR_NOMEM;
    }
    free(bytes);
    return err;
}

static int put_level(struct level *l, struct wf_error *error) {
    int err = packed_begin(&l->packed, l->k->out) ? WF_OK : WF_ERR_NOMEM;
    if (err != WF_OK) return err;
    for (size_t i = 0; i < l->now.count && err == WF_OK; i += ONCE) {
        size_t n = l->now.count - i < ONCE ? l->now.count - i : ONCE;
        err = put_tiles(l, &l->now.places[i], n, error);
        if (err == WF_OK && (page_export_too_long(l->k) || l->raw / RAW_TIMES > l->k->size_max))
            err = WF_ERR_TOO_MANY;
    }
    if (!packed_end(&l->packed) && err == WF_OK) err = WF_ERR_NOMEM;
    return err;
}

static unsigned top_level(const struct page_export *k) {
    unsigned level = 0;
    while (level < TILE_LEVEL_MAX &&
           index_at(k->until, level) - index_at(k->from, level) >= TOP_TILES)
        ++level;
    return level;
}

int page_export_put_tiles(struct page_export *k, struct wf_error *error) {
    struct level l = {.k = k, .number = top_level(k)};
    int err = WF_OK;
    for (unsigned track = 0; track < wf_timeline_tracks(k->a->timeline); ++track) {
        for (uint64_t i = index_at(k->from, l.number); i <= index_at(k->until, l.number); ++i) {
            if (!add_tile(&l.now, track, i)) err = WF_ERR_NOMEM;
        }
    }
    fputs(",\n\"levels\":[", k->out);
    for (const char *comma = ""; err == WF_OK && l.now.count; comma = ",\n") {
        fprintf(k->out, "%s{\"level\":%u,\"tiles\":\"", comma, l.number);
        err = put_level(&l, error);
        fputs("\"}", k->out);
        free(l.now.places);
        l.now = l.next;
        l.next = (struct list){NULL, 0, 0};
        if (l.number) --l.number;
    }
    putc(']', k->out);
    free(l.now.places);
    free(l.next.places);
    return err == WF_ERR_NOMEM ? wf_error_code(error, err) : err;
}
