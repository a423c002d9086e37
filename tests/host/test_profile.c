// SPDX-License-Identifier: MIT
// Profiles: blocks against a count of every interval, bytes written and read back, joined traces,
// and damaged bytes.

#include <zstd.h>

#include "profile/wfi_profile.h"
#include "profile/wfi_profile_bytes.h"
#include "util/wfi_cursor.h"
#include "wf_test_profile.h"

static const struct schedule usual = {.seed = 3, .ticks = 500000};

// ---- comparing

static bool near(double a, double b) { return fabs(a - b) <= 1e-9 * (fabs(a) + fabs(b)); }

static void expect_figure(const struct wf_figure *a, const struct wf_figure *b) {
    assert_string_equal(a->name, b->name);
    assert_true(a->unit == b->unit && a->form == b->form && a->known == b->known);
    assert_true(near(a->value, b->value) && near(a->mean, b->mean));
    if (a->form == WF_FIGURE_ONE) return;
    assert_true(a->count == b->count && a->min == b->min && a->max == b->max);
    assert_true(a->p50 == b->p50 && a->p95 == b->p95 && a->p99 == b->p99);
    assert_true(a->open == b->open && a->in_holes == b->in_holes);
}

static bool same_texts(const struct wf_stats_row *a, const struct wf_stats_row *b) {
    const char *x[] = {a->name, a->what, a->task, a->object, a->by, a->over};
    const char *y[] = {b->name, b->what, b->task, b->object, b->by, b->over};
    for (unsigned i = 0; i < 6; ++i) {
        if (!x[i] != !y[i] || (x[i] && strcmp(x[i], y[i]) != 0)) return false;
    }
    return a->kind == b->kind && a->core == b->core;
}

// Returns the row of `in` with the texts of `like`.
static struct wf_stats_row find_row(const struct wf_profile *in, const struct wf_stats_row *like) {
    struct wf_stats_row row;
    unsigned lane;
    for (uint64_t at = 0; wf_profile_next(in, &at, &lane, &row);) {
        if (same_texts(&row, like)) return row;
    }
    fail_msg("no row %s %s", wf_stats_kind_names[like->kind], like->name ? like->name : "");
    return row;
}

static size_t expect_same(const struct wf_profile *a, const struct wf_profile *b) {
    struct wf_stats_row row;
    unsigned lane;
    size_t figures = 0;
    for (uint64_t at = 0; wf_profile_next(a, &at, &lane, &row);) {
        struct wf_stats_row other = find_row(b, &row);
        assert_true(row.marked == other.marked && row.tasks == other.tasks);
        assert_int_equal(row.count, other.count);
        for (unsigned i = 0; i < row.count; ++i, ++figures)
            expect_figure(&row.figures[i], &other.figures[i]);
    }
    return figures;
}

static double number_in(const struct wf_blocks *b, unsigned block) {
    double count = 0;
    for (size_t i = 0; b && i < b->used; ++i)
        count += b->entries[i].block == block ? (double)b->entries[i].count : 0;
    return count;
}

// ---- statistics and their observer

// Values of t1's responses: when they ended, and how long they were.
struct seen {
    uint64_t to[8192], value[8192];
    size_t count;
};

static void see(void *ctx, const struct wf_stats_interval *i) {
    struct seen *s = ctx;
    if (i->part != WF_PART_WHOLE || i->task->key != schedule_key(1)) return;
    assert_true(s->count < 8192);
    s->to[s->count] = i->to;
    s->value[s->count++] = i->value;
}

static struct wf_profile *observed(const struct schedule *o, struct seen *seen) {
    const struct wf_session_options options = {
        .size = sizeof options, .dialect = WF_DIALECT_WALLFLY, .hz = 1000000};
    const struct wf_stats_options stats = {.size = sizeof stats,
                                           .blocks = true,
                                           .on_interval = see,
                                           .ctx = seen,
                                           .spreads = 1u << WF_SPREAD_RESPONSE};
    return profile_with(o, 0, &options, &stats);
}

static void blocks_hold_the_intervals_that_end_in_them(void **unused) {
    (void)unused;
    static struct seen seen;
    for (uint32_t ticks = 3000; ticks < 4000000; ticks = ticks * 5 / 3) {
        const struct schedule o = {.seed = ticks, .ticks = ticks, .phases = 0.2};
        seen.count = 0;
        struct wf_profile *p = observed(&o, &seen);
        const struct wfi_profile_lane *l = &p->lanes[0];
        const struct wf_stats_row like = {
            .kind = WF_STATS_TASK, .name = "t1", .task = "t1", .core = -1};
        struct wf_stats_row row = find_row(p, &like);
        const struct wf_figure *f = &row.figures[7];
        assert_string_equal(f->name, "response");
        assert_true(l->count >= 17 && l->count <= 32);
        uint64_t begin = 0, values = 0;
        for (unsigned b = 0; b < l->count; begin += l->ticks[b++]) {
            double count = 0, sum = 0;
            uint64_t end = b + 1 == l->count ? UINT64_MAX : begin + l->ticks[b];
            for (size_t i = 0; i < seen.count; ++i) {
                if (seen.to[i] < begin || seen.to[i] >= end) continue;
                ++count;
                sum += (double)seen.value[i];
            }
            assert_true(number_in(f->blocks, b) == count && f->blocks->sum[b] == sum);
            values += (uint64_t)count;
        }
        assert_true(begin == l->is.ticks && (double)values == f->count && values > 0);
        wf_profile_close(p);
    }
}

// All blocks of all figures together are the whole.
static void expect_totals(const struct wf_profile *p) {
    struct wf_stats_row row;
    unsigned lane;
    for (uint64_t at = 0; wf_profile_next(p, &at, &lane, &row);) {
        for (unsigned i = 0; i < row.count; ++i) {
            const struct wf_figure *f = &row.figures[i];
            double sum = 0, count = 0;
            if (!f->blocks) continue;
            for (unsigned b = 0; b < WFI_BLOCKS; ++b) {
                sum += f->blocks->sum[b];
                count += number_in(f->blocks, b);
            }
            if (f->form == WF_FIGURE_SPREAD)
                assert_true(count == f->count && near(sum, f->mean * f->count));
            if (f->form == WF_FIGURE_ONE) assert_true(sum == f->value);
            assert_true(f->blocks->used <= WFI_BLOCK_ENTRIES ||
                        f->blocks->shift == WFI_BLOCK_SHIFTS);
        }
    }
}

static void blocks_add_up(void **unused) {
    (void)unused;
    struct schedule o = usual;
    for (o.seed = 1; o.seed < 8; ++o.seed) {
        o.lost = o.seed % 2 * 5;
        struct wf_profile *p = profile_of(&o);
        expect_totals(p);
        wf_profile_close(p);
    }
}

// A task of this name for each of many jobs; `other` stays alive.
static void put_children(struct bench *b, unsigned count) {
    PUT(b, "task_create", B, 2);
    put_name(&b->stream, B, "other");
    for (unsigned i = 0; i < count; ++i) {
        const uint32_t key = 0x1000 + 16 * i;
        b->clock = 1000 * (i + 1);
        PUT(b, "task_create", key, 1);
        put_name(&b->stream, key, "child");
        PUT(b, "task_ready", key, 0);
        PUT(b, "task_switch", key, LEFT, 0);
        b->clock += 100 + i;
        PUT(b, "task_switch", B, ENDED, 0);
    }
}

static void ended_tasks_with_one_name_share_blocks(void **unused) {
    (void)unused;
    struct bench *b = open_bench();
    struct wf_item item;
    const struct wf_stats_options options = {.size = sizeof options, .blocks = true};
    struct wf_stats *st = wf_stats_open(b->s, &options, NULL);
    struct wf_profile *p = wf_profile_open(NULL);
    put_children(b, 60);
    wf_session_feed(b->s, b->stream.bytes, b->stream.len);
    while (wf_session_next(b->s, &item)) wf_stats_take(st, &item);
    wf_stats_end(st);
    assert_int_equal(wf_profile_add(p, st, 0, NULL), WF_OK);
    const struct wf_stats_row like = {
        .kind = WF_STATS_TASK, .name = "child", .task = "child", .core = -1};
    struct wf_stats_row row = find_row(p, &like);
    assert_int_equal(row.tasks, 60);
    assert_true(row.figures[8].count == 60 && strcmp(row.figures[8].name, "execution") == 0);
    for (unsigned block = 0; block < p->lanes[0].count; ++block) {
        const struct wf_blocks *execution = row.figures[8].blocks, *run = row.figures[13].blocks;
        assert_true(execution->sum[block] == run->sum[block] && run->sum[block] > 0);
        assert_true(number_in(execution, block) == number_in(run, block));
    }
    expect_totals(p);
    wf_profile_close(p);
    wf_stats_close(st);
    close_bench(b);
}

static void statistics_without_blocks_are_refused(void **unused) {
    (void)unused;
    struct bench *b = open_bench();
    const struct wf_stats_options options = {.size = sizeof options};
    struct wf_stats *st = wf_stats_open(b->s, &options, NULL);
    struct wf_profile *p = wf_profile_open(NULL);
    struct wf_error error;
    wf_stats_end(st);
    assert_int_equal(wf_profile_add(p, st, 0, &error), WF_ERR_USAGE);
    assert_string_equal(error.text, "the statistics have no blocks for a profile");
    wf_profile_close(p);
    wf_stats_close(st);
    close_bench(b);
}

// ---- bytes

static void written_profiles_are_read_the_same(void **unused) {
    (void)unused;
    struct schedule o = usual;
    for (o.seed = 1; o.seed < 6; ++o.seed) {
        o.constant = o.seed == 4;
        o.lost = o.seed == 5 ? 20 : 0;
        size_t len, again;
        struct wf_error error;
        struct wf_profile *p = profile_of(&o);
        uint8_t *bytes = wf_profile_write(p, &len, NULL);
        assert_true(wf_profile_is(bytes, len) && !wf_profile_is(bytes, 7));
        struct wf_profile *q = wf_profile_read(bytes, len, &error);
        assert_non_null(q);
        assert_true(expect_same(p, q) > 100 && expect_same(q, p) > 100);
        uint8_t *same = wf_profile_write(q, &again, NULL);
        assert_int_equal(len, again);
        assert_memory_equal(bytes, same, len);
        expect_totals(q);
        free(bytes);
        free(same);
        wf_profile_close(p);
        wf_profile_close(q);
    }
}

static void typical_profiles_are_small(void **unused) {
    (void)unused;
    const struct schedule o = {.seed = 1, .ticks = 20000000};
    size_t len;
    struct wf_profile *p = profile_of(&o);
    uint8_t *bytes = wf_profile_write(p, &len, NULL);
    printf("%zu bytes for %d tasks\n", len, SCHEDULE_TASKS);
    assert_true(len <= 4400 * SCHEDULE_TASKS); // docs/profile.md
    free(bytes);
    wf_profile_close(p);
}

static void expect_bad(const uint8_t *bytes, size_t len, const char *text) {
    struct wf_error error;
    struct guarded g = guard(bytes, len);
    assert_null(wf_profile_read(g.bytes, len, &error));
    assert_int_equal(error.code, WF_ERR_BAD_PROFILE);
    assert_non_null(strstr(error.text, text));
    unguard(&g);
}

static void cut_and_damaged_bytes_are_refused(void **unused) {
    (void)unused;
    size_t len;
    struct wf_profile *p = profile_of(&usual);
    uint8_t *bytes = wf_profile_write(p, &len, NULL);
    for (size_t cut = 0; cut < len; cut += cut < 64 ? 1 : 97)
        expect_bad(bytes, cut, cut < 8 ? "not a profile" : "cut");
    for (size_t at = WFI_PROFILE_HEAD; at < len; at += 101) {
        bytes[at] ^= 0x40;
        expect_bad(bytes, len, "damaged");
        bytes[at] ^= 0x40;
    }
    bytes[7] = 2;
    expect_bad(bytes, len, "version 2; this program reads version 1");
    free(bytes);
    wf_profile_close(p);
}

// The contents, without the checksum that finds damage.
static uint8_t *contents_of(const struct wf_profile *p, size_t *size) {
    size_t len;
    uint8_t *bytes = wf_profile_write(p, &len, NULL);
    *size = (size_t)wfi_load(bytes + 8, 4);
    uint8_t *contents = malloc(*size);
    assert_int_equal(
        ZSTD_decompress(contents, *size, bytes + WFI_PROFILE_HEAD, len - WFI_PROFILE_HEAD), *size);
    free(bytes);
    return contents;
}

static struct wf_profile *read_contents(const uint8_t *contents, size_t size,
                                        struct wf_error *error) {
    size_t cap = ZSTD_compressBound(size);
    uint8_t *bytes = calloc(1, WFI_PROFILE_HEAD + cap);
    memcpy(bytes, "wfstats\1", 8);
    wfi_put32(bytes + 8, (uint32_t)size);
    size_t len = ZSTD_compress(bytes + WFI_PROFILE_HEAD, cap, contents, size, 1);
    struct wf_profile *p = wf_profile_read(bytes, WFI_PROFILE_HEAD + len, error);
    free(bytes);
    return p;
}

// Valid contents that say something else are read and written without harm.
static void hostile_contents_do_no_harm(void **unused) {
    (void)unused;
    const struct schedule o = {.seed = 9, .ticks = 20000, .tasks = 2};
    size_t size, len;
    unsigned good = 0, bad = 0;
    struct wf_profile *p = profile_of(&o);
    uint8_t *contents = contents_of(p, &size);
    for (size_t at = 0; at < size; ++at) {
        static const uint8_t flips[] = {0x01, 0x7F, 0x80, 0xFF};
        const uint8_t was = contents[at];
        contents[at] = (uint8_t)(was ^ flips[at % 4]);
        struct wf_error error = {.code = WF_OK};
        struct wf_profile *q = read_contents(contents, size, &error);
        contents[at] = was;
        if (q) free(wf_profile_write(q, &len, NULL));
        if (!q) assert_true(error.code == WF_ERR_BAD_PROFILE && error.place == WF_AT_BYTE);
        good += q != NULL;
        bad += !q;
        wf_profile_close(q);
    }
    for (size_t cut = 0; cut < size; cut += 7) assert_null(read_contents(contents, cut, NULL));
    assert_true(good > 100 && bad > 100);
    free(contents);
    wf_profile_close(p);
}

// ---- joining

static struct wf_profile *joined(const struct wf_profile *a, const struct wf_profile *b) {
    struct wf_profile *p = wf_profile_open(NULL);
    assert_int_equal(wf_profile_join(p, a, NULL), WF_OK);
    assert_int_equal(wf_profile_join(p, b, NULL), WF_OK);
    return p;
}

static void joined_traces_have_the_values_of_both(void **unused) {
    (void)unused;
    const struct schedule one = {.seed = 1, .ticks = 300000, .tasks = 6};
    const struct schedule two = {.seed = 2, .ticks = 2000000, .tasks = 8, .constant = true};
    struct wf_profile *a = profile_of(&one), *b = profile_of(&two);
    struct wf_profile *ab = joined(a, b), *ba = joined(b, a);
    assert_true(expect_same(ab, ba) > 100 && expect_same(ba, ab) > 100);
    expect_totals(ab);
    expect_totals(ba);
    const struct wfi_profile_lane *l = &ab->lanes[0];
    assert_true(l->count > 16 && l->count <= 32);
    uint64_t ticks = 0;
    for (unsigned i = 0; i < l->count; ++i) ticks += l->ticks[i];
    assert_true(ticks == l->is.ticks && l->is.traces == 2);
    assert_int_equal(ticks, a->lanes[0].is.ticks + b->lanes[0].is.ticks);
    const struct wf_stats_row like = {
        .kind = WF_STATS_TASK, .name = "t3", .task = "t3", .core = -1};
    struct wf_stats_row x = find_row(a, &like), y = find_row(b, &like), z = find_row(ab, &like);
    for (unsigned i = 0; i < z.count; ++i) {
        const struct wf_figure *f = &x.figures[i], *g = &y.figures[i], *h = &z.figures[i];
        if (f->form == WF_FIGURE_SPREAD) assert_true(h->count == f->count + g->count);
        if (f->unit == WF_UNIT_COUNT) assert_true(h->value == f->value + g->value);
        if (f->unit == WF_UNIT_PERCENT)
            assert_true(h->value > fmin(f->value, g->value) && h->value < fmax(f->value, g->value));
    }
    wf_profile_close(a);
    wf_profile_close(b);
    wf_profile_close(ab);
    wf_profile_close(ba);
}

static void many_traces_stay_small(void **unused) {
    (void)unused;
    struct schedule o = {.ticks = 60000};
    struct wf_profile *p = wf_profile_open(NULL);
    size_t len = 0, once = 0;
    for (o.seed = 1; o.seed <= 50; ++o.seed) {
        struct wf_profile *one = profile_of(&o);
        assert_int_equal(wf_profile_join(p, one, NULL), WF_OK);
        wf_profile_close(one);
        if (o.seed == 5) free(wf_profile_write(p, &once, NULL));
    }
    free(wf_profile_write(p, &len, NULL));
    expect_totals(p);
    assert_true(p->lanes[0].is.traces == 50 && p->lanes[0].count > 16 && len < 3 * once);
    wf_profile_close(p);
}

static void lanes_are_kept_apart_and_other_rates_are_refused(void **unused) {
    (void)unused;
    struct wf_error error;
    struct wf_profile_lane lane;
    const struct wf_session_options other = {
        .size = sizeof other, .dialect = WF_DIALECT_WALLFLY, .hz = 32768};
    const struct wf_stats_options stats = {.size = sizeof stats, .blocks = true};
    struct wf_profile *a = profile_of_lane(&usual, 0), *b = profile_of_lane(&usual, 7);
    struct wf_profile *both = joined(a, b), *c = profile_with(&usual, 7, &other, &stats);
    assert_true(wf_profile_lane(both, 1, &lane) && lane.lane == 7 && lane.traces == 1);
    assert_true(!wf_profile_lane(both, 2, &lane));
    assert_int_equal(both->row_count, a->row_count + b->row_count);
    assert_int_equal(wf_profile_join(both, c, &error), WF_ERR_USAGE);
    assert_string_equal(error.text, "lane 7 has 1000000 ticks a second in one trace and 32768 in "
                                    "another; only traces with the same rate can be joined");
    wf_profile_close(a);
    wf_profile_close(b);
    wf_profile_close(c);
    wf_profile_close(both);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_hold_the_intervals_that_end_in_them),
        cmocka_unit_test(blocks_add_up),
        cmocka_unit_test(ended_tasks_with_one_name_share_blocks),
        cmocka_unit_test(statistics_without_blocks_are_refused),
        cmocka_unit_test(written_profiles_are_read_the_same),
        cmocka_unit_test(typical_profiles_are_small),
        cmocka_unit_test(cut_and_damaged_bytes_are_refused),
        cmocka_unit_test(hostile_contents_do_no_harm),
        cmocka_unit_test(joined_traces_have_the_values_of_both),
        cmocka_unit_test(many_traces_stay_small),
        cmocka_unit_test(lanes_are_kept_apart_and_other_rates_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
