// SPDX-License-Identifier: MIT
// Ten records without an operating system, sent to a file on the host; then records the contents of
// a file of the host, to test the input direction.

#include "wallfly/wallfly.h"
#include "wf_semihosting.h"

int main(void);

static uint8_t ring[1024];
static const struct wf_config config = {.ring = ring, .ring_size = sizeof ring, .hz = 1000000};

// Returns 0 or the number of the failed step; it is the emulator's exit status.
int main(void) {
    const struct wf_transport *t = &wf_semihosting_transport;
    struct wf_semihosting link;
    const uint8_t *block = 0;
    uint8_t in[8];
    if (wf_semihosting_open(&link, "no/such/folder/trace.bin") == 0) return 2;
    if (wf_semihosting_open(&link, "trace.bin") != 0) return 3;
    if (t->read(&link, in, sizeof in) != 0) return 4; // no file to read yet
    wf_start(&config);
    wf_filter(WF_GRP_ALL);
    for (uint32_t i = 0; i < 10; ++i) WF_RECORD(WF_USER, 0, WF_U32(0, i * 1000003u));
    if (wf_semihosting_open_input(&link, "in.bin") != 0) return 5;
    if (t->read(&link, in, sizeof in) != 5) return 6;
    if (t->read(&link, in + 5, 3) != 0) return 7; // end of file
    WF_RECORD(WF_USER + 1, 0, WF_MEM(in, 5));
    for (uint32_t len; (len = wf_get_block(&block, 100)) != 0;) {
        if (t->write(&link, block, len) != (int32_t)len) return 8;
        wf_block_done(len);
    }
    t->close(&link);
    return t->write(&link, ring, 1) < 0 ? 0 : 9; // closed
}
