// SPDX-License-Identifier: MIT
// Event codes of each platform. Codes whose exact meaning is not documented keep a name of their
// group, with the code as the first field.

#include "wfi_tracerecorder.h"

#define ROW(code, op, kind, min, max, name)                                                        \
    { code, WFI_TR_DO_##op, WFI_TR_##kind, min, max, name }
#define COUNTED(code, op, args, min, max, name)                                                    \
    { code, WFI_TR_DO_##op, args, min, max, name }
// 8 codes in a row, of user events with 0 to 6 arguments (the first one has none either).
#define USER(base)                                                                                 \
    COUNTED((base), USER, 0, 1, 15, "user event"), COUNTED((base) + 1, USER, 0, 1, 15, ""),        \
        COUNTED((base) + 2, USER, 1, 2, 15, ""), COUNTED((base) + 3, USER, 2, 3, 15, ""),          \
        COUNTED((base) + 4, USER, 3, 4, 15, ""), COUNTED((base) + 5, USER, 4, 5, 15, ""),          \
        COUNTED((base) + 6, USER, 5, 6, 15, ""), COUNTED((base) + 7, USER, 6, 7, 15, "")
#define COMPACT(base)                                                                              \
    COUNTED((base), COMPACT, 0, 2, 15, ""), COUNTED((base) + 1, COMPACT, 1, 3, 15, ""),            \
        COUNTED((base) + 2, COMPACT, 2, 4, 15, ""), COUNTED((base) + 3, COMPACT, 3, 5, 15, ""),    \
        COUNTED((base) + 4, COMPACT, 4, 6, 15, ""), COUNTED((base) + 5, COMPACT, 5, 7, 15, ""),    \
        COUNTED((base) + 6, COMPACT, 6, 8, 15, ""), COUNTED((base) + 7, COMPACT, 7, 9, 15, "")
#define FOUR(code, op, kind, min, max, name)                                                       \
    ROW((code), op, kind, min, max, name), ROW((code) + 1, op, kind, min, max, name),              \
        ROW((code) + 2, op, kind, min, max, name), ROW((code) + 3, op, kind, min, max, name)

// Codes that all but the first releases have, and those that 4.6 has otherwise.
#define SINCE_47                                                                                   \
    ROW(0xEF, NOTHING, NONE, 1, 4, ""), ROW(0xF0, SPAN_BEGIN, NONE, 2, 4, ""),                     \
        ROW(0xF7, SPAN_END, NONE, 1, 3, ""), ROW(0xF8, NOTHING, NONE, 1, 4, ""),                   \
        ROW(0xF9, NOTHING, NONE, 1, 4, ""), ROW(0xFA, SPAN_BEGIN, NONE, 1, 2, ""),                 \
        ROW(0xFB, SPAN_END, NONE, 1, 2, ""), ROW(0xFC, EVENT, NONE, 1, 15, "dependency"),          \
        COMPACT(0x98)
#define IN_46 ROW(0xEF, NOTHING, NONE, 1, 4, ""), ROW(0xF0, EVENT, NONE, 1, 4, "interval state")

#define FREERTOS                                                                                   \
    ROW(0x01, START, NONE, 1, 15, ""), ROW(0x02, EVENT, NONE, 0, 15, "time stamp settings"),       \
        ROW(0x03, NAME, NONE, 1, 15, ""), ROW(0x04, PRIORITY, TASK, 2, 2, ""),                     \
        ROW(0x05, PRIORITY, TASK, 2, 2, ""), ROW(0x06, PRIORITY, TASK, 2, 2, ""),                  \
        ROW(0x07, IRQ_DEFINE, NONE, 2, 15, ""), ROW(0x10, TASK_CREATE, TASK, 1, 3, ""),            \
        ROW(0x11, CREATE, QUEUE, 1, 3, ""), ROW(0x12, CREATE, SEMA, 1, 3, ""),                     \
        ROW(0x13, CREATE, MUTEX, 1, 3, ""), ROW(0x14, CREATE, TIMER, 1, 3, ""),                    \
        ROW(0x15, CREATE, GROUP, 1, 3, ""), ROW(0x16, CREATE, SEMA, 1, 3, ""),                     \
        ROW(0x17, CREATE, MUTEX, 1, 3, ""), ROW(0x18, CREATE, STREAM, 1, 3, ""),                   \
        ROW(0x19, CREATE, STREAM, 1, 3, ""), ROW(0x20, TASK_DELETE, TASK, 1, 3, ""),               \
        ROW(0x21, DELETE, QUEUE, 1, 3, ""), ROW(0x22, DELETE, SEMA, 1, 3, ""),                     \
        ROW(0x23, DELETE, MUTEX, 1, 3, ""), ROW(0x24, DELETE, TIMER, 1, 3, ""),                    \
        ROW(0x25, DELETE, GROUP, 1, 3, ""), ROW(0x28, DELETE, STREAM, 1, 3, ""),                   \
        ROW(0x29, DELETE, STREAM, 1, 3, ""), ROW(0x30, READY, TASK, 1, 2, ""),                     \
        ROW(0x31, TICK, NONE, 1, 2, ""), ROW(0x32, TICK, NONE, 1, 2, ""),                          \
        ROW(0x33, IRQ_BEGIN, NONE, 1, 2, ""), ROW(0x34, IRQ_RESUME, NONE, 1, 2, ""),               \
        ROW(0x35, ACTIVATE, TASK, 1, 2, "begin"), ROW(0x36, ACTIVATE, TASK, 1, 2, "resume"),       \
        ROW(0x37, ACTIVATE, TASK, 1, 2, ""), ROW(0x38, ALLOC, NONE, 2, 3, "malloc"),               \
        ROW(0x39, FREE, NONE, 1, 3, "free"), ROW(0x3A, EVENT, NONE, 0, 2, "low power begin"),      \
        ROW(0x3B, EVENT, NONE, 0, 2, "low power end"),                                             \
        FOUR(0x40, EVENT, NONE, 0, 4, "create failed"),                                            \
        FOUR(0x44, EVENT, NONE, 0, 4, "create failed"),                                            \
        ROW(0x48, EVENT, NONE, 0, 4, "create failed"),                                             \
        ROW(0x49, EVENT, NONE, 0, 4, "create failed"),                                             \
        ROW(0x4A, EVENT, NONE, 0, 4, "create failed"), ROW(0x50, PUT, QUEUE, 1, 3, "queue send"),  \
        ROW(0x51, PUT, SEMA, 1, 3, "semaphore give"), ROW(0x52, PUT, MUTEX, 1, 3, "mutex give"),   \
        ROW(0x53, PUT_FAIL, QUEUE, 1, 3, "queue send failed"),                                     \
        ROW(0x54, PUT_FAIL, SEMA, 1, 3, "semaphore give failed"),                                  \
        ROW(0x55, PUT_FAIL, MUTEX, 1, 3, "mutex give failed"),                                     \
        ROW(0x56, PUT_WAIT, QUEUE, 1, 3, ""),                                                      \
        ROW(0x57, PUT_WAIT, SEMA, 1, 3, "semaphore give wait"),                                    \
        ROW(0x58, PUT_WAIT, MUTEX, 1, 3, "mutex give wait"),                                       \
        ROW(0x59, PUT_IRQ, QUEUE, 1, 3, "queue send"),                                             \
        ROW(0x5A, PUT_IRQ, SEMA, 1, 3, "semaphore give"),                                          \
        ROW(0x5C, PUT_IRQ_FAIL, QUEUE, 1, 3, ""),                                                  \
        ROW(0x5D, PUT_IRQ_FAIL, SEMA, 1, 3, "semaphore give failed"),                              \
        ROW(0x60, GET, QUEUE, 1, 4, "queue receive"),                                              \
        ROW(0x61, GET, SEMA, 1, 4, "semaphore take"), ROW(0x62, GET, MUTEX, 1, 4, ""),             \
        ROW(0x63, GET_FAIL, QUEUE, 1, 4, "queue receive failed"),                                  \
        ROW(0x64, GET_FAIL, SEMA, 1, 4, "semaphore take failed"),                                  \
        ROW(0x65, GET_FAIL, MUTEX, 1, 4, "mutex take failed"),                                     \
        ROW(0x66, GET_WAIT, QUEUE, 1, 4, ""), ROW(0x67, GET_WAIT, SEMA, 1, 4, ""),                 \
        ROW(0x68, GET_WAIT, MUTEX, 1, 4, ""), ROW(0x69, GET_IRQ, QUEUE, 1, 4, "queue receive"),    \
        ROW(0x6A, GET_IRQ, SEMA, 1, 4, "semaphore take"),                                          \
        ROW(0x6C, GET_IRQ_FAIL, QUEUE, 1, 4, ""), ROW(0x6D, GET_IRQ_FAIL, SEMA, 1, 4, ""),         \
        ROW(0x70, GET, QUEUE, 1, 4, "queue peek"), ROW(0x71, GET, SEMA, 1, 4, "semaphore peek"),   \
        ROW(0x72, EVENT, MUTEX, 1, 4, "mutex peek"),                                               \
        ROW(0x73, GET_FAIL, QUEUE, 1, 4, "queue receive failed"),                                  \
        ROW(0x74, GET_FAIL, SEMA, 1, 4, "semaphore take failed"),                                  \
        ROW(0x75, GET_FAIL, MUTEX, 1, 4, "mutex take failed"),                                     \
        ROW(0x76, GET_WAIT, QUEUE, 1, 4, ""), ROW(0x77, GET_WAIT, SEMA, 1, 4, ""),                 \
        ROW(0x78, GET_WAIT, MUTEX, 1, 4, ""), ROW(0x79, DELAY, NONE, 1, 2, ""),                    \
        ROW(0x7A, DELAY, NONE, 1, 2, ""), ROW(0x7B, SUSPEND, TASK, 1, 2, ""),                      \
        ROW(0x7C, EVENT, TASK, 1, 2, "task resume"), ROW(0x7D, EVENT, TASK, 1, 2, "task resume"),  \
        FOUR(0x80, EVENT, NONE, 1, 4, "pend function call"), USER(0x90),                           \
        ROW(0xA0, TIMER_START, TIMER, 1, 3, "timer start"),                                        \
        ROW(0xA1, TIMER_START, TIMER, 1, 3, "timer reset"),                                        \
        ROW(0xA2, TIMER_STOP, TIMER, 1, 3, ""), ROW(0xA3, EVENT, TIMER, 1, 3, "timer period"),     \
        FOUR(0xA4, EVENT, TIMER, 1, 3, "timer"), FOUR(0xA8, EVENT, TIMER, 1, 3, "timer"),          \
        FOUR(0xAC, EVENT, TIMER, 1, 3, "timer"), FOUR(0xB0, EVENT, GROUP, 1, 4, "event group"),    \
        ROW(0xB4, EVENT, GROUP, 1, 4, "event group"),                                              \
        ROW(0xB5, EVENT, GROUP, 1, 4, "event group"),                                              \
        ROW(0xB6, WAIT, GROUP, 1, 4, "event group wait"),                                          \
        ROW(0xB7, WAIT, GROUP, 1, 4, "event group wait"),                                          \
        ROW(0xB8, EVENT, GROUP, 1, 4, "event group"),                                              \
        ROW(0xB9, EVENT, GROUP, 1, 4, "event group"),                                              \
        ROW(0xC0, PUT, QUEUE, 1, 3, "queue send to front"),                                        \
        FOUR(0xC1, MAYBE, QUEUE, 1, 3, "queue send to front"),                                     \
        ROW(0xC5, RECURSIVE_GIVE, MUTEX, 1, 3, "recursive mutex give"),                            \
        ROW(0xC6, EVENT, MUTEX, 1, 3, "recursive mutex give failed"),                              \
        ROW(0xC7, RECURSIVE_TAKE, MUTEX, 1, 3, "recursive mutex take"),                            \
        ROW(0xC8, GET_FAIL, MUTEX, 1, 3, "mutex take failed"),                                     \
        ROW(0xC9, PUT, NOTIFICATION, 1, 3, ""), ROW(0xCA, GET, NOTIFICATION, 1, 3, ""),            \
        ROW(0xCB, GET_WAIT, NOTIFICATION, 1, 3, ""),                                               \
        ROW(0xCC, GET_FAIL, NOTIFICATION, 1, 3, "notification wait failed"),                       \
        ROW(0xCD, PUT_IRQ, NOTIFICATION, 1, 3, ""), ROW(0xD2, TIMER_EXPIRE, TIMER, 1, 3, ""),      \
        ROW(0xD3, MAYBE, STREAM, 1, 4, "stream buffer"),                                           \
        ROW(0xD4, WAIT, STREAM, 1, 4, "stream buffer wait"),                                       \
        ROW(0xD5, MAYBE, STREAM, 1, 4, "stream buffer"),                                           \
        ROW(0xD6, MAYBE, STREAM, 1, 4, "stream buffer"),                                           \
        ROW(0xD7, WAIT, STREAM, 1, 4, "stream buffer wait"),                                       \
        FOUR(0xD8, MAYBE, STREAM, 1, 4, "stream buffer"),                                          \
        FOUR(0xDC, MAYBE, STREAM, 1, 4, "stream buffer"),                                          \
        FOUR(0xE0, MAYBE, STREAM, 1, 4, "stream buffer"),                                          \
        FOUR(0xE4, MAYBE, STREAM, 1, 4, "stream buffer"),                                          \
        ROW(0xE8, MAYBE, STREAM, 1, 4, "stream buffer"), ROW(0xEB, STACK, TASK, 2, 3, ""),         \
        ROW(0xEC, STATE_CREATE, NONE, 2, 3, ""), ROW(0xED, NOTHING, NONE, 1, 3, ""),               \
        ROW(0xEE, STATE, NONE, 2, 3, ""), ROW(0xF1, EVENT, NONE, 1, 15, "extension"),              \
        ROW(0xF2, HEAP, NONE, 1, 4, "heap create"),                                                \
        ROW(0xF3, COUNTER_CREATE, NONE, 2, 4, "counter create"),                                   \
        ROW(0xF4, COUNTER, NONE, 2, 3, ""), ROW(0xF5, COUNTER_LIMIT, NONE, 1, 3, ""),              \
        ROW(0xF6, GET_WAIT, MUTEX, 1, 3, "")

// clang-format off
static const struct wfi_tr_code freertos[] = {FREERTOS, SINCE_47};
static const struct wfi_tr_code freertos_46[] = {FREERTOS, IN_46};

static const struct wfi_tr_code bare[] = {
    ROW(0x01, START, NONE, 1, 15, ""),
    ROW(0x03, NAME, NONE, 1, 15, ""),
    ROW(0x05, IRQ_DEFINE, NONE, 2, 15, ""),
    ROW(0x21, IRQ_BEGIN, NONE, 1, 2, ""),
    ROW(0x22, IRQ_RESUME, NONE, 1, 2, ""),
    ROW(0x25, ACTIVATE, TASK, 1, 2, ""),
    ROW(0x40, STATE_CREATE, NONE, 2, 3, ""),
    ROW(0x41, NOTHING, NONE, 1, 3, ""),
    ROW(0x42, STATE, NONE, 2, 3, ""),
    ROW(0x49, COUNTER_CREATE, NONE, 2, 4, "counter create"),
    ROW(0x4A, COUNTER, NONE, 2, 3, ""),
    ROW(0x4B, COUNTER_LIMIT, NONE, 1, 3, ""),
    USER(0x50),
};

static const struct wfi_tr_code zephyr[] = {
    ROW(0x03, NAME, NONE, 1, 15, ""),
    ROW(0x30, READY, TASK, 1, 2, ""),
    ROW(0x31, TICK, NONE, 1, 2, ""),
    ROW(0x33, IRQ_BEGIN, NONE, 1, 2, ""),
    ROW(0x34, IRQ_RESUME, NONE, 1, 2, ""),
    ROW(0x37, ACTIVATE, TASK, 1, 2, ""),
    USER(0x90),
    COMPACT(0x98),
    ROW(0x17A, COUNTER, NONE, 2, 3, ""),
};

static const struct wfi_tr_code threadx[] = {
    ROW(0x03, NAME, NONE, 1, 15, ""),
    ROW(0xFAA, IRQ_BEGIN, NONE, 1, 2, ""),
    ROW(0xFAB, IRQ_RESUME, NONE, 1, 2, ""),
    ROW(0xFB0, ACTIVATE, TASK, 1, 2, ""),
    USER(0xFBE),
    COMPACT(0xFC6),
};
// clang-format on

enum { VERSION_46 = 0x000A };

#define LIST(rows) (*count = sizeof(rows) / sizeof *(rows), (rows))

const struct wfi_tr_code *wfi_tr_codes(unsigned platform, unsigned version, unsigned *count) {
    switch (platform) {
    case WFI_TR_FREERTOS: return version == VERSION_46 ? LIST(freertos_46) : LIST(freertos);
    case WFI_TR_BARE: return LIST(bare);
    case WFI_TR_ZEPHYR: return LIST(zephyr);
    case WFI_TR_THREADX: return LIST(threadx);
    default: *count = 0; return NULL;
    }
}

const char *wfi_tr_platform_name(unsigned platform) {
    switch (platform) {
    case WFI_TR_FREERTOS: return "FreeRTOS";
    case WFI_TR_BARE: return "bare metal";
    case WFI_TR_ZEPHYR: return "Zephyr";
    case WFI_TR_THREADX: return "ThreadX";
    default: return NULL;
    }
}
