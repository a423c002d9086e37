// SPDX-License-Identifier: MIT
// The findings as text and JSON, and the page of all diagnoses.

#include <stdio.h>
#include <string.h>

#include "doctor.h"
#include "wallfly_server/json.h"

enum { WIDTH = 80 };

// Prints words in lines of at most WIDTH columns behind a label.
static void print_wrapped(const char *label, const char *text) {
    size_t indent = strlen(label), column = indent;
    const char *shown = shown_text(text);
    fputs(label, stdout);
    for (bool first = true; *shown; first = false) {
        size_t len = strcspn(shown, " ");
        if (!first && column + 1 + len > WIDTH) {
            printf("\n%*s", (int)indent, "");
            column = indent;
        } else if (!first) {
            putchar(' ');
            ++column;
        }
        printf("%.*s", (int)len, shown);
        column += len;
        shown += len + strspn(shown + len, " ");
    }
    putchar('\n');
}

static void print_finding(const struct doctor_finding *f) {
    const struct doctor_row *row = &doctor_rows[f->id];
    bool fault = row->severity <= DOCTOR_FAULT;
    printf("\n%s: %s [%s]\n", fault ? "fault" : doctor_severities[row->severity], row->title,
           row->name);
    if (f->evidence[0]) print_wrapped("    seen: ", f->evidence);
    if (row->severity != DOCTOR_GOOD) print_wrapped("    do:   ", row->remedy);
    if (f->command[0]) printf("    run:  %s\n", shown_text(f->command)); // to be copied: one line
}

static const char *subject(const struct doctor *d) {
    return d->args->operands ? d->args->operand[0] : d->elf;
}

// The first finding is the most decisive one.
static void verdict(const struct doctor *d, char text[DOCTOR_TEXT]) {
    unsigned faults = 0, hints = 0;
    for (unsigned i = 0; i < d->count; ++i) {
        enum doctor_severity severity = doctor_rows[d->findings[i].id].severity;
        faults += severity <= DOCTOR_FAULT;
        hints += severity == DOCTOR_HINT;
    }
    if (!d->count) {
        snprintf(text, DOCTOR_TEXT, "Nothing is wrong");
        return;
    }
    int len = snprintf(text, DOCTOR_TEXT, "%s", doctor_rows[d->findings[0].id].title);
    if (len < 0 || faults + hints < 2) return;
    if (faults > 1)
        snprintf(text + len, DOCTOR_TEXT - (size_t)len, " (and %u more fault%s)", faults - 1,
                 faults == 2 ? "" : "s");
    else
        snprintf(text + len, DOCTOR_TEXT - (size_t)len, " (and %u hint%s)", hints,
                 hints == 1 ? "" : "s");
}

void doctor_text(const struct doctor *d) {
    char text[DOCTOR_TEXT];
    verdict(d, text);
    printf("%s: %s.\n", shown_text(subject(d)), text);
    for (unsigned i = 0; i < d->count; ++i) print_finding(&d->findings[i]);
}

static void json_member(const char *name, const char *text) {
    printf(",\"%s\":", name);
    json_text(stdout, text);
}

void doctor_json(const struct doctor *d) {
    char text[DOCTOR_TEXT];
    int code = doctor_exit_code(d);
    verdict(d, text);
    printf("{\"version\":1,\"healthy\":%s", code == EXIT_GOOD ? "true" : "false");
    if (d->source) json_member("source", d->args->operand[0]);
    if (d->elf) json_member("elf", d->elf);
    json_member("verdict", text);
    printf(",\"findings\":[");
    for (unsigned i = 0; i < d->count; ++i) {
        const struct doctor_finding *f = &d->findings[i];
        const struct doctor_row *row = &doctor_rows[f->id];
        printf("%s{\"name\":\"%s\"", i ? "," : "", row->name);
        json_member("severity", doctor_severities[row->severity]);
        json_member("title", row->title);
        json_member("evidence", f->evidence);
        json_member("remedy", row->severity == DOCTOR_GOOD ? "" : row->remedy);
        json_member("command", f->command);
        putchar('}');
    }
    puts("]}");
}

static void needs_text(unsigned needs, char text[64]) {
    static const char *const names[] = {"source", "records", "program file", "RTT server"};
    *text = 0;
    for (unsigned i = 0; i < sizeof names / sizeof *names; ++i) {
        if (!(needs & 1u << i)) continue;
        size_t len = strlen(text);
        snprintf(text + len, 64 - len, "%s%s", len ? ", " : "", names[i]);
    }
}

void doctor_next(const struct doctor *d) {
    for (unsigned i = 0; i < d->count; ++i) {
        if (!d->findings[i].command[0]) continue;
        puts(shown_text(d->findings[i].command));
        return;
    }
}

static const char head[] =
    "# Doctor\n\n"
    "`wallfly doctor SOURCE` looks at a source and says why no trace arrives, or what is wrong "
    "with "
    "it:\nthe most decisive fault first, each with what was seen, what to do, and the command to "
    "run next.\n\n"
    "    wallfly doctor serial:/dev/ttyUSB0@115200\n"
    "    wallfly doctor trace.wfr --elf=firmware.elf\n\n"
    "A healthy live source takes two seconds; otherwise all looks together take at most "
    "`--seconds`.\nOn a serial line without frames the usual baud rates are tried. The target "
    "gets no command but\nINFO, as `--ask` allows ([links.md](links.md)). `--json` is for "
    "programs, `--fix` prints the command\nto run next alone. Exit codes: 0 no fault, 1 a fault, 2 "
    "usage, 3 the source cannot be opened.\n\n"
    "Written by `wallfly doctor --list --md`.\n\n"
    "| diagnosis | | from | what it means | what to do |\n| --- | --- | --- | --- | --- |\n";

static void list_row(const struct doctor_row *r, bool markdown) {
    char needs[64];
    needs_text(r->needs, needs);
    if (markdown)
        printf("| `%s` | %s | %s | **%s.** %s | %s |\n", r->name, doctor_severities[r->severity],
               needs, r->title, r->meaning, r->remedy);
    else
        printf("  %-18s %-7s %s\n", r->name, doctor_severities[r->severity], r->title);
}

void doctor_list(bool markdown) {
    if (markdown) fputs(head, stdout);
    for (unsigned i = 0; i < DOCTOR_END; ++i) list_row(&doctor_rows[i], markdown);
}
