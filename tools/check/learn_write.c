// SPDX-License-Identifier: MIT
// Learned rules as a script.

#include <inttypes.h>
#include <string.h>

#include "../report/escape.h"
#include "learn.h"
#include "rules.h"
#include "wallfly_host/wf_utf8.h"

// Writes a text as Lua does; bytes that are not shown as they are by their numbers.
static void put_string(FILE *f, const char *text) {
    putc('"', f);
    for (size_t len = strlen(text), n; len; text += n, len -= n) {
        n = wf_utf8_shown(text, len);
        if (*text == '"' || *text == '\\') {
            fprintf(f, "\\%c", *text);
        } else if (n) {
            fwrite(text, 1, n, f);
        } else {
            fprintf(f, "\\%03u", (unsigned char)*text);
            n = 1;
        }
    }
    putc('"', f);
}

static void put_text(FILE *f, const char **between, const char *key, const char *text) {
    if (!text) return;
    fprintf(f, "%s%s = ", *between, key);
    put_string(f, text);
    *between = ", ";
}

static void put_bound(FILE *f, const char **between, const struct wf_check_rule *rule,
                      const char *key, const struct wf_check_bound *bound) {
    char text[UNIT_TEXT];
    enum wf_check_unit unit = wf_check_kinds[rule->kind].unit;
    const char *quote = unit == WF_CHECK_NUMBER ? "" : "\"";
    if (!bound->set) return;
    fprintf(f, "%s%s = %s%s%s", *between, key, quote, unit_text(unit, bound->value, text), quote);
    *between = ", ";
}

static void put_call(FILE *f, const struct learned *r, bool lanes) {
    const struct wf_check_rule *rule = &r->rule;
    const char *between = "";
    unsigned keys = wf_check_kinds[rule->kind].keys;
    const char *object = keys & WF_CHECK_KEY_MUTEX   ? "mutex"
                         : keys & WF_CHECK_KEY_TIMER ? "timer"
                                                     : "object";
    fprintf(f, "%s{", wf_check_kinds[rule->kind].name);
    put_text(f, &between, "task", rule->task);
    put_text(f, &between, "irq", rule->irq);
    put_text(f, &between, object, rule->object);
    put_text(f, &between, "machine", rule->machine);
    put_text(f, &between, "name", rule->name);
    put_bound(f, &between, rule, "min", &rule->min);
    put_bound(f, &between, rule, "max", &rule->max);
    put_bound(f, &between, rule, "p99", &rule->p99);
    if (lanes) fprintf(f, "%slane = %u", between, r->lane);
    putc('}', f);
}

static void put_seen(FILE *f, const struct learned *r) {
    enum wf_check_unit unit = wf_check_kinds[r->rule.kind].unit;
    char low[UNIT_TEXT], high[UNIT_TEXT];
    if (!r->seen) return;
    unit_text(unit, r->low, low);
    unit_text(unit, r->high, high);
    if (strcmp(low, high) == 0)
        fprintf(f, " -- seen: %s", low);
    else
        fprintf(f, " -- seen: %s to %s", low, high);
    if (r->seen > 1) fprintf(f, ", %" PRIu64 " times", r->seen);
}

static void put_rule(FILE *f, const struct learned *r, bool lanes) {
    if (!r->passes) fputs("-- ", f);
    put_call(f, r, lanes);
    if (r->passes) {
        put_seen(f, r);
    } else {
        fputs(" -- ", f);
        put_shown(f, r->why, strlen(r->why));
    }
    putc('\n', f);
}

void learn_write(FILE *f, const struct learned_list *l, const char *source, bool lanes) {
    fputs("-- Rules learned from ", f);
    put_shown(f, source, strlen(source));
    fputs(" by `wallfly check --learn`: the worst value that was seen, and a\n"
          "-- quarter more. What one trace happened to keep is not a requirement yet: edit the "
          "bounds. docs/check.md\n"
          "-- describes all rules.\n",
          f);
    for (enum wf_check_kind kind = 0; kind < WF_CHECK_KINDS; ++kind) {
        bool any = false;
        for (unsigned i = 0; i < l->count; ++i) {
            if (l->list[i].rule.kind != kind) continue;
            if (!any) fprintf(f, "\n-- %s\n", wf_check_kinds[kind].sentence);
            put_rule(f, &l->list[i], lanes);
            any = true;
        }
    }
}
