// SPDX-License-Identifier: MIT
// Reads the output of slots_stress.c and fails at the first error: an event that was not made, is
// out of order, or is missing without a report. Usage: slots_check FILE.

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <wallfly_host/wf_slots.h>

#include "slots_stress.h"

static uint64_t came[2], gaps[2], next[2], marks, lost, refused;
static uint32_t last[MARK_WORDS];

static _Noreturn void fail(const char *format, ...) {
    va_list args;
    va_start(args, format);
    fputs("slots_check: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    exit(1);
}

static bool is_words(const struct wf_slot_event *e, uint32_t count, unsigned expected) {
    if (e->count != (expected + 1) / 2 * 2) return false;
    for (unsigned i = 0; i < expected; ++i) {
        if (e->words[i] != stress_word(count, i)) return false;
    }
    return true;
}

// The bytes of a record: format, number; format, length, bytes.
static bool is_record(const struct wf_slot_event *e, uint32_t count, bool block) {
    const unsigned len = block ? stress_len(count) : 0;
    if (e->len != (block ? 7 + len : 5) || (block && e->bytes[6] != len)) return false;
    for (unsigned i = 0; i < len; ++i) {
        if (e->bytes[7 + i] != stress_byte(count, i)) return false;
    }
    return true;
}

static void take_event(unsigned who, uint32_t count) {
    if (count < next[who]) fail("%u: event %u comes behind %" PRIu64, who, count, next[who]);
    gaps[who] += count - next[who];
    next[who] = (uint64_t)count + 1;
    ++came[who];
}

static void take_mark(const struct wf_slot_event *e) {
    uint64_t before = (uint64_t)e->words[MARK_HIGH] << 32 | e->words[MARK_LOW];
    ++marks;
    if (e->count != MARK_WORDS || e->words[MARK_PART] != marks) fail("a mark is not one");
    if (e->tick < before || e->tick > before + 100000) {
        fail("a mark's time is %" PRIu64 ", not %" PRIu64, e->tick, before);
    }
    memcpy(last, e->words, sizeof last);
    for (unsigned who = 0; who < 2; ++who) { // after the last event received
        gaps[who] += last[MARK_MADE + who] - next[who];
        next[who] = last[MARK_MADE + who];
    }
    printf("part %" PRIu64 ": made %u and %u, missing %" PRIu64 " and %" PRIu64
           "; %u interrupts, %u while an event is made, %u of these held up\n",
           marks, last[MARK_MADE], last[MARK_MADE + 1], gaps[0], gaps[1], last[MARK_TICKS],
           last[MARK_MAKING], last[MARK_HELD]);
    if (marks == 1 && (gaps[0] || gaps[1])) fail("an event is missing in the eager part");
}

static void take(const struct wf_slot_event *e) {
    static uint64_t tick;
    if (!e->timed || e->tick < tick) fail("a stamp goes back");
    tick = e->tick;
    if (e->cls == WF_SLOT_CLASS_USER && e->event == STRESS_MARK) {
        take_mark(e);
        return;
    }
    const bool is_user = e->cls == WF_SLOT_CLASS_USER;
    const unsigned who = e->event - (unsigned)(is_user ? STRESS_EVENT : STRESS_RECORD);
    uint32_t count = 0;
    if (who > 1 || e->len < 5 || (!is_user && e->cls != WF_SLOT_CLASS_RECORD)) {
        fail("an event nobody made");
    }
    memcpy(&count, e->bytes + (is_user ? 0 : 1), 4); // little-endian, like this host
    const unsigned kind = stress_kind(count);
    const bool right = kind == 0   ? is_user && is_words(e, count, 2)
                       : kind == 1 ? is_user && is_words(e, count, stress_count_of(count))
                                   : !is_user && is_record(e, count, kind == 3);
    if (!right) fail("%u: event %u at %" PRIu64 " is torn", who, count, e->offset);
    take_event(who, count);
}

static void take_items(struct wf_slots *s) {
    struct wf_slots_item item;
    while (wf_slots_next(s, &item)) {
        if (item.kind == WF_SLOTS_EVENT) take(&item.event);
        if (item.kind == WF_SLOTS_LOSS) {
            lost += item.loss.events;
            refused += item.loss.refused;
            if (!item.loss.exact) fail("a loss is not exact");
        }
        // After a loss, the remaining slots of a chain are damage.
        if (item.kind == WF_SLOTS_DAMAGE && item.damage.kind != WF_SLOTS_NO_FIRST &&
            item.damage.kind != WF_SLOTS_NO_LAST) {
            fail("%s at %" PRIu64, item.damage.why, item.damage.offset);
        }
    }
}

int main(int argc, char **argv) {
    static uint8_t bytes[1 << 16];
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    struct wf_slots *s = wf_slots_open(NULL, NULL);
    if (!file || !s) return 2;
    for (size_t len; (len = fread(bytes, 1, sizeof bytes, file)) != 0;) {
        wf_slots_feed(s, bytes, len);
        take_items(s);
    }
    wf_slots_end(s);
    take_items(s);
    const uint64_t made = (uint64_t)last[MARK_MADE] + last[MARK_MADE + 1];
    const uint64_t delivered = came[0] + came[1];
    printf("made %" PRIu64 ", delivered %" PRIu64 ", lost %" PRIu64 ", refused %" PRIu64 "\n", made,
           delivered, lost, refused);
    if (marks != 2) fail("%" PRIu64 " marks instead of 2", marks);
    if (delivered + lost + refused != made) fail("that does not add up");
    if (gaps[0] + gaps[1] != lost + refused) fail("what is missing is not what is told");
    if (lost + refused < made / 20) fail("hardly anything was lost, so nothing was tried");
    if (last[MARK_MAKING] < last[MARK_TICKS] / 5 || last[MARK_HELD] < last[MARK_TICKS] / 50 ||
        last[MARK_MAKING] - last[MARK_HELD] < last[MARK_TICKS] / 50) {
        fail("the interrupt does not come while events are made");
    }
    wf_slots_close(s);
    fclose(file);
    return 0;
}
