// SPDX-License-Identifier: MIT
// Buffers in RAM that a debugger reads and writes while the CPU runs, in the public layout of RTT,
// so that OpenOCD, probe-rs, pyOCD and J-Link tools find and serve them. One up channel (the
// recorder's bytes) and one down channel (commands). Needs RAM that the debugger can access in the
// background and that is not behind a data cache of the CPU. The target cannot detect that a
// debugger connects. A new reader gets names from the table of names in the background; or at once
// by the command INFO, which wallfly sends when it attaches and which needs the down channel; or by
// wf_names_tell (docs/names-again.md).
//
//     static uint8_t up[1024], down[64];
//     static struct wf_rtt rtt;
//     wf_rtt_init(&rtt, "wallfly", up, sizeof up, down, sizeof down);
//     ...
//     wf_rtt_poll(&rtt, wf_rx_put); // in the idle loop
#ifndef WF_RTT_H
#define WF_RTT_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// What a writer does when the buffer is full. Only the debugger reads it; it has no effect here:
// bytes that do not fit wait in the recorder.
enum wf_rtt_mode { WF_RTT_SKIP = 0, WF_RTT_TRIM = 1, WF_RTT_BLOCK = 2 };

// A ring in which one byte stays free: equal offsets mean empty.
struct wf_rtt_channel {
    const char *name;
    uint8_t *buffer;
    uint32_t size;           // of the buffer; it holds one byte less
    volatile uint32_t write; // offset of the next byte to write; moved by the writer only
    volatile uint32_t read;  // offset of the next byte to read; moved by the reader only
    uint32_t flags;          // enum wf_rtt_mode in the lowest two bits
};

// The control block. The debugger searches RAM for id, so it must be in RAM and exist once.
struct wf_rtt {
    char id[16];
    int32_t up_count, down_count;
    struct wf_rtt_channel up, down; // arrays of up_count and down_count
};

// Initializes the control block. Before this the debugger finds none, even if RAM still contains
// that of an earlier run. down may be null and down_size 0: no down channel. Sizes are 2 or more;
// name and buffers must stay valid. Context: before wf_rtt_poll.
void wf_rtt_init(struct wf_rtt *rtt, const char *name, uint8_t *up, uint32_t up_size, uint8_t *down,
                 uint32_t down_size);

// Moves the recorder's bytes into the up buffer while there is room, and passes received bytes to
// rx (e.g. wf_rx_put; null: they stay in the buffer). If rx returns false it has dropped its byte;
// the bytes after it wait until the next call. Never waits. Context: one task, e.g. the idle loop.
void wf_rtt_poll(struct wf_rtt *rtt, bool (*rx)(uint8_t byte));

#ifdef __cplusplus
}
#endif
#endif
