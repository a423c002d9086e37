// SPDX-License-Identifier: MIT
// Splits "{obj} enters {state}" into pieces: a literal, then the way to print a field. That follows
// from the field's type and kind and, for QSPY's oddities, from the part after the colon. Literals
// are in one padded pool, so that the common short ones are copied 16 bytes at a time.

#include "wfi_sentence.h"

#include <stdlib.h>
#include <string.h>

static enum wfi_how how_of_kind(const struct wf_field *f, enum wfi_style style) {
    switch (f->kind) {
    case WF_KIND_STAMP: return style == WFI_STYLE_MATLAB ? WFI_HOW_NUMBER : WFI_HOW_TEN;
    case WF_KIND_SIGNAL: return style == WFI_STYLE_MATLAB ? WFI_HOW_NUMBER : WFI_HOW_SIGNAL;
    case WF_KIND_SIGNAL_ANY: return style == WFI_STYLE_MATLAB ? WFI_HOW_NUMBER : WFI_HOW_SIGNAL_ANY;
    case WF_KIND_NAME: return WFI_HOW_TEXT;
    case WF_KIND_GROUP_ID: return WFI_HOW_GROUP;
    case WF_KIND_COMMAND: return WFI_HOW_COMMAND;
    case WF_KIND_STATUS: return WFI_HOW_STATUS;
    case WF_KIND_RESET: return style == WFI_STYLE_WALLFLY ? WFI_HOW_RESET_WORD : WFI_HOW_RESET;
    case WF_KIND_VERSION: return WFI_HOW_VERSION;
    case WF_KIND_RELEASE: return WFI_HOW_RELEASE;
    case WF_KIND_BUILT: return WFI_HOW_BUILT;
    case WF_KIND_DATA: return f->type == WF_TYPE_ELEMS ? WFI_HOW_ELEMENTS : WFI_HOW_ITEMS;
    case WF_KIND_TEXT: return style == WFI_STYLE_MATLAB ? WFI_HOW_NUMBER : WFI_HOW_CONSTANT;
    case WF_KIND_TASK: return style == WFI_STYLE_MATLAB ? WFI_HOW_NUMBER : WFI_HOW_TASK;
    case WF_KIND_ACTOR: return style == WFI_STYLE_MATLAB ? WFI_HOW_NUMBER : WFI_HOW_ACTOR;
    case WF_KIND_REASON: return WFI_HOW_REASON;
    case WF_KIND_PRIORITY: return WFI_HOW_PRIORITY;
    case WF_KIND_SIGNED: return WFI_HOW_SIGNED32;
    case WF_KIND_IRQ: return WFI_HOW_IRQ;
    case WF_KIND_CAPACITY: return WFI_HOW_CAPACITY;
    default: break;
    }
    if (f->kind == WF_KIND_VALUE) return WFI_HOW_NUMBER;
    if (f->type == WF_TYPE_OBJ)
        return style == WFI_STYLE_MATLAB ? WFI_HOW_SIGNED64 : WFI_HOW_OBJECT;
    if (f->type == WF_TYPE_FUN)
        return style == WFI_STYLE_MATLAB ? WFI_HOW_SIGNED64 : WFI_HOW_FUNCTION;
    return WFI_HOW_NUMBER;
}

// The part after the colon: see wf_schema.h.
static void apply_spec(struct wfi_piece *piece, const char *spec, size_t len) {
    if (len == 3 && memcmp(spec, "LOW", 3) == 0) piece->how = WFI_HOW_LOW;
    if (len == 4 && memcmp(spec, "HIGH", 4) == 0) piece->how = WFI_HOW_HIGH;
    if (len == 1 && *spec == 'd') piece->how = WFI_HOW_SIGNED32;
    if (len == 1 && *spec == 'P') piece->how = WFI_HOW_POINTER;
    if (len == 1 && *spec == 'M') piece->how = WFI_HOW_TEXT_MATLAB;
    if (len == 1 && *spec == 'S' && piece->how == WFI_HOW_OBJECT) piece->how = WFI_HOW_SHARED;
    if (len == 1 && *spec == 'R')
        piece->how = piece->how == WFI_HOW_VERSION ? WFI_HOW_NUMBER : WFI_HOW_SIGNED64;
    if (*spec != '0') return;
    piece->how = spec[len - 1] == 'X' ? WFI_HOW_HEX : WFI_HOW_ZEROS;
    for (size_t i = 1; i < len && spec[i] >= '0' && spec[i] <= '9'; ++i) {
        piece->digits = (uint8_t)(piece->digits * 10 + (spec[i] - '0'));
    }
}

static uint8_t field_of(const struct wf_row *row, const char *name, size_t len) {
    for (uint8_t i = 0; i < row->count; ++i) {
        const char *f = row->fields[i].name;
        if (strlen(f) == len && memcmp(f, name, len) == 0) return i;
    }
    return 0xFF;
}

// Compiles one sentence to *pieces and *pool. A brace without a field's name stays text, which the
// schema test rejects.
static unsigned compile(const struct wf_row *row, const char *sentence, enum wfi_style style,
                        struct wfi_piece *pieces, char **pool) {
    unsigned count = 0;
    for (const char *p = sentence; *p; ++count) {
        struct wfi_piece *piece = &pieces[count];
        const char *brace = p + strcspn(p, "{");
        memset(piece, 0, sizeof *piece);
        piece->text = *pool;
        piece->len = (uint16_t)(brace - p);
        memcpy(*pool, p, piece->len);
        *pool += piece->len;
        p = brace;
        if (!*p) continue;
        size_t name = strcspn(p + 1, ":}"), whole = strcspn(p + 1, "}");
        piece->field = field_of(row, p + 1, name);
        if (piece->field != 0xFF) {
            piece->how = (uint8_t)how_of_kind(&row->fields[piece->field], style);
            if (piece->how == WFI_HOW_ELEMENTS && row->effect == WF_EFFECT_LOG)
                piece->how = WFI_HOW_LOG;
            if (whole > name) apply_spec(piece, p + 2 + name, whole - name - 1);
        }
        p += whole + 2;
    }
    return count;
}

static const char *pick(const struct wf_row *row, enum wfi_style style) {
    if (style == WFI_STYLE_WALLFLY) return row->sentence;
    return style == WFI_STYLE_QSPY ? row->qspy : row->mat;
}

bool wfi_sentences_open(struct wfi_sentences *all, enum wfi_style style) {
    size_t text = 0, braces = 0;
    memset(all, 0, sizeof *all);
    all->style = style;
    for (unsigned i = 0; i < wf_row_count; ++i) {
        const char *s = pick(&wf_rows[i], style);
        for (; s && *s; ++s, ++text) braces += *s == '{';
        braces += 1;
    }
    all->pieces = calloc(braces, sizeof *all->pieces);
    all->pool = calloc(1, text + WFI_NAME_PAD);
    if (!all->pieces || !all->pool) return false;
    struct wfi_piece *pieces = all->pieces;
    char *pool = all->pool;
    for (unsigned i = 0; i < wf_row_count; ++i) {
        const struct wf_row *row = &wf_rows[i];
        const char *s = pick(row, style);
        if (!s) continue;
        all->of[i].pieces = pieces;
        all->of[i].count = compile(row, s, style, pieces, &pool);
        pieces += all->of[i].count;
        for (uint8_t f = 0; f < row->count && !all->owner[i]; ++f) {
            if (row->fields[f].kind == WF_KIND_OBJECT) all->owner[i] = (uint8_t)(f + 1);
        }
    }
    return true;
}

void wfi_sentences_close(struct wfi_sentences *all) {
    free(all->pieces);
    free(all->pool);
    memset(all, 0, sizeof *all);
}
