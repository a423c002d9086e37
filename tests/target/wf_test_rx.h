// SPDX-License-Identifier: MIT
// Shared by the tests of the receiver: hooks that log their calls, commands in frames, and the
// answers as text.
#ifndef WF_TEST_RX_H
#define WF_TEST_RX_H

#include "wf_test.h"

enum { RX_RING = 300 };

static uint8_t ring[1 << 14], rx_ring[RX_RING];
static uint8_t seq;
static char log_text[256];

static uint8_t memory[64], secret[16];
static uint32_t machine, active;

// ---- hooks that log their calls ----

static void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
static inline void note(const char *format, ...) {
    va_list args;
    size_t n = strlen(log_text);
    va_start(args, format);
    vsnprintf(log_text + n, sizeof log_text - n, format, args);
    va_end(args);
}

static inline void on_reset(void) { note("reset;"); }
static inline void on_command(uint8_t id, uint32_t p1, uint32_t p2, uint32_t p3) {
    note("command %u %lx %lx %lx;", id, (unsigned long)p1, (unsigned long)p2, (unsigned long)p3);
}
static inline void on_tick(uint8_t rate) { note("tick %u;", rate); }

static inline bool on_event(const struct wf_rx_event *e) {
    uint8_t p[200];
    uint32_t n = wf_rx_copy(p, 0, sizeof p);
    note("event %u %lu %s:", e->to, (unsigned long)e->sig,
         e->object == &machine ? "machine" : (e->object == &active ? "active" : "-"));
    for (uint32_t i = 0; i < n; ++i) note("%02x", p[i]);
    note(";");
    assert_int_equal(n, e->len);
    return e->sig != 13;
}

static inline int id_of(const void *a) { return a == &active ? 5 : -1; }

static inline bool on_query(enum wf_object_kind kind, const void *object) {
    if (kind != WF_OBJ_SM) return false;
    wfi_emit_query_sm((uint8_t)kind, object, WF_FUN(on_reset));
    return true;
}

static const struct wf_rx_hooks hooks = {.reset = on_reset,
                                         .command = on_command,
                                         .tick = on_tick,
                                         .event = on_event,
                                         .id_of = id_of,
                                         .query = on_query};
static const struct wf_range ranges[] = {{memory, sizeof memory, true}, {secret, 8, false}};
static const struct wf_rx_config config = {.ring = rx_ring,
                                           .ring_size = sizeof rx_ring,
                                           .event_max = 40,
                                           .hooks = &hooks,
                                           .ranges = ranges,
                                           .range_count = 2};

static inline void fresh(void) {
    start(ring, sizeof ring);
    wf_rx_start(&config);
    drain_all();
    wf_set_filters((const uint8_t[16]){0}, NULL);
    seq = 0;
    log_text[0] = 0;
}

static inline bool put_escaped(uint8_t byte) {
    if (byte != 0x7D && byte != 0x7E) return wf_rx_put(byte);
    return wf_rx_put(0x7D) && wf_rx_put(byte ^ 0x20);
}

static inline void put_frame(uint8_t sequence, uint8_t number, const void *payload, unsigned len) {
    const uint8_t *p = payload;
    uint8_t sum = (uint8_t)(sequence + number);
    put_escaped(sequence);
    put_escaped(number);
    for (unsigned i = 0; i < len; ++i) {
        sum = (uint8_t)(sum + p[i]);
        put_escaped(p[i]);
    }
    put_escaped((uint8_t)~sum);
    wf_rx_put(0x7E);
}

static inline void command(uint8_t number, const void *payload, unsigned len) {
    put_frame(++seq, number, payload, len);
    wf_rx_parse();
}

// The answers: "ack 3", "error 4", "done 3", or a record's number, each with a semicolon.
static inline const char *answers(void) {
    static char text[4000];
    struct receiver r = {.len = 0};
    struct frame f;
    size_t n = 0;
    text[0] = 0;
    for (int b; (b = wf_get_byte()) >= 0;) {
        if (!receive(&r, (uint8_t)b, &f)) continue;
        const uint8_t *p = f.bytes + 2;
        if (f.bytes[1] == WF_ID_sync) continue;
        if (f.bytes[1] == WF_ID_rx_status)
            n += (size_t)snprintf(text + n, sizeof text - n, *p & 0x80 ? "error %u;" : "ack %u;",
                                  *p & 0x7F);
        else if (f.bytes[1] == WF_ID_target_done)
            n += (size_t)snprintf(text + n, sizeof text - n, "done %u;", p[WF_CFG_TIME_SIZE]);
        else
            n += (size_t)snprintf(text + n, sizeof text - n, "%u;", f.bytes[1]);
    }
    assert_int_equal(r.bad, 0);
    return text;
}

#define GIVES(number, payload, want)                                                               \
    do {                                                                                           \
        static const uint8_t wfi_p[] = payload;                                                    \
        command((number), wfi_p, sizeof wfi_p);                                                    \
        assert_string_equal(answers(), want);                                                      \
    } while (0)
#define P(...)                                                                                     \
    { __VA_ARGS__ }

static inline void did(const char *want) {
    assert_string_equal(log_text, want);
    log_text[0] = 0;
}

#endif
