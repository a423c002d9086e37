// SPDX-License-Identifier: MIT
// Runs one of the demonstrations in simulated time and writes its trace to a file. The bytes are
// the same each time.

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demos.h"
#include "kernel.h"
#include "wallfly/wallfly.h"
#include "wf_file.h"
#include "wf_port.h"

enum { EXIT_USAGE = 2, EXIT_LINK = 3, MS_MAX = 100000000 };

static uint8_t ring[8192];
static struct wf_file file;
static bool broken;

static void send_all(void) {
    const uint8_t *block;
    for (uint32_t len; !broken && (len = wf_get_block(&block, 4096)) != 0;) {
        int32_t sent = wf_file_transport.write(&file, block, len);
        wf_block_done(sent > 0 ? (uint32_t)sent : 0);
        broken = sent <= 0;
    }
}

static void usage(FILE *to) {
    fputs("usage: kernel [options] DEMO\n"
          "  -o, --output=FILE  the trace, - is standard output (DEMO.trace)\n"
          "  -m, --ms=N         run time in simulated milliseconds (400)\n"
          "  -h, --help         this text\n",
          to);
    for (const struct demo *d = demos; d->name; ++d)
        fprintf(to, "  %-12s %s\n", d->name, d->sentence);
}

static const struct demo *find(const char *name) {
    const struct demo *d = demos;
    while (d->name && strcmp(d->name, name) != 0) ++d;
    return d->name ? d : NULL;
}

static uint64_t milliseconds(const char *text) {
    char *end;
    errno = 0;
    unsigned long v = strtoul(text, &end, 10);
    if (*text >= '0' && *text <= '9' && !*end && !errno && v && v <= MS_MAX) return v;
    fprintf(stderr, "kernel: --ms: '%s' is not a number from 1 to %d\n", text, MS_MAX);
    exit(EXIT_USAGE);
}

static void record(const struct demo *demo, uint64_t ms) {
    // A fixed build time keeps the bytes the same whenever it is compiled. hold: packed frames are
    // full, or 100 ms old.
    static const struct wf_config config = {.ring = ring,
                                            .ring_size = sizeof ring,
                                            .hz = WF_PORT_HZ,
                                            .built = {0, 0, 12, 1, 1, 26},
                                            .hold = WF_PORT_HZ / 10};
    wf_start(&config);
    wf_filter(WF_GRP_ALL);
    demo->start();
    kernel_run(ms * 1000, send_all);
    wf_flush();
    send_all();
}

int main(int argc, char **argv) {
    static const struct option longs[] = {
        {"output", 1, NULL, 'o'}, {"ms", 1, NULL, 'm'}, {"help", 0, NULL, 'h'}, {NULL, 0, NULL, 0}};
    const char *output = NULL;
    uint64_t ms = 400;
    for (int c; (c = getopt_long(argc, argv, "o:m:h", longs, NULL)) != -1;) {
        switch (c) {
        case 'o': output = optarg; break;
        case 'm': ms = milliseconds(optarg); break;
        case 'h': usage(stdout); return 0;
        default: usage(stderr); return EXIT_USAGE;
        }
    }
    const struct demo *demo = optind + 1 == argc ? find(argv[optind]) : NULL;
    if (!demo) {
        fprintf(stderr, "kernel: which demonstration? See --help.\n");
        return EXIT_USAGE;
    }
    char name[64];
    snprintf(name, sizeof name, "%s.trace", demo->name);
    if (!output) output = name;
    if (wf_file_open(&file, output) != 0) {
        fprintf(stderr, "kernel: %s: %s\n", output, strerror(errno));
        return EXIT_LINK;
    }
    record(demo, ms);
    int why = errno;
    wf_file_transport.close(&file);
    if (broken) fprintf(stderr, "kernel: %s: %s\n", output, strerror(why));
    return broken ? EXIT_LINK : 0;
}
