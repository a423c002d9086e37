// SPDX-License-Identifier: MIT
// Times of windows as text: what is one, and that each is written so that it is read as the same.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "wallfly_backend/wf_window.h"

static const uint64_t second = 1000000000;

static bool parse(const char *text, struct wf_window_bound *b) {
    *b = (struct wf_window_bound){.given = false};
    return wf_window_bound_parse(text, strlen(text), b);
}

static void reads_times(void **state) {
    static const struct {
        const char *text;
        bool utc;
        uint64_t ns;
    } rows[] = {
        {"0", false, 0},
        {"12.5", false, 12500000000},
        {"30ms", false, 30000000},
        {"40us", false, 40000},
        {"7ns", false, 7},
        {"5m", false, 300000000000},
        {"2h", false, 7200000000000},
        {"99999999999", false, UINT64_C(18446744073709551615)}, // too much: see below
        {"2026-01-02T03:04Z", true, UINT64_C(1767323040000000000)},
        {"2026-01-02T03:04:05.678Z", true, UINT64_C(1767323045678000000)},
        {"1970-01-01T00:00:00.000000001Z", true, 1},
        {"2554-07-21T23:34:32.999999999Z", true, UINT64_C(18446744072999999999)},
        {"1767323045678", true, UINT64_C(1767323045678000000)},
        {"100000000000", true, UINT64_C(100000000000000000)},
    };
    struct wf_window_bound b;
    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; ++i) {
        if (rows[i].ns == UINT64_MAX) {
            assert_false(parse(rows[i].text, &b));
            continue;
        }
        assert_true(parse(rows[i].text, &b));
        assert_true(b.given && b.utc == rows[i].utc);
        assert_int_equal(b.ns, rows[i].ns);
    }
}

static void refuses_others(void **state) {
    static const char *const texts[] = {"",
                                        "x",
                                        "-1",
                                        "1e5",
                                        "0x10",
                                        "5x",
                                        "1767323045678ms5",
                                        "17673230456789",
                                        "2026-13-01T00:00:00Z",
                                        "2026-02-30T00:00:00Z",
                                        "2026-01-02T03:04:61Z",
                                        "2026-01-02T03:04:05",
                                        "1969-12-31T23:59:59Z",
                                        "2554-07-21T23:34:33Z",
                                        "2555-01-01T00:00:00Z",
                                        "9999-12-31T23:59:59Z",
                                        "2026-01-02 03:04:05Z",
                                        "Z",
                                        "12.5Z",
                                        "' OR 1"};
    struct wf_window_bound b;
    (void)state;
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; ++i)
        if (parse(texts[i], &b)) fail_msg("%s is a time", texts[i]);
    assert_true(parse("1", &b));
    assert_false(wf_window_bound_parse("1", 1, &b)); // twice
}

static void writes_what_it_reads(void **state) {
    char text[WF_WINDOW_BOUND_MAX];
    struct wf_window_bound b;
    (void)state;
    srand(1);
    for (unsigned i = 0; i < 20000; ++i) {
        const bool utc = i & 1;
        const uint64_t seconds = (uint64_t)rand() % (utc ? 4000000000 : 10000000);
        const uint64_t fraction = i % 3 ? (uint64_t)rand() % second : 0;
        const struct wf_window_bound wanted = {true, utc, seconds * second + fraction};
        wf_window_bound_put(&wanted, text);
        if (!parse(text, &b) || b.utc != utc || b.ns != wanted.ns) fail_msg("%s", text);
    }
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_times),
        cmocka_unit_test(refuses_others),
        cmocka_unit_test(writes_what_it_reads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
