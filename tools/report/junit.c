// SPDX-License-Identifier: MIT
// Writes results as a JUnit file for CI servers, with a suite for each script.

#include <stdint.h>
#include <string.h>

#include "report.h"
#include "wallfly_host/wf_utf8.h"

// Writes one character; those not allowed in XML as an escape. Returns its length.
static size_t put_character(FILE *f, const char *p, const char *end) {
    char shown[16]; // for 4 bytes at most
    uint32_t c = 0;
    size_t len = wf_utf8_decode(p, (size_t)(end - p), &c);
    if (!len) len = 1;
    if (c == 0xFFFE || c == 0xFFFF)
        fprintf(f, "\\u%04x", (unsigned)c);
    else
        fwrite(shown, 1, wf_utf8_show(p, len, shown), f);
    return len;
}

static void put_text(FILE *f, const char *s) {
    const char *end = s + strlen(s);
    for (const char *p = s; p < end;) {
        size_t len = 1;
        switch (*p) {
        case '&': fputs("&amp;", f); break;
        case '<': fputs("&lt;", f); break;
        case '>': fputs("&gt;", f); break;
        case '"': fputs("&quot;", f); break;
        case '\n': fputs("&#10;", f); break;
        case '\t': fputs("&#9;", f); break;
        default: len = put_character(f, p, end);
        }
        p += len;
    }
}

static void put_attribute(FILE *f, const char *name, const char *value) {
    fprintf(f, " %s=\"", name);
    put_text(f, value);
    fputc('"', f);
}

// "test/test_lamp.lua" is class "test_lamp".
static void put_class_name(FILE *f, const char *script) {
    char name[256];
    const char *slash = strrchr(script, '/');
    snprintf(name, sizeof name, "%s", slash ? slash + 1 : script);
    char *dot = strrchr(name, '.');
    if (dot) *dot = 0;
    put_attribute(f, "classname", name);
}

// A result that is no failure and no error counts as good in a CI server.
static void put_problem(FILE *f, const char *element, const struct result *t) {
    static const char *const types[VERDICTS] = {
        [FAILED] = "expectation", [BROKEN] = "script", [UNDECIDED] = "cannot tell"};
    fprintf(f, "<%s", element);
    put_attribute(f, "message", t->message ? t->message : "");
    put_attribute(f, "type", types[t->verdict]);
    fputc('>', f);
    put_text(f, t->detail ? t->detail : "");
    fprintf(f, "</%s>", element);
}

static void put_test_case(FILE *f, const struct result *t) {
    fputs("    <testcase", f);
    put_attribute(f, "name", t->title);
    put_class_name(f, t->script);
    put_attribute(f, "file", t->script);
    fprintf(f, " line=\"%d\" time=\"%.3f\">", t->line, t->seconds);
    if (t->verdict == SKIPPED) fputs("<skipped/>", f);
    if (t->verdict == FAILED) put_problem(f, "failure", t);
    if (t->verdict == BROKEN || t->verdict == UNDECIDED) put_problem(f, "error", t);
    if (t->output && *t->output) {
        fputs("<system-out>", f);
        put_text(f, t->output);
        fputs("</system-out>", f);
    }
    fputs("</testcase>\n", f);
}

// Writes the results of one script, which are consecutive. Returns the first one of the next
// script.
static const struct result *put_suite(FILE *f, const struct result *first) {
    unsigned count[VERDICTS] = {0}, total = 0;
    double seconds = 0;
    const struct result *t = first;
    for (; t && strcmp(t->script, first->script) == 0; t = t->next) {
        ++count[t->verdict];
        ++total;
        seconds += t->seconds;
    }
    fputs("  <testsuite", f);
    put_attribute(f, "name", first->script);
    fprintf(f, " tests=\"%u\" failures=\"%u\" errors=\"%u\" skipped=\"%u\" time=\"%.3f\">\n", total,
            count[FAILED], count[BROKEN] + count[UNDECIDED], count[SKIPPED], seconds);
    for (const struct result *each = first; each != t; each = each->next) put_test_case(f, each);
    fputs("  </testsuite>\n", f);
    return t;
}

int report_junit(const struct report *r, const char *file, struct wf_files *files, double seconds,
                 struct wf_error *error) {
    struct wf_outfile *o;
    int err = wf_outfile_open(file, WF_MODE_BESIDE, files, &o, error);
    if (err != WF_OK) return err;
    FILE *f = wf_outfile_stream(o);
    const unsigned *n = r->count;
    if (!f) {
        wf_outfile_close(o, false, NULL);
        return wf_error_set(error, WF_ERR_NOMEM, "%.180s: %s", file, wf_err_text(WF_ERR_NOMEM));
    }
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"wallfly\"", f);
    fprintf(f, " tests=\"%u\" failures=\"%u\" errors=\"%u\" skipped=\"%u\" time=\"%.3f\">\n",
            r->total, n[FAILED], n[BROKEN] + n[UNDECIDED], n[SKIPPED], seconds);
    for (const struct result *t = r->first; t;) t = put_suite(f, t);
    fputs("</testsuites>\n", f);
    return wf_outfile_close(o, true, error);
}
