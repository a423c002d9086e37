// SPDX-License-Identifier: MIT
// Reads the output of packed_stress.c and fails at the first error: an event that was not made, is
// out of order, or is missing without a report. Usage: packed_check FILE.

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <wallfly_host/wf_session.h>

#include "packed_stress.h"

// The events of a context. Behind a loss, those without a number are not placed until the next one
// that has a number.
struct context {
    uint32_t next;
    bool behind_loss;
    uint32_t unplaced;
    uint64_t came, gaps;
};

static struct context contexts[2];
static uint64_t syncs, holes, marks, tick, zero, sums[4]; // made, came, missing, packed frames
static struct wf_ledger before;                           // at the end of the part before
static unsigned part = 1;

static _Noreturn void fail(const char *format, ...) {
    va_list args;
    va_start(args, format);
    fprintf(stderr, "packed_check: part %u: ", part);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    exit(1);
}

static uint32_t word(const uint8_t *p) {
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

// The fields of an RTOS record behind the stamp and the selector.
static bool has(const struct wf_record *r, enum wf_effect effect, uint64_t a, uint64_t b,
                uint64_t c) {
    const unsigned first = effect == WF_EFFECT_TASK_SWITCH ? 1 : 2;
    const uint64_t *v = r->value + first;
    return r->row->effect == effect && v[0] == a && v[1] == b && v[2] == c;
}

static bool is_elements(const struct wf_record *r, uint32_t n) {
    const uint8_t *p = r->payload + r->value[1];
    const size_t len = r->len - (size_t)r->value[1];
    const unsigned bytes = stress_len(n);
    if (len < 5 || word(p + 1) != n) return false;
    switch (stress_kind(n)) {
    case STRESS_WORD: return len == 5;
    case STRESS_STEPS: return len == 7 && p[6] == 0x7E;
    case STRESS_WORDS: return len == 8 && (p[6] | p[7] << 8) == (uint16_t)~n;
    case STRESS_BYTES:
        if (stress_too_long(part, n) || len != 7 + bytes || p[6] != bytes) return false;
        for (unsigned i = 0; i < bytes; ++i) {
            if (p[7 + i] != stress_byte(n, i)) return false;
        }
        return true;
    default: return false;
    }
}

static bool is_event(const struct wf_record *r, unsigned who, uint32_t n) {
    const uint32_t actor = stress_actor(who, n);
    switch (stress_kind(n)) {
    case STRESS_SWITCH:
        if (who) return has(r, WF_EFFECT_IRQ_ENTER, stress_irq(n), stress_nest(n), 0);
        return has(r, WF_EFFECT_TASK_SWITCH, stress_task(n), stress_reason(n), 0);
    case STRESS_MUTEX:
        if (who) return has(r, WF_EFFECT_IRQ_EXIT, stress_irq(n), stress_nest(n), 0);
        return r->id == WF_RECORD_mutex_take &&
               has(r, WF_EFFECT_TAKE, stress_mutex(n), actor, stress_nest(n));
    case STRESS_QUEUE:
        return r->id == WF_RECORD_queue_send && has(r, WF_EFFECT_GIVE, stress_mutex(n), actor, n);
    case STRESS_SEMA:
        return r->id == WF_RECORD_sema_take && has(r, WF_EFFECT_TAKE, stress_sema(n), actor, n);
    default: return r->id == STRESS_RECORD + who && is_elements(r, n);
    }
}

// Gets the number of an event, if it has one.
static bool get_number(const struct wf_record *r, uint32_t *n) {
    switch (r->row->effect) {
    case WF_EFFECT_TASK_SWITCH:
    case WF_EFFECT_IRQ_ENTER:
    case WF_EFFECT_IRQ_EXIT: return false;
    case WF_EFFECT_TAKE:
    case WF_EFFECT_GIVE:
        if (r->id == WF_RECORD_mutex_take) return false;
        *n = (uint32_t)r->value[4];
        return true;
    default: *n = word(r->payload + r->value[1] + 1); return true;
    }
}

static unsigned context_of(const struct wf_record *r) {
    switch (r->row->effect) {
    case WF_EFFECT_IRQ_ENTER:
    case WF_EFFECT_IRQ_EXIT: return 1;
    case WF_EFFECT_TASK_SWITCH: return 0;
    case WF_EFFECT_TAKE:
    case WF_EFFECT_GIVE: return r->value[3] == 0;
    default:
        if (r->id != STRESS_RECORD && r->id != STRESS_RECORD + 1) fail("record %u", r->id);
        return r->id - STRESS_RECORD;
    }
}

static void take_event(const struct wf_record *r) {
    const unsigned who = context_of(r);
    struct context *c = &contexts[who];
    uint32_t n = c->next;
    const bool numbered = get_number(r, &n);
    ++c->came;
    if (!numbered && c->behind_loss) {
        ++c->unplaced;
        return;
    }
    if (c->behind_loss) {
        if (n < c->next || n - c->next < c->unplaced)
            fail("event %" PRIu32 " of %u comes behind %" PRIu32, n, who, c->next);
        c->gaps += n - c->next - c->unplaced;
        c->unplaced = 0;
        c->behind_loss = false;
    } else if (n != c->next) {
        fail("event %" PRIu32 " of %u comes behind %" PRIu32 " without a loss", n, who, c->next);
    }
    if (!is_event(r, who, n))
        fail("event %" PRIu32 " of %u at %" PRIu64 " is wrong", n, who, r->offset);
    c->next = n + 1;
}

static void check_ticks(const uint32_t *mark) {
    const uint32_t all = mark[MARK_TICKS], making = mark[MARK_MAKING], held = mark[MARK_HELD];
    if (making < all / 5 || held < all / 50 || making - held < all / 50)
        fail("the interrupt does not come while events are made");
}

// number: of the mark among all records.
static void end_part(const struct wf_session *s, const uint32_t *mark, uint64_t number) {
    const struct wf_ledger *l = wf_session_ledger(s);
    const uint64_t missing = l->missing - before.missing, records = l->records - before.records;
    const uint64_t made = (uint64_t)mark[MARK_MADE] + mark[MARK_MADE + 1];
    const uint64_t all_syncs = number - 3 - made; // without START, TARGET_INFO and the mark
    uint64_t gaps = 0;
    for (unsigned who = 0; who < 2; ++who) {
        const struct context *c = &contexts[who];
        gaps += c->gaps + mark[MARK_MADE + who] - c->next - c->unplaced;
        sums[1] += c->came;
        printf("part %u, %s: made %" PRIu32 ", came %" PRIu64 "\n", part,
               who ? "interrupt" : "task", mark[MARK_MADE + who], c->came);
    }
    printf("part %u: missing %" PRIu64 "; %" PRIu64 " packed frames; %" PRIu32
           " interrupts, %" PRIu32 " while an event is made, %" PRIu32 " of these held up\n",
           part, missing, l->packed_frames - before.packed_frames, mark[MARK_TICKS],
           mark[MARK_MAKING], mark[MARK_HELD]);
    if (!l->exact) fail("the counts are not exact");
    if (records - holes + missing != number)
        fail("%" PRIu64 " records and %" PRIu64 " missing are not %" PRIu64, records - holes,
             missing, number);
    if (gaps + (all_syncs - syncs) != missing)
        fail("%" PRIu64 " events and %" PRIu64 " SYNCs did not come, but %" PRIu64 " are missing",
             gaps, all_syncs - syncs, missing);
    if (part != MARK_LOST_PART && missing) fail("something is missing in the eager part");
    if (part == MARK_LOST_PART && (missing < made / 20 || missing > made - made / 20))
        fail("hardly anything is lost, or nearly all");
    sums[0] += made;
    sums[2] += missing;
    sums[3] = l->packed_frames;
    check_ticks(mark);
    before = *l;
}

static void check_time(const struct wf_record *r, const uint32_t *mark) {
    const uint64_t time = (uint64_t)mark[MARK_HIGH] << 32 | mark[MARK_LOW];
    if (r->tick - zero < time || r->tick - zero > time + 20000)
        fail("the time is %" PRIu64 ", not %" PRIu64, r->tick - zero, time);
}

// The first SYNC gives the offset of the target's time. The time of others is not before the record
// before them; that of the next record is not before theirs.
static void take_sync(const struct wf_record *r) {
    const bool at_hole = r->value[6] & 1;
    if (!syncs && !at_hole) zero = r->tick - r->value[1];
    if (r->value[1] + zero < tick) fail("a SYNC goes back in time at %" PRIu64, r->offset);
    tick = r->value[1] + zero;
    ++*(at_hole ? &holes : &syncs);
}

static void take_mark(const struct wf_session *s, const struct wf_record *r) {
    uint32_t mark[MARK_WORDS];
    const uint8_t *p = r->payload + r->value[1];
    if (r->len - r->value[1] != 5 * MARK_WORDS) fail("a mark is not one");
    for (unsigned i = 0; i < MARK_WORDS; ++i) mark[i] = word(p + 5 * i + 1);
    if (mark[MARK_PART] != part) fail("a mark of part %" PRIu32, mark[MARK_PART]);
    uint64_t number = mark[MARK_COUNT] + UINT64_C(1);
    if ((uint8_t)number != r->seq) ++number; // a SYNC is before it
    if ((uint8_t)number != r->seq) fail("the mark has another number");
    check_time(r, mark);
    end_part(s, mark, number);
    memset(contexts, 0, sizeof contexts);
    syncs = holes = 0;
    ++part;
    ++marks;
}

static void take_record(const struct wf_session *s, const struct wf_record *r) {
    if (!r->row || r->left || r->missing)
        fail("record %u at %" PRIu64 " is malformed", r->id, r->offset);
    if (r->back || r->tick < tick) fail("the time goes back at %" PRIu64, r->offset);
    tick = r->tick;
    switch (r->row->effect) {
    case WF_EFFECT_START:
    case WF_EFFECT_TARGET_INFO: break;
    case WF_EFFECT_SYNC: take_sync(r); break;
    default:
        if (r->id == STRESS_MARK)
            take_mark(s, r);
        else
            take_event(r);
    }
}

static void take_items(struct wf_session *s) {
    struct wf_item item;
    while (wf_session_next(s, &item)) {
        if (item.kind == WF_ITEM_RECORD) take_record(s, &item.record);
        if (item.kind == WF_ITEM_DAMAGE && item.damage.kind != WF_DAMAGE_IDLE &&
            (part != MARK_LOST_PART || item.damage.kind != WF_DAMAGE_BAD_SUM))
            fail("damage at %" PRIu64, item.damage.offset);
        if (item.kind != WF_ITEM_LOSS) continue;
        if (item.loss.kind == WF_LOSS_LATE || item.loss.kind == WF_LOSS_REPEATED)
            fail("a frame is late or repeated at %" PRIu64, item.loss.offset);
        contexts[0].behind_loss = contexts[1].behind_loss = true;
    }
}

int main(int argc, char **argv) {
    static uint8_t bytes[1 << 16];
    const struct wf_session_options options = {.size = sizeof options};
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    struct wf_session *s = wf_session_open(&options, NULL);
    if (!file || !s) return 2;
    for (size_t len; (len = fread(bytes, 1, sizeof bytes, file)) != 0;) {
        wf_session_feed(s, bytes, len);
        take_items(s);
    }
    wf_session_end(s);
    take_items(s);
    const struct wf_ledger *l = wf_session_ledger(s);
    if (marks != 2) fail("%" PRIu64 " marks instead of 2", marks);
    if (l->malformed || l->unknown || l->back || l->damage[WF_DAMAGE_BAD_SUM])
        fail("the ledger counts damage");
    printf("made %" PRIu64 ", came %" PRIu64 ", missing %" PRIu64 ", %.2f bytes an event\n",
           sums[0], sums[1], sums[2], (double)l->bytes / (double)sums[1]);
    wf_session_close(s);
    fclose(file);
    return 0;
}
