// SPDX-License-Identifier: MIT
// Cycles per record on an ATmega2560, by Timer1 at the CPU's clock. Prints "name,cycles": the
// median of an odd number of records, less what the same measures around nothing. The ring is
// emptied before each, but for those named full, where each record pushes out the oldest (the mean
// of many, SYNCs included). With BENCH_LOCKED it is the time with interrupts off.

#include "../../../examples/boards/board.h"

#include <avr/interrupt.h>
#include <avr/io.h>

#include "wallfly/wallfly.h"
#include "wf_port.h"

enum { TIMES = 63, FULL_TIMES = 512 };

volatile wf_stamp bench_clock;
volatile uint16_t bench_locked_at, bench_unlocked_at;

static uint8_t ring[1024];
static volatile uint8_t level = 3;
static volatile uint32_t value = 0x12345678;

void board_tick(void) {}

static void nothing(void) {
#ifdef BENCH_LOCKED
    wf_port_unlock(wf_port_lock());
#endif
}
static void filtered(void) { WF_REC(active_get, 0, 5, ring, 1, 1, level); }
static void sched_next(void) { WF_REC(sched_next, 1, level, 2); }
static void recall_attempt(void) { WF_REC(active_recall_attempt, 1, ring, ring + 64); }
static void post(void) { WF_REC(active_post, 1, ring, 5, ring + 64, 1, 1, level, 2); }
static void app(void) { WF_RECORD(WF_USER, 0, WF_U32(0, value), WF_STR("eightchr")); }
static void sched_idle(void) { WF_REC(sched_idle, 1, level); }

static uint16_t once(void (*record)(void)) {
    bench_clock += 1000;
    uint16_t start = TCNT1;
    record();
    uint16_t stop = TCNT1;
#ifdef BENCH_LOCKED
    start = bench_locked_at;
    stop = bench_unlocked_at;
#endif
    return (uint16_t)(stop - start);
}

static uint16_t median(void (*record)(void)) {
    static uint16_t took[TIMES];
    for (uint8_t n = 0; n < TIMES; ++n) {
        while (wf_get_byte() >= 0) continue;
        uint16_t cycles = once(record);
        uint8_t at = n;
        for (; at && took[at - 1] > cycles; --at) took[at] = took[at - 1];
        took[at] = cycles;
    }
    return took[TIMES / 2];
}

static uint16_t mean_full(void (*record)(void)) {
    uint32_t all = 0;
    for (uint16_t n = 0; n < FULL_TIMES; ++n) once(record);
    for (uint16_t n = 0; n < FULL_TIMES; ++n) all += once(record);
    return (uint16_t)(all / FULL_TIMES);
}

static void put(const char *text) {
    for (; *text; ++text) {
        while (!board_put((uint8_t)*text)) continue;
    }
}

static void print(const char *name, uint16_t cycles) {
    char digits[6];
    uint8_t at = sizeof digits;
    digits[--at] = 0;
    do {
        digits[--at] = (char)('0' + cycles % 10);
        cycles /= 10;
    } while (cycles);
    put(name);
    put(",");
    put(digits + at);
    put("\n");
}

#ifdef BENCH_LOCKED
enum { LOCKED = 1 };
#define NAME(text) "avr-" text "-locked"
#else
enum { LOCKED = 0 };
#define NAME(text) "avr-" text
#endif

int main(void) {
    static const struct wf_config config = {.ring = ring, .ring_size = sizeof ring, .hz = 16000000};
    board_start();
    TCCR1A = 0;
    TCCR1B = 1;
    wf_start(&config);
    wf_filter(WF_GRP_ALL);
    uint16_t empty = median(nothing);
    wf_filter(-WF_ID_active_get);
    if (!LOCKED) print(NAME("filtered"), (uint16_t)(median(filtered) - empty));
    print(NAME("sched_idle"), (uint16_t)(median(sched_idle) - empty));
    print(NAME("sched_next"), (uint16_t)(median(sched_next) - empty));
    print(NAME("recall_attempt"), (uint16_t)(median(recall_attempt) - empty));
    print(NAME("post"), (uint16_t)(median(post) - empty));
    print(NAME("app"), (uint16_t)(median(app) - empty));
    print(NAME("sched_next-full"), (uint16_t)(mean_full(sched_next) - empty));
    board_end(0);
}
