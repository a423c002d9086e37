// SPDX-License-Identifier: MIT
// Commands from the host (QS-RX): received bytes go into a ring, wf_rx_parse() takes whole frames
// out, checks them and obeys. Each command is acknowledged, or answered with its error, in the
// trace. docs/commands.md lists them. WF_CFG_RX must be 1 (the default); what is not called costs
// nothing.
#ifndef WF_RX_H
#define WF_RX_H

#include "wallfly/wf_recorder.h"

#ifdef __cplusplus
extern "C" {
#endif

// Kinds of current objects: what a command is about when it names no object.
enum wf_object_kind {
    WF_OBJ_SM,   // state machine
    WF_OBJ_AO,   // active object
    WF_OBJ_POOL, // memory or event pool
    WF_OBJ_QUEUE,
    WF_OBJ_TIMER,
    WF_OBJ_APP,   // the application's: peek, poke and fill count from its address
    WF_OBJ_SM_AO, // to set state machine and active object at once
    WF_OBJ_KINDS = WF_OBJ_SM_AO
};

// Where the host wants an event: 1 .. WF_CFG_MAX_ACTIVE is the active object of that priority.
enum wf_event_to {
    WF_EVENT_PUBLISH = 0,
    WF_EVENT_POST_CURRENT = 253, // post to the current active object
    WF_EVENT_INIT = 254,         // first transition of the current state machine
    WF_EVENT_DISPATCH = 255      // to the current state machine
};

struct wf_rx_event {
    uint8_t to; // enum wf_event_to or a priority
    uint32_t sig;
    uint16_t len; // bytes of parameters: wf_rx_copy takes them
    void *object; // for POST_CURRENT, INIT and DISPATCH: the current one, never null; else null
};

// Memory that commands may reach.
struct wf_range {
    volatile void *start;
    uint32_t size; // bytes
    bool writable;
};

// What the program does for a command. All are called from wf_rx_parse. A null one: the command is
// answered with its error (RESET, set-up and tear-down: nothing more is done).
struct wf_rx_hooks {
    void (*reset)(void); // of the whole system; should not return
    void (*command)(uint8_t id, uint32_t p1, uint32_t p2, uint32_t p3);
    void (*tick)(uint8_t rate);                     // below WF_CFG_MAX_RATES
    bool (*event)(const struct wf_rx_event *event); // false: it could not be made or delivered
    int (*id_of)(const void *active); // QS-ID 1..64 of an active object; -1: none such
    bool (*query)(enum wf_object_kind kind, const void *object); // records QUERY_DATA
    void (*test_setup)(void);
    void (*test_teardown)(void);
    void (*flush)(void); // sends all that waits and takes what has been received, in a pause
    void (*stop)(void);  // after an assertion: reset, or end the program
};

struct wf_rx_config {
    uint8_t *ring;
    uint32_t ring_size; // bytes; a frame with all its escapes, and one more, must fit
    uint16_t event_max; // longest parameters of an event, in bytes
    const struct wf_rx_hooks *hooks;
    const struct wf_range *ranges; // what peek, poke and fill reach with WF_CFG_PEEK 1
    uint8_t range_count;
};

#if (WF_CFG_ON || defined WFI_BUILDING) && WF_CFG_RX

// Starts receiving; records the name QS_RX of the sender of the host's events. The configuration
// must stay where it is. Context: after wf_start.
void wf_rx_start(const struct wf_rx_config *config);

// Puts a received byte into the ring. False: it is full, the byte is dropped (and its frame will
// be found bad). Context: any, interrupts included.
bool wf_rx_put(uint8_t byte);

// Bytes the ring still takes. Context: any.
uint32_t wf_rx_free(void);

// Obeys all commands that have come in whole. Context: one task; may be called again from a hook.
void wf_rx_parse(void);

// Within the event hook, before it parses again: copies len bytes of the parameters from offset on;
// less if there are less. Returns how many.
uint32_t wf_rx_copy(void *to, uint32_t offset, uint32_t len);

// The current object of a kind; null: none. Context: the task of wf_rx_parse.
void wf_set_current(enum wf_object_kind kind, void *object);
void *wf_get_current(enum wf_object_kind kind);

// The current objects by kind, WF_OBJ_KINDS of them; not for users. Context: the same.
void *const *wfi_rx_currents(void);

// Has QUERY_DATA of the current object recorded. False: there is none, or no hook. Context: the
// same.
bool wf_query_current(enum wf_object_kind kind);

// The sender of the host's events, named QS_RX.
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
