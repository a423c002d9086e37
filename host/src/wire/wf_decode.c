// SPDX-License-Identifier: MIT
// Lays out rows as plans, and reads payloads by them. When the payload has exactly the length of
// its plan, every field is one 8-byte load and a mask (the frame splitter leaves 8 readable bytes
// after it). Otherwise a cursor walks the fields and notes missing bytes, counted as QSPY does:
// after a field that is cut, "left" is -1 and every further field lacks one byte more.

#include <string.h>

#include "core/wfi_session.h"

static unsigned field_bytes(uint8_t type, const uint8_t bytes[WF_TYPE_END]) {
    return wf_types[type].letter ? bytes[type] : wf_types[type].bytes;
}

static void plan_row(struct wfi_plan *plan, const struct wf_row *row,
                     const uint8_t bytes[WF_TYPE_END]) {
    memset(plan, 0, sizeof *plan);
    plan->row = row;
    plan->count = (uint8_t)row->count;
    plan->owner = -1;
    plan->stamped = row->count && row->fields[0].kind == WF_KIND_STAMP;
    unsigned at = 0;
    for (unsigned i = 0; i < row->count; ++i) {
        const struct wf_field *f = &row->fields[i];
        unsigned n = field_bytes(f->type, bytes);
        plan->field[i].at = (uint16_t)at;
        plan->field[i].bytes = (uint8_t)n;
        plan->field[i].mask = n >= 8 ? UINT64_MAX : (UINT64_C(1) << 8 * n) - 1;
        at += n;
        if (f->kind == WF_KIND_OBJECT && plan->owner < 0) plan->owner = (int8_t)i;
        bool open = f->type == WF_TYPE_STR || f->type == WF_TYPE_ITEMS || f->type == WF_TYPE_ELEMS;
        if (open) plan->len = WFI_VARIABLE;
        plan->open = f->type == WF_TYPE_ELEMS;
    }
    if (plan->len != WFI_VARIABLE) plan->len = (uint16_t)at;
}

uint16_t wfi_plan_len(const struct wf_row *row, const uint8_t bytes[WF_TYPE_END]) {
    struct wfi_plan plan;
    plan_row(&plan, row, bytes);
    return plan.len;
}

// Returns true if the target may send this row in this dialect.
static bool applies(const struct wf_session *s, const struct wf_row *row) {
    if (!row->own) return true;
    return !s->qspy || (s->options.info8 && row->effect == WF_EFFECT_TARGET_INFO);
}

static bool in_range(const struct wf_session *s, const struct wf_row *row) {
    return s->target.version >= row->since && s->target.version <= row->until;
}

// Returns the number of rows of a number if their selectors are their places among them; else 0.
static uint8_t count_selected(const struct wf_session *s, unsigned first, uint8_t count) {
    for (unsigned i = 0; i < count; ++i) {
        const struct wf_row *row = &wf_rows[first + i];
        if (row->select != (int)i || !applies(s, row)) return 0;
    }
    return count;
}

void wfi_plan_all(struct wf_session *s) {
    wfi_clock_size(&s->clock, s->target.bytes[WF_TYPE_TIME]);
    memset(s->pick, 0, sizeof s->pick);
    for (unsigned i = 0; i < wf_row_count; ++i) {
        const struct wf_row *row = &wf_rows[i];
        plan_row(&s->plans[i], row, s->target.bytes);
        if (!applies(s, row)) continue;
        if (!s->pick[row->id].count) s->pick[row->id].first = (uint8_t)i;
        // Own rows follow the others of their number, so the rows of a number stay consecutive.
        s->pick[row->id].count = (uint8_t)(i - s->pick[row->id].first + 1);
    }
    for (unsigned id = 0; id < 256; ++id) {
        if (s->pick[id].count == 1) s->pick[id].only = &s->plans[s->pick[id].first];
        s->pick[id].selected = count_selected(s, s->pick[id].first, s->pick[id].count);
    }
    struct wfi_plan *user = &s->plans[WFI_ROWS_MAX];
    plan_row(user, &wf_user_row, s->target.bytes);
    s->user_first = s->target.version <= WF_USER_OLD_UNTIL ? WF_USER_FIRST_OLD : WF_USER_FIRST;
    for (unsigned id = s->user_first; id < 256; ++id) s->pick[id].only = user;
    wfi_packed_plan(s);
}

// Chooses among several rows of one number by selector and version, then by length.
static const struct wfi_plan *choose_plan(const struct wf_session *s, const struct wf_record *r) {
    const struct wfi_plan *best = NULL;
    unsigned first = s->pick[r->id].first, count = s->pick[r->id].count;
    unsigned at = s->target.bytes[WF_TYPE_TIME];
    int select = r->len > at ? r->payload[at] : 0;
    for (unsigned i = first; i < first + count; ++i) {
        const struct wfi_plan *plan = &s->plans[i];
        if (!applies(s, plan->row)) continue;
        if (plan->row->select >= 0 && plan->row->select != select) continue;
        bool info = plan->row->effect == WF_EFFECT_TARGET_INFO;
        if (info && plan->len == r->len) return plan;
        if (!best || (!info && in_range(s, plan->row))) best = plan;
    }
    // An unknown selector: the last row has the fields common to all, for QP's records.
    if (best || !count || s->plans[first + count - 1].row->own) return best;
    return &s->plans[first + count - 1];
}

const struct wfi_plan *wfi_plan_of(const struct wf_session *s, const struct wf_record *r) {
    if (!r->row) return NULL;
    if (r->row == &wf_user_row) return &s->plans[WFI_ROWS_MAX];
    return &s->plans[r->row - wf_rows];
}

struct cursor {
    const uint8_t *p;
    int left;
};

static void set_missing(struct wf_record *r, unsigned field, int by, struct cursor *c) {
    r->missing = (uint16_t)(r->missing | 1u << field);
    r->missing_by[field] = (int16_t)by;
    r->value[field] = 0;
    c->left = -1;
}

static void take_text(const struct wf_session *s, struct wf_record *r, unsigned field,
                      struct cursor *c) {
    r->text = "";
    r->text_len = 0;
    // QSPY reads the first byte even if none is left (then it is the checksum).
    if (s->qspy && *c->p == 0) {
        r->text = "''";
        r->text_len = 2;
        c->p += 1;
        c->left -= 1;
        return;
    }
    const uint8_t *zero = c->left > 0 ? memchr(c->p, 0, (size_t)c->left) : NULL;
    if (!zero) {
        set_missing(r, field, c->left, c);
        return;
    }
    r->text = (const char *)c->p;
    r->text_len = (size_t)(zero - c->p);
    c->left -= (int)r->text_len + 1;
    c->p = zero + 1;
}

// Takes the items after NUM and SIZE. value = their offset in the payload.
static void take_items(struct wf_record *r, unsigned field, struct cursor *c) {
    uint64_t num = 0, size = 0;
    for (unsigned i = 0; i < field; ++i) {
        if (r->row->fields[i].kind == WF_KIND_NUM) num = r->value[i];
        if (r->row->fields[i].kind == WF_KIND_SIZE) size = r->value[i];
    }
    r->value[field] = (uint64_t)(c->p - r->payload);
    c->p += num * size;
    c->left -= (int)(num * size);
}

static void decode_fields(struct wf_session *s, const struct wfi_plan *plan, struct wf_record *r) {
    struct cursor c = {r->payload, (int)r->len};
    for (unsigned i = 0; i < plan->count; ++i) {
        const struct wf_field *f = &plan->row->fields[i];
        int n = plan->field[i].bytes;
        switch (f->type) {
        case WF_TYPE_STR: take_text(s, r, i, &c); break;
        case WF_TYPE_ITEMS:
            if (c.left >= 0) take_items(r, i, &c);
            break;
        case WF_TYPE_ELEMS:
            r->value[i] = (uint64_t)(c.p - r->payload);
            if (c.left > 0) c.left = 0;
            break;
        default:
            if (c.left < n) {
                set_missing(r, i, f->kind == WF_KIND_NUM ? c.left : n - c.left, &c);
                break;
            }
            r->value[i] = wfi_load(c.p, (unsigned)n);
            if (f->kind == WF_KIND_NUM && r->value[i] > (uint64_t)c.left) {
                set_missing(r, i, c.left, &c);
                break;
            }
            c.p += n;
            c.left -= n;
        }
    }
    r->left = c.left;
}

static bool elements_fit(const struct wf_session *s, const struct wf_record *r) {
    struct wf_element e;
    size_t at = 0;
    while (wf_session_next_element(s, r, &at, &e)) {
        if (e.cut) return false;
    }
    return true;
}

void wfi_decode(struct wf_session *s, struct wf_record *r) {
    if (wfi_decode_usual(s, r)) return;
    const struct wfi_plan *plan = s->pick[r->id].only;
    r->left = 0;
    r->missing = 0;
    r->back = false;
    if (!plan) {
        plan = s->pick[r->id].count ? choose_plan(s, r) : NULL;
        if (!plan) {
            r->row = NULL;
            r->stamped = false;
            return;
        }
    }
    r->row = plan->row;
    r->stamped = plan->stamped;
    if (r->len == plan->len) {
        wfi_decode_fixed(plan, r);
        return;
    }
    decode_fields(s, plan, r);
    if (plan->stamped) {
        r->stamp = r->value[0];
        if (r->missing & 1) r->stamped = false;
    }
    if (plan->open && !s->qspy && r->left == 0 && !elements_fit(s, r)) r->left = -1;
}

static int take_number(struct cursor *c, unsigned bytes, uint64_t *value) {
    *value = 0;
    if (c->left < (int)bytes) {
        int by = (int)bytes - c->left;
        c->left = -1;
        return by;
    }
    *value = wfi_load(c->p, bytes);
    c->p += bytes;
    c->left -= (int)bytes;
    return 0;
}

static void take_bytes(const struct wf_session *s, struct cursor *c, struct wf_element *e) {
    e->bytes = c->p;
    if (e->code == WF_ELEMENT_str) {
        const uint8_t *zero = c->left > 0 ? memchr(c->p, 0, (size_t)c->left) : NULL;
        if (!zero && s->qspy && *c->p == 0) zero = c->p;
        e->len = zero ? (size_t)(zero - c->p) : 0;
        e->cut = !zero;
    } else {
        // QSPY counts the length byte as left, so that one byte too many, the checksum, fits.
        e->cut = c->left < 1 || *c->p > c->left - (s->qspy ? 0 : 1);
        e->len = e->cut ? 0 : *c->p;
        e->bytes = c->p + 1;
    }
    e->missing = c->left;
    if (e->cut) {
        c->left = -1;
    } else {
        c->p += e->len + 1;
        c->left -= (int)e->len + 1;
    }
}

bool wf_session_next_element(const struct wf_session *s, const struct wf_record *r, size_t *at,
                             struct wf_element *e) {
    size_t pos = *at ? *at : (size_t)r->value[1];
    if (r->missing || pos >= r->len) return false;
    struct cursor c = {r->payload + pos + 1, (int)(r->len - pos) - 1};
    memset(e, 0, sizeof *e);
    e->code = r->payload[pos] & 15;
    e->width = r->payload[pos] >> 4;
    unsigned bytes = wf_elements[e->code].bytes;
    if (!bytes) {
        take_bytes(s, &c, e);
    } else {
        for (unsigned t = 0; bytes > 8 && t < WF_TYPE_END; ++t) {
            if ((unsigned)wf_types[t].letter == bytes) bytes = s->target.bytes[t];
        }
        e->missing = take_number(&c, bytes, &e->value);
        if (e->code == WF_ELEMENT_sig) {
            e->obj_missing = take_number(&c, s->target.bytes[WF_TYPE_OBJ], &e->obj);
        }
        e->cut = e->missing || e->obj_missing;
    }
    *at = e->cut ? r->len : (size_t)(c.p - r->payload);
    return true;
}
