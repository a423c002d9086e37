// SPDX-License-Identifier: MIT
// A command of `wallfly`. One const table row defines its arguments, options and help; the parser,
// --help and docs/cli are made from it.
#ifndef CMD_H
#define CMD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "term/diag.h"
#include "wallfly_backend/wf_outfile.h"

enum exit_code {
    EXIT_GOOD = 0,
    EXIT_NO = 1,
    EXIT_USAGE = 2,
    EXIT_INPUT = 3,
    EXIT_LOSS = 4,
    EXIT_UNDECIDED = 5
};

enum { OPTIONS_MAX = 40 };

struct option_row {
    const char *name; // long name; null ends the list
    char letter;      // short name, or 0
    const char *arg;  // null: a switch. [=LIST]: a value that may be left out: ""
    const char *sentence;
};

// Whether the value of an option may be left out.
static inline bool option_is_optional(const struct option_row *o) {
    return o->arg && o->arg[0] == '[' && o->arg[1] == '=';
}

struct args {
    const struct cmd *cmd;
    struct wf_files *files;         // files that it reads and writes
    char *joined[OPTIONS_MAX];      // values of repeated options; for main.c
    const char *value[OPTIONS_MAX]; // by option index; "" for a switch that is set
    char **operand;
    int operands;
};

struct cmd {
    const char *name;
    int (*run)(const struct args *args);
    const char *operands; // as shown by --help
    int least, most;      // number of operands
    const char *sentence;
    const char *more; // further paragraphs for its page
    const struct option_row *options;
};

// C(NAME): cmd_NAME.c, in the order of `wallfly help`. A _ is a blank in the command's name.
// clang-format off
#define COMMANDS(C) \
    C(record) C(print) C(info) C(stats) C(check) C(diff) C(convert) C(query) C(serve) C(page) \
    C(send) C(attach) C(test) C(doctor) C(fleet_setup) C(fleet_load) C(fleet_names) C(fleet_again) C(fleet_agent) C(fleet_profile) C(fleet_diff) C(fleet_check) C(fleet_serve) C(fleet_send) C(fleet_tidy) C(schema) C(help)
// clang-format on
#define C(name) extern const struct cmd cmd_##name;
COMMANDS(C)
#undef C
extern const struct cmd *const cmds[];
extern const unsigned cmd_count;

// Finds a command by one word or two. Prints an error and returns null if there is none.
//   words   how many of them are its name
const struct cmd *cmd_find(char *const *word, int count, int *words);

// Returns the exit code for an error of the library: USAGE for WF_ERR_USAGE, else INPUT.
static inline int exit_code_of(int err) { return err == WF_ERR_USAGE ? EXIT_USAGE : EXIT_INPUT; }

// Prints that there is no memory. Returns EXIT_INPUT.
static inline int out_of_memory(void) {
    return diag_error(EXIT_INPUT, "%s", wf_err_text(WF_ERR_NOMEM));
}

// Makes every failed allocation of the program reported (memory.c). Call before any command runs.
void memory_open(void);

// Parses a decimal integer in min..max. Prints an error and returns false if it is not valid.
bool parse_number(const char *what, const char *text, uint64_t min, uint64_t max, uint64_t *value);
// Parses seconds, as in 0.5, from 0.001 to 86400. Prints an error and returns false if not valid.
// *seconds is not changed if text is null: not given.
bool parse_seconds(const char *option, const char *text, double *seconds);

// Finds a word in a list that ends with a null. Prints an error that names all of them and returns
// false if it is none of them.
bool parse_word(const char *option, const char *text, size_t len, const char *const words[],
                unsigned *word);
// The same for the value of an option. *word is not changed if text is null: not given.
bool parse_choice(const char *option, const char *text, const char *const words[], unsigned *word);

// (schema_json.c) Prints the record table as JSON.
void schema_json(void);

#endif
