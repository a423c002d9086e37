// SPDX-License-Identifier: MIT
// The UART driver on a simulated UART whose readiness, interrupts and DMA come at random moments.
// Its output is compared with that of wf_get_byte in a second run of the same program.

#include "wf_port_test.h"

#include "wf_uart.h"

enum style { POLL, LEVEL, EDGE, DMA }; // EDGE: the interrupt comes only when a byte has been sent
enum { STEPS = 3000 };

static uint8_t ring[1 << 18], out[1 << 20], again[1 << 20], in[4096];
static uint32_t taken[STEPS]; // bytes that had left the recorder after each step
static struct wf_uart uart;

static struct {
    enum style style;
    unsigned depth, filled; // the transmit FIFO
    size_t sent;
    bool irq_on, irq_pending, in_isr;
    const uint8_t *dma; // in progress; null: none
    uint32_t dma_len, dma_longest;
    uint8_t dma_was[4096];
    bool records_too; // a higher-priority interrupt records in the middle of the driver
    uint8_t rx[64];
    unsigned rx_len, rx_at;
    unsigned irq_switched_on, dma_started;
} hw;

static void interrupt(void) {
    hw.in_isr = true;
    hw.irq_pending = false;
    wf_uart_tx_isr(&uart);
    hw.in_isr = false;
}

// A level-driven interrupt repeats while it is enabled and there is space.
static void level_interrupts(void) {
    for (unsigned n = 0; hw.style == LEVEL && hw.irq_on && hw.filled < hw.depth; ++n) {
        assert_in_range(n, 0, 3); // otherwise it would never end
        interrupt();
    }
}

static bool tx_ready(void *ctx) {
    assert_ptr_equal(ctx, &hw);
    return hw.filled < hw.depth;
}

static void tx_put(void *ctx, uint8_t byte) {
    (void)ctx;
    assert_true(hw.filled < hw.depth);
    ++hw.filled;
    out[hw.sent++] = byte;
    if (hw.records_too && !world(60)) record();
}

static bool rx_get(void *ctx, uint8_t *byte) {
    (void)ctx;
    if (hw.rx_at == hw.rx_len) return false;
    *byte = hw.rx[hw.rx_at++];
    return true;
}

static void tx_irq(void *ctx, bool on) {
    (void)ctx;
    hw.irq_switched_on += on;
    // The same interrupt for another reason, e.g. received bytes, just before it is switched on; so
    // often that it may send everything.
    for (uint32_t k = on && !hw.in_isr && !world(4) ? world(200) : 0; k; --k) {
        hw.filled = 0;
        interrupt();
    }
    hw.irq_on = on;
    if (hw.in_isr) return; // it comes after this one
    level_interrupts();    // at once: before the code that switched it on returns
    if (on && hw.style == EDGE && hw.irq_pending) interrupt();
}

static void dma_done(void) {
    assert_memory_equal(hw.dma, hw.dma_was, hw.dma_len); // the lent bytes have not changed
    memcpy(out + hw.sent, hw.dma, hw.dma_len);
    hw.sent += hw.dma_len;
    hw.dma = NULL;
    hw.in_isr = true;
    wf_uart_dma_done_isr(&uart);
    hw.in_isr = false;
}

static void dma_start(void *ctx, const uint8_t *bytes, uint32_t len) {
    (void)ctx;
    assert_null(hw.dma);
    assert_in_range(len, 1, hw.dma_longest);
    ++hw.dma_started;
    hw.dma = bytes;
    hw.dma_len = len;
    memcpy(hw.dma_was, bytes, len);
    if (hw.records_too && !world(4)) record();
    if (!hw.in_isr && !world(4)) dma_done(); // so fast that the kick has not returned
}

static unsigned received, refuse_from;
static bool receive_byte(uint8_t byte) {
    if (received >= refuse_from) return false;
    in[received++] = byte;
    return true;
}

static const struct wf_uart_ops ops = {tx_ready, tx_put, rx_get, tx_irq, dma_start};

static void idle(void) {
    switch (hw.style) {
    case POLL: wf_uart_poll(&uart); break;
    case LEVEL:
    case EDGE: wf_uart_kick(&uart); break;
    case DMA: wf_uart_dma_kick(&uart); break;
    }
}

// Time passes: bytes leave the FIFO, transfers end, interrupts come.
static void pass_time(unsigned bytes) {
    if (hw.style == DMA) {
        if (hw.dma && bytes) dma_done();
        return;
    }
    for (; bytes && hw.filled; --bytes) {
        --hw.filled;
        hw.irq_pending = true;
        if (hw.irq_on) interrupt();
    }
    level_interrupts();
}

static void set_up_hw(enum style style, uint32_t seed, struct wf_uart_config *config) {
    memset(&hw, 0, sizeof hw);
    uart = (struct wf_uart){.config = config};
    hw.style = style;
    hw.depth = 1 + seed % 16;
    hw.dma_longest = config->dma_max ? config->dma_max : sizeof hw.dma_was;
}

static bool style_has_fifo(void) { return hw.style != DMA; }
static uint32_t out_of_recorder(void) { return (uint32_t)hw.sent + uart.has_held; }

static void go_quiet(void) {
    for (size_t before = hw.sent + 1; before != hw.sent || hw.filled || hw.dma || uart.busy;) {
        before = hw.sent;
        pass_time(1000);
        idle(); // the transmitter is empty: no output now means that nothing is left
    }
}

// rare: one step in this number makes records.
static void run(uint32_t size, uint32_t seed, unsigned rare, bool records_too) {
    begin(ring, size, seed);
    for (unsigned i = 0; i < STEPS; ++i) {
        if (!rnd(rare)) {
            for (uint32_t k = rnd(6); k; --k) record();
        }
        hw.records_too = records_too;
        // Other code writes to the UART, or the other end stops the transmission.
        if (style_has_fifo() && !world(5)) hw.filled = hw.depth;
        if (world(3)) idle();
        if (world(3)) pass_time(world(2 * hw.depth));
        hw.records_too = false;
        taken[i] = out_of_recorder();
    }
    go_quiet();
    record(); // reports records refused during a loan at the end
    go_quiet();
    assert_int_equal(wf_get_byte(), -1);
}

// The same program; bytes are taken when the UART took them.
static size_t run_again(uint32_t size, uint32_t seed, unsigned rare) {
    size_t n = 0;
    begin(ring, size, seed);
    for (unsigned i = 0; i < STEPS; ++i) {
        if (!rnd(rare)) {
            for (uint32_t k = rnd(6); k; --k) record();
        }
        for (int b; n < taken[i] && (b = wf_get_byte()) >= 0;) again[n++] = (uint8_t)b;
    }
    n += drain(again + n, (unsigned)(sizeof again - n));
    record();
    return n + drain(again + n, (unsigned)(sizeof again - n));
}

static void same_bytes(enum style style, uint32_t size, unsigned rare) {
    for (uint32_t seed = 1; seed <= 20; ++seed) {
        struct wf_uart_config config = {
            .ops = &ops, .ctx = &hw, .dma_max = (uint16_t)(seed % 4 ? 1 + seed * 13 : 1000)};
        set_up_hw(style, seed, &config);
        run(size, seed, rare, false);
        assert_ledger(out, hw.sent);
        assert_int_equal(run_again(size, seed, rare), hw.sent);
        assert_memory_equal(out, again, hw.sent);
    }
}

static void exact_loss(enum style style) {
    uint64_t lost = 0;
    for (uint32_t seed = 1; seed <= 40; ++seed) {
        struct wf_uart_config config = {
            .ops = &ops, .ctx = &hw, .dma_max = (uint16_t)(seed % 4 ? 1 + seed : 0)};
        struct wf_status status;
        set_up_hw(style, seed, &config);
        run(150 + 37 * seed, seed, 2, true);
        assert_ledger(out, hw.sent);
        wf_get_status(&status);
        lost += status.lost;
    }
    assert_true(lost > 1000);
}

static void polling_sends_all_in_order(void **state) {
    (void)state;
    same_bytes(POLL, sizeof ring, 3);
    same_bytes(POLL, 400, 1); // with losses
    exact_loss(POLL);
}

static void level_driven_interrupts_send_all_in_order(void **state) {
    (void)state;
    same_bytes(LEVEL, sizeof ring, 3);
    same_bytes(LEVEL, sizeof ring, 50); // many starts and stops
    same_bytes(LEVEL, 400, 1);
    exact_loss(LEVEL);
}

static void edge_driven_interrupts_send_all_in_order(void **state) {
    (void)state;
    same_bytes(EDGE, sizeof ring, 3);
    same_bytes(EDGE, sizeof ring, 50);
    same_bytes(EDGE, 400, 1);
    exact_loss(EDGE);
}

static void dma_sends_all_in_order(void **state) {
    (void)state;
    // A loan pushes out other records than single bytes do: compare the bytes only without losses.
    same_bytes(DMA, sizeof ring, 3);
    same_bytes(DMA, sizeof ring, 50);
    exact_loss(DMA);
}

static void dma_takes_all_there_is_without_a_limit(void **state) {
    struct wf_uart_config config = {.ops = &ops, .ctx = &hw};
    (void)state;
    set_up_hw(DMA, 1, &config);
    begin(ring, sizeof ring, 1);
    drain_all(); // a SYNC grows when it is sent
    for (int i = 0; i < 20; ++i) record();
    struct wf_status status;
    wf_get_status(&status);
    hw.in_isr = true; // no interrupt before the check
    wf_uart_dma_kick(&uart);
    assert_true(hw.dma_len > status.used); // escapes
    wf_get_status(&status);
    assert_int_equal(status.used, hw.dma_len); // all of it is in the stage
    wf_uart_dma_kick(&uart);                   // one is in progress
    assert_int_equal(hw.dma_started, 1);
    dma_done();
    assert_false(uart.busy);
    wf_uart_dma_done_isr(&uart); // of another driver
    assert_int_equal(hw.dma_started, 1);
}

static void nothing_to_send_causes_no_interrupt(void **state) {
    struct wf_uart_config config = {.ops = &ops, .ctx = &hw};
    (void)state;
    set_up_hw(LEVEL, 3, &config);
    begin(ring, sizeof ring, 1);
    drain_all();
    for (int i = 0; i < 5; ++i) wf_uart_kick(&uart);
    hw.in_isr = true;
    wf_uart_tx_isr(&uart); // for another reason
    assert_int_equal(hw.irq_switched_on, 0);
    record();
    wf_uart_tx_isr(&uart); // this is not the reader: kick is, and it may be running
    assert_int_equal(hw.sent, 0);
}

static void received_bytes_reach_the_receiver(void **state) {
    struct wf_uart_config config = {.ops = &ops, .ctx = &hw, .rx = receive_byte};
    (void)state;
    begin(ring, sizeof ring, 1);
    drain_all();
    set_up_hw(POLL, 1, &config);
    received = 0;
    refuse_from = sizeof in;
    for (unsigned i = 0; i < sizeof hw.rx; ++i) hw.rx[i] = (uint8_t)(i * 7);
    hw.rx_len = 10;
    wf_uart_poll(&uart);
    assert_int_equal(received, 10);
    hw.rx_len = sizeof hw.rx;
    wf_uart_poll(&uart);
    assert_int_equal(received, sizeof hw.rx);
    assert_memory_equal(in, hw.rx, sizeof hw.rx);
    wf_uart_rx_isr(&uart, 0xAA);
    assert_int_equal(in[sizeof hw.rx], 0xAA);

    // A full receiver blocks nothing: the bytes are lost, like in the chip's overrun.
    refuse_from = received;
    hw.rx_at = 0;
    wf_uart_poll(&uart);
    assert_int_equal(hw.rx_at, hw.rx_len);

    // Transmit only.
    config.rx = NULL;
    hw.rx_at = 0;
    wf_uart_poll(&uart);
    wf_uart_rx_isr(&uart, 1);
    assert_int_equal(hw.rx_at, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(polling_sends_all_in_order),
        cmocka_unit_test(level_driven_interrupts_send_all_in_order),
        cmocka_unit_test(edge_driven_interrupts_send_all_in_order),
        cmocka_unit_test(dma_sends_all_in_order),
        cmocka_unit_test(dma_takes_all_there_is_without_a_limit),
        cmocka_unit_test(nothing_to_send_causes_no_interrupt),
        cmocka_unit_test(received_bytes_reach_the_receiver),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
