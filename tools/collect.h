// SPDX-License-Identifier: MIT
// What a profile consists of: statistics and behaviour of the lanes of a stream.
#ifndef COLLECT_H
#define COLLECT_H

#include "stream.h"
#include "wallfly_host/wf_behaviour.h"
#include "wallfly_host/wf_profile.h"

// Call for each item. Opens statistics (the lane's `user`) with these options, and with `to` also
// its behaviour (the lane's `behaviour`), at a lane's first item. Errors set the stream's code.
void collect_item(struct lane *l, const struct wf_item *item,
                  const struct wf_stats_options *options, struct wf_behaviour *to);
// Ends all lanes and adds them to a profile. Returns WF_OK or an error; no lane: WF_ERR_READ.
int collect_end(const struct stream *stream, struct wf_profile *p, struct wf_error *error);
// The bytes of a profile and its behaviour, as in a file of `stats --save`; the caller frees them.
// Returns null after an error.
uint8_t *collect_write(const struct wf_profile *p, const struct wf_behaviour *b, size_t *len,
                       struct wf_error *error);
// Before stream_close.
void collect_close(const struct stream *stream);

#endif
