// SPDX-License-Identifier: MIT
// QSPY's MATLAB file: one line of numbers a record.

#include "writers/wfi_writer.h"

static int open_mat(struct wf_writer *w) {
    return wfi_sentences_open(&w->sentences, WFI_STYLE_MATLAB) ? WF_OK : WF_ERR_NOMEM;
}

static void element_cut(void *ctx, const char *type, int bytes) {
    (void)ctx;
    (void)type;
    (void)bytes;
}

static void take_item(struct wf_writer *w, const struct wf_item *item) {
    if (item->kind != WF_ITEM_RECORD) return;
    const struct wf_record *r = &item->record;
    if (!r->row || !r->row->mat || r->left || r->missing) return;
    if (!wfi_strbuf_room(&w->text, 1024)) return;
    w->line = (size_t)(w->text.end - w->text.buf);
    w->text.end = wfi_dec(w->text.end, r->id);
    *w->text.end++ = ' ';
    if (r->row == &wf_user_row) {
        w->text.end = wfi_dec(w->text.end, r->value[0]);
        wfi_put_elements(w->s, r, WFI_STYLE_MATLAB, &w->text, element_cut, w);
    } else {
        wfi_sentence(&w->sentences, w->s, r, &w->text);
    }
    if (w->options.terminal) wfi_strbuf_show(&w->text, w->line);
    wfi_strbuf_put(&w->text, "\n");
}

const struct wfi_ops wfi_mat_ops = {.open = open_mat, .item = take_item};
