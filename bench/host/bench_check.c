// SPDX-License-Identifier: MIT
// Compares the time of rules with that of statistics, on the same frames, decoding included: a rule
// alone takes at most 1.3 times as long, ten rules at most 1.5 times. Usage: bench_check FILE
// [stats|check] (of `kernel mutex`; with a word that alone, once)

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "wallfly_host/wf_check.h"

enum { BLOCK = 65536, RUNS = 5, RULES = 10 };

static uint8_t *data;
static size_t size;
static uint64_t records;

#define RULE(rule, ...)                                                                            \
    { .size = sizeof(struct wf_check_rule), .kind = WF_CHECK_##rule, __VA_ARGS__ }
#define MAX .max = {true, 10}
static const char *const never[] = {"uart_rx"}, *const first[] = {"clock ready"},
                         *const order[] = {"clock runs", "clock stops"};
static struct wf_check_rule rules[RULES] = {
    RULE(LOSS, .max = {true, 0}),
    RULE(CPU, .core = -1, .task = "clock", .window_s = 0.1, .max = {true, 90}),
    RULE(RESPONSE, .task = "clock", MAX, .p99 = {true, 10}),
    RULE(PERIOD, .task = "clock", MAX),
    RULE(HOLD, MAX),
    RULE(WAIT, MAX),
    RULE(IRQ, MAX),
    RULE(NEVER, .events = never, .event_count = 1),
    RULE(AFTER, .events = first, .event_count = 1, .expect = "clock runs", MAX),
    RULE(ORDER, .events = order, .event_count = 2),
};

// The seconds of `count` rules from the first one on; 0: of statistics.
static double pass(unsigned first_rule, unsigned count) {
    const struct wf_session_options options = {.size = sizeof options};
    struct wf_item item;
    struct wf_session *s = wf_session_open(&options, NULL);
    struct wf_stats *st = count ? NULL : wf_stats_open(s, NULL, NULL);
    struct wf_check *c = count ? wf_check_open(s, rules + first_rule, count, NULL, NULL) : NULL;
    if (!st && !c) exit(3);
    double start = now();
    for (size_t at = 0; at < size; at += BLOCK) {
        wf_session_feed(s, data + at, size - at < BLOCK ? size - at : BLOCK);
        while (wf_session_next(s, &item)) {
            if (c)
                wf_check_take(c, &item);
            else
                wf_stats_take(st, &item);
        }
    }
    if (c)
        wf_check_end(c);
    else
        wf_stats_end(st);
    double seconds = now() - start;
    records = wf_session_ledger(s)->records;
    for (unsigned i = 0; c && i < count; ++i) {
        struct wf_check_result result;
        wf_check_result(c, i, &result);
        if (result.verdict == WF_CHECK_UNDECIDED) {
            fprintf(stderr, "rule %u: %s\n", first_rule + i, result.text);
            exit(3);
        }
    }
    wf_check_close(c);
    wf_stats_close(st);
    wf_session_close(s);
    return seconds;
}

static double lesser(double a, double b) { return a < b ? a : b; }

int main(int argc, char **argv) {
    double stats = 1e9, all = 1e9, one[RULES], worst = 0;
    if (argc < 2) return 2;
    data = read_frames(argv[1], &size);
    if (argc > 2) {
        pass(0, strcmp(argv[2], "check") == 0 ? RULES : 0);
        return 0;
    }
    for (unsigned i = 0; i < RUNS; ++i) {
        stats = lesser(stats, pass(0, 0));
        all = lesser(all, pass(0, RULES));
        for (unsigned n = 0; n < RULES; ++n) one[n] = lesser(i ? one[n] : 1e9, pass(n, 1));
    }
    for (unsigned n = 0; n < RULES; ++n) worst = one[n] > worst ? one[n] : worst;
    printf("host-check,%.1f M records/s with ten rules,%.2f times the time of statistics (at most "
           "1.5),%.2f with the slowest rule alone (at most 1.3)\n",
           (double)records / 1e6 / all, all / stats, worst / stats);
    free(data);
    return all > 1.5 * stats || worst > 1.3 * stats;
}
