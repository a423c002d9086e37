// SPDX-License-Identifier: MIT
// Finds the sizes that fit. Every good record with a fixed layout has a length, and a wrong size
// makes many lengths wrong in a characteristic way. All changes of one size, then of two, and of
// three if two have improved, are tried against the lengths seen; the smallest change that fits
// most wins. Of changes that fit alike the size of time stamps is the last one: a record of a stamp
// and a pointer has the same length with either of them larger, and larger pointers are common.

#include <string.h>

#include "core/wfi_session.h"

static const uint8_t tried[] = {1, 2, 4, 8};

struct guess {
    uint8_t bytes[WF_TYPE_END];
    uint64_t fits;
    unsigned changes;
};

static uint64_t count_fits(const struct wf_session *s, const uint8_t bytes[WF_TYPE_END]) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < s->evidence_count; ++i) {
        if (wfi_plan_len(s->evidence[i].plan->row, bytes) == s->evidence[i].len) {
            sum += s->evidence[i].count;
        }
    }
    // Records that are right now must not become wrong.
    for (unsigned i = 0; i < wf_row_count; ++i) {
        const struct wfi_plan *plan = &s->plans[i];
        uint64_t good = s->ledger.by_id[plan->row->id] - s->malformed_by_id[plan->row->id];
        if (s->pick[plan->row->id].only != plan || plan->len == WFI_VARIABLE || !good) continue;
        if (wfi_plan_len(plan->row, bytes) != plan->len) sum = sum > good ? sum - good : 0;
    }
    return sum;
}

static void try_sizes(const struct wf_session *s, const uint8_t bytes[WF_TYPE_END],
                      unsigned changes, struct guess *best) {
    uint64_t n = count_fits(s, bytes);
    if (n <= best->fits) return;
    best->fits = n;
    best->changes = changes;
    memcpy(best->bytes, bytes, sizeof best->bytes);
}

static void vary_sizes(const struct wf_session *s, uint8_t bytes[WF_TYPE_END], unsigned from,
                       unsigned changes, unsigned most, struct guess *best) {
    for (unsigned at = from; at < WF_TYPE_END; ++at) {
        unsigned t = (at + WF_TYPE_TIME + 1) % WF_TYPE_END;
        if (!wf_types[t].letter) continue;
        uint8_t was = bytes[t];
        for (unsigned i = 0; i < sizeof tried; ++i) {
            if (tried[i] == was) continue;
            bytes[t] = tried[i];
            try_sizes(s, bytes, changes, best);
            if (changes < most) vary_sizes(s, bytes, at + 1, changes + 1, most, best);
        }
        bytes[t] = was;
    }
}

bool wf_session_guess_sizes(const struct wf_session *s, char *letters, size_t cap,
                            uint64_t *fitting) {
    struct guess best = {.fits = 0};
    uint8_t bytes[WF_TYPE_END];
    memcpy(bytes, s->target.bytes, sizeof bytes);
    if (!s->evidence_count) return false;
    for (unsigned most = 1; most <= 3; ++most) {
        uint64_t before = best.fits;
        vary_sizes(s, bytes, 0, 1, most, &best);
        if (most > 1 && best.fits == before) break;
    }
    size_t at = 0;
    for (unsigned t = 0; best.fits && t < WF_TYPE_END && at + 3 <= cap; ++t) {
        if (best.bytes[t] == s->target.bytes[t]) continue;
        letters[at++] = wf_types[t].letter;
        letters[at++] = (char)('0' + best.bytes[t]);
    }
    letters[at] = 0;
    *fitting = best.fits;
    return best.fits > 0;
}

bool wf_session_sizes_fit(const struct wf_session *s) {
    const struct wf_ledger *l = wf_session_ledger(s);
    return l->malformed * 4 <= l->records;
}
