// SPDX-License-Identifier: MIT
// The format of a line's beginning: %c %C %e %t %Z %z %% with the flags, width and precision of
// printf; parsed once, then applied without printf.

#include <stdlib.h>

#include "wfi_sat.h"

enum { FORMAT_MAX = 512, FIELD_MAX = 64 };

static bool flag(struct wfi_sat_item *item, char c) {
    switch (c) {
    case '-': item->left = true; return true;
    case '0': item->zero = true; return true;
    case '#': item->sharp = true; return true;
    case '+': item->sign = '+'; return true;
    case ' ':
        if (!item->sign) item->sign = ' ';
        return true;
    default: return false;
    }
}

static const char *parse_number(const char *p, unsigned *v) {
    for (*v = 0; *p >= '0' && *p <= '9'; ++p) {
        if (*v <= WFI_SAT_WIDTH_MAX) *v = *v * 10 + (unsigned)(*p - '0');
    }
    return p;
}

// Returns whether it is as in the default format, which has a shorter path.
static bool is_quick(const struct wfi_sat_item *item) {
    if (item->sharp || item->sign || item->last || item->precision >= 0) return false;
    switch (item->what) {
    case 'c': return item->zero && !item->left && item->width <= 16;
    case 'C': return item->zero && !item->left && item->width == 2;
    case 'Z':
    case 'z': return item->left && item->width <= 32;
    default: return false;
    }
}

// Parses the part after the '%'. Returns null if it is no conversion.
static const char *conversion(struct wfi_sat_item *item, const char *p) {
    unsigned v;
    while (flag(item, *p)) ++p;
    p = parse_number(p, &v);
    if (v > WFI_SAT_WIDTH_MAX) return NULL;
    item->width = (uint8_t)v;
    item->precision = -1;
    if (*p == '.') {
        bool negative = *++p == '-';
        p = parse_number(p + negative, &v);
        if (v > FIELD_MAX) return NULL;
        if (negative)
            item->last = (uint8_t)v;
        else
            item->precision = (int8_t)v;
    }
    if (!*p || !strchr("cCetZz", *p)) return NULL;
    item->what = *p;
    item->quick = is_quick(item);
    return p + 1;
}

int wfi_sat_form_open(struct wfi_sat_form *form, const char *format, struct wf_error *error) {
    size_t len = strlen(format);
    form->count = 0;
    form->room = WFI_STRBUF_SLACK;
    if (len > FORMAT_MAX) return wf_error_set(error, WF_ERR_USAGE, "the format is too long");
    form->text = malloc(len + WFI_STRBUF_SLACK);
    if (!form->text) return wf_error_code(error, WF_ERR_NOMEM);
    memset(form->text, 0, len + WFI_STRBUF_SLACK);
    memcpy(form->text, format, len);
    for (const char *p = format; *p;) {
        struct wfi_sat_item *item = &form->item[form->count];
        if (form->count++ == WFI_SAT_FORM_ITEMS)
            return wf_error_set(error, WF_ERR_USAGE, "the format has too many parts");
        memset(item, 0, sizeof *item);
        if (*p == '%' && p[1] != '%') {
            p = conversion(item, p + 1);
            if (!p)
                return wf_error_set(
                    error, WF_ERR_USAGE,
                    "the format has a '%%' that is not followed by c, C, e, t, Z, z or %%");
            form->room += (item->width > FIELD_MAX ? item->width : FIELD_MAX) + 8u;
            continue;
        }
        size_t part = *p == '%' ? 1 : strcspn(p, "%");
        if (part > 200) part = 200;
        p += *p == '%'; // the second '%' is the text
        item->text = (uint16_t)(p - format);
        item->width = (uint8_t)part;
        form->room += part;
        p += part;
    }
    return WF_OK;
}

// Writes a field: prefix (sign or 0x), zeros, text, blanks.
static char *field(const struct wfi_sat_item *item, char *p, const char *prefix, size_t prefix_len,
                   const char *text, size_t len, bool digits) {
    size_t zeros = 0, pad = 0;
    if (item->last && len > item->last) {
        text += len - item->last;
        len = item->last;
    }
    if (!digits && item->precision >= 0 && len > (size_t)item->precision) {
        len = (size_t)item->precision;
    }
    if (digits && item->precision > (int)len) zeros = (size_t)item->precision - len;
    if (item->width > prefix_len + zeros + len) pad = item->width - prefix_len - zeros - len;
    if (item->zero && !item->left && digits && item->precision < 0) {
        zeros += pad;
        pad = 0;
    }
    if (!item->left) p = wfi_sat_blanks(p, pad);
    memcpy(p, prefix, prefix_len);
    memset(p + prefix_len, '0', zeros);
    memcpy(p + prefix_len + zeros, text, len);
    p += prefix_len + zeros + len;
    return item->left ? wfi_sat_blanks(p, pad) : p;
}

static char *three(char *p, unsigned v) {
    *p = (char)('0' + v / 100);
    return wfi_two(p + 1, v % 100);
}

// Seconds, milliseconds, microseconds: "12.345.678us".
static char *microseconds(char *p, uint64_t ticks, uint64_t hz) {
    if (!hz) {
        memcpy(p, "?us", 3);
        return p + 3;
    }
    while (hz > 10000000000000u) hz >>= 1, ticks >>= 1; // so that the product below fits
    unsigned us = (unsigned)(ticks % hz * 1000000 / hz);
    p = wfi_dec(p, ticks / hz);
    *p++ = '.';
    p = three(p, us / 1000);
    *p++ = '.';
    p = three(p, us % 1000);
    memcpy(p, "us", 2);
    return p + 2;
}

static char *number_field(const struct wfi_sat_item *item, const struct wfi_sat_head *head,
                          char *p) {
    char digits[FIELD_MAX], *end, prefix[4];
    size_t prefix_len = 0;
    switch (item->what) {
    case 'c':
        end = wfi_sat_hex(digits, head->tick);
        if (item->sharp) {
            memcpy(prefix, "0x", 2);
            prefix_len = 2;
        }
        break;
    case 'C': end = wfi_dec(digits, head->core); break;
    case 'e': end = wfi_dec(digits, head->number); break;
    default: end = microseconds(digits, head->past, head->hz); break;
    }
    if (item->what != 'c' && item->sign) prefix[prefix_len++] = item->sign;
    if (item->what == 't' && head->before) {
        prefix[0] = '-';
        prefix_len = 1;
    }
    return field(item, p, prefix, prefix_len, digits, (size_t)(end - digits), true);
}

// The default format's fields, without the general case's copies of a few bytes each.
static char *quick_cycles(char *p, uint64_t v, unsigned width) {
    char digits[32] = {0}; // the second half is only copied, not shown
    unsigned need = v >> 32 ? 9 : 1;
    wfi_sat_hex8(wfi_sat_hex8(digits, (uint32_t)(v >> 32)), (uint32_t)v);
    if (need < width) need = width;
    while (need < 16 && v >> 4 * need) ++need;
    memcpy(p, digits + 16 - need, 16);
    return p + need;
}

// The name is padded with blanks, up to 32 characters.
static char *quick_name(char *p, const char *name, unsigned len, unsigned width) {
    memcpy(p, name, 32);
    return p + (len > width ? len : width);
}

static char *quick_field(const struct wfi_sat_item *item, const struct wfi_sat_head *head,
                         char *p) {
    switch (item->what) {
    case 'c': return quick_cycles(p, head->tick, item->width);
    case 'C': return wfi_two(p, head->core % 100);
    case 'Z': return quick_name(p, head->cls, head->cls_len, item->width);
    default: return quick_name(p, head->event, head->event_len, item->width);
    }
}

char *wfi_sat_form_put(const struct wfi_sat_form *form, const struct wfi_sat_head *head, char *p) {
    for (unsigned i = 0; i < form->count; ++i) {
        const struct wfi_sat_item *item = &form->item[i];
        if (item->quick) {
            p = quick_field(item, head, p);
            continue;
        }
        switch (item->what) {
        case 0: p = wfi_copy_padded(p, form->text + item->text, item->width); break;
        case 'Z': p = field(item, p, "", 0, head->cls, head->cls_len, false); break;
        case 'z': p = field(item, p, "", 0, head->event, head->event_len, false); break;
        default: p = number_field(item, head, p); break;
        }
    }
    return p;
}
