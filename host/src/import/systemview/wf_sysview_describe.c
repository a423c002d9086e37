// SPDX-License-Identifier: MIT
// Descriptions of events: lines "33 name par=%u other=%t | Returns %u" of the user's file, and the
// same words of modules in the stream. NamedType and TaskState lines give names to values.

#include <stdio.h>
#include <string.h>

#include "import/systemview/wfi_sysview.h"
#include "util/wfi_grow.h"

enum { NAMED_MAX = 1024, VALUES_MAX = 4096 };

static void free_call(struct wfi_sv_call *c) {
    if (!c) return;
    for (unsigned i = 0; i < WFI_IMPORT_ARGS; ++i) free(c->params[i].name);
    free(c->name);
    free(c);
}

void wfi_sv_describe_free(struct wfi_sv *v) {
    for (unsigned i = 0; i < WFI_SV_EVENTS; ++i) free_call(v->calls[i]);
    for (size_t i = 0; i < v->named_count; ++i) {
        for (size_t j = 0; j < v->named[i].count; ++j) free(v->named[i].values[j].text);
        free(v->named[i].values);
        free(v->named[i].name);
    }
    free(v->named);
}

// ---- events

// The name of an event that is not described: "call 33", "module event 2".
static char *name_event(struct wfi_import *im, uint32_t id) {
    const struct wfi_sv *v = wfi_sv(im);
    const struct wfi_sv_module *of = NULL;
    char text[WFI_SV_NAME_MAX + 32];
    for (unsigned i = 0; id >= WFI_SV_MODULE_FIRST && i < WFI_SV_MODULES; ++i) {
        const struct wfi_sv_module *m = &v->modules[i];
        if (m->name && m->first <= id && (!of || m->first > of->first)) of = m;
    }
    if (of)
        snprintf(text, sizeof text, "%s event %u", of->name, id - of->first);
    else
        snprintf(text, sizeof text, "%s %u", id < WFI_SV_MODULE_FIRST ? "call" : "event", id);
    return wfi_sv_copy(im, text, strlen(text));
}

struct wfi_sv_call *wfi_sv_add_call(struct wfi_import *im, uint32_t id) {
    struct wfi_sv_call *c = calloc(1, sizeof *c);
    if (c) c->name = name_event(im, id);
    if (!c || !c->name) {
        free(c);
        wf_error_code(&im->error, WF_ERR_NOMEM);
        return NULL;
    }
    c->len = strlen(c->name);
    c->most = WFI_SV_NAME_MAX + 2 + WFI_IMPORT_ARGS * WFI_SV_ELEMENT_MAX;
    wfi_sv(im)->calls[id] = c;
    return c;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
static bool is_word(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static void set_named(const struct wfi_sv *v, struct wfi_sv_param *p, const char *word,
                      size_t len) {
    p->type = WFI_SV_ANY;
    for (size_t i = 0; i < v->named_count; ++i) {
        if (strlen(v->named[i].name) != len || memcmp(v->named[i].name, word, len) != 0) continue;
        p->type = WFI_SV_NAMED;
        p->named = (uint32_t)i;
        return;
    }
}

// What follows a '%': flags and digits, then a letter, or the name of a named type. Returns the
// number of characters.
static size_t parse_conversion(const struct wfi_sv *v, const char *text, size_t len,
                               struct wfi_sv_param *p) {
    size_t at = 0;
    while (at < len && strchr("-+#.0123456789", text[at])) ++at;
    size_t first = at;
    while (at < len && is_word(text[at])) ++at;
    while (first + 1 < at && text[first] == 'l') ++first;
    if (at - first != 1) {
        set_named(v, p, text + first, at - first);
        return at;
    }
    switch (text[first]) {
    case 'u': p->type = WFI_SV_UNSIGNED; break;
    case 'd':
    case 'i': p->type = WFI_SV_SIGNED; break;
    case 'x':
    case 'X': p->type = WFI_SV_HEX; break;
    case 'p':
    case 't':
    case 'I': p->type = WFI_SV_ID; break;
    case 's': p->type = WFI_SV_STRING; break;
    default: set_named(v, p, text + first, 1);
    }
    return at;
}

// The words before a '%', without separators.
static void parse_name(struct wfi_import *im, const char *text, size_t len,
                       struct wfi_sv_param *p) {
    while (len && (is_blank(*text) || *text == ',' || *text == ';' || *text == '(')) ++text, --len;
    while (len && (is_blank(text[len - 1]) || text[len - 1] == '=' || text[len - 1] == ':')) --len;
    if (len > WFI_SV_NAME_MAX) len = WFI_SV_NAME_MAX;
    p->name = len ? malloc(len + 2) : NULL;
    if (len && !p->name) wf_error_code(&im->error, WF_ERR_NOMEM);
    if (!p->name) return;
    p->name_len = (uint32_t)(wfi_sv_put_text(p->name, text, len) - p->name);
}

static void parse_params(struct wfi_import *im, struct wfi_sv_call *c, const char *text,
                         size_t len) {
    const struct wfi_sv *v = wfi_sv(im);
    bool result = false;
    size_t from = 0;
    for (size_t at = 0; at < len;) {
        if (text[at] == '|') {
            result = true;
            from = ++at;
        } else if (text[at] != '%') {
            ++at;
        } else if (result) {
            (void)parse_conversion(v, text + at + 1, len - at - 1, &c->result);
            return;
        } else {
            if (c->count == WFI_IMPORT_ARGS) return;
            struct wfi_sv_param *p = &c->params[c->count++];
            parse_name(im, text + from, at - from, p);
            at += 1 + parse_conversion(v, text + at + 1, len - at - 1, p);
            c->most += p->name_len + (p->type == WFI_SV_NAMED ? WFI_SV_NAME_MAX + 2 : 0);
            from = at;
        }
    }
}

void wfi_sv_describe_line(struct wfi_import *im, uint32_t id, const char *text, size_t len) {
    struct wfi_sv *v = wfi_sv(im);
    size_t name = 0;
    uint64_t hash = wfi_hash_text(text, len, v) | 1;
    while (name < len && !is_blank(text[name])) ++name;
    if (!name || id >= WFI_SV_EVENTS || (v->calls[id] && v->calls[id]->hash == hash)) return;
    if (v->calls[id] && v->calls[id]->hash) return; // the first description counts
    struct wfi_sv_call *c = wfi_sv_describe(im, id);
    char *copy = c ? wfi_sv_copy(im, text, name) : NULL;
    if (!copy) return;
    free(c->name);
    c->name = copy;
    c->len = strlen(copy);
    c->hash = hash;
    c->text = 0;
    c->number = 0;
    c->meaning = id < WFI_SV_MODULE_FIRST ? wfi_sv_meaning(c->name, c->len) : WFI_SV_NOTHING;
    parse_params(im, c, text + name, len - name);
}

// ---- names of values

const char *wfi_sv_value_text(const struct wfi_sv_named *n, uint32_t value) {
    for (size_t i = 0; i < n->count; ++i) {
        if (n->values[i].value == (value & n->mask)) return n->values[i].text;
    }
    return NULL;
}

// A decimal or hexadecimal number. Returns its length; 0: none.
static size_t parse_number(const char *text, size_t len, uint32_t *v) {
    size_t at = 0;
    bool hex = len > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    *v = 0;
    for (at = hex ? 2 : 0; at < len; ++at) {
        char c = text[at];
        uint32_t digit = c >= '0' && c <= '9' ? (uint32_t)(c - '0') : UINT32_MAX;
        if (hex && c >= 'a' && c <= 'f') digit = (uint32_t)(c - 'a') + 10;
        if (hex && c >= 'A' && c <= 'F') digit = (uint32_t)(c - 'A') + 10;
        if (digit == UINT32_MAX) break;
        *v = *v * (hex ? 16 : 10) + digit;
    }
    return at == (hex ? 2 : 0) ? 0 : at;
}

// "0=Ready, 1=Waiting for": texts end at a comma, or, without commas, at a blank.
static void parse_values(struct wfi_import *im, struct wfi_sv_named *n, const char *text,
                         size_t len) {
    bool commas = len && memchr(text, ',', len);
    for (size_t at = 0; at < len && n->count < VALUES_MAX;) {
        uint32_t value;
        size_t digits = parse_number(text + at, len - at, &value);
        if (!digits || at + digits >= len || text[at + digits] != '=') {
            while (at < len && !is_blank(text[at]) && text[at] != ',') ++at;
            while (at < len && (is_blank(text[at]) || text[at] == ',')) ++at;
            continue;
        }
        size_t from = at + digits + 1;
        for (at = from; at < len && text[at] != ',' && (commas || !is_blank(text[at]));) ++at;
        size_t end = at;
        while (end > from && is_blank(text[end - 1])) --end;
        while (at < len && (is_blank(text[at]) || text[at] == ',')) ++at;
        char *copy = wfi_sv_copy(im, text + from, end - from);
        if (!copy || !WFI_GROW(n->values, &n->cap, n->count + 1)) {
            free(copy);
            wf_error_code(&im->error, WF_ERR_NOMEM);
            return;
        }
        n->values[n->count++] = (struct wfi_sv_value){value, copy};
    }
}

// The first word is the name, or the mask of a TaskState.
static void parse_named(struct wfi_import *im, const char *text, size_t len, bool states) {
    struct wfi_sv *v = wfi_sv(im);
    size_t word = 0;
    uint32_t mask = UINT32_MAX;
    while (len && is_blank(*text)) ++text, --len;
    while (word < len && !is_blank(text[word])) ++word;
    if (!word || v->named_count == NAMED_MAX) return;
    if (states && !parse_number(text, word, &mask)) return;
    if (!WFI_GROW(v->named, &v->named_cap, v->named_count + 1)) {
        wf_error_code(&im->error, WF_ERR_NOMEM);
        return;
    }
    struct wfi_sv_named *n = &v->named[v->named_count];
    n->name = wfi_sv_copy(im, text, states ? 0 : word);
    if (!n->name) return;
    n->mask = mask;
    ++v->named_count;
    if (states) v->states = v->named_count;
    while (word < len && is_blank(text[word])) ++word;
    parse_values(im, n, text + word, len - word);
}

// ---- the file

static bool starts_with(const char *text, size_t len, const char *word) {
    size_t n = strlen(word);
    return len > n && memcmp(text, word, n) == 0 && is_blank(text[n]);
}

static void parse_line(struct wfi_import *im, const char *text, size_t len, bool values) {
    uint32_t id;
    while (len && is_blank(*text)) ++text, --len;
    while (len && is_blank(text[len - 1])) --len;
    if (values) {
        if (starts_with(text, len, "NamedType")) parse_named(im, text + 9, len - 9, false);
        if (starts_with(text, len, "TaskState")) parse_named(im, text + 9, len - 9, true);
        return;
    }
    size_t digits = parse_number(text, len, &id);
    if (!digits || digits == len || !is_blank(text[digits]) || id < WFI_SV_OS_FIRST) return;
    while (digits < len && is_blank(text[digits])) ++digits;
    wfi_sv_describe_line(im, id, text + digits, len - digits);
}

// Named types first, as events may name those that come later.
void wfi_sv_describe_file(struct wfi_import *im, const char *text, size_t len) {
    for (unsigned pass = 0; pass < 2; ++pass) {
        for (size_t at = 0; at < len;) {
            const char *end = memchr(text + at, '\n', len - at);
            size_t n = end ? (size_t)(end - text) - at : len - at;
            parse_line(im, text + at, n, pass == 0);
            at += n + 1;
        }
    }
}
