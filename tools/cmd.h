// SPDX-License-Identifier: MIT
// A command of `wallfly`: one const table row says its arguments, options and help; the parser,
// --help and docs/cli are made from it.
#ifndef CMD_H
#define CMD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wallfly_backend/wf_outfile.h"

enum exit_code { EXIT_GOOD = 0, EXIT_NO = 1, EXIT_USAGE = 2, EXIT_INPUT = 3, EXIT_LOSS = 4 };

enum { OPTIONS_MAX = 40 };

struct option_row {
    const char *name; // long name; the list ends with a null one
    char letter;      // short one, or 0
    const char *arg;  // null: a switch
    const char *sentence;
};

struct args {
    const struct cmd *cmd;
    struct wf_files *files;         // that it reads and writes
    char *joined[OPTIONS_MAX];      // values of options given several times; for main.c
    const char *value[OPTIONS_MAX]; // by index into the command's options; "" for a switch given
    char **operand;
    int operands;
};

struct cmd {
    const char *name;
    int (*run)(const struct args *args);
    const char *operands; // as --help shows them
    int least, most;      // how many
    const char *sentence;
    const char *more; // paragraphs for the page
    const struct option_row *options;
};

extern const struct cmd cmd_record, cmd_print, cmd_info, cmd_stats, cmd_convert, cmd_query,
    cmd_serve, cmd_page, cmd_send, cmd_attach, cmd_test, cmd_schema, cmd_help;
extern const struct cmd *const cmds[];
extern const unsigned cmd_count;

// "wallfly: " and the message on standard error, in one line whatever is in it. Returns code.
int complain(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Foreign text for a line of ours (wf_utf8_show). It stays for the next seven calls.
const char *shown_text(const char *text);

// How many characters of UTF-8 a text has.
size_t shown_width(const char *text);

// A whole decimal number in min..max; complains and returns false if it is not one.
bool parse_number(const char *what, const char *text, uint64_t min, uint64_t max, uint64_t *value);

#endif
