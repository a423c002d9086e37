// SPDX-License-Identifier: MIT
// Help on the screen and docs/cli/*.md, both made from the commands' rows.

#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "convert_recording.h"
#include "fleet/window.h"
#include "wallfly_backend/wf_link.h"
#include "wallfly_host/wf_writer.h"
#include "wallfly_server/bundle.h"

enum { HELP_MD };
static const struct option_row options[] = {
    {"md", 0, NULL, "as a Markdown page, as docs/cli has it"}, {NULL, 0, NULL, NULL}};

static void print_overview(void) {
    puts("usage: wallfly COMMAND [options] ...\n\ncommands:");
    for (unsigned i = 0; i < cmd_count; ++i)
        printf("  %-11s %s\n", cmds[i]->name, cmds[i]->sentence);
    puts("\n`wallfly help COMMAND` shows more. '-' is standard input or output.\n"
         "exit codes: 0 good, 1 the check failed, 2 usage, 3 unreadable input, "
         "4 loss under --strict,\n"
         "  5 lost data does not let the check decide");
}

static void option_name(const struct option_row *o, char text[64]) {
    char letter[8] = "";
    if (o->letter) snprintf(letter, sizeof letter, "-%c, ", o->letter);
    const char *equals = o->arg && !option_is_optional(o) ? "=" : "";
    snprintf(text, 64, "%s--%s%s%s", letter, o->name, equals, o->arg ? o->arg : "");
}

// Lists the kinds of SOURCE, for the commands that accept one.
static void print_sources(bool md) {
    char name[64];
    puts(md ? "\n| source | what it is |\n| --- | --- |" : "\nsources:");
    for (unsigned i = 0; i < wf_link_kind_count; ++i) {
        const struct wf_link_kind *k = &wf_link_kinds[i];
        snprintf(name, sizeof name, "%s%s%s", k->name, *k->name && *k->operand ? ":" : "",
                 k->operand);
        printf(md ? "| `%s` | %s |\n" : "  %-26s %s\n", name, k->sentence);
    }
    printf(md ? "| `%s` | %s |\n" : "  %s: %s\n", fleet_window_source, fleet_window_sentence);
}

// Lists the values of --to.
static void print_formats(bool md) {
    static const char *const outputs[] = {[WF_OUTPUT_STREAM] = "file",
                                          [WF_OUTPUT_JOINED] = "file",
                                          [WF_OUTPUT_FOLDER] = "folder",
                                          [WF_OUTPUT_ROWS] = "database"};
    puts(md ? "\n| format | what it is | it makes |\n| --- | --- | --- |" : "\nformats:");
    for (unsigned i = 0; i < wf_format_count; ++i) {
        const struct wf_format *f = &wf_formats[i];
        printf(md ? "| `%s` | %s | %s, `%s` |\n" : "  %-10s %s (%s, %s)\n", f->name, f->sentence,
               outputs[f->output], f->suffix);
    }
    printf(md ? "| `%s` | %s | file, `.%s` |\n" : "  %-10s %s (file, .%s)\n",
           convert_recording_format, convert_recording_sentence, convert_recording_format);
}

static void print_page(const struct cmd *cmd, bool md) {
    char name[64];
    printf(md ? "# wallfly %s\n\n%s\n\n```text\nwallfly %s [options] %s\n```\n"
              : "wallfly %s: %s\n\nusage: wallfly %s [options] %s\n",
           cmd->name, cmd->sentence, cmd->name, cmd->operands);
    if (cmd->more) printf("\n%s\n", cmd->more);
    if (cmd == &cmd_convert) print_formats(md);
    if (strstr(cmd->operands, "SOURCE")) print_sources(md);
    puts(md ? "\n| option | meaning |\n| --- | --- |" : "\noptions:");
    for (const struct option_row *o = cmd->options; o->name; ++o) {
        option_name(o, name);
        printf(md ? "| `%s` | %s |\n" : "  %-26s %s\n", name, o->sentence);
    }
    printf(md ? "| `%s` | %s |\n" : "  %-26s %s\n", "-h, --help", "this page");
}

static void print_licences(void) {
    for (unsigned i = 0; i < BUNDLE_NOTICES; ++i) {
        const struct bundle_text *t = &bundle_notices[i];
        printf("%s== %s\n\n%s", i ? "\n" : "", t->title, t->text);
    }
}

static int run(const struct args *args) {
    if (args->operands == 0) {
        print_overview();
        return EXIT_GOOD;
    }
    if (strcmp(args->operand[0], "licences") == 0 || strcmp(args->operand[0], "licenses") == 0) {
        print_licences();
        return EXIT_GOOD;
    }
    int words;
    const struct cmd *cmd = cmd_find(args->operand, args->operands, &words);
    if (!cmd) return EXIT_USAGE;
    if (words < args->operands)
        return diag_error(EXIT_USAGE, "no command '%s %s'; see `wallfly help`", args->operand[0],
                          args->operand[1]);
    print_page(cmd, args->value[HELP_MD] != NULL);
    return EXIT_GOOD;
}

const struct cmd cmd_help = {
    "help",
    run,
    "[COMMAND | licences]",
    0,
    2,
    "Lists the commands, or describes one.",
    "`wallfly help licences` prints the licences of wallfly, of the third-party code in its "
    "page, and of the libraries that it is linked to.",
    options};
