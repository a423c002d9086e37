// SPDX-License-Identifier: MIT
// The statistics of one lane, and their rows.

#include <string.h>

#include "stats.h"

static bool concerns(const struct wf_stats_row *row, const char *task) {
    const char *const names[] = {row->task, row->by, row->over};
    for (unsigned i = 0; i < 3; ++i) {
        if (names[i] && strcmp(names[i], task) == 0) return true;
    }
    return false;
}

bool stats_end_lane(struct lane *l, const char *task, struct stats *s) {
    *s = (struct stats){.lane = l->number, .figures = l->user, .task = task, .out = stdout};
    if (!l->user) return false;
    wf_stats_end(l->user);
    int err = wf_stats_error(l->user);
    if (err == WF_OK)
        wf_stats_tell(s->figures, &s->about);
    else
        l->stream->code = complain(EXIT_INPUT, "%s", wf_err_text(err));
    return err == WF_OK;
}

bool stats_next(const struct stats *s, uint64_t *at, struct wf_stats_row *row) {
    while (wf_stats_next(s->figures, at, row)) {
        if (!s->task || concerns(row, s->task)) return true;
    }
    return false;
}
