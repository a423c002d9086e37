// SPDX-License-Identifier: MIT
// The part of a trace that `wallfly page` writes to its file, as JSON (docs/page-protocol.md, "The
// file of wallfly page"), and the file around it.
#ifndef PAGE_EXPORT_H
#define PAGE_EXPORT_H

#include "wallfly_server/page.h"

struct page_export {
    const struct page_query_context *a;
    int64_t from, until;   // ticks since t0: the window, `until` included
    uint64_t most;         // records
    uint64_t size_max;     // bytes of the whole file
    FILE *out;             // the output
    const char *view;      // shown first, as in an address after #; null: all of the window
    bool compact;          // a time line within a report
    uint64_t records_left; // records that did not fit
};

// Writes the data, without escaping for HTML. Returns WF_OK; WF_ERR_TOO_MANY when it exceeds
// size_max; WF_ERR_NOMEM or WF_ERR_READ.
int page_export_put(struct page_export *k, const struct page *p, struct wf_error *error);

// As page_export_put, into memory. The caller frees *data in any case.
int page_export_make(struct page_export *k, const struct page *p, char **data, size_t *len,
                     struct wf_error *error);

// Data of the file: JSON, in an element with this id.
struct page_export_part {
    const char *id;
    const char *data;
    size_t len;
};

// Writes the file: the viewer with inline script and style, and the data. What the viewer shows
// depends on the parts: "kept" is a trace, "report" a comparison whose time lines are "side-0" and
// "side-1".
//   returns  false when the viewer in this binary has an unexpected form, or the output failed
bool page_export_put_html(FILE *out, const struct page_export_part *parts, unsigned count);

#endif
