// SPDX-License-Identifier: MIT
// Fields of events as libbabeltrace2 gives them. Structures become fields with dotted names; arrays
// and what is nested deeper become texts.
#ifndef WFB_CTF_FIELDS_H
#define WFB_CTF_FIELDS_H

#include "wfb_babeltrace.h"
#include "wfb_event_encoder.h"

// Puts the fields of one scope of a class (null: none), at most *left, which is reduced.
void wfb_put_field_classes(struct wfb_encoder *e, const struct wfb_babeltrace *bt,
                           bt_const structure, enum wf_events_scope scope, unsigned *left);
// Counts them.
unsigned wfb_count_field_classes(const struct wfb_babeltrace *bt, bt_const structure);
// Puts their values, in the same order.
void wfb_put_fields(struct wfb_encoder *e, const struct wfb_babeltrace *bt, bt_const structure,
                    unsigned *left);

#endif
