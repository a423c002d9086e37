// SPDX-License-Identifier: MIT
// Results of tests, told as they come to people or as TAP, and kept for a JUnit file.
#ifndef TEST_REPORT_H
#define TEST_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "wallfly_backend/wf_outfile.h"

enum verdict { PASSED, FAILED, SKIPPED, BROKEN }; // BROKEN: the script itself

struct result {
    char *script, *title;
    int line; // where the test stands in the script
    enum verdict verdict;
    double seconds;
    char *message; // what was wrong, in one line
    char *detail;  // and more: where, what was expected, what came; may be null
    char *output;  // of the program, may be null
    struct result *next;
};

struct report {
    bool tap, colour;
    struct result *first, **last;
    unsigned count[BROKEN + 1], total;
    const char *script; // that is running
};

void report_begin(struct report *r, bool tap, bool colour);
void report_script(struct report *r, const char *script);
// Each line behind blanks, in TAP as a comment, so that none looks like a result.
void report_note(struct report *r, const char *text, size_t len);
// A result without a verdict yet; the texts are copied. Null: out of memory.
struct result *result_new(const char *script, const char *title);
void report_result(struct report *r, struct result *result); // takes it
// The summary, or TAP's plan.
void report_end(struct report *r, double seconds);
// Writes a JUnit file, not over one of the command's files. Returns WF_OK, or an error with why.
int report_junit(const struct report *r, const char *file, struct wf_files *files, double seconds,
                 char why[256]);
void report_free(struct report *r);

#endif
