// SPDX-License-Identifier: MIT
// Runs the philosophers on a POSIX host and sends their trace to a file, standard output or a
// listening `wallfly print tcp-listen:6601`.

#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "philosophers.h"
#include "wallfly/wallfly.h"
#include "wf_file.h"
#include "wf_host_build_id.h"
#include "wf_port.h"
#include "wf_tcp.h"

enum { TICK_MS = 10, RING_MAX = 1 << 20, EXIT_USAGE = 2, EXIT_LINK = 3 };
enum { NS_A_SECOND = 1000000000 };

bool example_fast;
uint64_t example_clock;
uint32_t example_step = 7;

static struct options {
    const char *output;
    uint32_t ticks, seed, ring, stall, philosophers; // ticks 0: until interrupted
    bool no_names, build_id;
} options = {"tcp:localhost:6601", 0, 1, 8192, 0, 5, false, false};

static uint8_t ring[RING_MAX];
static volatile sig_atomic_t stopped;

static const struct wf_transport *transport;
static struct wf_file file;
static struct wf_tcp tcp;
static void *link_ctx;

static void on_signal(int number) {
    (void)number;
    stopped = 1;
}

static const char usage[] =
    "usage: philosophers [options]\n"
    "  -o, --output=WHERE     FILE, - or tcp:HOST:PORT (tcp:localhost:6601)\n"
    "  -s, --seconds=N        run time (default: until Ctrl-C)\n"
    "      --fast             do not wait between ticks; times are simulated and repeatable\n"
    "      --seed=N           of the random durations (1)\n"
    "      --philosophers=N   2..10 (5)\n"
    "      --ring=BYTES       of the recorder, 128..1048576 (8192)\n"
    "      --stall=TICKS      send nothing in the first TICKS ticks (10 ms each)\n"
    "      --no-names         send one name only, for `wallfly print --elf`\n"
    "      --step=N           simulated time that each record takes, with --fast, in 0.1 us (7)\n"
    "      --build-id         send the program's build id with --fast, too\n"
    "  -h, --help             this text\n";

static uint32_t number(const char *option, const char *text, uint32_t least, uint32_t most) {
    char *end;
    errno = 0;
    unsigned long v = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || v < least || v > most) {
        fprintf(stderr, "philosophers: --%s: '%s' is not a number from %u to %u\n", option, text,
                least, most);
        exit(EXIT_USAGE);
    }
    return (uint32_t)v;
}

static void parse(int argc, char **argv) {
    static const struct option longs[] = {
        {"output", 1, NULL, 'o'}, {"seconds", 1, NULL, 's'},      {"fast", 0, NULL, 'f'},
        {"seed", 1, NULL, 'e'},   {"philosophers", 1, NULL, 'p'}, {"ring", 1, NULL, 'r'},
        {"stall", 1, NULL, 't'},  {"no-names", 0, NULL, 'n'},     {"build-id", 0, NULL, 'b'},
        {"step", 1, NULL, 'S'},   {"help", 0, NULL, 'h'},         {NULL, 0, NULL, 0},
    };
    for (int c; (c = getopt_long(argc, argv, "o:s:h", longs, NULL)) != -1;) {
        switch (c) {
        case 'o': options.output = optarg; break;
        case 's': options.ticks = number("seconds", optarg, 1, 10000000) * (1000 / TICK_MS); break;
        case 'f': example_fast = true; break;
        case 'e': options.seed = number("seed", optarg, 0, UINT32_MAX); break;
        case 'p': options.philosophers = number("philosophers", optarg, 2, PHILOSOPHERS_MAX); break;
        case 'r': options.ring = number("ring", optarg, WF_RING_MIN, RING_MAX); break;
        case 't': options.stall = number("stall", optarg, 0, UINT32_MAX); break;
        case 'n': options.no_names = true; break;
        case 'S': example_step = number("step", optarg, 1, 1000); break;
        case 'b': options.build_id = true; break;
        case 'h': fputs(usage, stdout); exit(0);
        default: fputs(usage, stderr); exit(EXIT_USAGE);
        }
    }
    if (optind == argc) return;
    fprintf(stderr, "philosophers: what is '%s'? See --help.\n", argv[optind]);
    exit(EXIT_USAGE);
}

static void open_link(void) {
    const char *why = NULL;
    if (strncmp(options.output, "tcp:", 4) == 0) {
        transport = &wf_tcp_transport;
        link_ctx = &tcp;
        if (wf_tcp_open(&tcp, options.output + 4, &why) == 0) return;
        fprintf(stderr, "philosophers: %s: %s; is `wallfly print tcp-listen:6601` running?\n",
                options.output, why);
        exit(EXIT_LINK);
    }
    transport = &wf_file_transport;
    link_ctx = &file;
    if (wf_file_open(&file, options.output) == 0) return;
    fprintf(stderr, "philosophers: %s: %s\n", options.output, strerror(errno));
    exit(EXIT_LINK);
}

// Sends as many bytes as the link takes. Returns false when the other end is gone.
static bool send_some(void) {
    const uint8_t *block;
    for (uint32_t len; (len = wf_get_block(&block, 4096)) != 0;) {
        int32_t sent = transport->write(link_ctx, block, len);
        wf_block_done(sent > 0 ? (uint32_t)sent : 0);
        if (sent < 0) return false;
        if (sent == 0) break;
    }
    return true;
}

// Receives commands if the link can receive. Returns false when the other end is gone.
static bool receive_some(void) {
    uint8_t bytes[256];
    if (!transport->read) return true;
    for (;;) {
        uint32_t room = wf_rx_free();
        int32_t got = transport->read(link_ctx, bytes, room < sizeof bytes ? room : sizeof bytes);
        for (int32_t i = 0; i < got; ++i) wf_rx_put(bytes[i]);
        wf_rx_parse();
        if (got <= 0) return got == 0;
    }
}

// Computes each tick from the first one, so that delays do not add up.
static void wait_tick(void) {
    static struct timespec next;
    if (example_fast) {
        example_clock += WF_PORT_HZ / 1000 * TICK_MS;
        return;
    }
    if (!next.tv_sec) clock_gettime(CLOCK_MONOTONIC, &next);
    next.tv_nsec += TICK_MS * 1000000L;
    next.tv_sec += next.tv_nsec / NS_A_SECOND;
    next.tv_nsec %= NS_A_SECOND;
    while (!stopped && clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL) == EINTR) {
    }
}

static void on_reset(void) { stopped = 1; } // a program on a host ends

static void start_recording(void) {
    // A fixed build time and no build id keep the bytes of --fast the same whenever it is compiled.
    static struct wf_config config = {
        .ring = ring, .hz = WF_PORT_HZ, .built = {0, 0, 12, 1, 1, 26}};
    config.ring_size = options.ring;
    if (!example_fast || options.build_id) config.build_id = wf_host_build_id();
    wf_start(&config);
    wf_filter(WF_GRP_ALL);
}

int main(int argc, char **argv) {
    parse(argc, argv);
    struct sigaction act = {.sa_handler = on_signal};
    sigaction(SIGINT, &act, NULL);
    sigaction(SIGTERM, &act, NULL);
    signal(SIGPIPE, SIG_IGN);
    open_link();
    start_recording();
    philosophers_start(options.philosophers, options.seed, !options.no_names);
    if (transport->read) philosophers_host_start(on_reset);
    bool linked = send_some();
    for (uint32_t tick = 0; linked && !stopped && (!options.ticks || tick < options.ticks);
         ++tick) {
        wait_tick();
        philosophers_tick();
        linked = receive_some();
        if (linked && tick >= options.stall) linked = send_some();
    }
    for (int tries = 0; linked && tries < 100; ++tries) {
        struct wf_status status;
        linked = send_some();
        wf_get_status(&status);
        if (!status.used) break;
        nanosleep(&(struct timespec){0, 10000000}, NULL);
    }
    int why = errno;
    transport->close(link_ctx);
    if (!linked)
        fprintf(stderr, "philosophers: %s: %s\n", options.output,
                transport->read ? "the other end has disconnected" : strerror(why));
    return linked ? 0 : EXIT_LINK;
}
