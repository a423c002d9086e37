// SPDX-License-Identifier: MIT
// Events of the kernel's functions and of modules, by their descriptions. Without one, an event is
// shown by its number, and its payload as numbers.

#include <stdio.h>
#include <string.h>

#include "import/systemview/wfi_sysview.h"

static const char esp_heap[] = "ESP32 SystemView Heap Tracing Module";
enum { ESP_ALLOC, ESP_FREE };

// ---- fields

// A parameter that is not described, or a cut one.
static void fill_number(struct wfi_import_field *f, uint32_t v) {
    f->type = v > UINT16_MAX ? WFI_FIELD_HEX : WFI_FIELD_UNSIGNED;
    f->value = v;
}

static void fill_text(struct wfi_import_field *f, const char *text, size_t len) {
    f->type = WFI_FIELD_TEXT;
    f->text = text;
    f->len = len;
}

static void fill_field(struct wfi_import *im, const struct wfi_sv_param *param, uint32_t value,
                       struct wfi_import_field *f) {
    const struct wfi_sv *v = wfi_sv(im);
    f->name = param->name;
    f->value = value;
    switch (param->type) {
    case WFI_SV_UNSIGNED: f->type = WFI_FIELD_UNSIGNED; break;
    case WFI_SV_SIGNED:
        f->type = WFI_FIELD_SIGNED;
        f->value = (uint64_t)(int64_t)(int32_t)value;
        break;
    case WFI_SV_HEX: f->type = WFI_FIELD_HEX; break;
    case WFI_SV_ID:
        f->type = WFI_FIELD_ADDRESS;
        f->value = wfi_sv_address(wfi_sv_core(im), value);
        break;
    case WFI_SV_NAMED: {
        const char *text = wfi_sv_value_text(&v->named[param->named], value);
        f->type = WFI_FIELD_UNSIGNED;
        if (text) fill_text(f, text, strlen(text));
        break;
    }
    default: fill_number(f, value);
    }
}

// Decodes the payload: described parameters, then numbers. Returns the number of fields; args gets
// the values of numbers.
static unsigned read_fields(struct wfi_import *im, const struct wfi_sv_call *call,
                            struct wfi_sv_packet *k, struct wfi_import_field *fields,
                            uint32_t args[WFI_IMPORT_ARGS]) {
    static const struct wfi_sv_param none = {NULL, WFI_SV_ANY, 0};
    unsigned n = 0;
    while (k->data < k->end && n < WFI_IMPORT_ARGS) {
        const struct wfi_sv_param *param = n < call->count ? &call->params[n] : &none;
        struct wfi_import_field *f = &fields[n];
        if (param->type == WFI_SV_STRING) {
            size_t len;
            const char *text = wfi_sv_string(k, &len);
            f->name = param->name;
            fill_text(f, text, len);
            args[n++] = 0;
        } else {
            args[n] = wfi_sv_number(k);
            fill_field(im, param, args[n], f);
            ++n;
        }
    }
    return n;
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

void wfi_sv_call_event(struct wfi_import *im, const struct wfi_sv_packet *packet) {
    struct wfi_sv_packet k = *packet;
    struct wfi_sv *v = wfi_sv(im);
    struct wfi_import_field fields[WFI_IMPORT_ARGS];
    uint32_t args[WFI_IMPORT_ARGS];
    struct wfi_sv_call *call = wfi_sv_describe(im, k.id);
    if (!call) return;
    unsigned n = read_fields(im, call, &k, fields, args);
    wfi_import_event(im, call->name, call->len, fields, n);
    if (k.id < WFI_SV_MODULE_FIRST)
        wfi_sv_enter(im, call->meaning, args, n);
    else if (v->modules_esp)
        (void)take_esp_heap(im, k.id, args, n);
}

void wfi_sv_end_call(struct wfi_import *im, const struct wfi_sv_packet *packet) {
    struct wfi_sv_packet k = *packet;
    struct wfi_sv *v = wfi_sv(im);
    struct wfi_import_field fields[2] = {{.name = "of"}, {0}};
    uint32_t id = wfi_sv_number(&k), value = 0;
    bool has_value = k.data < k.end;
    if (!v->returns) {
        v->returns = true;
        wfi_sv_set_v11(im);
    }
    struct wfi_sv_call *call = id < WFI_SV_EVENTS ? wfi_sv_describe(im, id) : NULL;
    fill_number(&fields[0], id);
    if (call) {
        if (!call->text) call->text = wfi_import_text(im, call->name, call->len);
        fields[0].type = WFI_FIELD_ADDRESS;
        fields[0].value = call->text;
    }
    if (has_value) {
        value = wfi_sv_number(&k);
        static const struct wfi_sv_param none = {NULL, WFI_SV_ANY, 0};
        fill_field(im, call ? &call->result : &none, value, &fields[1]);
        fields[1].name = "value";
    }
    if (call) wfi_sv_return(im, call->meaning, has_value, value);
    wfi_import_event(im, "return", 6, fields, 1 + has_value);
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
