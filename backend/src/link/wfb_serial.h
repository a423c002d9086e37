// SPDX-License-Identifier: MIT
// Settings of a serial line. In a file of its own: the kernel's header, which supports any baud
// rate, cannot be included together with <termios.h>.
#ifndef WFB_SERIAL_H
#define WFB_SERIAL_H

// 8 data bits, no parity, 1 stop bit, raw, no flow control.
//   got      set to the rate that the device reports
//   returns  0 or an errno: ENOTTY when it is not a serial device, EINVAL when it refuses the rate
int wfb_serial_set(int fd, unsigned baud, unsigned *got);

#endif
