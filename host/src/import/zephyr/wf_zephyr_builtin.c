// SPDX-License-Identifier: MIT
// The layout of streams without metadata, as metadata of our own. Events for which the layout is
// not the same in all releases (sockets, network, GPIO, objects from 0x81 on) are not in it.

#include <string.h>

#include "wfi_zephyr.h"

#define TYPES                                                                                      \
    "typealias integer { size = 8; signed = true; } := int8_t;"                                    \
    "typealias integer { size = 8; } := uint8_t;"                                                  \
    "typealias integer { size = 32; } := uint32_t;"                                                \
    "typealias integer { size = 32; signed = true; } := int32_t;"                                  \
    "typealias integer { size = 8; encoding = ASCII; } := char;"                                   \
    "trace { major = 1; minor = 8; byte_order = le; };"                                            \
    "stream { event.header := struct { uint32_t timestamp; uint8_t id; }; };"
#define EVENT(id, name, fields)                                                                    \
    "event { name = " name "; id = " id "; fields := struct {" fields "}; };"
#define THREAD   "uint32_t thread_id; char name[20];"
#define OBJECT   "uint32_t id;"
#define TIMEOUT  OBJECT "uint32_t timeout;"
#define RESULT   OBJECT "int32_t ret;"
#define FINISHED TIMEOUT "int32_t ret;"
#define THREADS                                                                                    \
    EVENT("0x10", "thread_switched_out", THREAD)                                                   \
    EVENT("0x11", "thread_switched_in", THREAD)                                                    \
    EVENT("0x12", "thread_priority_set", THREAD "int8_t prio;")                                    \
    EVENT("0x13", "thread_create", THREAD)                                                         \
    EVENT("0x14", "thread_abort", THREAD)                                                          \
    EVENT("0x15", "thread_suspend", THREAD)                                                        \
    EVENT("0x16", "thread_resume", THREAD)                                                         \
    EVENT("0x17", "thread_ready", THREAD)                                                          \
    EVENT("0x18", "thread_pending", THREAD)                                                        \
    EVENT("0x19", "thread_info", THREAD "uint32_t stack_base; uint32_t stack_size;")               \
    EVENT("0x1A", "thread_name_set", THREAD)

// clang-format off
static const char old_table[] = TYPES THREADS
    EVENT("0x20", "isr_enter", "")
    EVENT("0x21", "isr_exit", "")
    EVENT("0x22", "isr_exit_to_scheduler", "")
    EVENT("0x30", "idle", "")
    EVENT("0x41", "start_call", OBJECT)
    EVENT("0x42", "end_call", OBJECT)
    EVENT("0x43", "semaphore_init", OBJECT)
    EVENT("0x44", "semaphore_give", OBJECT)
    EVENT("0x45", "semaphore_take", OBJECT)
    EVENT("0x46", "mutex_init", OBJECT)
    EVENT("0x47", "mutex_lock", OBJECT)
    EVENT("0x48", "mutex_unlock", OBJECT);

static const char new_table[] = TYPES THREADS
    EVENT("0x1B", "isr_enter", "")
    EVENT("0x1C", "isr_exit", "")
    EVENT("0x1D", "isr_exit_to_scheduler", "")
    EVENT("0x1E", "idle", "")
    EVENT("0x1F", "start_call", OBJECT)
    EVENT("0x20", "end_call", OBJECT)
    EVENT("0x21", "semaphore_init", RESULT)
    EVENT("0x22", "semaphore_give_enter", OBJECT)
    EVENT("0x23", "semaphore_give_exit", OBJECT)
    EVENT("0x24", "semaphore_take_enter", TIMEOUT)
    EVENT("0x25", "semaphore_take_blocking", TIMEOUT)
    EVENT("0x26", "semaphore_take_exit", FINISHED)
    EVENT("0x27", "semaphore_reset", OBJECT)
    EVENT("0x28", "mutex_init", RESULT)
    EVENT("0x29", "mutex_lock_enter", TIMEOUT)
    EVENT("0x2A", "mutex_lock_blocking", TIMEOUT)
    EVENT("0x2B", "mutex_lock_exit", FINISHED)
    EVENT("0x2C", "mutex_unlock_enter", OBJECT)
    EVENT("0x2D", "mutex_unlock_exit", OBJECT)
    EVENT("0x2F", "timer_start", OBJECT "uint32_t duration; uint32_t period;")
    EVENT("0x34", "user_mode_enter", THREAD)
    EVENT("0x35", "thread_wakeup", THREAD)
    EVENT("0x62", "named_event", "char name[20]; uint32_t arg0; uint32_t arg1;")
    EVENT("0x7F", "sleep_enter", "uint32_t timeout;")
    EVENT("0x80", "sleep_exit", "uint32_t timeout; int32_t ret;");
// clang-format on

const char *wfi_zephyr_builtin(bool old) { return old ? old_table : new_table; }

// ---- detection of a stream without metadata

enum { HEADER = 5, NAME = 20, ENOUGH = 48, SWITCHES = 4 };

// Length of the fields of an event, and the offset + 1 of the name in them; length 0: not known.
static unsigned length_of(uint8_t id, unsigned *name) {
    static const uint8_t objects[] = {8, 4, 4, 8, 8, 12, 4, 8, 8, 8, 12, 4, 4};
    *name = 0;
    if (id >= 0x10 && id <= 0x1A) {
        *name = 5;
        return id == 0x12 ? 25 : id == 0x19 ? 32 : 24;
    }
    if (id >= 0x21 && id <= 0x2D) return objects[id - 0x21];
    switch (id) {
    case 0x1F:
    case 0x20: return 4;
    case 0x2F: return 12;
    case 0x62: *name = 1; return 28;
    default: return 0;
    }
}

static bool is_bare(uint8_t id) { return id >= 0x1B && id <= 0x1E; }

// A name: characters, then zeros.
static bool is_name(const uint8_t *p) {
    unsigned i = 0;
    while (i < NAME && p[i] >= 0x20 && p[i] < 0x7F) ++i;
    if (i == NAME) return false;
    while (i < NAME && !p[i]) ++i;
    return i == NAME;
}

// Only a long run of events that are all good is a stream of Zephyr: it has no signature.
enum wfi_sniff wfi_zephyr_sniff(const uint8_t *bytes, size_t len, bool whole) {
    unsigned events = 0, switches = 0;
    uint32_t stamp = 0;
    for (size_t at = 0; len - at >= HEADER && events < ENOUGH; ++events) {
        uint8_t id = bytes[at + 4];
        unsigned name, size = length_of(id, &name);
        uint32_t now = 0;
        for (unsigned i = 0; i < 4; ++i) now |= (uint32_t)bytes[at + i] << 8 * i;
        if (!size && !is_bare(id)) return WFI_SNIFF_NO;
        if (events && (uint32_t)(now - stamp) > INT32_MAX) return WFI_SNIFF_NO;
        if (len - at < HEADER + size) break;
        if (name && !is_name(bytes + at + HEADER + name - 1)) return WFI_SNIFF_NO;
        switches += id == 0x11;
        stamp = now;
        at += HEADER + size;
    }
    if (events >= ENOUGH) return switches >= SWITCHES ? WFI_SNIFF_YES : WFI_SNIFF_NO;
    return whole || !len ? WFI_SNIFF_NO : WFI_SNIFF_PERHAPS;
}
