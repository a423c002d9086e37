// SPDX-License-Identifier: MIT
// TraceEvent and its helpers on wf_classes.h. Only for programs written for QNX (compat/trace.h).

#include "compat/trace.h"

#include "wallfly/wf_slots.h"

#if __STDC_HOSTED__
#include <errno.h>
#include <stdio.h>
#endif

#if WF_CFG_SLOTS

enum { WFI_TRACE_VERSION = 102 }; // 1.02, as in the header of a log

#if __STDC_HOSTED__
static void fail(int err) {
    switch (err) {
    case WF_TRACE_FAULT: errno = EFAULT; break;
    case WF_CLASSES_NO_ROOM: errno = ENOMEM; break;
    case WF_CLASSES_REFUSED: errno = ECANCELED; break;
    case WF_TRACE_NO_COMMAND:
    case WF_CLASSES_OFF:
    case WF_CLASSES_SHARED:
    case WF_CLASSES_NO_THREAD: errno = ENOTSUP; break;
    default: errno = EINVAL;
    }
}
#else
int wf_trace_error;
static void fail(int err) { wf_trace_error = err; }
#endif

static int result(int err) {
    if (err >= 0) return err;
    fail(err);
    return -1;
}

// Converts an event number of the interface to a number counted from 0: 2^k is k where events are
// bits. Returns -2 when there is no such event.
static int32_t plain(int cls, unsigned event) {
    if (cls != WF_SAT_PROCESS && cls != WF_SAT_THREAD && cls != WF_SAT_VTHREAD) {
        return event <= INT32_MAX ? (int32_t)event : INT32_MAX;
    }
    int32_t k = 0;
    if (!event || (event & (event - 1))) return -2;
    while (event >>= 1) ++k;
    return k;
}

static int insert_words(unsigned cls, int32_t event, const uint32_t *words, unsigned count) {
    if (!words && count) return WF_TRACE_FAULT;
    if (event < 0) return WF_CLASSES_NO_EVENT;
    return wf_classes_record(cls, (uint32_t)event, words, count, WF_CLASSES_SAME);
}

static int insert_two(unsigned cls, int32_t event, uint32_t first, uint32_t second) {
    const uint32_t words[] = {first, second};
    return insert_words(cls, event, words, 2);
}

// Records a raw slot as an event of the interface class that its head belongs to.
static int insert_slot(uint32_t head, uint32_t first, uint32_t second) {
    unsigned cls = head >> WF_SLOT_CLASS_SHIFT & WF_SLOT_CLASS, event = head & WF_SLOT_EVENT;
    if (head >> WF_SLOT_STRUCTURE_SHIFT != WF_SLOT_SIMPLE) return WF_TRACE_BAD;
    static const struct {
        uint8_t external, internal, rule;
        uint16_t base, count;
    } rows[] = {
#define WFI_X(external, name, internal, rule, base, count, word)                                   \
    {external, WF_SLOT_CLASS_##internal, WF_SAT_##rule, base, count},
        WF_SAT_CLASSES(WFI_X)
#undef WFI_X
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; ++i) {
        uint32_t variant = rows[i].count <= WF_SAT_64 ? event & WF_SAT_64 : 0;
        uint32_t number = event - variant;
        if (rows[i].internal != cls || number < rows[i].base) continue;
        number -= rows[i].base;
        if (number >= rows[i].count) continue;
        if (rows[i].rule == WF_SAT_FIXED) number = first;
        if (rows[i].rule == WF_SAT_STEP) {
            if (number % rows[i].base) continue;
            number /= rows[i].base;
        }
        const uint32_t words[] = {first, second};
        return wf_classes_record(rows[i].external, number | variant, words, 2, WF_CLASSES_SAME);
    }
    return WF_CLASSES_NO_EVENT;
}

#define WFI_C(name) (_NTO_TRACE_##name & WF_TRACE_COMMAND)

// ---- commands with numbers only; the first is the class, or the event of USER ----

static int of_all(unsigned number) {
    switch (number) {
    case WFI_C(ADDALLCLASSES): return wf_classes_switch(WF_CLASSES_ALL, WF_CLASSES_ALL, true);
    case WFI_C(DELALLCLASSES): return wf_classes_switch(WF_CLASSES_ALL, WF_CLASSES_ALL, false);
    case WFI_C(SETALLCLASSESFAST):
        return wf_classes_set_form(WF_CLASSES_ALL, WF_CLASSES_ALL, WF_CLASSES_FAST);
    case WFI_C(SETALLCLASSESWIDE):
        return wf_classes_set_form(WF_CLASSES_ALL, WF_CLASSES_ALL, WF_CLASSES_WIDE);
    case WFI_C(START): return wf_classes_start(true);
    case WFI_C(STARTNOSTATE): return wf_classes_start(false);
    case WFI_C(STOP): wf_classes_stop(); return 0;
    case WFI_C(SETRINGMODE):
    case WFI_C(OVERWRITEBUFFER): wf_classes_keep_oldest(false); return 0;
    case WFI_C(SETLINEARMODE):
    case WFI_C(SKIPBUFFER): wf_classes_keep_oldest(true); return 0;
    case WFI_C(FLUSHBUFFER): wf_slots_mark(); return 0;
    case WFI_C(QUERYEVENTS):
        return wf_classes_held() < INT32_MAX ? (int)wf_classes_held() : INT32_MAX;
    case WFI_C(QUERYVERSION): return WFI_TRACE_VERSION;
    case WFI_C(QUERYSUPPORT): return 1;
    default: return WF_TRACE_NO_COMMAND;
    }
}

static int of_class(unsigned number, int cls, const unsigned a[]) {
    switch (number) {
    case WFI_C(ADDCLASS): return wf_classes_switch(cls, WF_CLASSES_ALL, true);
    case WFI_C(DELCLASS): return wf_classes_switch(cls, WF_CLASSES_ALL, false);
    case WFI_C(SETCLASSFAST): return wf_classes_set_form(cls, WF_CLASSES_ALL, WF_CLASSES_FAST);
    case WFI_C(SETCLASSWIDE): return wf_classes_set_form(cls, WF_CLASSES_ALL, WF_CLASSES_WIDE);
    case WFI_C(SETCLASSPID): return wf_classes_filter(cls, WF_CLASSES_ALL, WF_CLASSES_PID, a[1], 0);
    case WFI_C(SETCLASSTID):
        return wf_classes_filter(cls, WF_CLASSES_ALL, WF_CLASSES_TID, a[1], a[2]);
    case WFI_C(CLRCLASSPID): return wf_classes_unfilter(cls, WF_CLASSES_ALL, WF_CLASSES_PID);
    case WFI_C(CLRCLASSTID): return wf_classes_unfilter(cls, WF_CLASSES_ALL, WF_CLASSES_TID);
    case WFI_C(DELCLASSEVHANDLER): return wf_classes_set_handler(cls, WF_CLASSES_ALL, NULL, NULL);
    default: return WF_TRACE_NO_COMMAND;
    }
}

static int of_event(unsigned number, int cls, int32_t event, const unsigned a[]) {
    if (event < 0) return WF_CLASSES_NO_EVENT;
    switch (number) {
    case WFI_C(ADDEVENT): return wf_classes_switch(cls, event, true);
    case WFI_C(DELEVENT): return wf_classes_switch(cls, event, false);
    case WFI_C(SETEVENTFAST): return wf_classes_set_form(cls, event, WF_CLASSES_FAST);
    case WFI_C(SETEVENTWIDE): return wf_classes_set_form(cls, event, WF_CLASSES_WIDE);
    case WFI_C(SETEVENTPID): return wf_classes_filter(cls, event, WF_CLASSES_PID, a[2], 0);
    case WFI_C(SETEVENTTID): return wf_classes_filter(cls, event, WF_CLASSES_TID, a[2], a[3]);
    case WFI_C(CLREVENTPID): return wf_classes_unfilter(cls, event, WF_CLASSES_PID);
    case WFI_C(CLREVENTTID): return wf_classes_unfilter(cls, event, WF_CLASSES_TID);
    case WFI_C(DELEVENTHANDLER): return wf_classes_set_handler(cls, event, NULL, NULL);
    case WFI_C(INSERTSCLASSEVENT): return insert_two((unsigned)cls, event, a[2], a[3]);
    default: return WF_TRACE_NO_COMMAND;
    }
}

static int of_numbers(unsigned number, const unsigned a[4]) {
    int cls = a[0] < WF_SAT_CLASS_END ? (int)a[0] : WF_SAT_CLASS_END; // never WF_CLASSES_ALL
    if (number == WFI_C(INSERTEVENT)) return insert_slot(a[0], a[2], a[3]);
    if (number == WFI_C(INSERTSUSEREVENT))
        return insert_two(WF_SAT_USER, plain(0, a[0]), a[1], a[2]);
    int err = of_all(number);
    if (err == WF_TRACE_NO_COMMAND) err = of_class(number, cls, a);
    if (err == WF_TRACE_NO_COMMAND) err = of_event(number, cls, plain(cls, a[1]), a);
    return err;
}

// ---- commands with pointers ----

typedef int handler(struct wf_classes_event *);

static int add_handler(int cls, int32_t event, handler *function, void *area) {
    return function ? wf_classes_set_handler(cls, event, function, area) : WF_TRACE_FAULT;
}

static int insert_text(unsigned code, const char *text) {
    return text ? wf_classes_record_text(WF_SAT_USER, code, NULL, 0, text) : WF_TRACE_FAULT;
}

// Reads the arguments after the first one, which is the class or the USER event.
static int of_pointers(unsigned number, unsigned first, va_list *args) {
    int cls = first < WF_SAT_CLASS_END ? (int)first : WF_SAT_CLASS_END;
    int32_t event = WF_CLASSES_ALL;
    if (number == WFI_C(INSERTUSRSTREVENT)) return insert_text(first, va_arg(*args, const char *));
    if (number == WFI_C(INSERTCUSEREVENT)) {
        cls = WF_SAT_USER;
        event = plain(cls, first);
    } else if (number != WFI_C(ADDCLASSEVHANDLER)) {
        event = plain(cls, va_arg(*args, unsigned));
        if (event < 0) return WF_CLASSES_NO_EVENT;
    }
    if (number == WFI_C(INSERTCUSEREVENT) || number == WFI_C(INSERTCCLASSEVENT)) {
        const uint32_t *words = va_arg(*args, const uint32_t *);
        return insert_words((unsigned)cls, event, words, va_arg(*args, unsigned));
    }
    handler *function = va_arg(*args, handler *);
    return add_handler(cls, event, function, va_arg(*args, void *));
}

int TraceEvent(int command, ...) {
    static const uint8_t takes[] = {
#define WFI_X(number, name, args) [number] = args,
        WF_TRACE_COMMANDS(WFI_X)
#undef WFI_X
    };
    const unsigned number = (unsigned)command & WF_TRACE_COMMAND, given = (unsigned)command >> 28;
    if (!number || number >= sizeof takes) return result(WF_TRACE_NO_COMMAND);
    if (given < takes[number]) return result(WF_TRACE_BAD);
    if (!wfi_slots.box) return result(WF_CLASSES_OFF);
    unsigned a[4] = {0};
    int err;
    va_list args;
    va_start(args, command);
    switch (number) {
    case WFI_C(ALLOCBUFFER): err = WF_TRACE_NO_COMMAND; break;
    case WFI_C(ADDEVENTHANDLER):
    case WFI_C(ADDCLASSEVHANDLER):
    case WFI_C(INSERTCUSEREVENT):
    case WFI_C(INSERTUSRSTREVENT):
    case WFI_C(INSERTCCLASSEVENT): {
        unsigned first = va_arg(args, unsigned);
        err = of_pointers(number, first, &args);
        break;
    }
    default:
        for (unsigned i = 0; i < takes[number]; ++i) a[i] = va_arg(args, unsigned);
        err = of_numbers(number, a);
    }
    va_end(args);
    return result(err);
}

// ---- helpers ----

int trace_logi(unsigned code, unsigned first, unsigned second) {
    return result(insert_two(WF_SAT_USER, plain(0, code), first, second));
}

int trace_logb(unsigned code, const void *block, size_t len) {
    uint32_t words[WF_TRACE_BLOCK / 4];
    const unsigned count = (unsigned)((len + 3) / 4);
    if (!block && len) return result(WF_TRACE_FAULT);
    if (len / 8 > WF_CFG_CHUNK) return result(WF_CLASSES_TOO_LONG);
    if ((uintptr_t)block % 4 == 0 && len % 4 == 0) {
        return result(insert_words(WF_SAT_USER, plain(0, code), (const uint32_t *)block, count));
    }
    if (len > sizeof words) return result(WF_CLASSES_TOO_LONG);
    if (code <= WF_SLOT_EVENT && !wf_classes_wants(WF_SAT_USER, code)) return 0;
    uint8_t *bytes = (uint8_t *)words;
    for (size_t i = 0; i < 4u * count; ++i) bytes[i] = i < len ? ((const uint8_t *)block)[i] : 0;
    return result(insert_words(WF_SAT_USER, plain(0, code), words, count));
}

int trace_logbc(unsigned code, const void *block, size_t len) {
    return trace_logb(code, block, len);
}

#if __STDC_HOSTED__
int trace_vnlogf(unsigned code, size_t max, const char *format, va_list args) {
    char text[WF_CLASSES_TEXT] = "";
    if (!format) return result(WF_TRACE_FAULT);
    if (code <= WF_SLOT_EVENT && !wf_classes_wants(WF_SAT_USER, code)) return 0;
    (void)vsnprintf(text, max < sizeof text ? max : sizeof text, format, args);
    return result(insert_text(code, text));
}

int trace_nlogf(unsigned code, size_t max, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int done = trace_vnlogf(code, max, format, args);
    va_end(args);
    return done;
}

int trace_logf(unsigned code, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int done = trace_vnlogf(code, WF_CLASSES_TEXT, format, args);
    va_end(args);
    return done;
}
#endif

// Records the addresses of a SYSTEM event, in memory order; 64-bit ones in its 64-bit variant.
static int addresses(uint32_t event, const void *first, const void *second, unsigned count) {
    const uintptr_t all[] = {(uintptr_t)first, (uintptr_t)second};
    uint32_t words[sizeof all / 4];
    __builtin_memcpy(words, all, sizeof all);
    if (sizeof *all == 8) event |= WF_SAT_64;
    count *= (unsigned)(sizeof *all / 4);
    return result(wf_classes_record(WF_SAT_SYSTEM, event, words, count, WF_CLASSES_SAME));
}

int trace_func_enter(void *this_function, void *call_site) {
    return addresses(_NTO_TRACE_SYS_FUNC_ENTER, this_function, call_site, 2);
}

int trace_func_exit(void *this_function, void *call_site) {
    return addresses(_NTO_TRACE_SYS_FUNC_EXIT, this_function, call_site, 2);
}

int trace_here(void) {
    return addresses(_NTO_TRACE_SYS_ADDRESS, __builtin_return_address(0), NULL, 1);
}
#endif
