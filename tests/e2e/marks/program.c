// SPDX-License-Identifier: MIT
// A program that names its interrupts, records marks of its stacks and heaps, then makes more
// records than its ring holds; then it drains the ring for two seconds. With an argument it drains
// from the beginning on. The bytes go to standard output. Frames, or slots with WF_CFG_SLOTS.

#include "../recorder.h"
#include "wallfly/wf_rtos.h"

enum { TIM2 = 28, USART1 = 37, NAMELESS = 11, TASKS = 2 };

static uint32_t table[256];
static int tasks[TASKS], heap, pool;

static void announce(void) {
    static const char *const names[TASKS] = {"control", "logger"};
    for (unsigned i = 0; i < TASKS; ++i) WF_TASK_CREATE(&tasks[i], (int)i + 1, names[i]);
    WF_IRQ_NAME(TIM2, "TIM1");
    WF_IRQ_NAME(TIM2, "TIM2"); // the later name is used
    WF_IRQ_NAME(USART1, "USART \"1\"");
}

static void interrupt(unsigned irq) {
    fake_clock += 20;
    WF_IRQ_ENTER(irq, 1);
    fake_clock += 10;
    WF_IRQ_EXIT(irq, 1);
}

static void run(unsigned rounds) {
    for (unsigned i = 1; i <= rounds; ++i) {
        fake_clock += 100;
        WF_TASK_SWITCH(&tasks[(i - 1) % TASKS], &tasks[i % TASKS], WF_SWITCH_yielded);
        interrupt(TIM2);
        if (i % 2 == 0) interrupt(USART1);
        if (i % 5 == 0) interrupt(NAMELESS);
    }
}

static void create_heaps(void) {
    WF_OBJECT_N(heap_create, &heap, 8192);
    WF_NAME(&heap, "heap");
    WF_NAME(&pool, "pool");
}

// Marks as from a drain task: a stack whose free space goes to zero, one of unknown size; heaps.
static void mark(unsigned round) {
    WF_TASK_STACK(&tasks[0], round < 4 ? 400 - 100 * round : 0, 1024);
    WF_TASK_STACK(&tasks[1], 96, 0);
    WF_HEAP_LOW(&heap, 5000 - round);
    WF_HEAP_LOW(&pool, 0);
}

int main(int argc, char **argv) {
    (void)argv;
    start();
    write_header();
    if (!wf_names_start(table, sizeof table, 0)) return 3;
    wf_filter(WF_GRP_ALL);
    announce();
    if (argc > 1) read_some(false);
    run(2000);
    for (unsigned i = 0; argc > 1 && i < 10; ++i) {
        if (i == 0) create_heaps();
        fake_clock += 1000;
        mark(i);
        read_some(i == 9);
    }
    if (argc > 1) return 0;
    wf_names_tell();
    for (unsigned ms = 0; ms < 2000; ++ms) {
        read_some(false);
        if (ms == 50) create_heaps();
        if (ms % 200 == 100) mark(ms / 200);
        run(ms % 10 ? 0 : 5);
        fake_clock += 500;
    }
    read_some(true);
    return 0;
}
