// SPDX-License-Identifier: MIT
// Tiles: the pieces of tracks in time spans on a fixed grid, so that the page can cache them, as
// arrays that it uses without parsing.

#include <endian.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "page_parts.h"

enum {
    MAGIC = 0x31746677,
    TILES_MAX = 512,
    PIECES_MAX = 8192, // in a tile; at level 0 one tick can have many
};

struct tile {
    uint32_t track;
    double index;
    uint64_t from, until; // ticks
};

static void put32(FILE *out, uint32_t value) {
    value = htole32(value);
    fwrite(&value, sizeof value, 1, out);
}

static uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return htole64(bits);
}

static void put64(FILE *out, double value) {
    uint64_t bits = bits_of(value);
    fwrite(&bits, sizeof bits, 1, out);
}

static uint32_t piece_count(const struct wf_piece *p) {
    return p->count > UINT32_MAX ? UINT32_MAX : (uint32_t)p->count;
}

// Buffers for an answer.
struct room {
    struct wf_piece pieces[PIECES_MAX];
    // One member of all pieces: a call for each would take most of the time.
    uint64_t wide[PIECES_MAX];
    uint32_t narrow[PIECES_MAX];
};

// Member by member, so that the page's arrays are contiguous.
#define PUT_WIDE(value)                                                                            \
    do {                                                                                           \
        for (size_t i = 0; i < n; ++i) room->wide[i] = bits_of(value);                             \
        fwrite(room->wide, sizeof *room->wide, n, out);                                            \
    } while (0)
#define PUT_NARROW(value)                                                                          \
    do {                                                                                           \
        for (size_t i = 0; i < n; ++i) room->narrow[i] = htole32(value);                           \
        fwrite(room->narrow, sizeof *room->narrow, n, out);                                        \
    } while (0)

static void put_pieces(FILE *out, const struct page_query_context *a, struct room *room, size_t n) {
    const struct wf_piece *p = room->pieces;
    PUT_WIDE(page_query_time(a, p[i].begin));
    PUT_WIDE(page_query_time(a, p[i].end));
    PUT_WIDE((double)p[i].busy);
    PUT_WIDE((double)p[i].value);
    PUT_WIDE((double)p[i].min);
    PUT_WIDE((double)p[i].max);
    PUT_NARROW(piece_count(&p[i]));
    PUT_NARROW(p[i].more);
    PUT_NARROW(p[i].flags);
    if (n % 2) put32(out, 0);
}

static void put_tile(FILE *out, const struct page_query_context *a, const struct tile *t,
                     unsigned level, uint64_t last, struct room *room) {
    size_t all = wf_timeline_range(a->timeline, t->track, t->from, t->until, UINT64_C(1) << level,
                                   room->pieces, PIECES_MAX);
    size_t n = all < PIECES_MAX ? all : PIECES_MAX;
    put32(out, t->track);
    put32(out, (uint32_t)n);
    put64(out, t->index);
    put32(out, (!a->ended && t->until > last ? TILE_GROWS : 0) | (all > n ? TILE_MORE : 0));
    put32(out, 0);
    put_pieces(out, a, room, n);
}

// Reads an integer of a tile's array.
static bool read_integer(const cJSON *pair, int i, double most, double *value) {
    const cJSON *item = cJSON_GetArrayItem(pair, i);
    *value = cJSON_IsNumber(item) ? item->valuedouble : NAN;
    return *value >= 0 && *value <= most && floor(*value) == *value;
}

static bool read_tile(const struct page_query_context *a, const cJSON *pair, unsigned level,
                      struct tile *t) {
    const double most = ldexp(1, TILE_LEVEL_MAX - (int)level); // the end of a tile fits 62 bits
    double track, tracks = wf_timeline_tracks(a->timeline);
    if (!cJSON_IsArray(pair) || cJSON_GetArraySize(pair) != 2 ||
        !read_integer(pair, 0, tracks - 1, &track) || !read_integer(pair, 1, most, &t->index))
        return false;
    uint64_t from = (uint64_t)t->index << (level + TILE_BUCKETS_LOG),
             width = UINT64_C(1) << (level + TILE_BUCKETS_LOG);
    t->track = (uint32_t)track;
    t->from = page_query_tick(a, (int64_t)from);
    t->until = page_query_tick(a, (int64_t)(from + width));
    return true;
}

int page_query_tiles(const struct page_query_context *a, const cJSON *ask, FILE *out,
                     struct wf_error *error) {
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(ask, "tiles"), *pair;
    struct wf_timeline_span span;
    struct tile t;
    int64_t n, level;
    if (!page_query_number(ask, "n", 0, UINT32_MAX, &n, error) ||
        !page_query_number(ask, "level", 0, TILE_LEVEL_MAX, &level, error))
        return WF_ERR_USAGE;
    int count = cJSON_IsArray(list) ? cJSON_GetArraySize(list) : -1;
    if (count < 0 || count > TILES_MAX)
        return wf_error_set(error, WF_ERR_USAGE, "'tiles' is not a list of at most %d", TILES_MAX);
    struct room *room = malloc(sizeof *room);
    if (!room) return WF_ERR_NOMEM;
    wf_timeline_extent(a->timeline, &span);
    put32(out, MAGIC);
    put32(out, (uint32_t)n);
    put32(out, (uint32_t)count);
    put32(out, (uint32_t)level);
    int err = WF_OK;
    cJSON_ArrayForEach(pair, list) {
        if (!read_tile(a, pair, (unsigned)level, &t)) {
            err = wf_error_set(error, WF_ERR_USAGE,
                               "'tiles' has an element that is not a track and index");
            break;
        }
        put_tile(out, a, &t, (unsigned)level, span.last, room);
    }
    free(room);
    return err;
}
