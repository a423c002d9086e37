// SPDX-License-Identifier: MIT
// A table of names: stores the names announced by dictionaries and WF_NAME and sends them again. So
// a trace that is joined late, a ring that wrapped and a memory image have all names.
// docs/names-again.md describes when they are sent. The image contains this code only if
// wf_names_start is called.
#ifndef WF_NAMES_H
#define WF_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "wallfly/wf_recorder.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WF_NAMES_MIN = 64 }; // bytes of the smallest table

enum { WF_NAMES_RATE = 1024 }; // bytes per second in the background when no period is given
#define WF_NAMES_NEVER 0xFFFFu // as period: no names in the background

// Bytes of a table for `names` names with `characters` characters in all, for the longest record.
#define WF_NAMES_SIZE(names, characters)                                                           \
    (sizeof(struct wf_names_box) + (size_t)(names) * (WFI_NAMES_SINCE + 7 + WF_CFG_OBJ_SIZE) +     \
     (size_t)(characters))

struct wf_names_status {
    uint32_t size, used; // bytes for names, and bytes in use
    uint32_t names;      // in the table now
    uint32_t refused;    // not stored: the table was full, or the text too long (240 characters)
    uint32_t told;       // names sent again so far
};

// The header of the table, by which it is found in a memory image. The entries follow it. An entry:
// a byte with the length of the rest; `since` bytes with the time of the announcement, lowest byte
// first (the number of records made; in the slot recorder the time); the record number (0: a gap);
// its payload.
struct wf_names_box {
    uint8_t magic[8];
    uint32_t order; // 0x01020304
    uint32_t size, used;
    uint32_t build_id; // of wf_config
    uint8_t sizes[5];  // as in SYNC
    uint8_t since;
    uint8_t spare[2];
};

#if WF_CFG_ON || defined WFI_BUILDING

// Starts the table. Call it before any name is announced.
//   memory    aligned like a uint32_t; the recorder keeps using it. Null: no table
//   size      bytes, WF_NAMES_MIN or more
//   period_s  seconds in which each name is sent once, while a reader reads. 0: one second if the
//             table holds no more than WF_NAMES_RATE bytes, else WF_NAMES_RATE bytes per second;
//             WF_NAMES_NEVER: not in the background. Needs hz of wf_config
//   returns   false when the memory is too small or not aligned; then no names are stored
//   context   after wf_start or wf_slots_start, before any other record
bool wf_names_start(void *memory, uint32_t size, unsigned period_s);

// Sends TARGET_INFO (not in the slot recorder) and all names again, as fast as the reader takes
// them. Call it for a new reader; the host's command INFO does the same. Cost: a few stores.
// Context: any.
static inline void wf_names_tell(void);

// Removes the name of a deleted object. The create and delete records of wf_rtos.h call it. Cost: a
// walk through the table, with interrupts off for eight names at a time. Context: any.
static inline void wf_names_forget(const void *obj);

// Gets the state of the table, all 0 without a table. Context: any.
static inline void wf_names_get_status(struct wf_names_status *status);

#else

static inline bool wf_names_start(void *memory, uint32_t size, unsigned period_s) {
    (void)memory;
    (void)size;
    (void)period_s;
    return true;
}
static inline void wf_names_tell(void) {}
static inline void wf_names_forget(const void *obj) { (void)obj; }
static inline void wf_names_get_status(struct wf_names_status *status) {
    status->size = status->used = status->names = status->refused = status->told = 0;
}

#endif

// ---- inside; not for users ----

enum { WFI_NAMES_SINCE = WF_CFG_SLOTS ? 8 : 6 };

struct wf_slots_reader;

// Functions of the table; the recorder calls them if there is a table.
struct wfi_names_calls {
    // Adds a name. value, of: the numbers before it, as in the record.
    void (*put)(unsigned id, uint32_t value, uintptr_t of, const char *name);
    void (*forget)(const void *obj);
    void (*tell)(bool info);
    void (*get_status)(struct wf_names_status *status);
    // Called before a reader takes data. what: WFI_HELD if the caller holds the critical section;
    // reader: the slot recorder's reader of this core.
    void (*step)(unsigned what, struct wf_slots_reader *reader, unsigned core);
};

#if WF_CFG_ON || defined WFI_BUILDING
static inline void wf_names_tell(void) {
    if (wfi.names) wfi.names->tell(true);
}
static inline void wf_names_forget(const void *obj) {
    if (wfi.names) wfi.names->forget(obj);
}
static inline void wf_names_get_status(struct wf_names_status *status) {
    const struct wf_names_status none = {0, 0, 0, 0, 0};
    *status = none;
    if (wfi.names) wfi.names->get_status(status);
}
#endif

#ifdef __cplusplus
}
#endif
#endif
