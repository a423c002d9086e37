// SPDX-License-Identifier: MIT
// The RTT control block against a model of the debugger that uses only the public layout, not our
// header: it searches RAM for the id and reads and writes the channels in chunks of any size.

#include "wf_port_test.h"

#include "wf_rtt.h"

enum { RAM_SIZE = 1 << 15, POINTER = sizeof(void *), CHANNEL_LEN = 2 * POINTER + 16, DOWN_MAX = 9 };

static union {
    uint8_t bytes[RAM_SIZE];
    uint64_t align;
} ram;
static uint8_t ring[1 << 18], out[1 << 20], again[1 << 20];
static size_t sent;

// ---- the debugger ----

struct channel {
    uint8_t *base, *buffer; // base: address of the descriptor
    uint32_t size;
};
struct debugger {
    int32_t ups, downs;
    struct channel up, down;
};

static uint32_t get(const struct channel *c, unsigned field) {
    uint32_t v;
    memcpy(&v, c->base + 2 * POINTER + 4 * field, 4);
    return v;
}
static void set(const struct channel *c, unsigned field, uint32_t v) {
    memcpy(c->base + 2 * POINTER + 4 * field, &v, 4);
}
enum { SIZE, WRITE, READ, FLAGS }; // fields after the pointers

static struct channel channel_at(uint8_t *base) {
    struct channel c = {.base = base};
    memcpy(&c.buffer, base + POINTER, POINTER);
    c.size = get(&c, SIZE);
    return c;
}

// Returns the number of control blocks in RAM; *d gets the last one.
static unsigned search(struct debugger *d) {
    static const char text[16] = "SEGGER RTT";
    unsigned found = 0;
    for (unsigned at = 0; at + 24 + 2 * CHANNEL_LEN <= RAM_SIZE; ++at) {
        uint8_t *p = ram.bytes + at;
        if (memcmp(p, text, sizeof text) != 0) continue;
        ++found;
        memcpy(&d->ups, p + 16, 4);
        memcpy(&d->downs, p + 20, 4);
        d->up = channel_at(p + 24);
        if (d->downs) d->down = channel_at(p + 24 + CHANNEL_LEN * d->ups);
    }
    return found;
}

static void read_up(const struct channel *c, uint32_t max) {
    uint32_t write = get(c, WRITE), read = get(c, READ);
    assert_true(write < c->size);
    for (; max && read != write; --max) {
        out[sent++] = c->buffer[read];
        c->buffer[read] = 0xEE; // already read: the target must not use it
        read = (read + 1) % c->size;
    }
    set(c, READ, read);
}

static uint32_t write_down(const struct channel *c, const uint8_t *bytes, uint32_t len) {
    uint32_t write = get(c, WRITE), read = get(c, READ), n = 0;
    assert_true(read < c->size);
    for (; n < len && (write + 1) % c->size != read; ++n) {
        c->buffer[write] = bytes[n];
        write = (write + 1) % c->size;
    }
    set(c, WRITE, write);
    return n;
}

// ---- the target ----

static uint8_t received[1 << 16];
static size_t received_len;
static uint32_t refuse; // one byte in this number is refused; 0: none

static bool rx(uint8_t byte) {
    if (refuse && !world(refuse)) return false;
    received[received_len++] = byte;
    return true;
}

// Places the control block and its buffers anywhere in RAM, between guards.
static struct wf_rtt *set_up(struct debugger *d, uint32_t up_size, uint32_t down_size) {
    uint8_t *up = ram.bytes + 4096 + world(100), *down = ram.bytes + 20000 + world(100);
    struct wf_rtt *rtt = (void *)(ram.bytes + 8 * world(300));
    memset(&ram, 0xEE, sizeof ram);
    sent = received_len = 0;
    assert_int_equal(search(d), 0);
    wf_rtt_init(rtt, "wallfly", up, up_size, down_size ? down : NULL, down_size);
    assert_int_equal(search(d), 1);
    assert_int_equal(d->ups, 1);
    assert_int_equal(d->downs, down_size ? 1 : 0);
    assert_ptr_equal(d->up.buffer, up);
    assert_int_equal(d->up.size, up_size);
    assert_int_equal(get(&d->up, FLAGS), 0);
    const char *name;
    memcpy(&name, d->up.base, sizeof name);
    assert_string_equal(name, "wallfly");
    if (down_size) {
        assert_ptr_equal(d->down.buffer, down);
        assert_int_equal(d->down.size, down_size);
    }
    return rtt;
}

static void assert_guards(const struct debugger *d) {
    assert_int_equal(d->up.buffer[-1], 0xEE);
    assert_int_equal(d->up.buffer[d->up.size], 0xEE);
}

static void the_block_is_made_last_and_once(void **state) {
    struct debugger d;
    (void)state;
    world_seed = 1;
    struct wf_rtt *rtt = set_up(&d, 64, 16);
    uint8_t *start = (uint8_t *)rtt;
    for (unsigned i = 10; i < 16; ++i) assert_int_equal(start[i], 0);
    set(&d.up, READ, 5); // left by an earlier run
    set(&d.down, WRITE, 7);
    wf_rtt_init(rtt, "again", d.up.buffer, 64, NULL, 0);
    assert_int_equal(search(&d), 1);
    assert_int_equal(d.downs, 0);
    assert_int_equal(get(&d.up, READ), 0);
    wf_rtt_poll(rtt, rx); // without a down channel
    assert_int_equal(received_len, 0);
}

static void all_bytes_come_up_in_order(void **state) {
    (void)state;
    for (uint32_t seed = 1; seed <= 60; ++seed) {
        struct debugger d;
        bool lossy = seed % 2;
        uint32_t size = lossy ? 300 : sizeof ring;
        begin(ring, size, seed);
        struct wf_rtt *rtt = set_up(&d, 2 + world(seed % 3 ? 40 : 3000), 0);
        for (unsigned i = 0; i < 2000; ++i) {
            for (uint32_t k = rnd(3); k; --k) record();
            if (world(2)) wf_rtt_poll(rtt, NULL);
            if (world(2)) read_up(&d.up, world(2 * d.up.size));
        }
        record();
        for (size_t before = sent + 1; before != sent;) {
            before = sent;
            wf_rtt_poll(rtt, NULL);
            read_up(&d.up, UINT32_MAX);
        }
        assert_guards(&d);
        assert_ledger(out, sent);
        if (lossy) continue; // the lost records depend on the time of the reads
        begin(ring, size, seed);
        for (unsigned i = 0; i < 2000; ++i) {
            for (uint32_t k = rnd(3); k; --k) record();
        }
        record();
        assert_int_equal(drain(again, sizeof again), sent);
        assert_memory_equal(out, again, sent);
    }
}

static void a_full_buffer_holds_one_less_and_waits(void **state) {
    struct debugger d;
    (void)state;
    begin(ring, sizeof ring, 7);
    drain_all(); // a SYNC grows when it is sent
    struct wf_rtt *rtt = set_up(&d, 50, 0);
    for (int i = 0; i < 30; ++i) record();
    for (int i = 0; i < 5; ++i) wf_rtt_poll(rtt, NULL);
    assert_int_equal(get(&d.up, WRITE), 49);
    read_up(&d.up, 10);
    wf_rtt_poll(rtt, NULL); // across the end of the buffer
    assert_int_equal(get(&d.up, WRITE), 9);
    assert_guards(&d);
}

static void bytes_go_down_in_order(void **state) {
    static uint8_t commands[20000];
    (void)state;
    for (uint32_t size = 2; size <= DOWN_MAX; ++size) {
        struct debugger d;
        begin(ring, sizeof ring, size);
        struct wf_rtt *rtt = set_up(&d, 64, size);
        refuse = 0;
        for (unsigned i = 0; i < sizeof commands; ++i) commands[i] = (uint8_t)world(256);
        for (uint32_t at = 0; at < sizeof commands;) {
            uint32_t len = world(2 * DOWN_MAX), left = (uint32_t)sizeof commands - at;
            at += write_down(&d.down, commands + at, len < left ? len : left);
            if (world(2)) wf_rtt_poll(rtt, rx);
            if (!world(20)) wf_rtt_poll(rtt, NULL); // transmit only: the bytes stay
        }
        wf_rtt_poll(rtt, rx);
        assert_int_equal(received_len, sizeof commands);
        assert_memory_equal(received, commands, sizeof commands);
    }
}

static void a_full_receiver_keeps_the_rest_waiting(void **state) {
    struct debugger d;
    (void)state;
    world_seed = 3;
    begin(ring, sizeof ring, 3);
    struct wf_rtt *rtt = set_up(&d, 64, 16);
    assert_int_equal(write_down(&d.down, (const uint8_t *)"abc", 3), 3);
    refuse = 1; // all bytes
    wf_rtt_poll(rtt, rx);
    assert_int_equal(get(&d.down, READ), 1);
    refuse = 0;
    wf_rtt_poll(rtt, rx);
    assert_int_equal(received_len, 2);
    assert_memory_equal(received, "bc", 2);
}

static void offsets_out_of_range_move_nothing(void **state) {
    struct debugger d;
    (void)state;
    begin(ring, sizeof ring, 4);
    struct wf_rtt *rtt = set_up(&d, 64, 16);
    set(&d.up, READ, 64);
    set(&d.down, WRITE, 16);
    wf_rtt_poll(rtt, rx);
    assert_int_equal(get(&d.up, WRITE), 0);
    assert_int_equal(received_len, 0);
    set(&d.up, READ, UINT32_MAX);
    wf_rtt_poll(rtt, rx);
    assert_int_equal(get(&d.up, WRITE), 0);
    assert_guards(&d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_block_is_made_last_and_once),
        cmocka_unit_test(all_bytes_come_up_in_order),
        cmocka_unit_test(a_full_buffer_holds_one_less_and_waits),
        cmocka_unit_test(bytes_go_down_in_order),
        cmocka_unit_test(a_full_receiver_keeps_the_rest_waiting),
        cmocka_unit_test(offsets_out_of_range_move_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
