// SPDX-License-Identifier: MIT
// See wfi_json.h.

#include "wfi_json.h"

void wfi_json_blanks(struct wfi_json *j) {
    while (j->at < j->len && memchr(" \t\r\n", j->text[j->at], 4)) ++j->at;
}

bool wfi_json_take(struct wfi_json *j, char c) {
    if (j->bad || j->at >= j->len || j->text[j->at] != c) return false;
    ++j->at;
    return true;
}

// ---- values

static bool fail(struct wfi_json *j) {
    j->bad = true;
    return false;
}

// Takes a string whose first quote has been taken.
static bool take_string(struct wfi_json *j, struct wfi_part *value) {
    size_t from = j->at;
    for (; j->at < j->len; ++j->at) {
        unsigned char c = (unsigned char)j->text[j->at];
        if (c == '"') {
            *value = (struct wfi_part){j->text + from, j->at - from};
            ++j->at;
            return true;
        }
        if (c < ' ') return fail(j);
        if (c == '\\' && ++j->at >= j->len) break;
    }
    return fail(j);
}

// Takes a number or a word.
static enum wfi_json_kind take_plain(struct wfi_json *j, struct wfi_part *value) {
    size_t from = j->at;
    double number;
    for (; j->at < j->len; ++j->at) {
        char c = j->text[j->at], lower = (char)(c | 0x20);
        bool plain =
            wfi_is_digit(c) || (lower >= 'a' && lower <= 'z') || c == '-' || c == '+' || c == '.';
        if (!plain) break;
    }
    *value = (struct wfi_part){j->text + from, j->at - from};
    if (wfi_part_double(*value, &number)) return WFI_JSON_NUMBER;
    if (wfi_part_is(*value, "true") || wfi_part_is(*value, "false") || wfi_part_is(*value, "null"))
        return WFI_JSON_WORD;
    j->at = from;
    (void)fail(j);
    return WFI_JSON_NONE;
}

// Takes what may stand before a value in a list of this kind, or after one. Objects: the name.
static bool take_name(struct wfi_json *j) {
    struct wfi_part name;
    wfi_json_blanks(j);
    if (!wfi_json_take(j, '"') || !take_string(j, &name)) return fail(j);
    wfi_json_blanks(j);
    if (!wfi_json_take(j, ':')) return fail(j);
    wfi_json_blanks(j);
    return true;
}

// Skips a list whose first bracket has been taken. Lists in it are counted, not called. A comma
// before the end is tolerated.
static bool skip_list(struct wfi_json *j, bool object) {
    bool objects[WFI_JSON_DEPTH];
    unsigned depth = 1;
    struct wfi_part part;
    objects[0] = object;
    while (depth) {
        bool in_object = objects[depth - 1];
        wfi_json_blanks(j);
        if (wfi_json_take(j, in_object ? '}' : ']')) {
            --depth;
            wfi_json_blanks(j);
            if (depth) (void)wfi_json_take(j, ',');
            continue;
        }
        if (in_object && !take_name(j)) return false;
        if (wfi_json_take(j, '{') || wfi_json_take(j, '[')) {
            if (depth == WFI_JSON_DEPTH) return fail(j);
            objects[depth++] = j->text[j->at - 1] == '{';
            continue;
        }
        bool good =
            wfi_json_take(j, '"') ? take_string(j, &part) : take_plain(j, &part) != WFI_JSON_NONE;
        if (!good) return false;
        wfi_json_blanks(j);
        bool comma = wfi_json_take(j, ',');
        bool ends = j->at < j->len && j->text[j->at] == (in_object ? '}' : ']');
        if (!comma && !ends) return fail(j);
    }
    return true;
}

enum wfi_json_kind wfi_json_value(struct wfi_json *j, struct wfi_part *value) {
    wfi_json_blanks(j);
    size_t from = j->at;
    if (j->bad) return WFI_JSON_NONE;
    if (wfi_json_take(j, '"')) return take_string(j, value) ? WFI_JSON_STRING : WFI_JSON_NONE;
    bool object = wfi_json_take(j, '{');
    if (!object && !wfi_json_take(j, '[')) return take_plain(j, value);
    if (!skip_list(j, object)) return WFI_JSON_NONE;
    *value = (struct wfi_part){j->text + from, j->at - from};
    return object ? WFI_JSON_OBJECT : WFI_JSON_ARRAY;
}

enum wfi_json_kind wfi_json_member(struct wfi_json *j, struct wfi_part *name,
                                   struct wfi_part *value) {
    wfi_json_blanks(j);
    if (j->bad || wfi_json_take(j, '}')) return WFI_JSON_NONE;
    if (!wfi_json_take(j, '"') || !take_string(j, name)) {
        (void)fail(j);
        return WFI_JSON_NONE;
    }
    wfi_json_blanks(j);
    if (!wfi_json_take(j, ':')) {
        (void)fail(j);
        return WFI_JSON_NONE;
    }
    enum wfi_json_kind kind = wfi_json_value(j, value);
    wfi_json_blanks(j);
    bool comma = wfi_json_take(j, ',');
    if (kind && !comma && !(j->at < j->len && j->text[j->at] == '}')) j->bad = true;
    return j->bad ? WFI_JSON_NONE : kind;
}

// ---- escapes

// Takes four hexadecimal digits at s[at]. Returns false if they are not there.
static bool take_unit(struct wfi_part s, size_t at, uint32_t *unit) {
    char digits[6] = "0x";
    uint64_t value;
    if (at + 4 > s.len) return false;
    memcpy(digits + 2, s.at + at, 4);
    if (!wfi_part_hex((struct wfi_part){digits, sizeof digits}, &value)) return false;
    *unit = (uint32_t)value;
    return true;
}

static size_t put_utf8(char *to, uint32_t c) {
    if (c < 0x80) {
        to[0] = (char)c;
        return 1;
    }
    unsigned more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static const unsigned char first[] = {0, 0xC0, 0xE0, 0xF0};
    to[0] = (char)(first[more] | c >> 6 * more);
    for (unsigned i = 1; i <= more; ++i) to[i] = (char)(0x80 | (c >> 6 * (more - i) & 0x3F));
    return more + 1;
}

// Takes "\uXXXX" and the second half of a pair; a half alone, and a zero, are U+FFFD.
static size_t put_unit(char *to, struct wfi_part s, size_t *at) {
    uint32_t c = 0, low;
    bool good = take_unit(s, *at, &c);
    if (good) *at += 4;
    if (good && c >> 10 == 0x36 && *at + 6 <= s.len && s.at[*at] == '\\' && s.at[*at + 1] == 'u' &&
        take_unit(s, *at + 2, &low) && low >> 10 == 0x37) {
        *at += 6;
        c = 0x10000 + ((c & 0x3FF) << 10 | (low & 0x3FF));
    }
    return put_utf8(to, c == 0 || c >> 11 == 0x1B ? 0xFFFD : c);
}

struct wfi_part wfi_json_text(struct wfi_part s, char *to, size_t room) {
    static const char escapes[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    size_t n = 0;
    if (!s.len || !memchr(s.at, '\\', s.len)) return s;
    for (size_t at = 0; at < s.len && n + 4 <= room;) {
        char c = s.at[at++];
        if (c != '\\' || at == s.len) {
            to[n++] = c;
            continue;
        }
        c = s.at[at++];
        const char *escape = memchr(escapes, c, sizeof escapes - 1);
        if (c == 'u')
            n += put_unit(to + n, s, &at);
        else
            to[n++] = escape ? values[escape - escapes] : c;
    }
    return (struct wfi_part){to, n};
}
