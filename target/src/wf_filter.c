// SPDX-License-Identifier: MIT
// Filters: a bit for each record and each QS-ID (wire reference section 8). Which record is of
// which group stands in the schema; groups of records that cannot be switched off are always set.

#include "wfi_core.h"

enum group {
#define WFI_X(name, sentence) GROUP_##name,
    WF_GROUPS(WFI_X)
#undef WFI_X
};

static const struct {
    uint8_t id, group;
    uint16_t since, until;
} rows[] = {
#define WFI_X(id, name, qs, group, layout, since, until, host, effect, qspy, mat, sentence)        \
    {id, GROUP_##group, since, until},
    WF_RECORDS(WFI_X)
#undef WFI_X
};

enum { RECORDS_END = 0x7D, USER_GROUP = 5, IDS_END = 0x7F };

static void set(uint8_t *bits, unsigned n, bool on) {
    if (on)
        bits[n / 8] |= (uint8_t)(1u << n % 8);
    else
        bits[n / 8] &= (uint8_t) ~(1u << n % 8);
}

static bool applies(unsigned i) {
    return rows[i].since <= WF_CFG_QS_VERSION && WF_CFG_QS_VERSION <= rows[i].until;
}

static bool fixed(unsigned group) {
    return group == GROUP_INFO || group == GROUP_DICT || group == GROUP_TEST || group == GROUP_FAIL;
}

static void set_fixed(void) {
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; ++i) {
        if (fixed(rows[i].group) && applies(i)) set(wfi.glb, rows[i].id, true);
    }
}

// Our codes follow the order of the schema's groups.
static void set_group(unsigned code, bool on) {
    if (code == WF_GRP_ALL) {
        for (unsigned n = 0; n < RECORDS_END; ++n) set(wfi.glb, n, on);
    } else if (code <= WF_GRP_MTX) {
        for (unsigned i = 0; i < sizeof rows / sizeof *rows; ++i) {
            if (rows[i].group == code - WF_GRP_SM && applies(i)) set(wfi.glb, rows[i].id, on);
        }
    } else {
        unsigned first = code == WF_GRP_UA ? 0 : USER_GROUP * (code - WF_GRP_U0);
        unsigned last = code == WF_GRP_UA ? WF_USER_LAST - WF_USER_FIRST : first + USER_GROUP - 1;
        for (unsigned n = first; n <= last; ++n) set(wfi.glb, WF_USER_FIRST + n, on);
    }
}

void wf_filter(int group_or_record) {
    bool on = group_or_record >= 0;
    unsigned code = (unsigned)(on ? group_or_record : -group_or_record);
    uint32_t was = wf_port_lock();
    if (code >= WF_GRP_ALL && code <= WF_GRP_UA)
        set_group(code, on);
    else if (code < RECORDS_END)
        set(wfi.glb, code, on);
    set_fixed();
    wf_port_unlock(was);
}

void wf_filter_id(int group_or_id) {
    bool on = group_or_id >= 0;
    unsigned code = (unsigned)(on ? group_or_id : -group_or_id), first = code, last = code;
    switch (code) {
    case WF_IDS_ALL: first = 1, last = IDS_END; break;
    case WF_IDS_AO: first = 1, last = 64; break;
    case WF_IDS_POOL: first = WF_QS_POOL + 1, last = WF_QS_QUEUE - 1; break;
    case WF_IDS_QUEUE: first = WF_QS_QUEUE, last = WF_QS_APP - 1; break;
    case WF_IDS_APP: first = WF_QS_APP, last = IDS_END; break;
    default:
        if (code >= IDS_END) return;
    }
    uint32_t was = wf_port_lock();
    for (unsigned n = first; n <= last; ++n) set(wfi.loc, n, on);
    set(wfi.loc, 0, true);
    wf_port_unlock(was);
}
