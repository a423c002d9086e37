// SPDX-License-Identifier: MIT
// The kernel's own state (`own`, `of`, `cpu`) controls what happens; wf_test_truth.c keeps what the
// records say.

#include "wf_test_kernel.h"

#include <string.h>

enum { PREEMPTED = 1, YIELDED, SLICED, BLOCKED, DELAYED, SUSPENDED, ENDED };
enum { NOTHING, HANDED, HANDED_TOLD, TIMED_OUT, TRY_AGAIN, GONE }; // outcome of a wait

uint32_t kernel_random(struct kernel *k, uint32_t below) {
    k->random = k->random * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(k->random >> 8) * below >> 24);
}
static bool chance(struct kernel *k, uint32_t of) { return kernel_random(k, of) == 0; }

static void tell(struct kernel *k, enum k_event event, int task, int object, unsigned number) {
    k->happens(k->ctx, k, event, task, object, number);
}

// ---- scheduler

static bool ready_on_core(const struct kernel *k, int t) {
    return !k->own[t].blocked && !k->own[t].suspending && !k->truth.task[t].deleted;
}

static void resched(struct kernel *k, unsigned core, unsigned reason) {
    k->cpu[core].resched = true;
    if (reason != PREEMPTED) k->cpu[core].reason = reason;
}

static void preempt_for(struct kernel *k, int t) {
    unsigned worst = 0;
    int least = 1000;
    for (unsigned c = 0; c < k->options.cores; ++c) {
        int runs = k->truth.core[c].task;
        int prio = runs < 0 ? -1 : k->truth.task[runs].prio;
        if (prio < least) {
            least = prio;
            worst = c;
        }
    }
    if (least < k->truth.task[t].prio) resched(k, worst, PREEMPTED);
}

static void make_ready(struct kernel *k, int t) {
    struct k_truth_task *task = &k->truth.task[t];
    k->own[t].blocked = k->own[t].suspending = false;
    if (task->state != WF_TASK_RUNNING) truth_state(k, t, WF_TASK_READY);
    tell(k, K_TASK_READY, t, -1, 0);
    if (task->state == WF_TASK_READY) preempt_for(k, t);
}

static int best_ready(struct kernel *k) {
    int best = -1;
    for (int t = 0; t < K_TASKS; ++t) {
        const struct k_truth_task *task = &k->truth.task[t];
        if (!task->live || task->state != WF_TASK_READY) continue;
        if (best < 0 || task->prio > k->truth.task[best].prio ||
            (task->prio == k->truth.task[best].prio && chance(k, 2)))
            best = t;
    }
    return best;
}

static void leave(struct kernel *k, int t, unsigned reason, bool ready) {
    static const enum wf_task_state after[] = {
        [BLOCKED] = WF_TASK_BLOCKED, [DELAYED] = WF_TASK_DELAYED, [SUSPENDED] = WF_TASK_SUSPENDED};
    k->truth.task[t].reason = (int)reason;
    if (k->truth.task[t].deleted || reason == ENDED)
        truth_end(k, t);
    else
        truth_state(k, t, ready ? WF_TASK_READY : after[reason]);
    k->own[t].blocked = k->own[t].suspending = k->truth.task[t].deleted = false;
}

// The core switches to the best task; `must`: the running task leaves even if it is the best.
static void reschedule(struct kernel *k, bool must) {
    struct k_truth_core *core = &k->truth.core[k->core];
    unsigned reason = k->cpu[k->core].reason;
    int t = core->task, next = best_ready(k);
    bool ready = t >= 0 && ready_on_core(k, t) && !must;
    int margin = reason == YIELDED || reason == SLICED ? 0 : 1;
    k->cpu[k->core].resched = false;
    k->cpu[k->core].reason = 0;
    if (t < 0 && next < 0) return;
    if (ready && (next < 0 || k->truth.task[next].prio < k->truth.task[t].prio + margin)) {
        if (chance(k, 4)) tell(k, K_TASK_SWITCH, t, -1, PREEMPTED); // to itself
        return;
    }
    if (reason == 0) reason = PREEMPTED;
    if (t >= 0) leave(k, t, reason, ready);
    core->task = next;
    if (next >= 0) {
        truth_state(k, next, WF_TASK_RUNNING);
        k->truth.task[next].core = (int)k->core;
    }
    tell(k, K_TASK_SWITCH, next, -1, reason);
}

// ---- waits

static void unqueue(struct kernel *k, int t) {
    int o = k->own[t].waits;
    if (o < 0) return;
    unsigned n = 0;
    for (unsigned i = 0; i < k->of[o].queued; ++i) {
        if (k->of[o].queue[i] != t) k->of[o].queue[n++] = k->of[o].queue[i];
    }
    k->of[o].queued = n;
}

static int waiter(const struct kernel *k, int o, bool to_give) {
    for (unsigned i = 0; i < k->of[o].queued; ++i) {
        if (k->own[k->of[o].queue[i]].to_give == to_give) return k->of[o].queue[i];
    }
    return -1;
}

static void wake(struct kernel *k, int t, unsigned outcome) {
    unqueue(k, t);
    k->own[t].outcome = outcome;
    if (k->truth.task[t].state != WF_TASK_SUSPENDED) make_ready(k, t);
}

static void wait_for(struct kernel *k, int t, int o, bool to_give) {
    truth_wait_ends(k, t);
    truth_wait(k, t, o, to_give);
    k->own[t].waits = o;
    k->own[t].to_give = to_give;
    k->own[t].outcome = NOTHING;
    k->own[t].blocked = true;
    k->of[o].queue[k->of[o].queued++] = t;
    tell(k, to_give ? K_GIVE_WAIT : K_WAIT, t, o, 3);
    resched(k, k->core, BLOCKED);
}

static void takes(struct kernel *k, int t, int o) {
    struct k_truth_object *object = &k->truth.object[o];
    unsigned n = object->count = k->of[o].count;
    if (t >= 0) truth_wait_ends(k, t);
    if (object->kind == WF_OBJECT_MUTEX) {
        n = k->of[o].nest;
        truth_hold(k, o, t, n);
    }
    tell(k, K_TAKE, t, o, n);
}

// o has an item for a waiter or, with `to_give`, space for one.
static void hand(struct kernel *k, int o, bool to_give) {
    struct k_truth_object *object = &k->truth.object[o];
    bool all = object->kind == WF_OBJECT_EVENTS && !object->condition;
    enum k_hand how = to_give || object->condition ? K_RETRY : k->options.hand;
    for (int t; (t = waiter(k, o, to_give)) >= 0;) {
        bool first = chance(k, 2); // the order of the two records
        unqueue(k, t);
        if (how == K_RETRY && object->kind != WF_OBJECT_EVENTS) {
            wake(k, t, TRY_AGAIN);
            return;
        }
        if (object->kind == WF_OBJECT_MUTEX) {
            k->of[o].holder = t;
            k->of[o].nest = 1;
            ++k->own[t].holds;
        } else if (object->kind != WF_OBJECT_EVENTS) {
            --k->of[o].count;
        }
        bool told = how == K_HAND_NOW && k->truth.task[t].state != WF_TASK_SUSPENDED;
        if (told && first) takes(k, t, o);
        wake(k, t, told ? HANDED_TOLD : HANDED);
        if (told && !first) takes(k, t, o);
        if (!all) return;
    }
}

// ---- what tasks do

static void refuse_or_wait(struct kernel *k, int t, int o, bool to_give, bool must) {
    if (!must && chance(k, 3)) {
        tell(k, to_give ? K_GIVE_REFUSED : K_REFUSED, t, o, 3);
        return;
    }
    wait_for(k, t, o, to_give);
}

static void set_prio(struct kernel *k, int t, int prio) {
    if (k->truth.task[t].prio == prio) return;
    k->truth.task[t].prio = prio;
    tell(k, K_TASK_PRIORITY, t, -1, (unsigned)prio);
}

static void take_mutex(struct kernel *k, int t, int o, bool must) {
    int holder = k->of[o].holder;
    if (holder >= 0 && holder != t) {
        refuse_or_wait(k, t, o, false, must);
        if (k->own[t].blocked && k->truth.task[holder].prio < k->truth.task[t].prio)
            set_prio(k, holder, k->truth.task[t].prio);
        return;
    }
    if (holder == t && k->of[o].nest == 3) return;
    k->own[t].holds += holder != t;
    k->of[o].holder = t;
    ++k->of[o].nest;
    takes(k, t, o);
}

static void give_mutex(struct kernel *k, int t, int o) {
    unsigned nest = --k->of[o].nest;
    if (nest == 0) {
        k->of[o].holder = -1;
        --k->own[t].holds;
    }
    truth_hold(k, o, nest ? t : -1, nest);
    if (k->own[t].waits != o && !k->own[t].blocked) truth_wait_ends(k, t);
    tell(k, K_GIVE, t, o, nest);
    if (nest == 0 && k->own[t].holds == 0) set_prio(k, t, k->own[t].base);
    if (nest == 0) hand(k, o, false);
}

static void take_count(struct kernel *k, int t, int o, bool must) {
    struct k_truth_object *object = &k->truth.object[o];
    if (k->of[o].count == 0) {
        if (t >= 0)
            refuse_or_wait(k, t, o, false, must);
        else
            tell(k, K_REFUSED, t, o, 0);
        return;
    }
    --k->of[o].count;
    takes(k, t, o);
    if (object->kind == WF_OBJECT_QUEUE) hand(k, o, true);
}

static void give_count(struct kernel *k, int t, int o, bool must) {
    struct k_truth_object *object = &k->truth.object[o];
    if (k->of[o].count == object->room) {
        if (object->kind != WF_OBJECT_QUEUE) return;
        if (t >= 0)
            refuse_or_wait(k, t, o, true, must);
        else
            tell(k, K_GIVE_REFUSED, t, o, 0);
        return;
    }
    object->count = ++k->of[o].count;
    if (t >= 0) truth_wait_ends(k, t);
    tell(k, K_GIVE, t, o, object->count);
    hand(k, o, false);
}

static void wait_condition(struct kernel *k, int t, int o) {
    int mutex = -1;
    for (int i = 0; i < K_OBJECTS; ++i) {
        if (k->of[i].holder == t && k->of[i].nest == 1) mutex = i;
    }
    k->own[t].with = -1;
    if (mutex < 0 || k->truth.object[mutex].holder != t) {
        wait_for(k, t, o, false);
        return;
    }
    bool first = chance(k, 2); // a port may use either order
    if (first) give_mutex(k, t, mutex);
    wait_for(k, t, o, false);
    if (!first) give_mutex(k, t, mutex);
    k->own[t].with = mutex;
}

static void use(struct kernel *k, int t, int o) {
    struct k_truth_object *object = &k->truth.object[o];
    switch (object->kind) {
    case WF_OBJECT_MUTEX:
        if (k->of[o].holder == t && !chance(k, 3))
            give_mutex(k, t, o);
        else
            take_mutex(k, t, o, false);
        break;
    case WF_OBJECT_SEMAPHORE:
    case WF_OBJECT_QUEUE:
        if (chance(k, 2))
            take_count(k, t, o, false);
        else
            give_count(k, t, o, false);
        break;
    case WF_OBJECT_EVENTS:
        if (chance(k, 2)) {
            tell(k, K_GIVE, t, o, 3);
            hand(k, o, false);
        } else if (object->condition) {
            wait_condition(k, t, o);
        } else if (chance(k, 3)) {
            tell(k, chance(k, 2) ? K_CLEAR : K_TAKE, t, o, 5);
        } else {
            refuse_or_wait(k, t, o, false, false);
        }
        break;
    case WF_OBJECT_TIMER: tell(k, chance(k, 2) ? K_ALARM_START : K_ALARM_STOP, t, o, 10); break;
    default: break;
    }
}

// A wait has ended, the task runs again.
static void resume(struct kernel *k, int t) {
    unsigned outcome = k->own[t].outcome;
    int o = k->own[t].waits, mutex = k->own[t].with;
    bool to_give = k->own[t].to_give;
    k->own[t].waits = k->own[t].with = -1;
    k->own[t].outcome = NOTHING;
    switch (outcome) {
    case HANDED: takes(k, t, o); break;
    case TIMED_OUT:
        truth_wait_ends(k, t);
        tell(k, chance(k, 2) && !to_give ? K_REFUSED : K_TIMEOUT, t, o, 0);
        break;
    case GONE:
        if (chance(k, 2)) tell(k, K_TIMEOUT, t, o, 0);
        break;
    case TRY_AGAIN:
        if (to_give)
            give_count(k, t, o, true);
        else if (k->truth.object[o].kind == WF_OBJECT_MUTEX)
            take_mutex(k, t, o, true);
        else
            take_count(k, t, o, true);
        break;
    default: break; // recorded by the giver
    }
    if (mutex >= 0 && k->truth.object[mutex].live) take_mutex(k, t, mutex, true);
}

// ---- lives

static void create_task(struct kernel *k) {
    for (int t = 0; t < K_TASKS; ++t) {
        struct k_truth_task *task = &k->truth.task[t];
        if (task->live || k->own[t].undeleted) continue;
        unsigned life = task->life + 1;
        memset(task, 0, sizeof *task);
        memset(&k->own[t], 0, sizeof k->own[t]);
        task->live = true;
        task->life = life;
        task->waits = k->own[t].waits = k->own[t].with = -1;
        task->prio = k->own[t].base = (int)kernel_random(k, 6);
        tell(k, K_TASK_CREATE, t, -1, (unsigned)task->prio);
        if (k->started && chance(k, 4)) {
            truth_state(k, t, WF_TASK_SUSPENDED);
            tell(k, K_TASK_SUSPEND, t, -1, 0);
        } else {
            make_ready(k, t);
        }
        return;
    }
}

static void delete_task(struct kernel *k, int t) {
    struct k_truth_task *task = &k->truth.task[t];
    unqueue(k, t);
    if (task->state == WF_TASK_RUNNING) {
        truth_wait_ends(k, t);
        k->truth.task[t].deleted = true;
        tell(k, K_TASK_DELETE, t, -1, 0);
        resched(k, (unsigned)task->core, ENDED);
        return;
    }
    truth_end(k, t);
    tell(k, K_TASK_DELETE, t, -1, 0);
}

static void create_object(struct kernel *k) {
    static const enum wf_model_kind kinds[] = {WF_OBJECT_MUTEX,     WF_OBJECT_MUTEX,
                                               WF_OBJECT_SEMAPHORE, WF_OBJECT_QUEUE,
                                               WF_OBJECT_EVENTS,    WF_OBJECT_TIMER};
    for (int o = 0; o < K_OBJECTS; ++o) {
        struct k_truth_object *object = &k->truth.object[o];
        if (object->live) continue;
        unsigned life = object->life + 1;
        memset(object, 0, sizeof *object);
        memset(&k->of[o], 0, sizeof k->of[o]);
        object->live = true;
        object->life = life;
        object->kind = kinds[kernel_random(k, sizeof kinds / sizeof *kinds)];
        object->condition = object->kind == WF_OBJECT_EVENTS && chance(k, 2);
        object->holder = k->of[o].holder = -1;
        object->room = 1 + kernel_random(k, 3);
        bool semaphore = object->kind == WF_OBJECT_SEMAPHORE;
        object->count = k->of[o].count = semaphore ? kernel_random(k, object->room + 1) : 0;
        tell(k, K_CREATE, -1, o, semaphore ? object->count : object->room);
        return;
    }
}

static void delete_object(struct kernel *k, int o) {
    struct k_truth_object *object = &k->truth.object[o];
    if (k->of[o].holder >= 0 || object->holder >= 0) return;
    for (int t = 0; t < K_TASKS; ++t) { // not while a task still resumes from a wait on it
        bool comes = k->own[t].waits == o && k->own[t].outcome != NOTHING;
        if (k->truth.task[t].live && (comes || k->own[t].with == o)) return;
    }
    while (object->waiting) truth_wait_ends(k, object->waiters[0]);
    object->live = false;
    tell(k, K_DELETE, -1, o, 0);
    for (int t; (t = waiter(k, o, false)) >= 0 || (t = waiter(k, o, true)) >= 0;) wake(k, t, GONE);
}

// ---- steps

static int some_object(struct kernel *k) {
    int o = (int)kernel_random(k, K_OBJECTS);
    return k->truth.object[o].live ? o : -1;
}
static int some_task(struct kernel *k) {
    int t = (int)kernel_random(k, K_TASKS);
    return k->truth.task[t].live && !k->truth.task[t].deleted ? t : -1;
}

static void tick(struct kernel *k) {
    int t = some_task(k);
    if (t < 0) return;
    if (k->truth.task[t].state == WF_TASK_DELAYED) {
        make_ready(k, t);
    } else if (k->own[t].waits >= 0 && k->own[t].outcome == NOTHING &&
               k->truth.task[t].state == WF_TASK_BLOCKED && k->own[t].with < 0) {
        bool now = chance(k, 2); // recorded by the interrupt
        int o = k->own[t].waits;
        if (now) {
            truth_wait_ends(k, t);
            tell(k, K_TIMEOUT, t, o, 0);
        }
        wake(k, t, now ? HANDED_TOLD : TIMED_OUT);
    } else if (k->truth.task[t].state == WF_TASK_RUNNING && ready_on_core(k, t)) {
        resched(k, (unsigned)k->truth.task[t].core, SLICED);
    }
}

static void interrupt(struct kernel *k) {
    struct k_truth_core *core = &k->truth.core[k->core];
    int o = some_object(k);
    enum wf_model_kind kind = o < 0 ? WF_OBJECT_UNKNOWN : k->truth.object[o].kind;
    if (chance(k, 3)) {
        unsigned n = --core->irqs;
        tell(k, K_IRQ_EXIT, -1, (int)n + 1, core->irq[n]);
    } else if (chance(k, 3)) {
        tick(k);
    } else if (kind == WF_OBJECT_SEMAPHORE || kind == WF_OBJECT_QUEUE) {
        if (chance(k, 3))
            take_count(k, -1, o, false);
        else
            give_count(k, -1, o, false);
    } else if (kind == WF_OBJECT_EVENTS) {
        tell(k, K_GIVE, -1, o, 1);
        hand(k, o, false);
    } else if (kind == WF_OBJECT_TIMER) {
        tell(k, K_ALARM, -1, o, 0);
    }
}

static void suspend_some(struct kernel *k, int by) {
    int t = some_task(k);
    if (t < 0 || k->own[t].with >= 0) return;
    if (k->truth.task[t].state == WF_TASK_RUNNING) {
        if (k->own[t].blocked || k->own[t].suspending) return;
        k->own[t].suspending = true;
        tell(k, K_TASK_SUSPEND, t, -1, 0);
        resched(k, (unsigned)k->truth.task[t].core, SUSPENDED);
        return;
    }
    if (t == by || k->truth.task[t].state == WF_TASK_SUSPENDED) return;
    if (k->own[t].waits >= 0 && k->own[t].outcome == NOTHING) {
        unqueue(k, t);
        k->own[t].outcome = TIMED_OUT;
    }
    truth_state(k, t, WF_TASK_SUSPENDED);
    tell(k, K_TASK_SUSPEND, t, -1, 0);
}

static void end_some(struct kernel *k, int by) {
    int t = some_task(k);
    if (t < 0 || k->own[t].holds || k->own[t].blocked || k->own[t].suspending) return;
    if (k->own[t].with >= 0) return;
    if (t == by && chance(k, 2)) { // the switch is recorded first, the delete later
        unqueue(k, t);
        k->own[t].undeleted = true;
        k->cpu[k->core].reason = ENDED;
        reschedule(k, true);
        return;
    }
    delete_task(k, t);
}

static void clean_up(struct kernel *k) {
    for (int t = 0; t < K_TASKS; ++t) {
        if (!k->own[t].undeleted || k->truth.task[t].live) continue;
        k->own[t].undeleted = false;
        tell(k, K_TASK_DELETE, t, -1, 0);
    }
}

static void span(struct kernel *k, int t) {
    unsigned *spans = &k->truth.task[t].spans;
    if (*spans < 3 && chance(k, 2))
        tell(k, K_SPAN, t, -1, ++*spans);
    else if (*spans)
        tell(k, K_SPAN_END, t, -1, (*spans)--);
}

static void act(struct kernel *k, int t) {
    int o = some_object(k), other = some_task(k);
    switch (kernel_random(k, 24)) {
    case 0: create_task(k); break;
    case 1: end_some(k, t); break;
    case 2: create_object(k); break;
    case 3:
        if (o >= 0 && chance(k, 4)) delete_object(k, o);
        break;
    case 4: resched(k, k->core, YIELDED); break;
    case 5:
        k->cpu[k->core].reason = DELAYED;
        reschedule(k, true);
        break;
    case 6: suspend_some(k, t); break;
    case 7:
    case 8:
        if (other >= 0 && k->truth.task[other].state == WF_TASK_SUSPENDED) make_ready(k, other);
        break;
    case 9:
        if (other >= 0 && k->own[other].holds == 0) {
            k->own[other].base = (int)kernel_random(k, 6);
            set_prio(k, other, k->own[other].base);
        }
        break;
    case 10: clean_up(k); break;
    case 11: span(k, t); break;
    default:
        if (o >= 0) use(k, t, o);
    }
}

void kernel_step(struct kernel *k) {
    k->core = kernel_random(k, k->options.cores);
    struct k_truth_core *core = &k->truth.core[k->core];
    int t = core->task;
    if (core->irqs < K_IRQS && chance(k, 12)) {
        unsigned irq = 16 + kernel_random(k, 5);
        core->irq[core->irqs++] = irq;
        tell(k, K_IRQ_ENTER, -1, (int)core->irqs, irq);
    } else if (core->irqs) {
        interrupt(k);
    } else if (k->cpu[k->core].resched) {
        reschedule(k, false);
    } else if (t < 0) {
        reschedule(k, false);
        if (core->task < 0) clean_up(k);
    } else if (!ready_on_core(k, t)) {
        resched(k, k->core, PREEMPTED);
    } else if (k->own[t].waits >= 0) {
        resume(k, t);
    } else {
        act(k, t);
    }
}

void kernel_start(struct kernel *k) {
    k->random = k->options.seed;
    for (int t = 0; t < K_TASKS; ++t) {
        k->truth.task[t].waits = k->own[t].waits = k->own[t].with = -1;
        k->truth.task[t].state = WF_TASK_ENDED;
    }
    for (int o = 0; o < K_OBJECTS; ++o) {
        k->truth.object[o].holder = k->of[o].holder = -1;
    }
    for (unsigned c = 0; c < K_CORES; ++c) k->truth.core[c].task = -1;
    for (int i = 0; i < K_OBJECTS * 2 / 3; ++i) create_object(k);
    for (unsigned i = 0; i < 3 + k->options.cores; ++i) create_task(k);
    for (k->core = 0; k->core < k->options.cores; ++k->core) reschedule(k, false);
    k->core = 0;
    k->started = true;
}
