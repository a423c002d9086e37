// SPDX-License-Identifier: MIT
// The sum of all that a rule selects, from which wf_check_verdict.c decides.
#ifndef WFI_CHECK_TOTAL_H
#define WFI_CHECK_TOTAL_H

#include "wfi_check.h"

struct wfi_total {
    uint64_t selected, count, open, in_hole, lost, failures;
    uint64_t over[WFI_LIMITS];
    double sum, min, max;
    struct wf_histogram histogram;
    uint64_t unnamed; // measured of what may be selected, as its name may be lost
    bool stale;       // STACK, HEAP: a hole lies behind the last record of one
    const struct wfi_place *worst;
};

// What undecides a rule.
enum wfi_reason {
    WFI_REASON_NONE,
    WFI_REASON_HOLE,
    WFI_REASON_ODD,     // begins or ends are missing though nothing is lost
    WFI_REASON_NOTHING, // nothing was measured
    WFI_REASON_NAME,    // nothing has the name
    WFI_REASON_RATE,    // of the clock is not known
    WFI_REASON_WORDS    // `doubt` of the rule
};

// Returns the value of a limit, in ticks and so on.
double wfi_total_value(const struct wfi_total *t, unsigned limit);

// ---- wf_check_text.c

void wfi_text_of_pass(struct wfi_rule *r);
void wfi_text_of_fail(struct wfi_rule *r);
void wfi_text_of_reason(struct wfi_rule *r, enum wfi_reason reason);
// Writes the failures that are kept.
void wfi_failures_write(struct wfi_rule *r, struct wfi_places *places);

#endif
