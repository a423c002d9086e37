// SPDX-License-Identifier: MIT
// The results of a trace, for output as text, JSON, GitHub's annotations, TAP and JUnit.
#ifndef CHECK_VIEW_H
#define CHECK_VIEW_H

#include "../report/report.h"
#include "check_rules.h"
#include "around.h"

// The result of a rule on a lane.
struct check_row {
    struct check_result result;
    unsigned lane;
    struct wf_session *session; // null: the trace has no such lane
};

struct check_view {
    const char *name;        // of the source, for people
    const struct args *args; // the source and its options, for commands
    bool gone;               // it cannot be read again
    bool lanes;              // there are several
    bool target_clock;
    bool colour;
    unsigned shown;         // failures of each rule
    struct check_row *rows; // in the order of lanes and scripts
    unsigned count;
    struct around *around; // null: none were read
};

struct check_counts {
    unsigned passed, failed, undecided;
};
void view_count(const struct check_view *v, struct check_counts *counts);

// Formats a tick: "0.051060 s", or ticks without a rate.
enum { VIEW_TEXT = 48 };
void view_time(const struct check_view *v, const struct check_row *row, uint64_t tick,
               char text[VIEW_TEXT]);
// Writes the command that shows a failure on the page. Returns false for a source that is gone.
bool view_command(FILE *f, const struct check_view *v, const struct check_row *row,
                  const struct wf_check_failure *failure);
// Returns "margin 14 %" or "15.3 % over"; "" if there is none.
void view_margin(const struct wf_check_result *r, char text[VIEW_TEXT]);
// Returns the title, with source and lane if there are several of them. several: traces.
void view_title(const struct check_view *v, const struct check_row *row, bool several,
                char text[512]);
// Writes place, sentence and records of a failure, each line with this prefix.
void view_failure(FILE *f, const struct check_view *v, const struct check_row *row, unsigned index,
                  const char *prefix);

void view_text(const struct check_view *v); // on standard output
void view_text_end(const struct check_counts *counts, bool colour);
void view_json(FILE *f, const struct check_view *v); // a member of "traces"
void view_github(FILE *f, const struct check_view *v, bool several);
// Adds the results. Returns false when out of memory.
bool view_report(struct report *r, const struct check_view *v, bool several);

#endif
