// SPDX-License-Identifier: MIT
// The recorder with packed frames and a session that decodes its stream. The input is a script:
// records of all kinds from two cores, steps of the clock, a reader that comes rarely, and frames
// that the link drops or damages. Each record that arrives must be the one made with its number,
// and all others must be reported as missing.

#include <stdlib.h>
#include <string.h>

#include "wallfly/wf_rtos.h"
#include "wallfly_host/wf_session.h"
#include "wf_port.h"

uint64_t fake_clock, fake_clock_step;
int fake_lock_depth, fake_lock_count, fake_lock_errors;
uint8_t fake_core;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MADE_MAX = 1 << 12, RAW_MAX = 1 << 12 };

// A record as it was made.
struct made {
    uint8_t id, core; // id 0: none, or not known
    uint8_t select, count;
    uint64_t value[4];
    uint64_t tick;
    uint16_t len; // of the elements
    uint8_t bytes[256];
};

static uint8_t ring[1024];
static struct made made[MADE_MAX]; // by number
static const uint8_t *at, *end;    // the script
static struct wf_session *session;
static uint64_t number;        // of the last record received
static uint64_t count;         // of records received, without SYNCs at holes
static uint64_t noted;         // time of the last record made
static bool damaged;           // the link lost something: the upper half of the time may be wrong
static unsigned drops, spoils; // the next frames
static uint8_t raw[RAW_MAX];   // a frame of the link
static size_t raw_len;

static void require(bool good) {
    if (!good) abort();
}

static uint32_t take(unsigned bytes) {
    uint32_t v = 0;
    for (; bytes; --bytes) v = v << 8 | (at != end ? *at++ : 0);
    return v;
}

// Values of all lengths.
static uint32_t take_value(void) {
    const uint32_t form = take(1);
    if (form < 128) return form;
    return take(form % 4 + 1) ^ (form & 64 ? UINT32_MAX : 0);
}

static void *take_object(void) {
    const uint32_t n = take(1) % 64;
    return n ? (void *)(uintptr_t)(UINT64_C(0x7D0000000000) + n * UINT64_C(0x7E40)) : NULL;
}

// ---- the host

static void check_user(const struct wf_record *r, const struct made *m) {
    const uint8_t *p = r->payload + 4;
    require(r->len == 4u + m->len && memcmp(p, m->bytes, m->len) == 0);
}

// An object whose number was lost on the link has a pointer that no target has.
static bool is_value(const struct wf_field *f, uint64_t is, uint64_t made) {
    const bool stand_in = f->type == WF_TYPE_OBJ && (is | 0xFF) == UINT64_MAX;
    return is == made || stand_in;
}

static void check_fields(const struct wf_record *r, const struct made *m) {
    unsigned n = 0;
    for (unsigned i = 0; i < r->row->count; ++i) {
        const uint8_t kind = r->row->fields[i].kind;
        if (kind == WF_KIND_STAMP || kind == WF_KIND_SELECT) continue;
        const uint64_t made = kind == WF_KIND_CORE ? m->core : m->value[n++];
        require(is_value(&r->row->fields[i], r->value[i], made));
    }
    require(n == m->count && !r->left && !r->missing);
}

static void check_record(const struct wf_record *r) {
    const bool sync = r->row && r->row->effect == WF_EFFECT_SYNC;
    if (sync && r->value[6] & 1) { // it has the number of the last record lost
        number = r->value[0];
        return;
    }
    ++count;
    ++number;
    require(r->seq == (uint8_t)number && number < MADE_MAX && r->row);
    const struct made *m = &made[number];
    require((m->id != 0) == (!sync && r->id != WF_RECORD_empty && r->id != WF_RECORD_target_info));
    if (!m->id) return;
    require(r->id == m->id && (r->row->select < 0 || r->row->select == m->select));
    require((uint32_t)r->tick == (uint32_t)m->tick && (damaged || r->tick == m->tick));
    if (r->id >= WF_USER)
        check_user(r, m);
    else
        check_fields(r, m);
}

static void take_items(void) {
    struct wf_item item;
    while (wf_session_next(session, &item)) {
        if (item.kind == WF_ITEM_LOSS) number += item.loss.records;
        require(item.kind != WF_ITEM_LOSS || item.loss.kind == WF_LOSS_HOLE ||
                item.loss.kind == WF_LOSS_UNSEEN);
        if (item.kind == WF_ITEM_RECORD) check_record(&item.record);
    }
}

// A frame over the link.
static void send_frame(void) {
    if (drops) {
        --drops;
        damaged = true;
    } else {
        if (spoils) {
            --spoils;
            damaged = true;
            raw[0] ^= (raw[0] ^ 1) == 0x7E || (raw[0] ^ 1) == 0x7D || raw[0] == 0x7D ? 2 : 1;
            if (raw_len > 1 && raw[0] == (0x7D ^ 2)) raw[1] = 0; // it was an escape
        }
        uint8_t *exact = malloc(raw_len);
        require(exact != NULL);
        memcpy(exact, raw, raw_len);
        wf_session_feed(session, exact, raw_len);
        take_items();
        free(exact);
    }
    raw_len = 0;
}

static uint32_t read_some(uint32_t max) {
    const uint8_t *block;
    const uint32_t len = wf_get_block(&block, max);
    for (uint32_t i = 0; i < len; ++i) {
        require(raw_len < RAW_MAX);
        raw[raw_len++] = block[i];
        if (block[i] == 0x7E) send_frame();
    }
    wf_block_done(len);
    return len;
}

static void read_all(void) {
    wf_flush();
    while (read_some(200)) continue;
}

// ---- the target

static uint64_t last_number(uint64_t *refused) {
    struct wf_status status;
    wf_get_status(&status);
    *refused = status.lost;
    return status.count;
}

// The record made last; a refused one is not expected.
static void note(const struct made *m) {
    uint64_t lost;
    const uint64_t n = last_number(&lost);
    require(n < MADE_MAX);
    made[n] = *m;
    made[n].tick = noted = fake_clock;
    made[n].core = fake_core;
}

static void record(void) {
    struct made m = {0};
    switch (take(1) % 12) {
#define OF(record, selector, ...)                                                                  \
    {                                                                                              \
        const uint64_t v[] = {__VA_ARGS__};                                                        \
        m.id = WF_RECORD_##record;                                                                 \
        m.select = selector;                                                                       \
        m.count = sizeof v / sizeof *v;                                                            \
        memcpy(m.value, v, sizeof v);                                                              \
    }
    case 0: {
        void *task = take_object();
        const uint8_t why = (uint8_t)(take(1) % 12);
        WF_REC(task_switch, 0, task, why);
        OF(task_switch, 0, (uintptr_t)task, why)
        break;
    }
    case 1:
    case 2: {
        const uint16_t irq = (uint16_t)take_value();
        const uint8_t nest = (uint8_t)(take(1) % 3), exit = (uint8_t)(take(1) % 2);
        if (exit)
            WF_REC(irq_exit, 0, irq, nest);
        else
            WF_REC(irq_enter, 0, irq, nest);
        OF(irq_enter, exit, irq, nest)
        break;
    }
    case 3:
    case 4: {
        void *mutex = take_object(), *task = take_object();
        const uint8_t nest = (uint8_t)(take(1) % 3), give = (uint8_t)(take(1) % 2 ? 5 : 1);
        if (give == 5)
            WF_REC(mutex_give, 0, mutex, task, nest);
        else
            WF_REC(mutex_take, 0, mutex, task, nest);
        OF(mutex_take, give, (uintptr_t)mutex, (uintptr_t)task, nest)
        break;
    }
    case 5: {
        void *queue = take_object(), *task = take_object();
        const uint32_t n = take_value();
        WF_REC(queue_send, 0, queue, task, n);
        OF(queue_send, 5, (uintptr_t)queue, (uintptr_t)task, n)
        break;
    }
    case 6: {
        void *heap = take_object(), *task = take_object(), *block = take_object();
        const uint32_t n = take_value();
        WF_REC(heap_alloc, 0, heap, task, block, n);
        OF(heap_alloc, 1, (uintptr_t)heap, (uintptr_t)task, (uintptr_t)block, n)
        break;
    }
    case 7: {
        void *text = take_object();
        const uint32_t n = take_value();
        WF_REC(counter, 0, text, n);
        OF(counter, 0, (uintptr_t)text, n)
        break;
    }
    case 8: {
        void *task = take_object();
        const uint16_t prio = (uint16_t)take_value();
        WF_REC(task_create, 0, task, prio);
        OF(task_create, 0, (uintptr_t)task, prio)
        break;
    }
    case 9: { // of QP, without a kind of its own
        const uint8_t prio = (uint8_t)take(1), prev = (uint8_t)take(1);
        WF_REC(sched_next, 0, prio, prev);
        OF(sched_next, 0, prio, prev)
        break;
    }
    default: { // of the application: made at once, or in steps and of any length
        const uint32_t n = take_value(), len = take(1) % 200;
        const bool steps = take(1) % 2;
        uint8_t bytes[200];
        memset(bytes, (int)n, sizeof bytes);
        m.id = (uint8_t)(WF_USER + take(1) % 25);
        m.len = 5;
        m.bytes[0] = WF_EL_u32;
        for (unsigned i = 0; i < 4; ++i) m.bytes[1 + i] = (uint8_t)(n >> 8 * i);
        if (steps || len > 4) {
            m.bytes[m.len++] = WF_EL_mem;
            m.bytes[m.len++] = (uint8_t)len;
            memcpy(m.bytes + m.len, bytes, len);
            m.len = (uint16_t)(m.len + len);
        }
        if (steps) {
            WF_BEGIN(m.id, 0);
            wf_u32(0, n);
            wf_mem(bytes, (uint8_t)len);
            WF_END();
        } else if (len > 4) {
            WF_RECORD(m.id, 0, WF_U32(0, n), WF_MEM(bytes, (uint8_t)len));
        } else {
            WF_RECORD(m.id, 0, WF_U32(0, n));
        }
    }
    }
    note(&m);
}

// Wraps of the stamp are seen only if records come more often.
static void advance(uint32_t ticks) {
    const uint64_t most = drops || spoils ? 0x10000 : 0x70000000;
    if (fake_clock + ticks - noted < most) fake_clock += ticks;
}

static void step(void) {
    const uint32_t op = take(1);
    switch (op % 16) {
    case 0: advance(take(op & 16 ? 3 : 1)); break;
    case 1: advance(take(4)); break;
    case 2: fake_core ^= 1; break;
    case 3: wf_flush(); break;
    case 4: wf_announce_numbers(); break;
    case 5:
        for (uint32_t n = take(1) % 8; n; --n) (void)read_some(1 + n * 30);
        break;
    case 6: read_all(); break;
    case 7:
        read_all(); // so that not more than 255 records are missing without a SYNC
        if (op & 16)
            drops = 1 + op / 64;
        else
            spoils = 1 + op / 64;
        break;
    default: record();
    }
    advance(op / 64);
}

static void start(bool hold) {
    static struct wf_config config = {.ring = ring, .ring_size = 500, .hz = 1000000};
    const struct wf_session_options options = {.size = sizeof options};
    config.hold = hold ? 5000 : 0;
    memset(made, 0, sizeof made);
    number = count = fake_clock = noted = 0;
    damaged = false;
    drops = spoils = fake_core = 0;
    raw_len = 0;
    session = wf_session_open(&options, NULL);
    require(session != NULL);
    wf_start(&config);
    wf_filter(WF_GRP_ALL);
    read_all();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint64_t lost;
    at = data;
    end = data + size;
    start(take(1) % 2);
    for (unsigned n = 0; at != end && n < MADE_MAX / 4; ++n) step();
    drops = spoils = 0;
    // The rest, with all object numbers, and a SYNC at a wrap of the clock.
    wf_announce_numbers();
    read_all();
    at = end = NULL;
    for (unsigned i = 0; i < 3; ++i) {
        fake_clock = noted + 0x70000000;
        record();
    }
    read_all();
    wf_session_end(session);
    take_items();
    const struct wf_ledger *l = wf_session_ledger(session);
    require(number == last_number(&lost) && count + l->missing == number && l->exact);
    require(!l->malformed && !l->late && !l->repeated);
    require(fake_lock_errors == 0 && fake_lock_depth == 0);
    wf_session_close(session);
    return 0;
}
