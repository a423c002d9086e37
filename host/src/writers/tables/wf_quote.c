// SPDX-License-Identifier: MIT
// Strings of JSON and fields of CSV. Few need an escape, so eight bytes are checked at a time.

#include "wallfly_host/wf_utf8.h"
#include "wfi_tables.h"

static const uint64_t each = UINT64_C(0x0101010101010101), high = UINT64_C(0x8080808080808080);

// High bits of bytes that are zero, and perhaps of bytes above the first of them.
static inline uint64_t zeros(uint64_t v) { return (v - each) & ~v & high; }
static inline uint64_t equals(uint64_t v, char c) { return zeros(v ^ each * (uint8_t)c); }

// Whether all bytes are ASCII that needs no escape in a JSON string.
static inline bool is_plain(uint64_t v) {
    uint64_t controls = (v - each * ' ') & ~v;
    return !((v | controls | equals(v, '"') | equals(v, '\\') | equals(v, 0x7F)) & high);
}

static char *escaped(char *p, unsigned code) {
    memcpy(p, "\\u", 2);
    return wfi_hex(p + 2, code, 4);
}

static char *put_special(char *p, uint8_t c) {
    static const char letters[] = "\bb\tt\nn\ff\rr\"\"\\\\";
    for (const char *l = letters; *l; l += 2) {
        if ((uint8_t)*l != c) continue;
        *p++ = '\\';
        *p++ = l[1];
        return p;
    }
    return escaped(p, c);
}

// One character, or a byte that belongs to none.
static char *put_character(char *p, const uint8_t **s, const uint8_t *end) {
    uint8_t c = **s;
    size_t n = 1;
    uint32_t code = 0;
    if (c >= ' ' && c < 0x7F && c != '"' && c != '\\') {
        *p++ = (char)c;
    } else if (c < 0x80) {
        p = put_special(p, c);
    } else if ((n = wf_utf8_decode((const char *)*s, (size_t)(end - *s), &code)) != 0) {
        // A shown character is copied, any other one escaped: none of these is above U+FFFF.
        if (!wf_utf8_shown((const char *)*s, n)) {
            p = escaped(p, code);
        } else {
            memcpy(p, *s, n);
            p += n;
        }
    } else {
        n = 1;
        p = escaped(p, 0xDC00u + c);
    }
    *s += n;
    return p;
}

size_t wf_table_json_text(const char *text, size_t len, char *to) {
    const uint8_t *s = (const uint8_t *)text, *end = s + len;
    char *p = to;
    *p++ = '"';
    while (s < end) {
        uint64_t v;
        if (end - s >= 8) {
            memcpy(&v, s, 8);
            if (is_plain(v)) {
                memcpy(p, &v, 8);
                p += 8;
                s += 8;
                continue;
            }
        }
        p = put_character(p, &s, end);
    }
    *p++ = '"';
    return (size_t)(p - to);
}

void wfi_put_json(const char *text, size_t len, struct wfi_strbuf *t) {
    if (wfi_strbuf_room(t, 6 * len + 2)) t->end += wf_table_json_text(text, len, t->end);
}

static size_t digits(const char *text, size_t len) {
    size_t n = 0;
    while (n < len && text[n] >= '0' && text[n] <= '9') ++n;
    return n;
}

// A number with a sign: -12, +0.5, -1e-3.
static bool is_number(const char *text, size_t len) {
    size_t i = 1, n = digits(text + i, len - i);
    i += n;
    if (i < len && text[i] == '.') {
        size_t part = digits(text + i + 1, len - i - 1);
        n += part;
        i += 1 + part;
    }
    if (!n) return false;
    if (i < len && (text[i] == 'e' || text[i] == 'E')) {
        ++i;
        if (i < len && (text[i] == '+' || text[i] == '-')) ++i;
        n = digits(text + i, len - i);
        if (!n) return false;
        i += n;
    }
    return i == len;
}

// Returns true if a spreadsheet may read the text as a formula. Control characters, which it might
// skip at the start, are escaped.
static bool is_formula(const char *text, size_t len) {
    if (!len || !*text || !strchr("=+-@", *text)) return false;
    return !((*text == '+' || *text == '-') && is_number(text, len));
}

static bool needs_quotes(const char *text, size_t len) {
    size_t i = 0;
    for (; len - i >= 8; i += 8) {
        uint64_t v;
        memcpy(&v, text + i, 8);
        if (equals(v, '"') | equals(v, ',') | equals(v, '\n') | equals(v, '\r')) return true;
    }
    for (; i < len; ++i) {
        if (text[i] == '"' || text[i] == ',' || text[i] == '\n' || text[i] == '\r') return true;
    }
    return len == 0; // an empty text differs from no text
}

// In quotes.
static size_t quoted(const char *text, size_t len, bool formula, char *to) {
    char *p = to;
    *p++ = '"';
    if (formula) *p++ = '\'';
    for (size_t i = 0; i < len; ++i) {
        if (text[i] == '"') *p++ = '"';
        *p++ = text[i];
    }
    *p++ = '"';
    return (size_t)(p - to);
}

// A text with bytes that need escapes: in quotes, with visible escapes.
static size_t quoted_shown(const char *text, size_t len, char *to) {
    char *p = to;
    *p++ = '"';
    if (is_formula(text, len)) *p++ = '\'';
    for (size_t i = 0; i < len;) {
        size_t plain = wf_utf8_plain_length(text + i, len - i);
        for (size_t end = i + plain; i < end; ++i) {
            if (text[i] == '"') *p++ = '"';
            *p++ = text[i];
        }
        if (i == len) break;
        size_t n = wf_utf8_decode(text + i, len - i, NULL);
        n += !n; // a byte that begins no character
        p += wf_utf8_show(text + i, n, p);
        i += n;
    }
    *p++ = '"';
    return (size_t)(p - to);
}

size_t wf_table_csv_text(const char *text, size_t len, bool raw, char *to) {
    if (!raw && wf_utf8_plain_length(text, len) < len) return quoted_shown(text, len, to);
    bool formula = !raw && is_formula(text, len);
    if (needs_quotes(text, len)) return quoted(text, len, formula, to);
    if (formula) *to = '\'';
    memcpy(to + formula, text, len);
    return len + formula;
}

void wfi_put_csv(const char *text, size_t len, bool raw, struct wfi_strbuf *t) {
    if (wfi_strbuf_room(t, 4 * len + 3)) t->end += wf_table_csv_text(text, len, raw, t->end);
}
