// SPDX-License-Identifier: MIT
// Reads the bytes of a profile. Every number is checked against what the rest of the profile
// allows, so that nothing that uses it has to check again.

#include "wfi_profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "util/wfi_cursor.h"
#include "wfi_profile_bytes.h"

struct input {
    struct wfi_cursor c;
    struct wf_profile *p;
    const char **texts; // by number
    uint64_t text_count;
    bool no_memory, too_many;
};

static uint64_t take(struct input *in, uint64_t most) { return wfi_take_upto(&in->c, most); }

static void require(struct input *in, bool good) {
    if (!good) in->c.bad = true;
}

static double take_double(struct input *in) {
    const uint8_t *p = wfi_take_bytes(&in->c, 8);
    uint64_t bits = in->c.bad ? 0 : wfi_load(p, 8);
    double v;
    memcpy(&v, &bits, sizeof v);
    require(in, isfinite(v));
    return in->c.bad ? 0 : v;
}

static const char *take_text(struct input *in) {
    uint64_t n = take(in, in->text_count);
    return n && !in->c.bad ? in->texts[n - 1] : NULL;
}

// ---- blocks

static double take_whole(struct input *in) {
    uint64_t v = wfi_take_varint(&in->c);
    return (double)((int64_t)(v >> 1) ^ -(int64_t)(v & 1));
}

static void take_sums(struct input *in, struct wf_blocks *b, unsigned count) {
    bool whole = take(in, 1);
    for (unsigned i = 0; i < count && !in->c.bad; ++i)
        b->sum[i] = whole ? take_whole(in) : take_double(in);
}

static void take_entries(struct input *in, struct wf_blocks *b, unsigned blocks) {
    uint64_t block = 0, class = 0;
    b->shift = (unsigned)take(in, WFI_BLOCK_SHIFTS);
    uint64_t classes = WFI_CLASSES >> b->shift, used = take(in, blocks * classes);
    require(in, used <= (uint64_t)(in->c.end - in->c.p) / 3);
    if (in->c.bad || !used) return;
    b->entries = calloc(used, sizeof *b->entries);
    in->no_memory |= !b->entries;
    if (!b->entries) return;
    b->cap = b->used = used;
    for (size_t i = 0; i < used && !in->c.bad; ++i) {
        uint64_t next = take(in, blocks - 1 - block), more = take(in, classes - 1);
        class = next || i == 0 ? more : class + more;
        block += next;
        require(in, class < classes && (i == 0 || next || more > 0));
        b->entries[i] =
            (struct wfi_block_entry){take(in, (uint64_t)1 << 53), (uint16_t) class, (uint8_t)block};
    }
}

static struct wf_blocks *take_blocks(struct input *in, unsigned count, bool entries) {
    struct wf_blocks *b = in->c.bad ? NULL : calloc(1, sizeof *b);
    if (!b) {
        in->no_memory |= !in->c.bad;
        return NULL;
    }
    take_sums(in, b, count);
    if (entries && !in->c.bad) take_entries(in, b, count);
    return b;
}

// ---- figures

static void take_class(struct input *in, struct wf_histogram *h, unsigned class,
                       uint64_t *counted) {
    struct wf_histogram_class **page = &h->pages[class / WF_HISTOGRAM_PAGE];
    if (!*page) *page = calloc(WF_HISTOGRAM_PAGE, sizeof **page);
    in->no_memory |= !*page;
    if (!*page) return;
    uint32_t last = wfi_class_last(class);
    uint64_t count = take(in, h->count - *counted), low = take(in, (uint64_t)last << 1 | 1);
    uint64_t high = low & 1 ? low >> 1 : last - take(in, last);
    low >>= 1;
    require(in, count > 0 && low <= high);
    *counted += count;
    (*page)[class % WF_HISTOGRAM_PAGE] =
        (struct wf_histogram_class){count, (uint32_t)low, (uint32_t)high};
}

static void take_classes(struct input *in, struct wf_histogram *h) {
    uint64_t count = take(in, WFI_CLASSES), counted = 0, class = 0;
    if (!count) {
        require(in, h->min == h->max); // equal values need no classes
        return;
    }
    h->pages = in->c.bad ? NULL : calloc(WF_HISTOGRAM_PAGES, sizeof(struct wf_histogram_class *));
    in->no_memory |= !in->c.bad && !h->pages;
    for (uint64_t i = 0; i < count && !in->c.bad && !in->no_memory; ++i, ++class) {
        class += take(in, WFI_CLASSES);
        require(in, class < WFI_CLASSES);
        if (in->c.bad) return;
        if (i == 0) require(in, class == wfi_class_of(h->min));
        if (i + 1 == count) require(in, class == wfi_class_of(h->max));
        take_class(in, h, (unsigned)class, &counted);
    }
    require(in, counted == h->count);
}

static void take_histogram(struct input *in, struct wf_histogram *h) {
    const uint64_t most = (uint64_t)1 << 53;
    h->count = take(in, most);
    h->open = take(in, most);
    h->in_holes = take(in, most);
    if (!h->count) return;
    h->min = wfi_take_varint(&in->c);
    h->max = h->min + take(in, UINT64_MAX - h->min);
    h->sum[0] = wfi_take_varint(&in->c);
    h->sum[1] = take(in, h->count);
    take_classes(in, h);
}

static void take_figure(struct input *in, struct wfi_profile_figure *f, unsigned blocks) {
    f->name = take_text(in);
    f->unit = (enum wf_unit)take(in, WF_UNIT_VALUE);
    f->form = (enum wf_figure_form)take(in, WF_FIGURE_LEVEL);
    unsigned flags = (unsigned)take(in, WFI_FIGURE_KNOWN | WFI_FIGURE_BLOCKS | WFI_FIGURE_WEIGHTS);
    require(in, f->name != NULL);
    f->known = flags & WFI_FIGURE_KNOWN;
    if (in->c.bad) return;
    if (f->form == WF_FIGURE_SPREAD)
        take_histogram(in, &f->histogram);
    else
        f->value = take_double(in);
    if (f->form == WF_FIGURE_LEVEL) {
        f->count = take_double(in);
        f->min = take_double(in);
        f->mean = take_double(in);
        f->max = take_double(in);
    }
    require(in, blocks || !(flags & (WFI_FIGURE_BLOCKS | WFI_FIGURE_WEIGHTS)));
    if (flags & WFI_FIGURE_BLOCKS) f->blocks = take_blocks(in, blocks, f->form == WF_FIGURE_SPREAD);
    if (flags & WFI_FIGURE_WEIGHTS) f->weights = take_blocks(in, blocks, false);
}

// ---- rows and lanes

// A row that is not whole is closed.
static void take_figures(struct input *in, struct wfi_profile_row *row) {
    unsigned done = 0;
    row->figures = calloc(row->count ? row->count : 1, sizeof *row->figures);
    in->no_memory |= !row->figures;
    for (; row->figures && done < row->count && !in->c.bad && !in->no_memory; ++done)
        take_figure(in, &row->figures[done], in->p->lanes[row->lane].count);
    bool good = row->figures && !in->c.bad && !in->no_memory;
    if (good && wfi_profile_find(in->p, row)) require(in, good = false);
    int err = good ? wfi_profile_add_row(in->p, row) : WF_OK;
    in->no_memory |= err == WF_ERR_NOMEM;
    in->too_many |= err == WF_ERR_TOO_MANY;
    if (good && err == WF_OK) return;
    for (unsigned i = 0; i < done; ++i) wfi_profile_close_figure(&row->figures[i]);
    free(row->figures);
}

static void take_row(struct input *in) {
    struct wfi_profile_row row = {.count = 0};
    require(in, in->p->lane_count > 0);
    if (in->c.bad) return;
    row.lane = (uint32_t)take(in, in->p->lane_count - 1);
    row.kind = (enum wf_stats_kind)take(in, WF_STATS_KINDS - 1);
    for (unsigned i = 0; i < WFI_TEXTS; ++i) row.texts[i] = take_text(in);
    row.core = (int)take(in, 1 << 16) - 1;
    row.marked = take(in, 1);
    row.tasks = wfi_take_varint(&in->c);
    row.by_tasks = wfi_take_varint(&in->c);
    row.over_tasks = wfi_take_varint(&in->c);
    row.count = (unsigned)take(in, WF_FIGURES_MAX);
    if (!in->c.bad) take_figures(in, &row);
}

static void take_lane(struct input *in) {
    unsigned number = (unsigned)take(in, UINT32_MAX);
    for (size_t i = 0; i < in->p->lane_count; ++i) require(in, in->p->lanes[i].is.lane != number);
    struct wfi_profile_lane *l = in->c.bad ? NULL : wfi_profile_add_lane(in->p, number);
    in->no_memory |= !in->c.bad && !l;
    if (!l) return;
    l->is.traces = wfi_take_varint(&in->c);
    l->is.hz = wfi_take_varint(&in->c);
    l->is.ticks = wfi_take_varint(&in->c);
    l->is.records = wfi_take_varint(&in->c);
    l->is.lost = wfi_take_varint(&in->c);
    l->is.holes = wfi_take_varint(&in->c);
    l->count = (unsigned)take(in, WFI_BLOCKS);
    for (unsigned i = 0; i < l->count; ++i) l->ticks[i] = take(in, UINT64_MAX >> 8);
    take_sums(in, &l->records, l->count);
    take_sums(in, &l->lost, l->count);
}

static void take_one_text(struct input *in) {
    uint64_t len = take(in, WFI_PROFILE_TEXT);
    const uint8_t *bytes = wfi_take_bytes(&in->c, len);
    require(in, in->c.bad || !memchr(bytes, 0, (size_t)len));
    if (in->c.bad) return;
    size_t before = in->p->text_count;
    const char *text = wfi_profile_text(in->p, (const char *)bytes, (size_t)len);
    in->no_memory |= !text;
    require(in, !text || in->p->text_count > before); // each only once
    in->texts[in->text_count++] = text;
}

static bool goes_on(const struct input *in) {
    return !in->c.bad && !in->no_memory && !in->too_many;
}

static void take_contents(struct input *in) {
    uint64_t texts = take(in, (uint64_t)(in->c.end - in->c.p));
    in->texts = in->c.bad ? NULL : calloc(texts ? (size_t)texts : 1, sizeof *in->texts);
    in->no_memory = !in->c.bad && !in->texts;
    for (uint64_t i = 0; i < texts && goes_on(in); ++i) take_one_text(in);
    uint64_t lanes = take(in, WFI_PROFILE_LANES);
    for (uint64_t i = 0; i < lanes && goes_on(in); ++i) take_lane(in);
    uint64_t rows = take(in, (uint64_t)(in->c.end - in->c.p));
    for (uint64_t i = 0; i < rows && goes_on(in); ++i) take_row(in);
    if (goes_on(in)) require(in, in->c.p == in->c.end);
}

// Returns the profile of the contents; null: an error.
static struct wf_profile *read_contents(const uint8_t *bytes, size_t len, struct wf_error *error) {
    struct input in = {.c = {bytes, bytes + len, false}, .p = wf_profile_open(error)};
    if (!in.p) return NULL;
    take_contents(&in);
    free(in.texts);
    if (goes_on(&in)) {
        wfi_profile_settle(in.p);
        return in.p;
    }
    wf_profile_close(in.p);
    if (in.no_memory) {
        wf_error_code(error, WF_ERR_NOMEM);
    } else {
        wf_error_set(error, WF_ERR_BAD_PROFILE,
                     in.too_many ? "the profile has more than %d figures"
                                 : "the contents of the profile are not valid",
                     WFI_PROFILE_FIGURES);
        if (error) {
            error->place = WF_AT_BYTE;
            error->at = (uint64_t)(in.c.p - bytes);
        }
    }
    return NULL;
}

bool wf_profile_is(const void *bytes, size_t len) {
    return len > sizeof wfi_profile_magic &&
           memcmp(bytes, wfi_profile_magic, sizeof wfi_profile_magic) == 0;
}

static bool fail(struct wf_error *error, const char *text) {
    wf_error_set(error, WF_ERR_BAD_PROFILE, "%s", text);
    return false;
}

static bool check_head(const uint8_t *p, size_t len, uint32_t *size, struct wf_error *error) {
    if (!wf_profile_is(p, len))
        return fail(error, "not a profile: wallfly stats --save writes one");
    if (p[7] != WF_PROFILE_VERSION) {
        wf_error_set(error, WF_ERR_BAD_PROFILE,
                     "a profile of version %d; this program reads version %d: save it again", p[7],
                     WF_PROFILE_VERSION);
        return false;
    }
    if (len < WFI_PROFILE_HEAD) return fail(error, "the profile is cut in its head");
    *size = (uint32_t)wfi_load(p + 8, 4);
    if (*size > WFI_PROFILE_CONTENTS) return fail(error, "the size in its head is not valid");
    return true;
}

struct wf_profile *wf_profile_read(const void *bytes, size_t len, struct wf_error *error) {
    uint32_t size = 0;
    struct wf_profile *p = NULL;
    wf_error_code(error, WF_OK);
    if (!check_head(bytes, len, &size, error)) return NULL;
    uint8_t *contents = malloc((size_t)size + 1);
    if (!contents) {
        wf_error_code(error, WF_ERR_NOMEM);
        return NULL;
    }
    size_t got = ZSTD_decompress(contents, size, (const uint8_t *)bytes + WFI_PROFILE_HEAD,
                                 len - WFI_PROFILE_HEAD);
    if (ZSTD_isError(got) && ZSTD_getErrorCode(got) == ZSTD_error_memory_allocation)
        wf_error_code(error, WF_ERR_NOMEM);
    else if (ZSTD_isError(got) || got != size)
        fail(error, "the profile is cut or damaged: save it again");
    else
        p = read_contents(contents, size, error);
    free(contents);
    return p;
}
