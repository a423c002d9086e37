// SPDX-License-Identifier: MIT
// The simulated kernel recorded by the real recorder: frames, or slots in a build with
// WF_CFG_SLOTS.
#ifndef RECORD_H
#define RECORD_H

#include "../host/wf_test_kernel.h"

enum { KEY_TASK = 0x1000, KEY_OBJECT = 0x8000, KEY_STEP = 0x10 };

static inline uint64_t task_key(int t) { return t < 0 ? 0 : KEY_TASK + (uint64_t)t * KEY_STEP; }
static inline uint64_t object_key(int o) { return KEY_OBJECT + (uint64_t)o * KEY_STEP; }
void task_name(char name[32], int t, unsigned life);

void record_start(unsigned cores, unsigned size, uint64_t now); // ring size: bytes or slots
void record_switches(bool on);                                  // record ready and switch
void record_event(const struct kernel *k, uint64_t now, enum k_event event, int task, int object,
                  unsigned number);
// Copies up to cap pending bytes: frames; slots of a core. end: no more records follow.
unsigned record_drain(uint8_t *to, unsigned cap, unsigned core, bool end);
unsigned record_header(char *to); // goes before the slots; 0: none

#endif
