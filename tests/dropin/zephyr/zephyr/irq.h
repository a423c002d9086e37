// SPDX-License-Identifier: MIT
#ifndef STUB_IRQ_H
#define STUB_IRQ_H

unsigned int irq_lock(void);
void irq_unlock(unsigned int key);

#endif
