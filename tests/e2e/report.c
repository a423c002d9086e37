// SPDX-License-Identifier: MIT
// Writes a report of made changes between two traces. Usage: report GOOD NEW OUT MOST SIZE_MB
// CHANGE... A CHANGE is TITLE|TEXT|KIND|TASK|FROM|UNTIL|FROM|UNTIL: a number of enum mark_kind, the
// name of a task or nothing, ticks of both sides or nothing. The time lines are aligned at the
// first change of the kind MARK_FAIL. Without GOOD or NEW ("") that side has no time line.

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "diff/html.h"

enum { CHANGES = 64, FIELDS = 8 };

static const struct option_row options[] = {STREAM_OPTION_ROWS, {NULL, 0, NULL, NULL}};
static const struct cmd command = {"report", NULL, "GOOD NEW", 2, 2, "", "", options};

static char *next_field(char **rest) {
    char *field = *rest, *end = strchr(field, '|');
    if (end) *end = 0;
    *rest = end ? end + 1 : field + strlen(field);
    return field;
}

static struct diff_html_place parse_place(const char *from, const char *until) {
    return (struct diff_html_place){
        .known = *from != 0, .from = strtoull(from, NULL, 10), .until = strtoull(until, NULL, 10)};
}

static struct diff_html_change parse_change(char *text) {
    char *field[FIELDS];
    for (unsigned i = 0; i < FIELDS; ++i) field[i] = next_field(&text);
    return (struct diff_html_change){
        .title = field[0],
        .text = field[1],
        .kind = (enum mark_kind)atoi(field[2]),
        .row = *field[3] ? field[3] : NULL,
        .row_kind = WF_ROW_TASK,
        .at = {parse_place(field[4], field[5]), parse_place(field[6], field[7])}};
}

int main(int argc, char **argv) {
    enum { FIRST_CHANGE = 6 };
    static struct diff_html_change changes[CHANGES];
    struct page_reader readers[DIFF_HTML_SIDES] = {{.open = false}};
    const struct args args = {.cmd = &command, .files = wf_files_open()};
    const struct page_options page = {.live = false};
    if (argc < FIRST_CHANGE || argc - FIRST_CHANGE > CHANGES || !args.files) return EXIT_USAGE;
    struct diff_html d = {.title = "good and new",
                          .text = "made <b>by a test</b>",
                          .changes = changes,
                          .count = (unsigned)(argc - FIRST_CHANGE),
                          .most = strtoull(argv[4], NULL, 10),
                          .size_mb = strtoull(argv[5], NULL, 10),
                          .file = argv[3],
                          .files = args.files};
    for (unsigned i = 0; i < d.count; ++i) changes[i] = parse_change(argv[FIRST_CHANGE + i]);
    for (unsigned i = 0; i < d.count && !d.aligned; ++i) {
        if (changes[i].kind != MARK_FAIL) continue;
        d.aligned = true;
        for (unsigned side = 0; side < DIFF_HTML_SIDES; ++side)
            d.align[side] = changes[i].at[side].from;
    }
    int code = EXIT_GOOD;
    for (unsigned side = 0; side < DIFF_HTML_SIDES && code == EXIT_GOOD; ++side) {
        d.side[side].name = argv[1 + side];
        d.side[side].note = "a saved profile has no time line";
        if (!*argv[1 + side]) continue;
        code = page_read(&readers[side], &args, argv[1 + side], &page, false);
        d.side[side].page = readers[side].open ? &readers[side].page : NULL;
    }
    if (code == EXIT_GOOD) code = diff_html(&d);
    for (unsigned side = 0; side < DIFF_HTML_SIDES; ++side) page_read_close(&readers[side]);
    wf_files_close(args.files);
    return code;
}
