// SPDX-License-Identifier: MIT
// An application of the framework: it includes the header that also has macros of older versions.

#include <stdio.h>

#include "qpc.h"

void application(void *mine, void *others);

void application(void *mine, void *others) {
    QS_FILTER_OFF(QS_QF_TICK);
    QS_FILTER_ON(QS_QF_TICK);
    QS_FILTER_SM_OBJ(mine);
    QS_FILTER_AO_OBJ(mine);
    QS_FILTER_MP_OBJ(mine);
    QS_FILTER_EQ_OBJ(mine);
    QS_FILTER_TE_OBJ(mine);
    QS_BEGIN_ID(QS_USER + 1, 0)
    QS_U32_HEX(6, 0xABCU);
    QS_U32(QS_HEX_FMT, 0xABCU);
    QS_OBJ(mine);
    QS_END()
    fprintf(stderr, "0000000010 USER+001 0x000ABC 0x00000ABC thing\n");
    QS_FILTER_AP_OBJ(mine);
    QS_BEGIN(QS_USER, mine)
    QS_U8(0, 1);
    QS_END()
    QS_BEGIN(QS_USER, others)
    QS_U8(0, 2);
    QS_END()
    QS_FILTER_AP_OBJ((void *)0);
    QS_BEGIN(QS_USER, others)
    QS_STR("all");
    QS_END()
    fprintf(stderr, "0000000010 USER+000 1\n0000000010 USER+000 all\n");
}
