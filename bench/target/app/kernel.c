// SPDX-License-Identifier: MIT
// Tasks, the tick, and the switch of tasks in PendSV.

#include "kernel.h"

#include <stddef.h>

#include "board.h"
#include "records.h"
#include "wf_irq_number.h"
#include "wf_port.h"

#define VTOR  (*(volatile uint32_t *)0xE000ED08u)
#define ICSR  (*(volatile uint32_t *)0xE000ED04u)
#define SHPR3 (*(volatile uint32_t *)0xE000ED20u)

enum { PENDSVSET = 1 << 28, PENDSV_LOWEST = 0xFF << 16 };
enum { XPSR_THUMB = 1 << 24, FRAME = 8, SAVED = 8 }; // words that the CPU and PendSV store

static struct task *tasks[KERNEL_TASKS];
static unsigned task_count;
static uint32_t tick_count;
static uint8_t irq_depth;

// What runs before the first task; it is never continued.
static uint32_t boot_stack[64];
static struct task boot = {.sp = boot_stack};
struct task *running = &boot; // PendSV's code accesses it by its name

uint32_t records_made[RECORD_COUNT];

uint32_t kernel_lock(void) { return wf_port_lock(); }

void kernel_unlock(uint32_t was) {
    wf_port_unlock(was);
    __asm__ volatile("isb" ::: "memory"); // a switch that is due takes place now
}

struct task *kernel_running(void) {
    return running;
}
uint32_t kernel_ticks(void) { return *(volatile uint32_t *)&tick_count; }
const struct task *kernel_task(unsigned i) { return i < task_count ? tasks[i] : NULL; }

// ---- tasks

static void ended(void) { board_end(98); } // no task ends

void task_create(struct task *task, const char *name, unsigned prio, void (*code)(void),
                 uint32_t *stack, unsigned words) {
    uint32_t *sp = stack + (words & ~1u) - FRAME;
    for (unsigned i = 0; i < FRAME; ++i) sp[i] = 0;
    sp[5] = (uint32_t)ended; // LR
    sp[6] = (uint32_t)code & ~1u;
    sp[7] = XPSR_THUMB;
    task->sp = sp - SAVED;
    task->name = name;
    task->prio = task->base = (uint8_t)prio;
    uint32_t was = kernel_lock();
    tasks[task_count++] = task;
    RECORD_TASK_CREATE(task, prio, name);
    RECORD_TASK_READY(task);
    kernel_unlock(was);
}

static struct task *best_ready(void) {
    struct task *best = NULL;
    for (unsigned i = 0; i < task_count; ++i) {
        struct task *t = tasks[i];
        if (t->state == TASK_READY && (!best || t->prio > best->prio)) best = t;
    }
    return best;
}

static void switch_later(void) { ICSR = PENDSVSET; }

// A task that runs is ready again before it has left: that is not a ready.
static void make_ready(struct task *t) {
    t->state = TASK_READY;
    t->object = NULL;
    if (t != running) RECORD_TASK_READY(t);
    if (t->prio > running->prio || t == running) switch_later();
}

void kernel_wait(const void *object, bool sends, bool timed, uint32_t until) {
    struct task *t = running;
    t->object = object;
    t->sends = sends;
    t->timed = timed;
    t->timed_out = false;
    t->wake = until;
    t->state = TASK_WAITS;
    switch_later();
    kernel_unlock(0);
    kernel_lock();
}

void kernel_wake(const void *object, bool sends) {
    struct task *best = NULL;
    for (unsigned i = 0; i < task_count; ++i) {
        struct task *t = tasks[i];
        if (t->state == TASK_WAITS && t->object == object && t->sends == sends &&
            (!best || t->prio > best->prio))
            best = t;
    }
    if (best) make_ready(best);
}

void task_delay_until(uint32_t *last, uint32_t period) {
    uint32_t was = kernel_lock();
    *last += period;
    if ((int32_t)(*last - tick_count) > 0) {
        running->wake = *last;
        running->timed = true;
        running->state = TASK_DELAYED;
        switch_later();
    }
    kernel_unlock(was);
}

// ---- interrupts

void kernel_irq_enter(void) {
    uint32_t was = kernel_lock();
    ++irq_depth;
    RECORD_IRQ_ENTER(WF_IRQ_NUMBER(), irq_depth);
    kernel_unlock(was);
}

void kernel_irq_exit(void) {
    uint32_t was = kernel_lock();
    RECORD_IRQ_EXIT(WF_IRQ_NUMBER(), irq_depth);
    --irq_depth;
    kernel_unlock(was);
}

// The tick: SysTick of the board.
void board_tick(void) {
    kernel_irq_enter();
    uint32_t was = kernel_lock();
    ++tick_count;
    for (unsigned i = 0; i < task_count; ++i) {
        struct task *t = tasks[i];
        if (t->state == TASK_READY || !t->timed || t->wake != tick_count) continue;
        t->timed_out = t->state == TASK_WAITS;
        make_ready(t);
    }
    kernel_unlock(was);
    kernel_irq_exit();
}

// ---- the switch

// Why a task leaves, from its state.
static unsigned why_left(const struct task *from, const struct task *next) {
    if (from == &boot) return WF_SWITCH_unknown;
    if (from->state == TASK_WAITS) return WF_SWITCH_blocked;
    if (from->state == TASK_DELAYED) return WF_SWITCH_delayed;
    return next->prio != from->prio ? WF_SWITCH_preempted : WF_SWITCH_yielded;
}

__attribute__((used)) static void choose(void) {
    uint32_t was = kernel_lock();
    struct task *from = running, *next = best_ready();
    if (next != from) {
        unsigned why = why_left(from, next);
        running = next;
        ++next->runs;
        RECORD_TASK_SWITCH(from == &boot ? NULL : from, next, why);
    }
    kernel_unlock(was);
}

// The CPU has stored r0-r3, r12, lr, pc and xPSR on the stack of the task.
__attribute__((naked)) static void pend_sv(void) {
    __asm__ volatile("mrs r0, psp\n\t"
                     "stmdb r0!, {r4-r11}\n\t"
                     "ldr r4, =running\n\t"
                     "ldr r1, [r4]\n\t"
                     "str r0, [r1]\n\t"
                     "mov r5, lr\n\t"
                     "bl choose\n\t"
                     "ldr r1, [r4]\n\t"
                     "ldr r0, [r1]\n\t"
                     "mov lr, r5\n\t"
                     "ldmia r0!, {r4-r11}\n\t"
                     "msr psp, r0\n\t"
                     "bx lr\n\t"
                     ".ltorg");
}

// The board's vectors with PendSV and the handlers of the chip.
enum { VECTORS = 64, VECTOR_PENDSV = 14 };
static uint32_t vectors[VECTORS] __attribute__((aligned(256)));

void kernel_vector(unsigned number, void (*handler)(void)) { vectors[number] = (uint32_t)handler; }

void kernel_start(void) {
    const volatile uint32_t *from = (const volatile uint32_t *)VTOR;
    kernel_lock();
    for (unsigned i = 0; i < 16; ++i) vectors[i] = from[i];
    vectors[VECTOR_PENDSV] = (uint32_t)pend_sv;
    VTOR = (uint32_t)vectors;
    board_tick_start(KERNEL_HZ);
    SHPR3 |= PENDSV_LOWEST;
    switch_later();
    // From here on this code has a stack of its own; interrupts keep the main one.
    __asm__ volatile("msr psp, %0\n\t"
                     "msr control, %1\n\t"
                     "isb\n\t"
                     "cpsie i\n\t"
                     "isb"
                     :
                     : "r"(boot_stack + 64), "r"(2)
                     : "memory");
    for (;;) continue;
}
