// SPDX-License-Identifier: MIT
// The traces that `wallfly serve` shows: its files, and of a recording each lane.
#ifndef SERVE_TRACES_H
#define SERVE_TRACES_H

#include "check/marks.h"
#include "serve.h"
#include "wallfly_server/site.h"

struct file_server;

struct file_trace {
    struct stream stream; // the first member
    struct page page;
    struct file_server *server;
    struct args args; // of the command, with this file and lane
    char *operand[1];
    char lane[12], title[256], notes[4096]; // empty: none
    struct check_marks *rules;              // null: none
    struct progress progress;
    int rules_code; // of the rules at the end
    bool open;      // stream and page
};

struct file_server {
    struct site site;
    struct file_trace *traces;
    unsigned count;
    const char *title; // of each file; null: its name
    const struct place *at;
    void (*on_good)(void *ctx); // at the first good record of a trace; may be null
    void *ctx;
    bool stop; // the command must end
};

// Opens all traces before one is read, so that the list of them is complete. Returns an exit code,
// after an error message.
int traces_open(struct file_server *f, const struct serve_options *o);
// (serve_read.c) Sets what its stream calls.
void traces_prepare(struct file_trace *t);
// Reads the traces one after the other, while pages show their progress. Not from callbacks of
// the loop. Returns the worst verdict, an exit code. *served: any of them can be served.
int traces_read(struct file_server *f, bool *served);
// Ends reading, soon.
void traces_stop(struct file_server *f);
// After the site. The caller frees f->traces when the loop has ended.
void traces_close(struct file_server *f);

#endif
