// SPDX-License-Identifier: MIT
// The layout of a command's values in its frame. Only this file defines it: the parser of words
// calls it with values, as do programs through wf_command_from.

#include <string.h>

#include "wfi_command.h"

bool wfi_add_bytes(struct wfi_making *m, const void *bytes, size_t len) {
    struct wf_frame *f = wfi_frame(m);
    if (len > sizeof f->payload - f->len)
        return wfi_wrong(m, WF_MADE_WRONG, "%s: this is too long to be sent", m->row->name);
    if (len) memcpy(f->payload + f->len, bytes, len);
    f->len += len;
    return true;
}

bool wfi_add(struct wfi_making *m, uint64_t value, unsigned bytes) {
    uint8_t low_first[8];
    for (unsigned i = 0; i < bytes; ++i) low_first[i] = (uint8_t)(value >> 8 * i);
    return wfi_add_bytes(m, low_first, bytes);
}

bool wfi_add_object(struct wfi_making *m, uint64_t object) {
    unsigned bytes;
    return wfi_size(m, WF_TYPE_OBJ, &bytes) && wfi_add(m, object, bytes);
}

bool wfi_add_switched(struct wfi_making *m, bool off, uint64_t object) {
    return wfi_add(m, off, 1) && wfi_add_object(m, object);
}

bool wfi_add_probe(struct wfi_making *m, uint64_t function, uint64_t data) {
    unsigned bytes;
    return wfi_size(m, WF_TYPE_FUN, &bytes) && wfi_add(m, data, 4) && wfi_add(m, function, bytes);
}

bool wfi_add_count(struct wfi_making *m, size_t count) {
    if (count > UINT8_MAX)
        return wfi_wrong(m, WF_MADE_WRONG, "%s: more than 255 values", m->row->name);
    return wfi_add(m, count, 1);
}

bool wfi_add_event(struct wfi_making *m, uint8_t to, uint64_t signal) {
    unsigned bytes;
    if (!wfi_size(m, WF_TYPE_SIG, &bytes)) return false;
    wfi_add(m, to, 1);
    wfi_add(m, signal, bytes);
    m->items_at = wfi_frame(m)->len + 2;
    return wfi_add(m, 0, 2);
}

bool wfi_add_length(struct wfi_making *m) {
    struct wf_frame *f = wfi_frame(m);
    size_t len = f->len - m->items_at;
    if (len > WF_PARAMETERS_MAX)
        return wfi_wrong(m, WF_MADE_WRONG, "parameters take more than %d bytes", WF_PARAMETERS_MAX);
    f->payload[m->items_at - 2] = (uint8_t)len;
    f->payload[m->items_at - 1] = (uint8_t)(len >> 8);
    return true;
}

bool wfi_add_filter(struct wfi_making *m, const uint8_t bits[WF_FILTER_BYTES]) {
    return wfi_add(m, WF_FILTER_BYTES, 1) && wfi_add_bytes(m, bits, WF_FILTER_BYTES);
}

static bool put_size(struct wfi_making *m, uint64_t size) {
    if (size != 1 && size != 2 && size != 4)
        return wfi_wrong(m, WF_MADE_WRONG, "%s: the size of an item is 1, 2 or 4", m->row->name);
    m->size = (unsigned)size;
    return wfi_add(m, size, 1);
}

static bool put_items(struct wfi_making *m, const struct wf_values *v) {
    if (!v->len || v->len % m->size) {
        return wfi_wrong(m, WF_MADE_WRONG, "%s: %zu bytes are not values of %u bytes each",
                         m->row->name, v->len, m->size);
    }
    return wfi_add_count(m, v->len / m->size) && wfi_add_bytes(m, v->bytes, v->len);
}

static bool put_bits(struct wfi_making *m, const struct wf_values *v) {
    if (v->len != WF_FILTER_BYTES)
        return wfi_wrong(m, WF_MADE_WRONG, "%s: a filter has 16 bytes", m->row->name);
    return wfi_add_filter(m, v->bytes);
}

static bool put_argument(struct wfi_making *m, unsigned n, const struct wf_values *v) {
    const struct wf_argument *a = &m->row->arguments[n];
    uint64_t value = v->value[n];
    switch ((enum wf_argument_kind)a->kind) {
    case WF_ARG_NUMBER: return wfi_add(m, value, a->bytes);
    case WF_ARG_SIZE: return put_size(m, value);
    case WF_ARG_ITEM: return wfi_add(m, value, m->size);
    case WF_ARG_ITEMS: return put_items(m, v);
    case WF_ARG_KIND:
    case WF_ARG_COMMAND: return wfi_add(m, value, 1);
    case WF_ARG_OBJECT: return wfi_add_object(m, value);
    case WF_ARG_SWITCHED: return wfi_add_switched(m, v->off, value);
    case WF_ARG_FUNCTION: return wfi_add_probe(m, value, v->value[n + 1]);
    case WF_ARG_SIGNAL: return wfi_add_event(m, m->row->code, value);
    case WF_ARG_PARAMETERS: return wfi_add_bytes(m, v->bytes, v->len) && wfi_add_length(m);
    case WF_ARG_RECORDS:
    case WF_ARG_IDS: return put_bits(m, v);
    case WF_ARG_END: break;
    }
    return true;
}

enum wf_made wf_command_from(struct wf_commander *c, const struct wf_command_row *row,
                             const struct wf_values *v, struct wf_request *request) {
    struct wfi_making m = {.c = c, .out = request, .row = row, .made = WF_MADE};
    *request = (struct wf_request){.row = row, .count = 1};
    request->frame[0].record = row->record;
    bool good = wfi_check_version(&m);
    for (unsigned n = 0; good && row->arguments[n].kind; ++n) {
        good = put_argument(&m, n, v);
        n += row->arguments[n].kind == WF_ARG_FUNCTION; // its DATA was added before
    }
    if (!good) request->count = 0;
    return m.made;
}
