// SPDX-License-Identifier: MIT
// The search for texts in records finds the records whose name or words, as the table record has
// them, contain the texts: on random records of all types with names that change, on slot traces,
// text and other tracers' recordings.

#include "wallfly_host/wf_matcher.h"

#include <ctype.h>
#include <strings.h>

#include "wallfly_host/wf_trace.h"
#include "wf_test_slots.h"

enum { RECORDS = 4000, ROWS_MAX = 20000, PART = 48, QUERIES = 200 };

static uint32_t seed = 1;
static uint32_t random_below(uint32_t n) {
    seed = seed * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)(seed >> 8) * n >> 24);
}

// ---- random records

static const char *const words[] = {"motor", "Pump",   "p",     "led_task", "",
                                    "0x10",  "a to b", "given", "NULL",     "q12"};

static void put_value(uint8_t *p, size_t *len, uint64_t v, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i) p[(*len)++] = (uint8_t)(v >> 8 * i);
}

static void put_string(uint8_t *p, size_t *len, const char *text) {
    memcpy(p + *len, text, strlen(text) + 1);
    *len += strlen(text) + 1;
}

static void put_elements(uint8_t *p, size_t *len) {
    static const uint8_t codes[] = {0x01, 0x05, 0x85, 0x08, 0x0B, 0x0C, 0x0A, 0x80};
    static const uint8_t bytes[] = {1, 4, 4, 0, 4, 4, 6, 1};
    for (unsigned n = random_below(4); n; --n) {
        unsigned at = random_below(sizeof codes);
        p[(*len)++] = codes[at];
        if (codes[at] == 0x08)
            put_string(p, len, words[random_below(10)]);
        else
            put_value(p, len, random_below(20), bytes[at]);
    }
}

static void put_field(const struct wf_field *f, uint8_t *p, size_t *len, uint32_t tick) {
    if (f->type == WF_TYPE_STR)
        put_string(p, len, words[random_below(10)]);
    else if (f->type == WF_TYPE_ELEMS)
        put_elements(p, len);
    else if (f->kind == WF_KIND_STAMP)
        put_value(p, len, tick, wf_types[f->type].bytes);
    else
        put_value(p, len, random_below(random_below(4) ? 12 : 2000), wf_types[f->type].bytes);
}

static struct stream stream;

static void put_random_record(uint32_t tick) {
    const struct wf_row *row = &wf_rows[random_below(wf_row_count)];
    uint8_t p[512];
    size_t len = 0;
    bool sizes = row->effect == WF_EFFECT_TARGET_INFO || row->effect == WF_EFFECT_SYNC;
    if (sizes || row->since > 740 || row->until < 740) return; // they would set any sizes
    for (unsigned i = 0; i < row->count; ++i) {
        if (row->fields[i].type == WF_TYPE_WHICH)
            p[len++] = (uint8_t)row->select;
        else
            put_field(&row->fields[i], p, &len, tick);
    }
    if (random_below(50) == 0) len -= len > 0; // not whole
    put_frame(&stream, row->id, p, len);
}

static void make_stream(unsigned count) {
    stream.len = 0;
    stream.seq = 255;
    for (unsigned i = 0; i < count; ++i) {
        uint8_t p[64];
        size_t len = 0;
        if (random_below(60) == 0) stream.seq = (uint8_t)(stream.seq + random_below(9)); // a loss
        switch (random_below(8)) {
        case 0: put_name(&stream, random_below(12), words[random_below(10)]); break;
        case 1:
            put_value(p, &len, 10 * i, 4);
            put_elements(p, &len);
            put_frame(&stream, (uint8_t)(100 + random_below(3)), p, len);
            break;
        default: put_random_record(10 * i);
        }
    }
}

// ---- expected: the table

struct row {
    char *kind, *group, *name, *words;
};
struct table {
    struct row rows[ROWS_MAX];
    unsigned count;
};

static char *copy_cell(const struct wf_table *table, const struct wf_cell *cells,
                       const char *name) {
    unsigned i = 0;
    while (strcmp(table->columns[i].name, name) != 0) ++i;
    char *text = calloc(1, cells[i].len + 1);
    assert_non_null(text);
    // A zero within a text would hide the rest from the functions of C here.
    for (size_t n = 0; cells[i].type == WF_CELL_TEXT && n < cells[i].len; ++n)
        text[n] = cells[i].text[n] ? cells[i].text[n] : '?';
    return text;
}

static bool keep_row(void *ctx, const struct wf_table *table, const struct wf_cell *cells) {
    struct table *t = ctx;
    assert_true(t->count < ROWS_MAX);
    t->rows[t->count++] =
        (struct row){copy_cell(table, cells, "kind"), copy_cell(table, cells, "group_name"),
                     copy_cell(table, cells, "name"), copy_cell(table, cells, "words")};
    return true;
}

static void free_rows(struct table *t) {
    for (unsigned i = 0; i < t->count; ++i) {
        free(t->rows[i].kind);
        free(t->rows[i].group);
        free(t->rows[i].name);
        free(t->rows[i].words);
    }
    t->count = 0;
}

struct query {
    struct wf_match_term terms[3];
    char text[3][PART];
    unsigned count;
    bool group;
};

static bool has(const char *text, const char *part) {
    size_t len = strlen(part);
    for (; strlen(text) >= len; ++text) {
        if (strncasecmp(text, part, len) == 0) return true;
    }
    return false;
}

static bool is_expected(const struct query *q, const struct row *row) {
    for (unsigned i = 0; i < q->count; ++i) {
        const char *text = q->terms[i].text;
        bool found = has(row->name, text) || has(row->words, text) ||
                     (q->group && has(*row->group ? row->group : row->kind, text));
        if (found == q->terms[i].absent) return false;
    }
    return true;
}

// A part of a row's text, in another case: across literals and values, too.
static void choose_part(const struct table *t, char text[PART]) {
    const struct row *row = &t->rows[random_below(t->count)];
    const char *from = random_below(6) ? row->words : random_below(4) ? row->name : row->group;
    size_t len = strlen(from);
    if (!len) from = "x", len = 1;
    size_t at = random_below((uint32_t)len), n = 1 + random_below(random_below(3) ? 6 : 30);
    if (n > len - at) n = len - at;
    for (size_t i = 0; i < n; ++i)
        text[i] = (char)(random_below(2) ? toupper((unsigned char)from[at + i]) : from[at + i]);
    text[n] = 0;
    if (random_below(10) == 0) text[0] = '#'; // probably nowhere
}

static struct query make_query(const struct table *t) {
    struct query q = {.count = random_below(3) ? 1 : 1 + random_below(3), .group = random_below(2)};
    for (unsigned i = 0; i < q.count; ++i) {
        choose_part(t, q.text[i]);
        q.terms[i].absent = i > 0 && random_below(2);
    }
    return q;
}

// ---- compared

struct lane {
    struct wf_session *session;
    struct wf_writer *writer;
    struct wf_matcher *matchers[QUERIES];
    struct query *queries;
    unsigned count; // 0: only rows are kept
    struct table table;
    unsigned row, found;
};

static struct lane lane;
static struct query queries[QUERIES];

static void compare_item(struct lane *l, const struct wf_item *item) {
    struct wf_match_row d;
    if (item->kind == WF_ITEM_DAMAGE) return;
    const struct row *row = &l->table.rows[l->row++];
    for (unsigned i = 0; i < l->count; ++i) {
        bool found = wf_matcher_item(l->matchers[i], item);
        l->found += found;
        if (found != is_expected(&l->queries[i], row))
            fail_msg("'%s' (%u terms) in %s: %s: %s", l->queries[i].text[0], l->queries[i].count,
                     row->group, row->name, row->words);
    }
    assert_true(wf_matcher_describe(l->matchers[0], item, &d));
    assert_int_equal(d.kind.len, strlen(row->kind));
    assert_int_equal(d.group.len, strlen(row->group));
    assert_int_equal(d.name.len, strlen(row->name));
    assert_int_equal(d.words.len, strlen(row->words));
}

static void take_item(struct lane *l, struct wf_session *s, const struct wf_item *item) {
    const struct wf_writer_options o = {.size = sizeof o, .row = keep_row, .records_only = true};
    if (l->session != s) { // the first one
        l->session = s;
        l->row = 0;
        if (l->count == 0) {
            l->writer = wf_writer_open(wf_format_find("sqlite"), s, &o, NULL, &l->table, NULL);
            assert_non_null(l->writer);
        }
        for (unsigned i = 0; i < l->count; ++i) wf_matcher_use(l->matchers[i], s);
    }
    if (l->count)
        compare_item(l, item);
    else
        wf_writer_item(l->writer, item);
}

static void read_stream(struct lane *l, bool names_kept) {
    struct wf_item item;
    struct wf_session *s = wf_session_open(NULL, NULL), *known = wf_session_open(NULL, NULL);
    assert_non_null(s);
    if (names_kept) assert_int_equal(wf_session_keep_names(s, known), WF_OK);
    wf_session_feed(s, stream.bytes, stream.len);
    while (wf_session_next(s, &item)) take_item(l, s, &item);
    wf_session_end(s);
    while (wf_session_next(s, &item)) take_item(l, s, &item);
    if (l->writer) assert_int_equal(wf_writer_close(l->writer), WF_OK);
    l->writer = NULL;
    l->session = NULL;
    wf_session_close(s);
    wf_session_close(known);
}

static void read_whole(struct lane *l, const uint8_t *bytes, size_t len) {
    struct wf_item item;
    struct wf_trace *t = wf_trace_open(NULL, NULL);
    assert_non_null(t);
    int err = wf_trace_is_file(bytes, len) ? wf_trace_feed_file(t, bytes, len)
                                           : wf_trace_feed(t, 0, bytes, len);
    assert_int_equal(err, WF_OK);
    while (wf_trace_next(t, &item)) take_item(l, wf_lane_session(item.lane), &item);
    wf_trace_end(t);
    while (wf_trace_next(t, &item)) take_item(l, wf_lane_session(item.lane), &item);
    if (l->writer) assert_int_equal(wf_writer_close(l->writer), WF_OK);
    l->writer = NULL;
    l->session = NULL;
    wf_trace_close(t);
}

static void open_queries(struct lane *l, unsigned count) {
    struct wf_error error;
    assert_true(l->table.count > 0);
    l->queries = queries;
    l->count = count;
    for (unsigned i = 0; i < count; ++i) {
        queries[i] = make_query(&l->table);
        for (unsigned n = 0; n < queries[i].count; ++n)
            queries[i].terms[n].text = queries[i].text[n];
        const struct wf_matcher_options o = {sizeof o, queries[i].terms, queries[i].count,
                                             queries[i].group};
        l->matchers[i] = wf_matcher_open(&o, &error);
        if (!l->matchers[i]) fail_msg("%s", error.text);
    }
}

static void close_queries(struct lane *l) {
    for (unsigned i = 0; i < l->count; ++i) {
        assert_int_equal(wf_matcher_error(l->matchers[i]), WF_OK);
        wf_matcher_close(l->matchers[i]);
    }
    assert_int_equal(l->row, l->table.count);
    assert_true(l->found > l->count);
    l->count = l->found = 0;
    free_rows(&l->table);
}

static void random_records(void **state) {
    (void)state;
    for (unsigned run = 0; run < 8; ++run) {
        bool names_kept = run % 2; // as in the readings of parts
        make_stream(RECORDS / 4);
        read_stream(&lane, names_kept);
        open_queries(&lane, QUERIES);
        read_stream(&lane, names_kept);
        close_queries(&lane);
    }
}

static void other_formats(void **state) {
    static const char *const files[] = {
        "import/btf/full.btf",        "import/systemview/full.rtt.bin",
        "import/ftrace/trace.txt",    "import/systemview/overflow.rtt.bin",
        "import/chrome/mixed.chrome",
    };
    (void)state;
    for (unsigned i = 0; i < sizeof files / sizeof *files; ++i) {
        static uint8_t bytes[1 << 22];
        char name[256];
        snprintf(name, sizeof name, "%s/%s", WF_TEST_DATA, files[i]);
        FILE *f = fopen(name, "rb");
        if (!f) fail_msg("%s", name);
        size_t len = fread(bytes, 1, sizeof bytes, f);
        fclose(f);
        read_whole(&lane, bytes, len);
        open_queries(&lane, 40);
        read_whole(&lane, bytes, len);
        close_queries(&lane);
    }
}

static void slots_and_text(void **state) {
    static const char lines[] =
        "n 0 task 1 one 3\nn 0 task 2 two 2\np 1000 JR 1\np 2000 JP 1 -t 2\n"
        "p 2000 JR 2\np 2600 JC 2\np 2600 JR 1\np 3000 X\n";
    static struct trace slots;
    (void)state;
    slots.len = 0;
    put_text(&slots, OWN_HEADER("2"));
    for (unsigned i = 1; i < 200; ++i) {
        if (i % 16 == 0 || i == 1) put_time(&slots, i / 16 % 2, 1000 * i);
        put_slot(&slots, HEAD(i / 16 % 2, 1 + i % 6, 1 + i % 3), 1000 * i + 1, i, 0);
    }
    read_whole(&lane, slots.bytes, slots.len);
    open_queries(&lane, QUERIES);
    read_whole(&lane, slots.bytes, slots.len);
    close_queries(&lane);
    read_whole(&lane, (const uint8_t *)lines, sizeof lines - 1);
    open_queries(&lane, QUERIES);
    read_whole(&lane, (const uint8_t *)lines, sizeof lines - 1);
    close_queries(&lane);
}

static void bad_options(void **state) {
    const struct wf_match_term empty = {.text = ""}, good = {.text = "x"};
    struct wf_matcher_options o = {sizeof o, &empty, 1, false};
    struct wf_error error;
    (void)state;
    assert_null(wf_matcher_open(NULL, &error));
    assert_null(wf_matcher_open(&o, &error));
    assert_int_equal(error.code, WF_ERR_USAGE);
    o.terms = &good;
    o.count = WF_MATCH_TERMS_MAX + 1;
    assert_null(wf_matcher_open(&o, &error));
    o.count = 1;
    struct wf_matcher *m = wf_matcher_open(&o, &error);
    assert_non_null(m);
    wf_matcher_close(m);
    wf_matcher_close(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_records), cmocka_unit_test(other_formats),
        cmocka_unit_test(slots_and_text), cmocka_unit_test(bad_options)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
