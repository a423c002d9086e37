// SPDX-License-Identifier: MIT
// Floating-point numbers in application records of the slot recorder, where double has 4 bytes; the
// slots go over the UART.

#include "../../../examples/boards/board.h"

#include "wallfly/wallfly.h"
#include "wf_port.h"

void board_tick(void) {}

static void put(const void *from, unsigned len) {
    const uint8_t *bytes = from;
    while (len) {
        if (!board_put(*bytes)) continue;
        ++bytes;
        --len;
    }
}

int main(void) {
    static uint8_t memory[WF_SLOTS_SIZE(1, WF_SLOTS_MIN)] __attribute__((aligned(64)));
    static const struct wf_slots_config config = {memory, sizeof memory, 1, WF_SLOTS_MIN,
                                                  true,   WF_PORT_HZ,    0};
    static char header[WF_SLOTS_HEADER_MAX];
    static volatile double numbers[] = {0.0, 1.5, -0.1, 3e38, -1e-30, 1.0 / 3};
    struct wf_slots_reader reader = {0};
    struct wf_slot slots[4];
    board_start();
    if (!wf_slots_start(&config)) board_end(1);
    wf_filter(WF_GRP_ALL);
    for (uint8_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
        WF_RECORD(WF_USER, 0, WF_F32(6, (float)numbers[i]), WF_F64(6, numbers[i]));
        WF_BEGIN(WF_USER, 0);
        wf_f32(6, (float)numbers[i]);
        wf_f64(6, numbers[i]);
        WF_END();
    }
    put(header, wf_slots_header(header));
    for (unsigned n; (n = wf_slots_read(&reader, 0, slots, 4, true)) != 0;) put(slots, n * 16);
    board_end(0);
    return 0;
}
