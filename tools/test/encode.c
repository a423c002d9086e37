// SPDX-License-Identifier: MIT
// Commands as bytes.

#include "encode.h"

#include <stdlib.h>
#include <string.h>

static void put(struct payload *p, uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i) p->bytes[p->len++] = (uint8_t)(value >> 8 * i);
}

static void put_bytes(struct payload *p, const void *bytes, size_t len) {
    p->too_long = len > PAYLOAD_MAX - p->len;
    if (p->too_long || !len) return;
    memcpy(p->bytes + p->len, bytes, len);
    p->len += len;
}

static void set_bits(uint8_t *bits, unsigned first, unsigned last, bool on) {
    for (unsigned i = first; i <= last; ++i) {
        uint8_t bit = (uint8_t)(1u << i % 8);
        bits[i / 8] = (uint8_t)(on ? bits[i / 8] | bit : bits[i / 8] & ~bit);
    }
}

static void set_numbers(uint8_t *bits, const struct wf_numbers *n, bool on) {
    set_bits(bits, n->first, n->last, on);
}

// Which records a group has in a version is in their rows.
static void set_group(uint8_t *bits, unsigned group, unsigned version, bool on) {
    for (unsigned i = 0; i < wf_row_count; ++i) {
        const struct wf_row *r = &wf_rows[i];
        if (r->group == group && version >= r->since && version <= r->until)
            set_bits(bits, r->id, r->id, on);
    }
}

enum { RECORDS_END = 0x7D, IDS_END = 0x80 };

bool filter_records(uint8_t bits[FILTER_BYTES], long value, unsigned version) {
    static const uint8_t groups[] = {
        [GRP_SM - GRP_ALL] = WF_GROUP_SM,  [GRP_AO - GRP_ALL] = WF_GROUP_AO,
        [GRP_EQ - GRP_ALL] = WF_GROUP_EQ,  [GRP_MP - GRP_ALL] = WF_GROUP_MP,
        [GRP_TE - GRP_ALL] = WF_GROUP_TE,  [GRP_QF - GRP_ALL] = WF_GROUP_QF,
        [GRP_SC - GRP_ALL] = WF_GROUP_SC,  [GRP_SEM - GRP_ALL] = WF_GROUP_SEM,
        [GRP_MTX - GRP_ALL] = WF_GROUP_MTX};
    bool on = value >= 0;
    unsigned long code = on ? (unsigned long)value : 0 - (unsigned long)value;
    if (code < RECORDS_END)
        set_bits(bits, (unsigned)code, (unsigned)code, on);
    else if (code == GRP_ALL)
        set_bits(bits, 0, RECORDS_END - 1, on);
    else if (code > GRP_ALL && code <= GRP_MTX)
        set_group(bits, groups[code - GRP_ALL], version, on);
    else if (code >= GRP_U0 && code <= GRP_UA)
        set_numbers(bits, &wf_user_groups[code - GRP_U0], on);
    else
        return false;
    return true;
}

bool filter_ids(uint8_t bits[FILTER_BYTES], long value) {
    static const uint8_t codes[] = {IDS_AO, IDS_EP, IDS_EQ, IDS_AP}; // as wf_id_groups
    bool on = value >= 0;
    unsigned long code = on ? (unsigned long)value : 0 - (unsigned long)value;
    unsigned i = 0;
    if (code < IDS_END - 1 || code == IDS_ALL) {
        bool all = code == IDS_ALL;
        set_bits(bits, all ? 0 : (unsigned)code, all ? IDS_END - 1 : (unsigned)code, on);
        return true;
    }
    while (i < sizeof codes && codes[i] != code) ++i;
    if (i == sizeof codes) return false;
    set_numbers(bits, &wf_id_groups[i], on);
    return true;
}

struct payload encode_filter(const uint8_t bits[FILTER_BYTES]) {
    struct payload p = {.len = 0};
    put(&p, FILTER_BYTES, 1);
    put_bytes(&p, bits, FILTER_BYTES);
    return p;
}

struct payload encode_command(uint8_t id, const uint32_t params[3]) {
    struct payload p = {.len = 0};
    put(&p, id, 1);
    for (unsigned i = 0; i < 3; ++i) put(&p, params[i], 4);
    return p;
}

struct payload encode_event(const struct wf_target *t, uint8_t to, uint64_t sig, const void *params,
                            size_t len) {
    struct payload p = {.len = 0};
    put(&p, to, 1);
    put(&p, sig, t->bytes[WF_TYPE_SIG]);
    put(&p, len, 2);
    put_bytes(&p, params, len);
    return p;
}

struct payload encode_object(const struct wf_target *t, uint8_t first, uint64_t object) {
    struct payload p = {.len = 0};
    put(&p, first, 1);
    put(&p, object, t->bytes[WF_TYPE_OBJ]);
    return p;
}

struct payload encode_probe(const struct wf_target *t, uint32_t data, uint64_t function) {
    struct payload p = {.len = 0};
    put(&p, data, 4);
    put(&p, function, t->bytes[WF_TYPE_FUN]);
    return p;
}

struct payload encode_byte(uint8_t byte) {
    struct payload p = {.len = 0};
    put(&p, byte, 1);
    return p;
}

struct payload encode_memory(uint16_t offset, uint8_t size, uint8_t num, const void *data,
                             size_t len) {
    struct payload p = {.len = 0};
    put(&p, offset, 2);
    put(&p, size, 1);
    put(&p, num, 1);
    put_bytes(&p, data, len);
    return p;
}
