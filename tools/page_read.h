// SPDX-License-Identifier: MIT
// Reads a trace to its end into a page without a server, for files that contain the viewer.
#ifndef PAGE_READ_H
#define PAGE_READ_H

#include "stream.h"
#include "wallfly_server/page.h"

struct page_reader {
    struct stream stream; // the first member
    struct page page;
    struct args args; // of the command, with the file as its operand
    char *operand[1];
    bool open;
    // Called with each item that the page has taken; null: nothing is.
    void (*on_item)(struct page_reader *r, const struct wf_item *item);
    void *user; // the caller's
};

// Call it with a reader that is all zero but for on_item and user.
//   args      of a command whose first options are STREAM_OPTION_ROWS; must outlive the reader
//   file      the trace; null: as the arguments say
//   progress  show it even if standard error is no terminal
//   returns   an exit code, after an error message. EXIT_GOOD and EXIT_LOSS: the page can be used
int page_read(struct page_reader *r, const struct args *args, const char *file,
              const struct page_options *o, bool progress);
void page_read_close(struct page_reader *r);

#endif
