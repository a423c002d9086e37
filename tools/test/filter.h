// SPDX-License-Identifier: MIT
// Decodes the numbers in filters of scripts, with the values of QUTest.
#ifndef TEST_FILTER_H
#define TEST_FILTER_H

#include "wallfly_host/wf_command.h"

enum { // codes of record groups
    GRP_ALL = WF_GROUP_CODE_ALL,
#define WF_X(name, ...) GRP_##name,
    WF_QP_GROUPS(WF_X) WF_USER_GROUPS(WF_X)
#undef WF_X
};

enum { // codes of QS-ID groups
    IDS_ALL = WF_GROUP_CODE_ALL,
#define WF_X(name, qp_name, target_name, code, ...) IDS_##qp_name = (code),
    WF_ID_GROUPS(WF_X)
#undef WF_X
};

// A value switches on, its negative off. Returns false for an unknown group, record or QS-ID.
bool filter_records(uint8_t bits[WF_FILTER_BYTES], long value, const struct wf_target *t);
bool filter_ids(uint8_t bits[WF_FILTER_BYTES], long value);

#endif
