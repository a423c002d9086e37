// SPDX-License-Identifier: MIT
// QS's names of records, groups, QS-IDs, commands and kinds of objects. No code: they are there
// with and without Q_SPY.
#ifndef QS_IDS_H
#define QS_IDS_H

#include "wallfly/wf_ids.h"

// The records' names come from the schema. Rows that repeat a number for another version or kind
// are left out by a comma, which moves NO to the place where WFI_QS_PICK looks.
#define WFI_QS_AGAIN_target_info8   ,
#define WFI_QS_AGAIN_rx_status_time ,
#define WFI_QS_AGAIN_query_ao_queue ,
#define WFI_QS_AGAIN_query_ao       ,
#define WFI_QS_AGAIN_query_mp       ,
#define WFI_QS_AGAIN_query_eq       ,
#define WFI_QS_AGAIN_query_te       ,
#define WFI_QS_AGAIN_query_ap       ,
#define WFI_QS_AGAIN_query_sm_ao    ,
#define WFI_QS_AGAIN_sync           ,
#define WFI_QS_SECOND(a, b, ...)    b
#define WFI_QS_PICK(...)            WFI_QS_SECOND(__VA_ARGS__)
#define WFI_QS_NO(qs, id)
#define WFI_QS_YES(qs, id) qs = (id),

enum {
#define WFI_X(id, name, qs, group, layout, since, until, host, effect, qspy, mat, sentence)        \
    WFI_QS_PICK(WFI_QS_AGAIN_##name WFI_QS_NO, WFI_QS_YES, )(qs, id)
    WF_RECORDS(WFI_X)
#undef WFI_X
#define WFI_X(id, since, until, qs) qs = (id),
        WF_ALIASES(WFI_X)
#undef WFI_X
    // Application records.
    QS_USER = WF_USER_FIRST,
    QS_USER0 = QS_USER,
    QS_USER1 = QS_USER + 5,
    QS_USER2 = QS_USER + 10,
    QS_USER3 = QS_USER + 15,
    QS_USER4 = QS_USER + 20
};

// Commands of the host.
enum {
#define WFI_X(code, name) QS_RX_##name = (code),
    WF_COMMANDS(WFI_X)
#undef WFI_X
        QS_CMD = 7 // group of the enumeration that names the ids of QS_onCommand
};

// Groups for QS_GLB_FILTER(), as of 6.6 and of 8.1.
enum {
    QS_ALL_RECORDS = WF_GRP_ALL,
    QS_SM_RECORDS = WF_GRP_SM,
    QS_AO_RECORDS = WF_GRP_AO,
    QS_EQ_RECORDS = WF_GRP_EQ,
    QS_MP_RECORDS = WF_GRP_MP,
    QS_TE_RECORDS = WF_GRP_TE,
    QS_QF_RECORDS = WF_GRP_QF,
    QS_SC_RECORDS = WF_GRP_SC,
    QS_SEM_RECORDS = WF_GRP_SEM,
    QS_MTX_RECORDS = WF_GRP_MTX,
    QS_U0_RECORDS = WF_GRP_U0,
    QS_U1_RECORDS = WF_GRP_U1,
    QS_U2_RECORDS = WF_GRP_U2,
    QS_U3_RECORDS = WF_GRP_U3,
    QS_U4_RECORDS = WF_GRP_U4,
    QS_UA_RECORDS = WF_GRP_UA,
    QS_GRP_ALL = WF_GRP_ALL,
    QS_GRP_SM = WF_GRP_SM,
    QS_GRP_AO = WF_GRP_AO,
    QS_GRP_EQ = WF_GRP_EQ,
    QS_GRP_MP = WF_GRP_MP,
    QS_GRP_TE = WF_GRP_TE,
    QS_GRP_QF = WF_GRP_QF,
    QS_GRP_SC = WF_GRP_SC,
    QS_GRP_SEM = WF_GRP_SEM,
    QS_GRP_MTX = WF_GRP_MTX,
    QS_GRP_U0 = WF_GRP_U0,
    QS_GRP_U1 = WF_GRP_U1,
    QS_GRP_U2 = WF_GRP_U2,
    QS_GRP_U3 = WF_GRP_U3,
    QS_GRP_U4 = WF_GRP_U4,
    QS_GRP_UA = WF_GRP_UA
};

// First QS-ID of each kind, and groups for QS_LOC_FILTER().
enum {
    QS_AO_ID = WF_QS_AO,
    QS_EP_ID = WF_QS_POOL,
    QS_EQ_ID = WF_QS_QUEUE,
    QS_AP_ID = WF_QS_APP,
    QS_ID_AO = WF_QS_AO,
    QS_ID_EP = WF_QS_POOL,
    QS_ID_EQ = WF_QS_QUEUE,
    QS_ID_AP = WF_QS_APP,
    QS_ALL_IDS = WF_IDS_ALL,
    QS_AO_IDS = WF_IDS_AO,
    QS_EP_IDS = WF_IDS_POOL,
    QS_EQ_IDS = WF_IDS_QUEUE,
    QS_AP_IDS = WF_IDS_APP,
    QS_IDS_ALL = WF_IDS_ALL,
    QS_IDS_AO = WF_IDS_AO,
    QS_IDS_EP = WF_IDS_POOL,
    QS_IDS_EQ = WF_IDS_QUEUE,
    QS_IDS_AP = WF_IDS_APP
};

// Kinds of current objects: enum wf_object_kind.
enum {
    SM_OBJ,
    AO_OBJ,
    MP_OBJ,
    EQ_OBJ,
    TE_OBJ,
    AP_OBJ,
    SM_AO_OBJ,
    QS_OBJ_SM = SM_OBJ,
    QS_OBJ_AO,
    QS_OBJ_MP,
    QS_OBJ_EQ,
    QS_OBJ_TE,
    QS_OBJ_AP,
    QS_OBJ_SM_AO,
    QS_OBJ_EP // 8.x clients only
};

#endif
