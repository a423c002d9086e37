// SPDX-License-Identifier: MIT
// Layouts of CTF events, from the fields of the schema's rows. The kind of a field gives its shape,
// or else its type does. If the target chooses the size of a field, the shape has room for the
// usual sizes, so that a class is the same for all targets.

#include "wfi_ctf.h"

const uint8_t wfi_ctf_bytes[WFI_CTF_SHAPES_END] = {
#define WF_X(shape, bytes, declaration) bytes,
    WFI_CTF_SHAPES(WF_X)
#undef WF_X
};

const char *const wfi_ctf_declarations[WFI_CTF_SHAPES_END] = {
#define WF_X(shape, bytes, declaration) declaration,
    WFI_CTF_SHAPES(WF_X)
#undef WF_X
};

// NONE: the type gives the shape.
static const uint8_t by_kind[WF_KIND_END] = {
    [WF_KIND_OBJECT] = WFI_CTF_OBJECT,  [WF_KIND_SENDER] = WFI_CTF_OBJECT,
    [WF_KIND_QUEUE] = WFI_CTF_OBJECT,   [WF_KIND_TIMER] = WFI_CTF_OBJECT,
    [WF_KIND_STATE] = WFI_CTF_FUNCTION, [WF_KIND_FUNCTION] = WFI_CTF_FUNCTION,
    [WF_KIND_SIGNAL] = WFI_CTF_SIGNAL,  [WF_KIND_SIGNAL_ANY] = WFI_CTF_SIGNAL,
    [WF_KIND_TASK] = WFI_CTF_TASK,      [WF_KIND_ACTOR] = WFI_CTF_ACTOR,
    [WF_KIND_TEXT] = WFI_CTF_TEXT,      [WF_KIND_REASON] = WFI_CTF_REASON,
    [WF_KIND_PRIORITY] = WFI_CTF_S16,   [WF_KIND_COMMAND] = WFI_CTF_COMMAND,
    [WF_KIND_STATUS] = WFI_CTF_STATUS,  [WF_KIND_SIGNED] = WFI_CTF_S32,
    [WF_KIND_IRQ] = WFI_CTF_IRQ,
};

// Numbers of QP get 4 bytes. A record with a larger value becomes an event of INCONSISTENT.
static const uint8_t by_type[WF_TYPE_END] = {
    [WF_TYPE_OBJ] = WFI_CTF_X64,     [WF_TYPE_FUN] = WFI_CTF_X64,
    [WF_TYPE_SIG] = WFI_CTF_U32,     [WF_TYPE_EVS] = WFI_CTF_U32,
    [WF_TYPE_EQC] = WFI_CTF_U32,     [WF_TYPE_MPC] = WFI_CTF_U32,
    [WF_TYPE_MPS] = WFI_CTF_U32,     [WF_TYPE_TEC] = WFI_CTF_U32,
    [WF_TYPE_CORE] = WFI_CTF_U8,     [WF_TYPE_U8] = WFI_CTF_U8,
    [WF_TYPE_U16] = WFI_CTF_U16,     [WF_TYPE_U32] = WFI_CTF_U32,
    [WF_TYPE_U64] = WFI_CTF_U64,     [WF_TYPE_STR] = WFI_CTF_STRING,
    [WF_TYPE_ITEMS] = WFI_CTF_BYTES, [WF_TYPE_BUILD] = WFI_CTF_BUILT,
};

static const bool in_hex[WF_KIND_END] = {
    [WF_KIND_FLAGS] = true,   [WF_KIND_SIZES] = true,    [WF_KIND_VERSION] = true,
    [WF_KIND_RELEASE] = true, [WF_KIND_BUILD_ID] = true, [WF_KIND_ADDRESS] = true,
};

static enum wfi_ctf_shape shape_of(const struct wf_field *f) {
    unsigned shape = by_kind[f->kind] ? by_kind[f->kind] : by_type[f->type];
    bool hex = !by_kind[f->kind] && in_hex[f->kind] && shape >= WFI_CTF_U8 && shape <= WFI_CTF_U64;
    return (enum wfi_ctf_shape)(hex ? shape + WFI_CTF_X8 - WFI_CTF_U8 : shape);
}

static void add_field(struct wfi_ctf_layout *l, const char *name, enum wfi_ctf_shape shape,
                      unsigned value) {
    if (shape == WFI_CTF_NONE) return;
    l->field[l->count++] = (struct wfi_ctf_field){name, (uint8_t)shape, (uint8_t)value};
    l->bytes += wfi_ctf_bytes[shape];
    if (shape == WFI_CTF_STRING) l->bytes += 3;
    if (shape == WFI_CTF_BYTES || shape == WFI_CTF_WORDS) l->bytes += 4;
}

void wfi_ctf_layout_row(struct wfi_ctf_layout *l, const struct wf_row *row) {
    bool any = false;
    memset(l, 0, sizeof *l);
    for (unsigned i = 0; i < row->count; ++i) {
        const struct wf_field *f = &row->fields[i];
        any = any || f->kind == WF_KIND_SIGNAL_ANY;
        if (f->kind == WF_KIND_OBJECT && !l->owner) l->owner = (uint8_t)(i + 1);
        if (f->type == WF_TYPE_ELEMS) {
            add_field(l, "text", WFI_CTF_STRING, i);
            add_field(l, "raw", WFI_CTF_BYTES, i);
        } else {
            add_field(l, f->name, shape_of(f), i);
        }
    }
    if (any) l->owner = 0;
}

void wfi_ctf_layout_own(struct wfi_ctf_layout *l, enum wfi_ctf_own own) {
    static const struct wfi_ctf_field fields[WFI_CTF_OWN_END][WFI_CTF_FIELDS_MAX] = {
        [WFI_CTF_SLOT] = {{"class", WFI_CTF_U8, 0},
                          {"event", WFI_CTF_U16, 1},
                          {"words", WFI_CTF_WORDS, 2}},
        [WFI_CTF_CLOCK] = {{"tick", WFI_CTF_U64, 0},
                           {"time", WFI_CTF_U64, 1},
                           {"rate", WFI_CTF_U64, 2}},
        [WFI_CTF_INCONSISTENT] = {{"record", WFI_CTF_U8, 0},
                                  {"reason", WFI_CTF_STRING, 1},
                                  {"raw", WFI_CTF_BYTES, 2}},
        [WFI_CTF_LOST] = {{"kind", WFI_CTF_LOSS, 0},
                          {"exact", WFI_CTF_YES_NO, 1},
                          {"records", WFI_CTF_U64, 2},
                          {"given_up", WFI_CTF_U64, 3},
                          {"bytes", WFI_CTF_U64, 4},
                          {"lost_bytes", WFI_CTF_U64, 5},
                          {"bad_sum", WFI_CTF_U32, 6},
                          {"too_short", WFI_CTF_U32, 7},
                          {"too_long", WFI_CTF_U32, 8},
                          {"cut", WFI_CTF_U32, 9},
                          {"offset", WFI_CTF_U64, 10},
                          {"words", WFI_CTF_STRING, 11}},
    };
    if (own == WFI_CTF_USER) {
        wfi_ctf_layout_row(l, &wf_user_row);
        return;
    }
    memset(l, 0, sizeof *l);
    for (const struct wfi_ctf_field *f = fields[own]; f->name; ++f)
        add_field(l, f->name, (enum wfi_ctf_shape)f->shape, f->value);
}
