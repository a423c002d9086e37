// SPDX-License-Identifier: MIT
// Makes random records of all kinds with packed frames, and remembers each by its number: name,
// payload as on the wire, and time. The records of the schema are made by a function for each row,
// so that none is forgotten.
#ifndef PACKED_MAKE_H
#define PACKED_MAKE_H

#include "wf_test.h"

#include "wallfly/wf_rtos.h"
#include "wallfly_host/wf_rows.h"

#include "wf_port.h"

#ifdef FAKE_PREEMPT
enum { LATER = 20000 }; // an interrupt may come so much later
#else
enum { LATER = 0 };
#endif

enum {
    MADE_MAX = 400000,
    PAYLOADS_MAX = 16 << 20,
    STREAM_MAX = 4 << 20,
    RING_MAX = 8192,
    OBJECTS = 300,
    CORES = 4
};

static struct made {
    const char *name; // of its row; null: a SYNC, a record of wf_start, or refused
    uint8_t id;
    bool stamped;
    uint16_t len; // of the payload
    uint32_t at;  // of the payload in `payloads`
    uint64_t tick;
} made[MADE_MAX]; // by number
static uint64_t made_last;
static uint8_t payloads[PAYLOADS_MAX];
static uint32_t payloads_len;
static uint32_t refused_seen; // of the recorder

static uint8_t ring[RING_MAX] WF_CFG_PLACE;
static struct wf_config config;
static uint8_t stream[STREAM_MAX];
static size_t stream_len;

static uint32_t seed;

static uint32_t rnd(uint32_t below) {
    seed = seed * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(seed >> 8) * below >> 24);
}

static uint64_t rnd64(void) {
    uint64_t v = 0;
    for (unsigned i = 0; i < 8; ++i) v = v << 8 | rnd(256);
    return v;
}

// Returns a number of a random length in bits.
static uint32_t number(void) { return (uint32_t)(rnd64() >> (32 + rnd(32))); }

// ---- what may vary in a run

static struct {
    unsigned objects;  // that records use, up to OBJECTS
    unsigned oddities; // one in so many records is of any row, application's, or long; 0: none
    bool moves;        // the core changes
    bool still;        // the clock makes small steps only
} vary = {.objects = 20, .oddities = 3};

static const void *running[CORES];

// The same pointers in every run of the program.
static const void *object(uint32_t i) {
    return (const void *)(uintptr_t)(0x7F0120000400u + 24 * i);
}

static const void *any_object(void) {
    switch (rnd(40)) {
    case 0: return NULL;
    case 1: return (const void *)UINTPTR_MAX; // as an unused entry of the recorder's table
    case 2: return (const void *)(uintptr_t)(rnd64() >> rnd(64));
    default: return object(rnd(rnd(2) ? vary.objects : vary.objects < 6 ? vary.objects : 6));
    }
}

static const void *pointer(enum wf_kind kind) {
    if (kind == WF_KIND_ADDRESS) return (const void *)(uintptr_t)(rnd64() >> rnd(64));
    if (kind == WF_KIND_ACTOR && rnd(3)) {
#ifdef FAKE_CORES
        return running[fake_core];
#else
        return running[0];
#endif
    }
    return any_object();
}

static uint8_t byte(enum wf_kind kind) {
    switch (kind) {
    case WF_KIND_REASON: return (uint8_t)(rnd(20) ? rnd(8) : rnd(256));
    case WF_KIND_NESTING: return (uint8_t)(rnd(4) ? rnd(2) : rnd(256));
    case WF_KIND_SIZE: return (uint8_t)(1u << rnd(3));
    case WF_KIND_NUM: return (uint8_t)(rnd(4) ? rnd(10) : rnd(256));
    default: return (uint8_t)rnd(256);
    }
}

static uint16_t half(enum wf_kind kind) {
    if (kind == WF_KIND_IRQ && rnd(8)) return (uint16_t)rnd(3);
    return (uint16_t)number();
}

static bool between; // an interrupt makes a record before one whose time has come

static const char *text(void) {
    static char bufs[2][700];
    char *const buf = bufs[between];
    const uint32_t len = rnd(rnd(12) ? 20 : rnd(3) ? 200 : sizeof bufs[0]);
    for (uint32_t i = 0; i < len; ++i) buf[i] = (char)(1 + rnd(127));
    buf[len] = 0;
    return buf;
}

// ---- one record

struct draft { // its payload
    uint8_t bytes[2048];
    unsigned len;
    bool stamped;
};

static void lay(struct draft *d, uint64_t v, unsigned bytes) {
    for (; bytes; --bytes, v >>= 8) {
        assert_true(d->len < sizeof d->bytes);
        d->bytes[d->len++] = (uint8_t)v;
    }
}

static void lay_bytes(struct draft *d, const void *bytes, size_t len) {
    const uint8_t *p = bytes;
    for (; len; --len) lay(d, *p++, 1);
}

static void lay_stamp(struct draft *d) { // its value is known when the record is made
    d->stamped = true;
    lay(d, 0, WF_CFG_TIME_SIZE);
}

static uint64_t now_count(void) {
    struct wf_status s;
    wf_get_status(&s);
    return s.count;
}

// The record was made: the last number is its number.
static void note(const char *name, unsigned id, struct draft *d) {
#ifdef FAKE_PREEMPT
    fake_preempt_in = 0;
#endif
    const uint64_t last = now_count();
    const uint32_t refused = wfi.refused;
    assert_true(last > made_last && last < MADE_MAX);
    while (made_last < last) made[++made_last].name = NULL;
    if (refused != refused_seen) {
        assert_int_equal(refused, refused_seen + 1);
        refused_seen = refused;
        return;
    }
    struct made *m = &made[last];
    if (d->stamped) {
        for (unsigned i = 0; i < WF_CFG_TIME_SIZE; ++i)
            d->bytes[i] = (uint8_t)(fake_clock >> 8 * i);
    }
    assert_true(payloads_len + d->len <= sizeof payloads);
    *m = (struct made){.name = name,
                       .id = (uint8_t)id,
                       .stamped = d->stamped,
                       .len = (uint16_t)d->len,
                       .at = payloads_len,
                       .tick = fake_clock};
    memcpy(payloads + payloads_len, d->bytes, d->len);
    payloads_len += d->len;
}

// ---- rows of the schema

// Draws a field: a local variable, and its bytes.
#define DRAW_TIME(f, kind, which) lay_stamp(&d);
#define DRAW_OBJ(f, kind, which)                                                                   \
    const void *const f = pointer(WF_KIND_##kind);                                                 \
    lay(&d, (uintptr_t)f, WF_CFG_OBJ_SIZE);
#define DRAW_FUN(f, kind, which)                                                                   \
    wf_function const f = WF_FUN((uintptr_t)rnd64());                                              \
    lay(&d, (uintptr_t)f, WF_CFG_FUN_SIZE);
#define DRAW_N(f, bytes)                                                                           \
    const uint32_t f = number();                                                                   \
    lay(&d, f, bytes);
#define DRAW_SIG(f, kind, which)   DRAW_N(f, WF_CFG_SIG_SIZE)
#define DRAW_EVS(f, kind, which)   DRAW_N(f, WF_CFG_EVT_SIZE)
#define DRAW_EQC(f, kind, which)   DRAW_N(f, WF_CFG_QUEUE_CTR_SIZE)
#define DRAW_MPC(f, kind, which)   DRAW_N(f, WF_CFG_POOL_CTR_SIZE)
#define DRAW_MPS(f, kind, which)   DRAW_N(f, WF_CFG_POOL_BLK_SIZE)
#define DRAW_TEC(f, kind, which)   DRAW_N(f, WF_CFG_TIMEEVT_CTR_SIZE)
#define DRAW_WHICH(f, kind, which) lay(&d, which, 1);
#define DRAW_CORE(f, kind, which)  lay(&d, wf_port_core(), 1);
#define DRAW_U8(f, kind, which)                                                                    \
    const uint8_t f = WF_KIND_##kind == WF_KIND_SELECT ? (which) : byte(WF_KIND_##kind);           \
    lay(&d, f, 1);
#define DRAW_U16(f, kind, which)                                                                   \
    const uint16_t f = half(WF_KIND_##kind);                                                       \
    lay(&d, f, 2);
#define DRAW_U32(f, kind, which)                                                                   \
    const uint32_t f = rnd(4) ? number() : (uint32_t)-number();                                    \
    lay(&d, f, 4);
#define DRAW_U64(f, kind, which)                                                                   \
    const uint64_t f = rnd64();                                                                    \
    lay(&d, f, 8);
#define DRAW_BUILD(f, kind, which)                                                                 \
    static const uint8_t f[6] = {1, 2, 3, 4, 5, 6};                                                \
    lay_bytes(&d, f, 6);
#define DRAW_STR(f, kind, which)                                                                   \
    const char *const f = text();                                                                  \
    lay_bytes(&d, f, strlen(f) + 1);
#define DRAW_ITEMS(f, kind, which)                                                                 \
    uint8_t f[4 * 255];                                                                            \
    for (unsigned i = 0; i < sizeof f; ++i) f[i] = (uint8_t)rnd(256);                              \
    lay_bytes(&d, f, (unsigned)f_size *f_num);
#define DRAW_ELEMS(f, kind, which)

#define ARG_TIME(f)
#define ARG_OBJ(f) , f
#define ARG_FUN(f) , f
#define ARG_SIG(f) , f
#define ARG_EVS(f) , f
#define ARG_EQC(f) , f
#define ARG_MPC(f) , f
#define ARG_MPS(f) , f
#define ARG_TEC(f) , f
#define ARG_WHICH(f)
#define ARG_CORE(f)
#define ARG_U8(f)    , f
#define ARG_U16(f)   , f
#define ARG_U32(f)   , f
#define ARG_U64(f)   , f
#define ARG_BUILD(f) , f
#define ARG_STR(f)   , f
#define ARG_ITEMS(f) , f
#define ARG_ELEMS(f)
#define ARG(name, type, kind) ARG_##type(f_##name)

// Calls a function with a list of arguments that begins with a comma, or is empty.
#define CALL(function, ...)                                                                        \
    CALL_25TH(__VA_ARGS__, R, R, R, R, R, R, R, R, R, R, R, R, R, R, R, R, R, R, R, R, R, R, R, A, \
              0)                                                                                   \
    (function, __VA_ARGS__)
#define CALL_25TH(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, ...)  \
    CALL_##y
#define CALL_R(function, first, ...) function(__VA_ARGS__)
#define CALL_A(function, first)      function()

// clang-format off
#define DRAW(name, type, kind) DRAW_##type(f_##name, kind, WHICH)
#define ROW(id, name, qs, group, layout, since, until, host, effect, qspy, mat, sentence)          \
    static void make_##name(void) {                                                                \
        enum { WHICH = WFI_WHICH_##host };                                                         \
        struct draft d;                                                                            \
        d.len = 0;                                                                                 \
        d.stamped = false;                                                                         \
        WF_FIELDS_##layout(DRAW)                                                                   \
        if (rnd(4)) {                                                                              \
            CALL(wfi_emit_##name, 0 WF_FIELDS_##layout(ARG));                                      \
        } else {                                                                                   \
            const uint32_t was = wf_port_lock();                                                   \
            CALL(wfi_held_##name, 0 WF_FIELDS_##layout(ARG));                                      \
            wf_port_unlock(was);                                                                   \
        }                                                                                          \
        note(#name, (id), &d);                                                                     \
    }
// clang-format on

// task_switch is made below, to know which task runs.
WF_RECORDS(ROW)

#define ROW_OF(id, name, qs, group, layout, since, until, ...)                                     \
    {make_##name, (id), (since) <= WF_CFG_QS_VERSION && WF_CFG_QS_VERSION <= (until)},
static const struct {
    void (*make)(void);
    uint8_t id;
    bool sent; // by targets of this version
} rows[] = {WF_RECORDS(ROW_OF)};
enum { ROWS = sizeof rows / sizeof *rows };

// Records that the recorder makes itself.
static bool is_internal(unsigned id) {
    return id == WF_RECORD_empty || id == WF_RECORD_target_info || id == WF_RECORD_sync ||
           id == WF_RECORD_packed || id == WF_RECORD_objects || id == WF_RECORD_log;
}

static void make_row(unsigned first, unsigned last) {
    unsigned i;
    do i = rnd(ROWS);
    while (!rows[i].sent || is_internal(rows[i].id) || rows[i].id < first || rows[i].id > last);
    rows[i].make();
}

static void make_a_switch(void) {
    struct draft d = {.len = 0};
    const void *task = any_object();
    const uint8_t reason = byte(WF_KIND_REASON), core = wf_port_core();
    lay_stamp(&d);
    lay(&d, (uintptr_t)task, WF_CFG_OBJ_SIZE);
    lay(&d, reason, 1);
    lay(&d, core, 1);
    WF_TASK_SWITCH(NULL, task, reason);
    running[core] = task;
    note("task_switch", WF_RECORD_task_switch, &d);
}

// ---- application records and logs

static void lay_element(struct draft *d, unsigned code, unsigned width, uint64_t v,
                        unsigned bytes) {
    lay(d, code | width << 4, 1);
    lay(d, v, bytes);
}

static void lay_text(struct draft *d, const char *p) {
    lay(d, WF_EL_str, 1);
    lay_bytes(d, p, strlen(p) + 1);
}

// In one call: of lengths that the compiler knows, or not.
static void make_at_once(void) {
    const unsigned id = WF_USER + rnd(25);
    struct draft d = {.len = 0};
    const uint32_t v = number();
    const void *const obj = any_object();
    lay_stamp(&d);
    switch (rnd(6)) {
    case 0:
        lay_element(&d, WF_EL_u8, 1, v, 1);
        WF_RECORD(id, 0, WF_U8(1, v));
        break;
    case 1:
        lay_element(&d, WF_EL_i16, 0, v, 2);
        lay_text(&d, "literal");
        lay_element(&d, WF_EL_u32, 15, v, 4);
        WF_RECORD(id, 0, WF_I16(0, v), WF_STR("literal"), WF_U32(WF_HEX, v));
        break;
    case 2:
        lay_element(&d, WF_EL_u64, 2, v, 8);
        lay_element(&d, WF_EL_obj, 0, (uintptr_t)obj, WF_CFG_OBJ_SIZE);
        WF_RECORD(id, 0, WF_U64(2, v), WF_OBJ(obj));
        break;
    case 3:
        lay_text(&d, "of 22 bytes with zero");
        WF_RECORD(id, 0, WF_STR("of 22 bytes with zero"));
        break;
    case 4: {
        const char *const t = text();
        lay_element(&d, WF_EL_u8, 0, v, 1);
        lay_text(&d, t);
        WF_RECORD(id, 0, WF_U8(0, v), WF_STR(t));
        break;
    }
    default: {
        uint8_t bytes[255];
        const uint8_t len = (uint8_t)rnd(rnd(3) ? 20 : 256);
        for (unsigned i = 0; i < len; ++i) bytes[i] = (uint8_t)(rnd(3) ? rnd(256) : 0x7D);
        lay_element(&d, WF_EL_sig, 0, v, WF_CFG_SIG_SIZE);
        lay(&d, (uintptr_t)obj, WF_CFG_OBJ_SIZE);
        lay_element(&d, WF_EL_mem, 0, len, 1);
        lay_bytes(&d, bytes, len);
        WF_RECORD(id, 0, WF_SIG(v, obj), WF_MEM(bytes, len));
    }
    }
    note("user", id, &d);
}

// Element by element, up to more than the longest record.
static void make_in_steps(void) {
    const unsigned id = WF_USER + rnd(25);
    struct draft d = {.len = 0};
    const bool held = rnd(3) == 0;
    const uint32_t was = held ? wf_port_lock() : wfi_begin(id);
    if (held) wfi_begin_held(id);
    lay_stamp(&d);
    for (uint32_t n = rnd(rnd(4) ? 6 : rnd(3) ? 30 : 200); n && d.len < 1200; --n) {
        const uint64_t v = rnd64() >> rnd(64);
        switch (rnd(5)) {
        case 0: wf_u8(3, (uint8_t)v), lay_element(&d, WF_EL_u8, 3, v, 1); break;
        case 1: wf_i32(0, (int32_t)v), lay_element(&d, WF_EL_i32, 0, v, 4); break;
        case 2: wf_u64(1, v), lay_element(&d, WF_EL_u64, 1, v, 8); break;
        case 3: {
            const char *const t = text();
            if (d.len + strlen(t) > 1200) break;
            wf_str(t), lay_text(&d, t);
            break;
        }
        default: wf_enum(2, (uint8_t)v), lay_element(&d, WF_EL_i8, 8 | 2, v, 1);
        }
    }
    if (held) {
        wfi_end_held();
        wf_port_unlock(was);
    } else {
        wfi_end(was);
    }
    note("user", id, &d);
}

static void make_a_log(void) {
    const char *const format = (const char *)(uintptr_t)0x7F0120000010u; // not read here
    struct draft d = {.len = 0};
    const uint32_t v = number();
    lay_stamp(&d);
    lay_element(&d, WF_EL_obj, 0, (uintptr_t)format, WF_CFG_OBJ_SIZE);
    switch (rnd(3)) {
    case 0: WF_LOG(format); break;
    case 1:
        lay_element(&d, WF_EL_i32, 0, v, 4);
        WF_LOG(format, WF_I32(0, v));
        break;
    default: {
        const char *const t = text();
        lay_element(&d, WF_EL_i32, 0, v, 4);
        lay_text(&d, t);
        WF_LOG(format, WF_I32(0, v), WF_STR(t));
    }
    }
    note("log", WF_RECORD_log, &d);
}

// ---- any record

static void pass_time(void) {
    static const uint64_t steps[] = {1, 62, 63, 64, 65, 16383, 16384, 16385};
    uint64_t step = rnd(4) ? rnd(60) : steps[rnd(sizeof steps / sizeof *steps)];
    if (!vary.still && !between && rnd(60) == 0) {
        const unsigned bits = WF_CFG_TIME_SIZE == 2 ? 15 : 22 + rnd(WF_CFG_TIME_SIZE == 8 ? 20 : 9);
        step = (UINT64_C(1) << bits) - 1 + rnd(3);
        if (rnd(4) == 0) step = (wf_stamp) ~(wf_stamp)0 - rnd(100) - LATER; // nearly always a wrap
        if (WF_CFG_TIME_SIZE == 8 && step >> 44) step = UINT32_MAX - 1 + rnd(4);
    }
    // A step of nearly the whole range of the stamp that does not wrap is not understood.
    const uint64_t most = (wf_stamp) ~(wf_stamp)0 / 16 * 15;
    if (step > most && (wf_stamp)(fake_clock + step) > (wf_stamp)fake_clock) step = most;
    fake_clock += step;
}

static void make_one(void) {
#ifdef FAKE_CORES
    if (vary.moves && rnd(5) == 0) fake_core = (uint8_t)rnd(CORES);
#endif
    pass_time();
    if (vary.oddities && rnd(vary.oddities) == 0) {
        switch (rnd(8)) {
        case 0: make_row(0, WF_USER_FIRST); break;
        case 1:
        case 2: make_in_steps(); break;
        case 3:
        case 4: make_at_once(); break;
        case 5: make_a_log(); break;
        default: make_row(WF_RECORD_task_create, WF_RECORD_counter);
        }
    } else if (rnd(4) == 0) {
        make_a_switch();
    } else {
        unsigned id;
        do id = 86 + rnd(5); // ready, interrupts, mutexes and semaphores are the most frequent
        while (id == WF_RECORD_task_switch);
        if (rnd(3))
            make_row(id, id);
        else
            make_row(WF_RECORD_mutex_create, WF_RECORD_counter);
    }
}

#ifdef FAKE_PREEMPT
int fake_preempt_in;
void (*fake_preempt)(void);
#endif

// One record, which an interrupt may precede with one of its own at any critical section.
#ifdef FAKE_PREEMPT
static void interrupt(void) {
    between = true;
    make_one();
    between = false;
}
#endif

static void make(void) {
#ifdef FAKE_PREEMPT
    fake_preempt = interrupt;
    fake_preempt_in = rnd(4) ? 0 : 1 + (int)rnd(6);
    make_one();
    fake_preempt_in = 0;
#else
    make_one();
#endif
}

// ---- the recorder

static void begin(uint32_t ring_size, uint32_t hold) {
    config = (struct wf_config){.ring = ring,
                                .ring_size = ring_size,
                                .hz = 1000000,
                                .build_id = 7,
                                .built = {7, 8, 9, 3, 2, 24},
                                .hold = hold};
    fake_lock_depth = fake_lock_errors = 0;
    fake_clock = rnd(WF_CFG_TIME_SIZE == 2 ? 60000 : 1000000);
    fake_clock_step = 0;
    memset(running, 0, sizeof running);
    payloads_len = refused_seen = 0;
    stream_len = 0;
#ifdef FAKE_CORES
    fake_core = 0;
#endif
    assert_true(wf_start(&config));
    wf_filter(WF_GRP_ALL);
    for (made_last = 0; made_last < now_count();) made[++made_last].name = NULL;
}

// Reads up to `most` bytes into the stream, in blocks of random lengths.
static void read_some(uint32_t most) {
    while (most) {
        const uint8_t *block;
        uint32_t len;
#ifdef FAKE_PREEMPT
        fake_preempt = make_one;
        fake_preempt_in = rnd(3) ? 0 : 1 + (int)rnd(12);
#endif
        len = wf_get_block(&block, 1 + rnd(rnd(2) ? 20 : 300));
        if (len > most) len = most;
        assert_true(stream_len + len <= sizeof stream);
        memcpy(stream + stream_len, block, len);
        stream_len += len;
        wf_block_done(len);
#ifdef FAKE_PREEMPT
        fake_preempt_in = 0;
#endif
        if (!len) return;
        most -= len;
    }
}

static void read_all(void) {
    struct wf_status s;
    unsigned times = 0;
    do { // interrupts may make more while it reads
        wf_flush();
        read_some(UINT32_MAX);
        wf_get_status(&s);
        assert_true(++times < 100);
    } while (s.used);
}

#endif
