// SPDX-License-Identifier: MIT
// The slot recorder with a task and an interrupt that also records, aimed at the task's events. The
// slots go over the UART unchanged; slots_check.c checks them on the host. First the task sends
// eagerly, so that nothing may be lost; then it sends so little that much is lost. With STRESS_KEEP
// the oldest are kept.

#include "aimed.h"
#include "slots_stress.h"
#include "wf_port.h"

#ifndef STRESS_RECORDS
#define STRESS_RECORDS 1000000 // in total, half of them in each part
#endif
#ifndef STRESS_KEEP
#define STRESS_KEEP 0
#endif

enum { SLOTS = 4 * WF_CFG_CHUNK, PIECE = 16 };

int main(void);

static uint8_t memory[WF_SLOTS_SIZE(1, SLOTS)] __attribute__((aligned(64)));
static struct wf_slots_reader reader;
static uint32_t made[2]; // of the task and of the interrupt
static uint64_t time;

static void record(unsigned who, uint32_t count) {
    uint32_t words[STRESS_WORDS];
    uint8_t bytes[STRESS_BYTES];
    switch (stress_kind(count)) {
    case 0:
        wf_slot_event(WF_SLOT_CLASS_USER, STRESS_EVENT + who, count, stress_word(count, 1));
        break;
    case 1:
        for (unsigned i = 0; i < STRESS_WORDS; ++i) words[i] = stress_word(count, i);
        wf_slot_words(WF_SLOT_CLASS_USER, STRESS_EVENT + who, words, stress_count_of(count));
        break;
    case 2: WF_RECORD(STRESS_RECORD + who, 0, WF_U32(0, count)); break;
    default:
        for (unsigned i = 0; i < stress_len(count); ++i) bytes[i] = stress_byte(count, i);
        WF_RECORD(STRESS_RECORD + who, 0, WF_U32(0, count), WF_MEM(bytes, stress_len(count)));
    }
}

static void task_record(void) {
    aim();
    recording = true;
    record(0, made[0]++);
    recording = false;
}

static void tick_record(void) { record(1, made[1]++); }

static void send(const void *from, unsigned len) {
    const uint8_t *bytes = from;
    while (len) {
        if (!board_put(*bytes)) continue;
        ++bytes;
        --len;
    }
}

// Returns the number of slots.
static unsigned send_some(bool end) {
    struct wf_slot slots[PIECE];
    unsigned n = wf_slots_read(&reader, 0, slots, PIECE, end);
    send(slots, n * sizeof *slots);
    return n;
}

static bool is_filling(void) {
    struct wf_slots_status status;
    wf_slots_get_status(0, &status);
    return status.slots - reader.at > SLOTS / 4;
}

// The 64-bit time. Called more often than the clock wraps.
static uint64_t time_now(void) {
    time += (wf_stamp)(wf_port_now() - (wf_stamp)time);
    return time;
}

static void run(uint32_t part, uint32_t events, bool eager) {
    uint32_t state = 1, words[MARK_WORDS] = {part};
    running = true;
    tick_after(NEXT_NS);
    // made[1] belongs to the interrupt; it is read in one access.
    while (made[0] + *(volatile uint32_t *)&made[1] < events) {
        time_now();
        if (eager) {
            if (!is_filling()) task_record();
            send_some(false);
            continue;
        }
        for (uint32_t n = draw(&state) % 512; n; --n) task_record();
        for (uint32_t n = draw(&state) % 8; n; --n) send_some(false);
    }
    running = false; // first: a pending interrupt would start the next one
    board_tick_start(0);
    while (send_some(false)) continue; // so that the mark fits
    for (unsigned i = 0; i < 2; ++i) words[MARK_MADE + i] = made[i];
    words[MARK_TICKS] = ticks.all;
    words[MARK_MAKING] = ticks.making;
    words[MARK_HELD] = ticks.held_up;
    words[MARK_LOW] = (uint32_t)time_now();
    words[MARK_HIGH] = (uint32_t)(time >> 32);
    wf_slot_words(WF_SLOT_CLASS_USER, STRESS_MARK, words, MARK_WORDS);
    while (send_some(false)) continue;
}

int main(void) {
    static const struct wf_slots_config config = {memory,      sizeof memory, 1, SLOTS,
                                                  STRESS_KEEP, WF_PORT_HZ,    0};
    static char header[WF_SLOTS_HEADER_MAX];
    board_start();
    if (!wf_slots_start(&config)) board_end(2);
    wf_filter(WF_GRP_ALL);
    time = wf_port_now();
    send(header, wf_slots_header(header));
    run(1, STRESS_RECORDS / 2, true);
    run(2, STRESS_RECORDS, false);
    while (send_some(true)) continue;
    board_end(0);
    return 0;
}
