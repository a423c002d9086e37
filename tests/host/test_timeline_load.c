// SPDX-License-Identifier: MIT
// The load of cores: in any window the figures are those of statistics of that window, also with
// losses, of several cores, and in a trace that is too long to keep each switch.

#include "wf_test_profile.h"
#include "wf_test_timeline.h"

enum { WINDOWS = 8, CORES = 2 };

struct loaded {
    struct wf_session *s;
    struct wf_sinks *group;
    struct wf_timeline *t;
    struct wf_stats *st[WINDOWS];
    uint64_t from[WINDOWS], until[WINDOWS];
    struct stream stream;
    struct test_store store;
    const struct schedule *o;
    uint64_t random;
};

static uint64_t random_below(struct loaded *l, uint64_t most) {
    l->random = l->random * 6364136223846793005u + 1442695040888963407u;
    return (l->random >> 33) % most;
}

static void open_loaded(struct loaded *l, uint64_t length) {
    const struct wf_session_options options = {.size = sizeof options,
                                               .dialect = WF_DIALECT_WALLFLY};
    struct wf_timeline_options line = {.size = sizeof line};
    l->s = wf_session_open(&options, NULL);
    l->group = wf_sinks_open(l->s);
    line.sinks = l->group;
    line.store = (struct wf_timeline_store){&l->store, test_write, test_read};
    l->t = wf_timeline_open(l->s, &line, NULL);
    assert_non_null(l->t);
    for (unsigned i = 0; i < WINDOWS; ++i) {
        struct wf_stats_options o = {.size = sizeof o, .sinks = l->group, .target_clock = true};
        l->from[i] = random_below(l, length);
        l->until[i] = l->from[i] + 1 + random_below(l, length / 4);
        o.has_from = o.has_until = true;
        o.from_s = (double)l->from[i]; // ticks, as the rate is not known
        o.until_s = (double)l->until[i];
        l->st[i] = wf_stats_open(l->s, &o, NULL);
        assert_non_null(l->st[i]);
    }
}

static void take_loaded(struct loaded *l) {
    struct wf_item item;
    wf_session_feed(l->s, l->stream.bytes, l->stream.len);
    while (wf_session_next(l->s, &item)) wf_sinks_item(l->group, &item);
    l->stream.len = 0;
}

static void put_loaded(void *ctx, uint32_t now, const char *name, const uint64_t *values) {
    struct loaded *l = ctx;
    uint8_t payload[64];
    const struct wf_row *row = profiled_row(name);
    if (l->o && random_below(l, 10000) < l->o->lost) {
        ++l->stream.seq;
        return;
    }
    put_frame(&l->stream, row->id, payload, pack(payload, row, now, values));
    if (l->stream.len > sizeof l->stream.bytes - 1024) take_loaded(l);
}

static void close_loaded(struct loaded *l) {
    assert_int_equal(wf_timeline_error(l->t), WF_OK);
    wf_timeline_close(l->t);
    for (unsigned i = 0; i < WINDOWS; ++i) wf_stats_close(l->st[i]);
    wf_sinks_close(l->group);
    wf_session_close(l->s);
    free(l->store.bytes);
    free(l);
}

static uint64_t figure(const struct wf_stats_row *row, const char *name) {
    for (unsigned i = 0; i < row->count; ++i) {
        if (strcmp(row->figures[i].name, name) == 0) return (uint64_t)row->figures[i].value;
    }
    fail_msg("no figure %s", name);
    return 0;
}

struct sums {
    uint64_t tasks, irqs, idle;
};

// The ticks of a task or an interrupt of a core among the loads.
static uint64_t ticks_of(struct loaded *l, const struct wf_load *loads, size_t n,
                         enum wf_entity_kind kind, uint64_t key) {
    uint64_t sum = 0;
    for (size_t i = 0; i < n; ++i) {
        struct wf_entity of;
        wf_timeline_entity(l->t, loads[i].entity, &of);
        if (of.kind == kind && of.key == key) sum += loads[i].ticks;
    }
    return sum;
}

static struct sums sums_of(struct loaded *l, const struct wf_load *loads, size_t n) {
    struct sums s = {0, 0, 0};
    for (size_t i = 0; i < n; ++i) {
        struct wf_entity of;
        wf_timeline_entity(l->t, loads[i].entity, &of);
        uint64_t *to = of.kind == WF_ENTITY_TASK  ? &s.tasks
                       : of.kind == WF_ENTITY_IRQ ? &s.irqs
                                                  : &s.idle;
        *to += loads[i].ticks;
    }
    return s;
}

// Returns how many figures were compared.
static unsigned compare_window(struct loaded *l, unsigned w) {
    struct wf_load all[64], loads[64];
    struct wf_stats_row row;
    unsigned count = 0;
    bool exact;
    size_t n = wf_timeline_load(l->t, -1, l->from[w], l->until[w], all, 64, &exact);
    assert_true(exact && n <= 64);
    for (uint64_t at = 0; wf_stats_next(l->st[w], &at, &row); ++count) {
        if (row.kind == WF_STATS_TASK) {
            assert_int_equal(ticks_of(l, all, n, WF_ENTITY_TASK, row.key), figure(&row, "cpu"));
        } else if (row.kind == WF_STATS_IRQ || row.kind == WF_STATS_CORE) {
            size_t m = wf_timeline_load(l->t, row.core, l->from[w], l->until[w], loads, 64, &exact);
            struct sums s = sums_of(l, loads, m);
            if (row.kind == WF_STATS_IRQ) {
                assert_int_equal(ticks_of(l, loads, m, WF_ENTITY_IRQ, row.key),
                                 figure(&row, "cpu"));
                continue;
            }
            assert_int_equal(s.tasks, figure(&row, "tasks"));
            assert_int_equal(s.irqs, figure(&row, "interrupts"));
            assert_int_equal(s.idle, figure(&row, "idle"));
        } else {
            --count;
        }
    }
    return count;
}

// Compares random windows, which have at least `least` figures each on average.
static void compare_windows(struct loaded *l, unsigned least) {
    unsigned count = 0;
    for (unsigned w = 0; w < WINDOWS; ++w) count += compare_window(l, w);
    assert_true(count > least * WINDOWS);
}

static void figures_are_those_of_statistics(void **state) {
    (void)state;
    for (uint32_t seed = 1; seed <= 6; ++seed) {
        const struct schedule o = {.seed = seed, .ticks = 200000, .lost = seed % 2 ? 0 : 30};
        struct loaded *l = calloc(1, sizeof *l);
        l->o = &o;
        l->random = seed;
        open_loaded(l, o.ticks);
        struct schedule_run run = {.o = &o, .put = put_loaded, .ctx = l};
        schedule_run(&run);
        take_loaded(l);
        wf_sinks_end(l->group);
        compare_windows(l, 5);
        close_loaded(l);
    }
}

// Two cores; interrupts nest, some exits are missing or recorded twice.
static void interrupts_that_do_not_pair_are_unknown(void **state) {
    (void)state;
    for (uint32_t seed = 1; seed <= 20; ++seed) {
        struct loaded *l = calloc(1, sizeof *l);
        l->random = seed;
        open_loaded(l, 30000);
        uint32_t now = 1;
        unsigned depth[CORES] = {0, 0};
        for (unsigned i = 0; i < 3000; ++i) {
            unsigned core = (unsigned)random_below(l, CORES);
            uint64_t what = random_below(l, 20), key = A + 16 * random_below(l, 3);
            now += (uint32_t)random_below(l, 20);
            if (what < 8 && depth[core] < 3) {
                put_loaded(l, now, "irq_enter", (uint64_t[]){depth[core], ++depth[core], core});
            } else if (what < 16 && depth[core]) {
                bool wrong = random_below(l, 40) == 0;
                put_loaded(l, now, "irq_exit", (uint64_t[]){depth[core] - 1, depth[core], core});
                if (wrong)
                    put_loaded(l, now + 1, "irq_exit",
                               (uint64_t[]){depth[core] - 1, depth[core], core});
                now += wrong;
                --depth[core];
                if (depth[core] && random_below(l, 60) == 0) --depth[core]; // its exit is missing
            } else if (!depth[core]) {
                put_loaded(l, now, "task_switch",
                           (uint64_t[]){what == 19 ? 0 : key + 0x1000 * core, PREEMPTED, core});
            }
        }
        take_loaded(l);
        wf_sinks_end(l->group);
        compare_windows(l, 8);
        close_loaded(l);
    }
}

// So many switches that steps of time replace them. Edges on steps are exact, others nearly.
static void a_long_trace_has_steps(void **state) {
    (void)state;
    enum { SWITCHES = 1200000, LONG = 64 };
    struct loaded *l = calloc(1, sizeof *l);
    open_loaded(l, SWITCHES);
    uint64_t *of_a = calloc(SWITCHES + 1, sizeof *of_a); // ticks of A until then
    uint32_t now = 1;
    for (unsigned i = 0; now < SWITCHES; ++i) {
        uint32_t length = 1 + (i % 1000 == 0 ? LONG : (uint32_t)random_below(l, 2));
        put_loaded(l, now, "task_switch", (uint64_t[]){i % 2 ? B : A, PREEMPTED, 0});
        for (uint32_t k = 0; k < length && now < SWITCHES; ++k, ++now)
            of_a[now] = of_a[now - 1] + (i % 2 == 0);
    }
    put_loaded(l, now, "task_switch", (uint64_t[]){0, BLOCKED, 0});
    take_loaded(l);
    wf_sinks_end(l->group);
    uint64_t step = wf_timeline_load_step(l->t);
    assert_true(step > 1 && step <= 32);
    unsigned inexact = 0;
    for (unsigned i = 0; i < 2000; ++i) {
        struct wf_load loads[4];
        bool aligned = i % 2, exact;
        uint64_t from = random_below(l, SWITCHES - 2), until = from + 1 + random_below(l, 5000);
        if (until > SWITCHES - 1) until = SWITCHES - 1;
        if (aligned) {
            from -= from % step;
            until -= until % step;
        }
        size_t n = wf_timeline_load(l->t, 0, from + 1, until + 1, loads, 4, &exact);
        uint64_t is = ticks_of(l, loads, n, WF_ENTITY_TASK, A), want = of_a[until] - of_a[from];
        assert_true(!aligned || exact);
        inexact += !exact;
        assert_true(exact ? is == want : is <= want + 2 * step && want <= is + 2 * step);
    }
    assert_true(inexact > 100);
    free(of_a);
    close_loaded(l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_are_those_of_statistics),
        cmocka_unit_test(interrupts_that_do_not_pair_are_unknown),
        cmocka_unit_test(a_long_trace_has_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
