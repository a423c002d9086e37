// SPDX-License-Identifier: MIT
// The timeline against the model: at random times its slices match the model's state at that time.
#ifndef LINES_H
#define LINES_H

#include "wallfly_host/wf_timeline.h"

struct lines;
struct lines *lines_open(struct wf_session *s);
void lines_close(struct lines *l);
// Takes an item after m has taken it.
void lines_take(struct lines *l, const struct wf_model *m, const struct wf_item *item);
// Ends the trace. Returns null or an error text.
const char *lines_end(struct lines *l);
unsigned lines_pictures(const struct lines *l); // number of pictures compared

#endif
