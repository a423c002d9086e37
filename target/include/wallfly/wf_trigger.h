// SPDX-License-Identifier: MIT
// Triggers: record only from some moment on, or keep what led to it. WF_CFG_TRIGGER must be 1.
//
//   wf_trigger_stop(&(struct wf_condition){WF_ID_assert_fail, WF_ANY}, 20);
//
// records until an ASSERT_FAIL and 20 records more, then nothing: the ring holds what came before.
// The condition is looked at when a record is about to be made, filtered ones not among them. What
// is always recorded (dictionaries, SYNC, answers to commands) neither fires nor is held back; an
// ASSERT_FAIL fires, and is not held back.
#ifndef WF_TRIGGER_H
#define WF_TRIGGER_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { WF_ANY = 0xFF, WF_NEVER = 0xFE };

// Both must hold. WF_ANY holds always; a record of WF_NEVER: only wf_trigger_fire() fires it.
struct wf_condition {
    uint8_t record; // its number
    uint8_t id;     // its QS-ID
};

// Nothing is recorded until the condition; the record that meets it is the first. Context: any.
void wf_trigger_start(const struct wf_condition *when);

// Records until the condition and `after` records more. Context: any.
void wf_trigger_stop(const struct wf_condition *when, uint32_t after);

// Fires the armed trigger now. Context: any.
void wf_trigger_fire(void);

// Takes it off: everything is recorded again. Context: any.
void wf_trigger_off(void);

// Has a stop trigger fired and all its records been made? Context: any.
bool wf_trigger_is_stopped(void);

// ---- inside; not for users ----

struct wfi_trigger {
    struct wf_condition when;
    bool armed; // someone must be asked before a record is made
    bool starts, fired;
    uint32_t left; // records to make once it has fired
};

bool wfi_trigger_asked(bool held, unsigned record, unsigned id);

#ifdef __cplusplus
}
#endif
#endif
