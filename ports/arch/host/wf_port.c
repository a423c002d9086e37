// SPDX-License-Identifier: MIT
// The mutex of the host port, one for the program.

#include "wf_port.h"

pthread_mutex_t wf_port_mutex = PTHREAD_MUTEX_INITIALIZER;
