// SPDX-License-Identifier: MIT
// Stand-in for Atomthreads' header: names used by the drain thread. No text of Atomthreads.
#ifndef ATOMTIMER_H
#define ATOMTIMER_H

#include "atom.h"

uint8_t atomTimerDelay(uint32_t ticks);

#endif
