// SPDX-License-Identifier: MIT
// The part of a trace that `wallfly page` writes to its file, as JSON (docs/page-protocol.md, "The
// file of wallfly page"), and the file around it.
#ifndef KEPT_H
#define KEPT_H

#include "cmd.h"
#include "page.h"
#include "shown.h"

struct kept_options {
    struct window window;
    uint64_t most, size_mb; // records, and millions of bytes of the file
    char *name;             // of the file; "-": standard output
    struct wf_files *files; // of the command
};

// Makes the file of a page that was read to its end. Returns an exit code, after an error message.
int kept_make(const struct page *p, const struct kept_options *o);

struct kept {
    const struct answering *a;
    int64_t from, until;   // ticks since t0: the window, `until` included
    uint64_t most;         // records
    uint64_t size_max;     // bytes of the whole file
    FILE *out;             // the output
    uint64_t records_left; // records that did not fit
};

// Writes the data, without escaping for HTML. Returns WF_OK; WF_ERR_TOO_MANY when it exceeds
// size_max; WF_ERR_NOMEM or WF_ERR_READ with `why`.
int kept_put(struct kept *k, const struct page *p, char why[256]);

// Its parts (kept_tiles.c, kept_records.c).
int kept_put_tiles(struct kept *k, char why[256]);
int kept_put_records(struct kept *k, char why[256]);
bool kept_too_long(const struct kept *k); // the output so far exceeds size_max

// Writes the file: the viewer with inline script and style, and the data.
//   returns  false when the viewer in this binary has an unexpected form, or the output failed
bool kept_put_html(FILE *out, const char *data, size_t len);

#endif
