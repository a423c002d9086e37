// SPDX-License-Identifier: MIT
// An operation is a number and a block of words, both passed by an instruction that stops the CPU
// for the debugger. A word of the block is as wide as a register. Sources: "Semihosting for AArch32
// and AArch64" (Arm) and "RISC-V Semihosting" (RISC-V International).

#define WFI_SEMIHOSTING_SOURCE
#include "wf_semihosting.h"

#if defined WFI_SEMIHOSTING_ARM || defined WFI_SEMIHOSTING_RISCV

#include <stddef.h>

enum {
    WFI_SYS_OPEN = 0x01,
    WFI_SYS_CLOSE = 0x02,
    WFI_SYS_WRITE = 0x05,
    WFI_SYS_READ = 0x06,
    WFI_SYS_EXIT_EXTENDED = 0x20,
};
enum { WFI_MODE_READ_BINARY = 1, WFI_MODE_WRITE_BINARY = 5 }; // "rb", "wb"
enum { WFI_APPLICATION_EXIT = 0x20026 };

#ifdef WFI_SEMIHOSTING_ARM

static intptr_t call(uintptr_t operation, const void *block) {
    register uintptr_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = block;
    // "memory": the host reads the block, and writes to the memory its words point to.
    __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
    return (intptr_t)r0;
}

#else

static intptr_t call(uintptr_t operation, const void *block) {
    register uintptr_t a0 __asm__("a0") = operation;
    register const void *a1 __asm__("a1") = block;
    // The host recognizes the call by the three uncompressed instructions, and reads them only if
    // they are in one page: hence 16 bytes aligned to 16.
    __asm__ volatile(".balign 16\n\t"
                     ".option push\n\t"
                     ".option norvc\n\t"
                     "slli x0, x0, 0x1f\n\t"
                     "ebreak\n\t"
                     "srai x0, x0, 7\n\t"
                     ".option pop"
                     : "+r"(a0)
                     : "r"(a1)
                     : "memory");
    return (intptr_t)a0;
}

#endif

static intptr_t open_file(const char *name, uintptr_t mode) {
    uintptr_t len = 0;
    while (name[len]) ++len;
    const uintptr_t block[3] = {(uintptr_t)name, mode, len};
    return call(WFI_SYS_OPEN, block);
}

int wf_semihosting_open(struct wf_semihosting *s, const char *name) {
    s->in = -1;
    s->out = open_file(name, WFI_MODE_WRITE_BINARY);
    return s->out == -1 ? -1 : 0;
}

int wf_semihosting_open_input(struct wf_semihosting *s, const char *name) {
    s->in = open_file(name, WFI_MODE_READ_BINARY);
    return s->in == -1 ? -1 : 0;
}

// Moves bytes. WFI_SYS_WRITE and WFI_SYS_READ return the number of bytes not moved; more than `len`
// means an error.
static int32_t moved(uintptr_t operation, intptr_t handle, const void *bytes, uint32_t len) {
    if (len > INT32_MAX) len = INT32_MAX;
    const uintptr_t block[3] = {(uintptr_t)handle, (uintptr_t)bytes, len};
    uintptr_t rest = (uintptr_t)call(operation, block);
    return rest > len ? -1 : (int32_t)(len - (uint32_t)rest);
}

static int32_t semihosting_write(void *ctx, const uint8_t *bytes, uint32_t len) {
    const struct wf_semihosting *s = ctx;
    int32_t n = moved(WFI_SYS_WRITE, s->out, bytes, len);
    return n == 0 && len ? -1 : n; // the host has waited already: it will not take them later
}

static int32_t semihosting_read(void *ctx, uint8_t *bytes, uint32_t max) {
    const struct wf_semihosting *s = ctx;
    return s->in == -1 ? 0 : moved(WFI_SYS_READ, s->in, bytes, max);
}

static void close_file(intptr_t handle) {
    const uintptr_t block[1] = {(uintptr_t)handle};
    if (handle != -1) call(WFI_SYS_CLOSE, block);
}

static void semihosting_close(void *ctx) {
    struct wf_semihosting *s = ctx;
    close_file(s->in);
    close_file(s->out);
    s->in = s->out = -1;
}

const struct wf_transport wf_semihosting_transport = {
    .write = semihosting_write, .close = semihosting_close, .read = semihosting_read};

void wf_semihosting_exit(int status) {
    const uintptr_t block[2] = {WFI_APPLICATION_EXIT, (uintptr_t)status};
    for (;;) call(WFI_SYS_EXIT_EXTENDED, block);
}

#endif
