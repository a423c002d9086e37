// SPDX-License-Identifier: MIT
// Events of the kernel's functions and of modules, by their descriptions. Without one, an event is
// shown by its number, and its payload as numbers.

#include <stdio.h>
#include <string.h>

#include "import/systemview/wfi_sysview.h"
#include "util/wfi_cursor.h"

static const char esp_heap[] = "ESP32 SystemView Heap Tracing Module";
enum { ESP_ALLOC, ESP_FREE };

// ---- elements

uint8_t *wfi_sv_put_text(uint8_t *p, const char *text, size_t len) {
    const char *zero = len ? memchr(text, 0, len) : NULL;
    if (zero) len = (size_t)(zero - text);
    *p++ = WF_ELEMENT_str;
    if (len) memcpy(p, text, len);
    p[len] = 0;
    return p + len + 1;
}

static uint8_t *put32(uint8_t *p, unsigned code, unsigned width, uint32_t v) {
    *p++ = (uint8_t)(width << 4 | code);
    wfi_put32(p, v);
    return p + 4;
}

static uint8_t *put_object(uint8_t *p, uint64_t key) {
    *p++ = WF_ELEMENT_obj;
    wfi_put64(p, key);
    return p + 8;
}

enum { HEX = 15 }; // the width of hexadecimal numbers

// A number that is not described.
static uint8_t *put_number(uint8_t *p, uint32_t v) {
    return put32(p, WF_ELEMENT_u32, v > UINT16_MAX ? HEX : 0, v);
}

static uint8_t *put_value(struct wfi_import *im, uint8_t *p, const struct wfi_sv_param *param,
                          uint32_t value) {
    switch (param->type) {
    case WFI_SV_UNSIGNED: return put32(p, WF_ELEMENT_u32, 0, value);
    case WFI_SV_SIGNED: return put32(p, WF_ELEMENT_i32, 0, value);
    case WFI_SV_HEX: return put32(p, WF_ELEMENT_u32, HEX, value);
    case WFI_SV_ID: return put_object(p, wfi_sv_address(wfi_sv_core(im), value));
    case WFI_SV_NAMED: {
        const char *text = wfi_sv_value_text(&wfi_sv(im)->named[param->named], value);
        return text ? wfi_sv_put_text(p, text, strlen(text)) : put_number(p, value);
    }
    default: return put_number(p, value);
    }
}

static const struct wfi_sv_param no_param = {.type = WFI_SV_ANY};

// Writes the elements of a payload: described parameters, then numbers. args gets the values of
// numbers, *count how many there are.
static uint8_t *put_payload(struct wfi_import *im, uint8_t *p, const struct wfi_sv_call *call,
                            struct wfi_sv_packet *k, uint32_t args[WFI_IMPORT_ARGS],
                            unsigned *count) {
    unsigned n = 0;
    for (; k->data < k->end && n < WFI_IMPORT_ARGS; ++n) {
        const struct wfi_sv_param *param = n < call->count ? &call->params[n] : &no_param;
        if (param->name_len) memcpy(p, param->name, param->name_len);
        p += param->name_len;
        if (param->type == WFI_SV_STRING) {
            size_t len;
            const char *text = wfi_sv_string(k, &len);
            if (len > WFI_IMPORT_TEXT_MAX) len = WFI_IMPORT_TEXT_MAX;
            p = wfi_sv_put_text(p, text, len);
            args[n] = 0;
        } else {
            args[n] = wfi_sv_number(k);
            p = put_value(im, p, param, args[n]);
        }
    }
    *count = n;
    return p;
}

static unsigned emit_call(struct wfi_import *im, struct wfi_sv_call *call, struct wfi_sv_packet *k,
                          uint32_t args[WFI_IMPORT_ARGS]) {
    unsigned count = 0;
    if (!call->number) call->number = wfi_import_event_number(im, call->name, call->len);
    size_t most = call->most + (size_t)(k->end - k->data);
    uint8_t *p = wfi_import_begin_event(im, call->number, most);
    if (!p) return 0;
    if (call->number == WFI_IMPORT_OTHER) p = wfi_sv_put_text(p, call->name, call->len);
    wfi_import_end_event(im, put_payload(im, p, call, k, args, &count));
    return count;
}

// ---- events of functions

// The numbers of V11 hold once returns are recorded: other releases have other ones.
void wfi_sv_set_v11(struct wfi_import *im) {
    struct wfi_sv *v = wfi_sv(im);
    v->v11 = v->freertos && v->returns;
    if (v->v11) wfi_sv_freertos_describe(im);
}

// Espressif's heap tracing has no description of its two events: address, size of alloc, callers.
static bool take_esp_heap(struct wfi_import *im, uint32_t id, const uint32_t *args,
                          unsigned count) {
    const struct wfi_sv *v = wfi_sv(im);
    for (unsigned i = 0; i < WFI_SV_MODULES; ++i) {
        const struct wfi_sv_module *m = &v->modules[i];
        if (!m->esp_heap || id < m->first || id - m->first > ESP_FREE) continue;
        uint64_t heap = wfi_import_text(im, "heap", 4);
        if (id - m->first == ESP_ALLOC && count > 1)
            wfi_sv_heap_alloc(im, heap, args[0], args[1]);
        else if (id - m->first == ESP_FREE && count)
            wfi_sv_heap_free(im, heap, args[0]);
        return true;
    }
    return false;
}

void wfi_sv_call_event(struct wfi_import *im, struct wfi_sv_packet *k) {
    const struct wfi_sv *v = wfi_sv(im);
    uint32_t args[WFI_IMPORT_ARGS];
    struct wfi_sv_call *call = wfi_sv_describe(im, k->id);
    if (!call) return;
    unsigned n = emit_call(im, call, k, args);
    if (k->id >= WFI_SV_MODULE_FIRST) {
        if (v->modules_esp) (void)take_esp_heap(im, k->id, args, n);
    } else if (call->meaning != WFI_SV_HARMLESS) {
        wfi_sv_enter(im, call->meaning, args, n);
    }
}

// "return of xQueueReceive value 1".
static void emit_return(struct wfi_import *im, uint32_t id, struct wfi_sv_call *call,
                        bool has_value, uint32_t value) {
    static const uint8_t of[] = {WF_ELEMENT_str, 'o', 'f', 0};
    static const uint8_t word[] = {WF_ELEMENT_str, 'v', 'a', 'l', 'u', 'e', 0};
    struct wfi_sv *v = wfi_sv(im);
    if (!v->returned) v->returned = wfi_import_event_number(im, "return", 6);
    if (call && !call->text) call->text = wfi_import_text(im, call->name, call->len);
    size_t most = 7 + sizeof of + sizeof word + WFI_SV_NAME_MAX + 2 * WFI_SV_ELEMENT_MAX + 2;
    uint8_t *p = wfi_import_begin_event(im, v->returned, most);
    if (!p) return;
    if (v->returned == WFI_IMPORT_OTHER) p = wfi_sv_put_text(p, "return", 6);
    memcpy(p, of, sizeof of);
    p += sizeof of;
    p = call ? put_object(p, call->text) : put_number(p, id);
    if (has_value) {
        memcpy(p, word, sizeof word);
        p = put_value(im, p + sizeof word, call ? &call->result : &no_param, value);
    }
    wfi_import_end_event(im, p);
}

void wfi_sv_end_call(struct wfi_import *im, struct wfi_sv_packet *k) {
    struct wfi_sv *v = wfi_sv(im);
    uint32_t id = wfi_sv_number(k);
    bool has_value = k->data < k->end;
    uint32_t value = wfi_sv_number(k);
    if (!v->returns) {
        v->returns = true;
        wfi_sv_set_v11(im);
    }
    struct wfi_sv_call *call = id < WFI_SV_EVENTS ? wfi_sv_describe(im, id) : NULL;
    if (call && call->meaning > WFI_SV_HARMLESS) wfi_sv_return(im, call->meaning, has_value, value);
    emit_return(im, id, call, has_value, value);
}

// ---- modules

static size_t skip_blanks(const char *text, size_t len) {
    size_t n = 0;
    while (n < len && text[n] == ' ') ++n;
    return n;
}

// "M=name" or "0 Event par=%u".
static void take_item(struct wfi_import *im, struct wfi_sv_module *m, const char *text,
                      size_t len) {
    size_t at = skip_blanks(text, len);
    text += at;
    len -= at;
    if (len > 2 && text[0] == 'M' && text[1] == '=') {
        free(m->name);
        m->name = wfi_sv_copy(im, text + 2, len - 2);
        m->esp_heap = len - 2 == sizeof esp_heap - 1 && memcmp(text + 2, esp_heap, len - 2) == 0;
        wfi_sv(im)->modules_esp |= m->esp_heap;
        return;
    }
    uint32_t number = 0;
    for (at = 0; at < len && text[at] >= '0' && text[at] <= '9' && number < WFI_SV_EVENTS; ++at)
        number = 10 * number + (uint32_t)(text[at] - '0');
    if (!at || at >= len || text[at] != ' ' || m->first + number >= WFI_SV_EVENTS) return;
    at += skip_blanks(text + at, len - at);
    wfi_sv_describe_line(im, m->first + number, text + at, len - at);
}

// Descriptions are sent again; later ones of a module without "M=" are words.
void wfi_sv_module(struct wfi_import *im, uint32_t module, uint32_t first, const char *text,
                   size_t len) {
    if (module >= WFI_SV_MODULES || first < WFI_SV_MODULE_FIRST || first >= WFI_SV_EVENTS) return;
    struct wfi_sv_module *m = &wfi_sv(im)->modules[module];
    m->first = first;
    while (len) {
        const char *comma = memchr(text, ',', len);
        size_t n = comma ? (size_t)(comma - text) : len;
        take_item(im, m, text, n);
        len -= comma ? n + 1 : n;
        text += comma ? n + 1 : n;
    }
}
