// SPDX-License-Identifier: MIT
// See tokens.h. SHA-256 is that of libcrypto, which libwebsockets brings.

#include "tokens.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

static int digit_of(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool parse_sum(const char *text, size_t len, uint8_t sum[TOKEN_SUM]) {
    if (len != 2 * TOKEN_SUM) return false;
    for (size_t i = 0; i < TOKEN_SUM; ++i) {
        const int high = digit_of(text[2 * i]), low = digit_of(text[2 * i + 1]);
        if (high < 0 || low < 0) return false;
        sum[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}

static bool parse_device(const char *text, size_t len, char device[WF_FLEET_DEVICE_MAX + 1]) {
    if (!len || (len == 1 && *text == '-')) return true;
    if (len > WF_FLEET_DEVICE_MAX) return false;
    memcpy(device, text, len);
    device[len] = 0;
    return strlen(device) == len && wf_fleet_is_device(device);
}

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// Returns the length of the word at the begin of a text.
static size_t word_len(const char *text, size_t len) {
    size_t n = 0;
    while (n < len && !is_space(text[n])) ++n;
    return n;
}

static size_t space_len(const char *text, size_t len) {
    size_t n = 0;
    while (n < len && is_space(text[n])) ++n;
    return n;
}

static bool parse_line(const char *line, size_t len, struct token *token) {
    const size_t sum = word_len(line, len);
    const char *rest = line + sum;
    size_t left = len - sum, space = space_len(rest, left);
    const char *device = rest + space;
    const size_t device_len = word_len(device, left -= space);
    *token = (struct token){.device = ""};
    return parse_sum(line, sum, token->sum) && parse_device(device, device_len, token->device) &&
           space_len(device + device_len, left - device_len) == left - device_len;
}

static bool add(struct tokens *t, const struct token *token) {
    if (t->count == t->cap) {
        const size_t cap = 2 * t->cap + 16;
        struct token *more = realloc(t->list, cap * sizeof *more);
        if (!more) return false;
        t->list = more;
        t->cap = cap;
    }
    t->list[t->count++] = *token;
    return true;
}

int tokens_parse(struct tokens *t, const char *text, size_t len, struct wf_error *error) {
    struct token token;
    for (size_t at = 0, number = 1; at < len; ++number) {
        const char *line = text + at, *end = memchr(line, '\n', len - at);
        const size_t line_len = end ? (size_t)(end - line) : len - at;
        at += line_len + 1;
        if (space_len(line, line_len) == line_len || *line == '#') continue;
        if (!parse_line(line, line_len, &token))
            return wf_error_set(error, WF_ERR_USAGE,
                                "line %zu: is no SHA-256 of 64 hexadecimal digits, and perhaps a "
                                "device",
                                number);
        if (!add(t, &token)) return wf_error_code(error, WF_ERR_NOMEM);
    }
    return wf_error_code(error, WF_OK);
}

// Compares with each line, in a time that does not depend on the result.
bool tokens_allow(const struct tokens *t, const char *token, const char *device) {
    uint8_t sum[EVP_MAX_MD_SIZE];
    bool allowed = false;
    if (!EVP_Digest(token, strlen(token), sum, NULL, EVP_sha256(), NULL)) return false;
    for (size_t i = 0; i < t->count; ++i) {
        const struct token *is = &t->list[i];
        const bool same = CRYPTO_memcmp(is->sum, sum, TOKEN_SUM) == 0;
        allowed |= same & (!device || !*is->device || strcmp(is->device, device) == 0);
    }
    return allowed && *token;
}

void tokens_free(struct tokens *t) {
    free(t->list);
    *t = (struct tokens){0};
}
