// SPDX-License-Identifier: MIT
// Prints a log record as printf would: its first element is the format, the others are the
// arguments. The format comes from the target and is never passed to printf. Each directive is
// parsed, and an argument that does not fit is shown in braces:
//     "%d of %s\n" with 3                    3 of {%s missing}
//     "%d" with "full"                       {%d got str full}
//     "ready" with 7                         ready {too many: 7}

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "wallfly_host/wf_writer.h"
#include "wfi_sentence.h"

enum { WIDTH_MAX = 512, NUMBER = 2048 }; // the longest is %.512f of 1e308

struct directive {
    const char *from;
    size_t len;
    bool left, plus, blank, alternate, zero;
    unsigned width;
    int precision; // negative: none
    char conversion;
};

struct log {
    struct wf_session *s;
    const struct wf_record *r;
    size_t at; // position in the elements
    struct wfi_strbuf *t;
};

static void put_text(struct wfi_strbuf *t, const char *text, size_t len) {
    if (!wfi_strbuf_room(t, 4 * len + 1)) return;
    for (size_t i = 0; i < len; ++i) {
        unsigned char c = (unsigned char)text[i];
        if (c >= ' ' && c != 0x7F) {
            *t->end++ = (char)c;
            continue;
        }
        const char *known = strchr("\nn\tt\rr", c);
        *t->end++ = '\\';
        if (c && known) {
            *t->end++ = known[1];
        } else {
            *t->end++ = 'x';
            t->end = wfi_hex(t->end, c, 2);
        }
    }
}

static void put_padded(struct log *l, const struct directive *d, const char *text, size_t len) {
    size_t blanks = len < d->width ? d->width - len : 0;
    if (!d->left) wfi_strbuf_blanks(l->t, blanks);
    put_text(l->t, text, len);
    if (d->left) wfi_strbuf_blanks(l->t, blanks);
}

// Sign, prefix, zeros, digits, according to the flags.
static void put_number(struct log *l, const struct directive *d, bool negative, const char *prefix,
                       const char *digits, bool zero_filled) {
    char text[NUMBER + WIDTH_MAX];
    const char *sign = negative ? "-" : d->plus ? "+" : d->blank ? " " : "";
    size_t len = strlen(sign) + strlen(prefix) + strlen(digits);
    bool fill = d->zero && !d->left && zero_filled && len < d->width;
    int zeros = fill ? (int)(d->width - len) : 0;
    int n = snprintf(text, sizeof text, "%s%s%0*d", sign, prefix, zeros, 0);
    if (!zeros) --n; // %0*d with 0 still has one digit
    snprintf(text + n, sizeof text - (size_t)n, "%s", digits);
    put_padded(l, d, text, strlen(text));
}

static bool is_integer(const struct wf_element *e) {
    return e->code <= WF_ELEMENT_u32 || e->code == WF_ELEMENT_i64 || e->code == WF_ELEMENT_u64 ||
           e->code == WF_ELEMENT_hex;
}

static bool is_float(const struct wf_element *e) {
    return e->code == WF_ELEMENT_f32 || e->code == WF_ELEMENT_f64;
}

static bool is_address(const struct wf_element *e) {
    return e->code == WF_ELEMENT_obj || e->code == WF_ELEMENT_fun;
}

// The size of an integer or an address. A target may declare pointers of no bytes.
static unsigned bits_of(const struct log *l, const struct wf_element *e) {
    unsigned bytes = wf_elements[e->code].bytes;
    if (e->code == WF_ELEMENT_obj) bytes = l->s->target.bytes[WF_TYPE_OBJ];
    if (e->code == WF_ELEMENT_fun) bytes = l->s->target.bytes[WF_TYPE_FUN];
    return bytes ? 8 * bytes : 8;
}

static void put_integer(struct log *l, const struct directive *d, const struct wf_element *e) {
    char digits[NUMBER] = "", raw[32];
    const char *prefix = "";
    unsigned bits = bits_of(l, e);
    uint64_t mask = bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX, v = e->value & mask;
    bool is_signed = d->conversion == 'd' || d->conversion == 'i';
    // If only one side is signed, the bits are reinterpreted, as with printf.
    bool unsigned_element = e->code == WF_ELEMENT_u8 || e->code == WF_ELEMENT_u16;
    bool negative = is_signed && !unsigned_element && v >> (bits - 1) & 1;
    if (negative) v = (0 - v) & mask;
    unsigned long long number = v;
    switch (d->conversion) {
    case 'o': snprintf(raw, sizeof raw, "%llo", number); break;
    case 'x': snprintf(raw, sizeof raw, "%llx", number); break;
    case 'X': snprintf(raw, sizeof raw, "%llX", number); break;
    default: snprintf(raw, sizeof raw, "%llu", number);
    }
    if (d->precision == 0 && v == 0) *raw = 0;
    int zeros = d->precision - (int)strlen(raw);
    if (zeros > 0) memset(digits, '0', (size_t)zeros);
    memcpy(digits + (zeros > 0 ? zeros : 0), raw, strlen(raw) + 1);
    if (d->alternate && v && (d->conversion | 0x20) == 'x')
        prefix = d->conversion == 'x' ? "0x" : "0X";
    if (d->alternate && d->conversion == 'o' && *digits != '0') prefix = "0";
    struct directive bare = *d;
    if (!is_signed) bare.plus = bare.blank = false;
    put_number(l, &bare, negative, prefix, digits, d->precision < 0);
}

static void put_float(struct log *l, const struct directive *d, const struct wf_element *e) {
    static const char letters[] = "fFeEgGaA";
    static const char *const plain[] = {"%.*f", "%.*F", "%.*e", "%.*E",
                                        "%.*g", "%.*G", "%.*a", "%.*A"};
    static const char *const alternate[] = {"%#.*f", "%#.*F", "%#.*e", "%#.*E",
                                            "%#.*g", "%#.*G", "%#.*a", "%#.*A"};
    char digits[NUMBER];
    double v = wfi_element_float(e);
    size_t i = (size_t)(strchr(letters, d->conversion) - letters);
    const char *form = d->alternate ? alternate[i] : plain[i];
    // For %a, no precision means all digits.
    int precision = d->precision < 0 && (d->conversion | 0x20) != 'a' ? 6 : d->precision;
    snprintf(digits, sizeof digits, form, precision, fabs(v));
    bool hex = (d->conversion | 0x20) == 'a' && isfinite(v); // zeros are put after its 0x
    const char *prefix = !hex ? "" : d->conversion == 'a' ? "0x" : "0X";
    put_number(l, d, signbit(v) != 0, prefix, digits + (hex ? 2 : 0), isfinite(v));
}

static void put_string(struct log *l, const struct directive *d, const struct wf_element *e) {
    const char *text = (const char *)e->bytes;
    size_t len = e->len;
    char unknown[40];
    if (e->code == WF_ELEMENT_obj && !wf_session_text_at(l->s, e->value, &text, &len)) {
        snprintf(unknown, sizeof unknown, "{text at 0x%llX}", (unsigned long long)e->value);
        text = e->value ? unknown : "(null)";
        len = strlen(text);
    } else if (d->precision >= 0 && (size_t)d->precision < len) {
        len = (size_t)d->precision;
    }
    put_padded(l, d, text, len);
}

static void put_address(struct log *l, const struct directive *d, const struct wf_element *e) {
    struct directive hex = *d;
    const struct wfi_name *name = NULL;
    if (e->code == WF_ELEMENT_obj) name = wfi_object_name(l->s, e->value);
    if (e->code == WF_ELEMENT_fun) name = wfi_function_name(l->s, e->value);
    if (name) {
        put_padded(l, d, name->text, name->len);
        return;
    }
    hex.conversion = 'x';
    hex.alternate = true;
    put_integer(l, &hex, e);
}

static void put_value(struct log *l, const struct wf_element *e) {
    struct directive d = {.precision = -1, .conversion = 'u'};
    if (e->code == WF_ELEMENT_str) {
        put_text(l->t, (const char *)e->bytes, e->len);
    } else if (is_address(e)) {
        put_address(l, &d, e);
    } else if (e->code == WF_ELEMENT_sig) {
        wfi_put_signal(l->s, e->value, e->obj, l->t);
    } else if (is_float(e)) {
        d.conversion = 'g';
        put_float(l, &d, e);
    } else if (e->code == WF_ELEMENT_mem) {
        wfi_strbuf_printf(l->t, "%zu bytes", e->len);
    } else {
        if (wfi_is_signed(e)) d.conversion = 'd';
        put_integer(l, &d, e);
    }
}

static void put_character(struct log *l, const struct directive *d, const struct wf_element *e) {
    char c = (char)e->value;
    put_padded(l, d, &c, 1);
}

// The elements accepted for a letter, and the function that prints them.
static const struct conversion {
    const char *letters;
    bool integer, real, text, object, function;
    void (*put)(struct log *l, const struct directive *d, const struct wf_element *e);
} conversions[] = {
    {"di", true, false, false, false, false, put_integer},
    {"uoxX", true, false, false, true, true, put_integer},
    {"c", true, false, false, false, false, put_character},
    {"s", false, false, true, true, false, put_string},
    {"p", true, false, false, true, true, put_address},
    {"fFeEgGaA", false, true, false, false, false, put_float},
};

static const struct conversion *conversion_of(char letter) {
    for (size_t i = 0; i < sizeof conversions / sizeof *conversions; ++i) {
        if (letter && strchr(conversions[i].letters, letter)) return &conversions[i];
    }
    return NULL;
}

static bool element_fits(const struct conversion *c, const struct wf_element *e) {
    return (c->integer && is_integer(e)) || (c->real && is_float(e)) ||
           (c->text && e->code == WF_ELEMENT_str) || (c->object && e->code == WF_ELEMENT_obj) ||
           (c->function && e->code == WF_ELEMENT_fun);
}

static void put_wrong(struct log *l, const struct directive *d, const struct wf_element *e) {
    wfi_strbuf_put(l->t, "{");
    put_text(l->t, d->from, d->len);
    if (e) {
        wfi_strbuf_printf(l->t, " got %s%s ", e->cut ? "a cut " : "", wf_elements[e->code].name);
        put_value(l, e);
    } else {
        wfi_strbuf_put(l->t, " missing");
    }
    wfi_strbuf_put(l->t, "}");
}

static const char *parse_number(const char *p, const char *end, unsigned *number) {
    for (*number = 0; p < end && isdigit((unsigned char)*p); ++p) {
        if (*number <= WIDTH_MAX) *number = *number * 10 + (unsigned)(*p - '0');
    }
    if (*number > WIDTH_MAX) *number = WIDTH_MAX;
    return p;
}

// Reads the element for a '*'. Returns false if there is none, or it is no integer.
static bool take_star(struct log *l, int64_t *number) {
    struct wf_element e;
    if (!wf_session_next_element(l->s, l->r, &l->at, &e) || !is_integer(&e) || e.cut) return false;
    unsigned bits = bits_of(l, &e);
    bool negative = e.value >> (bits - 1) & 1;
    *number = (int64_t)(e.value & (bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX));
    if (negative && bits < 64) *number -= INT64_C(1) << bits;
    if (*number > WIDTH_MAX) *number = WIDTH_MAX;
    if (*number < -WIDTH_MAX) *number = -WIDTH_MAX;
    return true;
}

// Parses a directive and sets its length. Returns false if an element for a '*' is missing.
static bool parse_directive(struct log *l, const char *p, const char *end, struct directive *d) {
    bool good = true;
    int64_t star;
    *d = (struct directive){.from = p++, .precision = -1};
    for (; p < end && *p && strchr("-+ #0", *p); ++p) {
        d->left |= *p == '-';
        d->plus |= *p == '+';
        d->blank |= *p == ' ';
        d->alternate |= *p == '#';
        d->zero |= *p == '0';
    }
    if (p < end && *p == '*') {
        good = take_star(l, &star);
        d->left |= good && star < 0;
        if (good) d->width = (unsigned)(star < 0 ? -star : star);
        ++p;
    } else {
        p = parse_number(p, end, &d->width);
    }
    if (p < end && *p == '.') {
        unsigned number = 0;
        if (++p < end && *p == '*') {
            good = good && take_star(l, &star);
            d->precision = good ? (int)star : -1;
            ++p;
        } else {
            p = parse_number(p, end, &number);
            d->precision = (int)number;
        }
    }
    while (p < end && *p && strchr("hljztLq", *p)) ++p;
    if (p < end) d->conversion = *p++;
    d->len = (size_t)(p - d->from);
    return good;
}

static void put_directive(struct log *l, const struct directive *d, bool good) {
    struct wf_element e;
    const struct conversion *c = conversion_of(d->conversion);
    if (d->conversion == '%') {
        wfi_strbuf_put(l->t, "%");
    } else if (!c) { // printf does not know it, or it writes to memory
        put_text(l->t, d->from, d->len);
    } else if (!good || !wf_session_next_element(l->s, l->r, &l->at, &e)) {
        put_wrong(l, d, NULL);
    } else if (e.cut || !element_fits(c, &e)) {
        put_wrong(l, d, &e);
    } else {
        c->put(l, d, &e);
    }
}

static void put_line(struct log *l, const char *text, size_t len) {
    const char *end = text + len;
    while (end > text && (end[-1] == '\n' || end[-1] == '\r')) --end;
    while (text < end) {
        const char *percent = memchr(text, '%', (size_t)(end - text));
        put_text(l->t, text, (size_t)((percent ? percent : end) - text));
        if (!percent) return;
        struct directive d;
        bool good = parse_directive(l, percent, end, &d);
        put_directive(l, &d, good);
        text = percent + d.len;
    }
}

// Returns false if the text is not known.
static bool put_known(struct log *l, const struct wf_element *e) {
    const char *text = (const char *)e->bytes;
    size_t len = e->len;
    bool is_text = !e->cut && e->code == WF_ELEMENT_str;
    if (!is_text &&
        (e->cut || e->code != WF_ELEMENT_obj || !wf_session_text_at(l->s, e->value, &text, &len)))
        return false;
    put_line(l, text, len);
    return true;
}

void wfi_put_log(struct wf_session *s, const struct wf_record *r, struct wfi_strbuf *t) {
    struct log l = {s, r, 0, t};
    struct wf_element e;
    bool any = wf_session_next_element(s, r, &l.at, &e), known = any && put_known(&l, &e);
    if (!any)
        wfi_strbuf_put(t, "{no text}");
    else if (!known && e.code == WF_ELEMENT_obj && !e.cut)
        wfi_strbuf_printf(t, "{text at 0x%llX}", (unsigned long long)e.value);
    else if (!known)
        wfi_strbuf_printf(t, "{no text, but %s}", wf_elements[e.code].name);
    bool more = false;
    for (; wf_session_next_element(s, r, &l.at, &e); more = true) {
        if (known && !more) wfi_strbuf_put(t, " {too many:");
        wfi_strbuf_put(t, " ");
        put_value(&l, &e);
    }
    if (known && more) wfi_strbuf_put(t, "}");
}

bool wf_record_log_text(struct wf_session *s, const struct wf_record *r, char *to, size_t cap) {
    struct wfi_strbuf text;
    bool failed = false;
    if (!wfi_strbuf_open(&text, &failed)) return false;
    wfi_put_log(s, r, &text);
    size_t len = wfi_strbuf_len(&text) < cap ? wfi_strbuf_len(&text) : cap - 1;
    memcpy(to, text.buf, len);
    to[len] = 0;
    wfi_strbuf_close(&text);
    return !failed;
}

void wfi_put_constant(struct wf_session *s, uint64_t address, struct wfi_strbuf *t) {
    const char *text;
    size_t len;
    if (wf_session_text_at(s, address, &text, &len))
        put_text(t, text, len);
    else
        wfi_put_object(s, address, t);
}
