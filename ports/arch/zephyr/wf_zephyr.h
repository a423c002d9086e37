// SPDX-License-Identifier: MIT
// Starts the recorder in a Zephyr program.
#ifndef WF_ZEPHYR_H
#define WF_ZEPHYR_H

#ifdef __cplusplus
extern "C" {
#endif

// Starts recording into a ring of CONFIG_WALLFLY_RING_SIZE bytes. All records except fixed ones are
// off until wf_filter. Context: once, before anything records; main() or SYS_INIT.
void wf_zephyr_start(void);

#ifdef __cplusplus
}
#endif
#endif
