// SPDX-License-Identifier: MIT
// The table of diagnoses, and the findings.

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "source.h"

enum {
    LINK = DOCTOR_NEEDS_LINK,
    STREAM = DOCTOR_NEEDS_STREAM,
    ELF = DOCTOR_NEEDS_ELF,
    RTT = DOCTOR_NEEDS_RTT
};

const struct doctor_row doctor_rows[DOCTOR_END] = {
#define WF_X(id, name, severity, needs, title, meaning, remedy)                                    \
    {name, DOCTOR_##severity, needs, title, meaning, remedy},
    DOCTOR_ROWS(WF_X)
#undef WF_X
};

const char *const doctor_severities[] = {"closed", "fault", "good", "hint"};

void doctor_find(struct doctor *d, enum doctor_id id, const char *command, const char *evidence,
                 ...) {
    struct doctor_finding *findings = realloc(d->findings, (d->count + 1) * sizeof *d->findings);
    va_list list;
    if (!findings) {
        d->failed = true;
        return;
    }
    struct doctor_finding *f = &findings[d->count++];
    d->findings = findings;
    *f = (struct doctor_finding){.id = id};
    if (command) snprintf(f->command, sizeof f->command, "%s", command);
    va_start(list, evidence);
    vsnprintf(f->evidence, sizeof f->evidence, evidence, list);
    va_end(list);
}

// A word of these characters needs no quotes.
static bool is_plain(const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+=./:,@%";
    return *word && word[strspn(word, plain)] == 0;
}

static void put_char(char command[DOCTOR_COMMAND], const char *text) {
    size_t len = strlen(command);
    snprintf(command + len, DOCTOR_COMMAND - len, "%s", text);
}

void doctor_word(char command[DOCTOR_COMMAND], const char *word) {
    if (*command) put_char(command, " ");
    if (is_plain(word)) {
        put_char(command, word);
        return;
    }
    put_char(command, "'");
    for (; *word; ++word) put_char(command, *word == '\'' ? "'\\''" : (char[]){*word, 0});
    put_char(command, "'");
}

// Whether the option replaces the one of this name.
static bool replaces(const char *extra, const char *name) {
    size_t len = strlen(name);
    return extra && strncmp(extra, "--", 2) == 0 && strncmp(extra + 2, name, len) == 0 &&
           extra[2 + len] == '=';
}

void doctor_command(const struct doctor *d, const char *verb, const char *source, const char *extra,
                    char command[DOCTOR_COMMAND]) {
    const struct option_row *options = d->args->cmd->options;
    char option[DOCTOR_COMMAND];
    *command = 0;
    doctor_word(command, "wallfly");
    doctor_word(command, verb);
    if (source) doctor_word(command, source);
    for (unsigned i = 0; i < STREAM_SESSION_OPTIONS; ++i) {
        if (!d->args->value[i] || replaces(extra, options[i].name)) continue;
        snprintf(option, sizeof option, "--%s=%s", options[i].name, d->args->value[i]);
        doctor_word(command, option);
    }
    if (extra) doctor_word(command, extra);
    if (d->seconds_text && strcmp(verb, "doctor") == 0) {
        snprintf(option, sizeof option, "--seconds=%s", d->seconds_text);
        doctor_word(command, option);
    }
}

bool doctor_has(const struct doctor *d, enum doctor_id id) {
    for (unsigned i = 0; i < d->count; ++i) {
        if (d->findings[i].id == id) return true;
    }
    return false;
}

// Returns the severity of the worst finding.
static enum doctor_severity worst(const struct doctor *d) {
    enum doctor_severity severity = DOCTOR_HINT;
    for (unsigned i = 0; i < d->count; ++i) {
        enum doctor_severity one = doctor_rows[d->findings[i].id].severity;
        if (one < severity) severity = one;
    }
    return severity;
}

bool doctor_has_fault(const struct doctor *d) { return worst(d) <= DOCTOR_FAULT; }

// Both ranges are small: the order is one number.
static int rank(const struct doctor_finding *f) {
    return (int)doctor_rows[f->id].severity * DOCTOR_END + (int)f->id;
}

static int compare(const void *a, const void *b) {
    return rank((const struct doctor_finding *)a) - rank((const struct doctor_finding *)b);
}

int doctor_run(struct doctor *d) {
    doctor_elf_open(d);
    if (d->source) doctor_link(d);
    if (d->source && strncmp(d->source, "rtt:", 4) == 0) doctor_rtt(d);
    if (d->elf) doctor_elf(d);
    if (d->look.session) doctor_records(d);
    baud_command(d);
    if (d->count) qsort(d->findings, d->count, sizeof *d->findings, compare);
    return d->code == EXIT_GOOD && d->failed ? out_of_memory() : d->code;
}

void doctor_close(struct doctor *d) {
    look_free(&d->look);
    free(d->findings);
    names_close(&d->names);
    input_close(&d->input);
}

int doctor_exit_code(const struct doctor *d) {
    switch (worst(d)) {
    case DOCTOR_CLOSED: return EXIT_INPUT;
    case DOCTOR_FAULT: return EXIT_NO;
    default: return EXIT_GOOD;
    }
}
