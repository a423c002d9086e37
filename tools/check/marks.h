// SPDX-License-Identifier: MIT
// Rules of a script on a page: their failures are its marks. For commands with the option --rules.
#ifndef CHECK_MARKS_H
#define CHECK_MARKS_H

#include "../cmd.h"
#include "check_rules.h"
#include "wallfly_server/page.h"

#define RULES_ROW                                                                                  \
    { "rules", 0, "FILE", "check the trace by this script of rules; failures are marks" }

struct check_marks;
struct wf_check_failure;

// Loads scripts. list: names separated by commas; null: none, and *m is null.
//   returns  an exit code, after an error message
int check_marks_open(const struct args *args, const char *list, struct check_marks **m);
void check_marks_close(struct check_marks *m);
// For a live trace: adds the rules to the page before the first item, and then each failure as soon
// as it is known; the newest of them are kept. Rules in SQL and functions are not checked.
//   returns  an exit code, after an error message
int check_marks_begin(struct check_marks *m, struct page *p);
// Takes each item of the page's lane. A null m takes nothing.
void check_marks_take(struct check_marks *m, const struct page *p, const struct wf_item *item);
// Adds rules and failures to the page at the end of the trace. Of a live one they are decided then.
//   returns  an exit code, after an error message: EXIT_USAGE for an error in a script. Then
//   `error`
//            has the text
int check_marks_end(struct check_marks *m, const struct page *p, struct wf_error *error);

#endif
