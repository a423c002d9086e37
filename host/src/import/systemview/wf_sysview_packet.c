// SPDX-License-Identifier: MIT
// See wfi_sysview_packet.h.

#include "import/systemview/wfi_sysview_packet.h"

// Payloads of ids below 24: the number of varints, and whether a string follows.
static const struct {
    uint8_t numbers;
    bool string;
} shapes[WFI_SV_FIRST_WITH_LENGTH] = {
    [WFI_SV_OVERFLOW] = {1, false},        [WFI_SV_ISR_ENTER] = {1, false},
    [WFI_SV_TASK_START_EXEC] = {1, false}, [WFI_SV_TASK_START_READY] = {1, false},
    [WFI_SV_TASK_STOP_READY] = {2, false}, [WFI_SV_TASK_CREATE] = {1, false},
    [WFI_SV_TASK_INFO] = {2, true},        [WFI_SV_SYSTIME_CYCLES] = {1, false},
    [WFI_SV_SYSTIME_US] = {2, false},      [WFI_SV_SYSDESC] = {0, true},
    [WFI_SV_MARK_START] = {1, false},      [WFI_SV_MARK_STOP] = {1, false},
    [WFI_SV_TIMER_ENTER] = {1, false},     [WFI_SV_STACK_INFO] = {4, false},
    [WFI_SV_MODULEDESC] = {2, true},       [WFI_SV_DATA_SAMPLE] = {2, false},
};

// Length of a string with its count, from what is there of it; 0: its count is cut.
static size_t string_len(const uint8_t *p, const uint8_t *end, size_t *count) {
    if (p == end) return 0;
    *count = 1;
    if (*p < 255) return 1 + (size_t)*p;
    *count = 3;
    return end - p < 3 ? 0 : 3 + ((size_t)p[1] << 8 | p[2]);
}

// Returns the end of a payload of a fixed shape; null with *how.
static const uint8_t *skip_shape(const uint8_t *p, const uint8_t *end, uint32_t id,
                                 enum wfi_sv_framed *how) {
    uint32_t v;
    for (unsigned i = 0; i < shapes[id].numbers; ++i) {
        p = wfi_sv_get(p, end, &v, how);
        if (!p) return NULL;
    }
    if (!shapes[id].string) return p;
    size_t count, len = string_len(p, end, &count);
    *how = len > WFI_SV_STRING_MAX ? WFI_SV_BAD : WFI_SV_MORE;
    if (!len || len > WFI_SV_STRING_MAX || len > (size_t)(end - p)) return NULL;
    return p + len;
}

enum wfi_sv_framed wfi_sv_frame(const uint8_t *p, const uint8_t *end, struct wfi_sv_packet *k) {
    enum wfi_sv_framed how = WFI_SV_WHOLE;
    const uint8_t *first = p;
    uint32_t len;
    p = wfi_sv_get(p, end, &k->id, &how);
    if (!p) return how;
    if (k->id < WFI_SV_FIRST_WITH_LENGTH) {
        k->data = p;
        p = skip_shape(p, end, k->id, &how);
        if (!p) return how;
    } else {
        if (k->id >= WFI_SV_EVENTS) return WFI_SV_BAD;
        p = wfi_sv_get(p, end, &len, &how);
        if (!p) return how;
        if (len > WFI_SV_STRING_MAX) return WFI_SV_BAD;
        if (len > (size_t)(end - p)) return WFI_SV_MORE;
        k->data = p;
        p += len;
    }
    k->end = p;
    p = wfi_sv_get(p, end, &k->delta, &how);
    if (!p) return how;
    k->len = (size_t)(p - first);
    return WFI_SV_WHOLE;
}

// ---- payloads

const char *wfi_sv_string(struct wfi_sv_packet *k, size_t *len) {
    size_t count = 0, all = string_len(k->data, k->end, &count);
    const char *text = (const char *)k->data + (all ? count : 0);
    size_t rest = (size_t)(k->end - k->data);
    if (all > rest) all = rest;
    *len = all > count ? all - count : 0;
    k->data += all;
    return text;
}

static bool skip_numbers(struct wfi_sv_packet *k, unsigned count) {
    enum wfi_sv_framed how;
    uint32_t v;
    for (; count; --count) {
        k->data = wfi_sv_get(k->data, k->end, &v, &how);
        if (!k->data) return false;
    }
    return true;
}

static bool skip_string(struct wfi_sv_packet *k) {
    size_t count, len = string_len(k->data, k->end, &count);
    if (!len || len > (size_t)(k->end - k->data)) return false;
    k->data += len;
    return true;
}

static bool is_sound_message(struct wfi_sv_packet *k) {
    if (!skip_string(k) || !skip_numbers(k, 1)) return false;
    enum wfi_sv_framed how;
    uint32_t count;
    k->data = wfi_sv_get(k->data, k->end, &count, &how);
    return k->data && count <= (size_t)(k->end - k->data) && skip_numbers(k, count);
}

bool wfi_sv_is_sound(const struct wfi_sv_packet *packet) {
    struct wfi_sv_packet k = *packet;
    switch (k.id) {
    case WFI_SV_INIT: return skip_numbers(&k, 4);
    case WFI_SV_NAME_RESOURCE: return skip_numbers(&k, 1) && skip_string(&k);
    case WFI_SV_PRINT_FORMATTED: return is_sound_message(&k);
    case WFI_SV_NUMMODULES:
    case WFI_SV_END_CALL:
    case WFI_SV_TASK_TERMINATE:
    case WFI_SV_EX: return skip_numbers(&k, 1);
    default: return true;
    }
}
