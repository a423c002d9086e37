// SPDX-License-Identifier: MIT
// Searches find the same records as a reading of the table, row by row: in the threads of a search
// and in one reading, with names that change, from any place, and while the trace grows.

#include <strings.h>
#include <time.h>

#include "wallfly_server/page_search.h"
#include "wallfly_server/store.h"
#include "wf_test.h"

enum { RECORDS = 80000, USER = 100, TICKS = 10 };

static const struct wf_session_options with_time = {.size = sizeof with_time,
                                                    .dialect = WF_DIALECT_WALLFLY};
static struct stream s;
static uint8_t *whole;
static char trace_file[] = "search.XXXXXX";
static size_t len;

static uint32_t seed = 7;
static uint32_t random_below(uint32_t n) {
    seed = seed * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)(seed >> 8) * n >> 24);
}

// ---- a trace

static void put_number(uint8_t *p, uint32_t v) {
    for (int i = 0; i < 4; ++i) p[i] = (uint8_t)(v >> 8 * i);
}

static void make_record(uint32_t row) {
    static const char *const names[] = {"motor", "pump", "Valve_3", "led", "queue of 3"};
    uint8_t p[32] = {0};
    s.len = 0;
    if (row <= 8 || random_below(3000) == 0) { // object `row` at first
        put_name(&s, row <= 8 ? row : 1 + random_below(8), names[random_below(5)]);
    } else if (random_below(4)) {
        put_number(p, row * TICKS);
        p[4] = 0x0B; // an object
        put_number(p + 5, 1 + random_below(9));
        p[9] = 0x05; // u32
        put_number(p + 10, row);
        put_frame(&s, USER, p, 14);
    } else { // a state of an object
        put_number(p, row * TICKS);
        put_number(p + 4, 1 + random_below(9));
        put_number(p + 8, random_below(3));
        put_frame(&s, WF_RECORD_init_tran, p, 12);
    }
    if (random_below(2000) == 0) s.seq += 2; // a loss
}

static int make_trace(void **state) {
    (void)state;
    whole = malloc(RECORDS * 40);
    assert_non_null(whole);
    s.seq = 255;
    for (uint32_t row = 1; row <= RECORDS; ++row) {
        make_record(row);
        memcpy(whole + len, s.bytes, s.len);
        len += s.len;
    }
    // The test with ThreadSanitizer may run at the same time.
    int file = mkstemp(trace_file);
    FILE *f = file < 0 ? NULL : fdopen(file, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(whole, 1, len, f), len);
    fclose(f);
    return 0;
}

static int clean(void **state) {
    (void)state;
    free(whole);
    return unlink(trace_file);
}

// ---- a page with it

struct page_like {
    struct store store;
    struct wf_session *session;
    struct page_query_context a;
    size_t fed;
};

static void feed(struct page_like *p, size_t until) {
    struct wf_item item;
    while (p->fed < until) {
        size_t n = until - p->fed < 3000 ? until - p->fed : 3000;
        if (p->a.live) assert_true(replay_take(p->a.replay, whole + p->fed, n));
        wf_session_feed(p->session, whole + p->fed, n);
        while (wf_session_next(p->session, &item)) {
            wf_timeline_take(p->a.timeline, &item);
            replay_item(p->a.replay, p->session, &item, 0, 0);
        }
        p->fed += n;
    }
    struct wf_timeline_span span;
    wf_timeline_extent(p->a.timeline, &span);
    p->a.t0 = span.first;
}

static int read_again(void *ctx, const char *kept, const struct wf_session *known,
                      const struct replay_taker *taker) {
    struct wf_session *session = wf_session_open(&with_time, NULL);
    struct wf_item item;
    bool more = true;
    (void)ctx;
    (void)kept;
    assert_int_equal(wf_session_keep_names(session, known), WF_OK);
    wf_session_feed(session, whole, len);
    while (more && wf_session_next(session, &item)) more = taker->item(taker->ctx, session, &item);
    taker->end(taker->ctx);
    wf_session_close(session);
    return WF_OK;
}

// keep: bytes of a live source, 0: a file. image: it is read from the beginning.
static void open_page(struct page_like *p, uint64_t keep, bool image) {
    const struct replay_options o = {.file = trace_file,
                                     .image = image,
                                     .session = with_time,
                                     .spool = keep,
                                     .read = read_again};
    *p = (struct page_like){.session = wf_session_open(&with_time, NULL)};
    assert_true(p->session && store_open(&p->store, NULL));
    const struct wf_timeline_options t = {.size = sizeof t, .store = store_functions(&p->store)};
    p->a.live = keep != 0;
    p->a.replay = replay_open(&o, NULL);
    p->a.timeline = wf_timeline_open(p->session, &t, NULL);
    p->a.searches = page_searches_open();
    assert_true(p->a.replay && p->a.timeline && p->a.searches);
}

static void close_page(struct page_like *p) {
    page_searches_close(p->a.searches);
    wf_timeline_close(p->a.timeline);
    replay_close(p->a.replay);
    wf_session_close(p->session);
    store_close(&p->store);
}

// Returns the answer, which the caller frees; null after an error.
static cJSON *ask(struct page_like *p, page_query_fn *query, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static cJSON *ask(struct page_like *p, page_query_fn *query, const char *format, ...) {
    char request[512], *bytes = NULL;
    size_t size = 0;
    va_list args;
    va_start(args, format);
    vsnprintf(request, sizeof request, format, args);
    va_end(args);
    cJSON *json = cJSON_Parse(request), *answer;
    struct wf_error error = {.text = ""};
    FILE *out = open_memstream(&bytes, &size);
    assert_true(json && out);
    putc('{', out);
    int err = query(&p->a, json, out, &error);
    putc('}', out);
    fclose(out);
    assert_int_equal(err != WF_OK, *error.text != 0);
    answer = err == WF_OK ? cJSON_Parse(bytes) : NULL;
    if (err == WF_OK && !answer) fail_msg("%s", bytes);
    free(bytes);
    cJSON_Delete(json);
    return answer;
}

static double number_of(const cJSON *json, const char *name) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(json, name);
    if (!cJSON_IsNumber(item)) fail_msg("%s", name);
    return item->valuedouble;
}

// Waits until the search has ended. Returns its state.
static cJSON *wait_until_done(struct page_like *p) {
    for (;;) {
        cJSON *found = ask(p, page_query_found, "{\"which\":0,\"bins\":true}");
        assert_non_null(found);
        if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(found, "done"))) return found;
        cJSON_Delete(found);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

// ---- expected: all rows of the table

struct row {
    char *text; // group or kind, name and words, each with a line feed before it
    double t;
    bool match;
};
static struct row *rows;
static uint64_t row_count;

static char *text_of(const cJSON *row) {
    const char *names[] = {"group_name", "name", "words"};
    char *text = calloc(1, 600);
    assert_non_null(text);
    for (unsigned i = 0; i < 3; ++i) {
        const cJSON *part = cJSON_GetObjectItemCaseSensitive(row, names[i]);
        if (!part && i == 0) part = cJSON_GetObjectItemCaseSensitive(row, "kind");
        snprintf(text + strlen(text), 600 - strlen(text), "\n%s", part ? part->valuestring : "");
    }
    return text;
}

// Each row as a reading from the nearest place has it.
static void read_table(struct page_like *p) {
    row_count = replay_rows(p->a.replay);
    rows = calloc(row_count + 1, sizeof *rows);
    assert_non_null(rows);
    for (uint64_t n = 1; n <= row_count;) {
        cJSON *answer =
            ask(p, page_query_records, "{\"number\":%llu,\"after\":500}", (unsigned long long)n);
        const cJSON *row, *all = cJSON_GetObjectItemCaseSensitive(answer, "records");
        uint64_t start = replay_start(p->a.replay, n), next = n;
        cJSON_ArrayForEach(row, all) {
            if (replay_start(p->a.replay, next) != start) break; // of another place
            assert_true((uint64_t)number_of(row, "number") == next);
            rows[next++] = (struct row){text_of(row), number_of(row, "t"), false};
        }
        cJSON_Delete(answer);
        assert_true(next > n);
        n = next;
    }
}

static void free_table(void) {
    for (uint64_t i = 1; i <= row_count; ++i) free(rows[i].text);
    free(rows);
    rows = NULL;
}

static bool has(const char *text, const char *part) {
    size_t size = strlen(part);
    for (; *text; ++text) {
        if (strncasecmp(text, part, size) == 0) return true;
    }
    return false;
}

// Marks the rows that match. Returns how many do. but: must be absent; may be null.
static uint64_t expect_rows(const char *text, const char *but, bool group) {
    uint64_t count = 0;
    for (uint64_t i = 1; i <= row_count; ++i) {
        const char *from = group ? rows[i].text : strchr(rows[i].text + 1, '\n');
        rows[i].match = has(from, text) && !(but && has(from, but));
        count += rows[i].match;
    }
    return count;
}

// ---- compared

static void compare_list(struct page_like *p, uint64_t count) {
    uint64_t row = 1, place = 0;
    while (place < count) {
        cJSON *answer = ask(p, page_query_hits, "{\"which\":0,\"first\":%llu,\"most\":500}",
                            (unsigned long long)place);
        const cJSON *hit;
        cJSON_ArrayForEach(hit, cJSON_GetObjectItemCaseSensitive(answer, "hits")) {
            while (row <= row_count && !rows[row].match) ++row;
            assert_int_equal((uint64_t)number_of(hit, "number"), row);
            char *text = text_of(hit);
            assert_string_equal(text, rows[row].text);
            assert_true(number_of(hit, "t") == rows[row].t);
            free(text);
            ++row;
            ++place;
        }
        cJSON_Delete(answer);
    }
    assert_int_equal(place, count);
}

static void compare_found(struct page_like *p, uint64_t count, double at) {
    cJSON *found = wait_until_done(p);
    const cJSON *bin;
    uint64_t before = 0, in_bins = 0;
    assert_int_equal((uint64_t)number_of(found, "count"), count);
    assert_int_equal((uint64_t)number_of(found, "searched"), row_count);
    uint64_t first = 1; // the first row at or after the time
    while (first <= row_count && rows[first].t < at) before += rows[first++].match;
    assert_int_equal((uint64_t)number_of(found, "start"), before);
    cJSON_ArrayForEach(bin, cJSON_GetObjectItemCaseSensitive(found, "bins")) in_bins +=
        (uint64_t)cJSON_GetArrayItem(bin, 1)->valuedouble;
    assert_int_equal(in_bins, count);
    cJSON_Delete(found);
}

// The place of the first hit from a row on, and of that from its time on.
static void compare_places(struct page_like *p) {
    for (unsigned i = 0; i < 5; ++i) {
        uint64_t row = 1 + random_below((uint32_t)row_count), before = 0;
        for (uint64_t n = 1; n < row; ++n) before += rows[n].match;
        cJSON *hits = ask(p, page_query_hits, "{\"which\":0,\"number\":%llu,\"most\":1}",
                          (unsigned long long)row);
        assert_int_equal((uint64_t)number_of(hits, "first"), before);
        cJSON_Delete(hits);
        for (before = 0, row = 1; row <= row_count && rows[row].t < 90000; ++row)
            before += rows[row].match;
        hits = ask(p, page_query_hits, "{\"which\":0,\"at\":90000,\"most\":1}");
        assert_int_equal((uint64_t)number_of(hits, "first"), before);
        cJSON_Delete(hits);
    }
}

static void search_all(struct page_like *p) {
    static const struct {
        const char *kind, *text, *but, *request;
        double at;
    } queries[] = {
        {"text", "pump", NULL, "pump", 5},
        {"text", "VALVE_3", NULL, "VALVE_3", 412345},
        {"text", "3 1", NULL, "3 1", 1e12},
        {"text", "missing", NULL, "missing", 700000},
        {"text", "e", NULL, "e", 100},
        {"text", "no such text", NULL, "no such text", 5},
        {"filter", "motor", "init", "motor -init", 5},
        {"filter", "loss", NULL, " loss ", 5},
        {"filter", "user", "led", "USER -led", 300000},
    };
    read_table(p);
    for (unsigned i = 0; i < sizeof queries / sizeof *queries; ++i) {
        bool group = strcmp(queries[i].kind, "filter") == 0;
        uint64_t count = expect_rows(queries[i].text, queries[i].but, group);
        assert_int_equal(count == 0, strcmp(queries[i].text, "no such text") == 0);
        cJSON *begun = ask(p, page_query_search, "{\"which\":0,\"%s\":\"%s\",\"at\":%.0f}",
                           queries[i].kind, queries[i].request, queries[i].at);
        assert_non_null(begun);
        cJSON_Delete(begun);
        compare_found(p, count, queries[i].at);
        compare_list(p, count < 5000 ? count : 5000);
        compare_places(p);
    }
    free_table();
}

static void threads_find_what_the_table_has(void **state) {
    struct page_like p;
    (void)state;
    open_page(&p, 0, false);
    feed(&p, len);
    assert_true(replay_is_parallel(p.a.replay));
    search_all(&p);
    close_page(&p);
}

static void so_does_one_reading(void **state) {
    struct page_like p;
    (void)state;
    open_page(&p, 0, true);
    feed(&p, len / 8);
    len /= 8; // what is read again
    assert_false(replay_has_parts(p.a.replay));
    row_count = replay_rows(p.a.replay);
    rows = calloc(row_count + 1, sizeof *rows);
    for (uint64_t n = 1; n <= row_count;) {
        cJSON *answer =
            ask(&p, page_query_records, "{\"number\":%llu,\"after\":500}", (unsigned long long)n);
        const cJSON *row;
        cJSON_ArrayForEach(row, cJSON_GetObjectItemCaseSensitive(answer, "records")) rows[n++] =
            (struct row){text_of(row), number_of(row, "t"), false};
        cJSON_Delete(answer);
    }
    uint64_t count = expect_rows("pump", NULL, false);
    cJSON_Delete(ask(&p, page_query_search, "{\"which\":0,\"text\":\"pump\",\"at\":50000}"));
    compare_found(&p, count, 50000);
    compare_list(&p, count < 1000 ? count : 1000);
    compare_places(&p);
    free_table();
    close_page(&p);
    len *= 8;
}

// The main thread takes bytes while the others search. Afterwards all is found.
static void a_search_follows_a_live_trace(void **state) {
    struct page_like p;
    (void)state;
    open_page(&p, 1 << 23, false);
    feed(&p, len / 5);
    cJSON_Delete(ask(&p, page_query_search, "{\"which\":0,\"text\":\"pump\"}"));
    for (unsigned i = 2; i <= 5; ++i) {
        feed(&p, i < 5 ? len / 5 * i : len);
        cJSON_Delete(ask(&p, page_query_found, "{\"which\":0}"));
        cJSON_Delete(ask(&p, page_query_hits, "{\"which\":0,\"first\":0,\"most\":9}"));
    }
    while (true) {
        cJSON *found = wait_until_done(&p);
        bool all = number_of(found, "until") == (double)replay_rows(p.a.replay);
        cJSON_Delete(found);
        if (all) break;
    }
    close_page(&p);
}

// Old bytes are overwritten while they are searched.
static void a_ring_may_overwrite_what_is_searched(void **state) {
    struct page_like p;
    (void)state;
    open_page(&p, len / 3, false);
    feed(&p, len / 2);
    cJSON_Delete(ask(&p, page_query_search, "{\"which\":0,\"text\":\"init_tran\"}"));
    feed(&p, len);
    cJSON *found = wait_until_done(&p);
    assert_true(number_of(found, "count") > 0);
    cJSON_Delete(found);
    cJSON_Delete(ask(&p, page_query_hits, "{\"which\":0,\"first\":0,\"most\":500}"));
    close_page(&p);
}

static void a_search_ends_on_request(void **state) {
    struct page_like p;
    static const char *const wrong[] = {"{}",
                                        "{\"which\":2,\"text\":\"x\"}",
                                        "{\"which\":0,\"text\":\"\"}",
                                        "{\"which\":0,\"text\":7}",
                                        "{\"which\":0,\"filter\":\"  \"}",
                                        "{\"which\":0,\"filter\":\"1 2 3 4 5 6 7 8 9\"}"};
    (void)state;
    open_page(&p, 0, false);
    feed(&p, len);
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; ++i)
        assert_null(ask(&p, page_query_search, "%s", wrong[i]));
    assert_null(ask(&p, page_query_found, "{\"which\":0}"));
    cJSON_Delete(ask(&p, page_query_search, "{\"which\":0,\"text\":\"pump\"}"));
    cJSON_Delete(ask(&p, page_query_search, "{\"which\":1,\"text\":\"led\"}"));
    cJSON_Delete(ask(&p, page_query_search, "{\"which\":0}"));
    assert_null(ask(&p, page_query_found, "{\"which\":0}"));
    cJSON *other = ask(&p, page_query_found, "{\"which\":1}");
    assert_non_null(other);
    cJSON_Delete(other);
    page_searches_drop(p.a.searches, NULL);
    assert_null(ask(&p, page_query_found, "{\"which\":1}"));
    close_page(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_find_what_the_table_has),
        cmocka_unit_test(so_does_one_reading),
        cmocka_unit_test(a_search_follows_a_live_trace),
        cmocka_unit_test(a_ring_may_overwrite_what_is_searched),
        cmocka_unit_test(a_search_ends_on_request),
    };
    return cmocka_run_group_tests(tests, make_trace, clean);
}
