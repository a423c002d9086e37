// SPDX-License-Identifier: MIT
// Selects rows of statistics.

#include <string.h>

#include "stats.h"

static bool concerns(const struct wf_stats_row *row, const char *task) {
    const char *const names[] = {row->task, row->by, row->over};
    for (unsigned i = 0; i < 3; ++i) {
        if (names[i] && strcmp(names[i], task) == 0) return true;
    }
    return false;
}

bool stats_next(const struct stats *s, uint64_t *at, struct wf_stats_row *row) {
    while (wf_stats_next(s->figures, at, row)) {
        if (!s->task || concerns(row, s->task)) return true;
    }
    return false;
}
