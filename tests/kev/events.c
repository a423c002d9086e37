// SPDX-License-Identifier: MIT
// Prints the items of the slot reader, one on each line: events (E), losses (L), damage (D), as
// README.md here describes; and checks the reader's ledger against them. It can truncate or damage
// a file at every byte in turn: a line "= offset" comes before each.

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_slots.h"

static const char *const kinds[] = {"no_first", "no_last", "too_long",  "bad_core",
                                    "no_slot",  "cut",     "bad_header"};
_Static_assert(sizeof kinds / sizeof kinds[0] == WF_SLOTS_DAMAGE_END, "a name for each kind");

// Sums of the items, to compare with the ledger.
struct sums {
    uint64_t headers, events, slots, lost, refused;
    uint64_t damage[WF_SLOTS_DAMAGE_END];
    uint64_t by_core[WF_SLOT_CORES];
    bool exact;
};

static void fail(const char *why) {
    fflush(stdout);
    fprintf(stderr, "events: %s\n", why);
    exit(3);
}

static void print_event(const struct wf_slot_event *e, struct sums *sums) {
    if (e->core >= WF_SLOT_CORES || e->count == 0 || e->count % 2 || e->len > 4 * e->count) {
        fail("an event that cannot be");
    }
    ++sums->events;
    ++sums->by_core[e->core];
    sums->slots += e->count / 2;
    if (e->timed) {
        printf("E %" PRIu64, e->tick);
    } else {
        printf("E ?");
    }
    printf(" %u %u %u", (unsigned)e->core, (unsigned)e->cls, (unsigned)e->event);
    for (unsigned i = 0; i < e->count; ++i) printf(" %08" PRIx32, e->words[i]);
    printf(" =");
    for (unsigned i = 0; i < e->len; ++i) printf("%02x", (unsigned)e->bytes[i]);
    putchar('\n');
}

static void print_loss(const struct wf_slots_loss *l, struct sums *sums) {
    sums->lost += l->events;
    sums->refused += l->refused;
    if (!l->exact) sums->exact = false;
    printf("L %u %" PRIu64 " %d %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", (unsigned)l->core,
           l->events, l->exact, l->slots, l->refused, l->chunks);
}

static void print_damage(const struct wf_slots_damage *d, struct sums *sums) {
    if (d->kind >= WF_SLOTS_DAMAGE_END || !d->why || !*d->why) fail("damage without a kind or why");
    ++sums->damage[d->kind];
    printf("D %s %" PRIu64 " %" PRIu64 "\n", kinds[d->kind], d->offset, d->len);
}

static void drain(struct wf_slots *s, struct sums *sums) {
    struct wf_slots_item item;
    while (wf_slots_next(s, &item)) {
        if (item.kind == WF_SLOTS_HEADER) {
            if (sums->headers++ || sums->events) fail("a second or late header");
        } else if (item.kind == WF_SLOTS_EVENT) {
            print_event(&item.event, sums);
        } else if (item.kind == WF_SLOTS_LOSS) {
            print_loss(&item.loss, sums);
        } else {
            print_damage(&item.damage, sums);
        }
    }
}

static void check_ledger(const struct wf_slots_ledger *l, const struct sums *sums, uint64_t bytes) {
    if (l->bytes != bytes) fail("ledger: bytes are not those fed");
    if (l->events != sums->events) fail("ledger: events are not those delivered");
    if (l->slots != sums->slots + l->control + l->empty + l->damaged) fail("ledger: slots");
    if (memcmp(l->damage, sums->damage, sizeof l->damage) != 0) fail("ledger: damage");
    if (memcmp(l->by_core, sums->by_core, sizeof l->by_core) != 0) fail("ledger: cores");
    // A loss that was not exact may have been late events.
    if (l->lost > sums->lost || (sums->exact && l->lost != sums->lost)) fail("ledger: lost");
    if (l->refused != sums->refused) fail("ledger: refused");
    // Damage may hide events too: then the ledger counts no loss as exact.
    if (l->exact && !sums->exact) fail("ledger: exact");
}

static void print_header(const struct wf_slots *s) {
    const char *key, *value;
    size_t len;
    for (size_t n = 0; wf_slots_attribute(s, n, &key, &value); ++n) printf("A %s %s\n", key, value);
    const uint8_t *page = wf_slots_syspage(s, &len);
    printf("P ");
    for (size_t i = 0; page && i < len; ++i) printf("%02x", (unsigned)page[i]);
    printf("\nR %" PRIu64 " %d\n", wf_slots_hz(s), wf_slots_swapped(s));
}

// Each piece is in memory of its own, so that a sanitizer detects reads beyond it.
static void print_all(const struct wf_slots_options *options, const uint8_t *data, size_t len,
                      size_t piece, bool header) {
    struct sums sums = {.exact = true};
    struct wf_error error;
    struct wf_slots *s = wf_slots_open(options, &error);
    if (!s) fail(error.text);
    for (size_t at = 0; at < len; at += piece) {
        size_t n = len - at < piece ? len - at : piece;
        uint8_t *copy = malloc(n);
        if (!copy) fail("out of memory");
        memcpy(copy, data + at, n);
        wf_slots_feed(s, copy, n);
        drain(s, &sums);
        free(copy);
    }
    wf_slots_end(s);
    drain(s, &sums);
    check_ledger(wf_slots_get_ledger(s), &sums, len);
    if (header) print_header(s);
    wf_slots_close(s);
}

static uint8_t *read_file(const char *path, size_t *len) {
    FILE *f = fopen(path, "rb");
    if (!f || fseek(f, 0, SEEK_END) != 0) return NULL;
    long size = ftell(f);
    rewind(f);
    uint8_t *data = malloc((size_t)size + 1);
    if (data) *len = fread(data, 1, (size_t)size, f);
    fclose(f);
    return data;
}

int main(int argc, char **argv) {
    static const struct option longs[] = {{"chunk", required_argument, NULL, 'n'},
                                          {"clock", required_argument, NULL, 'c'},
                                          {"raw", required_argument, NULL, 'r'},
                                          {"header", no_argument, NULL, 'h'},
                                          {"cuts", no_argument, NULL, 'u'},
                                          {"flips", required_argument, NULL, 'f'},
                                          {NULL, 0, NULL, 0}};
    struct wf_slots_options options = {.size = sizeof options};
    size_t piece = 4096, len = 0;
    bool header = false, cuts = false;
    unsigned mask = 0;
    for (int o; (o = getopt_long(argc, argv, "", longs, NULL)) != -1;) {
        if (o == 'n') piece = strtoul(optarg, NULL, 0);
        if (o == 'c')
            options.clock = *optarg == 'g' ? WF_SLOTS_CLOCK_GLOBAL : WF_SLOTS_CLOCK_PERCPU;
        if (o == 'r') options.order = *optarg == 'b' ? WF_SLOTS_BIG : WF_SLOTS_LITTLE;
        if (o == 'r') options.no_header = true;
        if (o == 'h') header = true;
        if (o == 'u') cuts = true;
        if (o == 'f') mask = (unsigned)strtoul(optarg, NULL, 0) & 0xFF;
        if (o == '?') return 2;
    }
    uint8_t *data = optind == argc - 1 && piece ? read_file(argv[optind], &len) : NULL;
    if (!data) {
        fprintf(stderr, "usage: events [--chunk=N] [--clock=global|percpu] [--raw=little|big] "
                        "[--header] [--cuts] [--flips=MASK] FILE\n");
        return 2;
    }
    for (size_t at = 0; cuts && at <= len; ++at) {
        printf("= %zu\n", at);
        print_all(&options, data, at, piece, false);
    }
    for (size_t at = 0; mask && at < len; ++at) {
        printf("= %zu\n", at);
        data[at] ^= (uint8_t)mask;
        print_all(&options, data, len, piece, false);
        data[at] ^= (uint8_t)mask;
    }
    if (!cuts && !mask) print_all(&options, data, len, piece, header);
    free(data);
    return fflush(stdout) == 0 ? 0 : 2;
}
