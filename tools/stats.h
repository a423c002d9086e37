// SPDX-License-Identifier: MIT
// Statistics of the lanes of a stream.
#ifndef STATS_H
#define STATS_H

#include "stream.h"
#include "wallfly_server/stats_data.h"

// Ends the statistics of a lane (its `user`), for output on standard output. Returns false for a
// lane without items, and after an error message, which sets the stream's code.
bool stats_end_lane(struct lane *l, const char *task, struct stats *s);
void stats_text(const struct stats *s);

#endif
