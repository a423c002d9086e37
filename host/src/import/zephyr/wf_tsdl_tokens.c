// SPDX-License-Identifier: MIT
// Tokens of TSDL.

#include <string.h>

#include "wfi_tsdl.h"

bool wfi_tsdl_fail(struct wfi_tsdl_parser *p, const char *why) {
    if (!p->error->why) {
        p->error->why = why;
        p->error->line = p->line;
    }
    return false;
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Skips blanks and comments.
static bool skip_blanks(struct wfi_tsdl_parser *p) {
    while (p->p < p->end) {
        size_t left = (size_t)(p->end - p->p);
        if (*p->p == '\n') {
            ++p->line;
            ++p->p;
        } else if (*p->p == ' ' || *p->p == '\t' || *p->p == '\r' || *p->p == '\f') {
            ++p->p;
        } else if (left > 1 && p->p[0] == '/' && p->p[1] == '/') {
            while (p->p < p->end && *p->p != '\n') ++p->p;
        } else if (left > 1 && p->p[0] == '/' && p->p[1] == '*') {
            for (p->p += 2;; ++p->p) {
                if (p->end - p->p < 2) return wfi_tsdl_fail(p, "a comment without an end");
                if (p->p[0] == '*' && p->p[1] == '/') break;
                p->line += *p->p == '\n';
            }
            p->p += 2;
        } else {
            break;
        }
    }
    return true;
}

static int digit_of(char c) {
    if (is_digit(c)) return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return 99;
}

static bool take_number(struct wfi_tsdl_parser *p) {
    int base = 10;
    uint64_t n = 0;
    p->token = TSDL_NUMBER;
    if (*p->p == '0' && p->end - p->p > 1) {
        char x = p->p[1];
        base = x == 'x' || x == 'X' ? 16 : x == 'b' || x == 'B' ? 2 : 8;
        p->p += base == 8 ? 1 : 2;
    }
    for (; p->p < p->end && digit_of(*p->p) < base; ++p->p) {
        if (n > (UINT64_MAX - 15) / (unsigned)base)
            return wfi_tsdl_fail(p, "a number is too large");
        n = n * (unsigned)base + (unsigned)digit_of(*p->p);
    }
    while (p->p < p->end && strchr("uUlL", *p->p) && *p->p) ++p->p;
    if (p->p < p->end && (is_letter(*p->p) || is_digit(*p->p)))
        return wfi_tsdl_fail(p, "a number is not valid");
    p->number = n;
    return true;
}

static bool take_text(struct wfi_tsdl_parser *p) {
    p->token = TSDL_TEXT;
    p->at = ++p->p;
    for (; p->p < p->end && *p->p != '"'; ++p->p) {
        p->line += *p->p == '\n';
        if (*p->p == '\\' && p->end - p->p > 1) ++p->p;
    }
    if (p->p == p->end) return wfi_tsdl_fail(p, "a text without an end");
    p->len = (size_t)(p->p++ - p->at);
    return true;
}

bool wfi_tsdl_next(struct wfi_tsdl_parser *p) {
    if (!skip_blanks(p)) return false;
    p->at = p->p;
    p->len = 0;
    if (p->p == p->end) {
        p->token = TSDL_END;
        return true;
    }
    if (is_digit(*p->p)) return take_number(p);
    if (*p->p == '"') return take_text(p);
    if (is_letter(*p->p)) {
        while (p->p < p->end && (is_letter(*p->p) || is_digit(*p->p))) ++p->p;
        p->len = (size_t)(p->p - p->at);
        p->token = TSDL_WORD;
        return true;
    }
    size_t left = (size_t)(p->end - p->p);
    if (left > 1 && memcmp(p->p, ":=", 2) == 0) {
        p->token = TSDL_ASSIGN;
        p->p += 2;
    } else if (left > 2 && memcmp(p->p, "...", 3) == 0) {
        p->token = TSDL_DOTS;
        p->p += 3;
    } else {
        p->token = *p->p == '=' ? TSDL_IS : TSDL_SIGN;
        p->sign = *p->p++;
        if (!strchr("{}[]();,.:<>=-+*", p->sign) || !p->sign)
            return wfi_tsdl_fail(p, "a character that TSDL does not have");
    }
    return true;
}

bool wfi_tsdl_expect(struct wfi_tsdl_parser *p, char sign) {
    static const char signs[] = "{}[]();,:";
    static const char *const why[] = {"'{' expected", "'}' expected", "'[' expected",
                                      "']' expected", "'(' expected", "')' expected",
                                      "';' expected", "',' expected", "':' expected"};
    if (wfi_tsdl_is_sign(p, sign)) return wfi_tsdl_next(p);
    const char *at = strchr(signs, sign);
    return wfi_tsdl_fail(p, at ? why[at - signs] : "an unexpected token");
}

bool wfi_tsdl_is_word(const struct wfi_tsdl_parser *p, const char *word) {
    return p->token == TSDL_WORD && strlen(word) == p->len && memcmp(p->at, word, p->len) == 0;
}

bool wfi_tsdl_skip(struct wfi_tsdl_parser *p) {
    for (unsigned depth = 0;;) {
        if (p->token == TSDL_END) return wfi_tsdl_fail(p, "the text ends inside a statement");
        if (wfi_tsdl_is_sign(p, '{')) ++depth;
        if (wfi_tsdl_is_sign(p, '}')) {
            if (!depth) return true; // the end of the block around it
            --depth;
        }
        bool end = !depth && wfi_tsdl_is_sign(p, ';');
        if (!wfi_tsdl_next(p)) return false;
        if (end) return true;
    }
}
