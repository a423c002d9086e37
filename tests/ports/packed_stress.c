// SPDX-License-Identifier: MIT
// Packed frames with a task and an interrupt that also records, aimed at the task's events: both
// add events to the same frame. The stream goes over the UART; packed_check.c checks it on the
// host. First the task sends eagerly, so that nothing may be lost; then it sends so little that
// much is lost, and some records are too long.

#include "aimed.h"
#include "packed_stress.h"
#include "wallfly/wf_rtos.h"
#include "wf_port.h"

#ifndef STRESS_RECORDS
#define STRESS_RECORDS 1000000 // in total, half of them in each part
#endif

int main(void);

static uint8_t ring[2048];
static uint32_t part, made[2]; // of the task and of the interrupt
static uint64_t time;
static char text[STRESS_TOO_LONG];

static void *address(uint32_t number) { return (void *)(uintptr_t)number; }

static void record_steps(uint8_t id, uint32_t n) {
    WF_BEGIN(id, 0);
    wf_u32(0, n);
    wf_u8(0, 0x7E);
    WF_END();
}

static void record_bytes(uint8_t id, uint32_t n) {
    uint8_t bytes[STRESS_BYTES_MAX];
    const unsigned len = stress_len(n);
    for (unsigned i = 0; i < len; ++i) bytes[i] = stress_byte(n, i);
    WF_RECORD(id, 0, WF_U32(0, n), WF_MEM(bytes, (uint8_t)len));
}

static void record_too_long(uint8_t id, uint32_t n) {
    WF_BEGIN(id, 0);
    wf_u32(0, n);
    if (stress_round(n) / 256 % 2)
        wf_str(text);
    else
        for (unsigned i = 0; i < STRESS_TOO_LONG; i += 255) wf_mem(ring, 255);
    for (unsigned i = 0; i < 40; ++i) wf_u32(0, n);
    WF_END();
}

static void record(unsigned who, uint32_t n) {
    const uint8_t id = (uint8_t)(STRESS_RECORD + who);
    void *const actor = address(stress_actor(who, n));
    switch (stress_kind(n)) {
    case STRESS_WORD: WF_RECORD(id, 0, WF_U32(0, n)); break;
    case STRESS_SWITCH:
        if (who)
            WF_IRQ_ENTER(stress_irq(n), stress_nest(n));
        else
            WF_TASK_SWITCH(NULL, address(stress_task(n)), stress_reason(n));
        break;
    case STRESS_MUTEX:
        if (who)
            WF_IRQ_EXIT(stress_irq(n), stress_nest(n));
        else
            WF_REC(mutex_take, 0, address(stress_mutex(n)), actor, stress_nest(n));
        break;
    case STRESS_STEPS: record_steps(id, n); break;
    case STRESS_QUEUE: WF_REC(queue_send, 0, address(stress_mutex(n)), actor, n); break;
    case STRESS_BYTES:
        if (stress_too_long(part, n))
            record_too_long(id, n);
        else
            record_bytes(id, n);
        break;
    case STRESS_SEMA: WF_REC(sema_take, 0, address(stress_sema(n)), actor, n); break;
    default: WF_RECORD(id, 0, WF_U32(0, n), WF_U16(0, (uint16_t)~n));
    }
}

// The 64-bit time. Called more often than the clock wraps.
static uint64_t time_now(void) {
    time += (wf_stamp)(wf_port_now() - (wf_stamp)time);
    return time;
}

static void task_record(void) {
    time_now();
    aim();
    recording = true;
    record(0, made[0]++);
    recording = false;
}

static void tick_record(void) { record(1, made[1]++); }

// Borrows a piece, and sends and returns a part of it. Returns how many bytes.
static uint32_t send_some(uint32_t *state, bool all) {
    const uint8_t *block;
    const uint32_t len = wf_get_block(&block, 1 + draw(state) % 200);
    const uint32_t sent = all ? len : draw(state) % (len + 1);
    for (uint32_t i = 0; i < sent; time_now()) i += board_put(block[i]); // the UART is slow
    wf_block_done(sent);
    return sent;
}

static void send_all(uint32_t *state) {
    struct wf_status status;
    do {
        wf_flush();
        send_some(state, true);
        wf_get_status(&status);
    } while (status.used);
    while (send_some(state, true)) continue;
}

static void put_mark(void) {
    struct wf_status status;
    wf_get_status(&status);
    const uint64_t now = time_now();
    const uint32_t words[MARK_WORDS] = {part,
                                        made[0],
                                        made[1],
                                        ticks.all,
                                        ticks.making,
                                        ticks.held_up,
                                        (uint32_t)now,
                                        (uint32_t)(now >> 32),
                                        (uint32_t)status.count};
    WF_BEGIN(STRESS_MARK, 0);
    for (unsigned i = 0; i < MARK_WORDS; ++i) wf_u32(0, words[i]);
    WF_END();
}

static void run(uint32_t number, const struct wf_config *config) {
    struct wf_status status;
    uint32_t state = 1;
    part = number;
    ticks.all = ticks.making = ticks.held_up = ticks.elsewhere = 0;
    made[0] = made[1] = 0;
    wf_start(config);
    send_all(&state); // so that the host sees the start
    wf_filter(WF_GRP_ALL);
    time = 0;
    running = true;
    tick_after(NEXT_NS);
    // made[1] belongs to the interrupt; it is read in one access.
    while (made[0] + *(volatile uint32_t *)&made[1] < STRESS_RECORDS / 2) {
        if (part != MARK_LOST_PART) {
            wf_get_status(&status);
            if (status.used < config->ring_size / 4) task_record();
            send_some(&state, true);
            continue;
        }
        for (uint32_t n = draw(&state) % 64; n; --n) task_record();
        for (uint32_t n = draw(&state) % 24; n; --n) send_some(&state, draw(&state) % 4 != 0);
        if (draw(&state) % 64 == 0) wf_flush();
        if (draw(&state) % 512 == 0) wf_announce_numbers();
    }
    running = false; // first: a pending interrupt would start the next one
    board_tick_start(0);
    put_mark(); // at once: a recorder sees no wrap of the clock without a record
    send_all(&state);
}

int main(void) {
    static const struct wf_config eager = {
        .ring = ring, .ring_size = sizeof ring, .hz = WF_PORT_HZ, .hold = WF_PORT_HZ / 500};
    static const struct wf_config lossy = {
        .ring = ring, .ring_size = 700, .hz = WF_PORT_HZ, .hold = WF_PORT_HZ / 2000};
    board_start();
    for (unsigned i = 0; i + 1 < sizeof text; ++i) text[i] = 'x';
    run(1, &eager);
    run(MARK_LOST_PART, &lossy);
    board_end(0);
    return 0;
}
