// SPDX-License-Identifier: MIT
// The two types of a framework that QS's test callbacks have.
#ifndef QS_TYPES_H
#define QS_TYPES_H

typedef struct {
    unsigned sig;
} QEvt;

typedef struct {
    int prio;
} QActive;

#endif
