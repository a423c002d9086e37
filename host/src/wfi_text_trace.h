// SPDX-License-Identifier: MIT
// The transmission text inside of a session.
#ifndef WFI_TEXT_TRACE_H
#define WFI_TEXT_TRACE_H

#include "wfi_session.h"

struct wfi_lines;

// In place of frames: what wf_session_next, wf_session_relink, wf_session_lose, wf_session_close do
// for a session of text.
bool wfi_lines_next(struct wf_session *s, struct wf_item *item);
void wfi_lines_relink(struct wf_session *s);
void wfi_lines_lost(struct wf_session *s, uint64_t bytes);
void wfi_lines_close(struct wf_session *s);

// Colour and pattern that an nT or nM told for it; null: none, or no session of text.
struct wfi_look {
    const char *colour, *pattern;
};
// Is an application record of that number the one that tells of looks?
bool wfi_is_look(const struct wf_session *s, uint8_t id);
struct wfi_look wfi_look_of(const struct wf_session *s, uint64_t key);

#endif
