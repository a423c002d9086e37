// SPDX-License-Identifier: MIT
// The macros of compat/qs.h where Q_SPY is defined.
#ifndef QS_ON_H
#define QS_ON_H

#include "compat/qs.h"
#include "wallfly/wallfly.h"
#include "wallfly/wf_raw.h"

#if !WF_CFG_ON
#error "Q_SPY is defined, but WF_CFG_ON is 0"
#endif

// With sizes other than the recorder's, hosts could not decode the stream.
#if defined Q_SIGNAL_SIZE && Q_SIGNAL_SIZE != WF_CFG_SIG_SIZE ||                                   \
    defined QF_EVENT_SIZ_SIZE && QF_EVENT_SIZ_SIZE != WF_CFG_EVT_SIZE ||                           \
    defined QF_EQUEUE_CTR_SIZE && QF_EQUEUE_CTR_SIZE != WF_CFG_QUEUE_CTR_SIZE ||                   \
    defined QF_MPOOL_SIZ_SIZE && QF_MPOOL_SIZ_SIZE != WF_CFG_POOL_BLK_SIZE ||                      \
    defined QF_MPOOL_CTR_SIZE && QF_MPOOL_CTR_SIZE != WF_CFG_POOL_CTR_SIZE ||                      \
    defined QF_TIMEEVT_CTR_SIZE && QF_TIMEEVT_CTR_SIZE != WF_CFG_TIMEEVT_CTR_SIZE ||               \
    defined QS_TIME_SIZE && QS_TIME_SIZE != WF_CFG_TIME_SIZE ||                                    \
    defined QS_OBJ_PTR_SIZE && QS_OBJ_PTR_SIZE != WF_CFG_OBJ_SIZE ||                               \
    defined QS_FUN_PTR_SIZE && QS_FUN_PTR_SIZE != WF_CFG_FUN_SIZE
#error "compile all with -DWF_CFG_FILE='\"compat/qs_config.h\"' and the same sizes"
#endif

#ifdef __cplusplus
extern "C" {
#endif

// ---- start, output, input ----

void QS_initBuf(uint8_t *sto, uint_fast32_t stoSize);
// Returns the next byte or QS_EOD. Context: the caller holds the critical section, as in QS.
uint16_t QS_getByte(void);
// Returns a block of at most *pNbytes bytes and sets *pNbytes to its length. The block stays valid
// until the next QS_getBlock or QS_getByte. Context: as QS_getByte.
const uint8_t *QS_getBlock(uint16_t *pNbytes);
void QS_rxInitBuf(uint8_t *sto, uint16_t stoSize);
void QS_rxParse(void);
uint16_t QS_rxGetNfree(void);
void QS_setCurrObj(uint8_t obj_kind, void *obj_ptr);
void QS_queryCurrObj(uint8_t obj_kind);

// Sets the framework's hooks for commands of the host: tick, event, id_of and query. The other
// hooks are QS's callbacks. Without this call the host gets an error for each such command.
// Context: any.
void qs_compat_hooks(const struct wf_rx_hooks *framework);

void qs_compat_obj_arr_dict(const void *obj, unsigned idx, const char *name);
void qs_compat_assertion(const char *module, uint16_t id, uint32_t delay);
bool qs_compat_is_ours(const void *obj);

#define QS_INIT(arg_)    QS_onStartup(arg_)
#define QS_EXIT()        QS_onCleanup()
#define QS_FLUSH()       QS_onFlush()
#define QS_OUTPUT()      QS_doOutput()
#define QS_RX_INPUT()    QS_doInput()
#define QS_RX_PUT(byte_) wf_rx_put((uint8_t)(byte_))

// ---- filters ----

#define QS_GLB_FILTER(rec_) wf_filter((int)(rec_))
#define QS_LOC_FILTER(id_)  wf_filter_id((int)(id_))

// QP's qpc.h has macros of older versions, made of those of compat/qs_framework.h.
#if !defined QPC_H && !defined QPC_H_
#define QS_FILTER_ON(rec_)   QS_GLB_FILTER(rec_)
#define QS_FILTER_OFF(rec_)  QS_GLB_FILTER(-(rec_))
#define QS_FILTER_AP_OBJ(o_) ((void)(QS_priv_.locFilter_AP = (o_))) // of QS_BEGIN; null: all
// Objects of the framework are filtered by their QS-ID: QS_LOC_FILTER.
#define QS_FILTER_SM_OBJ(o_) ((void)(o_))
#define QS_FILTER_AO_OBJ(o_) ((void)(o_))
#define QS_FILTER_MP_OBJ(o_) ((void)(o_))
#define QS_FILTER_EQ_OBJ(o_) ((void)(o_))
#define QS_FILTER_TE_OBJ(o_) ((void)(o_))
#define QS_U32_HEX(w_, x_)   QS_u32_fmt_((uint8_t)((unsigned)(w_) << 4 | QS_HEX_FMT), (x_))
#define QS_BEGIN(rec_, obj_)                                                                       \
    WFI_QS_IF(WFI_QS_GATE(false, rec_, 0) && qs_compat_is_ours(WFI_QS_OBJ(obj_)))                  \
    const uint32_t wfi_was = wfi_begin((unsigned)(rec_));
#endif

// ---- application records ----

// A plain block, because programs write QS_END() with and without a semicolon.
#define WFI_QS_IF(condition)                                                                       \
    {                                                                                              \
        if (condition) {
#define WFI_QS_END                                                                                 \
    }                                                                                              \
    }
#define WFI_QS_GATE(held, rec_, id_) WFI_GATE(held, (unsigned)(rec_), (unsigned)(id_))

#define QS_BEGIN_ID(rec_, id_)                                                                     \
    WFI_QS_IF(WFI_QS_GATE(false, rec_, id_))                                                       \
    const uint32_t wfi_was = wfi_begin((unsigned)(rec_));
#define QS_END()                                                                                   \
    wfi_end(wfi_was);                                                                              \
    WFI_QS_END
#define QS_BEGIN_INCRIT(rec_, id_)                                                                 \
    WFI_QS_IF(WFI_QS_GATE(true, rec_, id_)) wfi_begin_held((unsigned)(rec_));
#define QS_END_INCRIT()                                                                            \
    wfi_end_held();                                                                                \
    WFI_QS_END
#define QS_BEGIN_NOCRIT(rec_, id_) QS_BEGIN_INCRIT(rec_, id_)
#define QS_END_NOCRIT()            QS_END_INCRIT()

// From 7.2 on QS loses the width of QS_I8.
#define QS_I8(w_, x_)         wf_i8(WF_CFG_QS_VERSION < 720 ? (unsigned)(w_) : 0u, (int8_t)(x_))
#define QS_U8(w_, x_)         wf_u8((unsigned)(w_), (uint8_t)(x_))
#define QS_I16(w_, x_)        wf_i16((unsigned)(w_), (int16_t)(x_))
#define QS_U16(w_, x_)        wf_u16((unsigned)(w_), (uint16_t)(x_))
#define QS_I32(w_, x_)        wf_i32((unsigned)(w_), (int32_t)(x_))
#define QS_U32(w_, x_)        wf_u32((unsigned)(w_), (uint32_t)(x_))
#define QS_I64(w_, x_)        wf_i64((unsigned)(w_), (int64_t)(x_))
#define QS_U64(w_, x_)        wf_u64((unsigned)(w_), (uint64_t)(x_))
#define QS_F32(w_, x_)        wf_f32((unsigned)(w_), (float)(x_))
#define QS_F64(w_, x_)        wf_f64((unsigned)(w_), (double)(x_))
#define QS_STR(s_)            wf_str(s_)
#define QS_MEM(p_, n_)        wf_mem((p_), (uint8_t)(n_))
#define QS_SIG(s_, o_)        wf_sig((uint32_t)(s_), WFI_QS_OBJ(o_))
#define QS_OBJ(o_)            wf_obj(WFI_QS_OBJ(o_))
#define QS_FUN(f_)            wf_fun(WF_FUN(f_))
#define QS_ENUM(group_, val_) wf_enum((unsigned)(group_), (uint8_t)(val_))

// A pointer to any object, const and volatile ones too.
#define WFI_QS_OBJ(o_) ((const void *)(uintptr_t)(o_))

// ---- dictionaries ----

#define QS_SIG_DICTIONARY(s_, o_) WFI_QS_DICT(wfi_sig_dict((uint32_t)(s_), WFI_QS_OBJ(o_), #s_))
#define QS_OBJ_DICTIONARY(o_)     WFI_QS_DICT(wfi_obj_dict(WFI_QS_OBJ(o_), #o_))
#define QS_OBJ_ARR_DICTIONARY(o_, i_)                                                              \
    WFI_QS_DICT(qs_compat_obj_arr_dict(WFI_QS_OBJ(o_), (unsigned)(i_), #o_))
#define QS_FUN_DICTIONARY(f_)      WFI_QS_DICT(wfi_fun_dict(WF_FUN(f_), #f_))
#define QS_USR_DICTIONARY(r_)      WFI_QS_DICT(wfi_usr_dict((uint8_t)(r_), #r_))
#define QS_ENUM_DICTIONARY(v_, g_) WFI_QS_DICT(wfi_enum_dict((uint8_t)(v_), (uint8_t)(g_), #v_))
#define WFI_QS_DICT(call_)         ((call_), QS_onFlush())

// ---- assertions, conditional code, tests ----

// Context: any, inside or outside of a critical section; it takes none.
#define QS_ASSERTION(module_, id_, delay_)                                                         \
    qs_compat_assertion((module_), (uint16_t)(id_), (uint32_t)(delay_))
#define QS_ONLY(...)      __VA_ARGS__
#define QF_QS_ACTION(...) __VA_ARGS__

#if WF_CFG_TEST
#define QS_TEST_PROBE_DEF(fun_)                                                                    \
    const uint32_t qs_tp_ = wfi_probe_get(WF_FUN(fun_));                                           \
    (void)qs_tp_;
#define QS_TEST_PROBE(...)                                                                         \
    if (qs_tp_ != 0u) {                                                                            \
        __VA_ARGS__                                                                                \
    }
#define QS_TEST_PROBE_ID(id_, ...)                                                                 \
    if (qs_tp_ == (uint32_t)(id_)) {                                                               \
        __VA_ARGS__                                                                                \
    }
#define QS_TEST_PAUSE() wfi_test_pause()
#else
#define QS_TEST_PROBE_DEF(fun_)
#define QS_TEST_PROBE(...)
#define QS_TEST_PROBE_ID(id_, ...)
#define QS_TEST_PAUSE() ((void)0)
#endif

// ---- predefined records, field by field, within a critical section ----

#define QS_BEGIN_PRE(rec_, id_)                                                                    \
    WFI_QS_IF(WFI_QS_GATE(true, rec_, id_)) wfi_raw_begin((unsigned)(rec_));
#define QS_END_PRE() QS_END_INCRIT()

#define QS_TIME_PRE()      wfi_raw_stamp()
#define QS_U8_PRE(x_)      wfi_raw((uint8_t)(x_), 1)
#define QS_2U8_PRE(x_, y_) (wfi_raw((uint8_t)(x_), 1), wfi_raw((uint8_t)(y_), 1))
#define QS_U16_PRE(x_)     wfi_raw((uint16_t)(x_), 2)
#define QS_U32_PRE(x_)     wfi_raw((uint32_t)(x_), 4)
#define QS_STR_PRE(s_)     wfi_raw_text(s_)
#define QS_SIG_PRE(s_)     wfi_raw((uint32_t)(s_), WF_CFG_SIG_SIZE)
#define QS_OBJ_PRE(o_)     wfi_raw((uintptr_t)(o_), WF_CFG_OBJ_SIZE)
#define QS_FUN_PRE(f_)     wfi_raw((uintptr_t)(f_), WF_CFG_FUN_SIZE)
#define QS_EQC_PRE(x_)     wfi_raw((uint32_t)(x_), WF_CFG_QUEUE_CTR_SIZE)
#define QS_EVS_PRE(x_)     wfi_raw((uint32_t)(x_), WF_CFG_EVT_SIZE)
#define QS_MPS_PRE(x_)     wfi_raw((uint32_t)(x_), WF_CFG_POOL_BLK_SIZE)
#define QS_MPC_PRE(x_)     wfi_raw((uint32_t)(x_), WF_CFG_POOL_CTR_SIZE)
#define QS_TEC_PRE(x_)     wfi_raw((uint32_t)(x_), WF_CFG_TIMEEVT_CTR_SIZE)

#ifdef __cplusplus
}
#endif
#endif
