// SPDX-License-Identifier: MIT
// wf_segment.c cuts frames, wf_segment_whole.c has segments of other formats, wf_segment_put.c
// writes both into recordings.
#ifndef WFI_SEGMENT_H
#define WFI_SEGMENT_H

#include "wallfly_host/wf_segment.h"

// Returns whether the state of a segment says that it is whole.
static inline bool wfi_segment_is_whole(const struct wf_segment *s) {
    return s->state_len && s->state[0] >= 'a' && s->state[0] <= 'z';
}

// Counts an item of a segment.
void wfi_segment_count(struct wf_segment *segment, const struct wf_item *item);
// Sets what a session knows at the end of a segment. before: its ledger at the begin
void wfi_segment_close(struct wf_segment *segment, struct wf_session *session,
                       const struct wf_ledger *before);
// Reads a whole segment, of which only the bytes are known, and sets the rest. Returns as
// wf_segments_error.
int wfi_segment_count_whole(struct wf_segment *segment, const struct wf_session_options *session,
                            struct wf_error *error);

#endif
