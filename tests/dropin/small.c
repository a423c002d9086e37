// SPDX-License-Identifier: MIT
// A small program for each way to integrate the recorder: some records of each kind, the same bytes
// in each run (the template port's clock counts calls), with a loss in the middle.

#include "wallfly/wallfly.h"
#include <stdio.h>

enum { SENSOR = WF_USER };

static void drain(void) {
    for (int byte; (byte = wf_get_byte()) >= 0;) putchar(byte);
}

int main(void) {
    static uint8_t ring[1024];
    struct wf_config config = {.ring = ring, .ring_size = sizeof ring, .hz = 1000000};
    const void *const entity = (const void *)(uintptr_t)0x7D7E1000u;
    wf_start(&config);
    wf_filter(WF_GRP_ALL);
    WF_USR_DICTIONARY(SENSOR);
    WF_OBJ_DICTIONARY(entity);
    WF_RECORD(SENSOR, 0, WF_U16(5, 1234), WF_STR("too warm"));
    WF_BEGIN(SENSOR, 0);
    wf_u32(WF_HEX, 0x7E7D007Eu);
    wf_f64(3, 0.5);
    wf_mem("\x7E}~", 3);
    wf_obj(entity);
    WF_END();
    WF_REC(active_post, 1, entity, 5, entity, 1, 1, 3, 2);
    drain();
    for (unsigned i = 0; i < 300; ++i) WF_REC(isr_entry, 0, 1, (uint8_t)i);
    wf_filter(-WF_GRP_ALL);
    WF_REC(isr_entry, 0, 1, 7);
    drain();
    struct wf_status status;
    wf_get_status(&status);
    return status.lost > 0 && status.used == 0 ? 0 : 1;
}
