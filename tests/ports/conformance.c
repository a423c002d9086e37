// SPDX-License-Identifier: MIT
// Tests a port. Build it with your wf_port.h and a board.h of your own (examples/boards has some),
// run it, and read PASS and FAIL lines from the UART; board_end() gets 0 or 1. It takes two
// seconds. It cannot detect faults that need an interrupt at a certain moment.

#include "board.h"
#include "receiver.h"
#include "say.h"
#include "wallfly/wallfly.h"
#include "wf_port.h"

#ifndef CONFORMANCE_TICK_HZ
#define CONFORMANCE_TICK_HZ 1000 // the interrupt's rate; it must leave time for the rest
#endif
#ifndef CONFORMANCE_NESTS
#define CONFORMANCE_NESTS 1 // 0: the lock does not nest, which is allowed only for threads
#endif
#ifndef CONFORMANCE_RING
#define CONFORMANCE_RING 512 // bytes; it must hold the interrupt's records while the task waits
#endif

enum { TASK = WF_USER, TICK = WF_USER + 1 };
enum { TICKS = CONFORMANCE_TICK_HZ / 2 }; // the duration of the record check
enum { SMALL_RING = CONFORMANCE_RING < 512 ? CONFORMANCE_RING : 512 }; // for the loss check

int main(void);

static uint8_t ring[CONFORMANCE_RING];
static volatile uint32_t ticks; // protected by the lock
static volatile bool tick_records;

void board_tick(void) {
    if (tick_records) WF_RECORD(TICK, 0, WF_U32(0, ticks));
    uint32_t was = wf_port_lock();
    ++ticks;
    wf_port_unlock(was);
}

static uint32_t ticks_now(void) {
    uint32_t was = wf_port_lock();
    uint32_t n = ticks;
    wf_port_unlock(was);
    return n;
}

// ---- clock ----

static bool goes_back(wf_stamp from, wf_stamp to) {
    return (wf_stamp)(to - from) > (wf_stamp)-1 / 2;
}

// A counter narrower than the stamp, or one that counts down, goes back.
static bool check_clock(void) {
    uint32_t back = 0, still = 0, reads = 0, wraps = 0;
    uint64_t passed = 0;
    wf_stamp before = wf_port_now(), moved = 0;
    board_tick_start(CONFORMANCE_TICK_HZ);
    const uint32_t first = ticks_now();
    uint32_t last = first;
    while (last - first < CONFORMANCE_TICK_HZ && passed < 4 * (uint64_t)WF_PORT_HZ) {
        for (unsigned i = 0; i < 64; ++i, ++reads) {
            wf_stamp now = wf_port_now();
            if (goes_back(before, now)) ++back;
            if (now == before) ++still;
            if (now < before) ++wraps;
            moved |= (wf_stamp)(now ^ before);
            passed += (wf_stamp)(now - before);
            before = now;
        }
        last = ticks_now();
    }
    board_tick_start(0);
    unsigned bits = 0;
    while (moved && moved >> bits > 1 && bits < sizeof moved * 8 - 1) ++bits;
    say_check("clock never goes back", back == 0);
    say_check("clock counts", still < reads);
    // The interrupt's rate is not exact, and an emulator's may differ much.
    say_check("clock has the rate it says, by half",
              passed >= WF_PORT_HZ / 2 && passed / 2 <= WF_PORT_HZ);
    say_figure("ticks of the clock in a second:", passed);
    say_figure("bits of the stamp:", sizeof before * 8);
    say_figure("of these seen to change:", moved ? bits + 1 : 0);
    say_figure("wraps seen:", wraps);
    return still < reads;
}

// ---- lock ----

// Waits long enough for several interrupts.
static void wait_stamps(uint32_t n) {
    wf_stamp before = wf_port_now();
    for (uint32_t passed = 0; passed < n;) {
        wf_stamp now = wf_port_now();
        passed += (wf_stamp)(now - before);
        before = now;
    }
}

// Other threads may delay a thread, so ticks may not come at once.
static bool ticks_come(void) {
    const uint32_t from = ticks_now();
    for (uint32_t i = 0; i < CONFORMANCE_TICK_HZ && ticks_now() == from; ++i)
        wait_stamps(WF_PORT_HZ / CONFORMANCE_TICK_HZ);
    return ticks_now() != from;
}

static void check_lock(void) {
    const uint32_t wait = WF_PORT_HZ / CONFORMANCE_TICK_HZ * 4;
    board_tick_start(CONFORMANCE_TICK_HZ);
    say_check("interrupts come", ticks_come());
    uint32_t was = wf_port_lock(), from = ticks;
    wait_stamps(wait);
    bool held = ticks == from;
    wf_port_unlock(was);
    say_check("lock holds them up", held);
    say_check("unlock lets them come", ticks_come());
    if (CONFORMANCE_NESTS) {
        was = wf_port_lock();
        const uint32_t inner = wf_port_lock();
        wf_port_unlock(inner);
        from = ticks;
        wait_stamps(wait);
        held = ticks == from;
        wf_port_unlock(was);
        say_check("lock nests: the inner unlock changes nothing", held);
        say_check("lock nests: the outer unlock lets them come", ticks_come());
    } else {
        say("SKIP lock nests\n");
    }
    board_tick_start(0);
}

// ---- records ----

static struct receiver receiver;
static uint32_t task_next, tick_next;

static void take_record(uint8_t id, const uint8_t *payload, uint32_t len) {
    uint32_t *next = id == TASK ? &task_next : &tick_next;
    if (len != 5 || receiver_number(payload + 1, 4) != *next)
        receiver_fail(&receiver, "a record is not the one that was made");
    ++*next;
}

static void drain(void) {
    for (int byte; (byte = wf_get_byte()) >= 0;) {
        uint8_t b = (uint8_t)byte;
        receiver_take(&receiver, &b, 1);
    }
}

static void say_wrong(void) {
    if (!receiver.wrong) return;
    say("     ");
    say(receiver.wrong);
    say("\n");
}

static void restart(uint32_t ring_size) {
    static struct wf_config config; // the recorder keeps its address
    config = (struct wf_config){.ring = ring, .ring_size = ring_size, .hz = WF_PORT_HZ};
    receiver = (struct receiver){.record = take_record};
    task_next = tick_next = 0;
    wf_start(&config);
    wf_filter(WF_GRP_ALL);
}

static void check_records(void) {
    struct wf_status status;
    uint32_t made = 0;
    restart(sizeof ring);
    ticks = 0;
    tick_records = true;
    board_tick_start(CONFORMANCE_TICK_HZ);
    while (ticks_now() < TICKS) {
        // Interrupts come in both ways to record: in one call, and in steps.
        if (made & 1) {
            WF_RECORD(TASK, 0, WF_U32(0, made));
        } else {
            WF_BEGIN(TASK, 0);
            wf_u32(0, made);
            WF_END();
        }
        ++made;
        drain();
    }
    board_tick_start(0);
    tick_records = false;
    drain();
    wf_get_status(&status);
    say_check("frames are whole, in order, with stamps that do not go back",
              !receiver.wrong && receiver.bad == 0);
    say_wrong();
    say_check("every record of the task has come", task_next == made);
    say_check("every record of the interrupt has come", tick_next == ticks_now());
    say_check("nothing is missing", receiver.missing == 0 && receiver.number == status.count);
    say_figure("records of the task:", made);
    say_figure("records of the interrupt:", tick_next);
}

// ---- loss ----

static void skip_record(uint8_t id, const uint8_t *payload, uint32_t len) {
    (void)id;
    (void)payload;
    (void)len;
}

static void check_loss(void) {
    struct wf_status status;
    restart(SMALL_RING);
    receiver.record = skip_record;
    for (uint32_t i = 0; i < 1000; ++i) {
        WF_RECORD(TASK, 0, WF_U32(0, i));
        if (i == 500) drain();
    }
    drain();
    wf_get_status(&status);
    say_check("loss is counted", !receiver.wrong && receiver.missing == status.lost &&
                                     receiver.number == status.count && status.lost > 0 &&
                                     receiver.good - receiver.holes + status.lost == status.count);
    say_wrong();
}

int main(void) {
    board_start();
    if (check_clock()) check_lock();
    if (!say_failures) { // otherwise it might wait for ever
        check_records();
        check_loss();
    }
    say(say_failures ? "FAIL this port does not conform\n" : "PASS this port conforms\n");
    board_end(say_failures != 0);
    return 0;
}
