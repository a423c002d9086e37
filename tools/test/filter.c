// SPDX-License-Identifier: MIT
// Decodes the numbers in filters of scripts.

#include "filter.h"

enum { RECORDS_LAST = WF_USER_LAST, IDS_LAST = 127 }; // not a QS-ID, but the last bit

static unsigned long code_of(long value) {
    return value >= 0 ? (unsigned long)value : 0 - (unsigned long)value;
}

bool filter_records(uint8_t bits[WF_FILTER_BYTES], long value, const struct wf_target *t) {
    static const char *const groups[] = {
#define WF_X(name, ...) [GRP_##name - GRP_SM] = #name,
        WF_QP_GROUPS(WF_X) WF_USER_GROUPS(WF_X)
#undef WF_X
    };
    unsigned long code = code_of(value);
    bool all = code == GRP_ALL;
    if (code > GRP_ALL && code <= GRP_UA)
        return wf_filter_group(t, groups[code - GRP_SM], bits, value >= 0);
    if (code > RECORDS_LAST && !all) return false;
    wf_filter_switch(bits, all ? 0 : (unsigned)code, all ? RECORDS_LAST : (unsigned)code,
                     value >= 0);
    return true;
}

bool filter_ids(uint8_t bits[WF_FILTER_BYTES], long value) {
    unsigned long code = code_of(value);
    for (unsigned i = 0; i < wf_id_group_count; ++i) {
        if (code != wf_id_groups[i].code) continue;
        wf_filter_switch(bits, wf_id_groups[i].first, wf_id_groups[i].last, value >= 0);
        return true;
    }
    bool all = code == WF_GROUP_CODE_ALL;
    if (code >= IDS_LAST && !all) return false;
    wf_filter_switch(bits, all ? 0 : (unsigned)code, all ? IDS_LAST : (unsigned)code, value >= 0);
    return true;
}
