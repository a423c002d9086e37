// SPDX-License-Identifier: MIT
// FreeRTOS V11 records the entry and the return of each kernel function, and no event when a task
// waits without a time limit. From these calls follow why a task leaves the processor, who holds a
// mutex, and the fill levels of queues and semaphores. Facts are from recordings and from the
// kernel's public functions (their order of calls in queue.c and tasks.c); a description file of
// the user may give other numbers to the same names.
//
//   taken mutex     pvTaskIncrementMutexHeldCount is called in xQueueSemaphoreTake
//   given mutex     xTaskPriorityDisinherit is called in xQueueGenericSend
//   waits for ever  vTaskPlaceOnEventList with portMAX_DELAY; or, in the wait for a notification,
//                   the task is removed from the list of ready tasks
//   has succeeded   a waiting task is removed from the list of the queue, while the scheduler runs
//                   (it also is when a queue is unlocked, while it is suspended), or it returns 1

#include <stdio.h>
#include <string.h>

#include "import/systemview/wfi_sysview.h"

#define FOR_EVER UINT32_MAX // portMAX_DELAY

static const struct {
    const char *name;
    uint8_t meaning;
    uint16_t id;        // of the recorder for V11; 0: in description files only
    const char *params; // and the result
} functions[] = {
    {"xQueueGenericCreate", WFI_SV_CREATE, 152, "length=%u size=%u type=%u | Returns %p"},
    {"xQueueCreateMutex", WFI_SV_CREATE_MUTEX, 153, "type=%u | Returns %p"},
    {"xQueueGiveMutexRecursive", WFI_SV_GIVE_RECURSIVE, 157, "mutex=%I | Returns %u"},
    {"xQueueTakeMutexRecursive", WFI_SV_TAKE_RECURSIVE, 158, "mutex=%I ticks=%u | Returns %u"},
    {"xQueueCreateCountingSemaphore", WFI_SV_CREATE_COUNTING, 160,
     "max=%u initial=%u | Returns %p"},
    {"xQueueGenericSend", WFI_SV_SEND, 161, "queue=%I item=%p ticks=%u position=%u | Returns %u"},
    {"xQueueGenericSendFromISR", WFI_SV_SEND_ISR, 162,
     "queue=%I item=%p woken=%p position=%u | Returns %u"},
    {"xQueueGiveFromISR", WFI_SV_GIVE_ISR, 163, "queue=%I woken=%p | Returns %u"},
    {"xQueueReceive", WFI_SV_RECEIVE, 164, "queue=%I buffer=%p ticks=%u | Returns %u"},
    {"xQueueSemaphoreTake", WFI_SV_TAKE, 165, "queue=%I ticks=%u | Returns %u"},
    {"xQueueReceiveFromISR", WFI_SV_RECEIVE_ISR, 167, "queue=%I buffer=%p woken=%p | Returns %u"},
    {"vQueueDelete", WFI_SV_DELETE_QUEUE, 172, "queue=%I"},
    {"vQueueAddToRegistry", WFI_SV_HARMLESS, 182, "queue=%I name=%p"},
    {"vQueueWaitForMessageRestricted", WFI_SV_HARMLESS, 185, "queue=%I ticks=%u forever=%u"},
    {"xTaskCreate", WFI_SV_HARMLESS, 194,
     "function=%p name=%p stack=%u parameters=%p priority=%u task=%p | Returns %u"},
    {"vTaskDelete", WFI_SV_DELETE_TASK, 195, "task=%t"},
    {"xTaskDelayUntil", WFI_SV_DELAY, 196, "previous=%p ticks=%u | Returns %u"},
    {"vTaskDelay", WFI_SV_DELAY, 197, "ticks=%u"},
    {"vTaskPrioritySet", WFI_SV_PRIORITY, 201, "task=%t priority=%u"},
    {"vTaskSuspend", WFI_SV_HARMLESS, 202, "task=%t"},
    {"vTaskResume", WFI_SV_HARMLESS, 203, "task=%t"},
    {"vTaskSuspendAll", WFI_SV_SUSPEND_ALL, 207, ""},
    {"xTaskResumeAll", WFI_SV_RESUME_ALL, 208, "| Returns %u"},
    {"xTaskGetTickCount", WFI_SV_HARMLESS, 209, "| Returns %u"},
    {"xTaskGetTickCountFromISR", WFI_SV_HARMLESS, 210, "| Returns %u"},
    {"xTaskIncrementTick", WFI_SV_HARMLESS, 219, "| Returns %u"},
    {"vTaskPlaceOnEventList", WFI_SV_PLACE, 225, "list=%p ticks=%u"},
    {"vTaskPlaceOnUnorderedEventList", WFI_SV_PLACE_UNORDERED, 226, "list=%p value=%x ticks=%u"},
    {"vTaskPlaceOnEventListRestricted", WFI_SV_PLACE_RESTRICTED, 227,
     "list=%p ticks=%u forever=%u"},
    {"xTaskRemoveFromEventList", WFI_SV_WAKE, 228, "list=%p | Returns %u"},
    {"vTaskInternalSetTimeOutState", WFI_SV_HARMLESS, 231, "timeout=%p"},
    {"xTaskCheckForTimeOut", WFI_SV_HARMLESS, 232, "timeout=%p ticks=%p | Returns %u"},
    {"xTaskGetSchedulerState", WFI_SV_HARMLESS, 245, "| Returns %u"},
    {"xTaskPriorityInherit", WFI_SV_INHERIT, 246, "holder=%t | Returns %u"},
    {"xTaskPriorityDisinherit", WFI_SV_DISINHERIT, 247, "holder=%t | Returns %u"},
    {"vTaskPriorityDisinheritAfterTimeout", WFI_SV_HARMLESS, 248, "holder=%t priority=%u"},
    {"pvTaskIncrementMutexHeldCount", WFI_SV_HELD, 254, "| Returns %t"},
    {"ulTaskGenericNotifyTake", WFI_SV_NOTIFY_TAKE, 255, "index=%u clear=%u ticks=%u | Returns %u"},
    {"xTaskGenericNotifyWait", WFI_SV_NOTIFY_WAIT, 256,
     "index=%u entry=%x exit=%x value=%p ticks=%u | Returns %u"},
    {"xTaskGenericNotify", WFI_SV_HARMLESS, 257,
     "task=%t index=%u value=%u action=%u previous=%p | Returns %u"},
    {"vListInsert", WFI_SV_HARMLESS, 284, "list=%p item=%p"},
    {"uxListRemove", WFI_SV_LIST_REMOVE, 285, "item=%p | Returns %u"},
    {"vTaskDelayUntil", WFI_SV_DELAY, 0, NULL},
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

uint8_t wfi_sv_meaning(const char *name, size_t len) {
    for (unsigned i = 0; i < FUNCTIONS; ++i) {
        if (strlen(functions[i].name) == len && memcmp(functions[i].name, name, len) == 0)
            return functions[i].meaning;
    }
    return WFI_SV_NOTHING;
}

// Only once returns are recorded: other releases have other numbers.
void wfi_sv_freertos_describe(struct wfi_import *im) {
    char line[160];
    for (unsigned i = 0; i < FUNCTIONS; ++i) {
        if (!functions[i].id) continue;
        int n = snprintf(line, sizeof line, "%s %s", functions[i].name, functions[i].params);
        wfi_sv_describe_line(im, functions[i].id, line, (size_t)n);
    }
}

// ---- open calls

struct wfi_sv_open *wfi_sv_innermost(struct wfi_sv_calls *c) {
    return c->depth ? &c->at[c->depth - 1] : NULL;
}

static bool in_interrupt(const struct wfi_import *im) { return im->cores[im->core].irqs != 0; }

static struct wfi_sv_open *push_call(struct wfi_sv_calls *c, uint8_t meaning, uint64_t object) {
    for (unsigned i = 0; i < c->depth; ++i) { // a return that is missing
        if (c->at[i].meaning == meaning) c->depth = i;
    }
    if (c->depth == WFI_SV_CALLS) c->depth = 0;
    struct wfi_sv_open *o = &c->at[c->depth++];
    *o = (struct wfi_sv_open){.meaning = meaning, .object = object};
    return o;
}

static bool is_of_object(uint8_t meaning) {
    return meaning == WFI_SV_SEND || meaning == WFI_SV_SEND_ISR || meaning == WFI_SV_GIVE_ISR ||
           meaning == WFI_SV_RECEIVE || meaning == WFI_SV_RECEIVE_ISR || meaning == WFI_SV_TAKE;
}

// The open call of an object that these functions are called in; null: none.
static struct wfi_sv_open *find_call(struct wfi_sv_calls *c, uint8_t meaning) {
    for (unsigned i = c->depth; i; --i) {
        if (c->at[i - 1].meaning == meaning) return &c->at[i - 1];
    }
    return NULL;
}

// ---- entries

struct entry {
    const uint32_t *args;
    unsigned count;
    struct wfi_sv_calls *calls;
    struct wfi_sv_task *task; // null: an interrupt
};

static uint32_t arg(const struct entry *e, unsigned i) { return i < e->count ? e->args[i] : 0; }

static uint64_t arg_key(struct wfi_import *im, const struct entry *e, unsigned i) {
    return wfi_sv_key(wfi_sv_core(im), arg(e, i));
}

static bool arg_null(struct wfi_import *im, const struct entry *e, unsigned i) {
    return wfi_sv_address(wfi_sv_core(im), arg(e, i)) == 0;
}

static struct wfi_sv_open *enter_object(struct wfi_import *im, const struct entry *e,
                                        uint8_t meaning) {
    struct wfi_sv_open *c = push_call(e->calls, meaning, arg_key(im, e, 0));
    const struct wfi_sv_object *o = wfi_sv_object(im, c->object);
    if (o) c->operations = o->operations;
    return c;
}

static void enter_send(struct wfi_import *im, const struct entry *e, uint8_t meaning) {
    enum { OVERWRITE = 2 };
    struct wfi_sv_open *c = enter_object(im, e, meaning);
    c->null_item = arg_null(im, e, 1);
    c->infinite = meaning == WFI_SV_SEND && arg(e, 2) == FOR_EVER;
    c->overwrite = arg(e, 3) == OVERWRITE;
}

static void enter_create(struct entry *e, uint8_t meaning) {
    struct wfi_sv_open *c = push_call(e->calls, meaning, 0);
    c->with = arg(e, 0);
    c->operations = meaning == WFI_SV_CREATE ? arg(e, 2) : arg(e, 1);
    c->done = meaning == WFI_SV_CREATE && find_call(e->calls, WFI_SV_CREATE_COUNTING);
}

// A mutex that is created is given without having been taken.
static void give_mutex(struct wfi_import *im, const struct entry *e) {
    struct wfi_sv_open *c = find_call(e->calls, WFI_SV_SEND);
    if (c && !c->done && !arg_null(im, e, 0)) {
        c->held = true;
        wfi_sv_emit_done(im, c);
        struct wfi_sv_open *outer = find_call(e->calls, WFI_SV_GIVE_RECURSIVE);
        if (outer) outer->done = true;
    }
    push_call(e->calls, WFI_SV_DISINHERIT, arg_key(im, e, 0));
}

static void take_mutex(struct wfi_import *im, const struct entry *e) {
    struct wfi_sv_open *c = find_call(e->calls, WFI_SV_TAKE);
    if (!c || c->done) return;
    c->held = true;
    wfi_sv_emit_done(im, c);
    struct wfi_sv_open *outer = find_call(e->calls, WFI_SV_TAKE_RECURSIVE);
    if (outer) outer->done = true;
}

static void place(struct wfi_import *im, const struct entry *e, uint32_t ticks, bool of_object) {
    struct wfi_sv_open *c = wfi_sv_innermost(e->calls);
    wfi_sv(im)->lists = true;
    if (e->task) e->task->blocked = ticks == FOR_EVER;
    if (of_object && c && is_of_object(c->meaning)) wfi_sv_emit_wait(im, c);
}

static void remove_from_list(const struct entry *e) {
    const struct wfi_sv_open *c = wfi_sv_innermost(e->calls);
    if (!e->task) return;
    if (c && (c->meaning == WFI_SV_NOTIFY_TAKE || c->meaning == WFI_SV_NOTIFY_WAIT))
        e->task->blocked = c->infinite;
    else if (!c && !e->task->outside)
        e->task->doubtful = true;
}

static void set_priority(struct wfi_import *im, struct wfi_sv_task *t, int prio) {
    if (!t || prio == WF_PRIO_UNKNOWN || prio > INT16_MAX) return;
    t->prio = prio;
    WFI_IMPORT(im, task_priority, t->key, (uint64_t)prio);
}

static void enter_priority(struct wfi_import *im, const struct entry *e) {
    struct wfi_sv_task *t = arg_null(im, e, 0) ? e->task : wfi_sv_task(im, arg_key(im, e, 0));
    uint32_t prio = arg(e, 1);
    if (!t || prio > INT16_MAX) return;
    t->base = (int)prio;
    set_priority(im, t, (int)prio);
}

static void enter_delete(struct wfi_import *im, const struct entry *e) {
    if (!arg_null(im, e, 0))
        wfi_sv_delete_task(im, arg_key(im, e, 0));
    else if (e->task)
        wfi_sv_delete_task(im, e->task->key);
}

static void wake(struct wfi_import *im, const struct entry *e) {
    struct wfi_sv_open *c = wfi_sv_innermost(e->calls);
    if (c && is_of_object(c->meaning) && !c->done && !c->locked) wfi_sv_emit_done(im, c);
}

static void lock_call(const struct entry *e, bool locked) {
    struct wfi_sv_open *c = wfi_sv_innermost(e->calls);
    if (c) c->locked = locked;
}

// A function without a known meaning may change the queue that is its first argument.
static void forget_count(struct wfi_import *im, const struct entry *e) {
    const struct wfi_sv *v = wfi_sv(im);
    if (!e->count || !v->objects.keys.count) return;
    struct wfi_sv_object *o = wfi_sv_find_object(im, arg_key(im, e, 0));
    if (o) o->counted = false;
}

static void enter(struct wfi_import *im, struct entry *e, uint8_t meaning) {
    struct wfi_sv *v = wfi_sv(im);
    switch (meaning) {
    case WFI_SV_SEND:
    case WFI_SV_SEND_ISR: enter_send(im, e, meaning); break;
    case WFI_SV_GIVE_ISR: enter_object(im, e, meaning)->null_item = true; break;
    case WFI_SV_RECEIVE: enter_object(im, e, meaning)->infinite = arg(e, 2) == FOR_EVER; break;
    case WFI_SV_TAKE: enter_object(im, e, meaning)->infinite = arg(e, 1) == FOR_EVER; break;
    case WFI_SV_RECEIVE_ISR:
    case WFI_SV_TAKE_RECURSIVE:
    case WFI_SV_GIVE_RECURSIVE: enter_object(im, e, meaning); break;
    case WFI_SV_CREATE:
    case WFI_SV_CREATE_MUTEX:
    case WFI_SV_CREATE_COUNTING: enter_create(e, meaning); break;
    case WFI_SV_DELETE_QUEUE: wfi_sv_deleted(im, arg_key(im, e, 0)); break;
    case WFI_SV_DELAY: push_call(e->calls, meaning, 0); break;
    case WFI_SV_NOTIFY_TAKE:
        push_call(e->calls, meaning, 0)->infinite = arg(e, 2) == FOR_EVER;
        break;
    case WFI_SV_NOTIFY_WAIT:
        push_call(e->calls, meaning, 0)->infinite = arg(e, 4) == FOR_EVER;
        break;
    case WFI_SV_PRIORITY: enter_priority(im, e); break;
    case WFI_SV_INHERIT: {
        struct wfi_sv_open *c = find_call(e->calls, WFI_SV_TAKE);
        if (c) c->held = true;
        push_call(e->calls, meaning, arg_key(im, e, 0));
        break;
    }
    case WFI_SV_DISINHERIT: give_mutex(im, e); break;
    case WFI_SV_HELD: take_mutex(im, e); break;
    case WFI_SV_PLACE: place(im, e, arg(e, 1), true); break;
    case WFI_SV_PLACE_UNORDERED: place(im, e, arg(e, 2), false); break;
    case WFI_SV_PLACE_RESTRICTED: place(im, e, arg(e, 2) ? FOR_EVER : arg(e, 1), false); break;
    case WFI_SV_LIST_REMOVE:
        v->lists = true;
        remove_from_list(e);
        break;
    case WFI_SV_WAKE: wake(im, e); break;
    case WFI_SV_SUSPEND_ALL: lock_call(e, true); break;
    case WFI_SV_DELETE_TASK: enter_delete(im, e); break;
    case WFI_SV_NOTHING: forget_count(im, e); break;
    default: break;
    }
}

// The calls of the present task or interrupt. Returns false if it is not known.
static bool find_context(struct wfi_import *im, struct entry *e) {
    bool interrupt = in_interrupt(im);
    e->task = interrupt ? NULL : wfi_sv_running(im);
    e->calls = e->task ? &e->task->calls : interrupt ? &wfi_sv_core(im)->irq_calls : NULL;
    return e->calls != NULL;
}

void wfi_sv_enter(struct wfi_import *im, uint8_t meaning, const uint32_t *args, unsigned count) {
    const struct wfi_sv *v = wfi_sv(im);
    struct entry e = {.args = args, .count = count};
    if (meaning == WFI_SV_HARMLESS || !v->freertos || !find_context(im, &e)) return;
    if (v->v11) {
        enter(im, &e, meaning);
        return;
    }
    // Older ones record a call once, before or after its effect. Only a delay is sure to be before.
    e.calls->depth = 0;
    if (meaning == WFI_SV_DELAY) push_call(e.calls, meaning, 0);
}

// ---- returns

static void return_recursive(struct wfi_import *im, struct wfi_sv_open *c, uint32_t value) {
    if (value == 1 && !c->done) wfi_sv_emit_nested(im, c, c->meaning == WFI_SV_TAKE_RECURSIVE);
}

// A holder of a mutex that a more important task waits for.
static void inherit(struct wfi_import *im, const struct wfi_sv_open *c) {
    struct wfi_sv_task *holder = wfi_sv_task(im, c->object);
    const struct wfi_sv_task *waits = wfi_sv_running(im);
    if (!holder || !waits || holder->prio == WF_PRIO_UNKNOWN) return;
    if (waits->prio > holder->prio) set_priority(im, holder, waits->prio);
}

static void disinherit(struct wfi_import *im, const struct wfi_sv_open *c) {
    struct wfi_sv_task *holder = wfi_sv_task(im, c->object);
    if (holder && holder->prio != WF_PRIO_UNKNOWN && holder->prio != holder->base)
        set_priority(im, holder, holder->base);
}

static void finish(struct wfi_import *im, struct wfi_sv_open *c, bool has_value, uint32_t value) {
    switch (c->meaning) {
    case WFI_SV_CREATE:
    case WFI_SV_CREATE_COUNTING: {
        uint64_t key = wfi_sv_key(wfi_sv_core(im), value);
        if (has_value && wfi_sv_address(wfi_sv_core(im), value)) wfi_sv_created(im, c, key);
        break;
    }
    case WFI_SV_TAKE_RECURSIVE:
    case WFI_SV_GIVE_RECURSIVE: return_recursive(im, c, value); break;
    case WFI_SV_INHERIT:
        if (value == 1) inherit(im, c);
        break;
    case WFI_SV_DISINHERIT:
        if (value == 1) disinherit(im, c);
        break;
    default:
        if (!is_of_object(c->meaning) || c->done || !has_value) break;
        if (value == 1)
            wfi_sv_emit_done(im, c);
        else if (value == 0)
            wfi_sv_emit_failed(im, c);
    }
}

void wfi_sv_return(struct wfi_import *im, uint8_t meaning, bool has_value, uint32_t value) {
    struct entry e = {0};
    if (meaning <= WFI_SV_HARMLESS || !wfi_sv(im)->v11 || !find_context(im, &e)) return;
    if (meaning == WFI_SV_RESUME_ALL) {
        lock_call(&e, false);
        return;
    }
    struct wfi_sv_open *c = find_call(e.calls, meaning);
    if (c) {
        struct wfi_sv_open copy = *c;
        e.calls->depth = (unsigned)(c - e.calls->at);
        finish(im, &copy, has_value, value);
    }
    bool outermost = is_of_object(meaning) || meaning == WFI_SV_DELAY;
    if (e.task && !e.calls->depth && (c || outermost)) e.task->outside = true;
}

// ---- why a task leaves

unsigned wfi_sv_leave_reason(struct wfi_import *im, struct wfi_sv_task *t) {
    const struct wfi_sv *v = wfi_sv(im);
    if (t->leaving) return t->reason;
    if (!v->v11) return WF_REASON_unknown;
    if (!v->lists) { // the calls of lists are not recorded
        struct wfi_sv_open *c = wfi_sv_innermost(&t->calls);
        if (c && c->infinite) {
            if (is_of_object(c->meaning)) wfi_sv_emit_wait(im, c);
            return WF_REASON_blocked;
        }
        return t->outside ? WF_REASON_preempted : WF_REASON_unknown;
    }
    if (t->blocked) return WF_REASON_blocked;
    return t->seen && !t->doubtful ? WF_REASON_preempted : WF_REASON_unknown;
}
