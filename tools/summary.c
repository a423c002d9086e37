// SPDX-License-Identifier: MIT
// Counts and losses at the end of a command, on standard error, so that text in a pipe stays clean.

#include "stream.h"

#include <inttypes.h>
#include <stdio.h>

// Returns the phrase for a number of missing records: exact, or a minimum.
static const char *certainty_of(const struct wf_ledger *l) {
    if (l->exact) return ", by its own count";
    return l->missing ? " or more" : "";
}

static void print_frames(const struct lane *lane, const struct wf_ledger *l) {
    char name[256], lost[64] = "";
    if (wf_lane_format_is_foreign(wf_lane_get_format(lane->of))) {
        diag_note("%s: %" PRIu64 " events; %s%" PRIu64 " missing; %" PRIu64 " of %" PRIu64
                  " bytes damaged",
                  lane_name(lane, name), l->records, l->holes && !l->exact ? "at least " : "",
                  l->missing, l->bytes_bad, l->bytes);
        return;
    }
    if (l->bytes_lost) snprintf(lost, sizeof lost, ", %" PRIu64 " lost", l->bytes_lost);
    diag_note("%s: %" PRIu64 " records; %" PRIu64 " missing (%" PRIu64
              " given up by the target)%s; %" PRIu64 " of %" PRIu64 " bytes damaged%s",
              lane_name(lane, name), l->records, l->missing, l->given_up, certainty_of(l),
              l->bytes_bad, l->bytes, lost);
}

void summary_lanes(const struct stream *s) {
    for (unsigned i = 0; i < s->lane_count; ++i) {
        const struct lane *lane = s->lanes[i];
        const struct wf_ledger *l = wf_session_ledger(lane->session);
        char name[256];
        if (!i && s->lane_count > 1 && !wf_lane_bytes(lane->of)) continue;
        if (lane->slots)
            slots_summary(lane_name(lane, name), lane->slots);
        else
            print_frames(lane, l);
    }
}

bool summary_link(const char *name, struct wf_lane *lane) {
    const struct wf_lane_slots *slots = wf_lane_get_slots(lane);
    const struct wf_ledger *l = wf_session_ledger(wf_lane_session(lane));
    if (slots) {
        slots_summary(name, slots);
    } else {
        diag_note("%" PRIu64 " records, %" PRIu64 " missing%s; %" PRIu64 " of %" PRIu64
                  " bytes damaged",
                  l->records, l->missing, certainty_of(l), l->bytes_bad, l->bytes);
    }
    return !wf_lane_verdict(lane)->lossy;
}
