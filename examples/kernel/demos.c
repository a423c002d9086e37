// SPDX-License-Identifier: MIT
// The three demonstrations: priorities, time slices, and a display shared by several tasks.

#include "demos.h"

#include <stddef.h>

#include "kernel.h"

static struct kernel_task tasks[4];

// ---- preemptive: the task of better priority runs as soon as its period begins

static void every(uint32_t ticks, uint32_t work_us) {
    for (uint32_t from = kernel_ticks();;) {
        kernel_work(work_us);
        kernel_delay_until(&from, ticks);
    }
}

static void sample(void) { every(3, 6000); }
static void control(void) { every(7, 23000); }
static void report(void) { every(20, 60000); }

static void preemptive(void) {
    kernel_create(&tasks[0], "sample", 17, sample);
    kernel_create(&tasks[1], "control", 18, control);
    kernel_create(&tasks[2], "report", 19, report);
}

// ---- round-robin: tasks of equal priority take turns, a tick of 10 ms each

static void red(void) { every(15, 34000); }
static void green(void) { every(15, 25000); }
static void blue(void) { every(15, 47000); }

static void round_robin(void) {
    kernel_create(&tasks[0], "red", 18, red);
    kernel_create(&tasks[1], "green", 18, green);
    kernel_create(&tasks[2], "blue", 18, blue);
}

// ---- mutex: three tasks draw on one display, a fourth one preempts them

static struct kernel_mutex display;

static void draw(uint32_t think_us, uint32_t draw_us, uint32_t limit) {
    kernel_work(think_us);
    if (!kernel_get(&display, limit)) return;
    kernel_work(draw_us);
    kernel_put(&display);
}

static void keys(void) { every(3, 2500); }

static void clock_task(void) {
    for (uint32_t from = kernel_ticks();; kernel_delay_until(&from, 5)) {
        draw(1000, 7000, KERNEL_FOR_EVER);
    }
}

// Skips a picture if it is late.
static void stopwatch(void) {
    for (uint32_t from = kernel_ticks();; kernel_delay_until(&from, 4)) draw(2000, 5000, 1);
}

static void thermometer(void) {
    for (uint32_t from = kernel_ticks();; kernel_delay_until(&from, 20)) {
        kernel_work(9000);
        kernel_get(&display, KERNEL_FOR_EVER);
        kernel_work(12000);
        draw(0, 17000, KERNEL_FOR_EVER); // a part of the picture; takes the mutex again
        kernel_put(&display);
    }
}

static void mutex(void) {
    kernel_mutex(&display, "display");
    kernel_create(&tasks[0], "keys", 16, keys);
    kernel_create(&tasks[1], "clock", 17, clock_task);
    kernel_create(&tasks[2], "stopwatch", 18, stopwatch);
    kernel_create(&tasks[3], "thermometer", 19, thermometer);
}

const struct demo demos[] = {
    {"preemptive", "three tasks of priorities 17, 18, 19 with periods of their own", preemptive},
    {"round-robin", "three tasks of one priority take turns of 10 ms", round_robin},
    {"mutex", "three tasks share a display, a fourth one preempts them", mutex},
    {NULL, NULL, NULL},
};
