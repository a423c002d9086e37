// SPDX-License-Identifier: MIT
// Messages, markers, data samples, heaps and the system description of SystemView.

#include <stdio.h>
#include <string.h>

#include "import/systemview/wfi_sysview.h"
#include "util/wfi_grow.h"

enum { MESSAGE_WARNING = 1, MESSAGE_ERROR = 2, MESSAGE_LEVEL = 3 };

// Types of registered data.
enum { DATA_UNSIGNED, DATA_SIGNED, DATA_FLOAT };

// Numbers of the extended events.
enum {
    EX_MARK,
    EX_NAME_MARKER,
    EX_HEAP_DEFINE,
    EX_HEAP_ALLOC,
    EX_HEAP_ALLOC_TAG,
    EX_HEAP_FREE,
    EX_REGISTER_DATA
};

// ---- names

struct wfi_sv_name *wfi_sv_name(struct wfi_import *im, enum wfi_sv_names_of of, uint64_t key) {
    struct wfi_sv *v = wfi_sv(im);
    struct wfi_keys *keys = &v->names.keys;
    uint64_t hash = wfi_hash(key, of, &keys->index);
    size_t step = 0;
    uint32_t n = 0;
    while ((n = wfi_index_next(&keys->index, hash, &step)) != 0) {
        if (keys->list[n - 1].key == key && keys->list[n - 1].with == of) break;
    }
    size_t most = of == WFI_SV_BLOCK ? WFI_SV_BLOCKS : WFI_SV_NAMES; // names have room left
    if (!n && keys->count < most) n = wfi_keys_number(keys, key, of);
    if (!n) return NULL;
    if (WFI_GROW(v->names.list, &v->names.cap, n)) return &v->names.list[n - 1];
    wf_error_code(&im->error, WF_ERR_NOMEM);
    return NULL;
}

char *wfi_sv_copy(struct wfi_import *im, const char *text, size_t len) {
    if (len > WFI_SV_NAME_MAX) len = WFI_SV_NAME_MAX;
    char *copy = malloc(len + 1);
    if (!copy) {
        wf_error_code(&im->error, WF_ERR_NOMEM);
        return NULL;
    }
    if (len) memcpy(copy, text, len);
    copy[len] = 0;
    return copy;
}

bool wfi_sv_set_name(struct wfi_import *im, struct wfi_sv_name *n, const char *text, size_t len) {
    if (n->name && strlen(n->name) == len && memcmp(n->name, text, len) == 0) return true;
    char *name = wfi_sv_copy(im, text, len);
    if (!name) return false;
    free(n->name);
    n->name = name;
    n->text = 0;
    return true;
}

// The name, or words with the number.
static const char *name_of(const struct wfi_sv_name *n, const char *word, uint64_t key,
                           char room[64]) {
    if (n && n->name && n->name[0]) return n->name;
    snprintf(room, 64, key > UINT16_MAX ? "%s 0x%08llX" : "%s %llu", word, (unsigned long long)key);
    return room;
}

static uint64_t text_of(struct wfi_import *im, struct wfi_sv_name *n, const char *word,
                        uint64_t key) {
    char room[64];
    if (n && n->text) return n->text;
    const char *name = name_of(n, word, key, room);
    uint64_t text = wfi_import_text(im, name, strlen(name));
    if (n) n->text = text;
    return text;
}

// ---- markers, timers, data

void wfi_sv_marker(struct wfi_import *im, enum wfi_sv_names_of of, uint64_t key, bool begin) {
    struct wfi_sv_name *n = wfi_sv_name(im, of, key);
    uint64_t text = text_of(im, n, of == WFI_SV_TIMER ? "timer" : "marker", key);
    wfi_import_record(im, begin ? WFI_ROW_span_begin : WFI_ROW_span_end, &text);
}

static void take_mark(struct wfi_import *im, uint32_t id) {
    char room[64];
    const char *name = name_of(wfi_sv_name(im, WFI_SV_MARKER, id), "marker", id, room);
    const struct wfi_import_field field = {"marker", WFI_FIELD_TEXT, 0, name, strlen(name)};
    wfi_import_event(im, "mark", 4, &field, 1);
}

static void name_marker(struct wfi_import *im, struct wfi_sv_packet *k) {
    struct wfi_sv_name *n = wfi_sv_name(im, WFI_SV_MARKER, wfi_sv_number(k));
    size_t len;
    const char *text = wfi_sv_string(k, &len);
    if (n) (void)wfi_sv_set_name(im, n, text, len);
}

static void register_data(struct wfi_import *im, struct wfi_sv_packet *k) {
    struct wfi_sv_name *n = wfi_sv_name(im, WFI_SV_DATA, wfi_sv_number(k));
    size_t len;
    const char *text = wfi_sv_string(k, &len);
    if (!n) return;
    (void)wfi_sv_set_name(im, n, text, len);
    n->type = wfi_sv_number(k);
}

void wfi_sv_data(struct wfi_import *im, uint32_t id, uint32_t bits) {
    struct wfi_sv_name *n = wfi_sv_name(im, WFI_SV_DATA, id);
    uint32_t type = n ? n->type : DATA_UNSIGNED;
    if (type != DATA_FLOAT && (type == DATA_SIGNED || bits <= INT32_MAX)) {
        WFI_IMPORT(im, counter, text_of(im, n, "data", id), bits);
        return;
    }
    struct wfi_import_field field = {.type = WFI_FIELD_UNSIGNED, .value = bits};
    if (type == DATA_FLOAT) {
        float value;
        memcpy(&value, &bits, sizeof value);
        double wide = (double)value;
        memcpy(&field.value, &wide, sizeof wide);
        field.type = WFI_FIELD_FLOAT;
    }
    char room[64];
    const char *name = name_of(n, "data", id, room);
    wfi_import_event(im, name, strlen(name), &field, 1);
}

// ---- heaps

// Freed blocks are recorded without their size, which is that of their allocation.
void wfi_sv_heap_alloc(struct wfi_import *im, uint64_t heap, uint64_t block, uint32_t size) {
    struct wfi_sv_name *n = wfi_sv_name(im, WFI_SV_BLOCK, block);
    if (n) n->size = size < UINT32_MAX ? size + 1 : size;
    WFI_IMPORT(im, heap_alloc, heap, block, size);
}

void wfi_sv_heap_free(struct wfi_import *im, uint64_t heap, uint64_t block) {
    struct wfi_sv_name *n = wfi_sv_name(im, WFI_SV_BLOCK, block);
    if (n && n->size) {
        WFI_IMPORT(im, heap_free, heap, block, n->size - 1);
        n->size = 0;
        return;
    }
    const struct wfi_import_field fields[] = {
        {"heap", WFI_FIELD_ADDRESS, heap, NULL, 0},
        {"block", WFI_FIELD_HEX, block, NULL, 0},
    };
    wfi_import_event(im, "heap free", 9, fields, 2);
}

static void define_heap(struct wfi_import *im, struct wfi_sv_packet *k) {
    const struct wfi_sv_core *c = wfi_sv_core(im);
    uint64_t heap = wfi_sv_key(c, wfi_sv_number(k));
    (void)wfi_sv_number(k); // base
    uint32_t size = wfi_sv_number(k) << c->shift;
    struct wfi_sv_name *n = wfi_sv_name(im, WFI_SV_HEAP, heap);
    if (n && n->type) return; // sent again
    if (n) n->type = 1;
    WFI_IMPORT(im, heap_create, heap, size);
}

static void allocate(struct wfi_import *im, struct wfi_sv_packet *k) {
    const struct wfi_sv_core *c = wfi_sv_core(im);
    uint64_t heap = wfi_sv_key(c, wfi_sv_number(k));
    uint64_t block = wfi_sv_address(c, wfi_sv_number(k));
    wfi_sv_heap_alloc(im, heap, block, wfi_sv_number(k) << c->shift);
}

void wfi_sv_extended(struct wfi_import *im, struct wfi_sv_packet *k) {
    const struct wfi_sv_core *c = wfi_sv_core(im);
    uint32_t what = wfi_sv_number(k);
    switch (what) {
    case EX_MARK: take_mark(im, wfi_sv_number(k)); break;
    case EX_NAME_MARKER: name_marker(im, k); break;
    case EX_HEAP_DEFINE: define_heap(im, k); break;
    case EX_HEAP_ALLOC:
    case EX_HEAP_ALLOC_TAG: allocate(im, k); break;
    case EX_HEAP_FREE: {
        uint64_t heap = wfi_sv_key(c, wfi_sv_number(k));
        wfi_sv_heap_free(im, heap, wfi_sv_address(c, wfi_sv_number(k)));
        break;
    }
    case EX_REGISTER_DATA: register_data(im, k); break;
    default: {
        const struct wfi_import_field field = {"number", WFI_FIELD_UNSIGNED, what, NULL, 0};
        wfi_import_event(im, "extended event", 14, &field, 1);
    }
    }
}

// ---- messages

// Returns the conversion's letter, after flags, width, precision and length; *at is then behind it.
static char conversion_at(const char *format, size_t len, size_t *at) {
    while (*at < len && strchr("-+ #0123456789.hlLjztq'", format[*at])) ++*at;
    return *at < len ? format[(*at)++] : 0;
}

// The recorder takes an argument for each '%', so "%%" has two that mean nothing.
static unsigned read_arguments(const char *format, size_t len, struct wfi_sv_packet *k,
                               uint32_t count, struct wfi_import_field *args,
                               char pointers[WFI_IMPORT_ARGS][16]) {
    unsigned n = 0;
    for (size_t at = 0; at < len && count;) {
        if (format[at++] != '%') continue;
        uint32_t v = wfi_sv_number(k);
        --count;
        char letter = conversion_at(format, len, &at);
        if (letter == '%') {
            if (count) (void)wfi_sv_number(k), --count;
            continue;
        }
        if (n == WFI_IMPORT_ARGS) break;
        struct wfi_import_field *f = &args[n];
        *f = (struct wfi_import_field){.type = WFI_FIELD_UNSIGNED, .value = v};
        if (letter == 'd' || letter == 'i') {
            f->type = WFI_FIELD_SIGNED;
            f->value = (uint64_t)(int64_t)(int32_t)v;
        } else if (letter == 's') { // only the pointer is recorded
            f->type = WFI_FIELD_TEXT;
            f->text = pointers[n];
            f->len = (size_t)snprintf(pointers[n], sizeof pointers[n], "(0x%08X)", v);
        }
        ++n;
    }
    return n;
}

void wfi_sv_message(struct wfi_import *im, struct wfi_sv_packet *k) {
    static const char *const words[] = {"", "warning: ", "error: ", ""};
    struct wfi_import_field args[WFI_IMPORT_ARGS];
    char pointers[WFI_IMPORT_ARGS][16], text[WFI_IMPORT_TEXT_MAX];
    size_t len;
    const char *format = wfi_sv_string(k, &len);
    uint32_t options = wfi_sv_number(k), count = wfi_sv_number(k);
    const char *word = words[options & MESSAGE_LEVEL];
    while (len && (format[len - 1] == '\n' || format[len - 1] == '\r')) --len;
    unsigned n = read_arguments(format, len, k, count, args, pointers);
    size_t before = strlen(word);
    if (before) {
        if (len > sizeof text - before) len = sizeof text - before;
        memcpy(text, word, before);
        memcpy(text + before, format, len);
        format = text;
        len += before;
    }
    if (n || memchr(format, '%', len))
        wfi_import_log(im, format, len, args, n);
    else
        wfi_import_message(im, format, len);
}

// ---- the system description

static void name_irq(struct wfi_import *im, const char *text, size_t len) {
    uint32_t irq = 0;
    size_t at = 2; // after "I#"
    while (at < len && text[at] >= '0' && text[at] <= '9' && irq < WF_IRQ_UNKNOWN)
        irq = 10 * irq + (uint32_t)(text[at++] - '0');
    if (at == 2 || at >= len || text[at] != '=' || irq >= WF_IRQ_UNKNOWN) return;
    wfi_import_irq_name(im, (uint16_t)irq, text + at + 1, len - at - 1);
}

// "N=application", "D=device" and so on, once. O=: the operating system.
static void take_property(struct wfi_import *im, const char *text, size_t len) {
    static const char os[] = "O=FreeRTOS";
    struct wfi_sv *v = wfi_sv(im);
    if (text[0] == 'O') {
        v->freertos = len >= sizeof os - 1 && memcmp(text, os, sizeof os - 1) == 0;
        wfi_sv_set_v11(im);
    }
    unsigned bit = text[0] >= 'A' && text[0] <= 'Z' ? 1u << (text[0] - 'A') : 1u << 31;
    if (v->told & bit) return;
    v->told |= bit & ~(1u << 31);
    const struct wfi_import_field field = {NULL, WFI_FIELD_TEXT, 0, text, len};
    wfi_import_event(im, "system description", 18, &field, 1);
}

void wfi_sv_description(struct wfi_import *im, const char *text, size_t len) {
    while (len) {
        const char *comma = memchr(text, ',', len);
        size_t n = comma ? (size_t)(comma - text) : len;
        if (n > 2 && text[0] == 'I' && text[1] == '#')
            name_irq(im, text, n);
        else if (n)
            take_property(im, text, n);
        len -= comma ? n + 1 : n;
        text += comma ? n + 1 : n;
    }
}
