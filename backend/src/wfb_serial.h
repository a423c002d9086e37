// SPDX-License-Identifier: MIT
// The settings of a serial line. Alone in their file: the kernel's header, which knows any baud
// rate, cannot be included together with <termios.h>.
#ifndef WFB_SERIAL_H
#define WFB_SERIAL_H

// 8 data bits, no parity, 1 stop bit, raw, no flow control.
//   got      set to the rate that the device says it uses
//   returns  0 or an errno: ENOTTY when it is no serial device, EINVAL when it refuses the rate
int wfb_serial_set(int fd, unsigned baud, unsigned *got);

#endif
