// SPDX-License-Identifier: MIT
// Prints the model's state of every core, task and object after each item of a trace (frames,
// transmission text, slots) where it differs from before: derived from all of them, not from the
// changes. Scripts compare it with the output of writers. Fields are separated by tabs:
//   TICK WHAT INDEX KIND NAME VALUE   NAME and texts in hexadecimal; x: unknown, -: none
// Texts begin with a colon; names of tasks and objects are followed by @ and the index. A line
// "hole" reports a loss, "shown" a record's tick.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model_read.h"
#include "wallfly_host/wf_slot_record.h"
#include "wallfly_parser/wf_parser.h"
#include "model/wfi_model.h"

enum { ENTITIES = 1 << 16, ASPECTS = 13, TEXT = 300 };

static struct wf_session *s;
static struct wf_model *m;
static char *last[ENTITIES * ASPECTS]; // as printed; null: none yet, like x

static void say(const char *what, unsigned aspect, unsigned index, const char *kind,
                const char *name, const char *value) {
    char **before = &last[aspect * ENTITIES + index % ENTITIES];
    if (strcmp(*before ? *before : "x", value) == 0) return;
    free(*before);
    *before = strdup(value);
    printf("%" PRIu64 "\t%s\t%u\t%s\t", wf_model_tick(m), what, index, kind);
    for (; *name; ++name) printf("%02x", (unsigned char)*name);
    printf("\t%s\n", value);
}

// Returns a text in hexadecimal, "-" for null.
static const char *hex(const char *text) {
    static char to[4096];
    if (!text) return "-";
    char *p = to;
    *p++ = ':';
    for (; *text && p < to + sizeof to - 3; ++text) p += sprintf(p, "%02x", (unsigned char)*text);
    *p = 0;
    return to;
}

// The same for a name, followed by the index of its task or object.
static const char *one(const char *name, unsigned index) {
    static char to[4200];
    snprintf(to, sizeof to, "%s@%u", hex(name), index);
    return to;
}

static const char *task_text(const struct wf_task *t) {
    return t ? one(wf_task_name(m, t), t->index) : "-";
}

static const char *number(bool known, int64_t value) {
    static char to[24];
    snprintf(to, sizeof to, "%" PRId64, value);
    return known ? to : "x";
}

static void say_cores(void) {
    for (unsigned i = 0; i < WF_MODEL_CORES; ++i) {
        const struct wf_core *c = wf_model_core(m, i);
        char list[16 * WF_IRQ_DEPTH] = "-", *p = list;
        for (unsigned n = 0; n < c->irqs && n < WF_IRQ_DEPTH; ++n)
            p += sprintf(p, n ? ",%u" : "%u", c->irq[n]);
        say("core", 0, i, "core", "", c->known ? task_text(c->task) : "x");
        say("irqs", 1, i, "core", "", c->irqs_known ? list : "x");
        say("depth", 2, i, "core", "", number(c->irqs_known, c->irqs));
    }
}

static void say_tasks(void) {
    for (unsigned i = 0; i < wf_model_tasks(m); ++i) {
        const struct wf_task *t = wf_model_task(m, i);
        char name[TEXT];
        snprintf(name, sizeof name, "%s", wf_task_name(m, t));
        bool known = t->state != WF_TASK_UNKNOWN;
        say("state", 8, i, "task", name, known ? hex(wf_task_state_names[t->state]) : "x");
        say("priority", 9, i, "task", name, number(t->prio_known, t->prio));
        say("stack", 11, i, "task", name, number(t->stack_known, t->stack_free));
        const struct wf_object *o = t->waits;
        const char *waits = o ? one(wf_object_name(m, o), o->index) : "-";
        say("waits", 10, i, "task", name, t->waits_known ? waits : "x");
    }
}

static void say_objects(void) {
    for (unsigned i = 0; i < wf_model_objects(m); ++i) {
        const struct wf_object *o = wf_model_object(m, i);
        const char *kind = wf_object_kind_names[o->kind];
        char name[TEXT], address[24];
        snprintf(name, sizeof name, "%s", wf_object_name(m, o));
        snprintf(address, sizeof address, "%" PRIu64, o->state);
        say("holder", 3, i, kind, name, o->holder_known ? task_text(o->holder) : "x");
        say("count", 4, i, kind, name, number(o->count_known, (int64_t)o->count));
        say("free", 5, i, kind, name, number(o->free_known, (int64_t)o->free));
        say("low", 12, i, kind, name, number(o->low_known, (int64_t)o->low));
        const char *state = wf_session_name(s, WF_EFFECT_NAME_FUNCTION, o->state, 0);
        say("machine", 6, i, kind, name, !o->state_known ? "x" : state ? hex(state) : address);
        say("step", 7, i, kind, name, number(o->in_step, (int64_t)o->signal));
    }
}

static void take(const struct wf_item *item) {
    struct wf_change c;
    unsigned epoch = m->epoch;
    wf_model_take(m, item);
    bool lost = m->epoch != epoch;
    while (wf_model_next(m, &c)) {
        if (c.kind == WF_CHANGE_LOSS)
            printf("%" PRIu64 "\thole\t0\t-\t\t%" PRIu64 "\n", c.tick, c.from);
        if (c.kind == WF_CHANGE_LOW)
            printf("%" PRIu64 "\tmark\t%u\t%s\t\t%" PRId64 "\n", c.tick,
                   c.task ? c.task->index : c.object->index, c.task ? "task" : "heap", c.value);
        if (c.kind == WF_CHANGE_COUNTER)
            printf("%" PRIu64 "\tcounter\t0\t%" PRIu64 "\t\t%" PRId64 "\n", c.tick, c.text,
                   c.value);
    }
    if (lost) printf("%" PRIu64 "\tlost\t%u\t-\t\t-\n", m->hole_from, m->s->slots.on);
    if (item->kind == WF_ITEM_RECORD) printf("%" PRIu64 "\tshown\t0\t-\t\t-\n", item->record.tick);
    say_cores();
    say_tasks();
    say_objects();
}

// Names as known at the end.
static void say_names(void) {
    for (unsigned i = 0; i < wf_model_tasks(m); ++i) {
        const char *name = hex(wf_task_name(m, wf_model_task(m, i)));
        printf("0\tname\t%u\ttask\t%s\t-\n", i, name + 1);
    }
    for (unsigned i = 0; i < wf_model_objects(m); ++i) {
        const struct wf_object *o = wf_model_object(m, i);
        const char *name = hex(wf_object_name(m, o));
        printf("0\tname\t%u\t%s\t%s\t-\n", i, wf_object_kind_names[o->kind], name + 1);
    }
}

// ---- slots, in the order in which the tools read them

static int hand_on(struct wf_parser *p, const struct wf_slots_item *from) {
    struct wf_item item;
    if (wf_session_take_slot(s, wf_parser_slots(p), from, &item)) take(&item);
    return 0;
}

static int on_header(struct wf_parser *p, void *user, const struct wf_parser_event *e) {
    (void)user;
    (void)e;
    return hand_on(p, &(struct wf_slots_item){.kind = WF_SLOTS_HEADER});
}

static int on_event(struct wf_parser *p, void *user, const struct wf_parser_event *e) {
    struct wf_slots_item item = {.kind = WF_SLOTS_EVENT};
    (void)user;
    item.event = (struct wf_slot_event){.head = e->head,
                                        .cls = e->head >> WF_SLOT_CLASS_SHIFT & WF_SLOT_CLASS,
                                        .core = e->core,
                                        .event = e->head & WF_SLOT_EVENT,
                                        .timed = e->timed,
                                        .tick = e->tick,
                                        .offset = e->offset,
                                        .words = e->words,
                                        .bytes = e->bytes,
                                        .count = e->count,
                                        .len = e->len};
    return hand_on(p, &item);
}

static int on_loss(struct wf_parser *p, void *user, const struct wf_slots_loss *l) {
    (void)user;
    return hand_on(p, &(struct wf_slots_item){.kind = WF_SLOTS_LOSS, .loss = *l});
}

static int on_damage(struct wf_parser *p, void *user, const struct wf_slots_damage *d) {
    (void)user;
    return hand_on(p, &(struct wf_slots_item){.kind = WF_SLOTS_DAMAGE, .damage = *d});
}

static int read_slots(const char *file) {
    const struct wf_parser_options options = {.delay_ms = 0};
    struct wf_error error;
    struct wf_parser *p = wf_parser_create(&options, &error);
    if (!p) return error.code;
    wf_parser_on(p, WF_SAT_EMPTY, 0, on_header, NULL);
    for (unsigned cls = 0; cls <= WF_SLOT_CLASS; ++cls)
        wf_parser_on_range(p, WF_PARSER_INTERNAL + cls, 0, WF_PARSER_EVENTS, on_event, NULL);
    wf_parser_on_loss(p, on_loss, NULL);
    wf_parser_on_damage(p, on_damage, NULL);
    int err = wf_parser_begin(p);
    if (err == WF_OK) err = wf_parser_run_file(p, file);
    wf_parser_destroy(p);
    return err;
}

int main(int argc, char **argv) {
    int err = WF_OK;
    s = model_open(argc, argv, &m);
    if (model_has_slots())
        err = read_slots(argv[1]);
    else
        model_feed(s, take);
    say_names();
    for (size_t i = 0; i < sizeof last / sizeof *last; ++i) free(last[i]);
    wf_model_close(m);
    wf_session_close(s);
    return err == WF_OK ? 0 : 3;
}
