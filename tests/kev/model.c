// SPDX-License-Identifier: MIT
// Prints the model's changes for a slot trace; threads.py compares them with the true events.
// A change:
//   C KIND TICK CORE KEY WAS IS WAS_CALLED IS_CALLED FROM FROM_KNOWN CUT IRQ BY FLOW PRIO
// The state after an item; `!`: there may be further interrupts below:
//   S TICK CORE=KEY|?/IRQ+IRQ...[!] ... KEY:STATE:CALLED:PRIO ...
// At the end, each task:
//   N KEY LIFE NAME PROCESS
// Fields are separated by tabs.

#include <inttypes.h>
#include <stdio.h>

#include "wallfly_host/wf_merge.h"
#include "wallfly_host/wf_model.h"
#include "wallfly_host/wf_slot_record.h"

static const char *or_none(const char *text) { return text ? text : "-"; }

static void print_change(const struct wf_change *c) {
    if (c->kind == WF_CHANGE_PRIORITY && c->cut) return; // part of the state
    static const char *const kinds[WF_CHANGES] = {
        [WF_CHANGE_TASK] = "task",         [WF_CHANGE_CREATE] = "create",
        [WF_CHANGE_PRIORITY] = "priority", [WF_CHANGE_IRQ_BEGIN] = "irq",
        [WF_CHANGE_IRQ_END] = "irq-end",   [WF_CHANGE_WAKE] = "wake",
        [WF_CHANGE_LOSS] = "loss",         [WF_CHANGE_INCONSISTENT] = "odd"};
    printf("C\t%s\t%" PRIu64 "\t%u\t%" PRIx64, kinds[c->kind] ? kinds[c->kind] : "other", c->tick,
           c->core, c->task ? c->task->key : 0);
    printf("\t%s\t%s\t%s\t%s", wf_task_state_names[c->was], wf_task_state_names[c->is],
           or_none(c->was_called), or_none(c->is_called));
    printf("\t%" PRIu64 "\t%d\t%d\t%u\t%" PRIx64, c->from, c->from_known, c->cut, c->irq,
           c->by ? c->by->key : 0);
    printf("\t%" PRIu64 "\t%s\n", c->flow, or_none(c->why));
}

static void print_core(const struct wf_model *m, unsigned core) {
    const struct wf_core *c = wf_model_core(m, core);
    if (!c->used) return;
    if (c->known && c->task)
        printf("\t%u=%" PRIx64 "/", core, c->task->key);
    else
        printf("\t%u=%s/", core, c->known ? "idle" : "?");
    for (unsigned i = 0; i < c->irqs && i < WF_IRQ_DEPTH; ++i)
        printf("%s%u", i ? "+" : "", c->irq[i]);
    if (!c->irqs_known) putchar('!');
}

static void print_state(const struct wf_model *m) {
    printf("S\t%" PRIu64, wf_model_tick(m));
    for (unsigned i = 0; i < WF_MODEL_CORES; ++i) print_core(m, i);
    for (unsigned i = 0; i < wf_model_tasks(m); ++i) {
        const struct wf_task *t = wf_model_task(m, i);
        printf("\t%" PRIx64 ":%s:%s:", t->key, wf_task_state_names[t->state], or_none(t->called));
        if (t->prio_known)
            printf("%d", t->prio);
        else
            putchar('?');
    }
    putchar('\n');
}

static int64_t read_at(void *ctx, uint64_t offset, void *buf, size_t len) {
    FILE *f = ctx;
    return fseek(f, (long)offset, SEEK_SET) ? -1 : (int64_t)fread(buf, 1, len, f);
}

static void take(struct wf_model *m, const struct wf_item *item) {
    struct wf_change c;
    wf_model_take(m, item);
    while (wf_model_next(m, &c)) print_change(&c);
    print_state(m);
}

static void print_names(const struct wf_model *m) {
    for (unsigned i = 0; i < wf_model_tasks(m); ++i) {
        const struct wf_task *t = wf_model_task(m, i);
        printf("N\t%" PRIx64 "\t%u\t%s\t%s\n", t->key, t->life, wf_task_name(m, t),
               or_none(wf_task_process(t)));
    }
}

int main(int argc, char **argv) {
    const struct wf_session_options options = {.size = sizeof options,
                                               .dialect = WF_DIALECT_WALLFLY};
    struct wf_slots_item from;
    struct wf_item item;
    struct wf_change c;
    FILE *f = argc == 2 ? fopen(argv[1], "rb") : NULL;
    struct wf_session *s = wf_session_open(&options, NULL);
    struct wf_model *m = s ? wf_model_open(s) : NULL;
    struct wf_merge *merge = wf_merge_open(NULL, NULL);
    const struct wf_merge_source source = {f, read_at};
    if (!f || !m || !merge || wf_merge_read(merge, &source) != WF_OK) {
        fputs("usage: kev_model TRACE\n", stderr);
        return 2;
    }
    while (wf_merge_next(merge, &from)) {
        if (wf_session_take_slot(s, wf_merge_slots(merge), &from, &item)) take(m, &item);
    }
    print_names(m);
    wf_model_end(m);
    while (wf_model_next(m, &c)) print_change(&c);
    int err = wf_merge_error(merge) != WF_OK ? wf_merge_error(merge) : wf_model_error(m);
    wf_merge_close(merge);
    wf_model_close(m);
    wf_session_close(s);
    fclose(f);
    return err == WF_OK ? 0 : 1;
}
