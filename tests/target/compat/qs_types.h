// SPDX-License-Identifier: MIT
// The framework's two types in QS's test callbacks.
#ifndef QS_TYPES_H
#define QS_TYPES_H

typedef struct {
    unsigned sig;
} QEvt;

typedef struct {
    int prio;
} QActive;

#endif
