// SPDX-License-Identifier: MIT
// What the numbers in filters of scripts stand for.

#include "filter.h"

enum { RECORDS_LAST = WF_USER_LAST, IDS_LAST = 127 }; // that is no QS-ID, but the last bit

static unsigned long code_of(long value) {
    return value >= 0 ? (unsigned long)value : 0 - (unsigned long)value;
}

bool filter_records(uint8_t bits[WF_FILTER_BYTES], long value, const struct wf_target *t) {
    static const char *const groups[] = {"SM",  "AO", "EQ", "MP", "TE", "QF", "SC", "SEM",
                                         "MTX", "U0", "U1", "U2", "U3", "U4", "UA"};
    unsigned long code = code_of(value);
    if (code > GRP_ALL && code <= GRP_UA)
        return wf_filter_group(t, groups[code - GRP_SM], bits, value >= 0);
    if (code > RECORDS_LAST && code != GRP_ALL) return false;
    bool all = code == GRP_ALL;
    wf_filter_switch(bits, all ? 0 : (unsigned)code, all ? RECORDS_LAST : (unsigned)code,
                     value >= 0);
    return true;
}

bool filter_ids(uint8_t bits[WF_FILTER_BYTES], long value) {
    static const uint8_t codes[] = {IDS_AO, IDS_EP, IDS_EQ, IDS_AP}; // as wf_id_groups
    unsigned long code = code_of(value);
    for (unsigned i = 0; i < sizeof codes; ++i) {
        if (code != codes[i]) continue;
        wf_filter_switch(bits, wf_id_groups[i].first, wf_id_groups[i].last, value >= 0);
        return true;
    }
    if (code >= IDS_LAST && code != IDS_ALL) return false;
    bool all = code == IDS_ALL;
    wf_filter_switch(bits, all ? 0 : (unsigned)code, all ? IDS_LAST : (unsigned)code, value >= 0);
    return true;
}
