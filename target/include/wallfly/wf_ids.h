// SPDX-License-Identifier: MIT
// Numbers of records, groups and QS-IDs. The records' come from schema/wf_schema.h.
#ifndef WF_IDS_H
#define WF_IDS_H

#include "wf_schema.h"

enum wf_id {
#define WFI_X(id, name, qs, group, layout, since, until, host, effect, qspy, mat, sentence)        \
    WF_ID_##name = (id),
    WF_RECORDS(WFI_X)
#undef WFI_X
};

// Why a task left, for task_switch: WF_LEFT_preempted and so on.
enum wf_reason {
#define WFI_X(value, name, sentence) WF_LEFT_##name = (value),
    WF_REASONS(WFI_X)
#undef WFI_X
};

// Elements of application records, as in the low nibble of their format byte.
enum wf_el {
#define WFI_X(code, name, bytes, sentence) WF_EL_##name = (code),
    WF_ELEMENTS(WFI_X)
#undef WFI_X
};

// Application records: WF_USER + 0 .. 24.
enum { WF_USER = WF_USER_FIRST };

// Groups for wf_filter(); negative switches off.
enum wf_grp {
    WF_GRP_ALL = 0xF0,
    WF_GRP_SM,
    WF_GRP_AO,
    WF_GRP_EQ,
    WF_GRP_MP,
    WF_GRP_TE,
    WF_GRP_QF,
    WF_GRP_SC,
    WF_GRP_SEM,
    WF_GRP_MTX,
    WF_GRP_U0,
    WF_GRP_U1,
    WF_GRP_U2,
    WF_GRP_U3,
    WF_GRP_U4,
    WF_GRP_UA,
    WF_GRP_OWN = 0x100,     // from here on: wallfly's own groups, in the order of the schema
    WF_GRP_WF = WF_GRP_OWN, // SYNC, which goes out whatever its bit is
    WF_GRP_TASK,
    WF_GRP_ISR,
    WF_GRP_MUT,
    WF_GRP_SEMA,
    WF_GRP_QUE,
    WF_GRP_EVT,
    WF_GRP_TMR,
    WF_GRP_HEAP,
    WF_GRP_NOTE
};

// First QS-ID of each kind: what a record belongs to. 0 belongs to nothing and is always on.
enum { WF_QS_AO = 0, WF_QS_POOL = 64, WF_QS_QUEUE = 80, WF_QS_APP = 96 };

// Groups for wf_filter_id(); negative switches off.
enum wf_grp_id {
    WF_IDS_AO = 0x80,    // 1..64
    WF_IDS_POOL = 0xC0,  // 65..80
    WF_IDS_QUEUE = 0xD0, // 81..96
    WF_IDS_APP = 0xE0,   // 97..127
    WF_IDS_ALL = 0xF0
};

#endif
