// SPDX-License-Identifier: MIT
// MscGen, Mermaid and JSON. Text from a target must not act as code of the language. MscGen has
// strings, in which only the quotation mark and the backslash are special. Mermaid has no strings,
// but accepts a character as its number: #59;.

#include <inttypes.h>
#include <string.h>

#include "wallfly_host/wf_utf8.h"
#include "wfi_sequence.h"

enum { LANE_PIXELS = 160 };

static void put_utf8(struct wfi_strbuf *t, uint32_t c) {
    char bytes[4];
    size_t len = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const uint8_t first[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = len; i-- > 1; c >>= 6) bytes[i] = (char)(0x80 | (c & 0x3F));
    bytes[0] = (char)(first[len] | c);
    wfi_strbuf_bytes(bytes, len, t);
}

// ---- MscGen: \n in a string is a new line, and \\ are two backslashes

static void mscgen_character(struct wfi_strbuf *t, uint32_t c) {
    if (c == '"')
        wfi_strbuf_put(t, "\\\"");
    else
        put_utf8(t, c == '\\' ? '/' : c);
}

// The width has room for a signal's name in each lane.
static void mscgen_begin(struct wfi_strbuf *t, unsigned lanes) {
    wfi_strbuf_printf(t, "msc {\n  width=\"%u\", wordwraparcs=\"on\";\n",
                      lanes < 3 ? 3 * LANE_PIXELS : lanes * LANE_PIXELS);
}

static void mscgen_lane(struct wfi_strbuf *t, unsigned lane, bool last, const char *name) {
    wfi_strbuf_printf(t, "  l%u [label=\"%s\"]%s\n", lane + 1, name, last ? ";" : ",");
}

static void mscgen_arrow(struct wfi_strbuf *t, const struct wfi_sequence_arrow *a) {
    static const char *const signs[] = {
        [WFI_ARROW_SEND] = "=>", [WFI_ARROW_GET] = ">>",   [WFI_ARROW_WAIT] = "->",
        [WFI_ARROW_LOST] = "-x", [WFI_ARROW_NOTE] = "box",
    };
    if (a->kind == WFI_ARROW_BREAK)
        wfi_strbuf_printf(t, "  --- [label=\"%s\"];\n", a->text);
    else if (a->kind == WFI_ARROW_ALL)
        wfi_strbuf_printf(t, "  l%u->* [label=\"%s\"];\n", a->from + 1, a->text);
    else
        wfi_strbuf_printf(t, "  l%u %s l%u [label=\"%s\"];\n", a->from + 1, signs[a->kind],
                          a->to + 1, a->text);
}

static void mscgen_end(struct wfi_strbuf *t, uint64_t left) {
    (void)left;
    wfi_strbuf_put(t, "}\n");
}

// ---- Mermaid

static void mermaid_character(struct wfi_strbuf *t, uint32_t c) {
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    char plain = (char)c;
    if (letter || (c < 0x80 && strchr(" _.,()/=-", (int)c)))
        wfi_strbuf_bytes(&plain, 1, t);
    else
        wfi_strbuf_printf(t, "#%u;", (unsigned)c);
}

static void mermaid_begin(struct wfi_strbuf *t, unsigned lanes) {
    (void)lanes;
    wfi_strbuf_put(t, "sequenceDiagram\n");
}

static void mermaid_lane(struct wfi_strbuf *t, unsigned lane, bool last, const char *name) {
    (void)last;
    wfi_strbuf_printf(t, "  participant l%u as %s\n", lane + 1, name);
}

static void mermaid_arrow(struct wfi_strbuf *t, const struct wfi_sequence_arrow *a) {
    static const char *const signs[] = {
        [WFI_ARROW_SEND] = "->>", [WFI_ARROW_GET] = "-->>", [WFI_ARROW_WAIT] = "-->",
        [WFI_ARROW_LOST] = "-x",  [WFI_ARROW_ALL] = "-)",
    };
    if (a->kind == WFI_ARROW_BREAK && a->lanes > 1)
        wfi_strbuf_printf(t, "  Note over l1,l%u: %s\n", a->lanes, a->text);
    else if (a->kind == WFI_ARROW_BREAK || a->kind == WFI_ARROW_NOTE)
        wfi_strbuf_printf(t, "  Note over l%u: %s\n", a->from + 1, a->text);
    else
        wfi_strbuf_printf(t, "  l%u%sl%u: %s\n", a->from + 1, signs[a->kind], a->to + 1, a->text);
}

// ---- JSON: arrows follow the lanes

static void json_character(struct wfi_strbuf *t, uint32_t c) {
    if (c == '"' || c == '\\') wfi_strbuf_put(t, "\\");
    put_utf8(t, c);
}

static void json_begin(struct wfi_strbuf *t, unsigned lanes) {
    wfi_strbuf_put(t, lanes ? "{\"lanes\":[" : "{\"lanes\":[],\"arrows\":[\n");
}

static void json_lane(struct wfi_strbuf *t, unsigned lane, bool last, const char *name) {
    (void)lane;
    wfi_strbuf_printf(t, "\"%s\"%s", name, last ? "],\"arrows\":[\n" : ",");
}

static void json_arrow(struct wfi_strbuf *t, const struct wfi_sequence_arrow *a) {
    static const char *const names[] = {
        [WFI_ARROW_SEND] = "send",   [WFI_ARROW_GET] = "get", [WFI_ARROW_WAIT] = "wait",
        [WFI_ARROW_LOST] = "lost",   [WFI_ARROW_ALL] = "all", [WFI_ARROW_NOTE] = "note",
        [WFI_ARROW_BREAK] = "break",
    };
    wfi_strbuf_printf(t, "[%" PRId64 ",\"%s\",%u,%u,\"%s\"]", a->time, names[a->kind], a->from,
                      a->to, a->text);
}

static void json_end(struct wfi_strbuf *t, uint64_t left) {
    wfi_strbuf_printf(t, "],\n\"left\":%" PRIu64 "}\n", left);
}

static const struct wfi_sequence_language languages[] = {
    {
        .format = "mscgen",
        .begin = mscgen_begin,
        .end = mscgen_end,
        .next = "",
        .between = "\\n",
        .lane = mscgen_lane,
        .arrow = mscgen_arrow,
        .character = mscgen_character,
    },
    {
        .format = "mermaid",
        .bytes = 48000, // its viewers accept 50000 by default
        .begin = mermaid_begin,
        .next = "",
        .between = ", ",
        .lane = mermaid_lane,
        .arrow = mermaid_arrow,
        .character = mermaid_character,
        .guards_end = true,
    },
    {
        .format = "sequence",
        .data = true,
        .next = ",\n",
        .begin = json_begin,
        .end = json_end,
        .lane = json_lane,
        .arrow = json_arrow,
        .character = json_character,
    },
};

const struct wfi_sequence_language *wfi_sequence_language(const char *format) {
    const struct wfi_sequence_language *l = languages;
    while (strcmp(l->format, format) != 0) ++l;
    return l;
}

// ---- texts

static bool is_letter(uint8_t c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool is_end(const uint8_t *text, size_t len, size_t at) {
    if (len - at < 3 || (text[at] | 0x20) != 'e' || (text[at + 1] | 0x20) != 'n') return false;
    if ((text[at + 2] | 0x20) != 'd' || (at && is_letter(text[at - 1]))) return false;
    return len - at == 3 || !is_letter(text[at + 3]);
}

void wfi_sequence_quote(const struct wfi_sequence_language *l, struct wfi_strbuf *t,
                        const char *text, size_t len) {
    const uint8_t *bytes = (const uint8_t *)text;
    size_t at = 0;
    for (unsigned i = 0; at < len && i < WFI_SEQUENCE_TEXT_MAX; ++i) {
        uint32_t c;
        unsigned n = wfi_utf8(bytes + at, len - at, &c);
        bool good = (n > 1 || bytes[at] < 0x80) && c != 0xFFFE && c != 0xFFFF;
        if (l->guards_end && is_end(bytes, len, at))
            wfi_strbuf_printf(t, "#%u;", (unsigned)c);
        else
            l->character(t, !good ? '?' : wf_utf8_shown(text + at, n) ? c : ' ');
        at += n;
    }
    if (at < len) wfi_strbuf_put(t, "...");
}
