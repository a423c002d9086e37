// SPDX-License-Identifier: MIT
// Records from a task and from an interrupt that also records. It comes at a random time after the
// one before, and most records of the task reschedule it: it comes at a random place while a record
// is made or shortly after. Its places are counted, so that the test's coverage is known.
//
// The target checks the output here: every frame, every payload, every stamp, and every missing
// record. First with a task that sends eagerly, so that nothing may be lost; then with a ring so
// small that much is lost.

#include "aimed.h"
#include "receiver.h"
#include "say.h"
#include "wallfly/wallfly.h"
#include "wf_port.h"

#ifndef STRESS_RECORDS
#define STRESS_RECORDS 1000000 // in total, half of them in each part
#endif

enum { TASK = WF_USER, TICK = WF_USER + 1, KINDS = 4, BYTES_MAX = 12 };

int main(void);

static uint8_t ring[2048];
static struct wf_config config = {.ring = ring, .hz = WF_PORT_HZ};
static struct receiver receiver;
static uint32_t made[2], came[2], gaps[2], next[2]; // task and interrupt
static uint64_t time;

// Values around the two bytes that need escapes.
static uint8_t byte_of(uint32_t count, uint32_t i) { return (uint8_t)(0x7A + (count + i) % 8); }

// All ways to record; the count selects one.
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
    const uint8_t *more = payload + 6; // after format, number, format
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

static void task_record(void) {
    aim();
    recording = true;
    record(TASK, made[0]++);
    recording = false;
}

static void tick_record(void) { record(TICK, made[1]++); }

// Borrows a piece, keeps it while it is checked, and returns a part of it.
static void send_some(uint32_t *state, bool all) {
    const uint8_t *block;
    const uint32_t len = wf_get_block(&block, 1 + draw(state) % 200);
    const uint32_t sent = all ? len : draw(state) % (len + 1);
    receiver_take(&receiver, block, sent);
    wf_block_done(sent);
}

// The 64-bit time. Called more often than the clock wraps.
static uint64_t time_now(void) {
    time += (wf_stamp)(wf_port_now() - (wf_stamp)time);
    return time;
}

// Returns the number of records made.
static uint64_t run(const char *name, uint32_t size, bool eager) {
    struct wf_status status;
    uint32_t state = 1;
    receiver = (struct receiver){.record = take_record};
    for (unsigned i = 0; i < 2; ++i) made[i] = came[i] = gaps[i] = next[i] = 0;
    ticks.all = ticks.making = ticks.held_up = ticks.elsewhere = 0;
    config.ring_size = size;
    wf_start(&config);
    wf_filter(WF_GRP_ALL);
    time = 0;
    running = true;
    tick_after(NEXT_NS);
    // made[1] belongs to the interrupt; it is read in one access.
    while (made[0] + *(volatile uint32_t *)&made[1] < STRESS_RECORDS / 2 && !receiver.wrong) {
        time_now();
        if (eager) {
            wf_get_status(&status);
            if (status.used < size / 4) task_record();
            send_some(&state, true);
            continue;
        }
        for (uint32_t n = draw(&state) % 32; n; --n) task_record();
        for (uint32_t n = draw(&state) % 16; n; --n) send_some(&state, draw(&state) % 4 != 0);
    }
    running = false; // first: a pending interrupt would start the next one
    board_tick_start(0);
    const uint64_t before = time_now();
    task_record(); // so that a SYNC reports earlier refusals
    const uint64_t after = time_now();
    do {
        send_some(&state, true);
        wf_get_status(&status);
    } while (status.used);
    send_some(&state, true);
    for (unsigned i = 0; i < 2; ++i) gaps[i] += made[i] - next[i]; // after the last one received

    say(name);
    say("\n");
    say_figure("bytes of the ring:", size);
    say_figure("interrupts:", ticks.all);
    say_figure("of these while the recorder makes a record:", ticks.making);
    say_figure("of these held up by its lock:", ticks.held_up);
    say_figure("of the others elsewhere in the recorder:", ticks.elsewhere);
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
    // If a stamp went back, the recorder would count a wrap of the clock.
    say_check("the last stamp is the time, in full",
              receiver.time >= before && receiver.time <= after);
    say_check("the last record has the last number", receiver.number == status.count);
    // The rest is EMPTY, TARGET_INFO, and SYNCs.
    const uint64_t syncs = status.count - 2 - made[0] - made[1];
    say_check("what is missing of each context adds up to it",
              gaps[0] + gaps[1] + (syncs - receiver.syncs) == status.lost);
    say_check("many come while a record is made, before the lock and within",
              ticks.making >= ticks.all / 5 && ticks.held_up >= ticks.all / 50 &&
                  ticks.making - ticks.held_up >= ticks.all / 50);
    if (eager)
        say_check("nothing is lost", status.lost == 0 && receiver.bad == 0);
    else
        say_check("much is lost, and some is not",
                  status.lost > status.count / 10 && came[0] > 100 && came[1] > 100);
    return status.count;
}

int main(void) {
    board_start();
    uint64_t all = run("eager", sizeof ring, true);
    all += run("overflow", 500, false);
    say_figure("records in both:", all);
    board_end(say_failures != 0);
    return 0;
}
