// SPDX-License-Identifier: MIT
// Rows that are written at the end: tasks, objects and names as known then, and facts about the
// whole trace.

#include <inttypes.h>
#include <stdio.h>

#include "wfi_tables.h"

static size_t key_text(const struct wf_writer *w, uint64_t key, bool number, char text[24]) {
    if (number) return (size_t)snprintf(text, 24, "%" PRIu64, key);
    int digits = 2 * (int)w->s->names.objects.key_bytes;
    return (size_t)snprintf(text, 24, "0x%0*" PRIX64, digits, key);
}

static void task(struct wf_writer *w, const struct wf_task *t) {
    struct wf_cell cells[WFI_task_count] = {{0}};
    char key[24];
    wfi_cell_int(&cells[WFI_task_task], (uint64_t)t->index + 1);
    wfi_cell_word(&cells[WFI_task_name], wf_task_name(w->model, t));
    wfi_cell_text(&cells[WFI_task_key], key, key_text(w, t->key, t->by_priority, key));
    wfi_cell_int(&cells[WFI_task_life], t->life);
    wfi_cell_int(&cells[WFI_task_created], t->created);
    const struct wfi_kept *kept = &wfi_tables(w)->priorities;
    if (t->by_priority)
        wfi_cell_int(&cells[WFI_task_priority], t->key);
    else if (t->index < kept->cap && kept->of[t->index])
        wfi_cell_int(&cells[WFI_task_priority], kept->of[t->index] - WFI_PRIORITY(0));
    if (t->stack_known) wfi_cell_int(&cells[WFI_task_stack_free], t->stack_free);
    if (t->stack_known && t->stack_size) wfi_cell_int(&cells[WFI_task_stack_size], t->stack_size);
    wfi_tables(w)->put(w, WFI_TABLE_task, cells);
}

static void object(struct wf_writer *w, const struct wf_object *o) {
    struct wf_cell cells[WFI_object_count] = {{0}};
    char key[24];
    wfi_cell_int(&cells[WFI_object_object], (uint64_t)o->index + 1);
    wfi_cell_word(&cells[WFI_object_name], wf_object_name(w->model, o));
    wfi_cell_text(&cells[WFI_object_key], key, key_text(w, o->key, false, key));
    wfi_cell_int(&cells[WFI_object_life], o->life);
    wfi_cell_word(&cells[WFI_object_kind], wf_object_kind_names[o->kind]);
    wfi_cell_int(&cells[WFI_object_created], o->created);
    wfi_cell_int(&cells[WFI_object_ended], o->ended);
    if (o->room) wfi_cell_int(&cells[WFI_object_room], o->room);
    if (o->low_known) wfi_cell_int(&cells[WFI_object_least_free], o->low);
    wfi_tables(w)->put(w, WFI_TABLE_object, cells);
}

static const char *dict_name(enum wf_effect dict) {
    switch (dict) {
    case WF_EFFECT_NAME_OBJECT: return "object";
    case WF_EFFECT_NAME_FUNCTION: return "function";
    case WF_EFFECT_NAME_SIGNAL: return "signal";
    case WF_EFFECT_NAME_USER: return "record";
    case WF_EFFECT_NAME_IRQ: return "interrupt";
    default: return "value";
    }
}

static void names(struct wf_writer *w) {
    struct wf_name name;
    for (size_t at = 0; wf_session_next_name(w->s, &at, &name);) {
        struct wf_cell cells[WFI_name_count] = {{0}};
        bool belongs = name.dict == WF_EFFECT_NAME_SIGNAL || name.dict == WF_EFFECT_NAME_ENUM;
        wfi_cell_word(&cells[WFI_name_kind], dict_name(name.dict));
        wfi_cell_int(&cells[WFI_name_key], name.key);
        if (belongs) wfi_cell_int(&cells[WFI_name_belongs_to], name.with);
        wfi_cell_text(&cells[WFI_name_name], name.text, name.len);
        wfi_tables(w)->put(w, WFI_TABLE_name, cells);
    }
}

static void meta(struct wf_writer *w, const char *name, const char *value) {
    struct wf_cell cells[WFI_meta_count] = {{0}};
    wfi_cell_word(&cells[WFI_meta_name], name);
    wfi_cell_word(&cells[WFI_meta_value], value);
    wfi_tables(w)->put(w, WFI_TABLE_meta, cells);
}

static void meta_number(struct wf_writer *w, const char *name, uint64_t value) {
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, value);
    meta(w, name, text);
}

static void target(struct wf_writer *w) {
    const struct wf_target *t = &w->s->target;
    const uint8_t *b = t->built;
    char text[80];
    size_t len = 0;
    bool built = b[0] || b[1] || b[2] || b[3] || b[4] || b[5];
    for (unsigned i = 0; i < WF_TYPE_END; ++i) {
        if (wf_types[i].letter)
            len += (size_t)snprintf(text + len, sizeof text - len, "%c%u", wf_types[i].letter,
                                    t->bytes[i]);
    }
    if (t->sizes_known) meta(w, "sizes", text);
    if (t->hz) meta_number(w, "hz", t->hz);
    snprintf(text, sizeof text, "%u.%u.%u", t->version / 100, t->version / 10 % 10,
             t->version % 10);
    if (t->known) meta(w, "qs_version", text);
    meta(w, "byte_order", t->big_endian ? "big" : "little");
    if (t->build_id) meta_number(w, "build_id", t->build_id);
    snprintf(text, sizeof text, "20%02u-%02u-%02u %02u:%02u:%02u", b[5], b[4], b[3], b[2], b[1],
             b[0]);
    if (built) meta(w, "built", text);
    if (t->cores) meta_number(w, "cores", t->cores);
}

static void totals(struct wf_writer *w) {
    uint64_t first, last;
    const struct wf_ledger *l = &w->s->ledger;
    meta(w, "transport", w->s->slots.on ? "slots" : w->s->lines ? "text" : "frames");
    meta_number(w, "bytes", l->bytes);
    meta_number(w, "damaged_bytes", l->bytes_bad);
    meta_number(w, "lost_bytes", l->bytes_lost);
    meta_number(w, "records", l->records);
    meta_number(w, "missing", l->missing);
    meta_number(w, "given_up", l->given_up);
    meta_number(w, "missing_exact", l->exact);
    meta_number(w, "filtered", w->filtered);
    if (!wfi_scope_span(w, &first, &last)) return;
    meta_number(w, "first_tick", first);
    meta_number(w, "last_tick", last);
    meta_number(w, "first_ns", wf_scale_ns(&w->scale, first));
    meta_number(w, "last_ns", wf_scale_ns(&w->scale, last));
}

void wfi_table_rest(struct wf_writer *w) {
    for (unsigned i = 0; w->model && i < wf_model_tasks(w->model); ++i)
        task(w, wf_model_task(w->model, i));
    for (unsigned i = 0; w->model && i < wf_model_objects(w->model); ++i)
        object(w, wf_model_object(w->model, i));
    names(w);
    meta_number(w, "wallfly", WFI_TABLES_VERSION);
    if (w->options.source) meta(w, "source", w->options.source);
    target(w);
    totals(w);
    if (!w->failed) meta_number(w, "complete", 1);
}
