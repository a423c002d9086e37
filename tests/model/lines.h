// SPDX-License-Identifier: MIT
// The time line against the model: at random times what its slices say is what the model said then.
#ifndef LINES_H
#define LINES_H

#include "wallfly_host/wf_timeline.h"

struct lines;
struct lines *lines_open(struct wf_session *s);
void lines_close(struct lines *l);
// Takes an item that m has taken.
void lines_take(struct lines *l, const struct wf_model *m, const struct wf_item *item);
// The trace ends: null, or what is wrong.
const char *lines_end(struct lines *l);
unsigned lines_pictures(const struct lines *l); // so many times were looked at

#endif
