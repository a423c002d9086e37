// SPDX-License-Identifier: MIT
// The kernel calls of QNX's kernel-event logs, by the numbers of QNX 6.4. 7.x probably has the same
// numbers; those of 8.0 differ and are not known. Data only. The form of words: wf_sat.h.
#ifndef WF_SAT_CALLS_H
#define WF_SAT_CALLS_H

// clang-format off

// Groups of words that several calls have, in their wide form.
#define WF_SAT_MSGINFO  "srcnd:x pid tid chid scoid:x coid:x msglen srcmsglen dstmsglen priority flags:x reserved"
#define WF_SAT_CREDINFO "pid sid flags:x ruid euid suid rgid egid sgid ngroups grouplist[0] grouplist[1] " \
                        "grouplist[2] grouplist[3] grouplist[4] grouplist[5] grouplist[6] grouplist[7]"
#define WF_SAT_SSPARAM  "ss_low_priority ss_max_repl ss_repl_period_sec ss_repl_period_nsec " \
                        "ss_init_budget_sec ss_init_budget_nsec"
#define WF_SAT_EVREST   "event.sigev_notify_function_p:p event.sigev_value:x event.sigev_notify_attributes_p:p"

// K(number, name, words at entry, words at exit). The event's number is `number` at entry, 128 more
// at exit, 256 more at a restart. A failed call has two words at exit, -1 and errno, whatever the
// table has.
#define WF_SAT_CALLS(K) \
    K(0, NOP, "*dummy", "") \
    K(1, TRACE_EVENT, "*mode *class event data_1:x data_2:x", "*ret_val") \
    K(2, RING0, "*func_p:p *arg_p:p", "*ret_val") \
    K(7, SYS_CPUPAGE_GET, "*index:x", "*ret_val") \
    K(8, SYS_CPUPAGE_SET, "?", "?") \
    K(10, MSG_CURRENT, "*rcvid:x", "") \
    K(11, MSG_SENDV, "*coid:x sparts rparts *msg:m", "*status *rmsg:m") \
    K(12, MSG_SENDVNC, "*coid:x sparts rparts *msg:m", "*ret_val *rmsg:m") \
    K(13, MSG_ERROR, "*rcvid:x *err", "*ret_val") \
    K(14, MSG_RECEIVEV, "*chid *rparts", "*rcvid:x *rmsg:m info.nd:x " WF_SAT_MSGINFO) \
    K(15, MSG_REPLYV, "*rcvid:x sparts *status smsg:m", "*ret_val") \
    K(16, MSG_READV, "*rcvid:x rmsg_p:p rparts *offset:l", "*rbytes:l *rmsg:m") \
    K(17, MSG_WRITEV, "*rcvid:x sparts *offset:l msg:m", "*wbytes:l") \
    K(18, MSG_READWRITEV, "*src_rcvid:x *dst_rcvid:x", "*msglen:l") \
    K(19, MSG_INFO, "*rcvid:x *info_p:p", "*ret_val *info.nd:x " WF_SAT_MSGINFO) \
    K(20, MSG_SEND_PULSE, "*coid:x priority *code value:x", "*status") \
    K(21, MSG_DELIVER_EVENT, "*rcvid:x *event.sigev_notify " WF_SAT_EVREST, "*ret_val") \
    K(22, MSG_KEYDATA, "*rcvid:x *op", "*ret_val *newkey:x") \
    K(23, MSG_READIOV, "*rcvid:x parts *offset:l flags:x", "*rbytes:l *rmsg:m") \
    K(24, MSG_RECEIVEPULSEV, "*chid *rparts", "*rcvid:x *rmsg:m info.nd:x " WF_SAT_MSGINFO) \
    K(25, MSG_VERIFY_EVENT, "*rcvid:x *event.sigev_notify " WF_SAT_EVREST, "*status") \
    K(26, SIGNAL_KILL, "nd:x *pid tid *signo code value:x", "*ret_val") \
    K(27, SIGNAL_RETURN, "*s_p:p", "*ret_val") \
    K(28, SIGNAL_FAULT, "*sigcode:x *addr:p", "*ret_val *reg_1:x reg_2:x reg_3:x reg_4:x reg_5:x") \
    K(29, SIGNAL_ACTION, \
      "pid sigstub_p:p *signo *act.sa_handler_p:p act.sa_flags:x act.sa_mask.bits[0]:x " \
      "act.sa_mask.bits[1]:x", \
      "*ret_val *act.sa_handler_p:p act.sa_flags:x act.sa_mask.bits[0]:x act.sa_mask.bits[1]:x") \
    K(30, SIGNAL_PROCMASK, \
      "*pid *tid how sig_blocked.bits[0]:x sig_blocked.bits[1]:x", \
      "*ret_val *sig_blocked.bits[0]:x sig_blocked.bits[1]:x") \
    K(31, SIGNAL_SUSPEND, "*sig_blocked.bits[0]:x *sig_blocked.bits[1]:x", "*ret_val *sig_blocked_p:p") \
    K(32, SIGNAL_WAITINFO, \
      "*sig_wait.bits[0]:x *sig_wait.bits[1]:x", \
      "*sig_num si_signo *si_code si_errno p[0]:x p[1]:x p[2]:x p[3]:x p[4]:x p[5]:x p[6]:x") \
    K(35, CHANNEL_CREATE, "*flags:x", "*chid") \
    K(36, CHANNEL_DESTROY, "*chid", "*ret_val") \
    K(37, CHANCON_ATTR, "*chid *flags:x new_attr:x", "*chid *flags:x old_attr:x") \
    K(39, CONNECT_ATTACH, "*nd:x *pid chid index:x flags:x", "*coid:x") \
    K(40, CONNECT_DETACH, "*coid:x", "*ret_val") \
    K(41, CONNECT_SERVER_INFO, "*pid *coid:x", "*coid:x *info.nd:x " WF_SAT_MSGINFO) \
    K(42, CONNECT_CLIENT_INFO, "*scoid:x *ngroups", "*ret_val *info.nd:x " WF_SAT_CREDINFO) \
    K(43, CONNECT_FLAGS, "pid *coid:x masks:x *bits:x", "*old_flags:x") \
    K(46, THREAD_CREATE, \
      "pid *func_p:p *arg_p:p flags:x stacksize:l stackaddr_p:p exitfunc_p:p policy sched_priority " \
      "sched_curpriority " WF_SAT_SSPARAM, \
      "*thread_id *owner") \
    K(47, THREAD_DESTROY, "*tid priority *status_p:p", "*ret_val") \
    K(48, THREAD_DESTROYALL, "", "*ret_val") \
    K(49, THREAD_DETACH, "*tid", "*ret_val") \
    K(50, THREAD_JOIN, "*tid *status_p:p", "*ret_val *status_p:p") \
    K(51, THREAD_CANCEL, "*tid *canstub_p:p", "*ret_val") \
    K(52, THREAD_CTL, "*cmd *data_p:p", "*ret_val") \
    K(55, INTERRUPT_ATTACH, "*intr handler_p:p area_p:p areasize:l *flags:x", "*int_fun_id") \
    K(56, INTERRUPT_DETACH_FUNC, "*intr *handler_p:p", "*ret_val") \
    K(57, INTERRUPT_DETACH, "*id", "*ret_val") \
    K(58, INTERRUPT_WAIT, "*flags:x *timeout_tv_sec timeout_tv_nsec:l", "*ret_val") \
    K(59, INTERRUPT_MASK, "*intr *id", "*mask_level:x") \
    K(60, INTERRUPT_UNMASK, "*intr *id", "*mask_level:x") \
    K(65, CLOCK_TIME, "*id *new(sec) new(nsec):l", "*ret_val *old(sec) old(nsec):l") \
    K(66, CLOCK_ADJUST, \
      "*id *new.tick_count new.tick_nsec_inc:l", \
      "*ret_val *old.tick_count old.tick_nsec_inc:l") \
    K(67, CLOCK_PERIOD, "*id *new.nsec:l new.fract:l", "*ret_val *old.nsec:l old.fract:l") \
    K(68, CLOCK_ID, "*pid *tid", "*ret_val") \
    K(70, TIMER_CREATE, "*timer_id *event.sigev_notify " WF_SAT_EVREST, "*timer_id") \
    K(71, TIMER_DESTROY, "*id", "*ret_val") \
    K(72, TIMER_SETTIME, \
      "*clock_id flags:x *itime.nsec:l itime.interval_nsec:l", \
      "*ret_val *itime.nsec:l itime.interval_nsec:l") \
    K(73, TIMER_INFO, \
      "*pid *id flags:x info_p:p", \
      "*prev_id *info.itime.nsec:l info.itime.interval_nsec:l info.otime.nsec:l " \
      "info.otime.interval_nsec:l info.flags:x info.tid info.notify info.clockid info.overruns " \
      "info.event.sigev_notify info.event.sigev_notify_function_p:p info.event.sigev_value:x " \
      "info.event.sigev_notify_attributes_p:p") \
    K(74, TIMER_ALARM, \
      "*clock_id *itime.nsec:l itime.interval_nsec:l", \
      "*ret_val *itime.nsec:l itime.interval_nsec:l") \
    K(75, TIMER_TIMEOUT, \
      "*clock_id *timeout_flags:x *ntime:l event.sigev_notify " WF_SAT_EVREST, \
      "*prev_timeout_flags:x *otime:l") \
    K(78, SYNC_CREATE, "*type *sync_p:p count owner protocol flags:x prioceiling clockid", "*ret_val") \
    K(79, SYNC_DESTROY, "*sync_p:p count *owner", "*ret_val") \
    K(80, SYNC_MUTEX_LOCK, "*sync_p:p count *owner", "*ret_val") \
    K(81, SYNC_MUTEX_UNLOCK, "*sync_p:p count *owner", "*ret_val") \
    K(82, SYNC_CONDVAR_WAIT, "*sync_p:p *mutex_p:p sync.count sync.owner mutex.count mutex.owner", "*ret_val") \
    K(83, SYNC_CONDVAR_SIGNAL, "*sync_p:p *all sync.count sync.owner", "*ret_val") \
    K(84, SYNC_SEM_POST, "*sync_p:p *count owner", "*ret_val") \
    K(85, SYNC_SEM_WAIT, "*sync_p:p try *count owner", "*ret_val") \
    K(86, SYNC_CTL, "*cmd *sync_p:p data_p:p count owner", "*ret_val") \
    K(87, SYNC_MUTEX_REVIVE, "*sync_p:p count *owner", "*ret_val") \
    K(88, SCHED_GET, "*pid *tid", "*ret_val *sched_priority " WF_SAT_SSPARAM) \
    K(89, SCHED_SET, "*pid tid policy *sched_priority sched_curpriority " WF_SAT_SSPARAM, "*ret_val") \
    K(90, SCHED_YIELD, "", "*ret_val") \
    K(91, SCHED_INFO, \
      "*pid *policy", \
      "*ret_val priority_min *priority_max interval_sec interval_nsec:l priority_priv") \
    K(92, SCHED_CTL, "?", "?") \
    K(93, NET_CRED, "*coid:x *info_p:p", "*ret_val *info.nd:x " WF_SAT_CREDINFO) \
    K(94, NET_VTID, "*vtid:x *info_p:p tid coid:x priority srcmsglen keydata:x srcnd dstmsglen", "*ret_val") \
    K(95, NET_UNBLOCK, "*vtid:x", "*ret_val") \
    K(96, NET_INFOSCOID, "*scoid:x *infoscoid:x", "*ret_val") \
    K(97, NET_SIGNAL_KILL, "cred.ruid cred.euid nd:x *pid tid *signo code value:x", "*status") \
    K(100, MT_CTL, "?", "?") \
    K(101, BAD, "", "*ret_val")

// clang-format on

#endif
