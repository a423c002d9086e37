// SPDX-License-Identifier: MIT
// `wallfly`: finds the command's row, parses its arguments, runs it.

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "fleet/window.h"
#include "source.h"
#include "wallfly_server/memory.h"

#define C(name) &cmd_##name,
const struct cmd *const cmds[] = {COMMANDS(C)};
#undef C
const unsigned cmd_count = sizeof cmds / sizeof *cmds;

enum { OPT_OPERAND = 1, OPT_HELP = 'h', OPT_LONG = 256 };

// Joins the values of a repeated option with commas.
static void add_value(struct args *args, int at, const char *text) {
    const char *before = args->value[at];
    args->value[at] = text;
    if (!before || !*before) return;
    size_t len = strlen(before) + strlen(text) + 2;
    char *both = malloc(len);
    if (!both) return;
    snprintf(both, len, "%s,%s", before, text);
    free(args->joined[at]);
    args->value[at] = args->joined[at] = both;
}

// "--" and a blank start a comment in an SQL query: no option has such a name.
static bool is_comment(const char *text) {
    return strncmp(text, "--", 2) == 0 && text[2] && strchr(" \t\r\n", text[2]);
}

// Returns the next option as getopt_long(); OPT_OPERAND: optarg is an operand; -1: no options left.
static int next_option(int argc, char **argv, const char *shorts, const struct option *longs) {
    if (*shorts == '+' || optind >= argc || !is_comment(argv[optind]))
        return getopt_long(argc, argv, shorts, longs, NULL);
    optarg = argv[optind++];
    return OPT_OPERAND;
}

// title: "wallfly convert".
static int bad_option(const char *title, const char *text, bool lacks_value) {
    const char *what = lacks_value         ? "needs a value"
                       : text[1] != '-'    ? "has an option that is not known"
                       : strchr(text, '=') ? "is not known, ambiguous, or takes no value"
                                           : "is not known, or ambiguous";
    fprintf(stderr, "%s: '%s' %s; see `wallfly help %s`\n", title, shown_text(text), what,
            strchr(title, ' ') + 1);
    return EXIT_USAGE;
}

// The operand from which on words may begin with -, so options come before it; 0: none.
static int first_word(const struct cmd *cmd) {
    return cmd == &cmd_send ? 1 : cmd == &cmd_fleet_send ? 2 : 0;
}

static int parse_args(const struct cmd *cmd, int argc, char **argv, struct args *args, bool *help) {
    struct option longs[OPTIONS_MAX + 2] = {{0}};
    char shorts[3 * OPTIONS_MAX + 6] = "-:h"; // -: operands may be mixed with options
    int n = 0;
    for (; cmd->options[n].name; ++n) {
        const struct option_row *o = &cmd->options[n];
        longs[n] = (struct option){o->name,
                                   !o->arg                 ? no_argument
                                   : option_is_optional(o) ? optional_argument
                                                           : required_argument,
                                   NULL, OPT_LONG + n};
        if (!o->letter) continue;
        char two[3] = {o->letter, o->arg ? ':' : 0, 0};
        strcat(shorts, two);
    }
    longs[n] = (struct option){"help", no_argument, NULL, OPT_HELP};
    opterr = 0; // getopt would print the option unescaped
    memset(args, 0, sizeof *args);
    args->cmd = cmd;
    args->operand = argv + 1; // operands are moved to the front
    for (int c; (c = next_option(argc, argv, shorts, longs)) != -1;) {
        if (c == OPT_OPERAND) {
            args->operand[args->operands++] = optarg;
            if (args->operands == first_word(cmd)) break;
            continue;
        }
        if (c == OPT_HELP) {
            *help = true;
            return EXIT_GOOD;
        }
        if (c == '?' || c == ':') return bad_option(argv[0], argv[optind - 1], c == ':');
        int at = c - OPT_LONG;
        for (int i = 0; c < OPT_LONG && i < n; ++i) {
            if (cmd->options[i].letter == c) at = i;
        }
        add_value(args, at, optarg ? optarg : "");
    }
    while (optind < argc) args->operand[args->operands++] = argv[optind++];
    return EXIT_GOOD;
}

// Options of all commands that name an input file.
static const char *const read_options[] = {"dic", "elf", "map", "ram-image"};

static bool is_read_option(const char *name) {
    for (unsigned i = 0; i < sizeof read_options / sizeof *read_options; ++i) {
        if (strcmp(read_options[i], name) == 0) return true;
    }
    return false;
}

// Notes the input files of operands and options, which no output may replace.
static int note_files(struct args *args) {
    bool good = (args->files = wf_files_open()) != NULL;
    for (int i = 0; good && i < args->operands; ++i)
        good = wf_files_add(args->files, args->operand[i]);
    for (int i = 0; good && args->cmd->options[i].name; ++i) {
        if (args->value[i] && is_read_option(args->cmd->options[i].name))
            good = wf_files_add(args->files, args->value[i]);
    }
    if (!good) return out_of_memory();
    // Output appended to the input would be read again, without end.
    if (wf_files_has_fd(args->files, STDOUT_FILENO))
        return diag_error(EXIT_USAGE,
                          "standard output: is an input; choose another file for the output");
    return EXIT_GOOD;
}

const struct cmd *cmd_find(char *const *word, int count, int *words) {
    const char *group = NULL; // the first of the commands that begin with the word
    size_t len = strlen(word[0]);
    for (unsigned i = 0; i < cmd_count; ++i) {
        const char *name = cmds[i]->name;
        *words = 1;
        if (strcmp(name, word[0]) == 0) return cmds[i];
        if (strncmp(name, word[0], len) != 0 || name[len] != ' ') continue;
        *words = 2;
        if (count > 1 && strcmp(name + len + 1, word[1]) == 0) return cmds[i];
        if (!group) group = name;
    }
    if (!group)
        diag_error(EXIT_USAGE, "no command '%s'; see `wallfly help`", word[0]);
    else
        diag_error(EXIT_USAGE, "no command '%s%s%s', but '%s'; see `wallfly help`", word[0],
                   count > 1 ? " " : "", count > 1 ? word[1] : "", group);
    return NULL;
}

int main(int argc, char **argv) {
    memory_open();
    if (argc < 2) {
        diag_error(EXIT_USAGE, "which command? See `wallfly help`.");
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) argv[1] = "help";
    if (strcmp(argv[1], "--version") == 0) {
        puts("wallfly " WALLFLY_VERSION);
        return EXIT_GOOD;
    }
    int words;
    const struct cmd *cmd = cmd_find(argv + 1, argc - 1, &words);
    if (!cmd) return EXIT_USAGE;
    char title[64];
    snprintf(title, sizeof title, "wallfly %s", cmd->name);
    argv[words] = title;
    struct args args;
    bool help = false;
    int code = parse_args(cmd, argc - words, argv + words, &args, &help);
    if (code != EXIT_GOOD) return code;
    if (help) {
        char *name[] = {(char *)(uintptr_t)cmd->name};
        args = (struct args){.operand = name, .operands = 1};
        return cmd_help.run(&args);
    }
    if (args.operands < cmd->least || args.operands > cmd->most) {
        return diag_error(EXIT_USAGE, "usage: wallfly %s %s; see `wallfly help %s`", cmd->name,
                          cmd->operands, cmd->name);
    }
    code = fleet_window_operands(&args);
    if (code == EXIT_GOOD) code = note_files(&args);
    if (code == EXIT_GOOD) code = cmd->run(&args);
    wf_files_close(args.files);
    for (unsigned i = 0; i < OPTIONS_MAX; ++i) free(args.joined[i]);
    bool failed = memory_was_out() || source_was_cut();
    if (failed && (code == EXIT_GOOD || code == EXIT_LOSS || code == EXIT_UNDECIDED))
        code = EXIT_INPUT;
    if (fflush(stdout) != 0 && code == EXIT_GOOD) {
        return diag_error(EXIT_INPUT, "standard output: %s", strerror(errno));
    }
    return code;
}
