// SPDX-License-Identifier: MIT
// What a term's places can be in a sentence without making it. A sentence is literals and values in
// turn. A place of a term lies in a literal, in a value, or across their borders. Each value is
// tested alone, with the literals beside it, and the result is kept by the value, as traces use few
// different ones.

#include <stdlib.h>

#include "wfi_matcher.h"

// Returns whether a value's text depends on more of the record than the value.
static bool is_special(unsigned how) {
    return how == WFI_HOW_TEXT || how == WFI_HOW_TEXT_MATLAB || how == WFI_HOW_ITEMS ||
           how == WFI_HOW_ELEMENTS || how == WFI_HOW_LOG || how == WFI_HOW_SHARED;
}

static bool is_decimal(unsigned how) {
    return how == WFI_HOW_TEN || how == WFI_HOW_NUMBER || how == WFI_HOW_ZEROS ||
           how == WFI_HOW_SIGNED32 || how == WFI_HOW_SIGNED64 || how == WFI_HOW_LOW;
}

// ---- by type

static enum wfi_found match_type(const struct wf_matcher *m, const struct wfi_term *t,
                                 unsigned at) {
    const struct wf_row *row = &wf_rows[at];
    const struct wfi_sentence *sentence = &m->w.sentences.of[at];
    const char *group = wf_groups[row->group].name;
    bool undecided = false;
    if (wfi_term_in(t, row->name, strlen(row->name)) ||
        (m->group && wfi_term_in(t, group, strlen(group))))
        return WFI_PRESENT;
    for (unsigned i = 0; i < sentence->count; ++i) {
        const struct wfi_piece *piece = &sentence->pieces[i];
        if (wfi_term_in(t, piece->text, piece->len)) return WFI_PRESENT;
        undecided |= piece->how != WFI_HOW_NONE && (t->number || !is_decimal(piece->how));
    }
    return undecided ? WFI_UNDECIDED : WFI_ABSENT;
}

// Lists the values of the sentence that a place of a term may touch.
static struct wfi_match_row_values list_values(const struct wf_matcher *m, unsigned at) {
    const struct wfi_sentence *sentence = &m->w.sentences.of[at];
    struct wfi_match_row_values v = {.count = 0};
    bool number = false;
    for (unsigned i = 0; i < m->count; ++i) number |= m->terms[i].number;
    for (unsigned i = 0; i < sentence->count; ++i) {
        unsigned how = sentence->pieces[i].how;
        if (is_special(how) || i > UINT8_MAX) v.special = true;
        if (how == WFI_HOW_NONE || (!number && is_decimal(how))) continue;
        v.special |= v.count == WF_FIELDS_MAX; // a field twice
        if (!v.special) v.at[v.count++] = (uint8_t)i;
    }
    return v;
}

void wfi_match_rows(struct wf_matcher *m) {
    for (unsigned at = 0; at < wf_row_count; ++at) {
        m->values[at] = list_values(m, at);
        uint8_t found[WF_MATCH_TERMS_MAX];
        for (unsigned i = 0; i < m->count; ++i)
            found[i] = m->of_row[i][at] = (uint8_t)match_type(m, &m->terms[i], at);
        m->row[at] = (uint8_t)wfi_match_all(m, found);
    }
}

// ---- by value

// The literals beside a value. open: more text is, or may be, beyond.
struct around {
    const char *before, *after;
    size_t before_len, after_len;
    bool before_open, after_open;
};

static struct around around_of(const struct wfi_sentence *sentence, unsigned i) {
    const struct wfi_piece *p = &sentence->pieces[i];
    struct around a = {.before = p->text, .before_len = p->len, .before_open = i > 0, .after = ""};
    if (i + 1 == sentence->count) return a;
    a.after = p[1].text;
    a.after_len = p[1].len;
    a.after_open = p[1].how != WFI_HOW_NONE || i + 2 < sentence->count;
    return a;
}

// The lower-case character at a distance from the begin of the value; 0: no text is there, 1: it
// may be any.
static char char_at(const struct around *a, const char *value, size_t len, ptrdiff_t at) {
    if (at < 0) {
        size_t back = (size_t)-at;
        if (back > a->before_len) return a->before_open;
        return wfi_lower(a->before[a->before_len - back]);
    }
    size_t to = (size_t)at;
    if (to < len) return wfi_lower(value[to]);
    to -= len;
    if (to >= a->after_len) return a->after_open;
    return wfi_lower(a->after[to]);
}

// Returns whether the term may lie across a border of the value.
static bool may_cross(const struct wfi_term *t, const struct around *a, const char *value,
                      size_t len) {
    ptrdiff_t length = (ptrdiff_t)t->len, end = (ptrdiff_t)len;
    for (ptrdiff_t from = 1 - length; from < end; ++from) {
        if (from >= 0 && from + length <= end) continue; // within it
        ptrdiff_t n = 0;
        while (n < length) {
            char c = char_at(a, value, len, from + n);
            if (c != 1 && (c == 0 || c != t->text[n])) break;
            ++n;
        }
        if (n == length) return true;
    }
    return false;
}

static void match_value(struct wf_matcher *m, const struct wfi_sentence *sentence, unsigned i,
                        const struct wf_record *r, uint64_t with, struct wfi_match_entry *e) {
    const struct around a = around_of(sentence, i);
    wfi_strbuf_clear(&m->value);
    wfi_sentence_value(&sentence->pieces[i], m->w.s, r, with, &m->value);
    const char *value = m->value.buf;
    size_t len = wfi_strbuf_len(&m->value);
    for (unsigned n = 0; n < m->count; ++n) {
        const struct wfi_term *t = &m->terms[n];
        e->found[n] = WFI_ABSENT;
        if (wfi_term_in(t, value, len))
            e->found[n] = WFI_PRESENT;
        else if (len == 0 || may_cross(t, &a, value, len)) // the literals meet at an empty value
            e->found[n] = WFI_UNDECIDED;
    }
}

static inline size_t place_of(uint64_t value, uint64_t with, uint16_t piece) {
    uint64_t mixed = (value ^ with << 32 ^ (uint64_t)piece << 48) * UINT64_C(0x9E3779B97F4A7C15);
    return (size_t)(mixed >> 40) % WFI_MATCH_CACHE;
}

static inline bool is_entry(const struct wfi_match_entry *e, const struct wfi_match_entry *key) {
    return e->stamp == key->stamp && e->value == key->value && e->with == key->with &&
           e->piece == key->piece && e->startup == key->startup;
}

// Two entries share a place: two values that come in turn do not drive each other out.
static inline const struct wfi_match_entry *find_value(struct wf_matcher *m,
                                                       const struct wfi_sentence *sentence,
                                                       unsigned i, const struct wf_record *r,
                                                       uint64_t with) {
    const struct wfi_piece *piece = &sentence->pieces[i];
    struct wfi_match_entry key = {.value = r->value[piece->field],
                                  .with = piece->how == WFI_HOW_SIGNAL ? with : 0,
                                  .stamp = m->stamp,
                                  .piece = (uint16_t)(piece - m->w.sentences.pieces),
                                  .startup = wfi_is_startup(m->w.s)};
    size_t at = place_of(key.value, key.with, key.piece);
    struct wfi_match_entry *e = &m->cache[at], *other = &m->cache[at ^ 1];
    if (is_entry(e, &key)) return e;
    if (is_entry(other, &key)) return other;
    match_value(m, sentence, i, r, with, &key);
    *other = *e;
    *e = key;
    return e;
}

enum wfi_found wfi_match_values(struct wf_matcher *m, const struct wf_record *r) {
    size_t at = (size_t)(r->row - wf_rows);
    const struct wfi_sentence *sentence = &m->w.sentences.of[at];
    const struct wfi_match_row_values *values = &m->values[at];
    unsigned owner = m->w.sentences.owner[at];
    uint64_t with = owner ? r->value[owner - 1] : 0;
    uint8_t found[WF_MATCH_TERMS_MAX];
    if (values->special) return WFI_UNDECIDED;
    for (unsigned n = 0; n < m->count; ++n)
        found[n] = m->of_row[n][at] == WFI_PRESENT ? WFI_PRESENT : WFI_ABSENT;
    for (unsigned i = 0; i < values->count; ++i) {
        const struct wfi_match_entry *e = find_value(m, sentence, values->at[i], r, with);
        for (unsigned n = 0; n < m->count; ++n) {
            if (found[n] != WFI_PRESENT && e->found[n] != WFI_ABSENT) found[n] = e->found[n];
        }
        if (m->count == 1 && found[0] == WFI_PRESENT) break;
    }
    return wfi_match_all(m, found);
}
