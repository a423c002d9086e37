// SPDX-License-Identifier: MIT
// Results of tests and checks, printed immediately as text or TAP, and kept for a JUnit file.
#ifndef REPORT_H
#define REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "wallfly_backend/wf_outfile.h"

// BROKEN: an error in the script itself; UNDECIDED: a check that lost data makes undecidable.
enum verdict { PASSED, FAILED, SKIPPED, BROKEN, UNDECIDED, VERDICTS };
// KEEP: results are only kept.
enum report_style { REPORT_TEXT, REPORT_TAP, REPORT_KEEP };

struct result {
    char *script, *title;
    int line; // line of the test in the script
    enum verdict verdict;
    double seconds;
    char *message; // the error, in one line
    char *detail;  // details: place, expected, received; may be null
    char *output;  // output of the program, may be null
    struct result *next;
};

struct report {
    enum report_style style;
    bool tap, colour;
    struct result *first, **last;
    unsigned count[VERDICTS], total;
    const char *script; // the running script
};

void report_begin(struct report *r, enum report_style style, bool colour);
void report_script(struct report *r, const char *script);
// Prints each line indented, in TAP as a comment, so that no line looks like a result.
void report_note(struct report *r, const char *text, size_t len);
// Creates a result without a verdict; the texts are copied. Returns null when out of memory.
struct result *result_new(const char *script, const char *title);
void report_result(struct report *r, struct result *result); // takes ownership
// Prints the summary, or TAP's plan.
void report_end(const struct report *r, double seconds);
// Writes a JUnit file, but not over one of the command's files. Returns WF_OK, or an error.
int report_junit(const struct report *r, const char *file, struct wf_files *files, double seconds,
                 struct wf_error *error);
void report_free(struct report *r);

// The log of a run (log.c). It is written as it grows, so it survives a crash.
// Opens the log (*log is null without a name), and checks that the JUnit file may be written:
// neither replaces a file that is not an earlier one. Returns an exit code, after an error message.
int log_open(const char *name, const char *junit, struct wf_files *files, struct wf_outfile **log);
// log may be null. Returns code or, after an error message, another exit code.
int log_close(struct wf_outfile *log, int code);

#endif
