// SPDX-License-Identifier: MIT
// What this machine knows about the other end of a link: serial devices, and the programs that have
// a device or port open. Linux: it reads /dev, /sys and /proc. Programs of other users are visible
// only to root.
#ifndef WF_SYSTEM_H
#define WF_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { WF_SYSTEM_PATH = 128, WF_SYSTEM_NAME = 64 };

// A program that has something open. This process is never listed.
struct wf_system_holder {
    long pid;
    char name[WF_SYSTEM_NAME]; // of its command
};

// All functions that fill a list return the number of its entries, at most `max`.

// Programs that have a device open, by any of its names.
unsigned wf_system_device_holders(const char *device, struct wf_system_holder *holders,
                                  unsigned max);
// Programs with a socket that is bound to a local port: TCP that listens, or UDP.
unsigned wf_system_port_holders(unsigned port, bool udp, struct wf_system_holder *holders,
                                unsigned max);
// Serial devices with hardware behind them, and devices beside `near` whose names begin with the
// same letters ("/dev/ttyUSB1" for "/dev/ttyUSB0"); those with the name most like it come first.
unsigned wf_system_serial_devices(const char *near, char paths[][WF_SYSTEM_PATH], unsigned max);
// Opens a serial device with this rate, as the link does, and closes it. Returns 0 or an errno:
// ENOTTY when it is not a serial device, EINVAL when it refuses the rate.
int wf_system_try_serial(const char *device, unsigned baud);

#ifdef __cplusplus
}
#endif
#endif
