// SPDX-License-Identifier: MIT
// A collection: tables in which every text, actor, action, run and fact has a number. Nothing is
// removed, so that numbers and the order of first occurrence stay.

#include "wfi_behaviour.h"

#include <stdlib.h>
#include <string.h>

// ---- texts

static uint32_t find_text(const struct wfi_texts *t, const char *text, size_t len, uint64_t hash) {
    size_t step = 0;
    for (uint32_t n; (n = wfi_index_next(&t->index, hash, &step)) != 0;) {
        const struct wfi_text *is = &t->list[n - 1];
        if (is->len == len && memcmp(t->bytes + is->at, text, len) == 0) return n;
    }
    return 0;
}

uint32_t wfi_behaviour_text(struct wf_behaviour *b, const char *text, size_t len) {
    struct wfi_texts *t = &b->texts;
    uint64_t hash = wfi_hash_text(text, len, &t->index);
    uint32_t found = find_text(t, text, len, hash), number = (uint32_t)t->count + 1;
    if (found || b->err != WF_OK) return found;
    if (!WFI_GROW(t->bytes, &t->cap, t->len + len + 1) ||
        !WFI_GROW(t->list, &t->list_cap, number) || !wfi_index_add(&t->index, hash, number)) {
        b->err = WF_ERR_NOMEM;
        return 0;
    }
    memcpy(t->bytes + t->len, text, len);
    t->bytes[t->len + len] = 0;
    t->list[t->count++] = (struct wfi_text){t->len, len};
    t->len += len + 1;
    return number;
}

const char *wfi_behaviour_text_at(const struct wf_behaviour *b, uint32_t text) {
    return text ? b->texts.bytes + b->texts.list[text - 1].at : "";
}

// ---- actors and actions

static uint32_t number_of(struct wf_behaviour *b, struct wfi_keys *keys, uint64_t key,
                          uint64_t with) {
    uint32_t number = wfi_keys_number(keys, key, with);
    if (!number) b->err = WF_ERR_NOMEM;
    return number;
}

uint32_t wfi_behaviour_actor(struct wf_behaviour *b, enum wfi_actor_kind kind, unsigned lane,
                             uint32_t text) {
    return number_of(b, &b->actors, (uint64_t)kind | (uint64_t)lane << 8, text);
}

uint32_t wfi_behaviour_action(struct wf_behaviour *b, enum wfi_verb verb, uint32_t a,
                              uint32_t with) {
    return number_of(b, &b->actions, (uint64_t)verb | (uint64_t)a << 8, with);
}

uint32_t wfi_behaviour_find_action(const struct wf_behaviour *b, enum wfi_verb verb, uint32_t a) {
    for (uint32_t i = 1; i <= b->actions.count; ++i) {
        if (wfi_action_verb(b, i) == verb && wfi_action_text(b, i) == a) return i;
    }
    return 0;
}

// ---- facts

static uint64_t run_hash(const struct wf_behaviour *b, uint32_t actor, const uint32_t *actions,
                         uint32_t count) {
    uint64_t hash = wfi_hash(actor, count, &b->fact_index);
    for (uint32_t i = 0; i < count; ++i)
        hash = (hash ^ actions[i]) * UINT64_C(0xD6E8FEB86659FD93) + (hash >> 29);
    return hash ^ hash >> 32;
}

// Returns 0 when out of memory, or if there are too many.
static uint32_t add_fact(struct wf_behaviour *b, uint64_t hash, const struct wfi_fact *fact,
                         bool *full) {
    uint32_t number = (uint32_t)b->fact_count + 1;
    if (number > WF_BEHAVIOUR_FACTS && !b->whole) {
        *full = true;
        return 0;
    }
    if (!WFI_GROW(b->facts, &b->fact_cap, number) || !wfi_index_add(&b->fact_index, hash, number)) {
        b->err = WF_ERR_NOMEM;
        return 0;
    }
    b->facts[b->fact_count++] = *fact;
    return number;
}

static uint64_t fact_hash(const struct wf_behaviour *b, const struct wfi_fact *t) {
    uint64_t hash = wfi_hash((uint64_t)t->kind << 32 | t->actor, t->part[0], &b->fact_index);
    return wfi_hash(hash, (uint64_t)t->part[1] << 32 | t->part[2], &b->fact_index);
}

static uint32_t find_fact(const struct wf_behaviour *b, const struct wfi_fact *fact,
                          uint64_t hash) {
    size_t step = 0;
    for (uint32_t n; (n = wfi_index_next(&b->fact_index, hash, &step)) != 0;) {
        const struct wfi_fact *is = wfi_fact(b, n);
        if (is->kind == fact->kind && is->actor == fact->actor &&
            memcmp(is->part, fact->part, sizeof fact->part) == 0)
            return n;
    }
    return 0;
}

uint32_t wfi_behaviour_find(const struct wf_behaviour *b, enum wfi_fact_kind kind, uint32_t actor,
                            uint32_t x, uint32_t y, uint32_t z) {
    struct wfi_fact fact = {.kind = kind, .actor = actor, .part = {x, y, z}};
    return find_fact(b, &fact, fact_hash(b, &fact));
}

uint32_t wfi_behaviour_fact(struct wf_behaviour *b, enum wfi_fact_kind kind, uint32_t actor,
                            uint32_t x, uint32_t y, uint32_t z, bool *full) {
    struct wfi_fact fact = {.kind = kind, .actor = actor, .part = {x, y, z}};
    uint64_t hash = fact_hash(b, &fact);
    uint32_t found = find_fact(b, &fact, hash);
    return found ? found : add_fact(b, hash, &fact, full);
}

uint32_t wfi_behaviour_run(struct wf_behaviour *b, uint32_t actor, const uint32_t *actions,
                           uint32_t count, bool *full) {
    uint64_t hash = run_hash(b, actor, actions, count);
    size_t step = 0, bytes = count * sizeof *actions;
    for (uint32_t n; (n = wfi_index_next(&b->fact_index, hash, &step)) != 0;) {
        const struct wfi_fact *is = wfi_fact(b, n);
        if (is->kind == WFI_FACT_RUN && is->actor == actor && is->part[1] == count &&
            memcmp(b->list + is->part[0], actions, bytes) == 0)
            return n;
    }
    struct wfi_fact fact = {
        .kind = WFI_FACT_RUN, .actor = actor, .part = {(uint32_t)b->list_count, count, 0}};
    if (!WFI_GROW(b->list, &b->list_cap, b->list_count + count + 1)) {
        b->err = WF_ERR_NOMEM;
        return 0;
    }
    uint32_t number = add_fact(b, hash, &fact, full);
    if (!number) return 0;
    memcpy(b->list + b->list_count, actions, bytes);
    b->list_count += count;
    return number;
}

// ---- where facts were seen

struct wfi_seen *wfi_behaviour_seen(struct wf_behaviour *b, uint32_t fact, uint32_t trace) {
    for (uint32_t n = wfi_fact(b, fact)->seen; n; n = b->seen[n - 1].next) {
        if (b->seen[n - 1].trace == trace) return &b->seen[n - 1];
    }
    if (!WFI_GROW(b->seen, &b->seen_cap, b->seen_count + 1)) {
        b->err = WF_ERR_NOMEM;
        return NULL;
    }
    struct wfi_fact *is = &b->facts[fact - 1];
    b->seen[b->seen_count++] = (struct wfi_seen){.next = is->seen, .trace = trace};
    is->seen = (uint32_t)b->seen_count;
    return &b->seen[b->seen_count - 1];
}

void wfi_behaviour_see(struct wf_behaviour *b, uint32_t fact, const struct wfi_seen *seen) {
    struct wfi_seen *is = wfi_behaviour_seen(b, fact, seen->trace);
    if (!is) return;
    if (!is->count || seen->tick < is->tick) {
        is->tick = seen->tick;
        is->record = seen->record;
        is->run = seen->run;
    }
    is->count += seen->count;
    is->bits |= seen->bits;
}

uint32_t wfi_behaviour_new_trace(struct wf_behaviour *b, const struct wfi_trace_info *trace) {
    if (!WFI_GROW(b->traces, &b->trace_cap, b->trace_count + 1)) {
        b->err = WF_ERR_NOMEM;
        return 0;
    }
    b->traces[b->trace_count++] = *trace;
    return (uint32_t)b->trace_count;
}

// ---- sequences

struct wfi_sequence *wfi_behaviour_sequence(struct wf_behaviour *b, uint32_t actor,
                                            uint32_t trace) {
    for (size_t i = b->sequence_count; i > 0; --i) {
        struct wfi_sequence *q = &b->sequences[i - 1];
        if (q->actor == actor && q->trace == trace) return q;
    }
    if (trace > WF_BEHAVIOUR_SEQUENCES && !b->whole) return NULL;
    if (!WFI_GROW(b->sequences, &b->sequence_cap, b->sequence_count + 1)) {
        b->err = WF_ERR_NOMEM;
        return NULL;
    }
    b->sequences[b->sequence_count] = (struct wfi_sequence){.actor = actor, .trace = trace};
    return &b->sequences[b->sequence_count++];
}

bool wfi_sequence_add(struct wf_behaviour *b, struct wfi_sequence *q, const struct wfi_entry *e) {
    struct wfi_entry *last = q->count ? &q->entries[q->count - 1] : NULL;
    if (last && last->run == e->run) {
        last->times += e->times;
        return true;
    }
    if (q->count >= WF_BEHAVIOUR_SEQUENCE) {
        q->cut = true;
        return false;
    }
    if (!WFI_GROW(q->entries, &q->cap, q->count + 1)) {
        b->err = WF_ERR_NOMEM;
        return false;
    }
    q->entries[q->count++] = *e;
    return true;
}

// ---- joining

struct import {
    struct wf_behaviour *to;
    const struct wf_behaviour *from;
    const uint32_t *texts;
    uint32_t *actors, *actions, *facts; // the numbers in `to`
    uint32_t first_trace;               // added to the numbers of traces
    bool full;
};

static uint32_t text_of(const struct import *im, uint64_t text) {
    return text ? im->texts[text] : 0;
}

static void import_keys(struct import *im) {
    const struct wf_behaviour *from = im->from;
    for (uint32_t i = 1; i <= from->actors.count; ++i) {
        uint32_t text = text_of(im, wfi_actor_text(from, i));
        im->actors[i] =
            wfi_behaviour_actor(im->to, wfi_actor_kind(from, i), wfi_actor_lane(from, i), text);
    }
    for (uint32_t i = 1; i <= from->actions.count; ++i) {
        uint32_t a = text_of(im, wfi_action_text(from, i)),
                 with = text_of(im, wfi_action_text2(from, i));
        im->actions[i] = wfi_behaviour_action(im->to, wfi_action_verb(from, i), a, with);
    }
}

// Returns the fact's number in `to`. Facts refer only to facts before them.
static uint32_t import_fact(struct import *im, const struct wfi_fact *fact) {
    uint32_t actor = im->actors[fact->actor], part[WFI_PARTS], actions[WFI_RUN_ACTIONS];
    if (fact->kind == WFI_FACT_RUN) {
        const uint32_t *from = im->from->list + fact->part[0];
        for (uint32_t i = 0; i < fact->part[1]; ++i) actions[i] = im->actions[from[i]];
        return wfi_behaviour_run(im->to, actor, actions, fact->part[1], &im->full);
    }
    bool runs = fact->kind == WFI_FACT_FOLLOWS;
    for (unsigned i = 0; i < WFI_PARTS; ++i)
        part[i] = runs ? im->facts[fact->part[i]] : text_of(im, fact->part[i]);
    if (runs && (!part[0] || !part[1])) return 0;
    return wfi_behaviour_fact(im->to, fact->kind, actor, part[0], part[1], part[2], &im->full);
}

static void import_facts(struct import *im) {
    const struct wf_behaviour *from = im->from;
    for (uint32_t i = 1; i <= from->fact_count && im->to->err == WF_OK; ++i) {
        const struct wfi_fact *fact = wfi_fact(from, i);
        uint32_t number = im->facts[i] = import_fact(im, fact);
        for (uint32_t n = number ? fact->seen : 0; n; n = from->seen[n - 1].next) {
            struct wfi_seen seen = from->seen[n - 1];
            seen.trace += im->first_trace;
            wfi_behaviour_see(im->to, number, &seen);
        }
    }
}

static void import_sequences(struct import *im) {
    for (size_t i = 0; i < im->from->sequence_count && im->to->err == WF_OK; ++i) {
        const struct wfi_sequence *q = &im->from->sequences[i];
        struct wfi_sequence *to =
            wfi_behaviour_sequence(im->to, im->actors[q->actor], q->trace + im->first_trace);
        if (!to) continue;
        to->cut |= q->cut;
        for (size_t n = 0; n < q->count; ++n) {
            struct wfi_entry e = q->entries[n];
            e.run = im->facts[e.run];
            if (!wfi_sequence_add(im->to, to, &e)) break;
        }
    }
}

static void import_traces(struct import *im) {
    im->first_trace = (uint32_t)im->to->trace_count;
    for (size_t i = 0; i < im->from->trace_count; ++i) {
        struct wfi_trace_info trace = im->from->traces[i];
        trace.source = text_of(im, trace.source);
        wfi_behaviour_new_trace(im->to, &trace);
    }
}

void wfi_behaviour_import(struct wf_behaviour *b, const struct wf_behaviour *from,
                          const uint32_t *texts) {
    size_t actors = from->actors.count + 1, actions = from->actions.count + 1;
    uint32_t *numbers = calloc(actors + actions + from->fact_count + 1, sizeof *numbers);
    struct import im = {.to = b, .from = from, .texts = texts};
    if (!numbers) {
        b->err = WF_ERR_NOMEM;
        return;
    }
    im.actors = numbers;
    im.actions = numbers + actors;
    im.facts = im.actions + actions;
    import_keys(&im);
    import_traces(&im);
    import_facts(&im);
    import_sequences(&im);
    for (size_t i = im.first_trace; i < b->trace_count; ++i) b->traces[i].full |= im.full;
    free(numbers);
}

int wf_behaviour_join(struct wf_behaviour *b, const struct wf_behaviour *from,
                      struct wf_error *error) {
    uint32_t *texts = calloc(from->texts.count + 1, sizeof *texts);
    if (!texts) b->err = WF_ERR_NOMEM;
    for (uint32_t i = 1; texts && i <= from->texts.count; ++i) {
        const struct wfi_text *text = &from->texts.list[i - 1];
        texts[i] = wfi_behaviour_text(b, from->texts.bytes + text->at, text->len);
    }
    if (b->err == WF_OK) wfi_behaviour_import(b, from, texts);
    free(texts);
    return wf_error_code(error, b->err);
}

// ---- open and close

struct wf_behaviour *wf_behaviour_open(struct wf_error *error) {
    struct wf_behaviour *b = calloc(1, sizeof *b);
    wf_error_code(error, b ? WF_OK : WF_ERR_NOMEM);
    return b;
}

void wf_behaviour_close(struct wf_behaviour *b) {
    if (!b) return;
    for (size_t i = 0; i < b->sequence_count; ++i) free(b->sequences[i].entries);
    free(b->sequences);
    free(b->traces);
    free(b->seen);
    free(b->facts);
    free(b->list);
    free(b->mutexes);
    free(b->objects);
    free(b->texts.bytes);
    free(b->texts.list);
    wfi_index_close(&b->texts.index);
    wfi_index_close(&b->fact_index);
    wfi_keys_close(&b->actors);
    wfi_keys_close(&b->actions);
    free(b);
}

bool wf_behaviour_trace(const struct wf_behaviour *b, size_t index,
                        struct wf_behaviour_trace *trace) {
    if (index >= b->trace_count) return false;
    const struct wfi_trace_info *is = &b->traces[index];
    *trace = (struct wf_behaviour_trace){wfi_behaviour_text_at(b, is->source),
                                         is->lane,
                                         is->hz,
                                         is->first,
                                         is->last,
                                         is->zero,
                                         is->records,
                                         is->holes,
                                         is->unnamed,
                                         is->full};
    return true;
}
