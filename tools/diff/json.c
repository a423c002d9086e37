// SPDX-License-Identifier: MIT
// The result as JSON.

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diff.h"
#include "wallfly_host/wf_tables.h"

static void put_string(const char *text) {
    size_t len = strlen(text);
    char *to = malloc(6 * len + 2);
    if (to) fwrite(to, 1, wf_table_json_text(text, len, to), stdout);
    free(to);
}

// A member with a comma before it, unless it is the first.
static void put_name(const char *name, bool first) {
    printf("%s\"%s\": ", first ? "" : ", ", name);
}

static void put_text(const char *name, const char *text, bool first) {
    put_name(name, first);
    if (text)
        put_string(text);
    else
        fputs("null", stdout);
}

static void put_number(const char *name, double value) {
    put_name(name, false);
    if (isfinite(value))
        printf("%.15g", value);
    else
        fputs("null", stdout);
}

static void put_count(const char *name, uint64_t value) {
    put_name(name, false);
    printf("%" PRIu64, value);
}

static void put_bool(const char *name, bool value) {
    put_name(name, false);
    fputs(value ? "true" : "false", stdout);
}

// ---- figures

static void put_measures(const struct wf_diff_figure *f) {
    bool first = true;
    put_name("measures", false);
    putchar('{');
    for (unsigned m = 0; m < WF_DIFF_MEASURES; ++m) {
        const struct wf_diff_change *c = &f->measures[m];
        if (!c->known) continue;
        put_name(wf_diff_measure_names[m], first);
        first = false;
        putchar('{');
        put_text("verdict", wf_diff_verdict_names[c->verdict], true);
        put_number("good", c->good);
        put_number("new", c->now);
        put_number("effect", c->effect);
        put_number("p", c->p);
        putchar('}');
    }
    putchar('}');
}

static void put_figure(const struct diff_entry *e) {
    static const char *const presences[] = {"both", "new", "vanished"};
    const struct wf_diff_figure *f = &e->figure;
    put_count("lane", f->lane);
    put_text("of", f->kind < WF_STATS_KINDS ? wf_stats_kind_names[f->kind] : "records", false);
    put_text("name", f->name, false);
    put_text("task", f->task, false);
    put_text("object", f->object, false);
    put_text("by", f->by, false);
    put_text("over", f->over, false);
    put_text("figure", f->figure, false);
    put_text("presence", presences[f->presence], false);
    put_text("measure", wf_diff_measure_names[f->leading], false);
    put_number("good", f->measures[f->leading].good);
    put_number("new", f->measures[f->leading].now);
    put_number("effect", f->measures[f->leading].effect);
    put_number("p", f->measures[f->leading].p);
    put_bool("marked", f->marked);
    put_measures(f);
}

// ---- behaviour

static void put_place(const char *name, const struct wf_behaviour_place *p) {
    put_name(name, false);
    if (!p->known) {
        fputs("null", stdout);
        return;
    }
    putchar('{');
    put_text("source", p->source, true);
    put_count("lane", p->lane);
    put_number(p->seconds ? "s" : "ticks", p->at_s);
    put_count("tick", p->tick);
    put_count("record", p->record);
    put_count("run", p->run);
    putchar('}');
}

static void put_side(const char *name, const struct wf_behaviour_side *side) {
    put_name(name, false);
    putchar('{');
    printf("\"count\": %" PRIu64, side->count);
    put_count("of", side->of);
    put_count("blocks", side->blocks);
    put_count("blocks_of", side->blocks_of);
    put_place("first", &side->first);
    put_name("lines", false);
    putchar('[');
    for (unsigned i = 0; i < side->line_count; ++i) {
        const struct wf_behaviour_line *line = &side->lines[i];
        fputs(i ? ", {" : "{", stdout);
        put_text("run", line->text, true);
        put_count("times", line->times);
        put_bool("aligned", line->same);
        put_bool("changed", line->changed);
        put_place("at", &line->place);
        putchar('}');
    }
    fputs("]}", stdout);
}

static void put_behaviour(const struct wf_behaviour_difference *b) {
    put_count("lane", b->lane);
    put_text("of", wf_behaviour_kind_names[b->kind], false);
    put_text("actor", b->actor, false);
    put_text("presence", b->vanished ? "vanished" : "new", false);
    put_text("hint", b->hint, false);
    put_number("p", b->p);
    put_side("good", &b->sides[0]);
    put_side("new", &b->sides[1]);
}

static void put_entry(const struct diff_entry *e, bool first) {
    char text[DIFF_TEXT];
    diff_sentence(e, text);
    fputs(first ? "\n  {" : ",\n  {", stdout);
    put_text("state", diff_states[e->state], true);
    put_text("kind", e->is_figure ? "figure" : "behaviour", false);
    put_text("text", text, false);
    if (e->is_figure)
        put_figure(e);
    else
        put_behaviour(&e->behaviour);
    putchar('}');
}

// ---- all

static void put_sources(const char *name, const struct diff_side *side) {
    put_name(name, false);
    putchar('[');
    for (unsigned i = 0; i < side->count; ++i) {
        fputs(i ? ", {" : "{", stdout);
        put_text("source", side->sources[i].name, true);
        put_bool("saved", side->sources[i].saved);
        putchar('}');
    }
    putchar(']');
}

static void put_conditions(const struct diff_result *r) {
    static const char *const answers[] = {"holds", "fails", "cannot tell", "no figure"};
    put_name("conditions", false);
    putchar('[');
    for (size_t i = 0; i < r->condition_count; ++i) {
        const struct diff_condition *c = &r->conditions[i];
        fputs(i ? ", {" : "{", stdout);
        put_text("condition", c->text, true);
        put_text("answer", answers[c->answer], false);
        put_name("because", false);
        putchar('[');
        for (size_t n = 0; n < c->count; ++n) put_entry(&c->entries[n], n == 0);
        fputs("]}", stdout);
    }
    putchar(']');
}

void diff_json(const struct diff_result *r) {
    bool first = true;
    fputs("{\"wallfly_diff\": 1", stdout);
    put_text("verdict", diff_states[r->verdict], false);
    put_sources("good", &r->sides[DIFF_SIDE_GOOD]);
    put_sources("new", &r->sides[DIFF_SIDE_NEW]);
    put_bool("behaviour_compared", r->behaviour != NULL);
    put_conditions(r);
    put_name("changes", false);
    putchar('[');
    for (size_t i = 0; i < r->count; ++i) {
        bool more = r->entries[i].state == DIFF_SAME || r->entries[i].follows;
        if (more && !r->args->value[DIFF_ALL]) continue;
        put_entry(&r->entries[i], first);
        first = false;
    }
    puts("]}");
}
