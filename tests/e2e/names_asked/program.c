// SPDX-License-Identifier: MIT
// A target that announced its names long before a reader connects, and repeats none of them by
// itself: program pty|tcp. It prints the host's SOURCE to standard output, serves one connection
// after the other, executes commands, and ends with standard input.

#define _GNU_SOURCE
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "wallfly/wallfly.h"
#include "wallfly/wf_rtos.h"

enum { TASKS = 60, STEP = WF_USER };

uint64_t fake_clock, fake_clock_step = 1;
int fake_lock_depth, fake_lock_count, fake_lock_errors;
static uint8_t ring[2048];
static uint32_t table[1024];
static int tasks[TASKS];

static void run(unsigned rounds) {
    for (unsigned i = 1; i <= rounds; ++i) {
        WF_TASK_SWITCH(&tasks[(i - 1) % TASKS], &tasks[i % TASKS], WF_SWITCH_yielded);
        WF_RECORD(STEP, 0, WF_U32(0, i));
    }
}

static void announce(void) {
    WF_USR_DICTIONARY(STEP);
    for (unsigned i = 0; i < TASKS; ++i) {
        char name[16];
        snprintf(name, sizeof name, "worker_%02u", i);
        WF_TASK_CREATE(&tasks[i], (int)i, name);
    }
    for (unsigned i = 0; i < 200; ++i) { // dropped, and the names with them
        run(TASKS - 1);
        while (wf_get_byte() >= 0) continue;
    }
}

static void say(const char *source) {
    puts(source);
    fflush(stdout);
}

// Passes the host's bytes to the receiver. Returns false when it has disconnected.
static bool obey(int fd) {
    uint8_t bytes[64];
    ssize_t n = read(fd, bytes, sizeof bytes);
    for (ssize_t i = 0; i < n; ++i) wf_rx_put(bytes[i]);
    wf_rx_parse();
    return n != 0;
}

static void send_all(int fd) {
    for (int byte; (byte = wf_get_byte()) >= 0;) {
        uint8_t b = (uint8_t)byte;
        if (write(fd, &b, 1) != 1) return; // lost, as on a wire without a reader
    }
}

// Serves until the host or standard input has ended. Returns true if it was the host.
static bool serve(int fd) {
    struct timespec now;
    for (;;) {
        struct pollfd polls[2] = {{.fd = 0, .events = POLLIN}, {.fd = fd, .events = POLLIN}};
        poll(polls, 2, 2);
        if (polls[0].revents) return false;
        if ((polls[1].revents & POLLIN) && !obey(fd)) return true;
        if (polls[1].revents & (POLLERR | POLLHUP)) return true;
        clock_gettime(CLOCK_MONOTONIC, &now);
        fake_clock = (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
        run(1);
        send_all(fd);
    }
}

static int open_pty(void) {
    struct termios t;
    char name[128] = "serial:";
    int fd = posix_openpt(O_RDWR | O_NOCTTY);
    if (fd < 0 || grantpt(fd) != 0 || unlockpt(fd) != 0 ||
        ptsname_r(fd, name + strlen(name), 100) != 0)
        exit(4);
    int slave = open(name + strlen("serial:"), O_RDWR | O_NOCTTY); // stays open: no hang-ups
    if (slave < 0 || tcgetattr(slave, &t) != 0) exit(4);
    cfmakeraw(&t);
    if (tcsetattr(slave, TCSANOW, &t) != 0 || fcntl(fd, F_SETFL, O_NONBLOCK) != 0) exit(4);
    say(name);
    return fd;
}

static int listen_tcp(void) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof at;
    char name[64];
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&at, len) != 0 || listen(fd, 1) != 0 ||
        getsockname(fd, (struct sockaddr *)&at, &len) != 0)
        exit(4);
    snprintf(name, sizeof name, "tcp:127.0.0.1:%u", (unsigned)ntohs(at.sin_port));
    say(name);
    return fd;
}

static bool serve_next(int listener) {
    struct pollfd polls[2] = {{.fd = 0, .events = POLLIN}, {.fd = listener, .events = POLLIN}};
    poll(polls, 2, -1);
    if (polls[0].revents) return false;
    int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
    if (fd < 0) exit(4);
    bool more = serve(fd);
    close(fd);
    return more;
}

int main(int argc, char **argv) {
    static uint8_t rx_ring[64];
    static const struct wf_config config = {.ring = ring, .ring_size = sizeof ring, .hz = 1000000};
    static const struct wf_rx_hooks hooks = {.command = NULL};
    static const struct wf_rx_config rx = {
        .ring = rx_ring, .ring_size = sizeof rx_ring, .hooks = &hooks};
    if (argc < 2) return 2;
    signal(SIGPIPE, SIG_IGN);
    wf_start(&config);
    if (!wf_names_start(table, sizeof table, WF_NAMES_NEVER)) return 3;
    wf_rx_start(&rx);
    wf_filter(WF_GRP_ALL);
    announce();
    if (strcmp(argv[1], "pty") == 0) {
        int fd = open_pty();
        while (serve(fd)) continue;
        return 0;
    }
    for (int listener = listen_tcp(); serve_next(listener);) continue;
    return 0;
}
