// SPDX-License-Identifier: MIT
// Results as a JUnit file: a suite for each script, as CI servers read it.

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "report.h"

// How many bytes of UTF-8 stand here that XML may have; 0: none.
static unsigned utf8(const unsigned char *p) {
    static const struct {
        uint8_t mask, lead, len;
        uint32_t least;
    } forms[] = {
        {0x80, 0, 1, ' '}, {0xE0, 0xC0, 2, 0x80}, {0xF0, 0xE0, 3, 0x800}, {0xF8, 0xF0, 4, 0x10000}};
    for (unsigned i = 0; i < 4; ++i) {
        if ((p[0] & forms[i].mask) != forms[i].lead) continue;
        uint32_t c = p[0] & (uint8_t)~forms[i].mask;
        for (unsigned n = 1; n < forms[i].len; ++n) {
            if ((p[n] & 0xC0) != 0x80) return 0;
            c = c << 6 | (p[n] & 0x3F);
        }
        bool surrogate = c >= 0xD800 && c <= 0xDFFF, none = c == 0xFFFE || c == 0xFFFF;
        return c < forms[i].least || surrogate || none || c > 0x10FFFF ? 0 : forms[i].len;
    }
    return 0;
}

// What XML cannot have becomes '?'.
static void text(FILE *f, const char *s) {
    for (const unsigned char *p = (const unsigned char *)s; *p;) {
        unsigned len = utf8(p);
        switch (*p) {
        case '&': fputs("&amp;", f); break;
        case '<': fputs("&lt;", f); break;
        case '>': fputs("&gt;", f); break;
        case '"': fputs("&quot;", f); break;
        case '\n': fputs("&#10;", f); break;
        case '\t': fputs("&#9;", f); break;
        default: len ? fwrite(p, 1, len, f) : fwrite("?", 1, 1, f);
        }
        p += len ? len : 1;
    }
}

static void attribute(FILE *f, const char *name, const char *value) {
    fprintf(f, " %s=\"", name);
    text(f, value);
    fputc('"', f);
}

// "test/test_lamp.lua" is class "test_lamp".
static void class_name(FILE *f, const char *script) {
    char name[256];
    const char *slash = strrchr(script, '/');
    snprintf(name, sizeof name, "%s", slash ? slash + 1 : script);
    char *dot = strrchr(name, '.');
    if (dot) *dot = 0;
    attribute(f, "classname", name);
}

static void wrong(FILE *f, const char *element, const struct result *t) {
    fprintf(f, "<%s", element);
    attribute(f, "message", t->message ? t->message : "");
    attribute(f, "type", t->verdict == BROKEN ? "script" : "expectation");
    fputc('>', f);
    text(f, t->detail ? t->detail : "");
    fprintf(f, "</%s>", element);
}

static void test_case(FILE *f, const struct result *t) {
    fputs("    <testcase", f);
    attribute(f, "name", t->title);
    class_name(f, t->script);
    attribute(f, "file", t->script);
    fprintf(f, " line=\"%d\" time=\"%.3f\">", t->line, t->seconds);
    if (t->verdict == SKIPPED) fputs("<skipped/>", f);
    if (t->verdict == FAILED) wrong(f, "failure", t);
    if (t->verdict == BROKEN) wrong(f, "error", t);
    if (t->output && *t->output) {
        fputs("<system-out>", f);
        text(f, t->output);
        fputs("</system-out>", f);
    }
    fputs("</testcase>\n", f);
}

// The results of one script, which stand next to each other. Returns those of the next one.
static const struct result *suite(FILE *f, const struct result *first) {
    unsigned count[BROKEN + 1] = {0}, total = 0;
    double seconds = 0;
    const struct result *t = first;
    for (; t && strcmp(t->script, first->script) == 0; t = t->next) {
        ++count[t->verdict];
        ++total;
        seconds += t->seconds;
    }
    fputs("  <testsuite", f);
    attribute(f, "name", first->script);
    fprintf(f, " tests=\"%u\" failures=\"%u\" errors=\"%u\" skipped=\"%u\" time=\"%.3f\">\n", total,
            count[FAILED], count[BROKEN], count[SKIPPED], seconds);
    for (const struct result *each = first; each != t; each = each->next) test_case(f, each);
    fputs("  </testsuite>\n", f);
    return t;
}

bool report_junit(const struct report *r, const char *file, double seconds) {
    FILE *f = fopen(file, "w");
    if (!f) return false;
    const unsigned *n = r->count;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"wallfly\"", f);
    fprintf(f, " tests=\"%u\" failures=\"%u\" errors=\"%u\" skipped=\"%u\" time=\"%.3f\">\n",
            r->total, n[FAILED], n[BROKEN], n[SKIPPED], seconds);
    for (const struct result *t = r->first; t;) t = suite(f, t);
    fputs("</testsuites>\n", f);
    bool good = !ferror(f);
    return fclose(f) == 0 && good;
}
