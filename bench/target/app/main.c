// SPDX-License-Identifier: MIT
// An application to be traced: an interrupt gives samples to a task, which sends them through a
// queue to the next one; a controller, a filter and a logger share a mutex; the filter notifies the
// task that sends reports to the logger. The idle task sends the trace to a file of the host. After
// APP_TICKS ms it writes its own counts of the records to the UART.
//
// APP_BOX 1 (with WF_CFG_BOX=1): nothing is sent; the RAM is written to a file at the end.
// APP_SWITCHES 0: records of switches are filtered out.

#include "board.h"
#include "kernel.h"
#include "records.h"
#include "wf_port.h"
#include "wf_semihosting.h"

#ifndef APP_TICKS
#define APP_TICKS 1600
#endif
#ifndef APP_BOX
#define APP_BOX 0
#endif
#ifndef APP_SWITCHES
#define APP_SWITCHES 1
#endif
#ifndef APP_RING
#define APP_RING (APP_BOX ? 4096 : 16384)
#endif

enum { STACK = 256, SAMPLES = 8, REPORTS = 4, PIECE = 128 };

static uint8_t ring[APP_RING];
static const struct wf_config config = {.ring = ring,
                                        .ring_size = sizeof ring,
                                        .hz = WF_PORT_HZ,
                                        .build_id = 1,
                                        .hold = WF_PORT_HZ / 100};
static struct wf_semihosting file;

static struct task sampler, control, filter, reporter, logger, idle;
static struct queue samples, reports;
static struct mutex state;
static struct semaphore sampled;

// Runs for about this many microseconds (one instruction takes 64 ns in this emulation).
static void work(uint32_t us) {
    uint32_t n = us * 8 + 1;
    __asm__ volatile("1:\n\tsubs %0, %0, #1\n\tbne 1b" : "+r"(n) : : "cc");
}

// A number below `below`, other ones in each call.
static uint32_t random(uint32_t *seed, uint32_t below) {
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 16) % below;
}

// ---- the interrupt: CMSDK TIMER1. In one of 8 periods of 16 ms there are no samples.

#define TIMER1 ((volatile uint32_t *)0x40001000u)
enum { TIMER1_IRQ = 9, TIMER1_VECTOR = 16 + TIMER1_IRQ, TIMER1_CYCLES = 32749, IRQ_PRIO = 0x40 };
enum { TIMER_CTRL, TIMER_VALUE, TIMER_RELOAD, TIMER_CLEAR }; // words

static void timer1(void) {
    kernel_irq_enter();
    TIMER1[TIMER_CLEAR] = 1;
    if (kernel_ticks() & 0x70) semaphore_give_irq(&sampled);
    kernel_irq_exit();
}

static void timer1_start(void) {
    kernel_vector(TIMER1_VECTOR, timer1);
    *((volatile uint8_t *)0xE000E400u + TIMER1_IRQ) = IRQ_PRIO;
    *(volatile uint32_t *)0xE000E100u = 1u << TIMER1_IRQ;
    TIMER1[TIMER_RELOAD] = TIMER1[TIMER_VALUE] = TIMER1_CYCLES - 1;
    TIMER1[TIMER_CTRL] = 9; // on, with interrupt
}

// ---- the tasks

static void run_sampler(void) {
    uint32_t seed = 1;
    for (;;) {
        if (!semaphore_take(&sampled, KERNEL_FOREVER)) continue;
        work(8 + random(&seed, 8));
        (void)queue_send(&samples, seed, 0);
    }
}

static void run_control(void) {
    uint32_t last = 0, seed = 2;
    for (;;) {
        mutex_take(&state);
        work(15 + random(&seed, 30));
        mutex_give(&state);
        work(random(&seed, 20));
        task_delay_until(&last, 2);
    }
}

static void run_filter(void) {
    uint32_t seed = 3, sample, n = 0;
    for (;;) {
        if (!queue_receive(&samples, &sample, 10)) continue;
        work(20 + random(&seed, 40));
        ++n;
        if (n % 2 == 0) {
            mutex_take(&state);
            work(10 + random(&seed, 20));
            mutex_give(&state);
        }
        if (n % 8 == 0) task_notify(&reporter);
    }
}

static void run_reporter(void) {
    uint32_t seed = 4;
    for (;;) {
        uint32_t parts = task_notified(14) ? 6 : 1;
        while (parts--) {
            work(30 + random(&seed, 30));
            (void)queue_send(&reports, seed, 20);
        }
    }
}

static void run_logger(void) {
    uint32_t last = 0, seed = 5, report;
    for (;;) {
        while (queue_receive(&reports, &report, 3)) {
            mutex_take(&state);
            work(60 + random(&seed, 200));
            mutex_give(&state);
        }
        task_delay_until(&last, 5);
    }
}

// ---- sending, and the end

static void fail(void) { board_end(1); }

static void write_all(const uint8_t *bytes, uint32_t len) {
    if (wf_semihosting_transport.write(&file, bytes, len) != (int32_t)len) fail();
}

// Returns whether there was something to send.
static bool send_piece(void) {
    const uint8_t *block;
    const uint32_t len = APP_BOX ? 0 : wf_get_block(&block, PIECE);
    if (len) {
        write_all(block, len);
        wf_block_done(len);
    }
    return len != 0;
}

static void put(const char *text) {
    for (; *text; ++text) {
        while (!board_put((uint8_t)*text)) continue;
    }
}

static void put_row(const char *what, const char *name, uint32_t n) {
    char digits[11];
    unsigned at = sizeof digits;
    digits[--at] = 0;
    do {
        digits[--at] = (char)('0' + n % 10);
        n /= 10;
    } while (n);
    put(what);
    put(" ");
    put(name);
    put(" ");
    put(digits + at);
    put("\n");
}

static void finish(void) {
    extern const uint8_t data_start[], bss_end[];
    kernel_lock();
    wf_flush();
    while (send_piece()) continue;
    if (APP_BOX) write_all(data_start, (uint32_t)(bss_end - data_start));
    wf_semihosting_transport.close(&file);
#define X(kind) put_row("made", #kind, records_made[RECORD_##kind]);
    RECORD_KINDS(X)
#undef X
    const struct task *t;
    for (unsigned i = 0; (t = kernel_task(i)) != 0; ++i) put_row("runs", t->name, t->runs);
    board_end(0);
}

// It does not sleep: QEMU drops some ticks when the CPU waits for an interrupt under -icount.
static void run_idle(void) {
    for (;;) {
        if (kernel_ticks() >= APP_TICKS) finish();
        (void)send_piece();
    }
}

static void start(struct task *task, const char *name, unsigned prio, void (*code)(void)) {
    static uint32_t stacks[KERNEL_TASKS][STACK] __attribute__((aligned(8)));
    static unsigned n;
    task_create(task, name, prio, code, stacks[n++], STACK);
}

int main(void) {
    static uint32_t sample_items[SAMPLES], report_items[REPORTS];
    board_start();
    if (wf_semihosting_open(&file, APP_BOX ? "ram.bin" : "trace.bin") != 0) return 2;
    if (!wf_start(&config)) return 3;
#if APP_BOX
    static uint32_t names[100];
    if (!wf_names_start(names, sizeof names, WF_NAMES_NEVER)) return 4;
#endif
    wf_filter(WF_GRP_ALL);
    if (!APP_SWITCHES) wf_filter(-WF_ID_task_switch);
    WF_IRQ_NAME(15, "SysTick");
    WF_IRQ_NAME(TIMER1_VECTOR, "TIMER1");
    queue_create(&samples, "samples", sample_items, SAMPLES);
    queue_create(&reports, "reports", report_items, REPORTS);
    mutex_create(&state, "state");
    semaphore_create(&sampled, "sampled", 1);
    start(&sampler, "sampler", 5, run_sampler);
    start(&control, "control", 4, run_control);
    start(&filter, "filter", 3, run_filter);
    start(&reporter, "reporter", 2, run_reporter);
    start(&logger, "logger", 1, run_logger);
    start(&idle, "idle", 0, run_idle);
    timer1_start();
    kernel_start();
    return 5;
}
