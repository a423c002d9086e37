// SPDX-License-Identifier: MIT
// Fills the values of a record into a compiled sentence. Room for the common kinds is made once for
// the line; rare kinds make room for themselves.

#include "wfi_sentence.h"

#include <string.h>

static char *put_name(char *p, const struct wfi_name *name, struct wfi_strbuf *t) {
    if (name->len <= WFI_NAME_PAD) return wfi_copy_padded(p, name->text, name->len);
    t->end = p;
    wfi_strbuf_bytes(name->text, name->len, t);
    wfi_strbuf_room(t, 1024);
    return t->end;
}

static char *put_unknown(char *p, uint64_t value, unsigned key_bytes) {
    memcpy(p, "0x", 2);
    if (key_bytes <= 4) value &= 0xFFFFFFFF;
    return wfi_hex(p + 2, value, key_bytes <= 4 ? 8 : 16);
}

static char *null(char *p) {
    memcpy(p, "NULL", 4);
    return p + 4;
}

static inline char *object_key(char *p, struct wf_session *s, uint64_t key, struct wfi_strbuf *t) {
    const struct wfi_name *name = wfi_object_name(s, key);
    return name ? put_name(p, name, t) : put_unknown(p, key, s->names.objects.key_bytes);
}

static inline char *function_key(char *p, struct wf_session *s, uint64_t key,
                                 struct wfi_strbuf *t) {
    const struct wfi_name *name = wfi_function_name(s, key);
    return name ? put_name(p, name, t) : put_unknown(p, key, s->names.functions.key_bytes);
}

static inline char *object(char *p, struct wf_session *s, uint64_t value, struct wfi_strbuf *t) {
    return value ? object_key(p, s, value, t) : null(p);
}

static inline char *function(char *p, struct wf_session *s, uint64_t value, struct wfi_strbuf *t) {
    return value ? function_key(p, s, value, t) : null(p);
}

static char *zeros(char *p, uint64_t v, unsigned digits) {
    char number[24];
    size_t len = (size_t)(wfi_dec(number, v) - number);
    for (; digits > len; --digits) *p++ = '0';
    memcpy(p, number, len);
    return p + len;
}

static char *signal(char *p, struct wf_session *s, uint64_t sig, uint64_t obj,
                    struct wfi_strbuf *t) {
    if (sig == 0) return null(p);
    const struct wfi_name *name = wfi_signal_get(&s->names, sig, obj);
    if (name) return put_name(p, name, t);
    p = zeros(p, sig, 8);
    memcpy(p, ",Obj=", 5);
    return put_unknown(p + 5, obj, s->names.signals.key_bytes);
}

void wfi_put_object(struct wf_session *s, uint64_t obj, struct wfi_strbuf *t) {
    if (wfi_strbuf_room(t, 1024)) t->end = object(t->end, s, obj, t);
}

void wfi_put_function(struct wf_session *s, uint64_t fun, struct wfi_strbuf *t) {
    if (wfi_strbuf_room(t, 1024)) t->end = function(t->end, s, fun, t);
}

void wfi_put_object_key(struct wf_session *s, uint64_t key, struct wfi_strbuf *t) {
    if (wfi_strbuf_room(t, 1024)) t->end = object_key(t->end, s, key, t);
}

void wfi_put_function_key(struct wf_session *s, uint64_t key, struct wfi_strbuf *t) {
    if (wfi_strbuf_room(t, 1024)) t->end = function_key(t->end, s, key, t);
}

void wfi_put_signal(struct wf_session *s, uint64_t sig, uint64_t obj, struct wfi_strbuf *t) {
    if (wfi_strbuf_room(t, 1024)) t->end = signal(t->end, s, sig, obj, t);
}

void wfi_put_irq(struct wf_session *s, uint64_t irq, struct wfi_strbuf *t) {
    const struct wfi_name *name = wfi_irq_name(s, irq);
    if (!wfi_strbuf_room(t, 1024)) return;
    if (irq == WF_IRQ_UNKNOWN)
        *t->end++ = '?';
    else
        t->end = name ? put_name(t->end, name, t) : wfi_dec(t->end, irq);
}

void wfi_put_name(const struct wfi_name *name, struct wfi_strbuf *t) {
    wfi_strbuf_bytes(name->text, name->len, t);
}

// Quirk: two unknown objects of one line share a text, that of the first one.
static uint64_t shared(struct wf_session *s, const struct wf_record *r, uint64_t obj) {
    for (unsigned i = 0; s->qspy && i < r->row->count; ++i) {
        if (r->row->fields[i].type != WF_TYPE_OBJ) continue;
        uint64_t first = r->value[i];
        bool unknown = first && obj && !wfi_object_name(s, first) && !wfi_object_name(s, obj);
        return unknown ? first : obj;
    }
    return obj;
}

static void items(const struct wf_record *r, uint64_t at, struct wfi_strbuf *t) {
    uint64_t num = 0, size = 0;
    for (unsigned i = 0; i < r->row->count; ++i) {
        if (r->row->fields[i].kind == WF_KIND_NUM) num = r->value[i];
        if (r->row->fields[i].kind == WF_KIND_SIZE) size = r->value[i];
    }
    // QSPY prints one item even if there is none, from the bytes after it; WFI_PAD bytes follow.
    const uint8_t *p = r->payload + at;
    bool known = size == 1 || size == 2 || size == 4;
    if (!known || !wfi_strbuf_room(t, (num + 1) * 9)) return;
    for (uint64_t i = 0; i == 0 || i < num; ++i, p += size) {
        if (i) *t->end++ = ',';
        t->end = wfi_hex(t->end, wfi_load(p, (unsigned)size), (unsigned)size * 2);
    }
}

static char *command(char *p, uint64_t cmd) {
    if (cmd >= wf_command_count) return wfi_dec(p, cmd);
    size_t len = strlen(wf_command_names[cmd]);
    memcpy(p, wf_command_names[cmd], len);
    return p + len;
}

static char *status(char *p, uint64_t code) {
    bool error = code >= 0x80;
    memcpy(p, error ? "ERR  " : "Ack  ", 5);
    p += 5;
    code &= 0x7F;
    if (!error || code < wf_command_count) return command(p, code);
    memcpy(p, "0x", 2);
    return wfi_hex(p + 2, code, 2);
}

static char *built(char *p, uint64_t v) {
    for (int i = 5; i >= 0; --i) {
        p = zeros(p, v >> 8 * i & 0xFF, 2);
        if (i == 3) *p++ = '_';
    }
    return p;
}

static char *version(char *p, uint64_t v) {
    v &= 0x7FFF;
    p = wfi_dec(p, v / 100);
    *p++ = '.';
    p = wfi_dec(p, v / 10 % 10);
    *p++ = '.';
    return wfi_dec(p, v % 10);
}

static char *reason(char *p, uint64_t v) {
    if (v >= wf_reason_count) return wfi_dec(p, v);
    size_t len = strlen(wf_reasons[v].sentence);
    memcpy(p, wf_reasons[v].sentence, len);
    return p + len;
}

// A task, or the meaning of 0.
static void put_task(struct wf_session *s, uint64_t task, const char *none, struct wfi_strbuf *t) {
    if (task)
        wfi_put_object(s, task, t);
    else
        wfi_strbuf_put(t, none);
}

static void no_cut(void *ctx, const char *type, int bytes) {
    (void)ctx;
    (void)type;
    (void)bytes;
}

static void text_matlab(const struct wf_record *r, struct wfi_strbuf *t) {
    const char *from = r->text;
    size_t len = r->text_len;
    if (len && *from == '&') ++from, --len;
    if (len > 64) len = 64;
    if (!wfi_strbuf_room(t, len)) return;
    for (size_t i = 0; i < len; ++i) *t->end++ = strchr("[].:", from[i]) ? '_' : from[i];
}

// The rare kinds; they may grow the text.
static void put_rare(const struct wfi_piece *piece, struct wf_session *s, const struct wf_record *r,
                     struct wfi_strbuf *t) {
    uint64_t v = r->value[piece->field];
    unsigned pointer = r->row->fields[piece->field].type == WF_TYPE_FUN
                           ? s->target.bytes[WF_TYPE_FUN]
                           : s->target.bytes[WF_TYPE_OBJ];
    switch ((enum wfi_how)piece->how) {
    case WFI_HOW_ZEROS: t->end = zeros(t->end, v, piece->digits); break;
    case WFI_HOW_SIGNED32: t->end = wfi_signed(t->end, (int32_t)(uint32_t)v); break;
    case WFI_HOW_SIGNED64: t->end = wfi_signed(t->end, (int64_t)v); break;
    case WFI_HOW_HEX: t->end = wfi_hex(t->end, v, piece->digits); break;
    case WFI_HOW_POINTER: t->end = wfi_hex(t->end, v, pointer <= 4 ? 8 : 16); break;
    case WFI_HOW_TEXT: wfi_strbuf_bytes(r->text, r->text_len, t); break;
    case WFI_HOW_TEXT_MATLAB: text_matlab(r, t); break;
    case WFI_HOW_GROUP: t->end = wfi_dec(t->end, v % WFI_ENUM_GROUPS); break;
    case WFI_HOW_COMMAND: t->end = command(t->end, v); break;
    case WFI_HOW_STATUS: t->end = status(t->end, v); break;
    case WFI_HOW_RESET: wfi_strbuf_put(t, v ? "RST " : "Info"); break;
    case WFI_HOW_RESET_WORD: wfi_strbuf_put(t, v ? "reset" : "answer"); break;
    case WFI_HOW_VERSION: t->end = version(t->end, v); break;
    case WFI_HOW_RELEASE: t->end = version(t->end, ~(uint32_t)v % 10000); break;
    case WFI_HOW_BUILT: t->end = built(t->end, v); break;
    case WFI_HOW_ITEMS: items(r, v, t); break;
    case WFI_HOW_TASK: put_task(s, v, "idle", t); break;
    case WFI_HOW_ACTOR: put_task(s, v, wfi_is_startup(s) ? "start-up" : "interrupt", t); break;
    case WFI_HOW_REASON: t->end = reason(t->end, v); break;
    case WFI_HOW_PRIORITY:
        if ((int16_t)(uint16_t)v == WF_PRIO_UNKNOWN)
            *t->end++ = '?';
        else
            t->end = wfi_signed(t->end, (int16_t)(uint16_t)v);
        break;
    case WFI_HOW_CAPACITY:
        if (v)
            t->end = wfi_dec(t->end, v);
        else
            *t->end++ = '?';
        break;
    case WFI_HOW_IRQ: wfi_put_irq(s, v, t); break;
    case WFI_HOW_LOG: wfi_put_log(s, r, t); break;
    case WFI_HOW_CONSTANT: wfi_put_constant(s, v, t); break;
    case WFI_HOW_ELEMENTS: wfi_put_elements(s, r, WFI_STYLE_WALLFLY, t, no_cut, NULL); break;
    case WFI_HOW_LOW: t->end = wfi_dec(t->end, v & 15); break;
    case WFI_HOW_HIGH: t->end = wfi_hex(t->end, v & 0xF0, 2); break;
    default: break;
    }
}

// Appends pieces. with: the object of the record's signal.
static inline void put_pieces(const struct wfi_piece *pieces, unsigned count, struct wf_session *s,
                              const struct wf_record *r, uint64_t with, struct wfi_strbuf *t) {
    if (!wfi_strbuf_room(t, 2048)) return;
    for (unsigned i = 0; i < count; ++i) {
        const struct wfi_piece *piece = &pieces[i];
        char *p = wfi_copy_padded(t->end, piece->text, piece->len);
        uint64_t v = piece->field < WF_FIELDS_MAX ? r->value[piece->field] : 0;
        switch ((enum wfi_how)piece->how) {
        case WFI_HOW_NONE: break;
        case WFI_HOW_TEN: p = wfi_ten(p, v); break;
        case WFI_HOW_NUMBER: p = wfi_dec(p, v); break;
        case WFI_HOW_OBJECT: p = object(p, s, v, t); break;
        case WFI_HOW_SHARED: p = object(p, s, shared(s, r, v), t); break;
        case WFI_HOW_FUNCTION: p = function(p, s, v, t); break;
        case WFI_HOW_SIGNAL: p = signal(p, s, v, with, t); break;
        case WFI_HOW_SIGNAL_ANY: p = signal(p, s, v, 0, t); break;
        default:
            t->end = p;
            put_rare(piece, s, r, t);
            if (!wfi_strbuf_room(t, 1024)) return;
            p = t->end;
        }
        t->end = p;
    }
}

void wfi_sentence(const struct wfi_sentences *all, struct wf_session *s, const struct wf_record *r,
                  struct wfi_strbuf *t) {
    size_t at = (size_t)(r->row - wf_rows);
    const struct wfi_sentence *sentence = &all->of[at];
    unsigned owner = all->owner[at];
    put_pieces(sentence->pieces, sentence->count, s, r, owner ? r->value[owner - 1] : 0, t);
}

void wfi_sentence_value(const struct wfi_piece *piece, struct wf_session *s,
                        const struct wf_record *r, uint64_t with, struct wfi_strbuf *t) {
    struct wfi_piece value = *piece;
    value.len = 0;
    put_pieces(&value, 1, s, r, with, t);
}
