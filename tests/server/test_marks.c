// SPDX-License-Identifier: MIT
// Marks and their queries: windows and steps are those of a plain search through all marks, and
// counts of a window's parts are those of its marks.

#include "wallfly_server/marks.h"

#include "page_parts.h"
#include "wf_test.h"

enum { MARKS = 3000, TIME = 20000, LONG = 3000, T0 = 500, RULES = 3 };

static uint64_t random_state = 1;
static uint64_t random_below(uint64_t most) {
    random_state = random_state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (random_state >> 33) % most;
}

static struct marks *open_rules(void) {
    struct marks *m = marks_open();
    assert_non_null(m);
    for (unsigned i = 0; i < RULES; ++i) {
        const struct mark_rule rule = {.title = "a \"title\"", .text = "", .verdict = MARK_PASS};
        assert_int_equal(marks_add_rule(m, &rule), WF_OK);
    }
    return m;
}

static void add(struct marks *m, uint64_t from, uint64_t until, enum mark_kind kind) {
    const struct mark mark = {.kind = kind,
                              .rule = (unsigned)(from % RULES),
                              .from = from,
                              .until = until,
                              .row = from % 2 ? "control" : NULL,
                              .row_kind = WF_ROW_TASK,
                              .core = -1,
                              .text = "a <b>text</b>"};
    assert_int_equal(marks_add(m, &mark), WF_OK);
}

// sorted: as the marks of a live trace come; else in any order.
static struct marks *make(bool sorted) {
    struct marks *m = open_rules();
    for (uint64_t i = 0; i < MARKS; ++i) {
        uint64_t from = T0 + (sorted ? i * TIME / MARKS : random_below(TIME));
        uint64_t len = random_below(3) ? random_below(20) : random_below(LONG);
        add(m, from, from + len, (enum mark_kind)random_below(MARK_KINDS));
    }
    return m;
}

struct seen {
    size_t numbers[MARKS];
    size_t count;
    uint64_t last;
};

static bool see(void *ctx, size_t number, const struct mark *mark) {
    struct seen *seen = ctx;
    assert_true(mark->from >= seen->last);
    seen->last = mark->from;
    seen->numbers[seen->count++] = number;
    return true;
}

static void check_window(struct marks *m, uint64_t from, uint64_t until) {
    static struct seen seen;
    static bool found[MARKS];
    struct mark mark;
    seen = (struct seen){.count = 0};
    memset(found, 0, sizeof found);
    assert_int_equal(marks_within(m, from, until, see, &seen), WF_OK);
    for (size_t i = 0; i < seen.count; ++i) found[seen.numbers[i]] = true;
    for (size_t i = 0; marks_get(m, i, &mark); ++i)
        assert_int_equal(found[i], mark.from <= until && mark.until >= from);
}

static void windows_have_the_marks_that_touch_them(void **state) {
    (void)state;
    for (int sorted = 0; sorted < 2; ++sorted) {
        struct marks *m = make(sorted);
        check_window(m, 0, UINT64_MAX);
        for (unsigned i = 0; i < 500; ++i) {
            uint64_t from = random_below(TIME + 2 * T0);
            check_window(m, from, from + random_below(i % 2 ? 10 : TIME));
        }
        marks_close(m);
    }
}

static void marks_may_be_added_between_queries(void **state) {
    struct marks *m = open_rules();
    (void)state;
    for (uint64_t i = 0; i < MARKS; ++i) {
        uint64_t from = i % 7 ? 10 * i : random_below(10 * i + 1);
        add(m, from, from + random_below(100), MARK_NOTE);
        if (i % 50 == 0) check_window(m, random_below(10 * i + 1), 10 * i);
    }
    check_window(m, 100, 20000);
    marks_clear(m);
    assert_int_equal(marks_count(m), 0);
    check_window(m, 0, UINT64_MAX);
    add(m, 5, 6, MARK_FAIL);
    check_window(m, 0, UINT64_MAX);
    marks_close(m);
}

static void steps_visit_each_mark_of_a_kind_once(void **state) {
    struct marks *m = make(false);
    struct mark_step step;
    (void)state;
    for (int way = -1; way <= 1; way += 2) {
        struct mark_place place = {.at = way > 0 ? 0 : UINT64_MAX};
        uint64_t visited = 0, of = marks_of_kind(m, MARK_FAIL), last = way > 0 ? 0 : UINT64_MAX;
        while (marks_step(m, &place, way, MARK_FAIL, &step) == WF_OK && step.found) {
            struct mark mark;
            assert_true(marks_get(m, step.number, &mark));
            assert_int_equal(mark.kind, MARK_FAIL);
            assert_true(way > 0 ? mark.from >= last : mark.from <= last);
            last = mark.from;
            ++visited;
            assert_int_equal(step.place, way > 0 ? visited : of + 1 - visited);
            assert_int_equal(step.of, of);
            place = (struct mark_place){.has_number = true, .number = step.number};
        }
        assert_int_equal(visited, of);
    }
    marks_close(m);
}

static void what_cannot_be_added_is_refused_or_counted(void **state) {
    struct marks *m = open_rules();
    struct mark mark = {.rule = RULES, .text = ""};
    (void)state;
    assert_int_equal(marks_add(m, &mark), WF_ERR_USAGE);
    mark = (struct mark){.from = 2, .until = 1, .text = ""};
    assert_int_equal(marks_add(m, &mark), WF_ERR_USAGE);
    assert_int_equal(marks_set_rule(m, RULES, &(struct mark_rule){.text = ""}), WF_ERR_USAGE);
    for (unsigned i = 0; i < MARKS_MAX + 5; ++i) add(m, i, i, MARK_FAIL);
    assert_int_equal(marks_count(m), MARKS_MAX);
    assert_int_equal(marks_left(m), 5);
    marks_close(m);
}

// ---- answers

static cJSON *answer(struct marks *m, page_query_fn *query, const char *ask, int code) {
    const struct page_query_context a = {.marks = m, .t0 = T0};
    struct wf_error error = {.text = ""};
    char *text = NULL;
    size_t len;
    cJSON *fields = cJSON_Parse(ask);
    FILE *out = open_memstream(&text, &len);
    assert_true(fields && out);
    putc('{', out);
    int err = query(&a, fields, out, &error);
    putc('}', out);
    fclose(out);
    assert_int_equal(err, code);
    assert_int_equal(*error.text != 0, err == WF_ERR_USAGE);
    cJSON *json = code == WF_OK ? cJSON_Parse(text) : NULL;
    if (code == WF_OK && !json) fail_msg("no JSON: %s", text);
    cJSON_Delete(fields);
    free(text);
    return json;
}

static double number(const cJSON *json, const char *name) {
    const cJSON *item = cJSON_GetObjectItem(json, name);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

static void many_marks_are_counted_for_each_part_of_the_window(void **state) {
    enum { BINS = 40, WIDE = 400 }; // ticks of a bin
    struct marks *m = make(false);
    struct mark mark;
    (void)state;
    cJSON *json =
        answer(m, page_query_marks, "{\"from\":0,\"until\":15999,\"most\":500,\"bins\":40}", WF_OK);
    long bins[BINS][MARK_KINDS] = {{0}};
    uint64_t count = 0;
    for (size_t i = 0; marks_get(m, i, &mark); ++i) {
        if (mark.from >= T0 + BINS * WIDE) continue;
        ++count;
        for (uint64_t bin = (mark.from - T0) / WIDE; bin <= (mark.until - T0) / WIDE; ++bin)
            if (bin < BINS) ++bins[bin][mark.kind];
    }
    assert_int_equal(number(json, "count"), count);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(json, "marks")), 0);
    const cJSON *bin;
    cJSON_ArrayForEach(bin, cJSON_GetObjectItem(json, "bins")) {
        int at = cJSON_GetArrayItem(bin, 0)->valueint;
        for (int kind = 0; kind < MARK_KINDS; ++kind) {
            assert_int_equal(cJSON_GetArrayItem(bin, kind + 1)->valueint, bins[at][kind]);
            bins[at][kind] = 0;
        }
    }
    for (int at = 0; at < BINS; ++at)
        for (int kind = 0; kind < MARK_KINDS; ++kind) assert_int_equal(bins[at][kind], 0);
    cJSON_Delete(json);
    marks_close(m);
}

static void answers_have_the_marks_and_their_texts(void **state) {
    struct marks *m = open_rules();
    const struct mark_rule rule = {.text = "too long",
                                   .live = true,
                                   .verdict = MARK_FAIL,
                                   .has_margin = true,
                                   .margin = -24.5,
                                   .failures = 7};
    (void)state;
    assert_int_equal(marks_set_rule(m, 1, &rule), WF_OK);
    add(m, T0 + 7, T0 + 9, MARK_FAIL);
    add(m, T0 + 4, T0 + 4, MARK_UNDECIDED);
    cJSON *json =
        answer(m, page_query_marks, "{\"from\":0,\"until\":100,\"most\":2,\"bins\":1}", WF_OK);
    char *text = cJSON_PrintUnformatted(cJSON_GetObjectItem(json, "marks"));
    assert_string_equal(text, "[[1,0,\"cannot tell\",4,4,null,null,-1,\"a <b>text</b>\"],"
                              "[0,0,\"fail\",7,9,\"task\",\"control\",-1,\"a <b>text</b>\"]]");
    cJSON_free(text);
    cJSON_Delete(json);
    json = answer(m, page_query_rules, "{}", WF_OK);
    text = cJSON_PrintUnformatted(cJSON_GetArrayItem(cJSON_GetObjectItem(json, "rules"), 1));
    assert_string_equal(text,
                        "{\"title\":\"a \\\"title\\\"\",\"verdict\":\"fail\","
                        "\"text\":\"too long\",\"live\":true,\"margin\":-24.5,\"failures\":7}");
    cJSON_free(text);
    cJSON_Delete(json);
    json = answer(m, page_query_mark, "{\"at\":4,\"way\":1,\"kind\":\"fail\"}", WF_OK);
    assert_int_equal(number(json, "place"), 1);
    assert_int_equal(cJSON_GetArrayItem(cJSON_GetObjectItem(json, "mark"), 0)->valueint, 0);
    cJSON_Delete(json);
    add(m, 1, 1, MARK_FAIL);
    json =
        answer(m, page_query_mark, "{\"at\":-4503599627370496,\"way\":1,\"kind\":\"fail\"}", WF_OK);
    assert_int_equal(cJSON_GetArrayItem(cJSON_GetObjectItem(json, "mark"), 0)->valueint, 2);
    cJSON_Delete(json);
    json = answer(m, page_query_mark, "{\"at\":7,\"number\":0,\"way\":1,\"kind\":\"fail\"}", WF_OK);
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(json, "mark")));
    cJSON_Delete(json);
    json = answer(m, page_query_failures, "{\"rule\":0,\"first\":1,\"most\":5}", WF_OK);
    assert_int_equal(number(json, "count"), 2);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(json, "marks")), 1);
    cJSON_Delete(json);
    marks_close(m);
}

static void expect_next(struct marks *m, const char *ask, int number_of_next) {
    cJSON *json = answer(m, page_query_mark, ask, WF_OK);
    const cJSON *next = cJSON_GetArrayItem(cJSON_GetObjectItem(json, "mark"), 0);
    assert_int_equal(next ? next->valueint : -1, number_of_next);
    cJSON_Delete(json);
}

// A page that shows a mark of a live trace goes on from it, whatever was added or removed since.
static void a_step_goes_on_from_its_mark(void **state) {
    struct marks *m = open_rules();
    (void)state;
    for (unsigned i = 0; i < 4; ++i) add(m, T0 + 50, T0 + 60 + i, MARK_FAIL);
    add(m, T0 + 90, T0 + 90, MARK_FAIL);
    expect_next(m, "{\"at\":50,\"number\":1,\"way\":1,\"kind\":\"fail\"}", 2);
    assert_int_equal(marks_drop(m, 1), WF_OK);
    add(m, T0 + 50, T0 + 99, MARK_FAIL);
    expect_next(m, "{\"at\":50,\"number\":1,\"way\":1,\"kind\":\"fail\"}", 2);
    expect_next(m, "{\"at\":50,\"number\":2,\"way\":-1,\"kind\":\"fail\"}", 1);
    expect_next(m, "{\"at\":50,\"number\":3,\"way\":1,\"kind\":\"fail\"}", 5);
    // Removed, or of another server: only its time counts.
    expect_next(m, "{\"at\":50,\"number\":0,\"way\":1,\"kind\":\"fail\"}", 4);
    expect_next(m, "{\"at\":51,\"number\":2,\"way\":-1,\"kind\":\"fail\"}", 5);
    expect_next(m, "{\"at\":50,\"number\":77,\"way\":1,\"kind\":\"fail\"}", 4);
    marks_clear(m);
    add(m, T0 + 50, T0 + 60, MARK_FAIL);
    expect_next(m, "{\"at\":49,\"way\":1,\"kind\":\"fail\"}", 6);
    marks_close(m);
}

// Of a live trace the oldest marks go, and what is asked by their order of being added stays right.
static void the_oldest_are_dropped(void **state) {
    struct marks *m = make(true);
    struct mark mark, same;
    (void)state;
    for (uint64_t dropped = 0, count = MARKS; dropped < 10; ++dropped) {
        marks_get(m, 7 + (size_t)dropped, &mark);
        const uint64_t from = mark.from, until = mark.until;
        const bool row = mark.row != NULL;
        assert_int_equal(marks_drop(m, 7), WF_OK);
        count -= 7;
        assert_int_equal(marks_count(m), count);
        assert_true(marks_get(m, (size_t)dropped, &same));
        assert_int_equal(same.from, from);
        assert_int_equal(same.until, until);
        assert_string_equal(same.text, "a <b>text</b>");
        assert_true((same.row != NULL) == row);
        uint64_t kinds = 0;
        for (unsigned i = 0; i < MARK_KINDS; ++i) kinds += marks_of_kind(m, (enum mark_kind)i);
        assert_int_equal(kinds, count);
        check_window(m, T0 + 50 * dropped, T0 + 50 * dropped + 700);
        add(m, T0 + TIME + dropped, T0 + TIME + dropped, MARK_FAIL);
        ++count;
    }
    cJSON *json = answer(m, page_query_added, "{\"since\":0,\"rule\":-1}", WF_OK);
    assert_int_equal(number(json, "added"), MARKS + 10);
    cJSON *first = cJSON_GetObjectItem(json, "mark");
    assert_int_equal(cJSON_GetArrayItem(first, 0)->valuedouble, 70); // 70 were removed
    cJSON_Delete(json);
    json = answer(m, page_query_added, "{\"since\":3009,\"rule\":-1}", WF_OK);
    assert_int_equal(cJSON_GetArrayItem(cJSON_GetObjectItem(json, "mark"), 3)->valuedouble,
                     TIME + 9);
    cJSON_Delete(json);
    json = answer(m, page_query_added, "{\"since\":3007,\"rule\":0}", WF_OK);
    first = cJSON_GetObjectItem(json, "mark");
    assert_int_equal(cJSON_GetArrayItem(first, 1)->valuedouble, 0);
    cJSON_Delete(json);
    json = answer(m, page_query_added, "{\"since\":3010,\"rule\":-1}", WF_OK);
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(json, "mark")));
    cJSON_Delete(json);
    assert_int_equal(marks_drop(m, SIZE_MAX), WF_OK);
    assert_int_equal(marks_count(m), 0);
    marks_close(m);
}

static void wrong_requests_are_refused(void **state) {
    struct marks *m = open_rules();
    (void)state;
    answer(m, page_query_marks, "{\"from\":0,\"until\":9,\"most\":501,\"bins\":1}", WF_ERR_USAGE);
    answer(m, page_query_marks, "{\"from\":0,\"until\":9,\"most\":1,\"bins\":0}", WF_ERR_USAGE);
    answer(m, page_query_mark, "{\"at\":0,\"way\":1,\"kind\":\"pass\"}", WF_ERR_USAGE);
    answer(m, page_query_mark, "{\"number\":0,\"way\":1,\"kind\":\"fail\"}", WF_ERR_USAGE);
    answer(m, page_query_added, "{\"since\":-1,\"rule\":-1}", WF_ERR_USAGE);
    answer(m, page_query_added, "{\"since\":0,\"rule\":3}", WF_ERR_USAGE);
    answer(m, page_query_failures, "{\"rule\":3,\"first\":0,\"most\":1}", WF_ERR_USAGE);
    marks_close(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_have_the_marks_that_touch_them),
        cmocka_unit_test(marks_may_be_added_between_queries),
        cmocka_unit_test(steps_visit_each_mark_of_a_kind_once),
        cmocka_unit_test(what_cannot_be_added_is_refused_or_counted),
        cmocka_unit_test(many_marks_are_counted_for_each_part_of_the_window),
        cmocka_unit_test(answers_have_the_marks_and_their_texts),
        cmocka_unit_test(a_step_goes_on_from_its_mark),
        cmocka_unit_test(the_oldest_are_dropped),
        cmocka_unit_test(wrong_requests_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
