// SPDX-License-Identifier: MIT
// Slot traces as items of a session: what wallfly's slot recorder records (docs/slots.md) comes out
// as the same records as from frames, with names, 64-bit time and the core, and every writer takes
// them. Events of other classes come as items of kind EVENT, losses and damage as LOSS.
//
//   while (wf_merge_next(m, &from))
//       if (wf_session_take_slot(s, wf_merge_slots(m), &from, &item)) ...
#ifndef WF_SLOT_RECORD_H
#define WF_SLOT_RECORD_H

#include "wf_session.h"
#include "wf_slots.h"

#ifdef __cplusplus
extern "C" {
#endif

// Takes an item of a reader or merge of slot traces. Its header gives the session sizes,
// rate, cores and build id; time stamps have 8 bytes whatever the target's have. What is lost goes
// into the session's ledger, by events of any class; damaged bytes, too.
//   slots    the reader: of a merge wf_merge_slots(), of a parser wf_parser_slots()
//   item     valid until the next call, and no longer than `from` is
//   returns  false: nothing to hand on. The header, and what is of the trace itself
// A session takes either slots or frames.
bool wf_session_take_slot(struct wf_session *s, const struct wf_slots *slots,
                          const struct wf_slots_item *from, struct wf_item *item);

#ifdef __cplusplus
}
#endif
#endif
