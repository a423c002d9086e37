// SPDX-License-Identifier: MIT
// A file as bytes in memory, without reading more of it than is looked at.
#ifndef MAPPED_H
#define MAPPED_H

#include <stddef.h>
#include <stdint.h>

struct mapped {
    uint8_t *bytes; // null: nothing is mapped
    size_t len;
};

// Complains itself, also of an empty file. Returns an exit code.
int map_file(const char *name, struct mapped *m);
void unmap(struct mapped *m);

#endif
