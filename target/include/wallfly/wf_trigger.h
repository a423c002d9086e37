// SPDX-License-Identifier: MIT
// Triggers: start recording at a condition, or stop after it. WF_CFG_TRIGGER must be 1.
//
//   wf_trigger_stop(&(struct wf_condition){WF_ID_assert_fail, WF_ANY}, 20);
//
// records until an ASSERT_FAIL and 20 records more, then stops: the ring holds the records before
// it. The condition is checked for each record that passes the filters, before it is made. Records
// that are always made (dictionaries, SYNC, answers to commands) neither fire a trigger nor are
// held back; an ASSERT_FAIL fires it and is not held back.
#ifndef WF_TRIGGER_H
#define WF_TRIGGER_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { WF_ANY = 0xFF, WF_NEVER = 0xFE };

// Both members must match. WF_ANY matches all; with record WF_NEVER only wf_trigger_fire() fires.
struct wf_condition {
    uint8_t record; // its number
    uint8_t id;     // its QS-ID
};

// Records nothing until the condition (copied); the record that meets it is the first. Context:
// any.
void wf_trigger_start(const struct wf_condition *when);

// Records until the condition (copied), then `after` more records. Context: any.
void wf_trigger_stop(const struct wf_condition *when, uint32_t after);

// Fires the armed trigger now. Context: any.
void wf_trigger_fire(void);

// Disarms the trigger: everything is recorded again. Context: any.
void wf_trigger_off(void);

// Returns whether a stop trigger has fired and all its records were made. Context: any.
bool wf_trigger_is_stopped(void);

// ---- inside; not for users ----

struct wfi_trigger {
    struct wf_condition when;
    bool armed; // the condition must be checked before a record is made
    bool starts, fired;
    uint32_t left; // records to make once it has fired
};

bool wfi_trigger_asked(bool held, unsigned record, unsigned id);

#ifdef __cplusplus
}
#endif
#endif
