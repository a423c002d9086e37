// SPDX-License-Identifier: MIT
// QNX's TraceEvent() and its helpers on wallfly's slot recorder, for programs that use them. Link
// target/compat/trace_compat.c. docs/compat-qnx.md describes each command; the recorder
// is started with wf_slots_start() and wf_classes_init() (wallfly/wf_classes.h).
//
// All functions return 0 or the result of the command; or -1, with the reason in errno, or in
// wf_trace_error if the program is freestanding.
#ifndef WF_COMPAT_TRACE_H
#define WF_COMPAT_TRACE_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "wallfly/wf_classes.h"

#if UINTPTR_MAX <= 0xFFFFu
#error "compat/trace.h: commands need an int of 32 bits; wallfly/wf_classes.h does without"
#endif

#ifdef __cplusplus
extern "C" {
#endif

// clang-format off

// T(number, name, further arguments)
#define WF_TRACE_COMMANDS(T) \
    T(1,  ADDALLCLASSES, 0) \
    T(2,  DELALLCLASSES, 0) \
    T(3,  ADDCLASS, 1)          /* class */ \
    T(4,  DELCLASS, 1) \
    T(5,  ADDEVENT, 2)          /* class, event */ \
    T(6,  DELEVENT, 2) \
    T(7,  ADDEVENTHANDLER, 4)   /* class, event, function, area */ \
    T(8,  DELEVENTHANDLER, 2)   /* class, event */ \
    T(9,  INSERTEVENT, 4)       /* the words of a slot: head, time, word, word */ \
    T(10, START, 0) \
    T(11, STOP, 0) \
    T(12, ALLOCBUFFER, 2) \
    T(13, DEALLOCBUFFER, 0) \
    T(14, FLUSHBUFFER, 0) \
    T(15, QUERYEVENTS, 0) \
    T(16, SETALLCLASSESFAST, 0) \
    T(17, SETALLCLASSESWIDE, 0) \
    T(18, SETCLASSFAST, 1)      /* class */ \
    T(19, SETCLASSWIDE, 1) \
    T(20, SETEVENTFAST, 2)      /* class, event */ \
    T(21, SETEVENTWIDE, 2) \
    T(22, SETCLASSPID, 2)       /* class, pid */ \
    T(23, SETCLASSTID, 3)       /* class, pid, tid */ \
    T(24, SETEVENTPID, 3)       /* class, event, pid */ \
    T(25, SETEVENTTID, 4)       /* class, event, pid, tid */ \
    T(26, CLRCLASSPID, 1)       /* class */ \
    T(27, CLRCLASSTID, 1) \
    T(28, CLREVENTPID, 2)       /* class, event */ \
    T(29, CLREVENTTID, 2) \
    T(30, INSERTSUSEREVENT, 3)  /* event, word, word */ \
    T(31, INSERTCUSEREVENT, 3)  /* event, words, number of words */ \
    T(32, INSERTUSRSTREVENT, 2) /* event, text */ \
    T(33, STARTNOSTATE, 0) \
    T(34, SETRINGMODE, 0) \
    T(35, SETLINEARMODE, 0) \
    T(36, ADDCLASSEVHANDLER, 3) /* class, function, area */ \
    T(37, DELCLASSEVHANDLER, 1) /* class */ \
    T(38, SKIPBUFFER, 0) \
    T(39, OVERWRITEBUFFER, 0) \
    T(40, QUERYVERSION, 0) \
    T(41, QUERYSUPPORT, 0) \
    T(42, INSERTSCLASSEVENT, 4) /* class, event, word, word */ \
    T(43, INSERTCCLASSEVENT, 4) /* class, event, words, number of words */ \
    T(44, SETBUFFER, 0) \
    T(45, LOGGER_ATTACH, 0) \
    T(46, WAITBUFFER, 0) \
    T(47, LOGGER_DETACH, 0) \
    T(48, PMU_CONFIG, 0) \
    T(49, PMU_QUERYEVENTS, 0)

enum {
#define WFI_X(number, name, args) _NTO_TRACE_##name = (args) << 28 | (number),
    WF_TRACE_COMMANDS(WFI_X)
#undef WFI_X
    WF_TRACE_COMMAND = 0x0FFFFFFF // the number in it
};

// Classes: _NTO_TRACE_EMPTY, _NTO_TRACE_CONTROL, _NTO_TRACE_KERCALLENTER ...
enum {
#define WFI_X(external, name, internal, rule, base, count, word) _NTO_TRACE_##name = (external),
    WF_SAT_CLASSES(WFI_X)
#undef WFI_X
    _NTO_TRACE_EMPTYEVENT = 0
};

// Events: _NTO_TRACE_PROCCREATE ... (a bit each), _NTO_TRACE_COMM_SMSG ..., _NTO_TRACE_SYS_MMAP ...
enum {
    _NTO_TRACE_CONTROLTIME = WF_SLOT_CONTROL_TIME,
    _NTO_TRACE_CONTROLBUFFER = WF_SLOT_CONTROL_BUFFER,
#define WFI_NTO_CONTROL(number, name)
#define WFI_NTO_INT(number, name)
#define WFI_NTO_PR_TH(number, name)  _NTO_TRACE##name = 1 << ((number) / 64 - 1),
#define WFI_NTO_SYSTEM(number, name)  _NTO_TRACE_SYS##name = (number),
#define WFI_NTO_COMM(number, name)  _NTO_TRACE_COMM##name = (number),
#define WFI_NTO_SEC(number, name)  _NTO_TRACE_SEC##name = (number),
#define WFI_NTO_QVM(number, name) _NTO_TRACE_QVM##name = (number),
#define WFI_NTO_PMU(number, name) _NTO_TRACE_PMU##name = (number),
#define WFI_X(cls, number, name, shown, words) WFI_NTO_##cls(number, _##name)
    WF_SAT_EVENTS(WFI_X)
#undef WFI_X
#undef WFI_NTO_CONTROL
#undef WFI_NTO_INT
#undef WFI_NTO_PR_TH
#undef WFI_NTO_SYSTEM
#undef WFI_NTO_COMM
#undef WFI_NTO_SEC
#undef WFI_NTO_QVM
#undef WFI_NTO_PMU
    WF_TRACE_EVENTS_END
};

// Kernel calls by their number: WF_KER_MSG_SENDV ...
enum {
#define WFI_X(number, name, enter, exit) WF_KER_##name = (number),
    WF_SAT_CALLS(WFI_X)
#undef WFI_X
    WF_KER_END
};

// Thread states, for THREAD and VTHREAD, a bit each: the names of QNX 6.x and 7.x, then those that
// are different in 8.0.
enum {
    _NTO_TRACE_THDEAD = 1 << 0,         _NTO_TRACE_THRUNNING = 1 << 1,
    _NTO_TRACE_THREADY = 1 << 2,        _NTO_TRACE_THSTOPPED = 1 << 3,
    _NTO_TRACE_THSEND = 1 << 4,         _NTO_TRACE_THRECEIVE = 1 << 5,
    _NTO_TRACE_THREPLY = 1 << 6,        _NTO_TRACE_THSTACK = 1 << 7,
    _NTO_TRACE_THWAITTHREAD = 1 << 8,   _NTO_TRACE_THWAITPAGE = 1 << 9,
    _NTO_TRACE_THSIGSUSPEND = 1 << 10,  _NTO_TRACE_THSIGWAITINFO = 1 << 11,
    _NTO_TRACE_THNANOSLEEP = 1 << 12,   _NTO_TRACE_THMUTEX = 1 << 13,
    _NTO_TRACE_THCONDVAR = 1 << 14,     _NTO_TRACE_THJOIN = 1 << 15,
    _NTO_TRACE_THINTR = 1 << 16,        _NTO_TRACE_THSEM = 1 << 17,
    _NTO_TRACE_THWAITCTX = 1 << 18,     _NTO_TRACE_THNET_SEND = 1 << 19,
    _NTO_TRACE_THNET_REPLY = 1 << 20,   _NTO_TRACE_THCREATE = 1 << 24,
    _NTO_TRACE_THDESTROY = 1 << 25,
    _NTO_TRACE_THMQ_SEND = 1 << 7,      _NTO_TRACE_THMQ_RECEIVE = 1 << 8,
    _NTO_TRACE_THRWLOCK_READ = 1 << 19, _NTO_TRACE_THRWLOCK_WRITE = 1 << 20,
    _NTO_TRACE_THBARRIER = 1 << 21,     _NTO_TRACE_THPIPE = 1 << 22
};

// clang-format on

// Events of PROCESS, THREAD and VTHREAD are bits, those of other classes numbers. A function has
// the type int f(struct wf_classes_event *). Words have 32 bits and are aligned.
int TraceEvent(int command, ...);

// User events: code 0..1023. Texts end at 127 characters (nlogf: at most max bytes, zero included).
#if __STDC_HOSTED__
#if defined __GNUC__
#define WF_TRACE_FORMAT(text, first) __attribute__((format(printf, text, first)))
#else
#define WF_TRACE_FORMAT(text, first)
#endif
int trace_logf(unsigned code, const char *format, ...) WF_TRACE_FORMAT(2, 3);
int trace_nlogf(unsigned code, size_t max, const char *format, ...) WF_TRACE_FORMAT(3, 4);
int trace_vnlogf(unsigned code, size_t max, const char *format, va_list args) WF_TRACE_FORMAT(3, 0);
#endif
int trace_logi(unsigned code, unsigned first, unsigned second);
// Record up to WF_TRACE_BLOCK bytes, in memory order, padded to whole words with zeros. If address
// and length are multiples of 4, up to the bytes of the longest event. Both functions are the same.
enum { WF_TRACE_BLOCK = 512 };
int trace_logb(unsigned code, const void *block, size_t len);
int trace_logbc(unsigned code, const void *block, size_t len);

// Events of class SYSTEM: FUNC_ENTER, FUNC_EXIT and ADDRESS (of the caller of trace_here).
int trace_func_enter(void *this_function, void *call_site);
int trace_func_exit(void *this_function, void *call_site);
int trace_here(void);

// Further reasons, besides enum wf_classes_error.
enum { WF_TRACE_FAULT = -20, WF_TRACE_NO_COMMAND = -21, WF_TRACE_BAD = -22 };
#if !__STDC_HOSTED__
extern int wf_trace_error; // of the last call that failed, in any thread
#endif

#ifdef __cplusplus
}
#endif
#endif
