// SPDX-License-Identifier: MIT
// Preloaded: a serial driver that does not support the baud rate. Pseudo-terminals accept any.

#define _GNU_SOURCE
#include <asm/termbits.h>
#include <asm/ioctls.h>
#include <errno.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

int ioctl(int fd, unsigned long request, ...) {
    va_list list;
    va_start(list, request);
    void *argument = va_arg(list, void *);
    va_end(list);
    if (request == TCSETS2) {
        errno = EINVAL;
        return -1;
    }
    return (int)syscall(SYS_ioctl, fd, request, argument);
}
