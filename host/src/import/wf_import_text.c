// SPDX-License-Identifier: MIT
// See wfi_import_text.h. Numbers are converted here, as the C library's functions need a zero at
// the end and depend on the locale.

#include "wfi_import_text.h"

// ---- lines

// Counts a line that is too long, or a part of it, as damage; `ends`: this is the last part.
static void skip_bytes(struct wfi_import *im, struct wfi_lines *l, size_t at, size_t len,
                       bool ends) {
    if (!l->skips) {
        l->skips = true;
        l->skipped_at = im->at + at;
        l->skipped = 0;
    }
    l->skipped += len;
    if (!ends) return;
    l->skips = false;
    im->offset = l->skipped_at;
    wfi_import_damage(im, l->skipped_at, l->skipped, "a line that is too long");
}

size_t wfi_lines_decode(struct wfi_import *im, struct wfi_lines *l, const uint8_t *bytes,
                        size_t len, bool last,
                        void (*take)(struct wfi_import *im, struct wfi_part line)) {
    size_t at = 0;
    while (at < len && !wfi_import_is_full(im)) {
        const char *line = (const char *)bytes + at;
        const char *end = memchr(line, '\n', len - at);
        size_t n = end ? (size_t)(end - line) : len - at, all = n + (end != NULL);
        if (l->skips || n > WFI_IMPORT_LINE_MAX) {
            skip_bytes(im, l, at, all, end != NULL);
            at += all;
            continue;
        }
        if (!end && !last) break;
        im->offset = im->at + at;
        at += all;
        if (n && line[n - 1] == '\r') --n;
        take(im, (struct wfi_part){line, n});
    }
    if (last && at == len && l->skips) skip_bytes(im, l, at, 0, true);
    return at;
}

bool wfi_import_is_text(const uint8_t *bytes, size_t len) {
    for (size_t i = 0; i < len; ++i) {
        bool blank = bytes[i] == '\t' || bytes[i] == '\n' || bytes[i] == '\r';
        if ((bytes[i] < ' ' && !blank) || bytes[i] == 0x7F) return false;
    }
    return true;
}

bool wfi_lines_any(const uint8_t *bytes, size_t len, bool whole,
                   bool (*check)(struct wfi_part line)) {
    struct wfi_part rest = {(const char *)bytes, len};
    while (rest.len) {
        bool ends = memchr(rest.at, '\n', rest.len) != NULL;
        struct wfi_part line = wfi_part_cut(&rest, '\n');
        if (line.len && line.at[line.len - 1] == '\r') --line.len;
        if ((ends || whole) && line.len <= WFI_IMPORT_LINE_MAX && check(line)) return true;
    }
    return false;
}

// ---- parts

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

struct wfi_part wfi_part_trim(struct wfi_part p) {
    while (p.len && is_blank(p.at[0])) wfi_part_drop(&p, 1);
    while (p.len && is_blank(p.at[p.len - 1])) --p.len;
    return p;
}

bool wfi_part_skip(struct wfi_part *p, const char *text) {
    size_t n = strlen(text);
    if (p->len < n || memcmp(p->at, text, n) != 0) return false;
    wfi_part_drop(p, n);
    return true;
}

struct wfi_part wfi_part_cut(struct wfi_part *p, char end) {
    const char *at = p->len ? memchr(p->at, end, p->len) : NULL;
    struct wfi_part first = {p->at, at ? (size_t)(at - p->at) : p->len};
    wfi_part_drop(p, first.len + (at != NULL));
    return first;
}

static bool split_at(struct wfi_part p, size_t at, size_t len, struct wfi_part *before,
                     struct wfi_part *after) {
    if (before) *before = (struct wfi_part){p.at, at};
    if (after) *after = (struct wfi_part){p.at + at + len, p.len - at - len};
    return true;
}

bool wfi_part_find(struct wfi_part p, const char *text, struct wfi_part *before,
                   struct wfi_part *after) {
    size_t n = strlen(text);
    for (size_t i = 0; i + n <= p.len; ++i) {
        const char *next = memchr(p.at + i, text[0], p.len - n - i + 1);
        if (!next) return false;
        i = (size_t)(next - p.at);
        if (memcmp(next, text, n) == 0) return split_at(p, i, n, before, after);
    }
    return false;
}

bool wfi_part_find_last(struct wfi_part p, const char *text, struct wfi_part *before,
                        struct wfi_part *after) {
    size_t n = strlen(text);
    for (size_t i = p.len < n ? 0 : p.len - n + 1; i-- > 0;) {
        if (memcmp(p.at + i, text, n) == 0) return split_at(p, i, n, before, after);
    }
    return false;
}

// ---- numbers

static unsigned digit_of(char c) {
    if (wfi_is_digit(c)) return (unsigned)(c - '0');
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : 16;
}

static bool parse_number(struct wfi_part p, unsigned base, uint64_t *value) {
    *value = 0;
    if (!p.len) return false;
    for (size_t i = 0; i < p.len; ++i) {
        unsigned d = digit_of(p.at[i]);
        if (d >= base || *value > (UINT64_MAX - d) / base) return false;
        *value = *value * base + d;
    }
    return true;
}

bool wfi_part_number(struct wfi_part p, uint64_t *value) { return parse_number(p, 10, value); }

bool wfi_part_hex(struct wfi_part p, uint64_t *value) {
    return (wfi_part_skip(&p, "0x") || wfi_part_skip(&p, "0X")) && parse_number(p, 16, value);
}

bool wfi_part_signed(struct wfi_part p, int64_t *value) {
    uint64_t v;
    bool negative = wfi_part_skip(&p, "-");
    if (!parse_number(p, 10, &v) || v > (uint64_t)INT64_MAX) return false;
    *value = negative ? -(int64_t)v : (int64_t)v;
    return true;
}

// Takes digits. Returns their number; those that do not fit in the value count in *shift.
static size_t take_digits(struct wfi_part *p, uint64_t *value, int *shift, int step) {
    size_t n = 0;
    for (; p->len && wfi_is_digit(p->at[0]); wfi_part_drop(p, 1), ++n) {
        bool fits = *value < UINT64_MAX / 10 - 1;
        if (fits) *value = *value * 10 + (unsigned)(p->at[0] - '0');
        *shift += fits ? step : step + 1;
    }
    return n;
}

static double scale(double v, int64_t by) {
    if (by > 400) by = 400;
    if (by < -400) by = -400;
    for (; by > 0; --by) v *= 10;
    for (; by < 0; ++by) v /= 10;
    return v;
}

bool wfi_part_double(struct wfi_part p, double *value) {
    uint64_t digits = 0, exponent = 0;
    int shift = 0, none = 0;
    bool negative = wfi_part_skip(&p, "-");
    size_t n = take_digits(&p, &digits, &shift, 0);
    if (wfi_part_skip(&p, ".")) n += take_digits(&p, &digits, &shift, -1);
    if (!n) return false;
    int64_t by = shift;
    if (wfi_part_skip(&p, "e") || wfi_part_skip(&p, "E")) {
        bool down = wfi_part_skip(&p, "-");
        if (!down) (void)wfi_part_skip(&p, "+");
        if (!take_digits(&p, &exponent, &none, 0)) return false;
        if (exponent > 100000) exponent = 100000;
        by += down ? -(int64_t)exponent : (int64_t)exponent;
    }
    if (p.len) return false;
    *value = digits ? scale((double)digits, by) : 0;
    if (negative) *value = -*value;
    return true;
}

bool wfi_part_value(struct wfi_part p, const char *key, uint64_t *value) {
    struct wfi_part after;
    if (!wfi_part_find(p, key, NULL, &after)) return false;
    size_t n = 0;
    while (n < after.len && wfi_is_digit(after.at[n])) ++n;
    return wfi_part_number((struct wfi_part){after.at, n}, value);
}

// ---- fields

struct wfi_import_field wfi_part_field(const char *name, struct wfi_part p) {
    struct wfi_import_field f = {.name = name, .text = p.at, .len = p.len};
    int64_t number;
    double real;
    f.type = WFI_FIELD_TEXT;
    if (wfi_part_signed(p, &number)) {
        f.type = WFI_FIELD_SIGNED;
        f.value = (uint64_t)number;
    } else if (wfi_part_hex(p, &f.value)) {
        f.type = WFI_FIELD_HEX;
    } else if (wfi_part_double(p, &real)) {
        f.type = WFI_FIELD_FLOAT;
        memcpy(&f.value, &real, sizeof f.value);
    }
    return f;
}

static bool is_name(char c, bool first) {
    bool letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
    return letter || c == '_' || (!first && wfi_is_digit(c));
}

// Takes "key=". Returns false if the text does not begin so.
static bool take_key(struct wfi_part *p, struct wfi_part *key) {
    size_t n = 0;
    while (n < p->len && is_name(p->at[n], n == 0)) ++n;
    if (!n || n == p->len || p->at[n] != '=') return false;
    *key = (struct wfi_part){p->at, n};
    wfi_part_drop(p, n + 1);
    return true;
}

// A value may have blanks: it extends to the next key.
static struct wfi_part take_value(struct wfi_part *p) {
    struct wfi_part rest = *p, key;
    for (size_t n = 0; n < p->len; ++n) {
        if (!is_blank(p->at[n])) continue;
        rest = (struct wfi_part){p->at + n + 1, p->len - n - 1};
        struct wfi_part next = rest;
        if (!take_key(&next, &key)) continue;
        struct wfi_part value = {p->at, n};
        *p = rest;
        return wfi_part_trim(value);
    }
    rest = *p;
    wfi_part_drop(p, p->len);
    return wfi_part_trim(rest);
}

unsigned wfi_part_fields(struct wfi_part p, struct wfi_import_field *fields, unsigned most,
                         char (*names)[WFI_PART_NAME]) {
    unsigned count = 0;
    struct wfi_part key;
    p = wfi_part_trim(p);
    for (; p.len && count < most; ++count) {
        if (!take_key(&p, &key)) return 0;
        size_t n = key.len < WFI_PART_NAME - 1 ? key.len : WFI_PART_NAME - 1;
        memcpy(names[count], key.at, n);
        names[count][n] = 0;
        fields[count] = wfi_part_field(names[count], take_value(&p));
        p = wfi_part_trim(p);
    }
    return p.len ? 0 : count;
}
