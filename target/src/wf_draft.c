// SPDX-License-Identifier: MIT
// Application records of the slot recorder, assembled on the caller's stack.

#include "wfi_core.h"
#include "wfi_slots.h"

#if WF_CFG_SLOTS

void wfi_draft_begin(struct wfi_draft *draft, unsigned record) {
    draft->what = (uint32_t)WF_SLOT_CLASS_RECORD << WF_SLOT_CLASS_SHIFT | (record & 0xFF);
    if (record & WFI_HELD) draft->what |= WFI_SLOT_HELD;
    draft->len = 0;
}

// A draft that grew too long gets a length that no event can have: it is refused and counted. A
// slot cannot have zero used bytes: a record without elements is one zero byte, which is no
// element.
void wfi_draft_end(struct wfi_draft *draft) {
    if (!draft->len) draft->bytes[draft->len++] = 0;
    unsigned len = draft->len <= sizeof draft->bytes ? (unsigned)draft->len : 8 * WFI_CHUNK;
    const unsigned unused = -len & 7;
    for (unsigned i = 0; i < unused; ++i) draft->bytes[len++] = 0;
    wfi_slot_long(draft->what | (uint32_t)unused << WF_SLOT_UNUSED_SHIFT, draft->bytes, len, NULL,
                  0);
}

// Appends so many bytes. Returns null when there is no room.
static uint8_t *grow(struct wfi_draft *draft, uint32_t bytes) {
    uint8_t *at = draft->bytes + draft->len;
    if (draft->len > sizeof draft->bytes || sizeof draft->bytes - draft->len < bytes) {
        draft->len = sizeof draft->bytes + 1;
        return NULL;
    }
    draft->len += bytes;
    return at;
}

void wfi_draft_number(struct wfi_draft *draft, unsigned format, uint64_t value, unsigned bytes) {
    uint8_t *p = grow(draft, 1 + bytes);
    if (!p) return;
    *p = (uint8_t)format;
    wfi_put_le(p + 1, value, bytes);
}

static void add_bytes(struct wfi_draft *draft, const uint8_t *bytes, uint32_t len) {
    uint8_t *p = grow(draft, len);
    for (uint32_t i = 0; p && i < len; ++i) p[i] = bytes[i];
}

static void add_byte(struct wfi_draft *draft, unsigned byte) {
    uint8_t *p = grow(draft, 1);
    if (p) *p = (uint8_t)byte;
}

void wfi_draft_text(struct wfi_draft *draft, const char *text) {
    uint32_t len = draft->len;
    for (char c = WF_EL_str; len < sizeof draft->bytes; c = *text++) {
        draft->bytes[len++] = (uint8_t)c;
        if (c) continue;
        draft->len = len;
        return;
    }
    draft->len = sizeof draft->bytes + 1; // no room for its zero
}

void wfi_draft_mem(struct wfi_draft *draft, const void *bytes, uint8_t len) {
    add_byte(draft, WF_EL_mem);
    add_byte(draft, len);
    add_bytes(draft, bytes, len);
}

void wfi_draft_sig(struct wfi_draft *draft, uint32_t sig, const void *obj) {
    wfi_draft_number(draft, WF_EL_sig, sig, WF_CFG_SIG_SIZE);
    uint8_t *p = grow(draft, WF_CFG_OBJ_SIZE);
    if (p) wfi_put_le(p, (uintptr_t)obj, WF_CFG_OBJ_SIZE);
}
#endif
