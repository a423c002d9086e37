// SPDX-License-Identifier: MIT
// See around.h.

#include "around.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "wallfly_server/store.h"

enum { LINE_MAX_BYTES = 4096 };

struct line {
    unsigned lane;
    uint64_t record;
    char *text; // null: not read yet
};

struct lane_lines {
    unsigned number;
    uint64_t items;           // so far
    struct wf_writer *writer; // of the text
    int text, index;          // ALL: temporary files: the lines; the end of each in `text`
    uint64_t end;
};

struct around {
    bool all, target_clock, sorted;
    struct lane_lines **lanes;
    unsigned lane_count;
    struct line *wanted;
    size_t count, room, found;
    char buffer[LINE_MAX_BYTES]; // the line that is written
    size_t len;
    int err;
};

struct around *around_open(bool all, bool target_clock) {
    struct around *l = calloc(1, sizeof *l);
    if (!l) {
        out_of_memory();
        return NULL;
    }
    l->all = all;
    l->target_clock = target_clock;
    return l;
}

void around_close(struct around *l) {
    if (!l) return;
    for (unsigned i = 0; i < l->lane_count; ++i) {
        wf_writer_close(l->lanes[i]->writer);
        if (l->all) close(l->lanes[i]->text);
        if (l->all) close(l->lanes[i]->index);
        free(l->lanes[i]);
    }
    for (size_t i = 0; i < l->count; ++i) free(l->wanted[i].text);
    free(l->lanes);
    free(l->wanted);
    free(l);
}

int around_error(const struct around *l) { return l->err; }

// ---- wanted lines

bool around_want(struct around *l, unsigned lane, uint64_t record) {
    uint64_t first = record > AROUND ? record - AROUND : 1;
    for (uint64_t n = first; n <= record + AROUND; ++n) {
        if (l->count == l->room) {
            size_t room = l->room ? 2 * l->room : 64;
            struct line *more = realloc(l->wanted, room * sizeof *more);
            if (!more) return false;
            l->wanted = more;
            l->room = room;
        }
        l->wanted[l->count++] = (struct line){.lane = lane, .record = n};
    }
    return true;
}

bool around_is_wanted(const struct around *l) { return l->count > 0; }

static int compare(const void *a, const void *b) {
    const struct line *x = a, *y = b;
    if (x->lane != y->lane) return x->lane < y->lane ? -1 : 1;
    return x->record < y->record ? -1 : x->record > y->record;
}

// Sorts the lines, and removes double ones.
static void sort_wanted(struct around *l) {
    size_t n = 0;
    if (l->count) qsort(l->wanted, l->count, sizeof *l->wanted, compare);
    for (size_t i = 0; i < l->count; ++i) {
        if (!n || compare(&l->wanted[n - 1], &l->wanted[i]) != 0) l->wanted[n++] = l->wanted[i];
    }
    l->count = n;
    l->sorted = true;
}

static struct line *find_wanted(const struct around *l, unsigned lane, uint64_t record) {
    const struct line key = {.lane = lane, .record = record};
    return l->count ? bsearch(&key, l->wanted, l->count, sizeof key, compare) : NULL;
}

// ---- items

static bool add_bytes(void *ctx, const char *bytes, size_t len) {
    struct around *l = ctx;
    size_t room = sizeof l->buffer - 1 - l->len;
    if (len > room) len = room;
    memcpy(l->buffer + l->len, bytes, len);
    l->len += len;
    return true;
}

static bool open_files(struct lane_lines *of) {
    struct wf_error error;
    of->text = temporary_open(&error);
    of->index = of->text < 0 ? -1 : temporary_open(&error);
    if (of->index >= 0) return true;
    if (of->text >= 0) close(of->text);
    diag_note("%s", error.text);
    return false;
}

static struct lane_lines *new_lane(struct around *l, const struct lane *lane) {
    const struct wf_writer_options o = {.size = sizeof o, .target_clock = l->target_clock};
    struct lane_lines **lanes = realloc(l->lanes, (l->lane_count + 1) * sizeof *lanes);
    if (lanes) l->lanes = lanes;
    struct lane_lines *of = lanes ? calloc(1, sizeof *of) : NULL;
    l->err = WF_ERR_NOMEM;
    if (!of) return NULL;
    of->number = lane->number;
    of->writer = wf_writer_open(wf_format_find("text"), lane->session, &o, add_bytes, l, NULL);
    if (of->writer && l->all && !open_files(of)) l->err = WF_ERR_WRITE;
    if (of->writer && l->err != WF_ERR_WRITE) {
        l->err = WF_OK;
        return l->lanes[l->lane_count++] = of;
    }
    if (of->writer) wf_writer_close(of->writer);
    free(of);
    return NULL;
}

static struct lane_lines *lane_of(struct around *l, const struct lane *lane) {
    for (unsigned i = 0; i < l->lane_count; ++i) {
        if (l->lanes[i]->number == lane->number) return l->lanes[i];
    }
    return new_lane(l, lane);
}

// Makes the line in `buffer`.
static void make_line(struct around *l, const struct lane_lines *of, const struct wf_item *item) {
    l->len = 0;
    wf_writer_item(of->writer, item);
    wf_writer_flush(of->writer);
    l->buffer[l->len] = 0;
    l->len = strcspn(l->buffer, "\n");
    l->buffer[l->len] = 0;
}

static void keep_line(struct around *l, struct lane_lines *of) {
    uint64_t end = of->end + l->len;
    bool good = temporary_write(of->text, of->end, l->buffer, l->len) &&
                temporary_write(of->index, (of->items - 1) * sizeof end, &end, sizeof end);
    of->end = end;
    if (!good) l->err = WF_ERR_WRITE;
}

bool around_item(struct around *l, const struct lane *lane, const struct wf_item *item) {
    if (item->kind != WF_ITEM_RECORD && item->kind != WF_ITEM_LOSS && item->kind != WF_ITEM_EVENT)
        return true;
    if (l->err != WF_OK) return false;
    if (!l->sorted) sort_wanted(l);
    struct lane_lines *of = lane_of(l, lane);
    if (!of) return false;
    ++of->items;
    struct line *wanted = l->all ? NULL : find_wanted(l, of->number, of->items);
    if (l->all || wanted) make_line(l, of, item);
    if (l->all) keep_line(l, of);
    if (wanted && !wanted->text) {
        wanted->text = strdup(l->buffer);
        if (!wanted->text) l->err = WF_ERR_NOMEM;
        ++l->found;
    }
    return l->err == WF_OK && (l->all || l->found < l->count);
}

// ---- answers

static const char *read_line(struct around *l, const struct lane_lines *of, uint64_t record) {
    uint64_t ends[2] = {0, 0}; // of the line before, of this one
    if (!record || record > of->items) return NULL;
    size_t n = record > 1 ? 2 : 1;
    ssize_t want = (ssize_t)(n * sizeof *ends);
    if (pread(of->index, ends + 2 - n, (size_t)want, (off_t)((record - n) * sizeof *ends)) != want)
        return NULL;
    size_t len = (size_t)(ends[1] - ends[0]);
    if (len >= sizeof l->buffer) return NULL;
    if (pread(of->text, l->buffer, len, (off_t)ends[0]) != (ssize_t)len) return NULL;
    l->buffer[len] = 0;
    return l->buffer;
}

const char *around_get(struct around *l, unsigned lane, uint64_t record) {
    if (!l->all) {
        const struct line *line = l->sorted ? find_wanted(l, lane, record) : NULL;
        return line ? line->text : NULL;
    }
    for (unsigned i = 0; i < l->lane_count; ++i) {
        if (l->lanes[i]->number == lane) return read_line(l, l->lanes[i], record);
    }
    return NULL;
}
