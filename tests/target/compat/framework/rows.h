// SPDX-License-Identifier: MIT
// Records as the framework makes them: record, QS-ID, fields, and the host's line.
#define OBJ   QS_OBJ_PRE_(within(&thing));
#define OBJ2  QS_OBJ_PRE_(within(&other));
#define FUN   QS_FUN_PRE_(&a_state);
#define FUN2  QS_FUN_PRE_(&b_state);
#define SIG   QS_SIG_PRE_(A_SIG);
#define STAMP QS_TIME_PRE_();
#define TWO   QS_2U8_PRE_(1U, 2U);
#define FREE  QS_EQC_PRE_(9U);
#define LEAST QS_EQC_PRE_(8U);
#define EVT   "Evt<Sig=A_SIG,Pool=1,Ref=2>"
#define AT    "0000000010 "

#define ROWS(R)                                                                                    \
    R(QS_QEP_STATE_ENTRY, 1, OBJ FUN, "===RTC===> St-Entry Obj=thing,State=a_state")               \
    R(QS_QEP_STATE_EXIT, 1, OBJ FUN, "===RTC===> St-Exit  Obj=thing,State=a_state")                \
    R(QS_QEP_STATE_INIT, 1, OBJ FUN FUN2, "===RTC===> St-Init  Obj=thing,State=a_state->b_state")  \
    R(QS_QEP_INIT_TRAN, 1, STAMP OBJ FUN, AT "Init===> Obj=thing,State=a_state")                   \
    R(QS_QEP_INTERN_TRAN, 1, STAMP SIG OBJ FUN, AT "=>Intern Obj=thing,Sig=A_SIG,State=a_state")   \
    R(QS_QEP_TRAN, 1, STAMP SIG OBJ FUN FUN2,                                                      \
      AT "===>Tran Obj=thing,Sig=A_SIG,State=a_state->b_state")                                    \
    R(QS_QEP_IGNORED, 1, STAMP SIG OBJ FUN, AT "=>Ignore Obj=thing,Sig=A_SIG,State=a_state")       \
    R(QS_QEP_DISPATCH, 1, STAMP SIG OBJ FUN, AT "Disp===> Obj=thing,Sig=A_SIG,State=a_state")      \
    R(QS_QEP_UNHANDLED, 1, SIG OBJ FUN, "===RTC===> St-Unhnd Obj=thing,Sig=A_SIG,State=a_state")   \
    R(QS_QEP_TRAN_HIST, 1, OBJ FUN FUN2, "===RTC===> St-Hist  Obj=thing,State=a_state->b_state")   \
    R(QS_QEP_TRAN_EP, 1, OBJ FUN FUN2, "===RTC===> St-EP    Obj=thing,State=a_state->b_state")     \
    R(QS_QEP_TRAN_XP, 1, OBJ FUN FUN2, "===RTC===> St-XP    Obj=thing,State=a_state->b_state")     \
    R(QS_QF_ACTIVE_DEFER, 1, STAMP OBJ OBJ2 SIG TWO, AT "AO-Defer Obj=thing,Que=other," EVT)       \
    R(QS_QF_ACTIVE_RECALL, 1, STAMP OBJ OBJ2 SIG TWO, AT "AO-RCall Obj=thing,Que=other," EVT)      \
    R(QS_QF_ACTIVE_RECALL_ATTEMPT, 1, STAMP OBJ OBJ2, AT "AO-RCllA Obj=thing,Que=other")           \
    R(QS_QF_ACTIVE_SUBSCRIBE, 1, STAMP SIG OBJ, AT "AO-Subsc Obj=thing,Sig=A_SIG")                 \
    R(QS_QF_ACTIVE_UNSUBSCRIBE, 1, STAMP SIG OBJ, AT "AO-Unsub Obj=thing,Sig=A_SIG")               \
    R(QS_QF_ACTIVE_POST, 1, STAMP OBJ SIG OBJ2 TWO FREE LEAST,                                     \
      AT "AO-Post  Sdr=thing,Obj=other," EVT ",Que<Free=9,Min=8>")                                 \
    R(QS_QF_ACTIVE_POST_ATTEMPT, 1, STAMP OBJ SIG OBJ2 TWO FREE LEAST,                             \
      AT "AO-PostA Sdr=thing,Obj=other," EVT ",Que<Free=9,Mar=8>")                                 \
    R(QS_QF_ACTIVE_POST_LIFO, 1, STAMP SIG OBJ TWO FREE LEAST,                                     \
      AT "AO-LIFO  Obj=thing," EVT ",Que<Free=9,Min=8>")                                           \
    R(QS_QF_ACTIVE_GET, 1, STAMP SIG OBJ TWO FREE, AT "AO-Get   Obj=thing," EVT ",Que<Free=9>")    \
    R(QS_QF_ACTIVE_GET_LAST, 1, STAMP SIG OBJ TWO, AT "AO-GetL  Obj=thing," EVT)                   \
    R(QS_QF_EQUEUE_POST, 1, STAMP SIG OBJ TWO FREE LEAST,                                          \
      AT "EQ-Post  Obj=thing," EVT ",Que<Free=9,Min=8>")                                           \
    R(QS_QF_EQUEUE_POST_ATTEMPT, 1, STAMP SIG OBJ TWO FREE LEAST,                                  \
      AT "EQ-PostA Obj=thing," EVT ",Que<Free=9,Mar=8>")                                           \
    R(QS_QF_EQUEUE_POST_LIFO, 1, STAMP SIG OBJ TWO FREE LEAST,                                     \
      AT "EQ-LIFO Obj=thing," EVT ",Que<Free=9,Min=8>")                                            \
    R(QS_QF_EQUEUE_GET, 1, STAMP SIG OBJ TWO FREE, AT "EQ-Get   Obj=thing," EVT ",Que<Free=9>")    \
    R(QS_QF_EQUEUE_GET_LAST, 1, STAMP SIG OBJ TWO, AT "EQ-GetL  Obj=thing," EVT)                   \
    R(QS_QF_NEW, QS_EP_ID + 1, STAMP QS_EVS_PRE_(12U); SIG, AT "QF-New   Sig=A_SIG,Size=12")       \
    R(QS_QF_NEW_ATTEMPT, QS_EP_ID + 1, STAMP QS_EVS_PRE_(12U);                                     \
      SIG, AT "QF-NewA  Sig=A_SIG,Size=12")                                                        \
    R(QS_QF_NEW_REF, QS_EP_ID + 1, STAMP SIG TWO, AT "QF-NewRf " EVT)                              \
    R(QS_QF_DELETE_REF, QS_EP_ID + 1, STAMP SIG TWO, AT "QF-DelRf " EVT)                           \
    R(QS_QF_GC, QS_EP_ID + 1, STAMP SIG TWO, AT "QF-gc    " EVT)                                   \
    R(QS_QF_GC_ATTEMPT, QS_EP_ID + 1, STAMP SIG TWO, AT "QF-gcA   " EVT)                           \
    R(QS_QF_MPOOL_GET, QS_EP_ID + 1, STAMP OBJ QS_MPC_PRE_(5U); QS_MPC_PRE_(4U);                   \
      , AT "MP-Get   Obj=thing,Free=5,Min=4")                                                      \
    R(QS_QF_MPOOL_GET_ATTEMPT, QS_EP_ID + 1, STAMP OBJ QS_MPC_PRE_(5U); QS_MPC_PRE_(4U);           \
      , AT "MP-GetA  Obj=thing,Free=5,Mar=4")                                                      \
    R(QS_QF_MPOOL_PUT, QS_EP_ID + 1, STAMP OBJ QS_MPC_PRE_(5U);, AT "MP-Put   Obj=thing,Free=5")   \
    R(QS_QF_PUBLISH, 0, STAMP OBJ SIG TWO, AT "QF-Pub   Sdr=thing," EVT)                           \
    R(QS_QF_RUN, 0, , "           QF_RUN")                                                         \
    R(QS_QF_TICK, 0, QS_TEC_PRE_(7U); QS_U8_PRE_(1U);, "           Tick<1>  Ctr=0000000007")       \
    R(QS_QF_TIMEEVT_ARM, 1, STAMP OBJ OBJ2 QS_TEC_PRE_(7U); QS_TEC_PRE_(6U); QS_U8_PRE_(1U);       \
      , AT "TE1-Arm  Obj=thing,AO=other,Tim=7,Int=6")                                              \
    R(QS_QF_TIMEEVT_DISARM, 1, STAMP OBJ OBJ2 QS_TEC_PRE_(7U); QS_TEC_PRE_(6U); QS_U8_PRE_(1U);    \
      , AT "TE1-Dis  Obj=thing,AO=other,Tim=7,Int=6")                                              \
    R(QS_QF_TIMEEVT_REARM, 1, STAMP OBJ OBJ2 QS_TEC_PRE_(7U); QS_TEC_PRE_(6U);                     \
      QS_2U8_PRE_(0U, 1U);, AT "TE1-Rarm Obj=thing,AO=other,Tim=7,Int=6,Was=0")                    \
    R(QS_QF_TIMEEVT_AUTO_DISARM, 1, OBJ OBJ2 QS_U8_PRE_(1U);                                       \
      , "           TE1-ADis Obj=thing,AO=other")                                                  \
    R(QS_QF_TIMEEVT_DISARM_ATTEMPT, 1, STAMP OBJ OBJ2 QS_U8_PRE_(1U);                              \
      , AT "TE1-DisA Obj=thing,AO=other")                                                          \
    R(QS_QF_TIMEEVT_POST, 1, STAMP OBJ SIG OBJ2 QS_U8_PRE_(1U);                                    \
      , AT "TE1-Post Obj=thing,Sig=A_SIG,AO=other")                                                \
    R(QS_SCHED_LOCK, 0, STAMP TWO, AT "Sch-Lock Ceil=1->2")                                        \
    R(QS_SCHED_UNLOCK, 0, STAMP TWO, AT "Sch-Unlk Ceil=1->2")                                      \
    R(QS_SCHED_NEXT, 1, STAMP TWO, AT "Sch-Next Pri=2->1")                                         \
    R(QS_SCHED_IDLE, 0, STAMP QS_U8_PRE_(2U);, AT "Sch-Idle Pri=2->0")                             \
    OLD_ROWS(R)

#if WF_CFG_QS_VERSION < 710
#define OLD_ROWS(R)                                                                                \
    R(QS_MUTEX_LOCK, 0, STAMP TWO, AT "Mtx-Lock Pro=1,Ceil=2")                                     \
    R(QS_MUTEX_UNLOCK, 0, STAMP TWO, AT "Mtx-Unlk Pro=1,Ceil=2")
#else
#define OLD_ROWS(R)                                                                                \
    R(QS_SEM_TAKE, 1, STAMP OBJ TWO, AT "Sem-Take thing,Thr=1,Cnt=2")                              \
    R(QS_SEM_BLOCK, 1, STAMP OBJ TWO, AT "Sem-Blk  thing,Thr=1,Cnt=2")                             \
    R(QS_SEM_SIGNAL, 1, STAMP OBJ TWO, AT "Sem-Sgnl thing,Thr=1,Cnt=2")                            \
    R(QS_SEM_BLOCK_ATTEMPT, 1, STAMP OBJ TWO, AT "Sem-BlkA thing,Thr=1,Cnt=2")                     \
    R(QS_MTX_LOCK, 1, STAMP OBJ TWO, AT "Mtx-Lock thing,Hldr=1,Nest=2")                            \
    R(QS_MTX_BLOCK, 1, STAMP OBJ TWO, AT "Mtx-Blk  thing,Hldr=1,Thr=2")                            \
    R(QS_MTX_UNLOCK, 1, STAMP OBJ TWO, AT "Mtx-Unlk thing,Hldr=1,Nest=2")                          \
    R(QS_MTX_BLOCK_ATTEMPT, 1, STAMP OBJ TWO, AT "Mtx-BlkA thing,Hldr=1,Thr=2")                    \
    R(QS_MTX_UNLOCK_ATTEMPT, 1, STAMP OBJ TWO, AT "Mtx-UlkA thing,Hldr=1,Nest=2")
#endif
