// SPDX-License-Identifier: MIT
// Names by key; signals by number and object.

#include "wf_test.h"

#include "core/wfi_names.h"

enum { MANY = 20000 };

static const char *signal_name(struct wfi_names *n, uint64_t sig, uint64_t obj) {
    const struct wfi_name *name = wfi_signal_get(n, sig, obj);
    return name ? name->text : "-";
}

static void put(struct wfi_names *n, uint64_t sig, uint64_t obj, const char *text) {
    assert_true(wfi_signal_put(n, sig, obj, text, strlen(text)));
}

static void a_signal_is_its_object_s_or_any_object_s(void **state) {
    struct wfi_names n;
    (void)state;
    assert_true(wfi_names_open(&n, false));
    put(&n, 5, 0x20, "OF_20");
    assert_string_equal(signal_name(&n, 5, 0x30), "-");
    assert_string_equal(signal_name(&n, 5, 0), "OF_20");
    put(&n, 5, 0x10, "OF_10");
    put(&n, 4, 0x10, "FOUR");
    assert_string_equal(signal_name(&n, 5, 0), "OF_20");
    put(&n, 5, 0, "OF_ANY");
    assert_string_equal(signal_name(&n, 5, 0), "OF_ANY");
    assert_string_equal(signal_name(&n, 5, 0x10), "OF_10");
    assert_string_equal(signal_name(&n, 5, 0x20), "OF_20");
    assert_string_equal(signal_name(&n, 5, 0x30), "OF_ANY");
    put(&n, 5, 0x10, "AGAIN");
    assert_string_equal(signal_name(&n, 5, 0x10), "AGAIN");
    assert_int_equal(n.signals.count, 4);
    wfi_names_clear(&n);
    assert_string_equal(signal_name(&n, 5, 0x10), "-");
    wfi_names_close(&n);
}

// Strides that a weak hash maps to a few buckets: objects, functions, signals of one object and
// objects of one signal.
static void all_of_many_are_found(void **state) {
    static const uint64_t strides[] = {
        1, 8, 4096, UINT64_C(1) << 20, UINT64_C(1) << 40, UINT64_C(1) << 46};
    (void)state;
    for (size_t s = 0; s < sizeof strides / sizeof *strides; ++s) {
        struct wfi_names n;
        char text[16];
        assert_true(wfi_names_open(&n, false));
        for (uint64_t i = 1; i <= MANY; ++i) {
            int len = snprintf(text, sizeof text, "N%u", (unsigned)i);
            assert_true(wfi_dict_put(&n.objects, i * strides[s], text, (size_t)len));
            put(&n, 5, i * strides[s], text);
            put(&n, i * strides[s] + 7, 0x10, text);
        }
        assert_int_equal(n.objects.count, MANY);
        assert_int_equal(n.signals.count, 2 * MANY);
        for (uint64_t i = 1; i <= MANY; ++i) {
            snprintf(text, sizeof text, "N%u", (unsigned)i);
            assert_string_equal(wfi_dict_get(&n.objects, i * strides[s])->text, text);
            assert_string_equal(signal_name(&n, 5, i * strides[s]), text);
            assert_string_equal(signal_name(&n, i * strides[s] + 7, 0x10), text);
        }
        wfi_names_close(&n);
    }
}

static void what_is_gone_leaves_the_others(void **state) {
    struct wfi_dict d = {.count = 0};
    char text[16];
    (void)state;
    for (uint64_t i = 1; i <= 1000; ++i) assert_true(wfi_dict_put(&d, i * 8, "A", 1));
    for (uint64_t i = 1; i <= 1000; i += 2) {
        wfi_dict_retire(&d, i * 8);
        assert_non_null(wfi_dict_get(&d, i * 8));
        wfi_dict_renew(&d, i * 8);
        assert_null(wfi_dict_get(&d, i * 8));
    }
    for (uint64_t i = 2; i <= 1000; i += 2) assert_non_null(wfi_dict_get(&d, i * 8));
    for (uint64_t i = 1; i <= 1000; ++i) {
        int len = snprintf(text, sizeof text, "%u", (unsigned)i);
        assert_true(wfi_dict_put(&d, i * 8, text, (size_t)len));
    }
    assert_int_equal(d.count, 1000);
    wfi_dict_clear(&d);
    assert_null(wfi_dict_get(&d, 8));
    assert_true(wfi_dict_put(&d, 8, "B", 1));
    assert_string_equal(wfi_dict_get(&d, 8)->text, "B");
    wfi_dict_free(&d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_signal_is_its_object_s_or_any_object_s),
        cmocka_unit_test(all_of_many_are_found),
        cmocka_unit_test(what_is_gone_leaves_the_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
