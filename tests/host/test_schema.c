// SPDX-License-Identifier: MIT
// The table is valid: numbers, names and the sentences that use field names.

#include "wf_test.h"

static bool has_field(const struct wf_row *row, const char *name, size_t len) {
    for (unsigned i = 0; i < row->count; ++i) {
        if (strlen(row->fields[i].name) == len && !memcmp(row->fields[i].name, name, len))
            return true;
    }
    return false;
}

static void check_sentence(const struct wf_row *row, const char *sentence) {
    for (const char *p = sentence; p && (p = strchr(p, '{')) != NULL; ++p) {
        size_t len = strcspn(p + 1, ":}");
        if (!has_field(row, p + 1, len)) fail_msg("%s: %s", row->name, p);
        assert_non_null(strchr(p, '}'));
    }
}

static void sentences_name_real_fields(void **state) {
    (void)state;
    for (unsigned i = 0; i < wf_row_count; ++i) {
        check_sentence(&wf_rows[i], wf_rows[i].qspy);
        check_sentence(&wf_rows[i], wf_rows[i].mat);
        check_sentence(&wf_rows[i], wf_rows[i].sentence);
        assert_true(strlen(wf_rows[i].sentence) > 0);
        assert_true(wf_rows[i].count <= WF_FIELDS_MAX);
    }
}

static void numbers_are_in_order_and_names_unique(void **state) {
    (void)state;
    for (unsigned i = 0; i < wf_row_count; ++i) {
        if (i) assert_true(wf_rows[i].id >= wf_rows[i - 1].id);
        assert_true(wf_rows[i].id < WF_USER_FIRST);
        for (unsigned k = 0; k < i; ++k) assert_string_not_equal(wf_rows[i].name, wf_rows[k].name);
    }
}

static void every_number_has_a_row_or_is_free(void **state) {
    (void)state;
    for (unsigned id = 0; id < WF_USER_FIRST; ++id) {
        bool found = id == 84 || id >= 98;
        for (unsigned i = 0; i < wf_row_count; ++i) found |= wf_rows[i].id == id;
        assert_true(found);
    }
}

// Rows with the same number differ in versions, selector or length, so that they can be
// distinguished.
static void rows_of_one_number_can_be_told_apart(void **state) {
    (void)state;
    for (unsigned i = 1; i < wf_row_count; ++i) {
        const struct wf_row *a = &wf_rows[i - 1], *b = &wf_rows[i];
        if (a->id != b->id) continue;
        bool apart = a->until < b->since || (a->select >= 0 && a->select != b->select);
        if (!apart) fail_msg("%s and %s", a->name, b->name);
    }
}

static void names_are_found(void **state) {
    unsigned group, id;
    (void)state;
    assert_true(wf_rows_find_name("tran", 4, &group, &id));
    assert_int_equal(group, WF_GROUP_END);
    assert_int_equal(id, 6);
    assert_true(wf_rows_find_name("QS_QF_TICK", 10, &group, &id));
    assert_int_equal(id, 31);
    assert_true(wf_rows_find_name("ao", 2, &group, &id));
    assert_int_equal(group, WF_GROUP_AO);
    assert_false(wf_rows_find_name("nothing", 7, &group, &id));
    assert_string_equal(wf_rows_qs_name(81), "QS_RESERVED");
    assert_string_equal(wf_rows_qs_name(54), "QS_ENUM_DICT");
    assert_string_equal(wf_rows_qs_name(48), "QS_SCHED_PREEMPT");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sentences_name_real_fields),
        cmocka_unit_test(numbers_are_in_order_and_names_unique),
        cmocka_unit_test(every_number_has_a_row_or_is_free),
        cmocka_unit_test(rows_of_one_number_can_be_told_apart),
        cmocka_unit_test(names_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
