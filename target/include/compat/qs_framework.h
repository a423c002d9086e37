// SPDX-License-Identifier: MIT
// The parts of QS that the sources of QP's framework and ports use, and applications do not, as in
// QS version WF_CFG_QS_VERSION (6.9 to 7.4). docs/qp.md describes how to build a framework with
// it. compat/qs.h includes this file.
#ifndef QS_FRAMEWORK_H
#define QS_FRAMEWORK_H

#include "compat/qs_on.h"

#if defined QP_VERSION && QP_VERSION / 10 != WF_CFG_QS_VERSION / 10
#error "this is another version of QP: give -DWF_CFG_QS_VERSION=, e.g. 693, 701, 724, 734 or 740"
#endif

// From this version on the framework holds the critical section where it records.
#define WFI_QS_CALLER_LOCKS (WF_CFG_QS_VERSION >= 730)

#ifdef __cplusplus
extern "C" {
#endif

// The critical section of the port (wf_port.h), for the macros below.
uint32_t qs_compat_lock(void);
void qs_compat_unlock(uint32_t was);

// Members that sources of QP read or set: the filters' bitmaps, and the object of QS_BEGIN.
struct qs_compat_priv {
    uint8_t *glbFilter, *locFilter;
    const void *locFilter_AP; // null: all
};
struct qs_compat_filt {
    uint8_t *glb, *loc;
    const void *loc_AP; // null: all
};
struct qs_compat_rx {
    void *const *currObj; // by kind
};
extern struct qs_compat_priv QS_priv_;
extern struct qs_compat_filt QS_filt_;
struct qs_compat_rx qs_compat_rx(void);
#define QS_rxPriv_ qs_compat_rx()

// An element with the format byte given.
void qs_compat_u32_fmt(uint8_t format, uint32_t value);

#ifdef __cplusplus
}
#endif

// ---- the critical section, for 7.3 and later and for older versions

#define WFI_QS_STAT                                                                                \
    uint32_t wfi_was = 0;                                                                          \
    (void)wfi_was;
#define WFI_QS_ENTRY() (wfi_was = qs_compat_lock())
#define WFI_QS_EXIT()  qs_compat_unlock(wfi_was)

#define QS_CRIT_STAT    WFI_QS_STAT
#define QS_CRIT_ENTRY() WFI_QS_ENTRY()
#define QS_CRIT_EXIT()  WFI_QS_EXIT()
#define QS_CRIT_STAT_   WFI_QS_STAT
#define QS_CRIT_E_()    WFI_QS_ENTRY()
#define QS_CRIT_X_()    WFI_QS_EXIT()

// Protection of memory: that of the port, if it has one.
#ifdef QF_MEM_ISOLATE
#define QS_MEM_SYS() QF_MEM_SYS()
#define QS_MEM_APP() QF_MEM_APP()
#else
#define QS_MEM_SYS() ((void)0)
#define QS_MEM_APP() ((void)0)
#endif

// ---- filters

#define QS_GLB_CHECK_(rec_) ((wfi.glb[(unsigned)(rec_) >> 3] >> ((unsigned)(rec_)&7u) & 1u) != 0u)
#define QS_LOC_CHECK_(id_)  ((wfi.loc[(unsigned)(id_) >> 3] >> ((unsigned)(id_)&7u) & 1u) != 0u)

// ---- predefined records, field by field

#define QS_beginRec_(rec_) wfi_raw_begin((unsigned)(rec_)) // within a critical section
#define QS_endRec_()       wfi_end_held()

#define QS_BEGIN_NOCRIT_PRE_(rec_, id_) QS_BEGIN_PRE(rec_, id_)
#define QS_END_NOCRIT_PRE_()            QS_END_PRE()
#if WFI_QS_CALLER_LOCKS
#define QS_BEGIN_PRE_(rec_, id_) QS_BEGIN_PRE(rec_, id_)
#define QS_END_PRE_()            QS_END_PRE()
#else // QS_CRIT_STAT_ is defined above
#define QS_BEGIN_PRE_(rec_, id_)                                                                   \
    WFI_QS_IF(WFI_QS_GATE(false, rec_, id_))                                                       \
    WFI_QS_ENTRY();                                                                                \
    wfi_raw_begin((unsigned)(rec_));
#define QS_END_PRE_()                                                                              \
    wfi_end_held();                                                                                \
    WFI_QS_EXIT();                                                                                 \
    WFI_QS_END
#endif

#define QS_TIME_PRE_()      QS_TIME_PRE()
#define QS_U8_PRE_(x_)      QS_U8_PRE(x_)
#define QS_2U8_PRE_(x_, y_) QS_2U8_PRE(x_, y_)
#define QS_U16_PRE_(x_)     QS_U16_PRE(x_)
#define QS_U32_PRE_(x_)     QS_U32_PRE(x_)
#define QS_STR_PRE_(s_)     QS_STR_PRE(s_)
#define QS_SIG_PRE_(s_)     QS_SIG_PRE(s_)
#define QS_OBJ_PRE_(o_)     QS_OBJ_PRE(o_)
#define QS_FUN_PRE_(f_)     QS_FUN_PRE(f_)
#define QS_EQC_PRE_(x_)     QS_EQC_PRE(x_)
#define QS_EVS_PRE_(x_)     QS_EVS_PRE(x_)
#define QS_MPS_PRE_(x_)     QS_MPS_PRE(x_)
#define QS_MPC_PRE_(x_)     QS_MPC_PRE(x_)
#define QS_TEC_PRE_(x_)     QS_TEC_PRE(x_)

// Records that a state is entered or left (7.3 and later). Context: a function of the state machine
// `me`, outside of a critical section. A definition of QP's own takes precedence.
#define WFI_QS_STATE(rec_, state_, id_)                                                            \
    {                                                                                              \
        WFI_QS_STAT                                                                                \
        WFI_QS_ENTRY();                                                                            \
        QS_BEGIN_PRE(rec_, id_)                                                                    \
        QS_OBJ_PRE(me);                                                                            \
        QS_FUN_PRE(state_);                                                                        \
        QS_END_PRE()                                                                               \
        WFI_QS_EXIT();                                                                             \
    }
#ifndef QS_STATE_ENTRY_
#define QS_STATE_ENTRY_(state_, id_) WFI_QS_STATE(QS_QEP_STATE_ENTRY, state_, id_)
#define QS_STATE_EXIT_(state_, id_)  WFI_QS_STATE(QS_QEP_STATE_EXIT, state_, id_)
#endif

// ---- names of objects, with the text given

#define QS_sig_dict_pre_(s_, o_, name_)                                                            \
    WFI_QS_DICT(wfi_sig_dict((uint32_t)(s_), WFI_QS_OBJ(o_), (name_)))
#define QS_obj_dict_pre_(o_, name_) WFI_QS_DICT(wfi_obj_dict(WFI_QS_OBJ(o_), (name_)))
#define QS_obj_arr_dict_pre_(o_, i_, name_)                                                        \
    WFI_QS_DICT(qs_compat_obj_arr_dict(WFI_QS_OBJ(o_), (unsigned)(i_), (name_)))
#define QS_fun_dict_pre_(f_, name_) WFI_QS_DICT(wfi_fun_dict(WF_FUN(f_), (name_)))
#define QS_usr_dict_pre_(r_, name_) WFI_QS_DICT(wfi_usr_dict((uint8_t)(r_), (name_)))
#define QS_enum_dict_pre_(v_, g_, name_)                                                           \
    WFI_QS_DICT(wfi_enum_dict((uint8_t)(v_), (uint8_t)(g_), (name_)))

// ---- for applications of older versions; QP's own headers may define the same again

#define QS_u32_fmt_(format_, x_) qs_compat_u32_fmt((uint8_t)(format_), (uint32_t)(x_))

// ---- names that ports define

#define QS_output   QS_doOutput
#define QS_rx_input QS_doInput

#endif
