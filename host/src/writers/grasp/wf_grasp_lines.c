// SPDX-License-Identifier: MIT
// The lines of a Grasp trace. A player evaluates them as Tcl, in any encoding, so only ASCII is
// written, and in texts every character that is special to Tcl is escaped.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "wallfly_host/wf_text_trace.h"
#include "wfi_grasp.h"

// ---- time

// Divides ticks by the rate, by long division without rounding. 18 digits after the point are
// enough to distinguish ticks.
size_t wfi_grasp_time(char *text, uint64_t tick, uint64_t hz) {
    char *p = text;
    if (!hz || hz > UINT64_MAX / 1000) return (size_t)(wfi_dec(p, tick) - text);
    uint64_t seconds = tick / hz, rest = tick % hz * 1000;
    uint64_t ms = rest / hz;
    rest %= hz;
    if (seconds) {
        p = wfi_dec(p, seconds);
        *p++ = (char)('0' + ms / 100);
        *p++ = (char)('0' + ms / 10 % 10);
        *p++ = (char)('0' + ms % 10);
    } else {
        p = wfi_dec(p, ms);
    }
    if (rest) *p++ = '.';
    for (unsigned digits = 0; rest && digits < 18; ++digits, rest = rest * 10 % hz)
        *p++ = (char)('0' + rest * 10 / hz);
    return (size_t)(p - text);
}

// ---- texts

void wfi_grasp_quote(struct wfi_strbuf *t, const char *text, size_t len) {
    const uint8_t *p = (const uint8_t *)text, *end = p + len;
    wfi_strbuf_put(t, "\"");
    while (p < end) {
        uint32_t c;
        unsigned n = wfi_utf8(p, (size_t)(end - p), &c);
        bool plain = c >= ' ' && c < 0x7F;
        if (plain && strchr("[]$\\\"{};#", (int)c)) wfi_strbuf_put(t, "\\");
        if (plain)
            wfi_strbuf_bytes((const char *)p, 1, t);
        else
            wfi_strbuf_printf(t, c > 0xFFFF ? "\\U%08X" : "\\u%04X", (unsigned)c);
        p += n;
    }
    wfi_strbuf_put(t, "\"");
}

static void put_text(struct wf_writer *w, const char *text) { wfi_strbuf_put(&w->text, text); }

static void put_name(struct wf_writer *w, const char *name) {
    put_text(w, " -name ");
    wfi_grasp_quote(&w->text, name, strlen(name));
}

// ---- plots

// Times never go back, even if those of the target do.
void wfi_grasp_begin(struct wf_writer *w, const char *command, uint64_t tick) {
    char text[48];
    if (tick < wfi_grasp(w)->last) tick = wfi_grasp(w)->last;
    wfi_grasp(w)->last = tick;
    put_text(w, command);
    put_text(w, " ");
    wfi_strbuf_bytes(text, wfi_grasp_time(text, tick, wfi_grasp(w)->hz), &w->text);
    put_text(w, " ");
}

static void put_irq(struct wf_writer *w, unsigned irq) {
    if (irq == WF_IRQ_UNKNOWN)
        put_text(w, "isr_unknown");
    else
        wfi_strbuf_printf(&w->text, "isr%u", irq);
}

void wfi_grasp_job(struct wf_writer *w, struct wfi_job job) {
    put_text(w, job.isr ? "job_" : "job");
    if (job.isr)
        put_irq(w, job.of);
    else
        wfi_strbuf_printf(&w->text, "%" PRIu32, job.of + 1);
    wfi_strbuf_printf(&w->text, ".%" PRIu32, job.number);
}

void wfi_grasp_plot(struct wf_writer *w, uint64_t tick, const char *event, struct wfi_job job) {
    wfi_grasp_begin(w, "plot", tick);
    put_text(w, event);
    put_text(w, " ");
    wfi_grasp_job(w, job);
}

void wfi_grasp_message(struct wf_writer *w, uint64_t tick, const char *text, size_t len,
                       const char *colour) {
    wfi_grasp_begin(w, "plot", tick);
    put_text(w, "message ");
    wfi_grasp_quote(&w->text, text, len);
    if (colour) wfi_strbuf_printf(&w->text, " -color %s", colour);
    put_text(w, "\n");
}

void wfi_grasp_declare_core(struct wf_writer *w, unsigned core) {
    struct wfi_grasp_core *c = &wfi_grasp(w)->core[core];
    if (core || w->s->target.cores > 1) wfi_grasp(w)->cores = true;
    if (c->declared || !wfi_grasp(w)->cores) return;
    c->declared = true;
    wfi_strbuf_printf(&w->text, "newProcessor core%u -name \"core %u\"\n", core, core);
}

// ---- tasks and their jobs

struct wfi_grasp_task *wfi_grasp_task(struct wf_writer *w, const struct wf_task *task) {
    struct wfi_grasp_task *t = wfi_per_entry(&wfi_grasp(w)->tasks, task->index, sizeof *t);
    if (!t) w->failed = true;
    return t;
}

static void declare_task(struct wf_writer *w, const struct wf_task *task) {
    struct wfi_grasp_task *t = wfi_grasp_task(w, task);
    if (!t || t->declared) return;
    t->declared = true;
    wfi_strbuf_printf(&w->text, "newTask task%u", task->index + 1);
    if (task->prio_known && task->prio != WF_PRIO_UNKNOWN)
        wfi_strbuf_printf(&w->text, " -priority %d", task->prio);
    put_name(w, wf_task_name(w->model, task));
    put_text(w, "\n");
}

void wfi_grasp_new_job(struct wf_writer *w, const struct wf_task *task, const uint64_t *tick) {
    char name[256];
    struct wfi_grasp_task *t = wfi_grasp_task(w, task);
    if (!t) return;
    declare_task(w, task);
    t->open = true;
    struct wfi_job job = {task->index, ++t->jobs, false};
    if (tick) {
        wfi_grasp_plot(w, *tick, "jobArrived", job);
    } else {
        put_text(w, "newJob ");
        wfi_grasp_job(w, job);
    }
    wfi_strbuf_printf(&w->text, " task%u", task->index + 1);
    snprintf(name, sizeof name, "%.200s %" PRIu32, wf_task_name(w->model, task), job.number);
    put_name(w, name);
    put_text(w, "\n");
}

static void declare_irq(struct wf_writer *w, unsigned irq) {
    char text[256] = "interrupt";
    const struct wfi_name *name = wfi_irq_name(w->s, irq);
    if (irq != WF_IRQ_UNKNOWN && name)
        snprintf(text, sizeof text, "interrupt %.200s", name->text);
    else if (irq != WF_IRQ_UNKNOWN)
        snprintf(text, sizeof text, "interrupt %u", irq);
    put_text(w, "newTask ");
    put_irq(w, irq);
    put_name(w, text);
    put_text(w, " -kind isr\n");
}

struct wfi_job wfi_grasp_irq(struct wf_writer *w, unsigned irq, uint64_t tick) {
    struct wfi_grasp *g = w->own;
    if (!g->irq_jobs) g->irq_jobs = calloc(UINT16_MAX + 1, sizeof *g->irq_jobs);
    if (!g->irq_jobs) {
        w->failed = true;
        return (struct wfi_job){.of = WFI_NONE};
    }
    struct wfi_job job = {irq, ++g->irq_jobs[irq], true};
    if (job.number == 1) declare_irq(w, irq);
    wfi_grasp_plot(w, tick, "jobArrived", job);
    put_text(w, " ");
    put_irq(w, irq);
    put_text(w, "\n");
    return job;
}

// ---- objects

struct wfi_grasp_object *wfi_grasp_object(struct wf_writer *w, const struct wf_object *object) {
    struct wfi_grasp_object *o = wfi_per_entry(&wfi_grasp(w)->objects, object->index, sizeof *o);
    if (!o) w->failed = true;
    return o;
}

// A colour or pattern from the target is written unquoted only if it is a plain word.
static const char *plain_word(const char *word) {
    const char *letters = "#0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz";
    return word && *word && !word[strspn(word, letters)] && strlen(word) < 32 ? word : NULL;
}

static void put_style(struct wf_writer *w, const struct wf_object *object) {
    static const char *const colours[] = {"red",    "blue",  "forestgreen", "darkorange",
                                          "purple", "brown", "deeppink",    "darkcyan"};
    static const char *const patterns[] = {"lines_up", "lines_down"};
    enum { COLOURS = sizeof colours / sizeof *colours };
    struct wf_text_style style = wf_text_trace_style(w->s, object->key);
    unsigned n = wfi_grasp(w)->styles++;
    const char *colour = plain_word(style.colour), *pattern = plain_word(style.pattern);
    wfi_strbuf_printf(&w->text, " -color %s -pattern %s", colour ? colour : colours[n % COLOURS],
                      pattern ? pattern : patterns[(n + n / COLOURS) % 2]);
}

void wfi_grasp_declare_object(struct wf_writer *w, const struct wf_object *object, uint64_t tick) {
    struct wfi_grasp_object *o = wfi_grasp_object(w, object);
    bool mutex = object->kind == WF_OBJECT_MUTEX, queue = object->kind == WF_OBJECT_QUEUE;
    if (!o || o->declared) return;
    o->declared = true;
    o->holder.of = WFI_NONE;
    const char *kind = mutex ? "Mutex mutex" : queue ? "Buffer buffer" : "Semaphore sem";
    wfi_strbuf_printf(&w->text, "new%s%u", kind, object->index + 1);
    put_name(w, wf_object_name(w->model, object));
    if (mutex) put_style(w, object);
    put_text(w, "\n");
    if (!queue || !object->room) return;
    wfi_grasp_begin(w, "bufferplot", tick);
    wfi_strbuf_printf(&w->text, "resize buffer%u %" PRIu64 "\n", object->index + 1, object->room);
}
