// SPDX-License-Identifier: MIT
// Log lines: printf directives filled from typed elements give the output of printf; mismatches are
// shown in place.

#include <inttypes.h>

#include "wallfly_host/wf_program.h"
#include "wf_test.h"
#include "wf_test_elf.h"
#include "writers/wfi_sentence.h"

enum { TEXT_AT = 0x1000, USER = 100 };

static struct stream s;

struct args {
    uint8_t bytes[512];
    size_t len;
};

static void add(struct args *a, uint8_t code, uint64_t v, unsigned bytes) {
    a->bytes[a->len++] = code;
    for (unsigned i = 0; i < bytes; ++i) a->bytes[a->len++] = (uint8_t)(v >> 8 * i);
}

static void add_text(struct args *a, const char *text) {
    size_t len = strlen(text) + 1;
    a->bytes[a->len++] = WF_ELEMENT_str;
    memcpy(a->bytes + a->len, text, len);
    a->len += len;
}

static void add_double(struct args *a, double v) {
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    add(a, WF_ELEMENT_f64, bits, 8);
}

static void add_float(struct args *a, float v) {
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    add(a, WF_ELEMENT_f32, bits, 4);
}

// Formats a record with these elements; the first element is the format's address.
static void line_of(struct wf_session *session, const struct args *a, char *line, size_t cap) {
    struct wf_item item;
    struct wfi_strbuf t;
    uint8_t payload[600] = {0, 0, 0, 0};
    s.len = 0; // the record numbers continue
    memcpy(payload + 4, a->bytes, a->len);
    put_frame(&s, USER, payload, 4 + a->len);
    wf_session_feed(session, s.bytes, s.len);
    assert_true(wf_session_next(session, &item));
    assert_int_equal(item.kind, WF_ITEM_RECORD);
    assert_true(wfi_strbuf_open(&t, &(bool){false}));
    wfi_put_log(session, &item.record, &t);
    size_t len = (size_t)(t.end - t.buf);
    assert_true(len < cap);
    memcpy(line, t.buf, len);
    line[len] = 0;
    assert_int_equal(strlen(line), len);
    wfi_strbuf_close(&t);
    while (wf_session_next(session, &item)) continue;
}

static struct wf_session *opened(void) {
    struct wf_session_options options = {.size = sizeof options, .bytes[WF_TYPE_OBJ] = 4};
    struct wf_session *session = wf_session_open(&options, NULL);
    assert_non_null(session);
    return session;
}

// A program that contains the format at TEXT_AT.
struct with {
    struct elf_file elf;
    struct wf_program *program;
    struct wf_session *session;
};

static void with_open(struct with *w, const char *text, size_t len) {
    w->elf = (struct elf_file){.type = ET_EXEC,
                               .machine = EM_386,
                               .text_at = TEXT_AT,
                               .text = text,
                               .text_len = len,
                               .symbols = {{"table", 0x2000, 16, STT_OBJECT, STB_GLOBAL},
                                           {"work", 0x400, 16, STT_FUNC, STB_GLOBAL}}};
    elf_make(&w->elf);
    w->program = wf_program_open(w->elf.bytes, w->elf.len, NULL);
    assert_non_null(w->program);
    w->session = opened();
    wf_session_use_program(w->session, w->program, NULL);
}

static void with_close(struct with *w) {
    wf_session_close(w->session);
    wf_program_close(w->program);
}

static void line_is(const char *format, const struct args *a, const char *want) {
    struct with w;
    struct args all = {.len = 0};
    char line[8192];
    with_open(&w, format, strlen(format) + 1);
    add(&all, WF_ELEMENT_obj, TEXT_AT, 4);
    memcpy(all.bytes + all.len, a->bytes, a->len);
    all.len += a->len;
    line_of(w.session, &all, line, sizeof line);
    assert_string_equal(line, want);
    with_close(&w);
}

static void elements_fill_the_directives(void **state) {
    (void)state;
    struct args a = {.len = 0};
    line_is("ready\n", &a, "ready");
    line_is("100 %%", &a, "100 %");
    add(&a, WF_ELEMENT_i32, (uint32_t)-5, 4);
    line_is("%d degrees\r\n", &a, "-5 degrees");
    line_is("[%5d]", &a, "[   -5]");
    line_is("[%-5i]", &a, "[-5   ]");
    line_is("[%05d]", &a, "[-0005]");
    line_is("%u", &a, "4294967291");
    line_is("%x", &a, "fffffffb");
    line_is("%lld", &a, "-5");
    add_text(&a, "too warm");
    line_is("%d: %s", &a, "-5: too warm");
    line_is("%d: [%10.3s]", &a, "-5: [       too]");
    add(&a, WF_ELEMENT_u8, 'C', 1);
    line_is("%d: %s %c", &a, "-5: too warm C");
    add_float(&a, 1.5F);
    add_double(&a, -2.25);
    line_is("%d: %s %c %f %.1e", &a, "-5: too warm C 1.500000 -2.2e+00");
    a.len = 0;
    add(&a, WF_ELEMENT_i8, 7, 1);
    add(&a, WF_ELEMENT_u16, 3, 2);
    add(&a, WF_ELEMENT_i64, UINT64_MAX, 8);
    line_is("[%0*.*d]", &a, "[   -001]");
    a.len = 0;
    add(&a, WF_ELEMENT_i8, (uint8_t)-7, 1);
    add(&a, WF_ELEMENT_u32, 3, 4);
    line_is("[%*u]", &a, "[3      ]");
}

static void pointers_have_names(void **state) {
    (void)state;
    struct args a = {.len = 0};
    add(&a, WF_ELEMENT_obj, 0x2004, 4);
    add(&a, WF_ELEMENT_fun, 0x400, 4);
    add(&a, WF_ELEMENT_obj, 0x3000, 4);
    line_is("%p %p %p", &a, "table+0x4 work 0x3000");
    line_is("%x %X %8p", &a, "2004 400   0x3000");
    a.len = 0;
    add(&a, WF_ELEMENT_obj, TEXT_AT + 3, 4);
    add(&a, WF_ELEMENT_obj, 0x4000, 4);
    add(&a, WF_ELEMENT_obj, 0, 4);
    line_is("%s %s %s", &a, "%s %s {text at 0x4000} (null)");
}

static void what_does_not_fit_is_shown(void **state) {
    (void)state;
    struct args a = {.len = 0};
    line_is("%d of %s", &a, "{%d missing} of {%s missing}");
    line_is("%*d", &a, "{%*d missing}");
    line_is("50% sure", &a, "50{% s missing}ure");
    line_is("%", &a, "%");
    line_is("%-", &a, "%-");
    line_is("%y %n", &a, "%y %n");
    add_text(&a, "full");
    line_is("%d of it", &a, "{%d got str full} of it");
    line_is("%*d of it", &a, "{%*d missing} of it");
    line_is("ready", &a, "ready {too many: full}");
    add(&a, WF_ELEMENT_i16, (uint16_t)-3, 2);
    add_double(&a, 0.5);
    line_is("%s", &a, "full {too many: -3 0.5}");
    line_is("%s %f %d", &a, "full {%f got i16 -3} {%d got f64 0.5}");
    a.len = 0;
    add(&a, WF_ELEMENT_u32, 1, 2); // the record ends inside it
    line_is("%u", &a, "{%u got a cut u32 0}");
    a.len = 0;
    add_text(&a, "bell\a escape\033[2J\nline\t\x7F");
    line_is("\033%s", &a, "\\x1Bbell\\x07 escape\\x1B[2J\\nline\\t\\x7F");
}

static void unknown_texts_are_shown_as_such(void **state) {
    (void)state;
    struct wf_session *session = opened();
    struct args a = {.len = 0};
    char line[256];
    line_of(session, &a, line, sizeof line);
    assert_string_equal(line, "{no text}");
    add(&a, WF_ELEMENT_obj, 0x1234, 4);
    add(&a, WF_ELEMENT_u8, 7, 1);
    add_text(&a, "x");
    line_of(session, &a, line, sizeof line);
    assert_string_equal(line, "{text at 0x1234} 7 x");
    // Without a program, the target's name dictionary can provide it.
    s.len = 0;
    put_name(&s, 0x1234, "%u of %s");
    wf_session_feed(session, s.bytes, s.len);
    struct wf_item item;
    while (wf_session_next(session, &item)) continue;
    line_of(session, &a, line, sizeof line);
    assert_string_equal(line, "7 of x");
    a.len = 0;
    add(&a, WF_ELEMENT_u8, 7, 1);
    line_of(session, &a, line, sizeof line);
    assert_string_equal(line, "{no text, but u8}");
    a.len = 0;
    add_text(&a, "text itself %d");
    add(&a, WF_ELEMENT_i8, 3, 1);
    line_of(session, &a, line, sizeof line);
    assert_string_equal(line, "text itself 3");
    wf_session_close(session);
}

static uint32_t seed = 1;
static unsigned random_below(unsigned n) {
    seed = seed * 1664525 + 1013904223;
    return (seed >> 8) % n;
}

// A directive with flags, width and precision, without the length of the conversion.
static void random_directive(char *to, const char *length, char conversion) {
    *to++ = '%';
    for (const char *flag = "-+ #0"; *flag; ++flag) {
        bool undefined = *flag == '#' && strchr("diucs", conversion);
        bool ignored = *flag == '0' && strchr("cs", conversion);
        if (!undefined && !ignored && !random_below(3)) *to++ = *flag;
    }
    if (random_below(2)) to += sprintf(to, "%u", random_below(40) + 1);
    if (conversion != 'c' && random_below(2)) to += sprintf(to, ".%u", random_below(20));
    sprintf(to, "%s%c", length, conversion);
}

static void any_directive_is_as_printf_has_it(void **state) {
    (void)state;
    static const char integers[] = "diuoxX", floats[] = "fFeEgGaA";
    char format[64], want[2048];
    for (unsigned n = 0; n < 20000; ++n) {
        struct args a = {.len = 0};
        uint64_t v = (uint64_t)random_below(1 << 24) << random_below(40) | random_below(1 << 24);
        if (!random_below(4)) v = 0 - v;
        if (!random_below(10)) v = 0;
        switch (random_below(4)) {
        case 0:
            random_directive(format, "", integers[random_below(6)]);
            add(&a, strpbrk(format, "di") ? WF_ELEMENT_i32 : WF_ELEMENT_u32, (uint32_t)v, 4);
            snprintf(want, sizeof want, format, (uint32_t)v);
            break;
        case 1:
            random_directive(format, "ll", integers[random_below(6)]);
            add(&a, strpbrk(format, "di") ? WF_ELEMENT_i64 : WF_ELEMENT_u64, v, 8);
            snprintf(want, sizeof want, format, (unsigned long long)v);
            break;
        case 2: {
            double d = (double)(int64_t)v / (double)(1 + random_below(1 << 20));
            if (!random_below(50)) d = 1.0 / 0.0;
            if (!random_below(50)) d = -1e308;
            random_directive(format, "", floats[random_below(8)]);
            add_double(&a, d);
            snprintf(want, sizeof want, format, d);
            break;
        }
        default:
            random_directive(format, "", random_below(2) ? 's' : 'c');
            if (strchr(format, 's')) {
                add_text(&a, "philosopher");
                snprintf(want, sizeof want, format, "philosopher");
            } else {
                add(&a, WF_ELEMENT_u8, 'x', 1);
                snprintf(want, sizeof want, format, 'x');
            }
        }
        line_is(format, &a, want);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_fill_the_directives),
        cmocka_unit_test(pointers_have_names),
        cmocka_unit_test(what_does_not_fit_is_shown),
        cmocka_unit_test(unknown_texts_are_shown_as_such),
        cmocka_unit_test(any_directive_is_as_printf_has_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
