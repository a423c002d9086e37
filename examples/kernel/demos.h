// SPDX-License-Identifier: MIT
// Three programs for the kernel with known time lines: docs/kernel.md shows them.
#ifndef DEMOS_H
#define DEMOS_H

struct demo {
    const char *name, *sentence;
    void (*start)(void); // creates its tasks
};

extern const struct demo demos[]; // the list ends with a null name

#endif
