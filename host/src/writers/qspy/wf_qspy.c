// SPDX-License-Identifier: MIT
// The text of QSPY 7.4.1, including its oddities, and its MATLAB file, a line of numbers for each
// record: both from the sentences of the schema. Lines are built in place in the output buffer.

#include <stdio.h>
#include <string.h>

#include "writers/wfi_writer.h"

enum { QSPY_LINE_MAX = 991 };

#define ERROR_LINE "   <COMMS> ERROR    "

static void begin_line(struct wf_writer *w, enum wf_line_class line_class) {
    w->line = wfi_strbuf_len(&w->text);
    w->line_class = line_class;
}

static void end_line(struct wf_writer *w) {
    if (!wfi_strbuf_room(&w->text, 1)) return;
    char *line = w->text.buf + w->line;
    if (w->text.end - line > QSPY_LINE_MAX) w->text.end = line + QSPY_LINE_MAX;
    if (w->options.line) {
        w->options.line(w->ctx, w->line_class, line, (size_t)(w->text.end - line));
        w->text.end = line;
        return;
    }
    if (w->options.terminal) wfi_strbuf_show(&w->text, w->line);
    if (wfi_strbuf_room(&w->text, 1)) *w->text.end++ = '\n';
}

#define LINE_OF(w, line_class, ...)                                                                \
    (begin_line(w, line_class), wfi_strbuf_printf(&(w)->text, __VA_ARGS__), end_line(w))
#define LINE(w, ...)       LINE_OF(w, WF_LINE_RECORD, __VA_ARGS__)
#define FRAME_LINE(w, ...) LINE_OF(w, WF_LINE_ERROR, ERROR_LINE __VA_ARGS__)

// "QS_QF_TICK", or for an application record "USER+" and its number, at least `width` wide.
static const char *record_name(const struct wf_writer *w, unsigned id, int width, char text[24]) {
    if (id < w->s->user_first) return wf_rows_qs_name(id);
    snprintf(text, 24, "USER+%*u", width, id - w->s->user_first);
    return text;
}

static void put_damage(struct wf_writer *w, const struct wf_damage *d) {
    char text[24];
    bool user;
    if (d->count >= 2) w->stale_id = d->bytes[1];
    user = w->stale_id >= w->s->user_first;
    switch (d->kind) {
    case WF_DAMAGE_IDLE:
    case WF_DAMAGE_BAD_SUM:
        if (w->s->ledger.records == 0) break;
        FRAME_LINE(w, "Bad checksum in Rec=%s(?),Seq=%u", record_name(w, w->stale_id, 0, text),
                   d->seq);
        break;
    case WF_DAMAGE_TOO_SHORT:
        FRAME_LINE(w, "Record too short at Seq=%u(?),Rec=%s%s", d->seq,
                   record_name(w, w->stale_id, 0, text), user ? "(?)" : "");
        break;
    case WF_DAMAGE_TOO_LONG:
        if (d->escaped)
            FRAME_LINE(w, "Record too long at Seq=%u(?),Rec=%s(?)", d->seq,
                       record_name(w, w->stale_id, 0, text));
        else
            FRAME_LINE(w, "Record too long at Seq=%3u,Rec=%s", d->seq,
                       record_name(w, w->stale_id, 3, text));
        break;
    default: break;
    }
}

// QSPY reads the build time as six bytes and reports each missing byte: the first as one byte too
// few, the others as two. If an earlier field was cut, it reports all as two.
static void put_build_errors(struct wf_writer *w, int missing_by) {
    bool before = missing_by > 6;
    for (int i = before ? 1 : 0; i < missing_by; ++i) {
        LINE(w, ERROR_LINE "%d more bytes needed for uint8_t ", i == 0 ? 1 : 2);
    }
}

// QSPY's messages for a field that is cut short.
static void put_field_errors(struct wf_writer *w, const struct wf_record *r) {
    const struct wfi_plan *plan = wfi_plan_of(w->s, r);
    for (unsigned i = 0; i < r->row->count; ++i) {
        if (!(r->missing >> i & 1)) continue;
        const struct wf_field *f = &r->row->fields[i];
        if (f->type == WF_TYPE_STR)
            LINE(w, ERROR_LINE "%d more bytes needed for string", r->missing_by[i]);
        else if (f->kind == WF_KIND_NUM)
            LINE(w, ERROR_LINE "%d more bytes needed for memory-dump", r->missing_by[i]);
        else if (f->type == WF_TYPE_BUILD)
            put_build_errors(w, r->missing_by[i]);
        else
            LINE(w, ERROR_LINE "%d more bytes needed for uint%u_t ", r->missing_by[i],
                 plan->field[i].bytes * 8u);
    }
}

static void put_length_error(struct wf_writer *w, const struct wf_record *r) {
    char text[24];
    const char *name = record_name(w, r->id, 3, text);
    if (r->left > 0)
        LINE(w, ERROR_LINE "%d bytes unused in Rec=%s", r->left, name);
    else
        LINE(w, ERROR_LINE "%d bytes needed in Rec=%s", -r->left, name);
}

// Quirk: the error replaces the text of the line so far and is printed; the rest of the line is
// then appended to the error.
static void put_element_error(void *ctx, const char *type, int bytes) {
    struct wf_writer *w = ctx;
    bool number = strchr(type, '_') != NULL;
    w->text.end = w->text.buf + w->line;
    wfi_strbuf_printf(&w->text, ERROR_LINE "%d more bytes needed for %s%s", bytes, type,
                      number ? " " : "");
    size_t len = wfi_strbuf_len(&w->text) - w->line;
    end_line(w);
    if (!wfi_strbuf_room(&w->text, len)) return;
    char *again = w->text.end; // the position of the line after a flush
    memmove(again, w->text.buf + w->line, len);
    w->line = (size_t)(again - w->text.buf);
    w->text.end = again + len;
}

static void put_user_record(struct wf_writer *w, const struct wf_record *r) {
    const struct wfi_name *name = wfi_dict_get(&w->s->names.users, r->id);
    if (r->missing) put_field_errors(w, r);
    begin_line(w, WF_LINE_RECORD);
    if (!wfi_strbuf_room(&w->text, 2048)) return;
    w->text.end = wfi_ten(w->text.end, r->value[0]);
    *w->text.end++ = ' ';
    if (name)
        wfi_put_name(name, &w->text);
    else
        wfi_strbuf_printf(&w->text, "USER+%03u", r->id - w->s->user_first);
    wfi_put_elements(w->s, r, WFI_STYLE_QSPY, &w->text, put_element_error, w);
    end_line(w);
}

static void put_record(struct wf_writer *w, const struct wf_item *item) {
    const struct wf_record *r = &item->record;
    bool start = r->row && r->row->effect == WF_EFFECT_START;
    w->stale_id = r->id;
    if (!r->first && r->seq != r->seq_expected && !start) {
        FRAME_LINE(w, "Discontinuity Seq=%u->%u", (unsigned)r->seq_expected - 1u, r->seq);
    }
    if (!r->row || !r->row->qspy) {
        LINE(w, "           Unknown Rec=%u,Len=%d", r->id, (int)r->len);
        return;
    }
    if (r->row == &wf_user_row) {
        put_user_record(w, r);
        return;
    }
    if (start) {
        if (w->s->target.version < 550) LINE(w, "           Trg-RST  %u", w->s->target.version);
        return;
    }
    if (r->missing) put_field_errors(w, r);
    if (r->left) {
        put_length_error(w, r);
        return;
    }
    begin_line(w, WF_LINE_RECORD);
    wfi_sentence(&w->sentences, w->s, r, &w->text);
    end_line(w);
    if (item->discarded)
        LINE_OF(w, WF_LINE_INFO, "   <QSPY-> Target info mismatch (dictionaries discarded)");
}

static void take_item(struct wf_writer *w, const struct wf_item *item) {
    if (item->kind == WF_ITEM_RECORD)
        put_record(w, item);
    else if (item->kind == WF_ITEM_DAMAGE)
        put_damage(w, &item->damage);
}

const struct wfi_ops wfi_qspy_ops = {.style = WFI_STYLE_QSPY, .item = take_item};

static void put_numbers(struct wf_writer *w, const struct wf_item *item) {
    const struct wf_record *r = &item->record;
    if (item->kind != WF_ITEM_RECORD || !wfi_is_whole(r) || !r->row->mat) return;
    if (!wfi_strbuf_room(&w->text, 1024)) return;
    begin_line(w, WF_LINE_RECORD);
    w->text.end = wfi_dec(w->text.end, r->id);
    *w->text.end++ = ' ';
    if (r->row == &wf_user_row) {
        w->text.end = wfi_dec(w->text.end, r->value[0]);
        wfi_put_elements(w->s, r, WFI_STYLE_MATLAB, &w->text, NULL, NULL);
    } else {
        wfi_sentence(&w->sentences, w->s, r, &w->text);
    }
    if (w->options.terminal) wfi_strbuf_show(&w->text, w->line);
    wfi_strbuf_put(&w->text, "\n");
}

const struct wfi_ops wfi_mat_ops = {.style = WFI_STYLE_MATLAB, .item = put_numbers};
