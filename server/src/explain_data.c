// SPDX-License-Identifier: MIT
// Explanations as JSON: the causes with all of their parts, then the parts by the number of their
// cause.

#include "wallfly_server/explain_data.h"

#include <inttypes.h>
#include <stdlib.h>

#include "wallfly_server/json.h"
#include "wallfly_server/stats_data.h"

enum { WORDS = 2048 };

static const char *const job_ends[] = {"open", "done", "abandoned"};
static const char *const wait_ends[] = {"unknown", "acquired", "gave up"};

static void put_time(const struct explain_out *o, uint64_t tick) {
    double ticks = tick >= o->zero ? (double)(tick - o->zero) : -(double)(o->zero - tick);
    stats_put_ticks(o->out, o->hz, ticks);
}

static void put_span(const struct explain_out *o, uint64_t from, uint64_t to) {
    putc('[', o->out);
    put_time(o, from);
    putc(',', o->out);
    put_time(o, to);
    putc(']', o->out);
}

// `"name":"printer","name_key":"0x500"`, null if it is not known.
static void put_entity(FILE *out, const char *member, const char *name, uint64_t key) {
    fprintf(out, "\"%s\":", member);
    if (!name) {
        fprintf(out, "null,\"%s_key\":null", member);
        return;
    }
    json_text(out, name);
    fprintf(out, ",\"%s_key\":\"0x%" PRIX64 "\"", member, key);
}

static void put_task(FILE *out, const struct wf_model *m, const char *member,
                     const struct wf_task *t) {
    put_entity(out, member, t ? wf_task_name(m, t) : NULL, t ? t->key : 0);
}

static void put_object(FILE *out, const struct wf_model *m, const char *member,
                       const struct wf_object *o) {
    put_entity(out, member, o ? wf_object_name(m, o) : NULL, o ? o->key : 0);
}

static void put_path(FILE *out, const struct wf_explain *e, const struct wf_explain_path *p) {
    const struct wf_model *m = wf_explain_model(e);
    char words[WORDS];
    fprintf(out, "\"cause\":\"%s\",\"words\":", wf_cause_names[p->cause]);
    json_text(out, wf_explain_words(e, p, words, sizeof words));
    fputs(",\"blocks\":[", out);
    for (unsigned i = 0; i < p->block_count; ++i) {
        fputs(i ? ",{" : "{", out);
        put_object(out, m, "mutex", p->blocks[i].mutex);
        putc(',', out);
        put_task(out, m, "holder", p->blocks[i].holder);
        putc('}', out);
    }
    fputs("],", out);
    put_task(out, m, "task", p->task);
    putc(',', out);
    put_object(out, m, "object", p->object);
    if (p->cause == WF_CAUSE_IRQ) {
        const char *name = wf_explain_irq_name(e, p->irq);
        fprintf(out, p->irq == WF_IRQ_UNKNOWN ? ",\"irq\":null" : ",\"irq\":%u", p->irq);
        fputs(",\"irq_name\":", out);
        if (name)
            json_text(out, name);
        else
            fputs("null", out);
    }
    if (p->cause == WF_CAUSE_IRQ || p->cause == WF_CAUSE_TASK || p->cause == WF_CAUSE_IDLE)
        fprintf(out, ",\"core\":%u", p->core);
}

static void put_causes(const struct explain_out *o, const struct wf_explain *e,
                       const struct wf_explained *job) {
    fputs(",\"causes\":[", o->out);
    for (size_t i = 0; i < job->sum_count; ++i) {
        const struct wf_explain_sum *s = &job->sums[i];
        fputs(i ? ",\n{" : "{", o->out);
        put_path(o->out, e, s->path);
        fputs(",\"time\":", o->out);
        stats_put_ticks(o->out, o->hz, (double)s->ticks);
        fprintf(o->out, ",\"count\":%" PRIu64 ",\"longest\":", s->count);
        put_span(o, s->longest_from, s->longest_to);
        putc('}', o->out);
    }
    putc(']', o->out);
}

// Returns the number of a part's cause.
static size_t cause_of(const struct wf_explained *job, const struct wf_explain_part *part) {
    size_t i = 0;
    while (job->sums[i].path != part->path) ++i;
    return i;
}

static void put_parts(const struct explain_out *o, const struct wf_explained *job) {
    size_t count = job->part_count < o->most ? job->part_count : o->most;
    fputs(",\"parts\":[", o->out);
    for (size_t i = 0; i < count; ++i) {
        fputs(i ? ",[" : "[", o->out);
        put_time(o, job->parts[i].from);
        fprintf(o->out, ",%zu]", cause_of(job, &job->parts[i]));
    }
    fputs("],\"parts_until\":", o->out);
    put_time(o, count < job->part_count ? job->parts[count].from : job->parts_until);
}

static void put_waits(const struct explain_out *o, const struct wf_model *m,
                      const struct wf_explained *job) {
    fputs(",\"waits\":[", o->out);
    for (size_t i = 0; i < job->wait_count && i < o->most; ++i) {
        const struct wf_explain_wait *w = &job->waits[i];
        fputs(i ? ",{" : "{", o->out);
        put_object(o->out, m, "mutex", w->mutex);
        putc(',', o->out);
        put_task(o->out, m, "holder", w->holder);
        fputs(",\"span\":", o->out);
        put_span(o, w->from, w->to);
        fprintf(o->out, ",\"end\":\"%s\"}", wait_ends[w->end]);
    }
    fprintf(o->out, "],\"wait_count\":%zu", job->wait_count);
}

void explain_json(const struct explain_out *o, const struct wf_explain *e,
                  const struct wf_explained *job) {
    const struct wf_model *m = wf_explain_model(e);
    put_task(o->out, m, "task", job->task);
    fprintf(o->out, ",\"job\":%" PRIu64 ",\"span\":", job->number);
    put_span(o, job->from, job->to);
    fputs(",\"response\":", o->out);
    stats_put_ticks(o->out, o->hz, (double)(job->to - job->from));
    fprintf(o->out, ",\"arrival_known\":%s,\"end\":\"%s\"", job->from_known ? "true" : "false",
            job_ends[job->end]);
    put_causes(o, e, job);
    put_parts(o, job);
    put_waits(o, m, job);
}
