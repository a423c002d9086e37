// SPDX-License-Identifier: MIT
// Frames from the host that are damaged, too many for the ring, or random: each has its answer or
// error.

#include "wf_test_rx.h"

static void bad_frames(void **state) {
    (void)state;
    fresh();
    put_frame(2, 3, "", 1); // a gap; executed anyway
    wf_rx_parse();
    assert_string_equal(answers(), "error 42;ack 3;done 3;");
    seq = 2;
    GIVES(3, P(0), "ack 3;done 3;");
    wf_rx_put(9);
    wf_rx_put(9);
    wf_rx_put(9);
    wf_rx_put(0x7E);
    wf_rx_parse();
    assert_string_equal(answers(), "error 41;error 50;");
    wf_rx_put(0x7E);
    wf_rx_parse();
    assert_string_equal(answers(), "error 41;error 50;");
    wf_rx_put(0xFF); // a valid checksum, but too short for a command
    wf_rx_put(0x7E);
    wf_rx_parse();
    assert_string_equal(answers(), "error 47;");
    GIVES(3, P(0), "ack 3;done 3;");
    put_frame(++seq, 3, "", 1); // cut by an escape before the flag
    // a frame longer than the ring
    wf_rx_parse();
    answers();
    for (unsigned i = 0; i < 3 * RX_RING; ++i) {
        wf_rx_put((uint8_t)(i & 0x3F));
        wf_rx_parse();
    }
    wf_rx_put(0x7E);
    wf_rx_parse();
    assert_string_equal(answers(), "error 41;error 50;");
    GIVES(3, P(0), "ack 3;done 3;");
}

// The ring overflows: the frame with the gap is bad, those before and after it are executed.
static void overruns(void **state) {
    (void)state;
    fresh();
    unsigned fit = 0;
    assert_int_equal(wf_rx_free(), RX_RING - 1);
    while (wf_rx_free() > 20) {
        put_frame(++seq, 3, "", 1);
        ++fit;
    }
    uint8_t payload[60] = {1};
    put_frame(++seq, 1, payload, sizeof payload);
    wf_rx_parse();
    const char *text = answers();
    for (unsigned i = 0; i < fit; ++i, text += strlen("ack 3;done 3;")) {
        assert_memory_equal(text, "ack 3;done 3;", strlen("ack 3;done 3;"));
    }
    assert_string_equal(text, "");
    wf_rx_put(0x7E); // the flag was lost too
    wf_rx_parse();
    assert_string_equal(answers(), "error 41;error 50;");
    --seq;
    GIVES(3, P(0), "ack 3;done 3;");
}

// ---- random frames ----

static uint32_t seed = 1;
static uint32_t rnd(uint32_t below) {
    seed = seed * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(seed >> 8) * below >> 24);
}

static bool random_event(const struct wf_rx_event *e) {
    uint8_t p[64];
    assert_true(e->len <= 40);
    assert_int_equal(wf_rx_copy(p, 0, sizeof p), e->len);
    return rnd(2) != 0;
}
static void nothing(void) {}
static void random_command(uint8_t id, uint32_t p1, uint32_t p2, uint32_t p3) {
    (void)id, (void)p1, (void)p2, (void)p3;
}
static void random_tick(uint8_t rate) { assert_true(rate < WF_CFG_MAX_RATES); }

// A million frames, valid, mutated and random: each well-formed one gets an answer, each bad one
// its error, and nothing is written outside of the allowed memory.
static void a_million_frames(void **state) {
    enum { FRAMES = 1000000 };
    static const struct wf_rx_hooks any = {.reset = nothing,
                                           .command = random_command,
                                           .tick = random_tick,
                                           .event = random_event,
                                           .id_of = id_of,
                                           .query = on_query};
    static struct wf_rx_config c;
    static struct { uint8_t before[64], reachable[64], after[64]; } area;
    static const struct wf_range area_range = {area.reachable, sizeof area.reachable, true};
    (void)state;
    if (WF_CFG_PEEK == 2) skip(); // with all memory accessible no address is wrong
    fresh();
    c = config;
    c.hooks = &any;
    c.ranges = &area_range;
    c.range_count = 1;
    wf_rx_start(&c);
    drain_all();
    memset(&area, 0xA5, sizeof area);
    struct receiver r = {.len = 0};
    unsigned long answered = 0, good = 0, made_bad = 0, errors_41 = 0;
    for (unsigned i = 0; i < FRAMES; ++i) {
        uint8_t frame[160], payload[64];
        unsigned len = rnd(4) ? rnd(12) : rnd(sizeof payload), n = 0, wire = 0;
        uint8_t number = rnd(8) ? (uint8_t)rnd(18) : (uint8_t)rnd(256),
                sum = (uint8_t)(++seq + number);
        for (unsigned k = 0; k < len; ++k) payload[k] = (uint8_t)(rnd(3) ? rnd(8) : rnd(256));
        if (number == 13 && len > 8 && rnd(2)) { // mostly existing objects
            uint8_t *places[] = {area.reachable, area.before, memory};
            uint64_t at = (uintptr_t)places[rnd(3)];
            for (unsigned k = 0; k < 8; ++k) payload[1 + k] = (uint8_t)(at >> 8 * k);
            payload[0] = (uint8_t)rnd(8);
        }
        const uint8_t head[2] = {seq, number};
        for (unsigned k = 0; k < len; ++k) sum = (uint8_t)(sum + payload[k]);
        for (unsigned k = 0; k < len + 3; ++k) {
            uint8_t byte = k < 2 ? head[k] : (k < len + 2 ? payload[k - 2] : (uint8_t)~sum);
            if (byte == 0x7D || byte == 0x7E) {
                frame[wire++] = 0x7D;
                byte ^= 0x20;
            }
            frame[wire++] = byte;
        }
        frame[wire++] = 0x7E;
        bool mutated = rnd(4) == 0;
        if (mutated) frame[rnd(wire - 1)] ^= (uint8_t)(1u << rnd(8));
        if (rnd(50) == 0) {
            mutated = true;
            wire -= rnd(wire);
        }
        for (n = 0; n < wire; ++n) {
            assert_true(wf_rx_put(frame[n]));
            if (rnd(40) == 0) wf_rx_parse();
        }
        wf_rx_parse();
        if (mutated) { // in any case the next frame must be received
            wf_rx_put(0x7E);
            wf_rx_parse();
            ++made_bad;
        } else {
            ++good;
        }
        struct frame f;
        bool answer = false;
        for (int b; (b = wf_get_byte()) >= 0;) {
            if (!receive(&r, (uint8_t)b, &f) || f.bytes[1] == WF_ID_sync) continue;
            bool error_42 = f.bytes[1] == WF_ID_rx_status && f.bytes[2] == (0x80 | 42);
            errors_41 += f.bytes[1] == WF_ID_rx_status && f.bytes[2] == (0x80 | 41);
            if (!error_42) answer = true;
        }
        answered += !mutated && answer;
        if (!mutated && number != 2) assert_true(answer); // RESET has none
        // The sequence continues from the last frame received, which a mutated one may not be.
        if (mutated) {
            put_frame(seq, 0, NULL, 0);
            wf_rx_parse();
            drain_all();
            r.len = r.sum = 0, r.esc = 0;
        }
    }
    assert_int_equal(r.bad, 0);
    assert_true(good > FRAMES / 2 && made_bad > FRAMES / 5 && errors_41 > FRAMES / 10);
    assert_true(answered > good - good / 8);
    unsigned changed = 0;
    for (unsigned i = 0; i < 64; ++i) {
        changed += area.reachable[i] != 0xA5;
        assert_int_equal(area.before[i], 0xA5);
        assert_int_equal(area.after[i], 0xA5);
    }
    assert_int_equal(changed > 0, WF_CFG_PEEK == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_frames),
        cmocka_unit_test(overruns),
        cmocka_unit_test(a_million_frames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
