// SPDX-License-Identifier: MIT
// The macros of compat/qs.h where Q_SPY is not defined: nothing, and no argument is evaluated.
#ifndef QS_OFF_H
#define QS_OFF_H

#include "compat/qs.h"

#define WFI_QS_NOTHING ((void)0)

#define QS_INIT(arg_)                  ((uint8_t)1) // success
#define QS_EXIT()                      WFI_QS_NOTHING
#define QS_FLUSH()                     WFI_QS_NOTHING
#define QS_OUTPUT()                    WFI_QS_NOTHING
#define QS_RX_INPUT()                  WFI_QS_NOTHING
#define QS_RX_PUT(byte_)               (true)
#define QS_initBuf(sto_, size_)        WFI_QS_NOTHING
#define QS_getByte()                   QS_EOD
#define QS_getBlock(n_)                ((const uint8_t *)0)
#define QS_rxInitBuf(sto_, size_)      WFI_QS_NOTHING
#define QS_rxParse()                   WFI_QS_NOTHING
#define QS_rxGetNfree()                ((uint16_t)0)
#define QS_setCurrObj(kind_, obj_)     WFI_QS_NOTHING
#define QS_queryCurrObj(kind_)         WFI_QS_NOTHING
#define qs_compat_hooks(framework_)    WFI_QS_NOTHING
#define QS_GLB_FILTER(rec_)            WFI_QS_NOTHING
#define QS_LOC_FILTER(id_)             WFI_QS_NOTHING
#define QS_FILTER_ON(rec_)             WFI_QS_NOTHING
#define QS_FILTER_OFF(rec_)            WFI_QS_NOTHING
#define QS_FILTER_AP_OBJ(o_)           WFI_QS_NOTHING
#define QS_BEGIN_ID(rec_, id_)         if (0) {
#define QS_BEGIN(rec_, obj_)           if (0) {
#define QS_END()                       }
#define QS_BEGIN_INCRIT(rec_, id_)     if (0) {
#define QS_END_INCRIT()                }
#define QS_BEGIN_NOCRIT(rec_, id_)     if (0) {
#define QS_END_NOCRIT()                }
#define QS_BEGIN_PRE(rec_, id_)        if (0) {
#define QS_END_PRE()                   }
#define QS_I8(w_, x_)                  WFI_QS_NOTHING
#define QS_U8(w_, x_)                  WFI_QS_NOTHING
#define QS_I16(w_, x_)                 WFI_QS_NOTHING
#define QS_U16(w_, x_)                 WFI_QS_NOTHING
#define QS_I32(w_, x_)                 WFI_QS_NOTHING
#define QS_U32(w_, x_)                 WFI_QS_NOTHING
#define QS_I64(w_, x_)                 WFI_QS_NOTHING
#define QS_U64(w_, x_)                 WFI_QS_NOTHING
#define QS_F32(w_, x_)                 WFI_QS_NOTHING
#define QS_F64(w_, x_)                 WFI_QS_NOTHING
#define QS_STR(s_)                     WFI_QS_NOTHING
#define QS_MEM(p_, n_)                 WFI_QS_NOTHING
#define QS_SIG(s_, o_)                 WFI_QS_NOTHING
#define QS_OBJ(o_)                     WFI_QS_NOTHING
#define QS_FUN(f_)                     WFI_QS_NOTHING
#define QS_ENUM(group_, val_)          WFI_QS_NOTHING
#define QS_SIG_DICTIONARY(s_, o_)      WFI_QS_NOTHING
#define QS_OBJ_DICTIONARY(o_)          WFI_QS_NOTHING
#define QS_OBJ_ARR_DICTIONARY(o_, i_)  WFI_QS_NOTHING
#define QS_FUN_DICTIONARY(f_)          WFI_QS_NOTHING
#define QS_USR_DICTIONARY(r_)          WFI_QS_NOTHING
#define QS_ENUM_DICTIONARY(v_, g_)     WFI_QS_NOTHING
#define QS_ASSERTION(module_, id_, d_) WFI_QS_NOTHING
#define QS_ONLY(...)                   WFI_QS_NOTHING
#define QF_QS_ACTION(...)              WFI_QS_NOTHING
#define QS_TEST_PROBE_DEF(fun_)
#define QS_TEST_PROBE(...)
#define QS_TEST_PROBE_ID(id_, ...)
#define QS_TEST_PAUSE()    WFI_QS_NOTHING
#define QS_TIME_PRE()      WFI_QS_NOTHING
#define QS_U8_PRE(x_)      WFI_QS_NOTHING
#define QS_2U8_PRE(x_, y_) WFI_QS_NOTHING
#define QS_U16_PRE(x_)     WFI_QS_NOTHING
#define QS_U32_PRE(x_)     WFI_QS_NOTHING
#define QS_STR_PRE(s_)     WFI_QS_NOTHING
#define QS_SIG_PRE(s_)     WFI_QS_NOTHING
#define QS_OBJ_PRE(o_)     WFI_QS_NOTHING
#define QS_FUN_PRE(f_)     WFI_QS_NOTHING
#define QS_EQC_PRE(x_)     WFI_QS_NOTHING
#define QS_EVS_PRE(x_)     WFI_QS_NOTHING
#define QS_MPS_PRE(x_)     WFI_QS_NOTHING
#define QS_MPC_PRE(x_)     WFI_QS_NOTHING
#define QS_TEC_PRE(x_)     WFI_QS_NOTHING

#endif
