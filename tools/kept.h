// SPDX-License-Identifier: MIT
// The part of a trace that `wallfly page` puts into its file, as JSON (docs/page-protocol.md, "The
// file of wallfly page"), and the file around it.
#ifndef KEPT_H
#define KEPT_H

#include "page.h"

struct kept {
    const struct answering *a;
    int64_t from, until;   // ticks since t0: the window, `until` included
    uint64_t most;         // records
    uint64_t size_max;     // bytes of the whole file
    FILE *out;             // what is made
    uint64_t records_left; // that are not in it
};

// The data, without any escaping for HTML. Returns WF_OK, WF_ERR_TOO_MANY: more than size_max;
// WF_ERR_NOMEM, WF_ERR_READ after setting `why`.
int kept_put(struct kept *k, const struct page *p, char why[256]);

// Its parts (kept_tiles.c, kept_records.c).
int kept_put_tiles(struct kept *k, char why[256]);
int kept_put_records(struct kept *k, char why[256]);
bool kept_too_long(const struct kept *k); // what is made so far

// The file: the viewer with script and style inline, and the data.
//   returns  false: the viewer in this binary is not as expected, or the output failed
bool kept_put_html(FILE *out, const char *data, size_t len);

#endif
