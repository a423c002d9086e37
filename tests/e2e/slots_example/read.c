// SPDX-License-Identifier: MIT
// Reads a slot trace with the parser library and prints the events of each core. Usage: slots_read
// FILE, or slots_read FILE PID: its memory, while that process records.

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <wallfly_parser/wf_parser.h>

enum { STEP = 100, ROUND = 101, RECORDS = WF_PARSER_INTERNAL + WF_SLOT_CLASS_RECORD };

static uint64_t lost[WF_SLOT_CORES], refused[WF_SLOT_CORES], odd, waits;
static uint32_t next[WF_SLOT_CORES][64];
static pid_t pid;

// u8: writer, u32: its number, ascending on each core; a ROUND also has a text.
static int take(struct wf_parser *p, void *user, const struct wf_parser_event *e) {
    (void)p;
    (void)user;
    uint32_t n = 0;
    if (e->len < 7 || e->bytes[1] >= 64) return ++odd, 0;
    for (unsigned i = 4; i-- > 0;) n = n << 8 | e->bytes[3 + i];
    if (n < next[e->core][e->bytes[1]] || e->len != (n % 64 ? 7 : 20)) ++odd;
    if (n % 64 == 0 && e->len == 20 && e->bytes[18] != 'd') ++odd;
    next[e->core][e->bytes[1]] = n + 1;
    return 0;
}

static int take_loss(struct wf_parser *p, void *user, const struct wf_slots_loss *l) {
    (void)p;
    (void)user;
    lost[l->core] += l->events;
    refused[l->core] += l->refused;
    return 0;
}

static enum wf_parser_idle idle(struct wf_parser *p, void *user) {
    (void)p;
    (void)user;
    if (kill(pid, 0) != 0) return WF_PARSER_END;
    ++waits;
    nanosleep(&(struct timespec){0, 1000000}, NULL);
    return WF_PARSER_WAIT;
}

static int run_live(struct wf_parser *p, const char *name) {
    struct stat st;
    int fd = open(name, O_RDWR);
    if (fd < 0 || fstat(fd, &st) != 0) return WF_ERR_READ;
    size_t size = (size_t)st.st_size;
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED) return WF_ERR_READ;
    return wf_parser_run_live(p, memory, size, true, idle, NULL);
}

int main(int argc, char **argv) {
    const struct wf_parser_options options = {.order = WF_PARSER_BY_TIME};
    int err;
    struct wf_parser *p = wf_parser_create(&options, NULL);
    if (!p || argc < 2) return 2;
    wf_parser_on_range(p, RECORDS, STEP, ROUND, take, NULL);
    wf_parser_on_loss(p, take_loss, NULL);
    if (argc > 2) {
        pid = (pid_t)strtol(argv[2], NULL, 10);
        err = run_live(p, argv[1]);
    } else {
        err = wf_parser_run_file(p, argv[1]);
    }
    if (err != WF_OK) {
        fprintf(stderr, "slots_read: %s (%d)\n", wf_parser_problem(p), err);
        return 3;
    }
    const struct wf_slots_ledger *l = wf_parser_totals(p);
    uint64_t all = 0;
    for (unsigned core = 0; core < WF_SLOT_CORES; ++core) {
        uint64_t made = l->by_core[core] + lost[core];
        all += l->by_core[core];
        if (made + refused[core]) {
            printf("core %u: made %" PRIu64 ", refused %" PRIu64 "\n", core, made, refused[core]);
        }
    }
    fprintf(stderr,
            "delivered %" PRIu64 ", lost %" PRIu64 ", refused %" PRIu64 "%s, waited %" PRIu64 "\n",
            all, l->lost, l->refused, l->exact ? "" : ", at least", waits);
    if (odd) fprintf(stderr, "%" PRIu64 " events are not what was made\n", odd);
    if (l->back) fprintf(stderr, "%" PRIu64 " stamps go back\n", l->back);
    bool bad = odd || l->back || !l->exact || !all;
    wf_parser_destroy(p);
    return bad;
}
