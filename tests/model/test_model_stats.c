// SPDX-License-Identifier: MIT
// Random schedules of the simulated kernel with losses: what the observer of the statistics sees
// equals the rows, for each spread of each row. Usage: model_stats [SEEDS]

#include "trace.h"
#include "wallfly_host/wf_stats.h"

enum { ROWS = 1 << 16 };

static struct sum {
    uint64_t count, open, in_holes, min, max;
    double total;
} sums[ROWS][7];
static uint64_t seen[WF_SPREADS], parts[4];

// The place of a spread among those of its row.
static unsigned place_of(enum wf_stats_spread spread) {
    if (spread <= WF_SPREAD_RUN) return spread - WF_SPREAD_RESPONSE;
    if (spread <= WF_SPREAD_BYTES) return spread - WF_SPREAD_HELD;
    if (spread <= WF_SPREAD_IRQ_PERIOD) return spread - WF_SPREAD_IRQ_DURATION;
    return 0;
}

static void observe(void *ctx, const struct wf_stats_interval *i) {
    (void)ctx;
    assert_true(i->row < ROWS && i->spread < WF_SPREADS && i->part <= WF_PART_UNCOUNTED);
    assert_true(i->from <= i->to);
    struct sum *s = &sums[i->row][place_of(i->spread)];
    ++seen[i->spread];
    ++parts[i->part];
    s->open += i->part == WF_PART_OPEN;
    s->in_holes += i->part == WF_PART_IN_HOLE;
    if (i->part != WF_PART_WHOLE) return;
    if (s->count == 0 || i->value < s->min) s->min = i->value;
    if (s->count == 0 || i->value > s->max) s->max = i->value;
    ++s->count;
    s->total += (double)i->value;
}

static void compare_row(const struct wf_stats_row *row) {
    unsigned n = 0;
    for (unsigned i = 0; i < row->count; ++i) {
        const struct wf_figure *f = &row->figures[i];
        if (f->form != WF_FIGURE_SPREAD) continue;
        const struct sum *s = &sums[row->number][n++];
        double error = f->mean * f->count - s->total;
        if (f->count != (double)s->count || f->open != (double)s->open ||
            f->in_holes != (double)s->in_holes || f->min != (double)s->min ||
            f->max != (double)s->max || error > 0.01 || error < -0.01)
            fail_msg("seed %u: %s of %s: %.0f, observed %lu", trace.kernel.options.seed, f->name,
                     row->name ? row->name : row->task, f->count, (unsigned long)s->count);
    }
}

static void feed_lossy(struct wf_session *s, struct wf_stats *st, unsigned rate) {
    struct wf_item item;
    for (unsigned i = 0, gone = 0; i < trace.frames; ++i) {
        size_t end = i + 1 < trace.frames ? trace.frame[i + 1] : trace.len;
        if (!gone && rate && i > trace.first_safe && rnd(rate) == 0) gone = 1 + rnd(40);
        if (gone && --gone) continue;
        wf_session_feed(s, trace.bytes + trace.frame[i], end - trace.frame[i]);
        while (wf_session_next(s, &item)) wf_stats_take(st, &item);
    }
    wf_session_end(s);
    while (wf_session_next(s, &item)) wf_stats_take(st, &item);
    wf_stats_end(st);
}

static void sums_equal_rows(void **state) {
    (void)state;
    for (uint32_t seed = 1; seed <= seeds; ++seed) {
        struct wf_session_options options = {.size = sizeof options};
        struct wf_stats_row row;
        struct wf_stats_options o = {.size = sizeof o,
                                     .single = true,
                                     .priorities = WF_PRIORITIES_HIGH,
                                     .on_interval = observe,
                                     .has_from = seed % 3 == 0,
                                     .has_until = seed % 3 == 0,
                                     .from_s = 0.001,
                                     .until_s = 0.004};
        begin(seed, 1 << 14);
        kernel_start(&trace.kernel);
        trace.first_safe = trace.frames;
        go(EVENTS);
        memset(sums, 0, sizeof sums);
        struct wf_session *s = wf_session_open(&options, NULL);
        struct wf_stats *st = wf_stats_open(s, &o, NULL);
        feed_lossy(s, st, seed % 2 ? 0 : 300);
        assert_int_equal(wf_stats_error(st), WF_OK);
        for (uint64_t at = 0; wf_stats_next(st, &at, &row);)
            if (row.kind != WF_STATS_CORE) compare_row(&row);
        wf_stats_close(st);
        wf_session_close(s);
    }
    // The kernel has no state machines and no heaps.
    for (unsigned i = 0; i < WF_SPREADS; ++i)
        if (i != WF_SPREAD_STEP && i != WF_SPREAD_BYTES) assert_true(seen[i] > 0);
    for (unsigned i = 0; i < 4; ++i) assert_true(parts[i] > 0);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sums_equal_rows)};
    read_arguments(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
