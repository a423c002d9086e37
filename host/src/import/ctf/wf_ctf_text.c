// SPDX-License-Identifier: MIT
// Values as text, and texts with values.

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "wfi_ctf.h"

static char *put_bytes(char *to, const char *end, const char *bytes, size_t len) {
    size_t room = (size_t)(end - to);
    if (len > room) len = room;
    if (len) memcpy(to, bytes, len);
    return to + len;
}

char *wfi_ctf_value_text(const struct ctf_value *v, char *to, char *end) {
    char number[64];
    double real;
    number[0] = 0;
    if (v->len || v->type == WF_EVENTS_VALUE_TEXT) return put_bytes(to, end, v->text, v->len);
    switch (v->type) {
    case WF_EVENTS_VALUE_UNSIGNED:
    case WF_EVENTS_VALUE_ENUM: snprintf(number, sizeof number, "%" PRIu64, v->v); break;
    case WF_EVENTS_VALUE_SIGNED:
    case WF_EVENTS_VALUE_SIGNED_ENUM:
        snprintf(number, sizeof number, "%" PRId64, (int64_t)v->v);
        break;
    case WF_EVENTS_VALUE_HEX: snprintf(number, sizeof number, "0x%" PRIX64, v->v); break;
    case WF_EVENTS_VALUE_FLOAT:
        memcpy(&real, &v->v, sizeof real);
        snprintf(number, sizeof number, "%g", real);
        break;
    default: break;
    }
    return put_bytes(to, end, number, strlen(number));
}

size_t wfi_ctf_expand(const struct ctf *s, const struct ctf_class *k, struct ctf_slice text,
                      char *to, size_t cap) {
    char *p = to;
    char *end = to + cap;
    const char *at = text.text, *text_end = text.text + text.len;
    while (at < text_end) {
        const char *open = memchr(at, '{', (size_t)(text_end - at));
        const char *close = open ? memchr(open, '}', (size_t)(text_end - open)) : NULL;
        int field =
            close ? wfi_ctf_find_field(k, (struct ctf_slice){open + 1, (size_t)(close - open - 1)})
                  : -1;
        const char *stop = field >= 0 ? open : close ? close + 1 : text_end;
        p = put_bytes(p, end, at, (size_t)(stop - at));
        if (field >= 0) p = wfi_ctf_value_text(&s->value[field], p, end);
        at = field >= 0 ? close + 1 : stop;
    }
    return (size_t)(p - to);
}
