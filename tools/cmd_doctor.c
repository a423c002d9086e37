// SPDX-License-Identifier: MIT
// `wallfly doctor`: why no trace arrives, or what is wrong with it.

#include <stdlib.h>

#include "doctor/doctor.h"

enum { DOCTOR_SECONDS = STREAM_SESSION_OPTIONS, DOCTOR_JSON, DOCTOR_FIX, DOCTOR_LIST, DOCTOR_MD };

static const struct option_row options[] = {
    STREAM_SESSION_ROWS,
    {"seconds", 0, "S",
     "look at a live source for at most S seconds in all (10); a healthy one takes 2"},
    {"json", 0, NULL, "as JSON"},
    {"fix", 0, NULL, "print only the command to run next, with the corrected source and options"},
    {"list", 0, NULL, "list all diagnoses; needs no SOURCE"},
    {"md", 0, NULL, "with --list: as a page of Markdown"},
    {NULL, 0, NULL, NULL},
};

static int parse(const struct args *args, struct doctor *d) {
    d->args = args;
    d->source = args->operands ? args->operand[0] : NULL;
    d->elf = args->value[STREAM_ELF];
    d->seconds = 10;
    d->seconds_text = args->value[DOCTOR_SECONDS];
    if (args->value[DOCTOR_JSON] && args->value[DOCTOR_FIX])
        return diag_error(EXIT_USAGE, "doctor: --json or --fix, not both");
    if (args->value[DOCTOR_MD]) return diag_error(EXIT_USAGE, "doctor: --md goes with --list only");
    if (!d->source && !d->elf)
        return diag_error(EXIT_USAGE, "usage: wallfly doctor SOURCE, or --elf=PROGRAM, or both; "
                                      "see `wallfly help doctor`");
    if (!parse_seconds("--seconds", args->value[DOCTOR_SECONDS], &d->seconds) ||
        !source_ask(args->value[STREAM_ASK], false, &d->ask) ||
        !stream_options(args, 0, &d->session))
        return EXIT_USAGE;
    return input_parse(args, STREAM_INPUT, &d->input);
}

static void print(const struct doctor *d) {
    if (d->args->value[DOCTOR_JSON])
        doctor_json(d);
    else if (d->args->value[DOCTOR_FIX])
        doctor_next(d);
    else
        doctor_text(d);
}

static int run(const struct args *args) {
    struct doctor d = {.count = 0};
    if (args->value[DOCTOR_LIST]) {
        doctor_list(args->value[DOCTOR_MD] != NULL);
        return EXIT_GOOD;
    }
    int code = parse(args, &d);
    if (code == EXIT_GOOD) code = doctor_run(&d);
    if (code == EXIT_GOOD) {
        code = doctor_exit_code(&d);
        print(&d);
    }
    doctor_close(&d);
    return code;
}

const struct cmd cmd_doctor = {
    "doctor",
    run,
    "[SOURCE]",
    0,
    1,
    "Says why no trace arrives or what is wrong with it, and what to do.",
    "Looks at a source, live or a file, at the target's program file (--elf), or at both and "
    "whether\n"
    "they belong together. The most decisive fault comes first. docs/doctor.md lists all "
    "diagnoses.\n"
    "\n"
    "    wallfly doctor serial:/dev/ttyUSB0@115200\n"
    "    wallfly doctor trace.wfr --elf=firmware.elf\n"
    "\n"
    "On a serial line without frames the usual baud rates are tried. Exit codes: 0 no fault, 1 a\n"
    "fault, 3 the source cannot be opened.",
    options};
