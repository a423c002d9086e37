// SPDX-License-Identifier: MIT
// A program on a chip that resets itself while it records. Recorder and ring are in .noinit; the
// start-up code initializes all other variables. RESETS: number of resets; LATER: stops, so that
// its memory can be read, instead of sending the ring.

#include "wallfly/wallfly.h"

#ifndef RESETS
#define RESETS 3
#endif
#ifndef LATER
#define LATER 0
#endif
#ifndef RING
#define RING 4000
#endif

#define NOINIT __attribute__((section(".noinit")))

void start(void);
int main(void);
void *memset(void *to, int byte, uintptr_t len);
extern uint32_t data_load[], data_start[], data_end[], bss_start[], bss_end[];
void stack_top(void); // from the linker script; declared as a function for the table

static uint8_t ring[RING] NOINIT;
static const struct wf_config config = {
    .ring = ring, .ring_size = sizeof ring, .hz = 1000000, .build_id = 5, .keep = true};
static uint32_t initialized = 41, zero; // the start-up code sets these values after each reset
static uint32_t resets NOINIT;

static volatile uint32_t *const uart = (volatile uint32_t *)0x40004000u;

static void send(uint8_t byte) {
    while (uart[1] & 1) {
    }
    uart[0] = byte;
}

void *memset(void *to, int byte, uintptr_t len) {
    volatile uint8_t *p = to;
    while (len--) *p++ = (uint8_t)byte;
    return to;
}

static void reset(void) {
    *(volatile uint32_t *)0xE000ED0Cu = 0x05FA0004u; // AIRCR: SYSRESETREQ
    for (;;) {
    }
}

static void stop(void) {
    // Semihosting SYS_EXIT_EXTENDED.
    static uint32_t block[2] = {0x20026, 0};
    register uint32_t op __asm__("r0") = 0x20, arg __asm__("r1") = (uint32_t)block;
    __asm__ volatile("bkpt 0xAB" : : "r"(op), "r"(arg) : "memory");
}

static void fail(void) {
    for (const char *p = "FAILED"; *p; ++p) send((uint8_t)*p);
    stop();
    for (;;) {
    }
}

int main(void) {
    uart[4] = 16;
    uart[2] = 1;
    if (initialized++ != 41 || zero++ != 0) fail();
    wf_start(&config);
    wf_filter(WF_GRP_ALL);
    if (!wf_was_kept()) resets = 0;
    WF_USR_DICTIONARY(WF_USER);
    for (uint32_t i = 0; i < 20; ++i) WF_RECORD(WF_USER, 0, WF_U32(0, resets * 100 + i));
    if (resets == 1) { // sends a part, and only half of its last frame
        for (int i = 0; i < 333; ++i) send((uint8_t)wf_get_byte());
    }
    if (resets++ != RESETS) reset();
    if (LATER) {
        for (const char *p = "stopped"; *p; ++p) send((uint8_t)*p);
        for (;;) {
        }
    }
    for (int byte; (byte = wf_get_byte()) >= 0;) send((uint8_t)byte);
    stop();
    return 0;
}

void start(void) {
    volatile uint32_t *to = data_start;
    for (const uint32_t *from = data_load; to != data_end;) *to++ = *from++;
    for (to = bss_start; to != bss_end;) *to++ = 0;
    main();
    for (;;) {
    }
}

__attribute__((used, section(".vectors"))) static void (*const vectors[16])(void) = {
    stack_top, start, fail, fail, fail, fail, fail};
