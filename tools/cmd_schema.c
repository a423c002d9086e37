// SPDX-License-Identifier: MIT
// `wallfly schema`: prints the record table as a page or as JSON.

#include <stdio.h>

#include "cmd.h"
#include "wallfly_host/wf_rows.h"

enum { SCHEMA_MD, SCHEMA_JSON };

static const struct option_row options[] = {
    {"md", 0, NULL, "as a Markdown page, as docs/records.md has it (the default)"},
    {"json", 0, NULL, "as JSON"},
    {NULL, 0, NULL, NULL},
};

static void print_versions(const struct wf_row *row) {
    if (row->until < 9999) printf(" (up to QS %u.%u)", row->until / 100, row->until / 10 % 10);
    if (row->since) printf(" (from QS %u.%u)", row->since / 100, row->since / 10 % 10);
    if (row->select >= 0) printf(" (selector %d)", row->select);
}

static void print_fields(const struct wf_row *row) {
    for (unsigned i = 0; i < row->count; ++i) {
        const struct wf_field *f = &row->fields[i];
        printf("%s%s %s", i ? ", " : "", wf_types[f->type].name, f->name);
    }
    if (!row->count) printf("nothing");
}

// A cell must not contain a bar; < and > outside of code would be HTML.
static void print_code(const char *text) {
    while (text && *text == ' ') ++text;
    if (text && *text)
        printf("`%s`", text);
    else
        printf("-");
}

static void print_records(void) {
    for (unsigned g = 0; g < WF_GROUP_END; ++g) {
        bool any = false;
        for (unsigned i = 0; i < wf_row_count; ++i) any |= wf_rows[i].group == g;
        if (!any) continue;
        printf("\n## %s: %s\n\n| no | record | QS name | payload | text | QSPY's line |\n"
               "| --- | --- | --- | --- | --- | --- |\n",
               wf_groups[g].name, wf_groups[g].sentence);
        for (unsigned i = 0; i < wf_row_count; ++i) {
            const struct wf_row *row = &wf_rows[i];
            if (row->group != g) continue;
            printf("| %u | %s", row->id, row->name);
            print_versions(row);
            printf(" | %s | ", row->qs_name);
            print_fields(row);
            printf(" | %s | ", row->sentence);
            print_code(row->qspy);
            printf(" |\n");
        }
    }
}

static void print_page(void) {
    printf("# Records\n\nMade by `wallfly schema --md` from `schema/wf_schema.h`; do not edit.\n\n"
           "Every record is a frame: sequence, number, payload, checksum, 0x7E (see "
           "[wire-format.md](wire-format.md)).\nIntegers are little-endian. Numbers from %u to %u "
           "are application records: a time stamp, then elements.\n",
           WF_USER_FIRST, WF_USER_LAST);
    print_records();
    printf("\n## Field types\n\n| type | length | meaning |\n| --- | --- | --- |\n");
    for (unsigned i = 0; i < WF_TYPE_END; ++i) {
        printf("| %s | ", wf_types[i].name);
        if (wf_types[i].letter)
            printf("configured: %c, default %u", wf_types[i].letter, wf_types[i].bytes);
        else if (wf_types[i].bytes)
            printf("%u", wf_types[i].bytes);
        else
            printf("in the data");
        printf(" | %s |\n", wf_types[i].sentence);
    }
    printf("\n## Elements of application records\n\nA format byte (low nibble: code, high nibble: "
           "width), then the data.\n\n| code | name | meaning |\n| --- | --- | --- |\n");
    for (unsigned i = 0; i < 16; ++i) {
        printf("| %u | %s | %s |\n", i, wf_elements[i].name, wf_elements[i].sentence);
    }
    printf("\n## Older names\n\n| no | QS version | name |\n| --- | --- | --- |\n");
    for (unsigned i = 0; i < wf_alias_count; ++i) {
        printf("| %u | before %u.%u | %s |\n", wf_aliases[i].id, (wf_aliases[i].until + 1) / 100,
               (wf_aliases[i].until + 1) / 10 % 10, wf_aliases[i].qs_name);
    }
}

static int run(const struct args *args) {
    if (args->value[SCHEMA_JSON])
        schema_json();
    else
        print_page();
    return EXIT_GOOD;
}

const struct cmd cmd_schema = {
    "schema", run, "", 0, 0, "Lists every record: number, name, payload, text.", NULL, options};
