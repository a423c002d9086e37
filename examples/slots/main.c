// SPDX-License-Identifier: MIT
// Threads on all cores record into the slot recorder. Its slots go to a file, to a listening host
// program, or stay in memory that another process reads meanwhile (docs/slots.md).

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "wallfly/wallfly.h"
#include "wf_file.h"
#include "wf_port.h"
#include "wf_tcp.h"

enum { THREADS_MAX = 64, BATCH = 256, SEND_MS = 10, EXIT_USAGE = 2, EXIT_LINK = 3 };
enum { STEP = WF_USER, ROUND, NAMES = 2 }; // our records; their names are two more

static struct options {
    const char *output;
    uint32_t threads, events, pause, slots; // events of each thread, 0: until interrupted
    bool keep;
} options = {"tcp:localhost:6601", 4, 0, 100, 16384, false};

static volatile sig_atomic_t stopped;
static unsigned core_count, running; // running: number of threads that record
static uint64_t recorded[THREADS_MAX];
static struct wf_slots_reader readers[WF_CFG_CORES];
static const struct wf_transport *transport; // null: only the memory
static struct wf_file file;
static struct wf_tcp tcp;
static void *link_ctx;

static const char usage[] =
    "usage: slots [options]\n"
    "  -o, --output=WHERE  FILE, -, tcp:HOST:PORT (tcp:localhost:6601) or memory:FILE\n"
    "  -t, --threads=N     1..64 (4)\n"
    "  -e, --events=N      of each thread (default: until Ctrl-C)\n"
    "      --pause=US      between two events of a thread (100)\n"
    "      --slots=N       of each core's ring, a power of two (16384)\n"
    "      --keep          a full ring refuses events (default: it overwrites the oldest)\n"
    "  -h, --help          this text\n";

static void fail(int code, const char *what, const char *why) {
    fprintf(stderr, "slots: %s: %s\n", what, why);
    exit(code);
}

static void on_signal(int number) {
    (void)number;
    stopped = 1;
}

static uint32_t number(const char *text, uint32_t least, uint32_t most) {
    char *end;
    errno = 0;
    unsigned long v = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || v < least || v > most) {
        fprintf(stderr, "slots: '%s' is not a number from %u to %u\n", text, least, most);
        exit(EXIT_USAGE);
    }
    return (uint32_t)v;
}

static void parse(int argc, char **argv) {
    static const struct option longs[] = {
        {"output", 1, NULL, 'o'}, {"threads", 1, NULL, 't'}, {"events", 1, NULL, 'e'},
        {"pause", 1, NULL, 'p'},  {"slots", 1, NULL, 's'},   {"keep", 0, NULL, 'k'},
        {"help", 0, NULL, 'h'},   {NULL, 0, NULL, 0},
    };
    for (int c; (c = getopt_long(argc, argv, "o:t:e:h", longs, NULL)) != -1;) {
        switch (c) {
        case 'o': options.output = optarg; break;
        case 't': options.threads = number(optarg, 1, THREADS_MAX); break;
        case 'e': options.events = number(optarg, 1, UINT32_MAX); break;
        case 'p': options.pause = number(optarg, 0, 1000000); break;
        case 's': options.slots = number(optarg, WF_SLOTS_MIN, WF_SLOTS_MAX); break;
        case 'k': options.keep = true; break;
        case 'h': fputs(usage, stdout); exit(0);
        default: fputs(usage, stderr); exit(EXIT_USAGE);
        }
    }
    if (optind < argc) fail(EXIT_USAGE, argv[optind], "what is that? See --help.");
    if (options.slots & (options.slots - 1)) fail(EXIT_USAGE, "--slots", "not a power of two");
}

static void rest(uint32_t us) {
    nanosleep(&(struct timespec){us / 1000000, us % 1000000 * 1000}, NULL);
}

// The traced work: each step takes one slot; some steps record a longer event too.
static void *work(void *arg) {
    const uint8_t me = (uint8_t)(uintptr_t)arg;
    for (uint32_t n = 0; !stopped && (!options.events || n < options.events); ++n) {
        if (n % 64 == 0) {
            WF_RECORD(ROUND, 0, WF_U8(0, me), WF_U32(0, n), WF_STR("a new round"));
        } else {
            WF_RECORD(STEP, 0, WF_U8(0, me), WF_U32(0, n));
        }
        recorded[me] = n + 1;
        if (options.pause) rest(options.pause);
    }
    __atomic_sub_fetch(&running, 1, __ATOMIC_RELEASE);
    return NULL;
}

static void *memory_of(size_t size) {
    if (strncmp(options.output, "memory:", 7) != 0) return aligned_alloc(64, (size + 63) / 64 * 64);
    const char *name = options.output + 7;
    int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0644);
    if (fd < 0 || ftruncate(fd, (off_t)size) < 0) fail(EXIT_LINK, name, strerror(errno));
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED) fail(EXIT_LINK, name, strerror(errno));
    close(fd);
    return memory;
}

static void start_recording(void) {
    long cores = sysconf(_SC_NPROCESSORS_CONF);
    core_count = cores < 1 ? 1 : cores > WF_CFG_CORES ? WF_CFG_CORES : (unsigned)cores;
    size_t size = WF_SLOTS_SIZE(core_count, options.slots);
    const struct wf_slots_config config = {memory_of(size), size,       core_count, options.slots,
                                           options.keep,    WF_PORT_HZ, 0};
    if (!config.memory || !wf_slots_start(&config)) {
        fail(EXIT_USAGE, "start", "no memory, or a CPU without 16-byte stores in one piece (AVX)");
    }
    wf_filter(WF_GRP_ALL);
    // A small ring soon loses them; wallfly can also read them from a file (--dic).
    WF_USR_DICTIONARY(STEP);
    WF_USR_DICTIONARY(ROUND);
}

static void open_link(void) {
    const char *why = NULL;
    if (strncmp(options.output, "memory:", 7) == 0) return;
    if (strncmp(options.output, "tcp:", 4) == 0) {
        transport = &wf_tcp_transport;
        link_ctx = &tcp;
        if (wf_tcp_open(&tcp, options.output + 4, &why) != 0) fail(EXIT_LINK, options.output, why);
        return;
    }
    transport = &wf_file_transport;
    link_ctx = &file;
    if (wf_file_open(&file, options.output) != 0) fail(EXIT_LINK, options.output, strerror(errno));
}

static void send_bytes(const void *from, uint32_t len) {
    const uint8_t *bytes = from;
    while (len) {
        int32_t sent = transport->write(link_ctx, bytes, len);
        if (sent < 0) fail(EXIT_LINK, options.output, "the other end has disconnected");
        if (sent == 0) rest(1000);
        bytes += sent;
        len -= (uint32_t)sent;
    }
}

// Sends a batch of each core in turn, until no core has more. end: recording has stopped.
static void send_some(bool end) {
    struct wf_slot slots[BATCH];
    for (bool more = true; more;) {
        more = false;
        for (unsigned core = 0; core < core_count; ++core) {
            unsigned n = wf_slots_read(&readers[core], core, slots, BATCH, end);
            send_bytes(slots, n * (uint32_t)sizeof *slots);
            if (end ? n : n == BATCH) more = true;
        }
    }
}

// Records the time on every core we may run on, so that a reader does not wait for an idle core.
static void mark_cores(void) {
    cpu_set_t mine, one;
    sched_getaffinity(0, sizeof mine, &mine);
    for (unsigned core = 0; core < core_count; ++core) {
        if (!CPU_ISSET(core, &mine)) continue;
        CPU_ZERO(&one);
        CPU_SET(core, &one);
        if (sched_setaffinity(0, sizeof one, &one) == 0) wf_slots_mark();
    }
    sched_setaffinity(0, sizeof mine, &mine);
}

static void say_counts(void) {
    uint64_t all = NAMES;
    for (unsigned i = 0; i < options.threads; ++i) all += recorded[i];
    for (unsigned core = 0; core < core_count; ++core) {
        struct wf_slots_status status;
        wf_slots_get_status(core, &status);
        fprintf(stderr, "core %u: made %" PRIu64 ", refused %" PRIu64 "\n", core, status.made,
                status.refused);
    }
    fprintf(stderr, "events: %" PRIu64 "\n", all);
}

int main(int argc, char **argv) {
    pthread_t threads[THREADS_MAX];
    static char header[WF_SLOTS_HEADER_MAX];
    parse(argc, argv);
    struct sigaction act = {.sa_handler = on_signal};
    sigaction(SIGINT, &act, NULL);
    sigaction(SIGTERM, &act, NULL);
    signal(SIGPIPE, SIG_IGN);
    open_link();
    start_recording();
    if (transport) send_bytes(header, wf_slots_header(header));
    running = options.threads;
    for (uintptr_t i = 0; i < options.threads; ++i) {
        if (pthread_create(&threads[i], NULL, work, (void *)i)) fail(1, "thread", strerror(errno));
    }
    for (uint32_t ms = 0; __atomic_load_n(&running, __ATOMIC_ACQUIRE); ms += SEND_MS) {
        rest(SEND_MS * 1000);
        if (transport && ms % 100 == 0) mark_cores();
        if (transport) send_some(false);
    }
    for (unsigned i = 0; i < options.threads; ++i) pthread_join(threads[i], NULL);
    if (transport) send_some(true);
    if (transport) transport->close(link_ctx);
    say_counts();
    return 0;
}
