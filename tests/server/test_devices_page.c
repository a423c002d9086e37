// SPDX-License-Identifier: MIT
// The list of devices: texts stay data, whatever they are, and all links are well formed.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "wallfly_server/devices_page.h"
#include "wallfly_server/memory.h"

static char *page;
static size_t page_len;

static void put(const struct devices_page *p) {
    free(page);
    FILE *out = memory_stream(&page, &page_len);
    assert_non_null(out);
    devices_page_put(out, p);
    assert_true(memory_close(out));
}

static unsigned count(const char *text) {
    unsigned n = 0;
    for (const char *at = page; (at = strstr(at, text)) != NULL; at += strlen(text)) ++n;
    return n;
}

static const char *const hostile[] = {"<script>alert(1)</script>",
                                      "\"><img src=x onerror=alert(1)>",
                                      "' onmouseover='alert(1)",
                                      "&lt;b&gt;",
                                      "\xff\xfe<b>",
                                      "\xe2\x80\xae"
                                      "exe",
                                      "\x1b[31m\x01\n\t",
                                      "javascript:alert(1)",
                                      ""};

// Elements and attributes are those of a list with plain names.
static void keeps_texts_as_data(void **state) {
    (void)state;
    for (unsigned i = 0; i < sizeof hostile / sizeof *hostile; ++i) {
        struct wf_device d = {.seen_ns = 1767323045000000000, .records = 10, .missing = 2};
        struct wf_devices_options o = {
            .size = sizeof o, .part = hostile[i], .version = hostile[i], .most = 1};
        const struct wf_devices devices = {&d, 1, 2, 10, 2};
        const struct devices_page p = {"p", &devices, &o, 1767323046};
        snprintf(d.name, sizeof d.name, "%s", hostile[i]);
        snprintf(d.version, sizeof d.version, "%s", hostile[i]);
        d.worst[0] = (struct wf_device_worst){.count = 1, .longest_ns = 5, .p99_ns = 4};
        snprintf(d.worst[0].name, sizeof d.worst[0].name, "%s", hostile[i]);
        put(&p);
        assert_int_equal(count("<script"), 0);
        assert_int_equal(count("<img"), 0);
        assert_int_equal(count("<b>"), 0);
        assert_int_equal(count("onmouseover='"), 0);
        assert_int_equal(count("javascript:alert(1)\""), i == 7 ? 2 : 0); // of two fields
        assert_int_equal(count("href=\"javascript"), 0);
        assert_int_equal(count("\x1b") + count("\x01") + count("\xff") + count("\xe2\x80\xae"), 0);
        assert_int_equal(count("<a "), 4); // device, version, all versions, next
        assert_int_equal(count("<a "), count("</a>"));
        assert_int_equal(count("<td"), count("</td>"));
        assert_int_equal(count("\"") % 2, 0);
    }
}

static void shows_figures(void **state) {
    struct wf_device d[2] = {
        {.name = "a", .version = "1", .seen_ns = 1767323045000000000, .records = 997, .missing = 3},
        {.name = "b", .version = "1", .seen_ns = 1767323047000000000, .records = 2000000}};
    struct wf_devices_options o = {.size = sizeof o, .most = 2};
    const struct wf_devices devices = {d, 2, 2, 2000997, 3};
    const struct devices_page p = {"p", &devices, &o, 1767323046 + 7200};
    (void)state;
    d[0].loss = (struct wf_device_place){7, 1767323045500000000, 1767323045500000000};
    d[1].worst[3] = (struct wf_device_worst){
        .count = 9, .longest_ns = 41050000, .p99_ns = 999, .name = "display"};
    d[1].worst[3].place = (struct wf_device_place){8, 1767323045000000000, 1767323046000000000};
    d[1].damaged = 5;
    put(&p);
    assert_int_equal(count("2,000,997 records"), 1);
    assert_int_equal(count("<a href=\"device/a\">a</a>"), 1);
    assert_int_equal(count("<a href=\"device/a?at=2026-01-02T03:04:05.5Z&amp;stream=7\">0.30 %</a> "
                           "<small>3 of 1,000</small>"),
                     1);
    assert_int_equal(count("2026-01-02 03:04:05</time> <small>2 h ago</small>"), 1);
    assert_int_equal(count("Longest hold</th>"), 1);
    assert_int_equal(count("Longest step"), 0); // none has it
    assert_int_equal(
        count("<a href=\"device/b?from=2026-01-02T03:04:05Z&amp;until=2026-01-02T03:04:"
              "06Z&amp;stream=8\">41.0 ms</a> <small>display, p99 999 ns</small>"),
        1);
    assert_int_equal(count("0 % <small>5 bytes damaged</small>"), 1);
    assert_int_equal(count("<nav>"), 0);
    assert_int_equal(count("All versions"), 0);
}

static void names_what_is_refused(void **state) {
    (void)state;
    free(page);
    FILE *out = memory_stream(&page, &page_len);
    devices_page_put_error(out, 404, "no <b>", "/token/");
    assert_true(memory_close(out));
    assert_int_equal(count("<h1>404</h1>\n<p>no &lt;b&gt;</p>"), 1);
    assert_int_equal(count("href=\"/token/devices.css\""), 1);
    assert_int_equal(count("href=\"/token/\""), 1);
}

static int free_page(void **state) {
    (void)state;
    free(page);
    return 0;
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_texts_as_data),
        cmocka_unit_test(shows_figures),
        cmocka_unit_test(names_what_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, free_page);
}
