// SPDX-License-Identifier: MIT
// A low-priority reader is preempted while it holds a byte, and the program continues: its work
// beside an interrupt is counted, untraced and traced with a ring that is always full. The recorder
// must not slow it down, and must keep the newest records.

#include "board.h"
#include "receiver.h"
#include "say.h"
#include "wallfly/wallfly.h"
#include "wf_port.h"

enum { TICKS = 2000, TICK_HZ = 1000, RECORDS = 1, RING = 16384 };

int main(void);

static uint8_t ring[RING];
static struct wf_config config = {.ring = ring, .ring_size = sizeof ring, .hz = WF_PORT_HZ};
static struct receiver receiver;
static volatile uint32_t ticks;
static uint32_t made, next, came;

// The higher-priority code: it records.
void board_tick(void) {
    for (unsigned i = 0; i < RECORDS; ++i) {
        WF_RECORD(WF_USER, 0, WF_U32(0, made));
        ++made;
    }
    ++ticks;
}

static void take_record(uint8_t id, const uint8_t *payload, uint32_t len) {
    const uint32_t count = len == 5 ? (uint32_t)receiver_number(payload + 1, 4) : 0;
    if (id != WF_USER || len != 5 || count < next || count >= made)
        receiver_fail(&receiver, "a record is not one that was made");
    next = count + 1;
    ++came;
}

// Returns the number of loop rounds in TICKS.
static uint32_t work(void) {
    uint32_t rounds = 0;
    const uint32_t from = ticks;
    while (ticks == from) continue;
    for (const uint32_t first = ticks; ticks - first < TICKS;) ++rounds;
    return rounds;
}

static bool within_5_percent(uint32_t traced, uint32_t untraced) {
    return traced <= untraced && untraced - traced <= untraced / 20;
}

static void drain(void) {
    const uint8_t *block;
    for (uint32_t len; (len = wf_get_block(&block, 100)) != 0;) {
        receiver_take(&receiver, block, len);
        wf_block_done(len);
    }
}

// Measures with `held` bytes on loan, by byte or by block.
static void run(const char *name, uint32_t untraced, uint32_t held) {
    struct wf_status before, status;
    const uint8_t *block = NULL;
    receiver = (struct receiver){.record = take_record};
    made = next = came = 0;
    wf_start(&config);
    wf_filter(WF_GRP_ALL);
    while (made < 10) board_tick();
    uint32_t lent = held ? wf_get_block(&block, held) : 0; // before the first loss
    const uint8_t first = lent ? *block : 0;
    while (made < RING / 4) board_tick(); // the ring is full
    wf_get_status(&before);
    board_tick_start(TICK_HZ);
    const uint32_t rounds = work();
    board_tick_start(0);
    wf_get_status(&status);
    say(name);
    say("\n");
    say_figure("rounds untraced:", untraced);
    say_figure("rounds traced:", rounds);
    say_figure("lost meanwhile:", status.lost - before.lost);
    say_check("the program gets on as it does untraced", within_5_percent(rounds, untraced));
    say_check("the ring is full all the time", status.lost - before.lost > TICKS * 9 / 10);
    say_check("what is lent stays as it was", !lent == !held && (!lent || *block == first));
    if (lent) receiver_take(&receiver, block, lent);
    wf_block_done(lent);
    drain();
    wf_get_status(&status);
    say_figure("records that came:", came);
    say_check("nothing is wrong with any frame", !receiver.wrong && receiver.bad == 0);
    if (receiver.wrong) say(receiver.wrong);
    say_check("the newest record is there", next == made);
    say_check("what came is what the ring holds", came > RING / 20);
    say_check("what the SYNCs say is missing is what is lost", receiver.missing == status.lost);
}

int main(void) {
    board_start();
    wf_start(&config); // all records off
    board_tick_start(TICK_HZ);
    const uint32_t untraced = work();
    board_tick_start(0);
    run("nothing on loan", untraced, 0);
    run("a byte on loan", untraced, 1);
    run("a block on loan", untraced, 100);
    board_end(say_failures != 0);
    return 0;
}
