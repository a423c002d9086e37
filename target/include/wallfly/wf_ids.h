// SPDX-License-Identifier: MIT
// Numbers of records, groups and QS-IDs. The record numbers come from schema/wf_schema.h.
#ifndef WF_IDS_H
#define WF_IDS_H

#include "wf_schema.h"

enum wf_id {
#define WFI_X(id, name, qs, group, layout, since, until, host, effect, qspy, mat, sentence)        \
    WF_ID_##name = (id),
    WF_RECORDS(WFI_X)
#undef WFI_X
};

// The reason of a task_switch: WF_SWITCH_preempted and so on. WF_LEFT_ is the earlier prefix.
enum wf_reason {
#define WFI_X(value, name, sentence) WF_SWITCH_##name = (value), WF_LEFT_##name = (value),
    WF_REASONS(WFI_X)
#undef WFI_X
};

// Elements of application records: the low nibble of their format byte.
enum wf_el {
#define WFI_X(code, name, bytes, sentence) WF_EL_##name = (code),
    WF_ELEMENTS(WFI_X)
#undef WFI_X
};

// Application records: WF_USER + 0 .. 24.
enum { WF_USER = WF_USER_FIRST };

// Groups for wf_filter(), for instance WF_GRP_SM; negative: switches off.
enum wf_grp {
    WF_GRP_ALL = WF_GROUP_CODE_ALL,
#define WFI_X(name, ...) WF_GRP_##name,
    WF_QP_GROUPS(WFI_X)   // SM AO EQ MP TE QF SC SEM MTX
    WF_USER_GROUPS(WFI_X) // U0 U1 U2 U3 U4, and UA for all of them: 0xFF
    WF_OWN_GROUPS(WFI_X)  // WF (SYNC, which is always on) TASK ISR MUT SEMA QUE EVT TMR HEAP NOTE
#undef WFI_X
};

// First QS-ID of each kind. A record belongs to the object of its QS-ID; 0: to no object, always
// on. A pool is WF_QS_POOL plus its number from 1, an object of the application WF_QS_APP + 0 ..
// 30.
enum {
#define WFI_X(name, qp_name, target_name, code, base, first, last, sentence)                       \
    WF_QS_##target_name = (base),
    WF_ID_GROUPS(WFI_X) // AO POOL QUEUE APP
#undef WFI_X
};

// Groups for wf_filter_id(); negative: switches off.
enum wf_grp_id {
#define WFI_X(name, qp_name, target_name, code, base, first, last, sentence)                       \
    WF_IDS_##target_name = (code),
    WF_ID_GROUPS(WFI_X) // AO POOL QUEUE APP
#undef WFI_X
    WF_IDS_ALL = WF_GROUP_CODE_ALL
};

#endif
