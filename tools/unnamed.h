// SPDX-License-Identifier: MIT
// A file without a name, which is gone with the program: what is too much for memory.
#ifndef UNNAMED_H
#define UNNAMED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

int unnamed_open(void); // -1 after complaining
// All of it; false: errno says why.
bool unnamed_write(int fd, uint64_t at, const void *bytes, size_t len);

#endif
