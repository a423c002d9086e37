// SPDX-License-Identifier: MIT
// Written from the public layout of the control block alone. The debugger reads and writes memory
// behind the CPU's back, at any moment. Two rules follow: bytes are in the buffer before the offset
// says so, and an offset that the debugger wrote is looked at once and checked before use.

#include "wf_rtt.h"

#include <stddef.h>

#include "wallfly/wf_recorder.h"

// The layout is fixed where pointers have 32 bits: a wrong one does not compile.
typedef char wf_rtt_layout[sizeof(void *) != 4 || (sizeof(struct wf_rtt_channel) == 24 &&
                                                   offsetof(struct wf_rtt, up) == 24 &&
                                                   offsetof(struct wf_rtt, down) == 48)
                               ? 1
                               : -1];

// Nothing before it may be moved behind it; the other side is the debugger. It reads in bus order,
// so on one core this costs at most a barrier instruction.
static void in_order(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

static void channel_init(struct wf_rtt_channel *c, const char *name, uint8_t *buffer,
                         uint32_t size) {
    c->name = name;
    c->buffer = buffer;
    c->size = size;
    c->write = 0;
    c->read = 0;
    c->flags = WF_RTT_SKIP;
}

void wf_rtt_init(struct wf_rtt *rtt, const char *name, uint8_t *up, uint32_t up_size, uint8_t *down,
                 uint32_t down_size) {
    // Backwards, so that the image has the id nowhere: a copy of it in RAM (initial data, code that
    // runs from RAM) would be taken for a control block. volatile keeps the stores single and in
    // this order: as words they would be constants that hold the id in pieces side by side.
    static const char backwards[10] = {'T', 'T', 'R', ' ', 'R', 'E', 'G', 'G', 'E', 'S'};
    volatile char *id = rtt->id;
    for (unsigned i = 0; i < sizeof rtt->id; ++i) id[i] = 0;
    in_order();
    rtt->up_count = 1;
    rtt->down_count = down ? 1 : 0;
    channel_init(&rtt->up, name, up, up_size);
    channel_init(&rtt->down, name, down, down ? down_size : 0);
    in_order();
    for (unsigned i = 0; i < sizeof backwards; ++i) id[sizeof backwards - 1 - i] = backwards[i];
}

// Bytes in one piece that may be written at `write`.
static uint32_t room(uint32_t size, uint32_t write, uint32_t read) {
    if (read > write) return read - write - 1;
    return size - write - (read == 0 ? 1 : 0); // the byte in front of `read` stays free
}

static void move_up(struct wf_rtt_channel *c) {
    // volatile: byte by byte without a call of memcpy, which the image may not have.
    volatile uint8_t *buffer = c->buffer;
    for (;;) {
        uint32_t write = c->write, read = c->read;
        if (read >= c->size) return; // not from a sane debugger
        const uint8_t *block = NULL;
        uint32_t max = room(c->size, write, read);
        uint32_t len = max ? wf_get_block(&block, max) : 0;
        if (!len) return;
        in_order(); // the debugger is done with this room before it moves `read`
        for (uint32_t i = 0; i < len; ++i) buffer[write + i] = block[i];
        wf_block_done(len);
        in_order(); // the bytes are there before the debugger sees `write` move
        c->write = write + len == c->size ? 0 : write + len;
    }
}

static void move_down(struct wf_rtt_channel *c, bool (*rx)(uint8_t byte)) {
    const volatile uint8_t *buffer = c->buffer;
    uint32_t write = c->write, read = c->read;
    if (write >= c->size) return; // not from a sane debugger
    in_order();                   // the debugger has written the bytes before it moved `write`
    for (bool more = true; more && read != write;) {
        more = rx(buffer[read]);
        if (++read == c->size) read = 0;
    }
    in_order(); // the bytes are fetched before the debugger sees `read` move and uses their room
    c->read = read;
}

void wf_rtt_poll(struct wf_rtt *rtt, bool (*rx)(uint8_t byte)) {
    move_up(&rtt->up);
    if (rx && rtt->down_count) move_down(&rtt->down, rx);
}
