// SPDX-License-Identifier: MIT
// See wfb_serial.h. BOTHER takes the rate as a number, so any rate is possible.

#include "wfb_serial.h"

#include <asm/termbits.h>
#include <errno.h>
#include <sys/ioctl.h>

int wfb_serial_set(int fd, unsigned baud, unsigned *got) {
    struct termios2 t;
    if (ioctl(fd, TCGETS2, &t) != 0) return errno;
    t.c_iflag = IGNBRK; // a break is not a byte
    t.c_oflag = 0;
    t.c_lflag = 0;
    // CLOCAL: ignore modem lines; no HUPCL: closing does not drop DTR, which would reset boards.
    t.c_cflag = CS8 | CREAD | CLOCAL | BOTHER | BOTHER << IBSHIFT;
    t.c_ispeed = t.c_ospeed = baud;
    t.c_cc[VMIN] = 1;
    t.c_cc[VTIME] = 0;
    if (ioctl(fd, TCSETS2, &t) != 0 || ioctl(fd, TCGETS2, &t) != 0) return errno;
    *got = t.c_ospeed;
    return 0;
}
