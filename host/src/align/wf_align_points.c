// SPDX-License-Identifier: MIT
// Points, hulls and lines. A line that lies below all points of one kind and above all of the other
// is bounded by pairs of points: through a lower point p and an upper point q to its right no line
// is steeper than p-q, so beyond q none is higher than the extension of p-q.

#include <math.h>
#include <stdlib.h>

#include "wfi_align.h"

static int compare_points(const void *a, const void *b) {
    const struct wfi_point *p = a, *q = b;
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    return p->d < q->d ? -1 : p->d > q->d;
}

void wfi_cloud_sort(struct wfi_cloud *c) {
    qsort(c->points, c->count, sizeof *c->points, compare_points);
}

// ---- hull

// Returns whether b lies on the side of the hull's inside, or on the line from a to c.
static bool is_inside(const struct wfi_point *a, const struct wfi_point *b,
                      const struct wfi_point *c, int sign) {
    return sign * ((b->d - a->d) * (c->x - a->x) - (c->d - a->d) * (b->x - a->x)) >= 0;
}

// Leaves out every second corner but the first and the last.
static size_t thin_hull(struct wfi_point *hull, size_t count) {
    size_t n = 0;
    for (size_t i = 0; i < count; ++i) {
        if (i % 2 == 0 || i == count - 1) hull[n++] = hull[i];
    }
    return n;
}

size_t wfi_hull(const struct wfi_point *points, size_t count, int sign, struct wfi_point *hull,
                size_t cap) {
    size_t n = 0;
    for (size_t i = 0; i < count; ++i) {
        const struct wfi_point *p = &points[i];
        if (n && hull[n - 1].x == p->x) {
            if (sign * (p->d - hull[n - 1].d) >= 0) continue;
            --n;
        }
        while (n >= 2 && is_inside(&hull[n - 2], &hull[n - 1], p, sign)) --n;
        if (n == cap) n = thin_hull(hull, n);
        hull[n++] = *p;
    }
    return n;
}

struct wfi_line wfi_line_along(const struct wfi_point *points, size_t count, int sign) {
    struct wfi_point hull[WFI_ALIGN_HULL];
    size_t n = wfi_hull(points, count, sign, hull, WFI_ALIGN_HULL), i = 1;
    if (n < 2) return (struct wfi_line){n ? hull[0].x : 0, n ? hull[0].d : 0, 0};
    double middle = (hull[0].x + hull[n - 1].x) / 2;
    while (i < n - 1 && hull[i].x < middle) ++i;
    const struct wfi_point *p = &hull[i - 1], *q = &hull[i];
    return (struct wfi_line){p->x, p->d, (q->d - p->d) / (q->x - p->x)};
}

size_t wfi_window_least(const struct wfi_point *points, size_t count, int sign,
                        const struct wfi_line *l, unsigned windows, struct wfi_point *least) {
    double from = points[0].x, width = (points[count - 1].x - from) / windows;
    unsigned window = 0;
    size_t n = 0;
    for (size_t i = 0; i < count; ++i) {
        double at = width > 0 ? floor((points[i].x - from) / width) : 0;
        unsigned in = at < windows ? (unsigned)at : windows - 1;
        double far = sign * (points[i].d - wfi_line_at(l, points[i].x));
        if (n && in == window) {
            if (far < sign * (least[n - 1].d - wfi_line_at(l, least[n - 1].x)))
                least[n - 1] = points[i];
            continue;
        }
        window = in;
        least[n++] = points[i];
    }
    return n;
}

// ---- adding

// Keeps the corners of both hulls, and of many short windows the nearest to either side. So what
// decides the result stays.
static void thin_points(struct wfi_cloud *c) {
    enum { SHORT = 512 };
    struct wfi_point kept[2 * (WFI_ALIGN_HULL + SHORT)];
    size_t n = 0;
    wfi_cloud_sort(c);
    for (int sign = -1; sign <= 1; sign += 2) {
        struct wfi_line l = wfi_line_along(c->points, c->count, sign);
        n += wfi_hull(c->points, c->count, sign, kept + n, WFI_ALIGN_HULL);
        n += wfi_window_least(c->points, c->count, sign, &l, SHORT, kept + n);
    }
    for (size_t i = 0; i < n; ++i) c->points[i] = kept[i];
    c->count = n;
}

static void add_to_sample(struct wfi_cloud *c, const struct wfi_point *p) {
    if (!c->stride) c->stride = 1;
    if (c->added % c->stride) return;
    if (c->sampled == WFI_ALIGN_SAMPLE) {
        c->sampled = WFI_ALIGN_SAMPLE / 2;
        for (size_t i = 0; i < c->sampled; ++i) c->sample[i] = c->sample[2 * i];
        c->stride *= 2;
        if (c->added % c->stride) return;
    }
    c->sample[c->sampled++] = *p;
}

void wfi_cloud_add(struct wfi_cloud *c, double x, double d) {
    const struct wfi_point p = {x, d};
    if (c->count == WFI_ALIGN_POINTS) thin_points(c);
    c->points[c->count++] = p;
    add_to_sample(c, &p);
    ++c->added;
}

// ---- limits

bool wfi_limits_close(struct wfi_limits *m) {
    m->slope_min = -INFINITY;
    m->slope_max = INFINITY;
    for (size_t i = 0; i < m->highs; ++i) {
        for (size_t k = 0; k < m->lows; ++k) {
            const struct wfi_point *q = &m->high[i], *p = &m->low[k];
            double slope = (q->d - p->d) / (q->x - p->x);
            if (q->x == p->x && q->d < p->d) return false;
            if (q->x > p->x) m->slope_max = fmin(m->slope_max, slope);
            if (q->x < p->x) m->slope_min = fmax(m->slope_min, slope);
        }
    }
    return m->slope_min <= m->slope_max;
}

// Returns the limit by corners of one kind (sign 1: above the line).
static double limit_of(const struct wfi_limits *m, const struct wfi_point *corners, size_t count,
                       int sign, double x) {
    double least = INFINITY;
    for (size_t i = 0; i < count; ++i) {
        double away = x - corners[i].x; // beyond a corner the line has its steepest slope
        double slope = sign * away > 0 ? m->slope_max : m->slope_min;
        double d = away == 0 ? corners[i].d : corners[i].d + slope * away;
        least = fmin(least, sign * d);
        if (i && corners[i - 1].x <= x && x <= corners[i].x) {
            double part = (x - corners[i - 1].x) / (corners[i].x - corners[i - 1].x);
            d = corners[i - 1].d + part * (corners[i].d - corners[i - 1].d);
            least = fmin(least, sign * d);
        }
    }
    return sign * least;
}

void wfi_limits_at(const struct wfi_limits *m, double x, double *low, double *high) {
    *high = limit_of(m, m->high, m->highs, 1, x);
    *low = limit_of(m, m->low, m->lows, -1, x);
}
