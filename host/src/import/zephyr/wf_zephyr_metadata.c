// SPDX-License-Identifier: MIT
// The blocks of a metadata text: trace, stream, event, clock.

#include <stdlib.h>
#include <string.h>

#include "util/wfi_grow.h"
#include "wfi_tsdl.h"

enum { TEXT_MAX = 4 << 20, FIELDS_MAX = 1 << 20, EVENTS_MAX = 60000 };

// ---- parts

bool wfi_zephyr_meta_name(struct wfi_zephyr_meta *m, const char *text, size_t len, uint32_t *name) {
    if (m->text_len + len + 1 > 2 * (size_t)TEXT_MAX) return false;
    if (!WFI_GROW(m->text, &m->text_cap, m->text_len + len + 1)) return false;
    *name = (uint32_t)m->text_len;
    if (len) memcpy(m->text + m->text_len, text, len);
    m->text_len += len;
    m->text[m->text_len++] = 0;
    return true;
}

bool wfi_zephyr_meta_list(struct wfi_zephyr_meta *m, const struct wfi_zephyr_field *fields,
                          unsigned count, struct wfi_zephyr_list *list) {
    if (m->field_count + count > FIELDS_MAX) return false;
    if (!WFI_GROW(m->fields, &m->field_cap, m->field_count + count)) return false;
    *list = (struct wfi_zephyr_list){.first = (uint32_t)m->field_count, .count = (uint16_t)count};
    list->align = 1;
    for (unsigned i = 0; i < count; ++i) {
        m->fields[m->field_count++] = fields[i];
        if (fields[i].align > list->align) list->align = fields[i].align;
    }
    return true;
}

struct wfi_zephyr_event *wfi_zephyr_meta_event(struct wfi_zephyr_meta *m) {
    if (m->event_count == EVENTS_MAX) return NULL;
    if (!WFI_GROW(m->events, &m->event_cap, m->event_count + 1)) return NULL;
    return &m->events[m->event_count++];
}

const char *wfi_zephyr_label_of(const struct wfi_zephyr_meta *m, const struct wfi_zephyr_field *f,
                                int64_t value) {
    for (size_t i = 0; f->labels && i < m->label_count; ++i) {
        const struct wfi_zephyr_label *l = &m->labels[i];
        if (l->set == f->labels && value >= l->from && value <= l->to) return m->text + l->name;
    }
    return NULL;
}

void wfi_zephyr_meta_close(struct wfi_zephyr_meta *m) {
    free(m->text);
    free(m->fields);
    free(m->events);
    free(m->labels);
    free(m->by_id);
    memset(m, 0, sizeof *m);
}

// ---- blocks

// The name before '=' or ':=', as "packet.header"; dots are kept.
struct path {
    char text[48];
    size_t len;
};

static bool take_path(struct wfi_tsdl_parser *p, struct path *path) {
    path->len = 0;
    while (p->token == TSDL_WORD || wfi_tsdl_is_sign(p, '.')) {
        size_t len = p->token == TSDL_WORD ? p->len : 1;
        // A longer name is none that is looked for.
        for (size_t i = 0; i < len && path->len + 1 < sizeof path->text; ++i)
            path->text[path->len++] = p->at[i];
        if (!wfi_tsdl_next(p)) return false;
    }
    path->text[path->len] = 0;
    return path->len || wfi_tsdl_fail(p, "a name expected");
}

enum block { TRACE, STREAM, EVENT, CLOCK };

static struct wfi_zephyr_list *list_of(struct wfi_zephyr_meta *m, enum block block,
                                       struct wfi_zephyr_event *e, const char *path) {
    if (block == TRACE && strcmp(path, "packet.header") == 0) return &m->packet_header;
    if (block == STREAM && strcmp(path, "packet.context") == 0) return &m->packet_context;
    if (block == STREAM && strcmp(path, "event.header") == 0) return &m->header;
    if (block == STREAM && strcmp(path, "event.context") == 0) return &m->stream_context;
    if (block == EVENT && strcmp(path, "fields") == 0) return &e->list;
    if (block == EVENT && strcmp(path, "context") == 0) return &e->context;
    return NULL;
}

static bool take_layout(struct wfi_tsdl_parser *p, enum block block, struct wfi_zephyr_event *e,
                        const char *path) {
    struct wfi_tsdl_type type;
    struct wfi_zephyr_list *list = list_of(p->meta, block, e, path);
    if (!wfi_tsdl_type(p, &type, NULL, 0)) return false;
    if (!type.is_struct && !type.bad) return wfi_tsdl_fail(p, "a struct expected");
    if (list) {
        *list = type.list;
        list->bad |= type.bad;
    }
    return wfi_tsdl_expect(p, ';');
}

static bool take_value(struct wfi_tsdl_parser *p, enum block block, struct wfi_zephyr_event *e,
                       const char *path) {
    struct wfi_zephyr_meta *m = p->meta;
    bool number = p->token == TSDL_NUMBER, text = p->token == TSDL_TEXT || p->token == TSDL_WORD;
    if (block == EVENT && strcmp(path, "name") == 0 && text) {
        if (!wfi_zephyr_meta_name(m, p->at, p->len, &e->name))
            return wfi_tsdl_fail(p, "too many names");
    } else if (block == EVENT && strcmp(path, "id") == 0 && number) {
        if (p->number >= ZEPHYR_IDS) return wfi_tsdl_fail(p, "an event's id is above 65535");
        e->id = (uint32_t)p->number;
    } else if (block == CLOCK && strcmp(path, "freq") == 0 && number) {
        m->hz = p->number;
    } else if (block == TRACE && strcmp(path, "byte_order") == 0) {
        m->big = wfi_tsdl_is_word(p, "be") || wfi_tsdl_is_word(p, "network");
    } else if (block == TRACE && strcmp(path, "major") == 0 && number && p->number != 1) {
        return wfi_tsdl_fail(p, "CTF of another version than 1.8");
    }
    return wfi_tsdl_skip(p);
}

static bool take_block(struct wfi_tsdl_parser *p, enum block block, struct wfi_zephyr_event *e) {
    struct path path;
    if (!wfi_tsdl_next(p) || !wfi_tsdl_expect(p, '{')) return false;
    while (!wfi_tsdl_is_sign(p, '}')) {
        if (p->token == TSDL_END) return wfi_tsdl_fail(p, "a block without an end");
        if (wfi_tsdl_is_word(p, "typealias") || wfi_tsdl_is_word(p, "typedef")) {
            if (!(wfi_tsdl_is_word(p, "typealias") ? wfi_tsdl_alias(p) : wfi_tsdl_typedef(p)))
                return false;
            continue;
        }
        if (!take_path(p, &path)) return false;
        bool layout = p->token == TSDL_ASSIGN;
        if (!layout && p->token != TSDL_IS) return wfi_tsdl_fail(p, "'=' or ':=' expected");
        if (!wfi_tsdl_next(p)) return false;
        if (!(layout ? take_layout : take_value)(p, block, e, path.text)) return false;
    }
    return wfi_tsdl_next(p) && (!wfi_tsdl_is_sign(p, ';') || wfi_tsdl_next(p));
}

static bool take_event(struct wfi_tsdl_parser *p) {
    struct wfi_zephyr_meta *m = p->meta;
    struct wfi_zephyr_event e = {.id = 0};
    if (!take_block(p, EVENT, &e)) return false;
    struct wfi_zephyr_event *to = wfi_zephyr_meta_event(m);
    if (!to) return wfi_tsdl_fail(p, "too many events");
    *to = e;
    m->by_id[e.id] = (uint16_t)m->event_count;
    return true;
}

static bool take_statement(struct wfi_tsdl_parser *p) {
    struct wfi_tsdl_type type;
    if (wfi_tsdl_is_word(p, "typealias")) return wfi_tsdl_alias(p);
    if (wfi_tsdl_is_word(p, "typedef")) return wfi_tsdl_typedef(p);
    if (wfi_tsdl_is_word(p, "trace")) return take_block(p, TRACE, NULL);
    if (wfi_tsdl_is_word(p, "stream")) return take_block(p, STREAM, NULL);
    if (wfi_tsdl_is_word(p, "clock")) return take_block(p, CLOCK, NULL);
    if (wfi_tsdl_is_word(p, "event")) return take_event(p);
    if (wfi_tsdl_is_word(p, "struct") || wfi_tsdl_is_word(p, "enum"))
        return wfi_tsdl_type(p, &type, NULL, 0) && wfi_tsdl_expect(p, ';');
    if (p->token != TSDL_WORD) return wfi_tsdl_fail(p, "a statement expected");
    return wfi_tsdl_skip(p); // env, callsite, variant
}

bool wfi_zephyr_meta_read(struct wfi_zephyr_meta *m, const char *text, size_t len,
                          struct wfi_zephyr_error *error) {
    struct wfi_tsdl_parser p = {.meta = m, .p = text, .end = text + len, .line = 1, .error = error};
    uint32_t empty;
    if (len > TEXT_MAX) return wfi_tsdl_fail(&p, "longer than 4 MiB");
    if (!m->by_id) m->by_id = calloc(ZEPHYR_IDS, sizeof *m->by_id);
    if (!m->by_id || !wfi_zephyr_meta_name(m, "", 0, &empty)) {
        error->memory = true;
        return wfi_tsdl_fail(&p, "out of memory");
    }
    bool good = wfi_tsdl_next(&p);
    while (good && p.token != TSDL_END) {
        if (wfi_tsdl_is_sign(&p, ';'))
            good = wfi_tsdl_next(&p);
        else if (wfi_tsdl_is_sign(&p, '}'))
            good = wfi_tsdl_fail(&p, "'}' without a block");
        else
            good = take_statement(&p);
    }
    wfi_tsdl_close(&p);
    return good;
}
