// SPDX-License-Identifier: MIT
// Records of events: by the actions of the mapping, or with their own name and fields.

#include <stdio.h>
#include <string.h>

#include "wfi_ctf.h"

enum { SMALL = 65536 }; // numbers below are not addresses

struct act { // an action, and where its parameters are
    struct wfi_import *im;
    struct ctf *s;
    const struct ctf_class *k;
    const struct ctf_action *a;
    const struct ctf_bound *b;
};

// ---- parameters

// The value of a field; null: the parameter is not a field, or absent in this event.
static const struct ctf_value *field_of(const struct act *t, enum ctf_param_name p) {
    int i = t->b->field[p];
    if (i < 0 || t->s->value[i].type == WF_EVENTS_VALUE_NONE) return NULL;
    return &t->s->value[i];
}

static bool is_number(const struct ctf_value *v) {
    return v->type == WF_EVENTS_VALUE_UNSIGNED || v->type == WF_EVENTS_VALUE_SIGNED ||
           v->type == WF_EVENTS_VALUE_HEX || v->type == WF_EVENTS_VALUE_ENUM ||
           v->type == WF_EVENTS_VALUE_SIGNED_ENUM;
}

static bool get_number(const struct act *t, enum ctf_param_name p, uint64_t *number) {
    const struct ctf_value *v = field_of(t, p);
    if (t->a->param[p].kind == CTF_NUMBER) {
        *number = (uint64_t)t->a->param[p].number;
        return true;
    }
    if (!v || !is_number(v)) return false;
    *number = v->v;
    return true;
}

// A parameter as text. Returns its length; 0: it is absent.
static size_t get_text(const struct act *t, enum ctf_param_name p, char text[CTF_TEXT_CAP]) {
    const struct ctf_value *v = field_of(t, p);
    if (t->a->param[p].kind == CTF_TEXT)
        return wfi_ctf_expand(t->s, t->k, t->a->param[p].text, text, WFI_IMPORT_TEXT_MAX);
    if (!v) return 0;
    return (size_t)(wfi_ctf_value_text(v, text, text + WFI_IMPORT_TEXT_MAX) - text);
}

// ---- keys

// Tasks that are told apart by their names have keys that no address is.
static uint64_t key_of_text(const struct ctf_value *v) {
    uint64_t hash = wfi_hash_text(v->text, v->len, NULL);
    return (hash & UINT64_C(0x0FFFFFFFFFFFFFFF)) | UINT64_C(0x4000000000000000);
}

// The key of a task, and its name: the word of an enumeration or the text that is its key.
static bool get_task(const struct act *t, uint64_t *key, struct ctf_slice *name) {
    const struct ctf_value *v = field_of(t, CTF_P_key);
    *name = (struct ctf_slice){NULL, 0};
    if (v && v->len) *name = (struct ctf_slice){v->text, v->len};
    if (v && v->type == WF_EVENTS_VALUE_TEXT) {
        *key = v->len ? key_of_text(v) : 0;
        return true;
    }
    return get_number(t, CTF_P_key, key);
}

static void name_task(const struct act *t, uint64_t key, struct ctf_slice name) {
    char text[CTF_TEXT_CAP];
    size_t len = get_text(t, CTF_P_name, text);
    if (len) name = (struct ctf_slice){text, len};
    wfi_ctf_name_task(t->im, key, name);
}

static void set_prio(const struct act *t, uint64_t key) {
    uint64_t prio;
    if (get_number(t, CTF_P_prio, &prio)) wfi_ctf_set_prio(t->im, key, (int64_t)prio);
}

// Small numbers of objects are moved to where neither tasks nor objects of other kinds are, and
// named by their kind.
static uint64_t object_key(const struct act *t, const struct wf_row *row, uint64_t v) {
    char text[64];
    if (v >= SMALL) return v;
    uint64_t key = UINT64_C(0x2000000000000000) + ((uint64_t)row->group << 32) + v;
    int len = snprintf(text, sizeof text, "%.*s %u", (int)strcspn(row->name, "_"), row->name,
                       (unsigned)v);
    if (t->a->param[CTF_P_name].kind == CTF_ABSENT)
        wfi_ctf_name_task(t->im, key, (struct ctf_slice){text, (size_t)len});
    return key;
}

// ---- tasks

static uint8_t *reason_of_core(const struct act *t) {
    return &t->s->reason[t->im->core % WFI_IMPORT_CORES];
}

static bool is_reason(const struct ctf_reason *r, const struct ctf_value *v) {
    if (r->is_number && is_number(v)) return (uint64_t)r->number == v->v;
    return wfi_ctf_slice_is(r->word, v->text, v->len);
}

static unsigned get_reason(const struct act *t, unsigned otherwise) {
    const struct ctf_value *v = field_of(t, CTF_P_reason);
    const struct ctf_reason *r = t->s->map.reasons;
    uint8_t reason;
    if (t->a->param[CTF_P_reason].kind == CTF_NUMBER)
        return (unsigned)t->a->param[CTF_P_reason].number;
    if (!v) return otherwise;
    for (size_t i = t->a->reasons; i < t->a->reasons + t->a->reason_count; ++i) {
        if (is_reason(&r[i], v)) return r[i].reason;
    }
    struct ctf_slice word = {v->text, v->len};
    return !t->a->reason_count && v->len && wfi_ctf_find_reason(word, &reason) ? reason : otherwise;
}

static bool do_run(const struct act *t, bool idle) {
    struct ctf_slice name;
    uint64_t key = 0;
    uint8_t *pending = reason_of_core(t);
    if (!idle && !get_task(t, &key, &name)) return false;
    if (!idle) name_task(t, key, name);
    wfi_import_switch(t->im, key, get_reason(t, *pending));
    *pending = WF_REASON_unknown;
    set_prio(t, key);
    return true;
}

// The task leaves at the next switch. Of another task than the running one nothing follows.
static bool do_block(const struct act *t, unsigned otherwise) {
    const struct wfi_import_core *c = &t->im->cores[t->im->core];
    struct ctf_slice name;
    uint64_t key;
    bool other = get_task(t, &key, &name) && c->known && c->task != key;
    if (!other) *reason_of_core(t) = (uint8_t)get_reason(t, otherwise);
    return true;
}

static bool do_task(const struct act *t) {
    struct ctf_slice name;
    uint64_t key, prio, unknown = (uint64_t)WF_PRIO_UNKNOWN;
    if (!get_task(t, &key, &name)) return false;
    if (t->a->role == CTF_ROLE_task_create) {
        wfi_ctf_forget_task(t->im, key);
        WFI_IMPORT(t->im, task_create, key, get_number(t, CTF_P_prio, &prio) ? prio : unknown);
    }
    name_task(t, key, name);
    if (t->a->role == CTF_ROLE_task) set_prio(t, key);
    if (t->a->role == CTF_ROLE_ready) WFI_IMPORT(t->im, task_ready, key);
    return true;
}

// ---- interrupts, notes

static bool do_irq_enter(const struct act *t) {
    char text[CTF_TEXT_CAP];
    uint64_t irq = WF_IRQ_UNKNOWN, base = 0;
    bool known = get_number(t, CTF_P_irq, &irq);
    get_number(t, CTF_P_base, &base);
    if (known) irq += base;
    if (irq > WF_IRQ_UNKNOWN) irq = WF_IRQ_UNKNOWN;
    size_t len = get_text(t, CTF_P_name, text);
    wfi_ctf_name_irq(t->im, (uint16_t)irq, (struct ctf_slice){text, len});
    wfi_import_irq_enter(t->im, (uint16_t)irq);
    return true;
}

static bool do_counter(const struct act *t) {
    char text[CTF_TEXT_CAP];
    uint64_t value;
    size_t len = get_text(t, CTF_P_name, text);
    if (!len || !get_number(t, CTF_P_value, &value)) return false;
    wfi_import_counter(t->im, text, len, (int64_t)value);
    return true;
}

static bool do_span(const struct act *t, bool begin) {
    char text[CTF_TEXT_CAP];
    size_t len = get_text(t, CTF_P_name, text);
    if (len) wfi_import_span(t->im, begin, text, len);
    return len != 0;
}

// The text, and the fields that the mapping adds: "door open count=3".
static bool do_message(const struct act *t) {
    char text[CTF_TEXT_CAP];
    char *end = text + WFI_IMPORT_TEXT_MAX;
    char *p = text + get_text(t, CTF_P_text, text);
    struct ctf_slice list = t->a->fields;
    for (struct ctf_slice name; (name = wfi_ctf_next_item(&list)).text;) {
        int i = wfi_ctf_find_field(t->k, name);
        bool any = i >= 0 && t->s->value[i].type != WF_EVENTS_VALUE_NONE;
        if (!any || (size_t)(end - p) < name.len + 2) continue;
        *p++ = ' ';
        memcpy(p, name.text, name.len);
        p += name.len;
        *p++ = '=';
        p = wfi_ctf_value_text(&t->s->value[i], p, end);
    }
    wfi_import_message(t->im, text, (size_t)(p - text));
    return true;
}

// ---- records

static void note_record(const struct act *t, const struct wf_row *row) {
    bool waits = row->effect == WF_EFFECT_WAIT || row->effect == WF_EFFECT_GIVE_WAIT;
    if (waits || wf_row_place(row, WF_KIND_ACTOR) >= 0)
        *reason_of_core(t) = waits ? WF_REASON_blocked : WF_REASON_unknown;
}

static void name_object(const struct act *t, uint64_t key) {
    char text[CTF_TEXT_CAP];
    size_t len = get_text(t, CTF_P_name, text);
    wfi_ctf_name_task(t->im, key, (struct ctf_slice){text, len});
}

static bool do_record(const struct act *t) {
    const struct wf_row *row = &wf_rows[t->a->row];
    uint64_t values[WF_FIELDS_MAX], key = 0;
    struct ctf_slice name;
    unsigned n = 0;
    for (unsigned i = 0; i < row->count; ++i) {
        int p = wfi_ctf_record_param(t->a, i);
        if (p < 0) continue;
        bool task = row->fields[i].kind == WF_KIND_TASK;
        bool good = task ? get_task(t, &values[n], &name)
                         : get_number(t, (enum ctf_param_name)p, &values[n]);
        if (!good) return false;
        if (row->fields[i].kind == WF_KIND_OBJECT) values[n] = object_key(t, row, values[n]);
        if (task || row->fields[i].kind == WF_KIND_OBJECT) key = values[n];
        ++n;
    }
    bool begins = row->effect == WF_EFFECT_OBJECT_CREATE;
    bool ends = row->effect == WF_EFFECT_OBJECT_DELETE || row->effect == WF_EFFECT_TASK_DELETE;
    if (begins)
        wfi_ctf_forget_task(t->im, key);
    else
        name_object(t, key);
    wfi_import_record(t->im, t->a->row, values);
    if (begins) name_object(t, key);
    if (ends) wfi_ctf_forget_task(t->im, key);
    note_record(t, row);
    return true;
}

// ---- events

static void add_field(struct wfi_import_field *f, const struct ctf_field *field,
                      const struct ctf_value *v) {
    static const enum wfi_import_type types[] = {[WF_EVENTS_VALUE_UNSIGNED] = WFI_FIELD_UNSIGNED,
                                                 [WF_EVENTS_VALUE_SIGNED] = WFI_FIELD_SIGNED,
                                                 [WF_EVENTS_VALUE_HEX] = WFI_FIELD_HEX,
                                                 [WF_EVENTS_VALUE_FLOAT] = WFI_FIELD_FLOAT,
                                                 [WF_EVENTS_VALUE_TEXT] = WFI_FIELD_TEXT,
                                                 [WF_EVENTS_VALUE_ENUM] = WFI_FIELD_UNSIGNED,
                                                 [WF_EVENTS_VALUE_SIGNED_ENUM] = WFI_FIELD_SIGNED};
    *f = (struct wfi_import_field){field->name, types[v->type], v->v, v->text, v->len};
    if (v->len) f->type = WFI_FIELD_TEXT;
}

void wfi_ctf_emit_event(struct wfi_import *im, const struct ctf_class *k) {
    const struct ctf *s = im->state;
    struct wfi_import_field fields[WFI_IMPORT_ARGS];
    unsigned n = 0;
    for (unsigned i = 0; i < k->count && n < WFI_IMPORT_ARGS; ++i) {
        bool shown = k->fields[i].scope != WF_EVENTS_SCOPE_PACKET && (int)i != k->cpu;
        if (shown && s->value[i].type != WF_EVENTS_VALUE_NONE)
            add_field(&fields[n++], &k->fields[i], &s->value[i]);
    }
    wfi_import_event(im, k->name.text, k->name.len, fields, n);
}

// Returns false if the event has not what the action needs.
static bool do_action(const struct act *t) {
    switch (t->a->role) {
    case CTF_ROLE_run: return do_run(t, false);
    case CTF_ROLE_idle: return do_run(t, true);
    case CTF_ROLE_leave: return do_block(t, WF_REASON_unknown);
    case CTF_ROLE_block: return do_block(t, WF_REASON_blocked);
    case CTF_ROLE_ready:
    case CTF_ROLE_task:
    case CTF_ROLE_task_create: return do_task(t);
    case CTF_ROLE_irq_enter: return do_irq_enter(t);
    case CTF_ROLE_irq_exit: wfi_import_irq_exit(t->im); return true;
    case CTF_ROLE_counter: return do_counter(t);
    case CTF_ROLE_span_begin: return do_span(t, true);
    case CTF_ROLE_span_end: return do_span(t, false);
    case CTF_ROLE_message: return do_message(t);
    case CTF_ROLE_RECORD: return do_record(t);
    case CTF_ROLE_ignore: return true;
    default: wfi_ctf_emit_event(t->im, t->k); return true;
    }
}

static bool is_wanted(const struct act *t) {
    if (!t->a->when.text) return true;
    const struct ctf_value *v = &t->s->value[t->b->when];
    return is_number(v) && v->v == (uint64_t)t->a->equals;
}

// The task of an event's context acts in it.
static void set_actor(struct wfi_import *im, const struct ctf_class *k) {
    const struct ctf *s = im->state;
    struct wfi_import_core *c = &im->cores[im->core];
    if (k->task < 0 || !is_number(&s->value[k->task])) return;
    c->known = true;
    c->task = s->value[k->task].v;
    if (k->task_name < 0) return;
    const struct ctf_value *name = &s->value[k->task_name];
    if (name->type == WF_EVENTS_VALUE_TEXT)
        wfi_ctf_name_task(im, c->task, (struct ctf_slice){name->text, name->len});
}

void wfi_ctf_emit(struct wfi_import *im, const struct ctf_class *k) {
    struct act t = {.im = im, .s = im->state, .k = k};
    bool done = false;
    set_actor(im, k);
    for (size_t i = 0; i < k->bound_count; ++i) {
        t.b = &k->bound[i];
        t.a = &t.s->map.actions[t.b->action];
        if (is_wanted(&t)) done |= do_action(&t);
    }
    if (!done) wfi_ctf_emit_event(im, k);
}
