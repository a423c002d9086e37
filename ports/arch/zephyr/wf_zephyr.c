// SPDX-License-Identifier: MIT
// Contains the ring, so that Kconfig sets its size.

#include "wf_zephyr.h"

#include <zephyr/kernel.h>

#include "wallfly/wallfly.h"

#if WF_CFG_ON

void wf_zephyr_start(void) {
    static uint8_t ring[CONFIG_WALLFLY_RING_SIZE];
    static struct wf_config config = {.ring = ring, .ring_size = sizeof ring};
    config.hz = (uint32_t)sys_clock_hw_cycles_per_sec();
    wf_start(&config);
}

#else

void wf_zephyr_start(void) {}

#endif
