// SPDX-License-Identifier: MIT
// Events of an alignment, and the lines that agree with them. A point is (x, d) with d = y - x: of
// two good clocks d is small and nearly constant, so that doubles hold it exactly enough.
#ifndef WFI_ALIGN_H
#define WFI_ALIGN_H

#include "wallfly_host/wf_align.h"

enum {
    WFI_ALIGN_POINTS = 4096, // of a direction; above it they are thinned
    WFI_ALIGN_WINDOWS = 64,  // parts of the time, each with its shortest delay
    WFI_ALIGN_HULL = 256,    // corners
    WFI_ALIGN_SAMPLE = 1024,
};

struct wfi_point {
    double x, d;
};

// Points of a direction, and a sample of all that were added.
struct wfi_cloud {
    struct wfi_point points[WFI_ALIGN_POINTS], sample[WFI_ALIGN_SAMPLE];
    size_t count, sampled;
    uint64_t added, stride; // one of `stride` is in the sample
};

struct wfi_line {
    double x, d, slope; // d at x
};
static inline double wfi_line_at(const struct wfi_line *l, double x) {
    return l->d + l->slope * (x - l->x);
}

// Corners of the limits: lines lie below those of `high` and above those of `low`.
struct wfi_limits {
    struct wfi_point high[WFI_ALIGN_HULL], low[WFI_ALIGN_HULL];
    size_t highs, lows;
    double slope_min, slope_max;
};

void wfi_cloud_add(struct wfi_cloud *c, double x, double d);
void wfi_cloud_sort(struct wfi_cloud *c);

// Reduces sorted points to the corners of their hull, seen from below (sign 1) or above (-1).
// Returns their number, at most `cap`; leaving out corners only widens the limits.
size_t wfi_hull(const struct wfi_point *points, size_t count, int sign, struct wfi_point *hull,
                size_t cap);
// Returns the line below (sign -1: above) all points with the least mean distance: the edge of the
// hull over the middle of the time.
struct wfi_line wfi_line_along(const struct wfi_point *points, size_t count, int sign);
// Gets the point with the shortest distance from the line in each of `windows` equal parts of the
// time. Returns their number.
size_t wfi_window_least(const struct wfi_point *points, size_t count, int sign,
                        const struct wfi_line *l, unsigned windows, struct wfi_point *least);

// Sets the limits of the slope. Returns false when no line lies between the corners.
bool wfi_limits_close(struct wfi_limits *m);
// Gets the limits of d at x.
void wfi_limits_at(const struct wfi_limits *m, double x, double *low, double *high);

#endif
