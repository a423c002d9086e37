// SPDX-License-Identifier: MIT
// The most and the least busy ticks of sliding windows, in constant time for each busy time.

#include "wfi_check_load.h"

#include "util/wfi_grow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool append(struct wfi_slider *s, uint64_t from, uint64_t to) {
    if (s->first > 64 && s->first > s->count / 2) {
        memmove(s->at, s->at + s->first, (s->count - s->first) * sizeof *s->at);
        s->count -= s->first;
        s->begins -= s->first;
        s->ends -= s->first;
        s->first = 0;
    }
    if (!WFI_GROW(s->at, &s->cap, s->count + 1)) return false;
    s->at[s->count++] = (struct wfi_busy){from, to, s->total};
    return true;
}

bool wfi_slider_begin(struct wfi_slider *s, uint64_t origin) {
    memset(s, 0, sizeof *s);
    s->origin = origin;
    s->most = -INFINITY;
    s->least = INFINITY;
    return append(s, origin, origin); // for the window that begins here
}

bool wfi_slider_copy(struct wfi_slider *to, const struct wfi_slider *from) {
    *to = *from;
    to->at = malloc(from->count * sizeof *to->at);
    to->cap = to->at ? from->count : 0;
    if (!to->at) to->count = 0;
    if (to->at) memcpy(to->at, from->at, from->count * sizeof *to->at);
    return to->at != NULL;
}

void wfi_slider_close(struct wfi_slider *s) { free(s->at); }

static void measure(struct wfi_slider *s, uint64_t from, uint64_t to, uint64_t busy,
                    wfi_window_fn on, void *ctx) {
    const struct wfi_window w = {from, to, busy};
    if ((double)busy > s->most) s->most = (double)busy;
    if ((double)busy < s->least) s->least = (double)busy;
    if (on) on(ctx, &w);
}

// Measures the windows that begin at an edge and end in from..to, where `total` grows if busy.
static void measure_begun(struct wfi_slider *s, uint64_t window, uint64_t from, uint64_t to,
                          bool busy, wfi_window_fn on, void *ctx) {
    uint64_t total = busy ? s->total - (to - from) : s->total;
    for (; s->begins < s->count && s->at[s->begins].from + window <= to; ++s->begins) {
        const struct wfi_busy *b = &s->at[s->begins];
        uint64_t end = b->from + window, more = busy && end > from ? end - from : 0;
        measure(s, b->from, end, total + more - b->before, on, ctx);
    }
    for (; s->ends < s->count && s->at[s->ends].to + window <= to; ++s->ends) {
        const struct wfi_busy *b = &s->at[s->ends];
        uint64_t end = b->to + window, more = busy && end > from ? end - from : 0;
        measure(s, b->to, end, total + more - b->before - (b->to - b->from), on, ctx);
    }
}

// Measures the window that ends at `to`, the time up to which all is known.
static void measure_ended(struct wfi_slider *s, uint64_t window, uint64_t to, wfi_window_fn on,
                          void *ctx) {
    if (to < window || to - window < s->origin) return;
    uint64_t from = to - window;
    while (s->first + 1 < s->count && s->at[s->first].to <= from && s->first < s->begins &&
           s->first < s->ends)
        ++s->first;
    const struct wfi_busy *b = &s->at[s->first];
    uint64_t inside = from > b->from ? (from < b->to ? from : b->to) - b->from : 0;
    measure(s, from, to, s->total - b->before - inside, on, ctx);
}

bool wfi_slider_add(struct wfi_slider *s, uint64_t window, uint64_t from, uint64_t to,
                    wfi_window_fn on, void *ctx) {
    if (!s->count) return false; // out of memory at its begin
    struct wfi_busy *last = &s->at[s->count - 1];
    if (from < last->to) from = last->to;
    if (from >= to) return true;
    bool joins = from == last->to && last->to > last->from;
    if (window && !joins) {
        measure_begun(s, window, last->to, from, false, on, ctx);
        measure_ended(s, window, from, on, ctx);
    }
    if (joins)
        last->to = to;
    else if (!append(s, from, to))
        return false;
    s->total += to - from;
    if (!window) { // one window, of the whole range
        s->first = s->begins = s->ends = s->count - 1;
        return true;
    }
    measure_begun(s, window, from, to, true, on, ctx);
    measure_ended(s, window, to, on, ctx);
    return true;
}

void wfi_slider_end(struct wfi_slider *s, uint64_t window, uint64_t to, wfi_window_fn on,
                    void *ctx) {
    if (!s->count) return;
    const struct wfi_busy *last = &s->at[s->count - 1];
    if (!window) {
        if (to > s->origin) measure(s, s->origin, to, s->total, on, ctx);
        return;
    }
    if (to > last->to) measure_begun(s, window, last->to, to, false, on, ctx);
    measure_ended(s, window, to, on, ctx);
}
