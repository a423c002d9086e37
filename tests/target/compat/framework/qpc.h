// SPDX-License-Identifier: MIT
// The header for applications of the test's framework: QS, then macros of older versions based on
// QS's.
#ifndef QPC_H
#define QPC_H

#include "qs_port.h"

void framework_tick(uint_fast8_t rate, void const *sender);
#define QTIMEEVT_TICK_X(rate_, sender_) framework_tick((rate_), (sender_))

#define QS_FILTER_ON(rec_)     QS_GLB_FILTER((rec_))
#define QS_FILTER_OFF(rec_)    QS_GLB_FILTER(-(rec_))
#define QS_FILTER_SM_OBJ(obj_) ((void)(obj_))
#define QS_FILTER_AO_OBJ(obj_) ((void)(obj_))
#define QS_FILTER_MP_OBJ(obj_) ((void)(obj_))
#define QS_FILTER_EQ_OBJ(obj_) ((void)(obj_))
#define QS_FILTER_TE_OBJ(obj_) ((void)(obj_))
#define QS_U32_HEX(width_, x_) (QS_u32_fmt_((uint8_t)((width_) << 4U) | QS_HEX_FMT, (x_)))
#if WF_CFG_QS_VERSION < 730
#define QS_FILTER_AP_OBJ(obj_) (QS_priv_.locFilter_AP = (obj_))
#define LEGACY_OBJECT          QS_priv_.locFilter_AP
#define LEGACY_ENTER           QS_CRIT_STAT_ QS_CRIT_E_();
#else
#define QS_FILTER_AP_OBJ(obj_) (QS_filt_.loc_AP = (obj_))
#define LEGACY_OBJECT          QS_filt_.loc_AP
#define LEGACY_ENTER           QS_CRIT_STAT QS_CRIT_ENTRY();
#endif
#define QS_BEGIN(rec_, obj_)                                                                       \
    if (QS_GLB_CHECK_(rec_) && (!LEGACY_OBJECT || LEGACY_OBJECT == (void *)(obj_))) {              \
        LEGACY_ENTER                                                                               \
        QS_beginRec_((uint_fast8_t)(rec_));                                                        \
        QS_TIME_PRE_();                                                                            \
        {

#endif
