// SPDX-License-Identifier: MIT
// Internals of profiles: wf_profile.c keeps and joins rows, wf_profile_write.c and
// wf_profile_read.c convert them to bytes and back.
#ifndef WFI_PROFILE_H
#define WFI_PROFILE_H

#include "util/wfi_blocks.h"
#include "util/wfi_index.h"
#include "wallfly_host/wf_profile.h"

// Texts of a row that identify it, with lane, kind and core.
enum {
    WFI_TEXT_NAME,
    WFI_TEXT_WHAT,
    WFI_TEXT_TASK,
    WFI_TEXT_OBJECT,
    WFI_TEXT_BY,
    WFI_TEXT_OVER,
    WFI_TEXTS
};

enum { WFI_PROFILE_FIGURES = 1 << 20, WFI_PROFILE_LANES = 4096, WFI_PROFILE_TEXT = 4096 };

struct wfi_profile_figure {
    const char *name;
    enum wf_unit unit;
    enum wf_figure_form form;
    bool known;
    double value, count, min, mean, max; // ONE: value; LEVEL: all
    struct wf_histogram histogram;       // SPREAD
    struct wf_blocks *blocks, *weights;  // null: none
};

struct wfi_profile_row {
    uint32_t lane; // index of the profile's lanes
    enum wf_stats_kind kind;
    const char *texts[WFI_TEXTS]; // of the profile: equal texts have the same address
    int core;
    bool marked;
    uint64_t tasks, by_tasks, over_tasks;
    struct wfi_profile_figure *figures;
    unsigned count;
};

struct wfi_profile_lane {
    struct wf_profile_lane is;
    uint64_t ticks[WFI_BLOCKS]; // of the blocks
    unsigned count;
    struct wf_blocks records, lost; // sums only
};

struct wf_profile {
    struct wfi_profile_lane *lanes;
    size_t lane_count, lane_cap;
    struct wfi_profile_row *rows;
    size_t row_count, row_cap, figures;
    char **texts;
    size_t text_count, text_cap;
    struct wfi_index text_index, row_index;
};

// Returns the profile's own copy of a text; null for null, and when out of memory.
const char *wfi_profile_text(struct wf_profile *p, const char *text, size_t len);
// Number of a text from 1, 0 for null.
uint32_t wfi_profile_text_number(const struct wf_profile *p, const char *text);
struct wfi_profile_lane *wfi_profile_add_lane(struct wf_profile *p, unsigned lane);
// Returns the row with the same lane, kind, texts (those of `p`) and core; null: none.
struct wfi_profile_row *wfi_profile_find(const struct wf_profile *p,
                                         const struct wfi_profile_row *row);
// Adds a row; it has the figures of `row`, which then belong to the profile. Returns WF_OK or an
// error: then they still belong to the caller.
int wfi_profile_add_row(struct wf_profile *p, const struct wfi_profile_row *row);
void wfi_profile_close_figure(struct wfi_profile_figure *f);
// Computes the shares, which are not joined: processor time of the time that is known of a core.
void wfi_profile_settle(struct wf_profile *p);
// The figure with this name; null: none.
struct wfi_profile_figure *wfi_profile_figure(const struct wfi_profile_row *row, const char *name);

#endif
