// SPDX-License-Identifier: MIT
// Names of slices and instants: each is written once and then has an id. Readers keep the first
// text of an id, so a name that changes (by a late dictionary) gets another id. The table grows
// with the names of a trace, not with its length.

#include <inttypes.h>
#include <stdlib.h>

#include "util/wfi_hash.h"
#include "wfi_perfetto.h"

enum { NAMES_FIRST = 256 };
enum { TEXT, TASK, OBJECT, FUNCTION, SIGNAL, CONSTANT, IRQ, USER, EVENT };

static const struct {
    const char *text;
    unsigned subject;
} words[] = {
#define W(word, text, subject) [WFI_PF_##word] = {text, subject},
    WFI_PF_WORDS(W)
#undef W
};

uint64_t wfi_pf_hash(const char *text, size_t len) { // FNV-1a
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < len; ++i) h = (h ^ (unsigned char)text[i]) * 1099511628211u;
    return h;
}

void wfi_pf_put_name(struct wf_writer *w, enum wfi_pf_word word, uint64_t key, uint64_t with) {
    struct wfi_strbuf *t = &wfi_pf(w)->words;
    struct wf_record record = {.id = (uint8_t)key, .row = &wf_user_row};
    struct wfi_record_name name;
    t->end = t->buf;
    wfi_strbuf_put(t, words[word].text);
    switch (words[word].subject) {
    case TEXT: wfi_strbuf_put(t, (const char *)(uintptr_t)key); break;
    case TASK:
        wfi_strbuf_put(t, wf_task_name(w->model, wf_model_task(w->model, (unsigned)key)));
        break;
    case OBJECT:
        wfi_strbuf_put(t, wf_object_name(w->model, wf_model_object(w->model, (unsigned)key)));
        break;
    case FUNCTION: wfi_put_function(w->s, key, t); break;
    case SIGNAL: wfi_put_signal(w->s, key, with, t); break;
    case CONSTANT: wfi_put_constant(w->s, key, t); break;
    case IRQ: wfi_put_irq(w->s, key, t); break;
    case USER:
        wfi_record_name(w->s, &record, &name);
        wfi_strbuf_bytes(name.text, name.len, t);
        break;
    default: break;
    }
}

// ---- the table

static size_t place_of(const struct wfi_pf *g, unsigned word, uint64_t key, uint64_t with) {
    // No seed: names that came late are written in the order of this table.
    uint64_t h = wfi_hash(key, with ^ (uint64_t)word << 56, NULL);
    size_t i = (size_t)h & g->name_mask;
    for (; g->names[i].used; i = (i + 1) & g->name_mask) {
        const struct wfi_pf_name *n = &g->names[i];
        if (n->key == key && n->with == with && n->word == word) break;
    }
    return i;
}

static bool grow(struct wfi_pf *g) {
    struct wfi_pf_name *old = g->names;
    size_t count = old ? g->name_mask + 1 : 0, cap = old ? 2 * count : NAMES_FIRST;
    struct wfi_pf_name *names = calloc(cap, sizeof *names);
    if (!names) return false;
    g->names = names;
    g->name_mask = cap - 1;
    for (size_t i = 0; i < count; ++i) {
        const struct wfi_pf_name *n = &old[i];
        if (n->used) g->names[place_of(g, n->word, n->key, n->with)] = *n;
    }
    free(old);
    return true;
}

bool wfi_pf_names_open(struct wfi_pf *g) { return grow(g); }

struct wfi_pf_name *wfi_pf_entry(struct wf_writer *w, enum wfi_pf_word word, uint64_t key,
                                 uint64_t with) {
    struct wfi_pf *g = wfi_pf(w);
    struct wfi_pf_name *n = &g->names[place_of(g, word, key, with)];
    if (n->used) return n;
    if (g->name_count * 2 > g->name_mask) {
        if (!grow(g)) {
            g->failed = true;
            return NULL;
        }
        n = &g->names[place_of(g, word, key, with)];
    }
    *n = (struct wfi_pf_name){.key = key,
                              .with = with,
                              .word = (uint8_t)word,
                              .used = true,
                              .number = (uint32_t)++g->name_count};
    return n;
}

static void declare_name(struct wf_writer *w, struct wfi_pf_name *n, const char *text, size_t len) {
    n->id = ++wfi_pf(w)->last_id;
    wfi_pf_packet(w, wfi_pf(w)->now_ns);
    size_t data = wfi_pf_block(w, WFI_PF_PACKET_INTERNED);
    size_t name = wfi_pf_block(w, WFI_PF_INTERNED_NAMES);
    wfi_pf_uint(w, WFI_PF_INTERNED_ID, n->id);
    wfi_pf_text(w, WFI_PF_INTERNED_TEXT, text, len);
    wfi_pf_block_end(w, name);
    wfi_pf_block_end(w, data);
    wfi_pf_packet_end(w);
}

static uint32_t id_of(struct wf_writer *w, struct wfi_pf_name *n, const char *text, size_t len) {
    uint64_t hash = wfi_pf_hash(text, len);
    if (!n->id || n->hash != hash) declare_name(w, n, text, len);
    n->hash = hash;
    n->epoch = wfi_pf(w)->epoch;
    return n->id;
}

uint32_t wfi_pf_name(struct wf_writer *w, enum wfi_pf_word word, uint64_t key, uint64_t with) {
    struct wfi_pf *g = wfi_pf(w);
    struct wfi_pf_name *n = wfi_pf_entry(w, word, key, with);
    if (!n) return 0;
    if (n->id && n->epoch == g->epoch) return n->id;
    wfi_pf_put_name(w, word, key, with);
    return id_of(w, n, g->words.buf, (size_t)(g->words.end - g->words.buf));
}

uint32_t wfi_pf_literal(struct wf_writer *w, const char *text) {
    return wfi_pf_name(w, WFI_PF_LITERAL, (uint64_t)(uintptr_t)text, 0);
}

uint32_t wfi_pf_event_name(struct wf_writer *w, uint64_t key, const char *text, size_t len) {
    struct wfi_pf_name *n = wfi_pf_entry(w, WFI_PF_EVENT, key, 0);
    if (!n || n->id) return n ? n->id : 0;
    return id_of(w, n, text, len);
}
