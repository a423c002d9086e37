// SPDX-License-Identifier: MIT
// Transport into a file on the computer that runs the debugger or emulator, for Cortex-M and
// RISC-V. The CPU is stopped during each call, tens of microseconds in an emulator and milliseconds
// with a debug probe, so it is for tests and first steps. Without a debugger attached, the first
// call causes a fault.
#ifndef WF_SEMIHOSTING_H
#define WF_SEMIHOSTING_H

#include <stdint.h>

#include "wallfly/wf_transport.h"

// Using it on another CPU stops the build here. Compiling only the source file is allowed: a build
// that compiles all transports gets an empty object then.
#if defined __arm__ && defined __thumb__ && defined __ARM_ARCH_PROFILE && __ARM_ARCH_PROFILE == 'M'
#define WFI_SEMIHOSTING_ARM
#elif defined __riscv
#define WFI_SEMIHOSTING_RISCV
#elif !defined WFI_SEMIHOSTING_SOURCE
#error "wf_semihosting.h: no semihosting call for this CPU; Cortex-M (Thumb) and RISC-V have one"
#endif

#ifdef __cplusplus
extern "C" {
#endif

struct wf_semihosting {
    intptr_t out, in; // private: handles of the host, -1: none
};

// Its ctx is a struct wf_semihosting. write waits until the host has taken the bytes, and returns
// -1 when it takes none (disk full). Context: any, except interrupts that must be short.
extern const struct wf_transport wf_semihosting_transport;

// Opens a file on the host for writing and replaces an existing one. Returns 0, or -1 when it
// cannot be opened.
int wf_semihosting_open(struct wf_semihosting *s, const char *name);

// Opens a second file on the host for read, e.g. recorded commands; at its end, read returns 0.
// Optional, after wf_semihosting_open. Returns 0, or -1 when it cannot be opened.
int wf_semihosting_open_input(struct wf_semihosting *s, const char *name);

// Ends the emulator with this exit status; a debugger stops here. Does not return.
void wf_semihosting_exit(int status);

#ifdef __cplusplus
}
#endif
#endif
