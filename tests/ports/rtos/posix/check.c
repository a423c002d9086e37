// SPDX-License-Identifier: MIT
// Reads the trace of a program and the counts that the program kept itself (program.c), and fails
// at the first error: a mutex with two holders or given by a thread that does not hold it, a wait
// that does not end, a count that differs, a wait longer than by the program's own clock. Usage:
// check TRACE COUNTS SWITCHES(yes|no) [lossy]; COUNTS -: for a program that keeps none, and may end
// in any way.

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <wallfly_host/wf_merge.h>
#include <wallfly_host/wf_model.h>
#include <wallfly_host/wf_slot_record.h>

enum { THINGS = 4096, TASKS = 4096, NOWHERE = -1 };

struct count {
    uint64_t takes, gives, refused, timeouts, waited, compared;
};
static struct task {
    uint64_t key;
    bool created, ended;
    int waits; // thing, or NOWHERE
    uint64_t since;
    int core;   // from the kernel's switches, or NOWHERE
    int before; // the core before its last switch away
    bool moved; // it has recorded nothing since it moved
} tasks[TASKS];
static struct thing {
    uint64_t key;
    int group;
    int holder; // task, or NOWHERE
    uint64_t nest;
    int64_t left; // semaphores: initial count plus gives, less takes
    bool created;
} things[THINGS];
static struct count *counts[TASKS]; // THINGS of each
static int task_count, thing_count, on_core[WF_SLOT_CORES];
static uint64_t now, records, switches, blocked, elsewhere, apart, lost, waits, changes;
static int first_ring; // core whose ring is CPU 0's
static bool lossy, with_switches;

static _Noreturn void fail(const char *format, ...) {
    va_list args;
    va_start(args, format);
    fprintf(stderr, "check: at %" PRIu64 ": ", now);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    exit(1);
}

static int task_of(uint64_t key) {
    for (int i = 0; i < task_count; ++i) {
        if (tasks[i].key == key && !tasks[i].ended) return i;
    }
    if (task_count == TASKS) fail("too many tasks");
    counts[task_count] = calloc(THINGS, sizeof **counts);
    if (!counts[task_count]) fail("out of memory");
    tasks[task_count] = (struct task){key, false, false, NOWHERE, 0, NOWHERE, NOWHERE, false};
    return task_count++;
}

// Returns the task with this key, which may have ended.
static int task_known(uint64_t key) {
    for (int i = task_count; i-- > 0;) {
        if (tasks[i].key == key) return i;
    }
    fail("the trace has no task %" PRIu64, key);
}

static int thing_of(uint64_t key, int group) {
    for (int i = 0; i < thing_count; ++i) {
        if (things[i].key == key && things[i].group == group) return i;
    }
    if (thing_count == THINGS) fail("too many objects");
    things[thing_count] = (struct thing){key, group, NOWHERE, 0, 0, false};
    return thing_count++;
}

// The fields of a record by kind.
struct said {
    uint64_t task, object, nest, count, reason;
    bool has_actor;
};

static struct said fields_of(const struct wf_record *r) {
    struct said s = {0};
    for (unsigned i = 0; i < r->row->count; ++i) {
        const uint64_t v = r->value[i];
        switch (r->row->fields[i].kind) {
        case WF_KIND_TASK: s.task = v; break;
        case WF_KIND_ACTOR: s.task = v, s.has_actor = true; break;
        case WF_KIND_OBJECT: s.object = v; break;
        case WF_KIND_NESTING: s.nest = v; break;
        case WF_KIND_DEPTH: s.count = v; break;
        case WF_KIND_REASON: s.reason = v; break;
        default: break;
        }
    }
    return s;
}

static void end_wait(int task, int thing) {
    struct task *t = &tasks[task];
    if (t->waits == NOWHERE) return;
    if (t->waits != thing) fail("task %" PRIu64 " waits for another object", t->key);
    counts[task][thing].waited += now - t->since;
    t->waits = NOWHERE;
}

static void begin_wait(int task, int thing) {
    struct task *t = &tasks[task];
    if (t->waits != NOWHERE) fail("task %" PRIu64 " waits twice", t->key);
    t->waits = thing;
    t->since = now;
    ++waits;
}

static void take_mutex(int task, struct thing *m, uint64_t nest) {
    if (nest != m->nest + 1)
        fail("%" PRIx64 " has depth %" PRIu64 " behind %" PRIu64, m->key, nest, m->nest);
    if (m->nest && m->holder != task) {
        fail("%" PRIx64 " has two holders, %" PRIu64 " and %" PRIu64, m->key, tasks[m->holder].key,
             tasks[task].key);
    }
    m->holder = task;
    m->nest = nest;
}

static void give_mutex(int task, struct thing *m, uint64_t nest) {
    if (!m->nest || m->holder != task)
        fail("%" PRIx64 " is given by %" PRIu64 ", not its holder", m->key, tasks[task].key);
    if (nest + 1 != m->nest)
        fail("%" PRIx64 " has depth %" PRIu64 " behind %" PRIu64, m->key, nest, m->nest);
    m->nest = nest;
    if (!nest) m->holder = NOWHERE;
}

static void take(int task, int thing, const struct said *s) {
    struct thing *t = &things[thing];
    ++counts[task][thing].takes;
    if (lossy) return;
    end_wait(task, thing);
    if (t->group == WF_GROUP_MUT) take_mutex(task, t, s->nest);
    if (t->group == WF_GROUP_SEMA && t->created && --t->left < 0)
        fail("%" PRIx64 " is taken, but nothing is left", t->key);
}

static void give(int task, int thing, const struct said *s) {
    struct thing *t = &things[thing];
    ++counts[task][thing].gives;
    if (lossy) return;
    if (t->group == WF_GROUP_MUT) give_mutex(task, t, s->nest);
    if (t->group == WF_GROUP_SEMA) ++t->left;
}

// A read-write lock has no count at its begin.
static void create(int thing, const struct said *s) {
    things[thing].created = true;
    things[thing].left = (int64_t)s->count;
}

// A thread that records is on a CPU, and the kernel's switches show which. The recorder reads the
// CPU just before the time: a thread that is moved in between records the CPU it came from.
static void check_place(const struct wf_record *r, int task) {
    struct task *t = &tasks[task];
    const int core = r->core - first_ring;
    if (t->core == NOWHERE)
        ++elsewhere;
    else if (t->core != core && !(t->moved && t->before == core))
        ++apart;
    t->moved = false;
}

static void take_switch(const struct wf_record *r, const struct said *s) {
    const int core = r->core, was = on_core[core];
    const int task = s->task ? task_of(s->task) : NOWHERE;
    if (s->reason == 4) ++blocked;
    if (was != NOWHERE) {
        tasks[was].core = NOWHERE;
        tasks[was].before = core;
    }
    on_core[core] = task;
    if (task == NOWHERE) return;
    if (tasks[task].core != NOWHERE) fail("task %" PRIu64 " runs on two cores", s->task);
    if (!tasks[task].created) fail("task %" PRIu64 " runs and was not created", s->task);
    tasks[task].core = core;
    tasks[task].moved = true;
}

static void take_record(struct wf_session *session, const struct wf_record *r) {
    if (!r->row) fail("a record nobody knows");
    const enum wf_effect effect = r->row->effect;
    if (effect != WF_EFFECT_TASK_SWITCH && r->tick < now) fail("a stamp goes back");
    now = r->tick;
    ++records;
    const struct said s = fields_of(r);
    if (effect == WF_EFFECT_TASK_SWITCH) {
        if (!lossy) take_switch(r, &s);
        ++switches;
        return;
    }
    if (effect == WF_EFFECT_TASK_CREATE) tasks[task_of(s.task)].created = true;
    if (effect == WF_EFFECT_TASK_DELETE) {
        const int task = task_of(s.task);
        if (!lossy && tasks[task].waits != NOWHERE) fail("task %" PRIu64 " ends and waits", s.task);
        tasks[task].ended = true;
    }
    const int thing = s.object ? thing_of(s.object, r->row->group) : NOWHERE;
    if (effect == WF_EFFECT_OBJECT_DELETE && thing != NOWHERE && !lossy) {
        if (things[thing].nest) fail("%" PRIx64 " is deleted and held", s.object);
        things[thing].created = false;
    }
    if (effect == WF_EFFECT_OBJECT_CREATE && thing != NOWHERE) create(thing, &s);
    if (!s.has_actor || thing == NOWHERE) return;
    const int task = task_of(s.task);
    if (!lossy && !tasks[task].created) fail("task %" PRIu64 " was not created", s.task);
    if (with_switches) check_place(r, task);
    switch (effect) {
    case WF_EFFECT_TAKE: take(task, thing, &s); break;
    case WF_EFFECT_GIVE: give(task, thing, &s); break;
    case WF_EFFECT_WAIT:
        if (!lossy) begin_wait(task, thing);
        break;
    case WF_EFFECT_TIMEOUT:
        ++counts[task][thing].timeouts;
        if (!lossy) end_wait(task, thing);
        break;
    case WF_EFFECT_REFUSED: ++counts[task][thing].refused; break;
    default:
        fail("%s is not expected of %s", r->row->name,
             wf_session_name(session, WF_EFFECT_NAME_OBJECT, s.object, 0));
    }
}

// Compares a mutex with the model, after the record that changed it.
static void compare_model(const struct wf_change *c) {
    const struct wf_object *o = c->object;
    if (o->kind != WF_OBJECT_MUTEX || !o->holder_known)
        fail("the model does not know who holds %" PRIx64, o->key);
    const struct thing *t = &things[thing_of(o->key, WF_GROUP_MUT)];
    const uint64_t holder = o->holder ? o->holder->key : 0;
    if (o->nest != t->nest || holder != (t->nest ? tasks[t->holder].key : 0)) {
        fail("the model has %" PRIx64 " held by %" PRIu64 ", depth %u", o->key, holder, o->nest);
    }
}

static void ask_model(struct wf_model *m, const struct wf_item *item) {
    struct wf_change c;
    wf_model_take(m, item);
    while (wf_model_next(m, &c)) {
        ++changes;
        if (lossy) continue;
        if (c.kind == WF_CHANGE_INCONSISTENT) {
            fail("the model: %s: task %s, object %s", c.why, c.task ? wf_task_name(m, c.task) : "-",
                 c.object ? wf_object_name(m, c.object) : "-");
        }
        if (c.kind == WF_CHANGE_HOLD || c.kind == WF_CHANGE_HOLD_END) compare_model(&c);
    }
}

static int64_t read_at(void *ctx, uint64_t offset, void *buf, size_t len) {
    FILE *file = ctx;
    if (fseek(file, (long)offset, SEEK_SET) != 0) return -1;
    return (int64_t)fread(buf, 1, len, file);
}

static void read_trace(const char *name) {
    FILE *file = fopen(name, "rb");
    struct wf_merge *m = wf_merge_open(NULL, NULL);
    struct wf_session *session = wf_session_open(NULL, NULL);
    struct wf_model *model = session ? wf_model_open(session) : NULL;
    struct wf_slots_item from;
    struct wf_item item;
    if (!file || !m || !session || !model ||
        wf_merge_read(m, &(struct wf_merge_source){file, read_at}) != WF_OK) {
        fail("%s cannot be read", name);
    }
    while (wf_merge_next(m, &from)) {
        if (!wf_session_take_slot(session, wf_merge_slots(m), &from, &item)) continue;
        if (item.kind == WF_ITEM_RECORD) take_record(session, &item.record);
        ask_model(model, &item);
        if (item.kind == WF_ITEM_LOSS && !lossy)
            fail("%" PRIu64 " events are lost", item.loss.records);
        if (item.kind == WF_ITEM_DAMAGE && !lossy) fail("damage");
        if (with_switches) first_ring = wf_session_target(session)->cores / 2;
    }
    const struct wf_slots_ledger *ledger = wf_slots_get_ledger(wf_merge_slots(m));
    lost = ledger->lost + ledger->refused;
    if (!ledger->exact) fail("what is lost is not known exactly");
    if (wf_merge_late(m)) fail("events come late");
    printf("%" PRIu64 " records, %" PRIu64 " lost, %" PRIu64 " waits, %" PRIu64
           " switches; %" PRIu64 " changes of the model\n",
           records, lost, waits, switches, changes);
    wf_model_close(model);
    wf_session_close(session);
    wf_merge_close(m);
    fclose(file);
}

static uint64_t missing; // difference to the program's counts in a lossy trace

static void compare(const char *what, uint64_t ours, uint64_t its, uint64_t task, uint64_t object) {
    if (lossy && ours < its) missing += its - ours;
    if (lossy ? ours <= its : ours == its) return;
    fail("task %" PRIu64 " at %" PRIx64 ": %" PRIu64 " %s, the program counted %" PRIu64, task,
         object, ours, what, its);
}

static void compare_counts(const char *name) {
    FILE *file = fopen(name, "r");
    char line[256], kind[16];
    uint64_t task, object, takes, gives, refused, timeouts, ns, holder,
        all = 0, waited = 0, called = 0, opened = 0, passed = 0, passing = 0;
    if (!file) fail("%s cannot be read", name);
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "gate %" SCNu64 " %" SCNx64 " %" SCNu64 " %" SCNu64, &task, &object,
                   &holder, &ns) == 4) {
            // The whole time for which main saw it wait.
            const uint64_t found =
                lossy ? ns : counts[task_known(task)][thing_of(object, WF_GROUP_MUT)].waited;
            if (found < ns)
                fail("task %" PRIu64 " waits %" PRIu64 " ns at the gate, shut for %" PRIu64, task,
                     found, ns);
            continue;
        }
        if (sscanf(line,
                   "count %" SCNu64 " %" SCNx64 " %15s %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
                   " %" SCNu64,
                   &task, &object, kind, &takes, &gives, &refused, &timeouts, &ns) != 8) {
            fail("%s: %s", name, line);
        }
        const int group = *kind == 'm' ? WF_GROUP_MUT : *kind == 's' ? WF_GROUP_SEMA : WF_GROUP_EVT;
        struct count *c = &counts[task_known(task)][thing_of(object, group)];
        c->compared = 1;
        if (*kind == 'w') { // C++ decides by the clock, not by the reason of the wake
            compare("wakes and timeouts", c->takes + c->timeouts, takes + timeouts, task, object);
        } else {
            compare("takes", c->takes, takes, task, object);
            compare("timeouts", c->timeouts, timeouts, task, object);
        }
        compare("refused", c->refused, refused, task, object);
        if (*kind == 'b') { // a program cannot know which thread comes last
            opened += c->gives;
            passed += takes;
            passing += takes != 0;
        } else
            compare("gives", c->gives, gives, task, object);
        // The same clock, read before and after the call.
        if (ns && c->waited > ns)
            fail("task %" PRIu64 " at %" PRIx64 ": waits %" PRIu64 " ns in calls of %" PRIu64, task,
                 object, c->waited, ns);
        all += takes + refused + timeouts;
        waited += ns ? c->waited : 0;
        called += ns;
    }
    if (!lossy && opened * passing != passed) fail("the barrier opens %" PRIu64 " times", opened);
    for (int task = 0; task < task_count; ++task) {
        for (int thing = 0; thing < thing_count; ++thing) {
            const struct count *c = &counts[task][thing];
            if (!c->compared && (c->takes || c->gives || c->refused || c->timeouts)) {
                fail("task %" PRIu64 " at %" PRIx64 ": the program knows nothing of it",
                     tasks[task].key, things[thing].key);
            }
        }
    }
    printf("%" PRIu64 " operations compared; in mutexes %" PRIu64 " us waited, %" PRIu64
           " us spent in the calls\n",
           all, waited / 1000, called / 1000);
    fclose(file);
}

int main(int argc, char **argv) {
    if (argc < 4) return 2;
    for (unsigned i = 0; i < WF_SLOT_CORES; ++i) on_core[i] = NOWHERE;
    with_switches = strcmp(argv[3], "yes") == 0;
    lossy = argc > 4;
    read_trace(argv[1]);
    const bool has_counts = strcmp(argv[2], "-") != 0;
    if (has_counts) compare_counts(argv[2]);
    if (lossy) {
        printf("%" PRIu64 " of them missing\n", missing);
        if (!lost) fail("nothing is lost, so nothing was tried");
        if (missing > lost)
            fail("%" PRIu64 " are missing and only %" PRIu64 " told as lost", missing, lost);
        return 0;
    }
    if (lost) fail("%" PRIu64 " events are lost", lost);
    for (int i = 0; has_counts && i < thing_count; ++i) {
        if (things[i].nest) fail("%" PRIx64 " is held at the end", things[i].key);
    }
    for (int i = 0; has_counts && i < task_count; ++i) {
        if (tasks[i].waits != NOWHERE) fail("task %" PRIu64 " waits at the end", tasks[i].key);
    }
    if (with_switches ? has_counts && !switches : switches) fail("%" PRIu64 " switches", switches);
    if (!with_switches) return 0;
    printf("%" PRIu64 " left waiting; of %" PRIu64 " records %" PRIu64
           " of a task that does not run, %" PRIu64 " on another CPU\n",
           blocked, records, elsewhere, apart);
    if (has_counts && !blocked) fail("nobody waits, say the switches");
    if (elsewhere > records / 1000 || apart > records / 1000)
        fail("switches and records do not fit");
    return 0;
}
