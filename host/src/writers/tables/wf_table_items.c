// SPDX-License-Identifier: MIT
// Items as rows of the tables `record` and `loss`, with the sentences of the format "text".

#include "wfi_tables.h"

static void restart(struct wfi_strbuf *t) { t->end = t->buf; }
static size_t length(const struct wfi_strbuf *t) { return (size_t)(t->end - t->buf); }

static void put_time(struct wf_writer *w, struct wf_cell *cells, uint64_t tick) {
    wfi_cell_int(&cells[WFI_record_tick], tick);
    wfi_cell_int(&cells[WFI_record_ns], wfi_ns(w, tick));
}

// Completes the row with its number and fields.
static void put_record(struct wf_writer *w, struct wf_cell *cells) {
    struct wfi_tables *own = wfi_tables(w);
    wfi_cell_int(&cells[WFI_record_number], ++own->records);
    wfi_cell_text(&cells[WFI_record_fields], own->json.buf, length(&own->json));
    cells[WFI_record_fields].type = WF_CELL_JSON;
    own->put(w, WFI_TABLE_record, cells);
}

// ---- records

static const char *flags_of(bool back, bool late, bool untimed) {
    static const char *const flags[] = {
        NULL,      "back",         "late",         "back late",
        "untimed", "back untimed", "late untimed", "back late untimed"};
    return flags[back + 2 * late + 4 * untimed];
}

static void put_payload(const struct wf_record *r, struct wfi_strbuf *t) {
    wfi_strbuf_put(t, "{\"payload\":\"");
    if (!wfi_strbuf_room(t, 2 * r->len + 2)) return;
    for (size_t i = 0; i < r->len; ++i) t->end = wfi_hex(t->end, r->payload[i], 2);
    memcpy(t->end, "\"}", 2);
    t->end += 2;
}

static void record(struct wf_writer *w, const struct wf_record *r) {
    struct wfi_tables *own = wfi_tables(w);
    struct wf_cell cells[WFI_record_count] = {{0}};
    bool whole = wfi_is_whole(r), timed = r->stamped || w->s->slots.on;
    struct wfi_record_name name;
    const char *flags = flags_of(r->back, own->late, !timed);
    restart(&own->words);
    restart(&own->json);
    if (whole) {
        wfi_put_words(w, r, &own->words);
        wfi_put_fields(own->fields, w->s, r, &own->json);
    } else {
        wfi_put_odd(r, &own->words);
        put_payload(r, &own->json);
    }
    wfi_record_name(w->s, r, &name);
    wfi_cell_text(&cells[WFI_record_kind], whole ? "record" : "odd", whole ? 6 : 3);
    if (timed || w->s->clock.known) put_time(w, cells, r->tick);
    wfi_cell_int(&cells[WFI_record_core], r->core);
    if (!w->s->slots.on) wfi_cell_int(&cells[WFI_record_seq], r->seq);
    wfi_cell_int(&cells[WFI_record_id], r->id);
    if (r->row) wfi_cell_word(&cells[WFI_record_group_name], wf_groups[r->row->group].name);
    wfi_cell_text(&cells[WFI_record_name], name.text, name.len);
    wfi_cell_text(&cells[WFI_record_words], own->words.buf, length(&own->words));
    if (flags) wfi_cell_word(&cells[WFI_record_flags], flags);
    wfi_cell_int(&cells[WFI_record_offset], w->s->before + r->offset);
    put_record(w, cells);
    own->late = false;
}

// ---- events of slot traces: class, event and the rest of the line, without control characters

static const char *cut(const char **from, const char *end, size_t *len) {
    const char *text = *from, *tab = memchr(text, '\t', (size_t)(end - text));
    if (!tab) tab = end;
    *len = (size_t)(tab - text);
    *from = tab < end ? tab + 1 : end;
    return text;
}

static void put_slot_words(const struct wf_slot_event *e, struct wfi_strbuf *t) {
    wfi_strbuf_put(t, "{\"words\":[");
    if (!wfi_strbuf_room(t, 11 * (size_t)e->count + 2)) return;
    for (unsigned i = 0; i < e->count; ++i) {
        if (i) *t->end++ = ',';
        t->end = wfi_dec(t->end, e->words[i]);
    }
    memcpy(t->end, "]}", 2);
    t->end += 2;
}

static void event(struct wf_writer *w, const struct wf_slot_event *e) {
    struct wfi_tables *own = wfi_tables(w);
    struct wf_cell cells[WFI_record_count] = {{0}};
    size_t len;
    restart(&own->words);
    restart(&own->json);
    wfi_put_event(w, e, WFI_EVENT_PARTS, &own->words);
    put_slot_words(e, &own->json);
    const char *at = own->words.buf, *end = own->words.end, *text;
    wfi_cell_text(&cells[WFI_record_kind], "event", 5);
    put_time(w, cells, e->tick);
    if (!e->timed) wfi_cell_text(&cells[WFI_record_flags], "untimed", 7);
    wfi_cell_int(&cells[WFI_record_core], e->core);
    wfi_cell_int(&cells[WFI_record_id],
                 (uint64_t)e->cls << WF_SLOT_CLASS_SHIFT | (e->event & WF_SLOT_EVENT));
    text = cut(&at, end, &len);
    wfi_cell_text(&cells[WFI_record_group_name], text, len);
    text = cut(&at, end, &len);
    wfi_cell_text(&cells[WFI_record_name], text, len);
    wfi_cell_text(&cells[WFI_record_words], at, (size_t)(end - at));
    wfi_cell_int(&cells[WFI_record_offset], e->offset);
    put_record(w, cells);
}

// ---- losses

// The counts of the row, by column name.
static void put_counts(const struct wf_cell *cells, struct wfi_strbuf *t) {
    const struct wf_table *table = &wf_tables[WFI_TABLE_loss];
    const char *between = "{\"";
    for (unsigned i = WFI_loss_records; i <= WFI_loss_cut_off; ++i) {
        wfi_strbuf_put(t, between);
        wfi_strbuf_put(t, table->columns[i].name);
        wfi_strbuf_put(t, "\":");
        if (!wfi_strbuf_room(t, 32)) return;
        t->end = wfi_dec(t->end, (uint64_t)cells[i].number);
        between = ",\"";
    }
    wfi_strbuf_put(t, "}");
}

static void loss(struct wf_writer *w, const struct wf_loss *l) {
    struct wfi_tables *own = wfi_tables(w);
    struct wf_cell cells[WFI_loss_count] = {{0}}, row[WFI_record_count] = {{0}};
    restart(&own->words);
    restart(&own->json);
    wfi_put_loss(w->s, l, &own->words);
    const char *kind = wfi_loss_kinds[l->kind];
    wfi_cell_int(&cells[WFI_loss_records], l->records);
    wfi_cell_int(&cells[WFI_loss_given_up], l->given_up);
    wfi_cell_int(&cells[WFI_loss_exact], l->exact);
    wfi_cell_int(&cells[WFI_loss_bytes], l->bytes);
    wfi_cell_int(&cells[WFI_loss_lost_bytes], l->lost);
    wfi_cell_int(&cells[WFI_loss_bad_sum], l->damage[WF_DAMAGE_BAD_SUM]);
    wfi_cell_int(&cells[WFI_loss_too_short], l->damage[WF_DAMAGE_TOO_SHORT]);
    wfi_cell_int(&cells[WFI_loss_too_long], l->damage[WF_DAMAGE_TOO_LONG]);
    wfi_cell_int(&cells[WFI_loss_cut_off], l->damage[WF_DAMAGE_CUT]);
    put_counts(cells, &own->json);
    wfi_cell_text(&row[WFI_record_kind], "loss", 4);
    if (wfi_loss_timed(w->s, l)) put_time(w, row, l->tick_before);
    if (w->s->slots.on) wfi_cell_int(&row[WFI_record_core], l->core);
    wfi_cell_word(&row[WFI_record_name], kind);
    wfi_cell_text(&row[WFI_record_words], own->words.buf, length(&own->words));
    wfi_cell_int(&row[WFI_record_offset], w->s->before + l->offset);
    put_record(w, row);
    wfi_cell_int(&cells[WFI_loss_record], own->records);
    wfi_cell_word(&cells[WFI_loss_kind], kind);
    cells[WFI_loss_offset] = row[WFI_record_offset];
    cells[WFI_loss_core] = row[WFI_record_core];
    cells[WFI_loss_tick] = row[WFI_record_tick];
    cells[WFI_loss_ns] = row[WFI_record_ns];
    cells[WFI_loss_words] = row[WFI_record_words];
    own->put(w, WFI_TABLE_loss, cells);
    if (l->kind == WF_LOSS_LATE) own->late = true;
}

void wfi_table_item(struct wf_writer *w, const struct wf_item *item) {
    if (item->kind == WF_ITEM_RECORD)
        record(w, &item->record);
    else if (item->kind == WF_ITEM_LOSS)
        loss(w, &item->loss);
    else if (item->kind == WF_ITEM_EVENT)
        event(w, item->event);
}
