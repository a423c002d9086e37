// SPDX-License-Identifier: MIT
// Input of the slot reader, with look-ahead of any length: the rest of one feed is copied before
// the next.

#include "wfi_slots.h"

#include <stdlib.h>

static bool grow(struct wfi_input *in, size_t len) {
    if (len <= in->room) return true;
    size_t room = in->room ? in->room : 64;
    while (room < len) room *= 2;
    bool inside = in->carry && in->at >= in->carry && in->at <= in->carry + in->room;
    size_t at = inside ? (size_t)(in->at - in->carry) : 0;
    size_t left = wfi_left(in);
    uint8_t *carry = realloc(in->carry, room);
    if (!carry) return false;
    in->carry = carry;
    in->room = room;
    if (inside) {
        in->at = carry + at;
        in->end = in->at + left;
    }
    return true;
}

bool wfi_input_need(struct wfi_input *in, size_t len) {
    size_t left = wfi_left(in);
    if (left >= len) return true;
    size_t more = (size_t)(in->fed_end - in->fed);
    if (left == 0) {
        in->at = in->fed;
        in->end = in->fed_end;
        in->offset += more;
        in->fed = in->fed_end;
        if (more >= len || more == 0) return more >= len;
        return wfi_input_need(in, len);
    }
    if (more > len - left) more = len - left;
    if (!grow(in, left + more)) {
        in->failed = true;
        return false;
    }
    memmove(in->carry, in->at, left);
    if (more) {
        memcpy(in->carry + left, in->fed, more);
        in->fed += more;
    }
    in->offset += more;
    in->at = in->carry;
    in->end = in->carry + left + more;
    return left + more >= len;
}
