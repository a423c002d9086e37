// SPDX-License-Identifier: MIT
// The transmission text as seen by the session.
#ifndef WFI_TEXT_TRACE_H
#define WFI_TEXT_TRACE_H

#include "core/wfi_session.h"

struct wfi_lines;

// These replace wf_session_next, wf_session_relink, wf_session_lose and wf_session_close for a
// session of text.
bool wfi_lines_next(struct wf_session *s, struct wf_item *item);
void wfi_lines_relink(struct wf_session *s);
void wfi_lines_lost(struct wf_session *s, uint64_t bytes);
void wfi_lines_close(struct wf_session *s);

#endif
