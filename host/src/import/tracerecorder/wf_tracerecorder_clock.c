// SPDX-License-Identifier: MIT
// Time of stamps of 32 bits. A free-running timer counts up or down and wraps at 2^32, or at the
// period of the header. With the timer of the RTOS a stamp has the low 8 bits of the tick, and 24
// bits of the count within the tick. Both wrap: a silence longer than a turn shows only in the
// events that have the tick.

#include "wfi_tracerecorder.h"

enum { FREE_UP = 1, FREE_DOWN, OS_UP, OS_DOWN, CUSTOM_UP, CUSTOM_DOWN };

#define TURN_32   (UINT64_C(1) << 32)
#define TICKS_MAX (UINT32_C(1) << 24) // a longer silence is damage

static bool is_os(const struct wfi_tr_clock *c) { return c->type == OS_UP || c->type == OS_DOWN; }

static bool is_down(const struct wfi_tr_clock *c) {
    return c->type == FREE_DOWN || c->type == OS_DOWN || c->type == CUSTOM_DOWN;
}

static uint64_t count_of(const struct wfi_tr_clock *c, uint32_t stamp) {
    if (!is_down(c)) return stamp;
    return stamp < c->turn ? c->turn - 1 - stamp : 0;
}

void wfi_tr_clock_begin(struct wfi_tr_clock *c, uint32_t wraps, uint32_t latest, uint32_t ticks) {
    c->floor = c->begun ? c->now + 1 : 0;
    c->begun = c->tick_known = false;
    c->turn = c->period && !is_os(c) ? c->period : TURN_32;
    c->wraps = wraps;
    c->latest = latest ? count_of(c, latest) : 0; // 0: none yet
    c->ticks = ticks;
}

// The first time after a header. After a restart of the target time continues.
static uint64_t begin_at(struct wfi_tr_clock *c, uint64_t time) {
    c->begun = true;
    time += c->offset;
    if (time < c->floor) {
        c->offset += c->floor - time;
        time = c->floor;
    }
    c->now = time;
    return time;
}

static uint64_t free_time(struct wfi_tr_clock *c, uint32_t stamp) {
    if (stamp >= c->turn) c->turn = TURN_32; // the period is not the turn of this timer
    uint64_t count = count_of(c, stamp), last = c->last;
    uint64_t ahead = count >= last ? count - last : count + c->turn - last;
    if (!c->begun) {
        c->last = count;
        return begin_at(c, (c->wraps + (uint64_t)(count < c->latest)) * c->turn + count);
    }
    // Another core took its stamp first: the event is at the time of the one before it.
    if (c->shared && ahead > c->turn / 2) return c->now;
    c->last = count;
    return c->now += ahead;
}

static uint64_t os_time(struct wfi_tr_clock *c, uint32_t stamp) {
    uint32_t count = stamp & 0xFFFFFF, low = stamp >> 24;
    uint8_t ahead = (uint8_t)(low - (uint8_t)c->ticks);
    if (c->type == OS_DOWN) count = count < c->period ? c->period - 1 - count : 0;
    if (!c->begun)
        c->ticks = c->ticks >= 128 || ahead < 128 ? c->ticks + (uint64_t)(int8_t)ahead : low;
    else if (!c->shared || ahead < 128)
        c->ticks += ahead;
    else
        return c->now;
    uint64_t time = c->ticks * (c->period ? c->period : 1u << 24) + count;
    if (!c->begun) return begin_at(c, time);
    time += c->offset;
    // The counter has begun anew, but the interrupt that counts the tick is pending.
    if (time < c->now && c->now - time < c->period) time += c->period;
    if (time > c->now) c->now = time;
    return c->now;
}

uint64_t wfi_tr_clock_time(struct wfi_tr_clock *c, uint32_t stamp) {
    return is_os(c) ? os_time(c, stamp) : free_time(c, stamp);
}

static void correct_free(struct wfi_tr_clock *c, uint32_t ticks) {
    if (!c->tick_hz || !c->hz) return;
    uint64_t expected = ticks * c->hz / c->tick_hz, actual = c->now - c->tick_at;
    if (expected < actual + c->turn / 2) return;
    c->now += (expected - actual + c->turn / 2) / c->turn * c->turn;
}

void wfi_tr_clock_tick(struct wfi_tr_clock *c, uint32_t tick) {
    uint32_t ahead = tick - (is_os(c) ? (uint32_t)c->ticks : c->tick);
    if (is_os(c)) {
        // The low 8 bits are known; they may be those before the tick was counted.
        uint32_t turns = (ahead + 128) & ~UINT32_C(255);
        if (turns < TICKS_MAX) c->ticks += turns;
    } else if (c->tick_known && ahead < TICKS_MAX && c->hz < UINT32_MAX) {
        correct_free(c, ahead);
    }
    c->tick_known = true;
    c->tick = tick;
    c->tick_at = c->now;
}

bool wfi_tr_clock_follows(const struct wfi_tr_clock *c, uint32_t a, uint32_t b) {
    if (is_os(c)) return true;
    uint64_t turn = a < c->turn && b < c->turn ? c->turn : TURN_32;
    uint64_t from = is_down(c) ? b : a, to = is_down(c) ? a : b;
    uint64_t ahead = to >= from ? to - from : to + turn - from;
    return ahead < turn / 2 || (c->shared && turn - ahead < turn / 64);
}
