// SPDX-License-Identifier: MIT
// Records from a task and from an interrupt that comes every few hundred instructions, at another
// place each time. What comes out is checked here, in the target: every frame, every
// payload, every stamp, and every record that is missing. First with a task that sends eagerly, so
// that nothing may be lost; then with a ring so small that much is.

#include "board.h"
#include "receiver.h"
#include "say.h"
#include "wallfly/wallfly.h"
#include "wf_port.h"

#ifndef STRESS_RECORDS
#define STRESS_RECORDS 5000000 // of each part
#endif
// The interrupt's rate varies between these. At 15.6 million instructions a second (-icount
// shift=6) it comes 200 to 400 instructions after the one before.
#ifndef STRESS_HZ_LEAST
#define STRESS_HZ_LEAST 39063
#define STRESS_HZ_MOST  78125
#endif

enum { TASK = WF_USER, TICK = WF_USER + 1, KINDS = 4, BYTES_MAX = 12 };

int main(void);

static uint8_t ring[2048];
static struct wf_config config = {.ring = ring, .hz = WF_PORT_HZ};
static struct receiver receiver;
static uint32_t made[2], came[2], gaps[2], next[2]; // of the task and of the interrupt
static volatile uint32_t ticks;
static volatile bool running; // else the interrupt does nothing, and is not started again
static volatile bool greedy;  // the interrupt records every other time, else one in four

// Each context draws its own numbers.
static uint32_t draw(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

// Bytes about the two that are escaped.
static uint8_t byte_of(uint32_t count, uint32_t i) { return (uint8_t)(0x7A + (count + i) % 8); }

// All ways to record; the count says what it is.
static void record(uint8_t id, uint32_t count) {
    uint8_t bytes[BYTES_MAX];
    const uint8_t len = (uint8_t)(count / KINDS % (BYTES_MAX + 1));
    switch (count % KINDS) {
    case 0: WF_RECORD(id, 0, WF_U32(0, count)); break;
    case 1:
        WF_BEGIN(id, 0);
        wf_u32(0, count);
        wf_u8(0, 0x7E);
        WF_END();
        break;
    case 2: WF_RECORD(id, 0, WF_U32(0, count), WF_U16(0, (uint16_t)~count)); break;
    default:
        for (uint32_t i = 0; i < len; ++i) bytes[i] = byte_of(count, i);
        WF_RECORD(id, 0, WF_U32(0, count), WF_MEM(bytes, len));
    }
}

static bool is_right(const uint8_t *payload, uint32_t len, uint32_t count) {
    const uint8_t *more = payload + 6; // behind format, number, format
    const uint32_t bytes = count / KINDS % (BYTES_MAX + 1);
    switch (count % KINDS) {
    case 0: return len == 5;
    case 1: return len == 7 && more[0] == 0x7E;
    case 2: return len == 8 && more[0] == (uint8_t)~count && more[1] == (uint8_t)(~count >> 8);
    default:
        if (len != 7 + bytes || more[0] != bytes) return false;
        for (uint32_t i = 0; i < bytes; ++i) {
            if (more[1 + i] != byte_of(count, i)) return false;
        }
        return true;
    }
}

static void take_record(uint8_t id, const uint8_t *payload, uint32_t len) {
    const unsigned who = id - TASK;
    const uint32_t count = len < 5 ? 0 : (uint32_t)receiver_number(payload + 1, 4);
    if (who > 1 || len < 5 || !is_right(payload, len, count))
        receiver_fail(&receiver, "a record is not one that was made");
    else if (count < next[who] || count >= made[who])
        receiver_fail(&receiver, "records of one context are out of order");
    else
        gaps[who] += count - next[who];
    next[who] = count + 1;
    ++came[who];
}

void board_tick(void) {
    static uint32_t state;
    const uint32_t random = draw(&state);
    board_tick_start(0); // else the next may be pending before this one is done
    if (!running) return;
    ++ticks;
    if (random % 4 == 0 || (greedy && random % 2 == 0)) record(TICK, made[1]++);
    // From here on, so that the task always gets on.
    board_tick_start(STRESS_HZ_LEAST + random * ((STRESS_HZ_MOST - STRESS_HZ_LEAST) >> 8) / 256);
}

// Borrows a piece, holds on to it while it is checked, and gives a part of it back.
static void send_some(uint32_t *state, bool all) {
    const uint8_t *block;
    const uint32_t len = wf_get_block(&block, 1 + draw(state) % 200);
    const uint32_t sent = all ? len : draw(state) % (len + 1);
    receiver_take(&receiver, block, sent);
    wf_block_done(sent);
}

static void run(const char *name, uint32_t size, bool eager) {
    struct wf_status status;
    uint32_t state = 1;
    receiver = (struct receiver){.record = take_record};
    for (unsigned i = 0; i < 2; ++i) made[i] = came[i] = gaps[i] = next[i] = 0;
    ticks = 0;
    greedy = !eager;
    config.ring_size = size;
    wf_start(&config);
    wf_filter(WF_GRP_ALL);
    running = true;
    board_tick_start(STRESS_HZ_LEAST);
    // made[1] is the interrupt's, and is read in one piece.
    while (made[0] + *(volatile uint32_t *)&made[1] < STRESS_RECORDS && !receiver.wrong) {
        if (eager) {
            wf_get_status(&status);
            if (status.used < size / 4) record(TASK, made[0]++);
            send_some(&state, true);
            continue;
        }
        for (uint32_t n = draw(&state) % 32; n; --n) record(TASK, made[0]++);
        for (uint32_t n = draw(&state) % 16; n; --n) send_some(&state, draw(&state) % 4 != 0);
    }
    running = false; // first: one may be pending, and would start the next
    board_tick_start(0);
    record(TASK, made[0]++); // so that what was refused before is told
    do {
        send_some(&state, true);
        wf_get_status(&status);
    } while (status.used);
    send_some(&state, true);
    for (unsigned i = 0; i < 2; ++i) gaps[i] += made[i] - next[i]; // behind the last that came

    say(name);
    say("\n");
    say_figure("bytes of the ring:", size);
    say_figure("interrupts:", ticks);
    say_figure("records of the task:", made[0]);
    say_figure("records of the interrupt:", made[1]);
    say_figure("records in all, with SYNCs:", status.count);
    say_figure("lost:", status.lost);
    say_figure("of these refused:", receiver.refused);
    say_figure("holes:", receiver.holes);
    say_figure("frames cut:", receiver.bad);
    say_figure("seconds by the stamps:", receiver.time / WF_PORT_HZ);
    say_check("nothing is wrong with any frame", !receiver.wrong);
    if (receiver.wrong) {
        say("     ");
        say(receiver.wrong);
        say("\n");
    }
    const uint64_t sum = receiver.good - receiver.holes + status.lost;
    say_check("received + lost + refused = made", sum == status.count);
    say_check("what the SYNCs say is missing is what is lost", receiver.missing == status.lost);
    say_check("the last record has the last number", receiver.number == status.count);
    // EMPTY, TARGET_INFO, and the SYNCs made are the rest.
    const uint64_t syncs = status.count - 2 - made[0] - made[1];
    say_check("what is missing of each context adds up to it",
              gaps[0] + gaps[1] + (syncs - receiver.syncs) == status.lost);
    if (eager)
        say_check("nothing is lost", status.lost == 0 && receiver.bad == 0);
    else
        say_check("much is lost, and some is not",
                  status.lost > status.count / 10 && came[0] > 100 && came[1] > 100);
}

int main(void) {
    board_start();
    run("eager", sizeof ring, true);
    run("overflow", 500, false);
    board_end(say_failures != 0);
    return 0;
}
