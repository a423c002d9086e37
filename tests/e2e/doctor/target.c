// SPDX-License-Identifier: MIT
// A target with one fault each, for the doctor: its standard output is the UART's TX, its standard
// input RX. Options are NAME=VALUE; it ends with standard input.

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "wallfly/wallfly.h"
#include "wallfly/wf_rtos.h"

enum { TASKS = 4, STEP = WF_USER, RING_MAX = 1 << 16, TURN_MS = 2, US = 1000000 };

uint64_t fake_clock, fake_clock_step;
int fake_lock_depth, fake_lock_count, fake_lock_errors;
static uint8_t ring[RING_MAX];
static int tasks[TASKS];

static struct {
    const char *name;
    unsigned value;
} options[] = {
    {"ring", 32768}, // bytes: for seconds in which a busy computer does not run it
    {"load", 300},   // pairs of records a second
    {"line", 11520}, // bytes a second that the UART sends
    {"drain", 0},    // the ring is read only each so many ms
    {"filter", 0},   // 1: all records are on from the start
    {"late", 0},     // 1: the records of the start have gone
    {"deaf", 0},     // 1: no commands
    {"names", 1},    // 0: tasks have no names
    {"hz", US},      // that the target reports
    {"speed", 1},    // ticks a microsecond; 0: the clock stands
    {"back", 0},     // the clock is reset each so many ms
    {"restart", 0},  // the target is reset each so many ms
    {"text", 0},     // it prints on the line each so many ms
};
enum { RING, LOAD, LINE, DRAIN, FILTER, LATE, DEAF, NAMES, HZ, SPEED, BACK, RESTART, TEXT };

static unsigned get(unsigned option) { return options[option].value; }

static void parse(const char *text) {
    size_t len = strcspn(text, "=");
    for (unsigned i = 0; i < sizeof options / sizeof *options; ++i) {
        if (strlen(options[i].name) != len || strncmp(options[i].name, text, len) != 0) continue;
        options[i].value = (unsigned)strtoul(text + len + 1, NULL, 10);
        return;
    }
    exit(2);
}

static uint64_t now_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * US + (uint64_t)now.tv_nsec / 1000;
}

static bool is_due(unsigned option, uint64_t now, uint64_t *last) {
    if (!get(option) || now - *last < get(option) * 1000u) return false;
    *last = now;
    return true;
}

static void begin(void) {
    static uint8_t rx_ring[64];
    static struct wf_config config;
    static const struct wf_rx_hooks hooks = {.command = NULL};
    static const struct wf_rx_config rx = {
        .ring = rx_ring, .ring_size = sizeof rx_ring, .hooks = &hooks};
    config = (struct wf_config){.ring = ring, .ring_size = get(RING), .hz = get(HZ)};
    if (!wf_start(&config)) exit(3);
    wf_rx_start(&rx);
    if (get(FILTER)) wf_filter(WF_GRP_ALL);
    for (unsigned i = 0; i < TASKS && get(NAMES); ++i) {
        char name[16];
        snprintf(name, sizeof name, "worker_%u", i);
        WF_NAME(&tasks[i], name);
    }
    WF_USR_DICTIONARY(STEP);
}

static void run(unsigned pairs) {
    static unsigned n;
    for (; pairs; --pairs, ++n) {
        WF_TASK_SWITCH(&tasks[n % TASKS], &tasks[(n + 1) % TASKS], WF_SWITCH_yielded);
        WF_RECORD(STEP, 0, WF_U32(0, n));
    }
}

// The line takes so many bytes, and drops those that nobody reads.
static void put(const void *bytes, size_t len) {
    if (len && write(1, bytes, len) < 0) return;
}

static void send(size_t room) {
    uint8_t bytes[RING_MAX];
    size_t n = 0;
    for (int byte; n < room && n < sizeof bytes && (byte = wf_get_byte()) >= 0;)
        bytes[n++] = (uint8_t)byte;
    put(bytes, n);
}

// Returns false at the end of the input.
static bool receive(void) {
    uint8_t bytes[256];
    struct pollfd poll_in = {.fd = 0, .events = POLLIN};
    if (poll(&poll_in, 1, TURN_MS) <= 0) return true;
    ssize_t n = read(0, bytes, sizeof bytes);
    for (ssize_t i = 0; i < n && !get(DEAF); ++i) wf_rx_put(bytes[i]);
    wf_rx_parse();
    return n > 0;
}

static void skip_start(void) {
    for (unsigned i = 0; i < 100; ++i) {
        run(get(FILTER) ? 20 : 0);
        while (wf_get_byte() >= 0) continue;
    }
}

int main(int argc, char **argv) {
    static const char text[] = "\r\nsensor: 21.4 degrees, all is well\r\n";
    for (int i = 1; i < argc; ++i) parse(argv[i]);
    uint64_t first = now_us(), last = first, drained = first, reset = first, back = first,
             printed = first;
    fake_clock = 1;
    begin();
    if (get(LATE)) skip_start();
    for (double pairs = 0, room = 0; receive();) {
        uint64_t now = now_us();
        double passed = (double)(now - last) / US;
        last = now;
        if (is_due(BACK, now, &back)) first = now;
        fake_clock = 1 + (now - first) * get(SPEED);
        if (is_due(RESTART, now, &reset)) begin();
        pairs += passed * get(LOAD);
        run((unsigned)pairs);
        pairs -= (unsigned)pairs;
        room += passed * get(LINE);
        if (is_due(TEXT, now, &printed)) put(text, sizeof text - 1);
        if (get(DRAIN) && !is_due(DRAIN, now, &drained)) continue;
        send((size_t)room);
        room -= (double)(size_t)room;
    }
    return 0;
}
