// SPDX-License-Identifier: MIT
// Written only from the public layout of the control block. The debugger reads and writes memory at
// any moment, unseen by the CPU. Two rules follow: bytes are in the buffer before the offset
// includes them, and an offset written by the debugger is read once and checked before use.

#include "wf_rtt.h"

#include <stddef.h>

#include "wallfly/wf_recorder.h"

// The layout is fixed for 32-bit pointers: a wrong one does not compile.
typedef char wf_rtt_layout[sizeof(void *) != 4 || (sizeof(struct wf_rtt_channel) == 24 &&
                                                   offsetof(struct wf_rtt, up) == 24 &&
                                                   offsetof(struct wf_rtt, down) == 48)
                               ? 1
                               : -1];

// Full barrier; the other side is the debugger. It reads in bus order, so on one core this costs at
// most a barrier instruction.
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
    // Stored backwards, so that the image does not contain the id: a copy in RAM (initial data,
    // code that runs from RAM) would be taken for a control block. volatile keeps the stores single
    // and in this order: as words they would be constants that contain parts of the id side by
    // side.
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

// Returns the bytes in one piece that may be written at `write`.
static uint32_t room(uint32_t size, uint32_t write, uint32_t read) {
    if (read > write) return read - write - 1;
    return size - write - (read == 0 ? 1 : 0); // the byte before `read` stays free
}

static void move_up(struct wf_rtt_channel *c) {
    // volatile: byte by byte without a call of memcpy, which the image may not have.
    volatile uint8_t *buffer = c->buffer;
    for (;;) {
        uint32_t write = c->write, read = c->read;
        if (read >= c->size) return; // not from a working debugger
        const uint8_t *block = NULL;
        uint32_t max = room(c->size, write, read);
        uint32_t len = max ? wf_get_block(&block, max) : 0;
        if (!len) return;
        in_order(); // the debugger has finished with this room before it moves `read`
        for (uint32_t i = 0; i < len; ++i) buffer[write + i] = block[i];
        wf_block_done(len);
        in_order(); // the bytes are stored before the debugger sees `write` move
        c->write = write + len == c->size ? 0 : write + len;
    }
}

static void move_down(struct wf_rtt_channel *c, bool (*rx)(uint8_t byte)) {
    const volatile uint8_t *buffer = c->buffer;
    uint32_t write = c->write, read = c->read;
    if (write >= c->size) return; // not from a working debugger
    in_order();                   // the debugger has written the bytes before it moved `write`
    for (bool more = true; more && read != write;) {
        more = rx(buffer[read]);
        if (++read == c->size) read = 0;
    }
    in_order(); // the bytes are read before the debugger sees `read` move and reuses their room
    c->read = read;
}

void wf_rtt_poll(struct wf_rtt *rtt, bool (*rx)(uint8_t byte)) {
    move_up(&rtt->up);
    if (rx && rtt->down_count) move_down(&rtt->down, rx);
}
