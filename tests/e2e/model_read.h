// SPDX-License-Identifier: MIT
// Shared by the programs that print a model: a trace in memory, a session of its bytes and a model
// of the session.
#ifndef MODEL_READ_H
#define MODEL_READ_H

#include "wallfly_host/wf_model.h"

// Reads the file in the first argument; the optional second one is the rate. Ends the program on
// failure.
struct wf_session *model_open(int argc, char **argv, struct wf_model **m);
// Returns true for slots; the program reads those from its file itself.
bool model_has_slots(void);
// Feeds frames or transmission text and passes each item to take.
void model_feed(struct wf_session *s, void (*take)(const struct wf_item *item));

#endif
