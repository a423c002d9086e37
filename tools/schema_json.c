// SPDX-License-Identifier: MIT
// The record table, and the rules of `wallfly check`, as JSON.

#include "cmd.h"

#include <stdio.h>

#include "wallfly_host/wf_check.h"
#include "wallfly_host/wf_rows.h"
#include "wallfly_server/json.h"

static void put_member(const char *name, const char *text, const char *behind) {
    printf("\"%s\":", name);
    if (text)
        json_text(stdout, text);
    else
        fputs("null", stdout);
    fputs(behind, stdout);
}

static void row_json(const struct wf_row *row) {
    printf("{\"id\":%u,", row->id);
    put_member("name", row->name, ",");
    put_member("qs_name", row->qs_name, ",");
    put_member("group", wf_groups[row->group].name, ",");
    put_member("effect", wf_effects[row->effect].name, ",");
    printf("\"since\":%u,\"until\":%u,\"select\":%d,\"qspy_knows\":%s,", row->since, row->until,
           row->select, row->own ? "false" : "true");
    put_member("qspy", row->qspy, ",");
    put_member("mat", row->mat, ",");
    put_member("sentence", row->sentence, ",\"fields\":[");
    for (unsigned i = 0; i < row->count; ++i) {
        const struct wf_field *f = &row->fields[i];
        fputs(i ? ",{" : "{", stdout);
        put_member("name", f->name, ",");
        put_member("type", wf_types[f->type].name, ",");
        put_member("kind", wf_kinds[f->kind].name, "}");
    }
    fputs("]}", stdout);
}

static void begin_list(const char *title) { printf(",\n\"%s\":[", title); }
static void begin_row(unsigned i) { fputs(i ? ",\n{" : "\n{", stdout); }

static void named_json(const char *title, const struct wf_named *list, unsigned count) {
    begin_list(title);
    for (unsigned i = 0; i < count; ++i) {
        begin_row(i);
        put_member("name", list[i].name, ",");
        put_member("sentence", list[i].sentence, "}");
    }
    putchar(']');
}

static void ranges_json(const char *title, const struct wf_numbers *list, unsigned count) {
    begin_list(title);
    for (unsigned i = 0; i < count; ++i) {
        begin_row(i);
        put_member("name", list[i].name, ",");
        printf("\"first\":%u,\"last\":%u,", list[i].first, list[i].last);
        put_member("sentence", list[i].sentence, "}");
    }
    putchar(']');
}

static void records_json(void) {
    printf("\"records\":[");
    for (unsigned i = 0; i < wf_row_count; ++i) {
        fputs(i ? ",\n" : "\n", stdout);
        row_json(&wf_rows[i]);
    }
    printf("],\n\"user\":{\"first\":%u,\"last\":%u,\"first_old\":%u,\"old_until\":%u,\"record\":\n",
           WF_USER_FIRST, WF_USER_LAST, WF_USER_FIRST_OLD, WF_USER_OLD_UNTIL);
    row_json(&wf_user_row);
    putchar('}');
}

static void types_json(void) {
    begin_list("types");
    for (unsigned i = 0; i < WF_TYPE_END; ++i) {
        const char letter[2] = {wf_types[i].letter, 0};
        begin_row(i);
        put_member("name", wf_types[i].name, ",");
        put_member("letter", *letter ? letter : NULL, ",");
        printf("\"bytes\":%u,", wf_types[i].bytes);
        put_member("sentence", wf_types[i].sentence, "}");
    }
    putchar(']');
}

// The functions of scripts that take a table of keys.
static void rules_json(void) {
    begin_list("rules");
    for (unsigned i = 0; i < WF_CHECK_KINDS; ++i) {
        begin_row(i);
        put_member("name", wf_check_kinds[i].name, ",");
        put_member("sentence", wf_check_kinds[i].sentence, "}");
    }
    begin_row(WF_CHECK_KINDS);
    put_member("name", "sql", ",");
    put_member("sentence", "the rows of a query are the failures", "}]");
}

void schema_json(void) {
    printf("{\"version\":1,\n");
    records_json();
    types_json();
    named_json("kinds", wf_kinds, WF_KIND_END);
    named_json("groups", wf_groups, WF_GROUP_END);
    ranges_json("user_groups", wf_user_groups, wf_user_group_count);
    ranges_json("id_groups", wf_id_groups, wf_id_group_count);
    begin_list("elements");
    for (unsigned i = 0; i < 16; ++i) {
        begin_row(i);
        printf("\"code\":%u,", i);
        put_member("name", wf_elements[i].name, ",");
        put_member("sentence", wf_elements[i].sentence, "}");
    }
    putchar(']');
    begin_list("commands");
    for (unsigned i = 0; i < wf_command_count; ++i)
        printf("%s\"%s\"", i ? "," : "", wf_command_names[i]);
    putchar(']');
    rules_json();
    puts("}");
}
