// SPDX-License-Identifier: MIT
// Commands from the host (QS-RX): received bytes go into a ring; wf_rx_parse() takes whole frames
// out, checks them and executes the commands. The trace contains an acknowledgement or an error for
// each command. docs/commands.md lists them. WF_CFG_RX must be 1 (the default); functions that are
// not called cost nothing.
#ifndef WF_RX_H
#define WF_RX_H

#include "wallfly/wf_recorder.h"

#ifdef __cplusplus
extern "C" {
#endif

// Kinds of current objects: a command without an object applies to the current one.
enum wf_object_kind {
    WF_OBJ_SM,   // state machine
    WF_OBJ_AO,   // active object
    WF_OBJ_POOL, // memory or event pool
    WF_OBJ_QUEUE,
    WF_OBJ_TIMER,
    WF_OBJ_APP,   // the application's: base address of peek, poke and fill
    WF_OBJ_SM_AO, // to set state machine and active object at once
    WF_OBJ_KINDS = WF_OBJ_SM_AO
};

// Receiver of the host's event: 1 .. WF_CFG_MAX_ACTIVE is the active object of that priority.
enum wf_event_to {
    WF_EVENT_PUBLISH = 0,
    WF_EVENT_POST_CURRENT = 253, // post to the current active object
    WF_EVENT_INIT = 254,         // first transition of the current state machine
    WF_EVENT_DISPATCH = 255      // to the current state machine
};

struct wf_rx_event {
    uint8_t to; // enum wf_event_to or a priority
    uint32_t sig;
    uint16_t len; // bytes of parameters; wf_rx_copy reads them
    void *object; // the current object for POST_CURRENT, INIT and DISPATCH, never null; else null
};

// Memory that commands can access.
struct wf_range {
    volatile void *start;
    uint32_t size; // bytes
    bool writable;
};

// The program's part of the commands. wf_rx_parse calls them; wf_assert_fail calls flush and stop,
// WF_TEST_PAUSE calls flush. If a hook is null, its command gets an error (RESET, set-up and
// tear-down: no further action).
struct wf_rx_hooks {
    void (*reset)(void); // of the whole system; should not return
    void (*command)(uint8_t id, uint32_t p1, uint32_t p2, uint32_t p3);
    void (*tick)(uint8_t rate);                     // rate: below WF_CFG_MAX_RATES
    bool (*event)(const struct wf_rx_event *event); // false: not created or not delivered
    int (*id_of)(const void *active);               // QS-ID 1..64 of an active object; -1: not one
    bool (*query)(enum wf_object_kind kind, const void *object); // records QUERY_DATA
    void (*test_setup)(void);
    void (*test_teardown)(void);
    void (*flush)(void); // sends all waiting bytes and puts received bytes, in a pause
    void (*stop)(void);  // after an assertion: reset, or end the program
};

struct wf_rx_config {
    uint8_t *ring;
    uint32_t ring_size; // bytes; room for a whole frame with its escapes, and one more byte
    uint16_t event_max; // longest parameters of an event, in bytes
    const struct wf_rx_hooks *hooks;
    const struct wf_range *ranges; // memory of peek, poke and fill with WF_CFG_PEEK 1
    uint8_t range_count;
};

#if (WF_CFG_ON || defined WFI_BUILDING) && WF_CFG_RX

// Starts receiving and records the name QS_RX for the sender of the host's events. The
// configuration must stay valid. Context: after wf_start.
void wf_rx_start(const struct wf_rx_config *config);

// Puts a received byte into the ring. Returns false when the ring is full; the byte is dropped, and
// its frame will be reported as bad. Context: any, interrupts included.
bool wf_rx_put(uint8_t byte);

// Returns the free bytes of the ring. Context: any.
uint32_t wf_rx_free(void);

// Executes all commands received completely. Context: one task; a hook may call it again.
void wf_rx_parse(void);

// Copies len bytes of the event's parameters from offset on, or as many as there are. Returns the
// bytes copied. Context: the event hook, before it calls wf_rx_parse.
uint32_t wf_rx_copy(void *to, uint32_t offset, uint32_t len);

// Set and get the current object of a kind; null: none. Context: the task of wf_rx_parse.
void wf_set_current(enum wf_object_kind kind, void *object);
void *wf_get_current(enum wf_object_kind kind);

// The current objects by kind, WF_OBJ_KINDS of them; not for users. Context: as above.
void *const *wfi_rx_currents(void);

// Calls the query hook to record QUERY_DATA of the current object. Returns false when there is no
// object or no hook, else the hook's result. Context: as above.
bool wf_query_current(enum wf_object_kind kind);

// Returns the sender of the host's events, named QS_RX. Context: any.
const void *wf_rx_sender(void);

#else

static inline void wf_rx_start(const struct wf_rx_config *config) { (void)config; }
static inline bool wf_rx_put(uint8_t byte) { return (void)byte, true; }
static inline uint32_t wf_rx_free(void) { return 0; }
static inline void wf_rx_parse(void) {}
static inline uint32_t wf_rx_copy(void *to, uint32_t offset, uint32_t len) {
    (void)to;
    (void)offset;
    return len & 0;
}
static inline void wf_set_current(enum wf_object_kind kind, void *object) {
    (void)kind;
    (void)object;
}
static inline void *wf_get_current(enum wf_object_kind kind) { return (void)kind, (void *)0; }
static inline void *const *wfi_rx_currents(void) { return (void *const *)0; }
static inline bool wf_query_current(enum wf_object_kind kind) { return (void)kind, false; }
static inline const void *wf_rx_sender(void) { return (const void *)0; }

#endif

#ifdef __cplusplus
}
#endif
#endif
