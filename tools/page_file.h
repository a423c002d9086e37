// SPDX-License-Identifier: MIT
// The file of `wallfly page`: a part of a trace and its viewer.
#ifndef PAGE_FILE_H
#define PAGE_FILE_H

#include "cmd.h"
#include "filter_options.h"
#include "wallfly_server/page_export.h"

struct page_file_options {
    struct window window;
    struct place at;
    const char *view;       // an address of the page of this trace; null: none
    uint64_t most, size_mb; // records, and millions of bytes of the file (0: any)
    char *name;             // of the file; "-": standard output
    struct wf_files *files; // of the command
};

// Makes the file of a page that was read to its end. Returns an exit code, after an error message.
int page_file_make(const struct page *p, const struct page_file_options *o);
// Writes a file with these parts. Returns an exit code, after an error message.
int page_file_write(const struct page_file_options *o, const struct page_export_part *parts,
                    unsigned count);

#endif
