// SPDX-License-Identifier: MIT
// QS's options as wallfly's. All files of the program, those of the recorder too, are compiled with
//
//   -DQ_SPY -DWF_CFG_FILE='"compat/qs_config.h"' and the sizes that differ, e.g. -DQ_SIGNAL_SIZE=4
//
// Sizes in QP's port header (WF_CFG_QS_PORT) are taken from there. For sizes in another header,
// name a file of your own with WF_CFG_FILE; it includes that header and then this one. Options
// that are not defined have wallfly's defaults; any WF_CFG_ option may be added.
#ifndef QS_CONFIG_H
#define QS_CONFIG_H

// QP's port header has or includes the sizes of the framework.
#if defined WF_CFG_QS_PORT && defined Q_SPY
#include WF_CFG_QS_PORT
#endif

#ifndef WF_CFG_ON
#ifdef Q_SPY
#define WF_CFG_ON 1
#else
#define WF_CFG_ON 0
#endif
#endif

#ifdef WF_CFG_PACKED
#if WF_CFG_PACKED
#error "WF_CFG_PACKED: QSPY, QView and QUTest cannot read packed frames (docs/packed.md)"
#endif
#endif
#if defined Q_UTEST && !defined WF_CFG_TEST
#define WF_CFG_TEST 1
#endif
#if defined QS_TIME_SIZE && !defined WF_CFG_TIME_SIZE
#define WF_CFG_TIME_SIZE QS_TIME_SIZE
#endif
#if defined QS_OBJ_PTR_SIZE && !defined WF_CFG_OBJ_SIZE
#define WF_CFG_OBJ_SIZE QS_OBJ_PTR_SIZE
#endif
#if defined QS_FUN_PTR_SIZE && !defined WF_CFG_FUN_SIZE
#define WF_CFG_FUN_SIZE QS_FUN_PTR_SIZE
#endif
#if defined Q_SIGNAL_SIZE && !defined WF_CFG_SIG_SIZE
#define WF_CFG_SIG_SIZE Q_SIGNAL_SIZE
#endif
#if defined QF_EVENT_SIZ_SIZE && !defined WF_CFG_EVT_SIZE
#define WF_CFG_EVT_SIZE QF_EVENT_SIZ_SIZE
#endif
#if defined QF_EQUEUE_CTR_SIZE && !defined WF_CFG_QUEUE_CTR_SIZE
#define WF_CFG_QUEUE_CTR_SIZE QF_EQUEUE_CTR_SIZE
#endif
#if defined QF_MPOOL_CTR_SIZE && !defined WF_CFG_POOL_CTR_SIZE
#define WF_CFG_POOL_CTR_SIZE QF_MPOOL_CTR_SIZE
#endif
#if defined QF_MPOOL_SIZ_SIZE && !defined WF_CFG_POOL_BLK_SIZE
#define WF_CFG_POOL_BLK_SIZE QF_MPOOL_SIZ_SIZE
#endif
#if defined QF_TIMEEVT_CTR_SIZE && !defined WF_CFG_TIMEEVT_CTR_SIZE
#define WF_CFG_TIMEEVT_CTR_SIZE QF_TIMEEVT_CTR_SIZE
#endif
#if defined QF_MAX_ACTIVE && !defined WF_CFG_MAX_ACTIVE
#define WF_CFG_MAX_ACTIVE QF_MAX_ACTIVE
#endif
#if defined QF_MAX_EPOOL && !defined WF_CFG_MAX_POOLS
#define WF_CFG_MAX_POOLS QF_MAX_EPOOL
#endif
#if defined QF_MAX_TICK_RATE && !defined WF_CFG_MAX_RATES
#define WF_CFG_MAX_RATES QF_MAX_TICK_RATE
#endif

#endif
