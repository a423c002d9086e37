// SPDX-License-Identifier: MIT
// `wallfly page`: writes a part of a trace and its viewer as one HTML file.

#include <stdlib.h>
#include <string.h>

#include "check/marks.h"
#include "output.h"
#include "page_file.h"
#include "page_read.h"

enum {
    PAGE_OUT = STREAM_OPTIONS,
    PAGE_TIME,
    PAGE_AT,
    PAGE_VIEW,
    PAGE_RULES,
    PAGE_NOTES,
    PAGE_FROM,
    PAGE_UNTIL,
    PAGE_MOST,
    PAGE_SIZE,
    PAGE_PROGRESS
};
enum { MOST = 20000, MOST_MAX = 10000000, SIZE_MB = 32, SIZE_MAX_MB = 1024 };

static const struct option_row options[] = {
    STREAM_OPTION_ROWS,
    {"output", 'o', "NAME", "the file to write (default: FILE with the suffix .html)"},
    CLOCK_ROW,
    AT_ROW,
    {"view", 0, "ADDRESS",
     "show what the page of this trace shows at an address that it has copied, and take that part "
     "of the trace unless --from or --until are given"},
    RULES_ROW,
    NOTES_ROW,
    {"from", 0, "S", "only from this time on, " SECONDS_TEXT},
    {"until", 0, "S", "only up to this time"},
    {"most", 0, "N", "how many single records the file contains, the first ones (20000)"},
    {"size", 0, "MB", "the largest size of the file, in millions of bytes (32)"},
    {"progress", 0, NULL, "show progress, even if standard error is not a terminal"},
    {NULL, 0, NULL, NULL},
};

struct job {
    const struct args *args;
    const char *input; // the input file
    char notes[4096];
    struct page_file_options options;
};

static int parse_source(struct job *job) {
    const struct args *args = job->args;
    const char *image = args->value[STREAM_IMAGE];
    job->input = image ? image : args->operands ? args->operand[0] : NULL;
    if (!job->input || image) return EXIT_GOOD; // stream_open reports the error
    if (strcmp(job->input, "-") == 0 || wf_link_is_live(job->input) || !wf_link_is_file(job->input))
        return diag_error(EXIT_USAGE,
                          "page: %s cannot be read twice; `wallfly record` makes a file of it",
                          strcmp(job->input, "-") == 0 ? "standard input" : job->input);
    return EXIT_GOOD;
}

static int parse(struct job *job, struct page_options *o) {
    const struct args *args = job->args;
    const char *most = args->value[PAGE_MOST], *size = args->value[PAGE_SIZE];
    const char *out = args->value[PAGE_OUT];
    struct page_file_options *k = &job->options;
    *k = (struct page_file_options){
        .most = MOST, .size_mb = SIZE_MB, .view = args->value[PAGE_VIEW], .files = args->files};
    if (k->view && args->value[PAGE_AT])
        return diag_error(EXIT_USAGE, "page: --view and --at both choose what is shown");
    if (!window_parse(args->value[PAGE_FROM], args->value[PAGE_UNTIL], &k->window) ||
        !place_parse(args->value[PAGE_AT], &k->at) ||
        (most && !parse_number("--most", most, 0, MOST_MAX, &k->most)) ||
        !time_parse(args->value[PAGE_TIME], NULL, &o->target_clock) ||
        (size && !parse_number("--size", size, 1, SIZE_MAX_MB, &k->size_mb)))
        return EXIT_USAGE;
    int code = parse_source(job);
    o->notes = notes_name(args->value[PAGE_NOTES], job->input, args->value[STREAM_LANE], job->notes,
                          sizeof job->notes);
    if (code != EXIT_GOOD || !job->input) return code;
    k->name = out ? strdup(out) : output_name(job->input, ".html");
    if (!k->name) return out_of_memory();
    struct wf_error error;
    return wf_files_check(args->files, k->name, &error) == WF_OK
               ? EXIT_GOOD
               : diag_error(EXIT_USAGE, "%s", error.text);
}

static void on_item(struct page_reader *r, const struct wf_item *item) {
    check_marks_take(r->user, &r->page, item);
}

// Makes the file of what was read.
static int make(struct job *job, struct page_reader *r, int code) {
    struct wf_error error;
    const char *problem = page_notes_problem(&r->page);
    if (problem) return diag_error(EXIT_INPUT, "%s; --notes=off leaves notes out", problem);
    int made = check_marks_end(r->user, &r->page, &error);
    if (made == EXIT_GOOD) made = page_file_make(&r->page, &job->options);
    return made == EXIT_GOOD ? code : made;
}

static int run(const struct args *args) {
    struct job job = {.args = args};
    struct page_reader reader = {.on_item = on_item};
    struct page_options o = {0};
    struct check_marks *marks = NULL;
    int code = check_marks_open(args, args->value[PAGE_RULES], &marks);
    reader.user = marks;
    if (code == EXIT_GOOD) code = parse(&job, &o);
    if (code == EXIT_GOOD)
        code = page_read(&reader, args, NULL, &o, args->value[PAGE_PROGRESS] != NULL);
    if (reader.open) code = make(&job, &reader, code);
    page_read_close(&reader);
    check_marks_close(marks);
    free(job.options.name);
    return code;
}

const struct cmd cmd_page = {
    "page",
    run,
    "FILE",
    0,
    1,
    "Writes a trace and its viewer as one HTML file.",
    "The file shows the part between --from and --until as `wallfly serve` does, without a "
    "server: the\n"
    "time line, the records, statistics and the sequence diagram. It needs only a browser and "
    "loads\n"
    "nothing from the network; text from the trace cannot run as code. docs/page.md describes "
    "the viewer.",
    options};
