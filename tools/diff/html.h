// SPDX-License-Identifier: MIT
// The report of `wallfly diff` as one self-contained HTML file: a list of changes above the time
// lines of both traces, which scroll together (docs/page-protocol.md).
#ifndef DIFF_HTML_H
#define DIFF_HTML_H

#include "../page_read.h"
#include "wallfly_server/marks.h"

enum { DIFF_HTML_GOOD, DIFF_HTML_NEW, DIFF_HTML_SIDES };

struct diff_html_place {
    bool known;
    uint64_t from, until; // ticks of that side's target; equal: a moment
};

struct diff_html_change {
    const char *title, *text;
    enum mark_kind kind; // MARK_FAIL: exceeds a bound that was given; MARK_UNDECIDED: a hole in the
                         // data may have changed it; MARK_NOTE: any other
    const char *row;     // name of the row that it concerns; null: none
    enum wf_row_kind row_kind;
    struct diff_html_place at[DIFF_HTML_SIDES];
};

struct diff_html_side {
    const char *name;  // of the file
    struct page *page; // read to its end (page_read); null: there is no time line
    const char *note;  // without a page: why; null: the trace was not read
};

struct diff_html {
    const char *title, *text; // what was compared, and the result in a sentence
    struct diff_html_side side[DIFF_HTML_SIDES];
    const struct diff_html_change *changes; // the most important first
    unsigned count;
    bool aligned;                    // the time lines correspond at
    uint64_t align[DIFF_HTML_SIDES]; // these ticks; else at the first change with a place on both
    uint64_t most;                   // single records of each side; 0: DIFF_HTML_MOST
    uint64_t size_mb;                // of the file; 0: DIFF_HTML_SIZE_MB
    const char *file;                // its name; "-": standard output
    struct wf_files *files;          // of the command
};
enum { DIFF_HTML_MOST = 20000, DIFF_HTML_SIZE_MB = 32 };

// Writes the report. Of a trace that is too long, the file has the part around the place at which
// the time lines correspond; a note on standard error states it, and the page, too. Adds the
// changes as marks to the pages.
//   returns  an exit code, after an error message
int diff_html(const struct diff_html *d);

#endif
