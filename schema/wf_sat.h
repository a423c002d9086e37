// SPDX-License-Identifier: MIT
// The event table of QNX's kernel-event logs (.kev): classes, events and their words, as far as
// they are publicly documented for QNX 6.x to 8.0. Data only. wf_slot.h defines the slots that
// contain them, wf_sat_calls.h the kernel calls; docs/traceprinter.md lists what is unconfirmed.
#ifndef WF_SAT_H
#define WF_SAT_H

#include "wf_sat_calls.h"
#include "wf_slot.h"

// clang-format off

// ---------------------------------------------------------------------------------------------
// Classes of QNX's interface (external). They divide the classes of the slots (internal;
// wf_slot.h). Rules that convert the external event e to the internal event:
//   PLUS   base + e
//   BIT    base + k, where e is 2^k (in QNX 8.0 base + e)
//   STEP   base * (k + 1), where e is 2^k
//   FIXED  base for every e: e is the number of the interrupt, word number `word`
//   ALL    no event of its own: combines several classes
// The class has `count` events of the internal class, from base on.
// C(external, name, internal, rule, base, count, word); internal: WF_SLOT_CLASS_ and this name
#define WF_SAT_CLASSES(C) \
    C(0,  EMPTY,             EMPTY,   PLUS,    0, 1024, 0) \
    C(1,  CONTROL,           CONTROL, PLUS,    0, 1024, 0) \
    C(2,  KERCALL,           KERCALL, ALL,     0,    0, 0) \
    C(3,  KERCALLENTER,      KERCALL, PLUS,    0,  128, 0) \
    C(4,  KERCALLEXIT,       KERCALL, PLUS,  128,  128, 0) \
    C(5,  KERCALLINT,        KERCALL, PLUS,  256,  128, 0) \
    C(6,  INT,               INT,     ALL,     0,    0, 0) \
    C(7,  INTENTER,          INT,     FIXED,   1,    1, 0) \
    C(8,  INTEXIT,           INT,     FIXED,   2,    1, 0) \
    C(9,  PROCESS,           PR_TH,   STEP,   64,  448, 0) \
    C(10, THREAD,            PR_TH,   BIT,     0,   26, 0) \
    C(11, VTHREAD,           PR_TH,   BIT,    26,   26, 0) \
    C(12, USER,              USER,    PLUS,    0, 1024, 0) \
    C(13, SYSTEM,            SYSTEM,  PLUS,    0,  512, 0) \
    C(14, COMM,              COMM,    PLUS,    0,  512, 0) \
    C(15, INT_HANDLER_ENTER, INT,     FIXED,   3,    1, 1) \
    C(16, INT_HANDLER_EXIT,  INT,     FIXED,   4,    1, 0) \
    C(17, QUIP,              QUIP,    PLUS,    0, 1024, 0) \
    C(18, SEC,               SEC,     PLUS,    0,  512, 0) \
    C(19, QVM,               QVM,     PLUS,    0,  512, 0) \
    C(20, PMU,               PMU,     PLUS,    0,  512, 0)

// Bit in the event number of kernel calls, processes, threads, SYSTEM, COMM, SEC, QVM and PMU: the
// variant with 64-bit pointers and lengths (QNX 7.0 on).
#define WF_SAT_64 0x200

// ---------------------------------------------------------------------------------------------
// Words of an event: names, separated by blanks. The fast form of an event has only the words with
// `*` before the name, in this order. After the name comes the format of the word:
//   (none)  decimal, signed                  :u  decimal, unsigned
//   :x      0x and 8 hexadecimal digits      :p  the same; 64 bits in the 64-bit variant
//   :l      decimal; 64 bits in the 64-bit variant, or if the event has that many words
//   :q      64 bits, decimal                 :Q  64 bits, hexadecimal, not padded
//   :m      bytes of a message, up to three words, in the fast form one
//   :t      text, up to its zero or the end of the event
// "": the words have no meaning; "?": the words have an unknown meaning. 64 bits take two words,
// the low one first on a little-endian target.

// Classes CONTROL, COMM, SYSTEM, SEC, QVM, PMU, and the processes of PR_TH.
// E(internal class, number in the class, name, text that printers show, words). QNX's interface has
// _NTO_TRACE_ before the name; some names also have their class in between.
#define WF_SAT_EVENTS(E) \
    E(CONTROL, WF_SLOT_CONTROL_TIME, TIME,             "TIME",             "*msb:x *lsb(offset):x") \
    E(CONTROL, WF_SLOT_CONTROL_BUFFER, BUFFER,           "BUFFER",           "*sequence:u *num_events:u") \
    E(CONTROL, WF_SLOT_CONTROL_BUFFER_END, BUFFER_END,       "BUFFER_END",       "?") \
    E(CONTROL, WF_SLOT_CONTROL_DROPPED, DROPPED,          "DROPPED",          "?") \
    E(INT,   1, INTENTER,         "INTENTER",         "*intr *ip:x") \
    E(INT,   2, INTEXIT,          "INTEXIT",          "*intr *inkernel:x") \
    E(INT,   3, INT_HANDLER_ENTER, "INT_HANDLER_ENTER", "*pid *intr *ip:x *area:x") \
    E(INT,   4, INT_HANDLER_EXIT, "INT_HANDLER_EXIT", "*intr *sigevent") \
    E(INT,   5, INTENTER_64,      "INTENTER",         "*intr *ip:Q") \
    E(INT,   6, INT_HANDLER_ENTER_64, "INT_HANDLER_ENTER", "*pid *intr *ip:Q *area:Q") \
    E(INT,   7, INT_DELIVER,      "INT_DELIVER",      "?") \
    E(PR_TH,  64, PROCCREATE,       "PROCCREATE",       "*ppid *pid") \
    E(PR_TH, 128, PROCDESTROY,      "PROCDESTROY",      "*ppid *pid") \
    E(PR_TH, 192, PROCCREATE_NAME,  "PROCCREATE_NAME",  "*ppid *pid *name:t") \
    E(PR_TH, 256, PROCDESTROY_NAME, "PROCDESTROY_NAME", "*ppid *pid *name:t") \
    E(PR_TH, 320, PROCTHREAD_NAME,  "PROCTHREAD_NAME",  "*pid *tid *name:t") \
    E(SYSTEM,   1, RESERVED,         "RESERVED",         "?") \
    E(SYSTEM,   2, PATHMGR,          "PATHMGR_OPEN",     "*pid *tid *path:t") \
    E(SYSTEM,   3, APS_NAME,         "APS_NAME",         "*partition_id *name:t") \
    E(SYSTEM,   4, APS_BUDGETS,      "APS_NEW_BUDGET",   "*partition_id *new_percentage *new_critical_ms") \
    E(SYSTEM,   5, APS_BNKR,         "APS_BANKRUPTCY",   "*suspect_pid *tid *partition_id") \
    E(SYSTEM,   6, MMAP,             "MMAP",             "*pid *addr:Q *len:Q *flags:x prot:x fd align:Q offset:Q name:t") \
    E(SYSTEM,   7, MUNMAP,           "MUNMAP",           "*pid *addr:Q *len:Q") \
    E(SYSTEM,   8, MAPNAME,          "MAPNAME",          "*pid *addr:p *len:p *name:t") \
    E(SYSTEM,   9, ADDRESS,          "ADDRESS",          "*addr:p") \
    E(SYSTEM,  10, FUNC_ENTER,       "FUNC_ENTER",       "*thisfn:p *call_site:p") \
    E(SYSTEM,  11, FUNC_EXIT,        "FUNC_EXIT",        "*thisfn:p *call_site:p") \
    E(SYSTEM,  12, SLOG,             "SLOG",             "*opcode:x *severity *message:t") \
    E(SYSTEM,  13, DEFRAG_START,     "DEFRAG_START",     "?") \
    E(SYSTEM,  14, RUNSTATE,         "RUNSTATE",         "?") \
    E(SYSTEM,  15, POWER,            "POWER",            "?") \
    E(SYSTEM,  16, IPI,              "IPI",              "?") \
    E(SYSTEM,  17, PAGEWAIT,         "PAGEWAIT",         "?") \
    E(SYSTEM,  18, TIMER,            "TIMER",            "?") \
    E(SYSTEM,  19, DEFRAG_END,       "DEFRAG_END",       "?") \
    E(SYSTEM,  20, PROFILE,          "PROFILE",          "?") \
    E(SYSTEM,  21, MAPNAME_64,       "MAPNAME_64",       "?") \
    E(SYSTEM,  22, APS_PSTATS,       "APS_PSTATS",       "?") \
    E(SYSTEM,  23, APS_OSTATS,       "APS_OSTATS",       "?") \
    E(SYSTEM,  24, APS_INFO,         "APS_INFO",         "?") \
    E(SYSTEM,  25, APS_JOIN,         "APS_JOIN",         "?") \
    E(SYSTEM,  26, APS_THREAD,       "APS_THREAD",       "?") \
    E(SYSTEM,  27, APS_PROCESS,      "APS_PROCESS",      "?") \
    E(SYSTEM,  28, SCHED_CONF,       "SCHED_CONF",       "?") \
    E(SYSTEM,  29, IST_ATTACH,       "IST_ATTACH",       "?") \
    E(SYSTEM,  30, IST_DETACH,       "IST_DETACH",       "?") \
    E(SYSTEM,  31, PCTRACE,          "PCTRACE",          "?") \
    E(SYSTEM,  32, SEND_IPI,         "SEND_IPI",         "?") \
    E(COMM,   0, SMSG,             "SND_MESSAGE",      "*rcvid:x *pid") \
    E(COMM,   1, SPULSE,           "SND_PULSE",        "*scoid:x *pid") \
    E(COMM,   2, RMSG,             "REC_MESSAGE",      "*rcvid:x *pid") \
    E(COMM,   3, RPULSE,           "REC_PULSE",        "*scoid:x *pid") \
    E(COMM,   4, SPULSE_EXE,       "SND_PULSE_EXE",    "*scoid:x *pid") \
    E(COMM,   5, SPULSE_DIS,       "SND_PULSE_DIS",    "*scoid:x *pid") \
    E(COMM,   6, SPULSE_DEA,       "SND_PULSE_DEA",    "*scoid:x *pid") \
    E(COMM,   7, SPULSE_UN,        "SND_PULSE_UN",     "*scoid:x *pid") \
    E(COMM,   8, SPULSE_QUN,       "SND_PULSE_QUN",    "*scoid:x *pid") \
    E(COMM,   9, SIGNAL,           "SIGNAL",           "*si_signo *si_code si_errno data[0]:x data[1]:x data[2]:x " \
                                                    "data[3]:x data[4]:x data[5]:x data[6]:x") \
    E(COMM,  10, REPLY,            "REPLY_MESSAGE",    "*tid *pid") \
    E(COMM,  11, ERROR,            "MSG_ERROR",        "*tid *pid") \
    E(SEC,   0, ABLE,             "ABLE",             "?") \
    E(SEC,   1, ABLE_LOOKUP,      "ABLE_LOOKUP",      "?") \
    E(SEC,   2, PATH_ATTACH,      "PATH_ATTACH",      "?") \
    E(SEC,   3, QNET_CONNECT,     "QNET_CONNECT",     "?") \
    E(SEC,   4, PERM_LOOKUP,      "PERM_LOOKUP",      "?") \
    E(SEC,   5, PERM_TEST,        "PERM_TEST",        "?") \
    E(SEC,   6, UNREG_EVENT,      "UNREG_EVENT",      "?") \
    E(SEC,   7, OPEN_EVENT,       "OPEN_EVENT",       "?") \
    E(QVM,   0, GUEST_ENTER,      "GUEST_ENTER",      "?") \
    E(QVM,   1, GUEST_EXIT,       "GUEST_EXIT",       "?") \
    E(QVM,   2, CREATE_VCPU_THREAD, "CREATE_VCPU_THREAD", "?") \
    E(QVM,   3, RAISE_INTR,       "RAISE_INTR",       "?") \
    E(QVM,   4, LOWER_INTR,       "LOWER_INTR",       "?") \
    E(QVM,   5, TIMER_CREATE,     "TIMER_CREATE",     "?") \
    E(QVM,   6, TIMER_FIRE,       "TIMER_FIRE",       "?") \
    E(QVM,   7, CYCLES,           "CYCLES",           "?") \
    E(PMU,   0, TYPE,             "TYPE",             "?") \
    E(PMU,   1, COUNTER,          "COUNTER",          "?")

// Thread states: events 0..25 of class PR_TH, for virtual threads 26..51; in QNX 8.0 all are
// states. The action is the thread's state from then on: it BEGINS or ENDS to exist, RUNS on the
// CPU in the head, is READY, STOPS, SLEEPS, LOCKS (waits for a mutex), WAITS (for anything else).
// S(number, action, name in QNX 6.x and 7.x, name in 8.0); printers write TH before the name.
#define WF_SAT_STATES(S) \
    S(0,  ENDS,     "DEAD",        "DEAD") \
    S(1,  RUNS,     "RUNNING",     "RUNNING") \
    S(2,  READY,    "READY",       "READY") \
    S(3,  STOPS,    "STOPPED",     "STOPPED") \
    S(4,  WAITS,    "SEND",        "SEND") \
    S(5,  WAITS,    "RECEIVE",     "RECEIVE") \
    S(6,  WAITS,    "REPLY",       "REPLY") \
    S(7,  WAITS,    "STACK",       "MQ_SEND") \
    S(8,  WAITS,    "WAITTHREAD",  "MQ_RECEIVE") \
    S(9,  WAITS,    "WAITPAGE",    "WAITPAGE") \
    S(10, WAITS,    "SIGSUSPEND",  "SIGSUSPEND") \
    S(11, WAITS,    "SIGWAITINFO", "SIGWAITINFO") \
    S(12, SLEEPS,   "NANOSLEEP",   "NANOSLEEP") \
    S(13, LOCKS,    "MUTEX",       "MUTEX") \
    S(14, WAITS,    "CONDVAR",     "CONDVAR") \
    S(15, WAITS,    "JOIN",        "JOIN") \
    S(16, WAITS,    "INTR",        "INTR") \
    S(17, WAITS,    "SEM",         "SEM") \
    S(18, WAITS,    "WAITCTX",     "") \
    S(19, WAITS,    "NET_SEND",    "RWLOCK_READ") \
    S(20, WAITS,    "NET_REPLY",   "RWLOCK_WRITE") \
    S(21, WAITS,    "",            "BARRIER") \
    S(22, WAITS,    "",            "PIPE") \
    S(24, BEGINS,   "CREATE",      "CREATE") \
    S(25, ENDS,     "DESTROY",     "DESTROY") \
    S(26, LOCKS,    "",            "MUON_MUTEX") \
    S(27, WAITS,    "",            "TRACEBUFFER") \
    S(28, WAITS,    "",            "INTR_ATTACH_EV") \
    S(29, WAITS,    "",            "TIMER_DELEGATE") \
    S(30, WAITS,    "",            "SEND_NOTIFY")

// The words after tid are present in the wide form; the last two only with adaptive partitioning.
#define WF_SAT_STATE_WORDS "*pid *tid priority policy partition sched_flags:x"

// clang-format on

enum {
#define WFI_X(external, name, internal, rule, base, count, word) WF_SAT_##name = external,
    WF_SAT_CLASSES(WFI_X)
#undef WFI_X
        WF_SAT_CLASS_END
};

enum wf_sat_does {
    WF_SAT_BEGINS,
    WF_SAT_ENDS,
    WF_SAT_RUNS,
    WF_SAT_READY,
    WF_SAT_STOPS,
    WF_SAT_SLEEPS,
    WF_SAT_LOCKS,
    WF_SAT_WAITS
};

enum wf_sat_rule { WF_SAT_PLUS, WF_SAT_BIT, WF_SAT_STEP, WF_SAT_FIXED, WF_SAT_ALL };

#endif
