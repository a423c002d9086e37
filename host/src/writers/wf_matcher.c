// SPDX-License-Identifier: MIT
// The search for texts in records: terms, descriptions of undecided records, and the public
// functions.

#include <stdlib.h>
#include <string.h>

#include "util/wfi_options.h"
#include "wfi_matcher.h"

// ---- open, close

static int copy_term(struct wfi_term *t, const struct wf_match_term *from) {
    size_t len = from->text ? strlen(from->text) : 0;
    if (!len) return WF_ERR_USAGE;
    t->text = malloc(len + 1);
    if (!t->text) return WF_ERR_NOMEM;
    for (size_t i = 0; i <= len; ++i) t->text[i] = wfi_lower(from->text[i]);
    t->len = len;
    t->absent = from->absent;
    t->number = strpbrk(from->text, "-0123456789") != NULL;
    return WF_OK;
}

static int open_matcher(struct wf_matcher *m, const struct wf_matcher_options *options) {
    struct wf_matcher_options o;
    int err = wfi_options_copy(&o, sizeof o, options);
    if (err == WF_OK && (!o.terms || o.count == 0 || o.count > WF_MATCH_TERMS_MAX))
        err = WF_ERR_USAGE;
    for (unsigned i = 0; err == WF_OK && i < o.count; ++i) {
        err = copy_term(&m->terms[i], &o.terms[i]);
        ++m->count;
    }
    if (err != WF_OK) return err;
    m->group = o.group;
    m->stamp = 1;
    if (!wfi_strbuf_open(&m->words, &m->failed) || !wfi_strbuf_open(&m->value, &m->failed) ||
        !wfi_sentences_open(&m->w.sentences, WFI_STYLE_WALLFLY))
        return WF_ERR_NOMEM;
    wfi_match_rows(m);
    return WF_OK;
}

struct wf_matcher *wf_matcher_open(const struct wf_matcher_options *options,
                                   struct wf_error *error) {
    struct wf_matcher *m = calloc(1, sizeof *m);
    int err = m ? open_matcher(m, options) : WF_ERR_NOMEM;
    wf_error_code(error, err);
    if (err == WF_OK) return m;
    wf_matcher_close(m);
    return NULL;
}

void wf_matcher_close(struct wf_matcher *m) {
    if (!m) return;
    for (unsigned i = 0; i < m->count; ++i) free(m->terms[i].text);
    wfi_strbuf_close(&m->words);
    wfi_strbuf_close(&m->value);
    wfi_sentences_close(&m->w.sentences);
    wf_sat_close(m->w.sat);
    free(m);
}

void wf_matcher_use(struct wf_matcher *m, struct wf_session *s) {
    m->w.s = s;
    ++m->stamp;
    wf_sat_close(m->w.sat);
    m->w.sat = NULL;
}

int wf_matcher_error(const struct wf_matcher *m) { return m->failed ? WF_ERR_NOMEM : WF_OK; }

// ---- texts

bool wfi_term_in(const struct wfi_term *t, const char *text, size_t len) {
    for (size_t i = 0; i + t->len <= len; ++i) {
        size_t n = 0;
        while (n < t->len && wfi_lower(text[i + n]) == t->text[n]) ++n;
        if (n == t->len) return true;
    }
    return false;
}

enum wfi_found wfi_match_all(const struct wf_matcher *m, const uint8_t found[WF_MATCH_TERMS_MAX]) {
    enum wfi_found all = WFI_PRESENT;
    for (unsigned i = 0; i < m->count; ++i) {
        if (found[i] == WFI_UNDECIDED)
            all = WFI_UNDECIDED;
        else if ((found[i] == WFI_PRESENT) == m->terms[i].absent)
            return WFI_ABSENT;
    }
    return all;
}

static bool match_row(const struct wf_matcher *m, const struct wf_match_row *row) {
    const struct wf_match_text *group = row->group.len ? &row->group : &row->kind;
    for (unsigned i = 0; i < m->count; ++i) {
        const struct wfi_term *t = &m->terms[i];
        bool found = wfi_term_in(t, row->name.bytes, row->name.len) ||
                     wfi_term_in(t, row->words.bytes, row->words.len) ||
                     (m->group && wfi_term_in(t, group->bytes, group->len));
        if (found == t->absent) return false;
    }
    return true;
}

// ---- descriptions, as in wf_table_items.c

static struct wf_match_text text_of(const char *text) {
    return (struct wf_match_text){text, strlen(text)};
}

static void describe_record(struct wf_matcher *m, const struct wf_record *r,
                            struct wf_match_row *row) {
    bool whole = wfi_is_whole(r);
    if (whole)
        wfi_put_words(&m->w, r, &m->words);
    else
        wfi_put_odd(r, &m->words);
    wfi_record_name(m->w.s, r, &m->name);
    row->kind = text_of(whole ? "record" : "odd");
    if (r->row) row->group = text_of(wf_groups[r->row->group].name);
    row->name = (struct wf_match_text){m->name.text, m->name.len};
}

// Takes the text up to the next tab.
static struct wf_match_text take_part(struct wf_match_text *from) {
    const char *tab = memchr(from->bytes, '\t', from->len);
    struct wf_match_text part = {from->bytes, tab ? (size_t)(tab - from->bytes) : from->len};
    size_t used = part.len + (tab != NULL);
    *from = (struct wf_match_text){from->bytes + used, from->len - used};
    return part;
}

bool wf_matcher_describe(struct wf_matcher *m, const struct wf_item *item,
                         struct wf_match_row *row) {
    *row = (struct wf_match_row){.group = {"", 0}};
    wfi_strbuf_clear(&m->words);
    if (item->kind == WF_ITEM_RECORD) describe_record(m, &item->record, row);
    if (item->kind == WF_ITEM_EVENT) wfi_put_event(&m->w, item->event, WFI_EVENT_PARTS, &m->words);
    if (item->kind == WF_ITEM_LOSS) {
        wfi_put_loss(m->w.s, &item->loss, &m->words);
        row->kind = text_of("loss");
        row->name = text_of(wfi_loss_kinds[item->loss.kind]);
    }
    row->words = (struct wf_match_text){m->words.buf, wfi_strbuf_len(&m->words)};
    if (item->kind == WF_ITEM_EVENT) {
        row->kind = text_of("event");
        row->group = take_part(&row->words);
        row->name = take_part(&row->words);
    }
    return !m->failed;
}

// ---- items

// Returns whether names, or the sizes of unknown ones, may be different after the record.
static bool changes_names(const struct wf_session *s, const struct wf_record *r) {
    if (!r->row) return false;
    if (wf_effect_is_name(r->row->effect)) return true;
    switch (r->row->effect) {
    case WF_EFFECT_TARGET_INFO:
    case WF_EFFECT_START: return true;
    case WF_EFFECT_SYNC: return r->first || s->use.program;
    case WF_EFFECT_TASK_CREATE:
    case WF_EFFECT_TASK_DELETE:
    case WF_EFFECT_OBJECT_CREATE:
    case WF_EFFECT_OBJECT_DELETE: return !s->names_kept;
    default: return false;
    }
}

bool wf_matcher_item(struct wf_matcher *m, const struct wf_item *item) {
    enum wfi_found found = WFI_UNDECIDED;
    struct wf_match_row row;
    if (item->kind == WF_ITEM_RECORD) {
        const struct wf_record *r = &item->record;
        if (changes_names(m->w.s, r)) ++m->stamp;
        if (wfi_is_whole(r) && r->row != &wf_user_row) {
            found = (enum wfi_found)m->row[r->row - wf_rows];
            if (found == WFI_UNDECIDED) found = wfi_match_values(m, r);
        }
    } else if (item->kind != WF_ITEM_EVENT && item->kind != WF_ITEM_LOSS) {
        return false;
    }
    if (found != WFI_UNDECIDED) return found == WFI_PRESENT;
    return wf_matcher_describe(m, item, &row) && match_row(m, &row);
}
