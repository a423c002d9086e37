// SPDX-License-Identifier: MIT
// Internals of the comparison: wf_diff_sample.c reads blocks of a figure, wf_diff_chance.c tests
// them, wf_diff.c pairs rows and gives verdicts, wf_diff_order.c sorts, wf_diff_condition.c parses
// conditions.
#ifndef WFI_DIFF_H
#define WFI_DIFF_H

#include "wallfly_host/wf_diff.h"
#include "wfi_profile.h"

// A quantity by blocks: it is sum of `value` / sum of `weight`.
struct wfi_sample {
    unsigned count;
    double value[WFI_BLOCKS], weight[WFI_BLOCKS];
};

struct wfi_chance {
    double p, least; // least: the smallest value that p could have
    double noise;    // the difference in units of its standard error
};

// Tests whether two quantities differ.
void wfi_diff_test(const struct wfi_sample *a, const struct wfi_sample *b, struct wfi_chance *c);

// One side of a comparison. figure null: the row has no such figure, its values are 0.
struct wfi_side {
    const struct wfi_profile_lane *lane; // null: none
    const struct wfi_profile_figure *figure;
    double scale; // seconds of a tick; 1 if no rate is known
    double tick;  // scale of the figure's unit: 1 unless it is a time
};

// Returns the value of a measure; *known: there is one.
double wfi_diff_value(const struct wfi_side *s, enum wf_diff_measure measure, bool *known);
// Makes the samples of both. Returns false if the measure has none.
bool wfi_diff_sample(const struct wfi_side *a, const struct wfi_side *b,
                     enum wf_diff_measure measure, struct wfi_sample *x, struct wfi_sample *y);
// Compares one measure: all members but p_all and verdict.
void wfi_diff_measure(const struct wfi_side *a, const struct wfi_side *b,
                      enum wf_diff_measure measure, struct wf_diff_change *change);

struct wfi_diff_item {
    struct wf_diff_figure figure;
    unsigned tier; // 0: first
    double score;
    size_t place; // before sorting
};

struct wf_diff {
    struct wf_diff_options o;
    const struct wf_profile *good, *now;
    struct wfi_diff_item *items;
    size_t count, cap;
    size_t new_rows, vanished_rows, measures;
    double tick; // seconds of the longer tick
};

// A measure that verdicts are given for; the others are for conditions alone.
bool wfi_diff_judged(enum wf_diff_measure measure);
// Whether the measure applies to a figure of this form and unit.
bool wfi_diff_applies(const char *figure, enum wf_figure_form form, enum wf_unit unit,
                      enum wf_diff_measure measure);
void wfi_diff_order(struct wf_diff *d);

#endif
