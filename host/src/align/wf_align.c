// SPDX-License-Identifier: MIT
// Events of two directions limit the line from both sides. With events of one direction alone only
// one side is limited: blocks that were received say that the target's time is not later. The other
// side then comes from the spread of the delays: the time is divided into windows, and of the three
// quarters of them with the shortest delays it is assumed that these delays are at most `shortest`
// plus twice the deviation between those windows. A slow start or a slow part is so left out.

#include <math.h>
#include <stdlib.h>

#include "wfi_align.h"

enum { WINDOW_EVENTS = 8 }; // least number of events in a window
static const double good_windows = 0.75, usual_delays = 0.75;

struct wf_align {
    struct wfi_cloud after, before, same;
    bool begun;
    int64_t x0, d0; // of the first event; points are relative to it
    double from, until;
    struct wf_align_result result;
    struct wfi_line line;     // ONE, FEW
    struct wfi_limits limits; // bounded
};

static const char *const basis_names[WF_ALIGN_BASES] = {
    "nothing", "one", "few", "same", "one-way", "stated", "both-ways", "contrary"};

const char *wf_align_basis_name(enum wf_align_basis basis) {
    return (unsigned)basis < WF_ALIGN_BASES ? basis_names[basis] : basis_names[0];
}

struct wf_align *wf_align_open(void) {
    return calloc(1, sizeof(struct wf_align));
}

void wf_align_close(struct wf_align *a) { free(a); }

// ---- events

static bool is_in_range(int64_t t) {
    const int64_t most = INT64_C(1) << 60;
    return t > -most && t < most;
}

static void add_event(struct wf_align *a, struct wfi_cloud *c, int64_t x, int64_t y) {
    if (!is_in_range(x) || !is_in_range(y)) return;
    if (!a->begun) {
        a->begun = true;
        a->x0 = x;
        a->d0 = y - x;
        a->from = a->until = 0;
    }
    double at = (double)(x - a->x0);
    a->from = fmin(a->from, at);
    a->until = fmax(a->until, at);
    wfi_cloud_add(c, at, (double)(y - x - a->d0));
}

void wf_align_after(struct wf_align *a, int64_t x, int64_t y) { add_event(a, &a->after, x, y); }
void wf_align_before(struct wf_align *a, int64_t x, int64_t y) { add_event(a, &a->before, x, y); }
void wf_align_same(struct wf_align *a, int64_t x, int64_t y) { add_event(a, &a->same, x, y); }

// ---- delays in one direction

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

// Sorts the distances of points from the line and returns the one below which `part` of them are.
static double quantile_of(const struct wfi_point *points, size_t count, int sign,
                          const struct wfi_line *l, double part, double *room) {
    for (size_t i = 0; i < count; ++i) room[i] = sign * (points[i].d - wfi_line_at(l, points[i].x));
    qsort(room, count, sizeof *room, compare_doubles);
    return fmax(0, room[(size_t)((double)(count - 1) * part)]);
}

// The delays of a direction (sign 1: after).
struct delays {
    struct wfi_point least[WFI_ALIGN_WINDOWS]; // the shortest of each window
    size_t count;
    double deviation; // of three quarters of them from the line
    double usual;     // three of four delays exceed the line by less
    struct wfi_line line;
    int sign;
};

static void measure_delays(struct wfi_cloud *c, int sign, struct delays *m) {
    double room[WFI_ALIGN_SAMPLE];
    uint64_t windows = c->added / WINDOW_EVENTS;
    if (windows > WFI_ALIGN_WINDOWS) windows = WFI_ALIGN_WINDOWS;
    m->sign = sign;
    m->line = wfi_line_along(c->points, c->count, sign);
    m->count = wfi_window_least(c->points, c->count, sign, &m->line, (unsigned)windows, m->least);
    m->deviation = quantile_of(m->least, m->count, sign, &m->line, good_windows, room);
    m->usual = quantile_of(c->sample, c->sampled, sign, &m->line, usual_delays, room);
}

// Appends the points that the shortest delays give for the other direction, to `points`.
static size_t add_assumed(const struct delays *m, double shortest, struct wfi_point *points,
                          size_t count) {
    for (size_t i = 0; i < m->count; ++i) {
        const struct wfi_point *p = &m->least[i];
        if (m->sign * (p->d - wfi_line_at(&m->line, p->x)) > m->deviation) continue;
        points[count++] = (struct wfi_point){p->x, p->d - m->sign * (shortest + 2 * m->deviation)};
    }
    return count;
}

// The shortest delay is not above that of an exchange in both directions.
static double measured_shortest(const struct delays *m, const struct wfi_cloud *other) {
    double least = INFINITY;
    for (size_t i = 0; i < other->count; ++i) {
        const struct wfi_point *p = &other->points[i];
        least = fmin(least, m->sign * (wfi_line_at(&m->line, p->x) - p->d));
    }
    return fmax(0, least);
}

// ---- results

static int compare_by_x(const void *a, const void *b) {
    const struct wfi_point *p = a, *q = b;
    return p->x < q->x ? -1 : p->x > q->x;
}

static bool agrees(const struct wfi_limits *m) {
    double low, high;
    for (size_t i = 0; i < m->highs + m->lows; ++i) {
        double x = i < m->highs ? m->high[i].x : m->low[i - m->highs].x;
        wfi_limits_at(m, x, &low, &high);
        if (low > high) return false;
    }
    return true;
}

// Bounds the line by sorted points of both sides.
static void bound_line(struct wf_align *a, const struct wfi_point *high, size_t highs,
                       const struct wfi_point *low, size_t lows, enum wf_align_basis basis) {
    struct wfi_limits *m = &a->limits;
    struct wf_align_result *r = &a->result;
    m->highs = wfi_hull(high, highs, 1, m->high, WFI_ALIGN_HULL);
    m->lows = wfi_hull(low, lows, -1, m->low, WFI_ALIGN_HULL);
    if (!wfi_limits_close(m) || !agrees(m)) {
        r->basis = WF_ALIGN_CONTRARY;
        return;
    }
    if (!isfinite(m->slope_min) || !isfinite(m->slope_max)) return; // all at one time
    r->basis = basis;
    r->bounded = true;
    r->drift_min_ppm = m->slope_min * 1e6;
    r->drift_max_ppm = m->slope_max * 1e6;
    r->drift_ppm = (r->drift_min_ppm + r->drift_max_ppm) / 2;
}

static int solve_delays(struct wf_align *a, uint64_t stated) {
    bool mainly_after = a->after.added >= a->before.added;
    struct wfi_cloud *most = mainly_after ? &a->after : &a->before;
    struct wfi_cloud *other = mainly_after ? &a->before : &a->after;
    bool both = other->count > 0, enough = most->added >= WF_ALIGN_ONE_WAY_MIN;
    if (!both && !enough) return WF_OK;
    struct delays *m = calloc(1, sizeof *m);
    struct wfi_point *points = malloc((other->count + WFI_ALIGN_WINDOWS) * sizeof *points);
    if (m && points) {
        enum wf_align_basis basis = both     ? WF_ALIGN_BOTH_WAYS
                                    : stated ? WF_ALIGN_STATED
                                             : WF_ALIGN_ONE_WAY;
        size_t count = other->count;
        wfi_cloud_sort(most);
        wfi_cloud_sort(other);
        for (size_t i = 0; i < count; ++i) points[i] = other->points[i];
        if (enough) {
            measure_delays(most, mainly_after ? 1 : -1, m);
            double shortest = both     ? measured_shortest(m, other)
                              : stated ? (double)stated
                                       : m->usual;
            if (!both) a->result.shortest_ns = (uint64_t)shortest;
            count = add_assumed(m, shortest, points, count);
            qsort(points, count, sizeof *points, compare_by_x);
        }
        if (mainly_after)
            bound_line(a, most->points, most->count, points, count, basis);
        else
            bound_line(a, points, count, most->points, most->count, basis);
    }
    int err = m && points ? WF_OK : WF_ERR_NOMEM;
    free(points);
    free(m);
    return err;
}

static struct wfi_line mean_line(const struct wfi_point *points, size_t count) {
    double x = 0, d = 0, xx = 0, xd = 0;
    for (size_t i = 0; i < count; ++i) {
        x += points[i].x / (double)count;
        d += points[i].d / (double)count;
    }
    for (size_t i = 0; i < count; ++i) {
        xx += (points[i].x - x) * (points[i].x - x);
        xd += (points[i].x - x) * (points[i].d - d);
    }
    return (struct wfi_line){x, d, xx > 0 ? xd / xx : 0};
}

// The unknown delays of `same` are at most twice the largest deviation: they may all have one sign.
static int solve_same(struct wf_align *a) {
    struct wfi_cloud *c = &a->same;
    wfi_cloud_sort(c);
    a->line = mean_line(c->points, c->count);
    a->result.drift_ppm = a->line.slope * 1e6;
    a->result.basis = c->added > 1 ? WF_ALIGN_FEW : WF_ALIGN_ONE;
    if (c->added < WF_ALIGN_SAME_MIN) return WF_OK;
    struct wfi_point *low = malloc(2 * c->count * sizeof *low), *high = low + c->count;
    if (!low) return WF_ERR_NOMEM;
    double most = 0;
    for (size_t i = 0; i < c->count; ++i)
        most = fmax(most, fabs(c->points[i].d - wfi_line_at(&a->line, c->points[i].x)));
    double delay = 2 * most * (1 + 8.0 / (double)c->added) + 1;
    for (size_t i = 0; i < c->count; ++i) {
        low[i] = high[i] = c->points[i];
        low[i].d -= delay;
        high[i].d += delay;
    }
    bound_line(a, high, c->count, low, c->count, WF_ALIGN_SAME);
    free(low);
    return WF_OK;
}

int wf_align_solve(struct wf_align *a, const struct wf_align_options *options,
                   struct wf_align_result *result) {
    if (options && !options->size) return WF_ERR_USAGE;
    struct wf_align_result *r = &a->result;
    *r = (struct wf_align_result){.events = a->after.added + a->before.added + a->same.added,
                                  .from = a->x0 + (int64_t)a->from,
                                  .until = a->x0 + (int64_t)a->until};
    int err = a->same.count ? solve_same(a) : solve_delays(a, options ? options->shortest_ns : 0);
    *result = *r;
    return err;
}

// ---- conversions

// Gets d at x and its error.
static void find_difference(const struct wf_align *a, double x, double *d, double *error) {
    double low, high;
    if (!a->result.bounded) {
        *d = wfi_line_at(&a->line, x);
        *error = INFINITY;
        return;
    }
    wfi_limits_at(&a->limits, x, &low, &high);
    *d = (low + high) / 2;
    *error = (high - low) / 2;
}

static bool has_result(const struct wf_align *a) {
    return a->result.basis != WF_ALIGN_NOTHING && a->result.basis != WF_ALIGN_CONTRARY;
}

// Makes a time of zero + ns, where the zero is exact.
static struct wf_align_time make_time(int64_t zero, double ns, double error) {
    const double most = 0x1p62;
    struct wf_align_time t = {.known = fabs(ns) < most && llabs(zero) < INT64_C(1) << 62};
    if (!t.known) return t;
    t.ns = zero + (int64_t)floor(ns + 0.5);
    t.bounded = error < most;
    if (t.bounded) t.error_ns = (uint64_t)ceil(error) + 1;
    return t;
}

struct wf_align_time wf_align_to_y(const struct wf_align *a, int64_t x) {
    double d, error;
    if (!has_result(a) || !is_in_range(x)) return (struct wf_align_time){0};
    find_difference(a, (double)(x - a->x0), &d, &error);
    return make_time(x + a->d0, d, error);
}

struct wf_align_time wf_align_to_x(const struct wf_align *a, int64_t y) {
    enum { STEPS = 100 };
    double d = 0, error = 0, slope = a->result.bounded ? a->limits.slope_min : a->line.slope;
    if (!has_result(a) || !is_in_range(y) || slope <= -1) return (struct wf_align_time){0};
    int64_t zero = y - a->d0;
    for (unsigned i = 0; i < STEPS; ++i) { // converges at once, as drifts are small
        double before = d;
        find_difference(a, (double)(zero - a->x0) - d, &d, &error);
        if (fabs(d - before) < 0.5) return make_time(zero, -d, error / fmin(1, 1 + slope) + 1);
    }
    return (struct wf_align_time){0};
}

int wf_align_order(const struct wf_align_time *a, const struct wf_align_time *b) {
    if (!a->known || !b->known || !a->bounded || !b->bounded) return 0;
    uint64_t error = a->error_ns + b->error_ns;
    if (a->ns < b->ns && (uint64_t)b->ns - (uint64_t)a->ns > error) return -1;
    return a->ns > b->ns && (uint64_t)a->ns - (uint64_t)b->ns > error ? 1 : 0;
}
