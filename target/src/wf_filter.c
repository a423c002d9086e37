// SPDX-License-Identifier: MIT
// Filters: a bit for each record and each QS-ID (docs/commands.md). The schema gives the
// group of each record; records of groups that cannot be switched off are always set.

#include "wfi_core.h"

enum group {
    WFI_GROUP_UNKNOWN,
#define WFI_X(name, sentence) WFI_GROUP_##name,
    WF_GROUPS(WFI_X)
#undef WFI_X
};

// The group of each record in this QS version. Rows of other versions go to index 0, which is not
// used.
#if defined __clang__
#pragma clang diagnostic ignored "-Winitializer-overrides"
#else
#pragma GCC diagnostic ignored "-Woverride-init"
#endif
#define WFI_APPLIES(since, until) ((since) <= WF_CFG_QS_VERSION && WF_CFG_QS_VERSION <= (until))
static const uint8_t group_of[] = {
#define WFI_X(id, name, qs, group, layout, since, until, host, effect, qspy, mat, sentence)        \
    [WFI_APPLIES(since, until) ? (id) : 0] = WFI_GROUP_##group,
    WF_RECORDS(WFI_X)
#undef WFI_X
};

enum {
    WFI_RECORDS_END = WF_USER_LAST + 1,
    WFI_IN_LAST = 0x1F, // bits in use of the last byte
    WFI_USER_GROUP = 5,
    WFI_IDS_END = 0x7F
};

void wfi_fill(void *from, size_t len, uint8_t byte) {
    for (volatile uint8_t *p = from; len--; ++p) *p = byte;
}

static void set(uint8_t *bits, unsigned n, bool on) {
    uint8_t bit = (uint8_t)(1u << n % 8);
    bits[n / 8] = (uint8_t)(on ? bits[n / 8] | bit : bits[n / 8] & ~bit);
}

static void set_range(uint8_t *bits, unsigned first, unsigned last, bool on) {
    for (; first <= last; ++first) set(bits, first, on);
}

static void set_groups(unsigned first, unsigned last, bool on) {
    for (unsigned i = 1; i < sizeof group_of; ++i) {
        if (group_of[i] >= first && group_of[i] <= last) set(wfi.glb, i, on);
    }
}

// Records that cannot be switched off are below 96: a word of bits for each 32 records.
#define WFI_FIXED(group) ((group) >= WFI_GROUP_INFO && (group) <= WFI_GROUP_FAIL)
#define WFI_BIT(word, id, group, since, until)                                                     \
    | (WFI_FIXED(group) && WFI_APPLIES(since, until) && (id) / 32 == (word)                        \
           ? UINT32_C(1) << (id) % 32                                                              \
           : 0)
#define WFI_WORD_0(id, name, qs, group, layout, since, until, ...)                                 \
    WFI_BIT(0, id, WFI_GROUP_##group, since, until)
#define WFI_WORD_1(id, name, qs, group, layout, since, until, ...)                                 \
    WFI_BIT(1, id, WFI_GROUP_##group, since, until)
#define WFI_WORD_2(id, name, qs, group, layout, since, until, ...)                                 \
    WFI_BIT(2, id, WFI_GROUP_##group, since, until)
#define WFI_LE_BYTES(w)                                                                            \
    (uint8_t)((w)&0xFF), (uint8_t)((w) >> 8 & 0xFF), (uint8_t)((w) >> 16 & 0xFF),                  \
        (uint8_t)((w) >> 24)

static void set_fixed(void) {
    static const uint8_t fixed[] = {WFI_LE_BYTES(0 WF_RECORDS(WFI_WORD_0)),
                                    WFI_LE_BYTES(0 WF_RECORDS(WFI_WORD_1)),
                                    WFI_LE_BYTES(0 WF_RECORDS(WFI_WORD_2))};
    for (unsigned i = sizeof fixed; i--;) wfi.glb[i] |= fixed[i];
}

// Context: nothing else may record.
void wfi_filter_start(void) {
    wfi_fill(wfi.loc, sizeof wfi.loc, 0xFF);
    set_fixed();
}

void wfi_filter_all(uint8_t byte) {
    uint32_t was = wf_port_lock();
    wfi_fill(wfi.glb, sizeof wfi.glb, byte);
    wfi.glb[15] &= WFI_IN_LAST;
    set_fixed();
    wf_port_unlock(was);
}

void wfi_filter(int group_or_record) {
    bool on = group_or_record >= 0;
    unsigned code = (unsigned)(on ? group_or_record : -group_or_record);
    if (code == WF_GRP_ALL) {
        wfi_filter_all(on ? 0xFF : 0);
        return;
    }
    uint32_t was = wf_port_lock();
    if (code >= WF_GRP_WF) { // in the order of the schema
        set_groups(code - WF_GRP_WF + WFI_GROUP_WF, code - WF_GRP_WF + WFI_GROUP_WF, on);
    } else if (code > WF_GRP_ALL && code < WF_GRP_U0) { // in the order of the schema, too
        set_groups(code - WF_GRP_SM + WFI_GROUP_SM, code - WF_GRP_SM + WFI_GROUP_SM, on);
    } else {
        unsigned first = code, last = code;
        if (code > WF_GRP_ALL) {
            first = WF_USER_FIRST + (code == WF_GRP_UA ? 0 : WFI_USER_GROUP * (code - WF_GRP_U0));
            last = code == WF_GRP_UA ? WF_USER_LAST : first + WFI_USER_GROUP - 1;
        }
        if (last < WFI_RECORDS_END) set_range(wfi.glb, first, last, on);
    }
    set_fixed();
    wf_port_unlock(was);
}

void wf_filter_id(int group_or_id) {
    bool on = group_or_id >= 0;
    unsigned first = (unsigned)(on ? group_or_id : -group_or_id), last = first;
    switch (first) {
    case WF_IDS_ALL: first = 1, last = WFI_IDS_END; break;
#define WFI_X(name, qp_name, target_name, code, base, first_id, last_id, sentence)                 \
    case (code): first = (first_id), last = (last_id); break;
        WF_ID_GROUPS(WFI_X)
#undef WFI_X
    default:
        if (first >= WFI_IDS_END) return;
    }
    wfi_filter_ids(first, last, on);
}

void wfi_filter_ids(unsigned first, unsigned last, bool on) {
    uint32_t was = wf_port_lock();
    set_range(wfi.loc, first, last, on);
    set_fixed();
    wf_port_unlock(was);
}

void wf_get_filters(uint8_t records[16], uint8_t ids[16]) {
    uint32_t was = wf_port_lock();
    for (unsigned i = 0; i < 16; ++i) {
        records[i] = wfi.glb[i];
        ids[i] = wfi.loc[i];
    }
    wf_port_unlock(was);
}

void wf_set_filters(const uint8_t *records, const uint8_t *ids) {
    uint32_t was = wf_port_lock();
    for (unsigned i = 0; i < 16; ++i) {
        if (records) wfi.glb[i] = records[i];
        if (ids) wfi.loc[i] = ids[i];
    }
    wfi.glb[15] &= WFI_IN_LAST;
    wfi.loc[0] |= 1;
    set_fixed();
    wf_port_unlock(was);
}
