// SPDX-License-Identifier: MIT
// Summaries of consecutive slices, and the encoding of a page: first the summaries of its groups of
// 16, then for each slice its end relative to the previous end, its length, its value relative to
// the previous one, and more and flags; all as varints of 7 bits per byte. The first slice of a
// group is relative to the group's begin and value.

#include <string.h>

#include "util/wfi_cursor.h"
#include "wfi_timeline.h"

enum { FLAG_BITS = 4 };

// ---- shares: finds the value with the greatest total length

struct shares {
    unsigned count;
    uint64_t share[WFI_TL_WAYS];
    int64_t value[WFI_TL_WAYS];
    uint32_t more[WFI_TL_WAYS];
};

static void add_share(struct shares *to, int64_t value, uint32_t more, uint64_t share) {
    unsigned i = 0;
    while (i < to->count && to->value[i] != value) ++i;
    if (i == to->count) {
        ++to->count;
        to->share[i] = 0;
        to->value[i] = value;
        to->more[i] = more;
    }
    to->share[i] += share;
}

static void set_share(const struct shares *of, struct wfi_sum *out) {
    unsigned best = 0;
    for (unsigned i = 1; i < of->count; ++i) {
        if (of->share[i] > of->share[best]) best = i;
    }
    out->share = of->share[best];
    out->value = of->value[best];
    out->more = of->more[best];
}

// ---- sums

// The busy part of a slice of this length.
static uint64_t busy_of(const struct wfi_series *se, int64_t value, uint64_t length) {
    switch (se->busy_is) {
    case WFI_TL_BUSY_RUNNING: return value == WF_TASK_RUNNING ? length : 0;
    case WFI_TL_BUSY_KNOWN: return value != WF_ENTITY_NONE ? length : 0;
    case WFI_TL_BUSY_NOT_IDLE: return value != WF_ENTITY_IDLE ? length : 0;
    default: return length;
    }
}

static inline uint64_t max_of(uint64_t a, uint64_t b) { return a > b ? a : b; }

void wfi_sum_slice(const struct wfi_series *se, const struct wfi_slice *s, struct wfi_sum *out) {
    uint64_t length = wfi_tl_length(s);
    *out = (struct wfi_sum){.begin = s->begin,
                            .end = s->end,
                            .busy = busy_of(se, s->value, length),
                            .count = 1,
                            .longest = length,
                            .share = se->marks ? 1 : length,
                            .mask = (uint64_t)1 << (s->value & 63),
                            .value = s->value,
                            .min = s->value,
                            .max = s->value,
                            .at = WFI_TL_NOWHERE,
                            .more = s->more};
}

void wfi_sum_slices(const struct wfi_series *se, const struct wfi_slice *s, unsigned count,
                    struct wfi_sum *out) {
    struct shares shares = {.count = 0};
    wfi_sum_slice(se, s, out);
    for (unsigned i = 0; i < count; ++i, ++s) {
        uint64_t length = wfi_tl_length(s);
        if (s->begin > out->end) out->longest = max_of(out->longest, s->begin - out->end);
        out->longest = max_of(out->longest, length);
        if (s->begin < out->begin) out->begin = s->begin; // arrows
        out->end = s->end;
        out->busy += i ? busy_of(se, s->value, length) : 0;
        out->mask |= (uint64_t)1 << (s->value & 63);
        if (s->value < out->min) out->min = s->value;
        if (s->value > out->max) out->max = s->value;
        if (!se->last_counts) add_share(&shares, s->value, s->more, se->marks ? 1 : length);
    }
    out->count = count;
    if (!se->last_counts) {
        set_share(&shares, out);
    } else {
        out->value = s[-1].value;
        out->more = s[-1].more;
    }
}

static void join_sum(struct wfi_sum *to, const struct wfi_sum *s) {
    if (s->begin > to->end) to->longest = max_of(to->longest, s->begin - to->end);
    to->longest = max_of(to->longest, s->longest);
    if (s->begin < to->begin) to->begin = s->begin; // arrows
    to->end = s->end;
    to->busy += s->busy;
    to->count += s->count;
    to->mask |= s->mask;
    if (s->min < to->min) to->min = s->min;
    if (s->max > to->max) to->max = s->max;
}

void wfi_sum_up(const struct wfi_series *se, const struct wfi_sum *parts, unsigned count,
                struct wfi_sum *out) {
    struct shares shares = {.count = 0};
    *out = parts[0];
    out->at = WFI_TL_NOWHERE;
    out->len = 0;
    for (unsigned i = 1; i < count; ++i) join_sum(out, &parts[i]);
    for (unsigned i = 0; i < count && !se->last_counts; ++i)
        add_share(&shares, parts[i].value, parts[i].more, parts[i].share);
    if (!se->last_counts) {
        set_share(&shares, out);
    } else {
        out->value = parts[count - 1].value;
        out->more = parts[count - 1].more;
    }
}

void wfi_sum_join(const struct wfi_series *se, struct wfi_sum *to, const struct wfi_sum *s) {
    bool same = s->value == to->value;
    join_sum(to, s);
    if (same) to->share += s->share;
    if (!se->last_counts && (same || s->share <= to->share)) return;
    to->share = s->share;
    to->value = s->value;
    to->more = s->more;
}

// ---- pages

static uint64_t zigzag(uint64_t v) { return v << 1 ^ (0 - (v >> 63)); }
static uint64_t unzigzag(uint64_t v) { return v >> 1 ^ (0 - (v & 1)); }

static uint8_t *put_slices(const struct wfi_slice *s, const struct wfi_sum *group, uint8_t *p) {
    uint64_t end = group->begin, value = (uint64_t)group->value;
    for (unsigned i = 0; i < WFI_TL_WAYS; ++i, ++s) {
        p = wfi_put_varint(p, s->end - end);
        p = wfi_put_varint(p, s->end - s->begin);
        p = wfi_put_varint(p, zigzag((uint64_t)s->value - value));
        p = wfi_put_varint(p, (uint64_t)s->more << FLAG_BITS | s->flags);
        end = s->end;
        value = (uint64_t)s->value;
    }
    return p;
}

static uint8_t *put_group(const struct wfi_sum *g, uint64_t before, size_t len, uint8_t *p) {
    p = wfi_put_varint(p, len);
    p = wfi_put_varint(p, g->end - before);
    p = wfi_put_varint(p, g->end - g->begin);
    p = wfi_put_varint(p, g->busy);
    p = wfi_put_varint(p, g->longest);
    p = wfi_put_varint(p, g->share);
    p = wfi_put_varint(p, zigzag((uint64_t)g->value));
    p = wfi_put_varint(p, (uint64_t)g->value - (uint64_t)g->min);
    p = wfi_put_varint(p, (uint64_t)g->max - (uint64_t)g->value);
    return wfi_put_varint(p, g->more);
}

size_t wfi_page_encode(const struct wfi_slice *slices, const struct wfi_sum *groups, uint8_t *out) {
    uint8_t body[WFI_TL_PAGE * 4 * 10], *b = body, *p = out;
    uint64_t end = 0;
    for (unsigned g = 0; g < WFI_TL_GROUPS; ++g) {
        uint8_t *from = b;
        b = put_slices(&slices[g * WFI_TL_WAYS], &groups[g], b);
        p = put_group(&groups[g], end, (size_t)(b - from), p);
        end = groups[g].end;
    }
    memcpy(p, body, (size_t)(b - body));
    return (size_t)(p - out) + (size_t)(b - body);
}

bool wfi_page_decode_groups(const uint8_t *bytes, size_t len, struct wfi_sum *groups) {
    struct wfi_cursor r = {bytes, bytes + len, false};
    uint64_t end = 0, at = 0;
    for (unsigned i = 0; i < WFI_TL_GROUPS && !r.bad; ++i) {
        struct wfi_sum *g = &groups[i];
        g->len = (uint32_t)wfi_take_varint(&r);
        g->at = at;
        at += g->len;
        g->end = end += wfi_take_varint(&r);
        g->begin = g->end - wfi_take_varint(&r);
        g->busy = wfi_take_varint(&r);
        g->longest = wfi_take_varint(&r);
        g->share = wfi_take_varint(&r);
        uint64_t value = unzigzag(wfi_take_varint(&r));
        g->value = (int64_t)value;
        g->min = (int64_t)(value - wfi_take_varint(&r));
        g->max = (int64_t)(value + wfi_take_varint(&r));
        g->more = (uint32_t)wfi_take_varint(&r);
        g->mask = UINT64_MAX;
        g->count = WFI_TL_WAYS;
    }
    uint64_t head = (uint64_t)(r.p - bytes);
    for (unsigned i = 0; i < WFI_TL_GROUPS; ++i) groups[i].at += head;
    return !r.bad && head + at == len;
}

bool wfi_page_decode_slices(const uint8_t *bytes, const struct wfi_sum *group,
                            struct wfi_slice *s) {
    struct wfi_cursor r = {bytes + group->at, bytes + group->at + group->len, false};
    uint64_t end = group->begin, value = (uint64_t)group->value;
    for (unsigned i = 0; i < WFI_TL_WAYS; ++i, ++s) {
        end += wfi_take_varint(&r);
        s->end = end;
        s->begin = end - wfi_take_varint(&r);
        value += unzigzag(wfi_take_varint(&r));
        s->value = (int64_t)value;
        uint64_t rest = wfi_take_varint(&r);
        s->more = (uint32_t)(rest >> FLAG_BITS);
        s->flags = (uint32_t)rest & WFI_TL_CUTS;
    }
    return !r.bad && r.p == r.end;
}
