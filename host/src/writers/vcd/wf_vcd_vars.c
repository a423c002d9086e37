// SPDX-License-Identifier: MIT
// Variables of a VCD file, found by aspect and owner, and written when they change. A list has
// those that a hole makes unknown, so that a hole need not visit the others.

#include <stdlib.h>
#include <string.h>

#include "util/wfi_hash.h"
#include "wfi_vcd.h"

enum { SLOTS_LEAST = 256, ID_FIRST = '!', ID_COUNT = 94 };

bool wfi_vcd_vars_open(struct wfi_vcd *v) {
    v->slot_mask = SLOTS_LEAST - 1;
    v->slots = calloc(SLOTS_LEAST, sizeof *v->slots);
    v->cap = SLOTS_LEAST / 2;
    v->vars = calloc(v->cap, sizeof *v->vars);
    v->count = 1;
    return v->slots && v->vars;
}

void wfi_vcd_vars_close(struct wfi_vcd *v) {
    for (unsigned i = 0; i < WFI_VCD_ASPECTS; ++i) free(v->numbered[i].vars);
    free(v->slots);
    free(v->vars);
}

// ---- by aspect and owner

// Cores, tasks and objects are numbered from 0: their variables are in an array for each aspect.
static bool is_numbered(unsigned aspect) {
    return aspect != WFI_VCD_IRQ && aspect != WFI_VCD_COUNTER;
}

static uint32_t *slot_of(const struct wfi_vcd *v, unsigned aspect, uint64_t of) {
    for (size_t i = (size_t)wfi_hash(of, aspect, v->slots);; ++i) {
        uint32_t *slot = &v->slots[i & v->slot_mask];
        const struct wfi_vcd_var *var = &v->vars[*slot];
        if (!*slot || (var->of == of && var->aspect == aspect)) return slot;
    }
}

uint32_t wfi_vcd_find(const struct wfi_vcd *v, enum wfi_vcd_aspect aspect, uint64_t of) {
    const struct wfi_vcd_numbered *n = &v->numbered[aspect];
    if (is_numbered(aspect)) return of < n->cap ? n->vars[of] : 0;
    return *slot_of(v, aspect, of);
}

// Makes room for one more; returns false when out of memory.
static bool grow(struct wfi_vcd *v) {
    if (v->count < v->cap) return true;
    struct wfi_vcd_var *vars = realloc(v->vars, 2 * (size_t)v->cap * sizeof *vars);
    if (!vars) return false;
    v->vars = vars;
    uint32_t *slots = calloc(2 * (v->slot_mask + 1), sizeof *slots);
    if (!slots) return false;
    free(v->slots);
    v->slots = slots;
    v->slot_mask = 2 * v->slot_mask + 1;
    v->cap *= 2;
    for (uint32_t i = 1; i < v->count; ++i) {
        if (!is_numbered(vars[i].aspect)) *slot_of(v, vars[i].aspect, vars[i].of) = i;
    }
    return true;
}

// Returns where the number of a variable is stored; null when out of memory.
static uint32_t *place_of(struct wfi_vcd *v, unsigned aspect, uint64_t of) {
    if (!is_numbered(aspect)) return slot_of(v, aspect, of);
    struct wfi_vcd_numbered *n = &v->numbered[aspect];
    void *vars = n->vars;
    if (!wfi_grow(&vars, &n->cap, sizeof *n->vars, (size_t)of + 1)) return NULL;
    n->vars = vars;
    return &n->vars[of];
}

static uint32_t new_var(struct wfi_vcd *v, unsigned aspect, uint64_t of) {
    uint32_t *place = grow(v) ? place_of(v, aspect, of) : NULL;
    if (!place) {
        v->failed = true;
        return 0;
    }
    v->vars[v->count] = (struct wfi_vcd_var){.of = of, .aspect = (uint8_t)aspect};
    *place = v->count;
    return v->count++;
}

static void list(struct wfi_vcd *v, uint32_t var, bool known) {
    struct wfi_vcd_var *it = &v->vars[var];
    if (it->known == known || it->aspect >= WFI_VCD_HOLE) return;
    if (known) {
        it->prev = 0;
        it->next = v->first_known;
        if (it->next) v->vars[it->next].prev = var;
        v->first_known = var;
        return;
    }
    if (it->next) v->vars[it->next].prev = it->prev;
    if (it->prev)
        v->vars[it->prev].next = it->next;
    else
        v->first_known = it->next;
}

// ---- values

size_t wfi_vcd_id(char id[WFI_VCD_ID], uint32_t var) {
    size_t len = 0;
    for (--var;; var = var / ID_COUNT - 1) {
        id[len++] = (char)(ID_FIRST + var % ID_COUNT);
        if (var < ID_COUNT) return len;
    }
}

static void put_binary(struct wfi_strbuf *t, uint64_t value) {
    char digits[66], *p = digits + sizeof digits;
    *--p = ' ';
    do *--p = (char)('0' + (value & 1));
    while (value >>= 1);
    *--p = 'b';
    wfi_strbuf_bytes(p, (size_t)(digits + sizeof digits - p), t);
}

static void put_task(struct wf_writer *w, uint64_t value) {
    const struct wf_task *task = value ? wf_model_task(w->model, (unsigned)value - 1) : NULL;
    wfi_strbuf_put(&wfi_vcd(w)->word, task ? wf_task_name(w->model, task) : "-");
}

static void put_waits(struct wf_writer *w, uint64_t value) {
    const struct wf_object *object = value ? wf_model_object(w->model, (unsigned)value - 1) : NULL;
    wfi_strbuf_put(&wfi_vcd(w)->word, object ? wf_object_name(w->model, object) : "-");
}

static void put_step(struct wf_writer *w, uint64_t of, uint64_t value) {
    const struct wf_object *object = wf_model_object(w->model, (unsigned)of);
    if (value)
        wfi_put_signal(w->s, value - 1, object ? object->key : 0, &wfi_vcd(w)->word);
    else
        wfi_strbuf_put(&wfi_vcd(w)->word, "-");
}

static void put_irq(struct wf_writer *w, uint64_t value) {
    if (value)
        wfi_put_irq(w->s, value - 1, &wfi_vcd(w)->word);
    else
        wfi_strbuf_put(&wfi_vcd(w)->word, "-");
}

// Returns false when the aspect is not a string.
static bool put_string(struct wf_writer *w, const struct wfi_vcd_var *var) {
    struct wfi_strbuf *word = &wfi_vcd(w)->word;
    word->end = word->buf;
    switch (var->aspect) {
    case WFI_VCD_CORE_TASK:
    case WFI_VCD_HOLDER: put_task(w, var->value); return true;
    case WFI_VCD_CORE_IRQ: put_irq(w, var->value); return true;
    case WFI_VCD_STATE: wfi_strbuf_put(word, wf_task_state_names[var->value]); return true;
    case WFI_VCD_WAITS: put_waits(w, var->value); return true;
    case WFI_VCD_MACHINE: wfi_put_function(w->s, var->value, word); return true;
    case WFI_VCD_STEP: put_step(w, var->of, var->value); return true;
    default: return false;
    }
}

static bool is_wire(unsigned aspect) {
    return aspect == WFI_VCD_RUNS || aspect == WFI_VCD_IRQ || aspect == WFI_VCD_HOLE;
}

static void put_value(struct wf_writer *w, const struct wfi_vcd_var *var, struct wfi_strbuf *t) {
    const struct wfi_strbuf *word = &wfi_vcd(w)->word;
    bool string = put_string(w, var);
    if (string && var->known) {
        wfi_strbuf_put(t, "s");
        wfi_vcd_quote(t, word->buf, (size_t)(word->end - word->buf));
        wfi_strbuf_put(t, " ");
    } else if (is_wire(var->aspect)) {
        wfi_strbuf_put(t, !var->known ? "x" : var->value ? "1" : "0");
    } else if (var->known) {
        put_binary(t, var->value);
    } else {
        wfi_strbuf_put(t, string ? "sx " : "bx ");
    }
}

// Times are written on a change, and never go back.
static void stamp(struct wf_writer *w) {
    struct wfi_vcd *v = w->own;
    // The trace's first time is fixed, too, once it is known.
    if (v->now == v->ns) v->fixed |= w->s->clock.known || w->s->slots.on;
    if (v->now <= v->ns) return;
    v->ns = v->now;
    if (!v->fixed) { // nothing was known so far: the file begins here
        v->fixed = true;
        v->from_ns = v->ns;
        return;
    }
    if (!wfi_strbuf_room(&w->text, 32)) return;
    *w->text.end++ = '#';
    w->text.end = wfi_dec(w->text.end, v->ns);
    *w->text.end++ = '\n';
}

void wfi_vcd_set_var(struct wf_writer *w, uint32_t i, bool known, uint64_t value) {
    struct wfi_vcd *v = w->own;
    struct wfi_vcd_var *var = &v->vars[i];
    if (var->known == known && (!known || var->value == value)) return;
    list(v, i, known);
    var->known = known;
    var->value = value;
    struct wfi_strbuf *t = v->dumping ? &v->dump : &w->text;
    char id[WFI_VCD_ID + 1];
    size_t len = wfi_vcd_id(id, i);
    id[len++] = '\n';
    if (!v->dumping) stamp(w);
    put_value(w, var, t);
    wfi_strbuf_bytes(id, len, t);
}

void wfi_vcd_set(struct wf_writer *w, enum wfi_vcd_aspect aspect, uint64_t of, bool known,
                 uint64_t value) {
    uint32_t i = wfi_vcd_find(w->own, aspect, of);
    if (!i && known) i = new_var(w->own, aspect, of);
    if (i) wfi_vcd_set_var(w, i, known, value);
}

void wfi_vcd_end(struct wf_writer *w) { stamp(w); }
