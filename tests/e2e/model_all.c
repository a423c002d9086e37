// SPDX-License-Identifier: MIT
// Prints all changes of the model for a trace, and the items that caused them, so that scripts can
// compute what a writer must have drawn. Each line is a JSON object, its "k" is the kind; texts are
// bytes as characters of Latin-1. Usage: model_all TRACE [HZ]

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "model_read.h"
#include "wallfly_host/wf_merge.h"
#include "wallfly_host/wf_slot_record.h"

static struct wf_session *s;
static struct wf_model *m;
static struct {
    bool idle, known, since_known;
    uint64_t since;
} cores[WF_MODEL_CORES];

#define NAME(kind) [WF_CHANGE_##kind] = #kind
static const char *const kinds[WF_CHANGES] = {
    NAME(TASK),      NAME(CREATE),   NAME(PRIORITY), NAME(IRQ_BEGIN), NAME(IRQ_END),
    NAME(WAIT),      NAME(HOLD),     NAME(WAIT_END), NAME(HOLD_END),  NAME(TAKE),
    NAME(GIVE),      NAME(REFUSED),  NAME(COUNT),    NAME(WAKE),      NAME(OBJECT),
    NAME(SPAN),      NAME(COUNTER),  NAME(SPAN_END), NAME(LOG),       NAME(ALARM),
    NAME(ALARM_SET), NAME(MEMORY),   NAME(STATE),    NAME(STEP),      NAME(STEP_END),
    NAME(POST),      NAME(GET),      NAME(FREE),     NAME(LOSS),      NAME(INCONSISTENT),
    NAME(LOW),       NAME(UNPAIRED), NAME(HOLDER),
};

static void text(const char *key, const char *p, size_t len) {
    printf(",\"%s\":\"", key);
    for (size_t i = 0; i < len; ++i) {
        unsigned char c = (unsigned char)p[i];
        if (c < ' ' || c > '~' || c == '"' || c == '\\')
            printf("\\u%04x", c);
        else
            putchar(c);
    }
    putchar('"');
}

static void word(const char *key, const char *p) {
    if (p) text(key, p, strlen(p));
}

static void number(const char *key, uint64_t v) { printf(",\"%s\":%" PRIu64, key, v); }

// ---- changes

static void put_task(const char *key, const char *name, const struct wf_task *t) {
    if (!t) return;
    number(key, t->index);
    word(name, wf_task_name(m, t));
}

// Prints the index of the latest object with this key.
static void put_object(const char *name, uint64_t key) {
    for (unsigned i = wf_model_objects(m); i-- > 0;) {
        if (wf_model_object(m, i)->key != key) continue;
        number(name, i);
        return;
    }
}

static void put_actor(const char *name, uint64_t key) {
    for (unsigned i = wf_model_tasks(m); i-- > 0;) {
        const struct wf_task *t = wf_model_task(m, i);
        if (t->by_priority || t->key != key) continue;
        number(name, i);
        return;
    }
}

static void put_change(const struct wf_change *c) {
    printf("{\"k\":\"%s\"", kinds[c->kind]);
    number("t", c->tick);
    number("from", c->from);
    number("seen", c->from_known);
    number("cut", c->cut);
    number("core", c->core);
    put_task("task", "task_name", c->task);
    put_task("by", "by_name", c->by);
    if (c->object) {
        number("obj", c->object->index);
        word("obj_name", wf_object_name(m, c->object));
        word("obj_kind", wf_object_kind_names[c->object->kind]);
        number("obj_key", c->object->key);
    }
    if (c->task) {
        if (c->task->waits) {
            number("waits", c->task->waits->index);
            word("waits_name", wf_object_name(m, c->task->waits));
        }
        if (c->task->prio_known) printf(",\"prio\":%d", c->task->prio);
    }
    word("was", wf_task_state_names[c->was]);
    word("is", wf_task_state_names[c->is]);
    number("got", c->got);
    number("irq", c->irq);
    const struct wf_core *core = wf_model_core(m, c->core);
    number("irqs", core->irqs_known ? core->irqs : 0);
    if (c->kind == WF_CHANGE_IRQ_BEGIN || c->kind == WF_CHANGE_IRQ_END) {
        printf(",\"levels\":[");
        for (unsigned i = 0; i < core->irqs && i < WF_IRQ_DEPTH; ++i)
            printf("%s[%u,%" PRIu64 "]", i ? "," : "", core->irq[i], core->irq_since[i]);
        putchar(']');
    }
    printf(",\"value\":%" PRId64, c->value);
    number("text", c->text);
    number("sender", c->sender);
    if (c->sender) put_object("sender_obj", c->sender);
    number("flow", c->flow);
    word("why", c->why);
    if (c->kind == WF_CHANGE_STATE)
        word("name", wf_session_name(s, WF_EFFECT_NAME_FUNCTION, c->text, 0));
    if (c->kind == WF_CHANGE_STEP_END || c->kind == WF_CHANGE_POST || c->kind == WF_CHANGE_GET)
        word("name", wf_session_name(s, WF_EFFECT_NAME_SIGNAL, c->text, c->object->key));
    if (c->kind == WF_CHANGE_SPAN || c->kind == WF_CHANGE_SPAN_END || c->kind == WF_CHANGE_COUNTER)
        word("name", wf_session_name(s, WF_EFFECT_NAME_OBJECT, c->text, 0));
    if (c->record && c->record->row) word("row", c->record->row->name);
    puts("}");
}

// ---- items

static void put_record(const struct wf_record *r) {
    const struct wf_row *row = r->row;
    printf("{\"k\":\"record\"");
    number("t", r->tick);
    number("core", r->core);
    number("id", r->id);
    number("whole", row && !r->left && !r->missing);
    number("user", row == &wf_user_row);
    if (row) word("row", row->name);
    if (row) word("group", wf_groups[row->group].name);
    if (row == &wf_user_row) word("name", wf_session_user_name(s, r->id));
    for (unsigned i = 0; row && i < row->count; ++i) {
        static const char *const keys[WF_KIND_END] = {
            [WF_KIND_OBJECT] = "object", [WF_KIND_TASK] = "of_task", [WF_KIND_ACTOR] = "actor"};
        const char *key = keys[row->fields[i].kind];
        bool first = true;
        for (unsigned j = 0; j < i; ++j) first &= row->fields[j].kind != row->fields[i].kind;
        if (!key || !first) continue;
        number(key, r->value[i]);
        if (row->fields[i].kind == WF_KIND_OBJECT)
            put_object("object_is", r->value[i]);
        else
            put_actor(row->fields[i].kind == WF_KIND_TASK ? "of_task_is" : "actor_is", r->value[i]);
    }
    puts("}");
}

static void put_loss(const struct wf_loss *l) {
    static const char *const names[] = {"hole", "unseen", "late", "repeated", "restart"};
    printf("{\"k\":\"loss\"");
    number("t", wf_model_tick(m));
    word("kind", names[l->kind]);
    number("core", l->core);
    number("records", l->records);
    number("given_up", l->given_up);
    number("bytes", l->bytes + l->lost);
    number("exact", l->exact);
    puts("}");
}

// Prints cores that became idle or busy.
static void put_cores(void) {
    for (unsigned i = 0; i < WF_MODEL_CORES; ++i) {
        const struct wf_core *c = wf_model_core(m, i);
        bool idle = c->used && c->known && !c->task;
        if (idle == cores[i].idle) continue;
        cores[i].idle = idle;
        printf("{\"k\":\"idle\"");
        number("t", wf_model_tick(m));
        number("core", i);
        number("idle", idle);
        number("known", c->known);
        number("since", c->since);
        number("seen", c->since_known);
        puts("}");
    }
}

static void take(const struct wf_item *item) {
    struct wf_change c;
    wf_model_take(m, item);
    put_cores();
    while (wf_model_next(m, &c)) put_change(&c);
    if (item->kind == WF_ITEM_RECORD) put_record(&item->record);
    if (item->kind == WF_ITEM_LOSS) put_loss(&item->loss);
    if (item->kind == WF_ITEM_EVENT)
        printf("{\"k\":\"event\",\"t\":%" PRIu64 ",\"core\":%u}\n", item->event->tick,
               item->event->core);
}

// ---- main

static void put_names(void) {
    struct wf_change c;
    wf_model_end(m);
    put_cores();
    while (wf_model_next(m, &c)) put_change(&c);
    for (unsigned i = 0; i < wf_model_tasks(m); ++i) {
        printf("{\"k\":\"task_is\"");
        put_task("task", "name", wf_model_task(m, i));
        number("key", wf_model_task(m, i)->by_priority ? 0 : wf_model_task(m, i)->key);
        puts("}");
    }
    for (unsigned i = 0; i < wf_model_objects(m); ++i) {
        const struct wf_object *o = wf_model_object(m, i);
        printf("{\"k\":\"object_is\"");
        number("obj", i);
        word("name", wf_object_name(m, o));
        word("kind", wf_object_kind_names[o->kind]);
        number("key", o->key);
        puts("}");
    }
    printf("{\"k\":\"target\"");
    number("hz", wf_session_target(s)->hz);
    number("cores", wf_session_target(s)->cores);
    puts("}");
}

static int64_t read_at(void *ctx, uint64_t offset, void *buf, size_t len) {
    return pread(*(int *)ctx, buf, len, (off_t)offset);
}

static int take_slots(const char *name) {
    const struct wf_slots_options slots = {.size = sizeof slots, .with_control = true};
    const struct wf_merge_options options = {.size = sizeof options,
                                             .slots = &slots}; // as in the tool
    int fd = open(name, O_RDONLY);
    const struct wf_merge_source source = {&fd, read_at};
    struct wf_merge *merge = wf_merge_open(&options, NULL);
    struct wf_slots_item from;
    struct wf_item item;
    if (fd < 0 || !merge || wf_merge_read(merge, &source) != WF_OK) return 3;
    while (wf_merge_next(merge, &from)) {
        if (wf_session_take_slot(s, wf_merge_slots(merge), &from, &item)) take(&item);
    }
    wf_merge_close(merge);
    close(fd);
    return 0;
}

int main(int argc, char **argv) {
    int code = 0;
    s = model_open(argc, argv, &m);
    if (model_has_slots())
        code = take_slots(argv[1]);
    else
        model_feed(s, take);
    put_names();
    wf_model_close(m);
    wf_session_close(s);
    return code;
}
