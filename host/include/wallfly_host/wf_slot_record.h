// SPDX-License-Identifier: MIT
// Converts slot traces to items of a session. Events of wallfly's slot recorder (docs/slots.md)
// become the same records as from frames, with names, 64-bit time and the core, so every writer
// accepts them. Events of other classes become items of kind EVENT, losses and damage LOSS.
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

// Takes an item of a reader or merge of slot traces. Its header gives the session sizes, rate,
// cores and build id; time stamps have 8 bytes whatever the target's size. Lost events of any class
// and damaged bytes are added to the session's ledger.
//   slots    the reader: of a merge wf_merge_slots(), of a parser wf_parser_slots()
//   item     valid until the next call, and no longer than `from` is
//   returns  false: there is no item; for the header, and for events about the trace itself
// A session accepts either slots or frames.
bool wf_session_take_slot(struct wf_session *s, const struct wf_slots *slots,
                          const struct wf_slots_item *from, struct wf_item *item);

#ifdef __cplusplus
}
#endif
#endif
