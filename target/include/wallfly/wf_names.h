// SPDX-License-Identifier: MIT
// A table of names: keeps what dictionaries and WF_NAME announced, and sends it again, so that a
// trace joined late, a ring that wrapped and an image of the memory have all names.
// docs/names-again.md describes when they are sent. Nothing of it is in the image unless
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

enum { WF_NAMES_RATE = 1024 }; // bytes a second in the background, unless a period is given
#define WF_NAMES_NEVER 0xFFFFu // a period: nothing is sent in the background

// What a table needs for names of so many characters in all, with the longest kind of record.
#define WF_NAMES_SIZE(names, characters)                                                           \
    (sizeof(struct wf_names_box) + (size_t)(names) * (WFI_NAMES_SINCE + 7 + WF_CFG_OBJ_SIZE) +     \
     (size_t)(characters))

struct wf_names_status {
    uint32_t size, used; // bytes for names, and of these taken
    uint32_t names;      // kept now
    uint32_t refused;    // not kept: the table was full, or a text too long (240 characters)
    uint32_t told;       // sent again so far
};

// What the table begins with, so that it is found in an image of the memory. Behind it lie names:
// a byte with the length of the rest, when it was announced (`since` bytes, lowest first: the
// number of records made, of the slot recorder the time), the number of the record (0: a gap), its
// payload.
struct wf_names_box {
    uint8_t magic[8];
    uint32_t order; // 0x01020304
    uint32_t size, used;
    uint32_t build_id; // of wf_config
    uint8_t sizes[5];  // as SYNC has them
    uint8_t since;
    uint8_t spare[2];
};

#if WF_CFG_ON || defined WFI_BUILDING

// Keeps names from now on; call it before any is announced.
//   memory    aligned as a uint32_t is; it stays the recorder's. Null: no table
//   size      bytes, WF_NAMES_MIN or more
//   period_s  each name is sent once in so many seconds while a reader reads; 0: once a second as
//             long as the table holds no more than WF_NAMES_RATE bytes, else so many bytes a
//             second; WF_NAMES_NEVER: not in the background. Needs hz of wf_config
//   returns   false: the memory is too small or not aligned; no names are kept
//   context   behind wf_start or wf_slots_start, before anything else records
bool wf_names_start(void *memory, uint32_t size, unsigned period_s);

// A new reader has come: TARGET_INFO (not of the slot recorder) and all names are sent again, as
// fast as the reader takes them. INFO of the host does the same. Cost: a few stores. Context: any.
static inline void wf_names_tell(void);

// Forgets the name of an object that is no more. The records of wf_rtos.h that create and delete do
// so themselves. Cost: a walk through the table, interrupts off for eight names at a time. Context:
// any.
static inline void wf_names_forget(const void *obj);

// All 0 without a table. Context: any.
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

// What the recorder calls if there is a table.
struct wfi_names_calls {
    // A name was announced. value, of: the numbers in front of it, as in the record.
    void (*put)(unsigned id, uint32_t value, uintptr_t of, const char *name);
    void (*forget)(const void *obj);
    void (*tell)(bool info);
    void (*get_status)(struct wf_names_status *status);
    // A reader is about to take something. what: WFI_HELD if the caller holds the critical section;
    // reader: of the slot recorder, for this core.
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
