// SPDX-License-Identifier: MIT
// What the programs that print a model have in common: a trace in memory, a session of its bytes
// and a model of that.
#ifndef MODEL_READ_H
#define MODEL_READ_H

#include "wallfly_host/wf_model.h"

// Opened by the program's first argument; a second one is the rate. Ends the program if that fails.
struct wf_session *model_open(int argc, char **argv, struct wf_model **m);
// Is it slots, which the program reads from its file itself?
bool model_has_slots(void);
// Feeds frames or transmission text, each item to take.
void model_feed(struct wf_session *s, void (*take)(const struct wf_item *item));

#endif
