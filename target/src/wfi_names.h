// SPDX-License-Identifier: MIT
// Shared by the table of names (wf_names.c) and the code that sends them again (wf_names_tell.c).
#ifndef WFI_NAMES_H
#define WFI_NAMES_H

#include "wfi_core.h"

#include "wallfly/wf_names.h"

enum {
    WFI_NAME_HEAD = 1 + WFI_NAMES_SINCE + 1, // length, since, id
    WFI_NAME_ID = WFI_NAME_HEAD - 1,
    WFI_NAME_SLICE = 8,                              // entries checked while the lock is held
    WFI_NAME_CORES = WF_CFG_SLOTS ? WF_CFG_CORES : 1 // rings that readers take data from
};

// Everything below `told` is shared: access it within the critical section only.
struct wfi_name_table {
    struct wf_names_box *box;
    uint8_t *bytes;      // the entries, after the box
    uint32_t generation; // changes when gaps were joined, so that borders of entries moved
    uint32_t names, refused, told;
    // ---- sending (wf_names_tell.c)
    uint32_t at;   // the next entry to send
    uint32_t fast; // bytes of entries that are still to be sent fast, from `at` on, around the end
    uint32_t gap;  // ticks from a name to the next in the background; 0: to be computed
    uint32_t lost[WFI_NAME_CORES]; // records lost, as of the last step that saw this core
    uint32_t made;                 // records made, as of the last name sent without room
    uint32_t put_made;             // ..., as of the last name that went into the ring
    uint64_t time;                 // of the last step
    uint64_t began;                // time at which sending all fast began last
    uint64_t due;                  // time of the next name in the background
    uint32_t period_s;             // 0: as WF_NAMES_RATE gives
    bool unread;                   // names may be in the ring
    bool info;                     // TARGET_INFO is to be sent first
    bool pending;                  // after a loss all names wait to be sent again
    bool pressed[WFI_NAME_CORES];  // records were lost, and the reader has not caught up since
    uint8_t burst; // names to send now into an overrun ring, after way was made for them
};

// A port whose recorder and reader are different processes keeps this state in shared memory:
// WF_PORT_NAMES is its address, the same in both, and WF_PORT_NAMES_SIZE its size.
#ifdef WF_PORT_NAMES
#define wfi_names (*(struct wfi_name_table *)(WF_PORT_NAMES))
typedef char wfi_names_size[sizeof(struct wfi_name_table) <= WF_PORT_NAMES_SIZE ? 1 : -1];
#else
extern struct wfi_name_table wfi_names;
#endif

static inline uint8_t *wfi_name_at(uint32_t at) { return wfi_names.bytes + at; }

// Bytes of an entry, including its length byte.
static inline uint32_t wfi_name_len(const uint8_t *entry) { return (uint32_t)entry[0] + 1; }

// The present time in the units of `since`.
uint64_t wfi_names_now(void);

void wfi_names_announced(void); // called before a name's record is made
void wfi_names_tell(bool info);
void wfi_names_step(unsigned what, struct wf_slots_reader *reader, unsigned core);
void wfi_names_tell_start(unsigned period_s);

#endif
