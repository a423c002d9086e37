// SPDX-License-Identifier: MIT
// See command_list.h.

#include "command_list.h"

#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "wallfly_host/wf_command.h"

static void list_usages(const char *form) {
    char usage[128];
    for (unsigned i = 0; i < wf_command_row_count; ++i) {
        wf_command_usage(&wf_command_rows[i], usage, sizeof usage);
        printf(form, usage, wf_command_rows[i].sentence);
    }
}

// Several commands share a description.
static void list_markdown(void) {
    const char *more = NULL;
    puts("# Commands by name\n\nThe commands of `wallfly send` and `wallfly attach`; commands.md "
         "describes "
         "more. "
         "Made by `wallfly send --list --md`.\n\n| command | what it does |\n| --- | --- |");
    list_usages("| `%s` | %s |\n");
    for (unsigned i = 0; i < wf_command_row_count; ++i) {
        const struct wf_command_row *row = &wf_command_rows[i];
        if (!row->more) continue;
        if (more && strcmp(more, row->more) != 0) printf(": %s\n", more);
        printf(more && strcmp(more, row->more) == 0 ? ", `%s`" : "\n`%s`", row->name);
        more = row->more;
    }
    printf(": %s\n", more);
}

void command_list(bool markdown) {
    if (markdown)
        list_markdown();
    else
        list_usages("  %-38s %s\n");
}

void command_describe(const char *name) {
    const struct wf_command_row *row = wf_command_find(name);
    char text[1024], usage[128];
    if (!row) {
        wf_command_known(name, text, sizeof text);
        puts(shown_text(text));
        return;
    }
    wf_command_usage(row, usage, sizeof usage);
    printf("%s\n  %s\n", usage, row->sentence);
    if (row->more) puts(row->more);
}
