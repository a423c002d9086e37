// SPDX-License-Identifier: MIT
// The header of a VCD file: scopes, their variables, and the first values. Names are made legal and
// unique in their scope; a comment has the name that was changed.

#include <stdlib.h>
#include <string.h>

#include "wfi_vcd.h"

enum { WORD_MAX = 200, NAMES_LEAST = 64 };

// ---- aspects

enum scope {
    SCOPE_CORES,
    SCOPE_TASKS,
    SCOPE_OBJECTS, // a scope for each kind of object
    SCOPE_COUNTERS = SCOPE_OBJECTS + WF_OBJECT_KINDS,
    SCOPE_LOSS,
    SCOPES
};

static const char *const scope_names[SCOPES] = {
    [SCOPE_CORES] = "cores",
    [SCOPE_TASKS] = "tasks",
    [SCOPE_OBJECTS + WF_OBJECT_UNKNOWN] = "objects",
    [SCOPE_OBJECTS + WF_OBJECT_MUTEX] = "mutexes",
    [SCOPE_OBJECTS + WF_OBJECT_SEMAPHORE] = "semaphores",
    [SCOPE_OBJECTS + WF_OBJECT_QUEUE] = "queues",
    [SCOPE_OBJECTS + WF_OBJECT_EVENTS] = "event_groups",
    [SCOPE_OBJECTS + WF_OBJECT_TIMER] = "timers",
    [SCOPE_OBJECTS + WF_OBJECT_HEAP] = "heaps",
    [SCOPE_OBJECTS + WF_OBJECT_MACHINE] = "state_machines",
    [SCOPE_OBJECTS + WF_OBJECT_ACTIVE] = "active_objects",
    [SCOPE_OBJECTS + WF_OBJECT_EVENT_QUEUE] = "event_queues",
    [SCOPE_OBJECTS + WF_OBJECT_POOL] = "pools",
    [SCOPE_COUNTERS] = "counters",
    [SCOPE_LOSS] = "loss",
};

static const struct {
    uint8_t scope;
    const char *type, *name; // name null: made in put_var
} aspects[WFI_VCD_ASPECTS] = {
    [WFI_VCD_CORE_TASK] = {SCOPE_CORES, "string 1", "task"},
    [WFI_VCD_CORE_IRQ] = {SCOPE_CORES, "string 1", "interrupt"},
    [WFI_VCD_CORE_DEPTH] = {SCOPE_CORES, "integer 32", "interrupt_depth"},
    [WFI_VCD_IRQ] = {SCOPE_CORES, "wire 1", NULL},
    [WFI_VCD_RUNS] = {SCOPE_TASKS, "wire 1", "runs"},
    [WFI_VCD_STATE] = {SCOPE_TASKS, "string 1", "state"},
    [WFI_VCD_PRIORITY] = {SCOPE_TASKS, "integer 32", "priority"},
    [WFI_VCD_WAITS] = {SCOPE_TASKS, "string 1", "waits_for"},
    [WFI_VCD_STACK] = {SCOPE_TASKS, "integer 32", "stack_free"},
    [WFI_VCD_HOLDER] = {SCOPE_OBJECTS, "string 1", "holder"},
    [WFI_VCD_COUNT] = {SCOPE_OBJECTS, "integer 64", "count"},
    [WFI_VCD_FREE] = {SCOPE_OBJECTS, "integer 64", "free"},
    [WFI_VCD_LOW] = {SCOPE_OBJECTS, "integer 64", "least_free"},
    [WFI_VCD_MACHINE] = {SCOPE_OBJECTS, "string 1", "state"},
    [WFI_VCD_STEP] = {SCOPE_OBJECTS, "string 1", "step"},
    [WFI_VCD_COUNTER] = {SCOPE_COUNTERS, "integer 32", NULL},
    [WFI_VCD_HOLE] = {SCOPE_LOSS, "wire 1", "hole"},
    [WFI_VCD_MISSING] = {SCOPE_LOSS, "integer 64", "records_missing"},
    [WFI_VCD_BAD] = {SCOPE_LOSS, "integer 64", "bytes_damaged"},
};

// ---- texts

void wfi_vcd_quote(struct wfi_strbuf *t, const char *text, size_t len) {
    static const char hex[] = "0123456789abcdef";
    if (!wfi_strbuf_room(t, 4 * len)) return;
    char *p = t->end;
    for (size_t i = 0; i < len; ++i) {
        unsigned char c = (unsigned char)text[i];
        bool plain = c > ' ' && c < 0x7F && c != '\\';
        if (!plain) {
            *p++ = '\\';
            *p++ = 'x';
            *p++ = hex[c >> 4];
            c = (unsigned char)hex[c & 15];
        }
        *p++ = (char)c;
    }
    t->end = p;
}

void wfi_vcd_word(struct wfi_strbuf *t, const char *name) {
    bool digit = *name >= '0' && *name <= '9';
    if (digit || !*name) wfi_strbuf_put(t, "_");
    for (unsigned i = 0; name[i] && i < WORD_MAX; ++i) {
        char c = name[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        bool good = letter || (c >= '0' && c <= '9') || c == '_';
        wfi_strbuf_bytes(good ? &c : "_", 1, t);
    }
}

// ---- names that are in use in a scope

struct names {
    struct wfi_strbuf text; // all of them, each zero-terminated
    struct name {
        size_t at; // + 1; 0: none
        unsigned next;
    } * slots;
    size_t mask, used;
};

static struct name *name_slot(const struct names *n, const char *text) {
    size_t hash = 5381;
    for (const char *p = text; *p; ++p) hash = hash * 33 ^ (unsigned char)*p;
    for (;; ++hash) {
        struct name *slot = &n->slots[hash & n->mask];
        if (!slot->at || strcmp(n->text.buf + slot->at - 1, text) == 0) return slot;
    }
}

static bool more_names(struct names *n) {
    if (n->slots && 2 * n->used <= n->mask) return true;
    struct names more = *n;
    more.mask = n->mask ? 2 * n->mask + 1 : NAMES_LEAST - 1;
    more.slots = calloc(more.mask + 1, sizeof *more.slots);
    if (!more.slots) return false;
    for (size_t i = 0; n->used && i <= n->mask; ++i) {
        if (n->slots[i].at) *name_slot(&more, n->text.buf + n->slots[i].at - 1) = n->slots[i];
    }
    free(n->slots);
    *n = more;
    return true;
}

static void no_names(struct names *n) {
    n->text.end = n->text.buf;
    n->used = 0;
    if (n->slots) memset(n->slots, 0, (n->mask + 1) * sizeof *n->slots);
}

// The name, or the first free one of name_2, name_3 ... It is stored after those in use,
// terminated, until the next call; null when out of memory.
static const char *unique(struct names *n, const char *name) {
    struct name *before = NULL;
    unsigned number = 1;
    if (!more_names(n)) return NULL;
    size_t at = (size_t)(n->text.end - n->text.buf);
    wfi_vcd_word(&n->text, name);
    size_t len = (size_t)(n->text.end - n->text.buf) - at;
    wfi_strbuf_bytes("", 1, &n->text);
    struct name *slot = name_slot(n, n->text.buf + at);
    if (slot->at) {
        before = slot;
        number = slot->next;
    }
    for (; slot->at; ++number) {
        n->text.end = n->text.buf + at + len;
        wfi_strbuf_printf(&n->text, "_%u", number + 1);
        wfi_strbuf_bytes("", 1, &n->text);
        slot = name_slot(n, n->text.buf + at);
    }
    if (before) before->next = number;
    *slot = (struct name){at + 1, 1};
    ++n->used;
    return n->text.buf + at;
}

// ---- the order

struct head {
    struct wf_writer *w;
    struct wfi_strbuf *t;
    struct names names;
    struct entry {
        uint64_t inner, of; // inner: index of the core, task, object
        uint32_t var;
        uint8_t scope, aspect;
    } * entries;
    unsigned depth;
};

static int compare(const void *a, const void *b) {
    const struct entry *x = a, *y = b;
    if (x->scope != y->scope) return x->scope < y->scope ? -1 : 1;
    if (x->inner != y->inner) return x->inner < y->inner ? -1 : 1;
    if (x->aspect != y->aspect) return x->aspect < y->aspect ? -1 : 1;
    if (x->of != y->of) return x->of < y->of ? -1 : 1;
    return 0;
}

static struct entry entry_of(struct wf_writer *w, uint32_t i) {
    const struct wfi_vcd_var *var = &wfi_vcd(w)->vars[i];
    struct entry e = {.var = i, .aspect = var->aspect, .of = var->of, .inner = var->of};
    e.scope = aspects[var->aspect].scope;
    if (e.scope == SCOPE_OBJECTS) {
        e.scope = (uint8_t)(e.scope + wf_model_object(w->model, (unsigned)var->of)->kind);
    } else if (e.aspect == WFI_VCD_IRQ) {
        e.inner = var->of >> 16;
    } else if (e.scope >= SCOPE_COUNTERS) {
        e.inner = 0;
        e.of = i; // in order of appearance
    }
    return e;
}

// ---- writing

static void put_text(struct head *h, const char *text) { wfi_strbuf_put(h->t, text); }

static void open_scope(struct head *h, const char *name) {
    wfi_strbuf_printf(h->t, "$scope module %s $end\n", name);
    ++h->depth;
}

static void close_scopes(struct head *h, unsigned depth) {
    for (; h->depth > depth; --h->depth) put_text(h, "$upscope $end\n");
}

// Returns a name for the present scope; if it had to be changed, writes a comment.
static const char *put_comment(struct head *h, const char *name) {
    const char *word = unique(&h->names, name);
    if (!word) {
        wfi_vcd(h->w)->failed = true;
        return "_";
    }
    if (strcmp(word, name) == 0) return word;
    wfi_strbuf_printf(h->t, "$comment %s is ", word);
    wfi_vcd_quote(h->t, name, strlen(name));
    put_text(h, " $end\n");
    return word;
}

static void open_inner(struct head *h, const struct entry *e) {
    struct wf_model *m = h->w->model;
    unsigned index = (unsigned)e->inner;
    if (e->scope >= SCOPE_COUNTERS) return;
    if (e->scope == SCOPE_CORES) {
        wfi_strbuf_printf(h->t, "$scope module core%u $end\n", index);
        ++h->depth;
        return;
    }
    bool task = e->scope == SCOPE_TASKS;
    open_scope(h, put_comment(h, task ? wf_task_name(m, wf_model_task(m, index))
                                      : wf_object_name(m, wf_model_object(m, index))));
}

// "irq28", or "irq28_TIM2": names may be equal, numbers are not.
static void put_irq(struct wf_session *s, unsigned irq, struct wfi_strbuf *word) {
    const struct wfi_name *name = wfi_irq_name(s, irq);
    wfi_strbuf_printf(word, name ? "irq%u_" : "irq%u", irq);
    if (name) wfi_vcd_word(word, name->text);
}

static void put_var(struct head *h, const struct entry *e) {
    struct wfi_strbuf *word = &wfi_vcd(h->w)->word;
    const char *name = aspects[e->aspect].name;
    char id[WFI_VCD_ID + 1];
    id[wfi_vcd_id(id, e->var)] = 0;
    word->end = word->buf;
    if (e->aspect == WFI_VCD_IRQ && (e->of & 0xFFFF) == WF_IRQ_UNKNOWN) name = "irq_unknown";
    if (e->aspect == WFI_VCD_IRQ && !name) put_irq(h->w->s, (unsigned)(e->of & 0xFFFF), word);
    if (e->aspect == WFI_VCD_COUNTER)
        wfi_put_constant(h->w->s, wfi_vcd(h->w)->vars[e->var].of, word);
    wfi_strbuf_bytes("", 1, word);
    if (e->aspect == WFI_VCD_COUNTER)
        name = put_comment(h, word->buf);
    else if (!name)
        name = word->buf;
    wfi_strbuf_printf(h->t, "$var %s %s %s $end\n", aspects[e->aspect].type, id, name);
}

static void put_vars(struct head *h, size_t count) {
    const struct entry *last = NULL;
    for (size_t i = 0; i < count; ++i) {
        const struct entry *e = &h->entries[i];
        bool scope = !last || last->scope != e->scope;
        if (scope) {
            close_scopes(h, 1);
            open_scope(h, scope_names[e->scope]);
            no_names(&h->names);
        }
        if (scope || last->inner != e->inner) {
            close_scopes(h, 2);
            open_inner(h, e);
        }
        put_var(h, e);
        last = e;
    }
    close_scopes(h, 0);
}

// Variables that appeared later are unknown at first.
static void put_first_values(struct head *h) {
    const struct wfi_vcd *v = wfi_vcd(h->w);
    char id[WFI_VCD_ID + 1];
    wfi_strbuf_printf(h->t, "$enddefinitions $end\n#%llu\n$dumpvars\n",
                      (unsigned long long)v->from_ns);
    wfi_strbuf_bytes(v->dump.buf, (size_t)(v->dump.end - v->dump.buf), h->t);
    for (uint32_t i = v->begun ? v->begun : 1; i < v->count; ++i) {
        const char *type = aspects[v->vars[i].aspect].type;
        id[wfi_vcd_id(id, i)] = 0;
        wfi_strbuf_printf(h->t, "%s%s\n", *type == 's' ? "sx " : *type == 'w' ? "x" : "bx ", id);
    }
    put_text(h, "$end\n");
}

void wfi_vcd_put_header(struct wf_writer *w, struct wfi_strbuf *t) {
    struct wfi_vcd *v = w->own;
    struct head h = {.w = w, .t = t};
    size_t count = v->count - 1;
    h.entries = calloc(count + 1, sizeof *h.entries);
    if (!h.entries || !wfi_strbuf_open(&h.names.text, &v->failed)) {
        v->failed = true;
        free(h.entries);
        return;
    }
    for (uint32_t i = 1; i < v->count; ++i) h.entries[i - 1] = entry_of(w, i);
    qsort(h.entries, count, sizeof *h.entries, compare);
    put_text(&h, "$version wallfly $end\n");
    if (w->options.source) {
        put_text(&h, "$comment of ");
        wfi_vcd_quote(t, w->options.source, strlen(w->options.source));
        put_text(&h, " $end\n");
    }
    if (!w->scale.hz) put_text(&h, "$comment the rate is not known: a nanosecond is a tick $end\n");
    put_text(&h, "$timescale 1 ns $end\n");
    open_scope(&h, "wallfly");
    put_vars(&h, count);
    put_first_values(&h);
    wfi_strbuf_close(&h.names.text);
    free(h.names.slots);
    free(h.entries);
}
