// SPDX-License-Identifier: MIT
// The condition is checked before each record while the trigger is armed; else the cost is one
// load.

#include "wfi_core.h"

#if WF_CFG_TRIGGER

static void arm(const struct wf_condition *when, bool starts, uint32_t after) {
    uint32_t was = wf_port_lock();
    wfi.trigger.when.record = when->record; // no struct copy: that may be a call
    wfi.trigger.when.id = when->id;
    wfi.trigger.starts = starts;
    wfi.trigger.fired = false;
    wfi.trigger.left = after;
    wfi.trigger.armed = true;
    wf_port_unlock(was);
}

void wf_trigger_start(const struct wf_condition *when) { arm(when, true, 0); }
void wf_trigger_stop(const struct wf_condition *when, uint32_t after) { arm(when, false, after); }

static bool meets(uint8_t want, unsigned is) { return want == WF_ANY || want == is; }

// Returns whether the record is made. The lock is held.
static bool passes(unsigned record, unsigned id) {
    struct wfi_trigger *t = &wfi.trigger;
    if (!t->armed) return true;
    if (t->fired && t->left)
        --t->left;
    else if (t->fired)
        return false;
    else if (meets(t->when.record, record) && meets(t->when.id, id)) {
        t->fired = true;
        t->armed = !t->starts;
    } else {
        return !t->starts;
    }
    return true;
}

bool wfi_trigger_asked(bool held, unsigned record, unsigned id) {
    uint32_t was = held ? 0 : wf_port_lock();
    bool yes = passes(record, id);
    if (!held) wf_port_unlock(was);
    return yes;
}

void wf_trigger_fire(void) {
    uint32_t was = wf_port_lock();
    wfi.trigger.fired = true;
    if (wfi.trigger.starts) wfi.trigger.armed = false;
    wf_port_unlock(was);
}

void wf_trigger_off(void) {
    uint32_t was = wf_port_lock();
    wfi.trigger.armed = false;
    wf_port_unlock(was);
}

bool wf_trigger_is_stopped(void) {
    uint32_t was = wf_port_lock();
    bool yes = wfi.trigger.armed && wfi.trigger.fired && !wfi.trigger.left;
    wf_port_unlock(was);
    return yes;
}

#endif
