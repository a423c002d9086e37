// SPDX-License-Identifier: MIT
// Records more than its ring holds, then ends as its argument says: drain (the ring's contents to
// standard output), image FILE (its static memory, among garbage), abort, or wait (for a debugger).
// The number before it: bytes read from the ring first. Each run makes the same records.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "wallfly/wallfly.h"

enum { ENTITY = WF_USER };

uint64_t fake_clock = 0xFFFF0000u, fake_clock_step = 7;
int fake_lock_depth, fake_lock_count, fake_lock_errors;
void done(void);

static uint8_t ring[3000];
static const struct wf_config config = {.ring = ring, .ring_size = sizeof ring, .hz = 1000000};

extern char __data_start, _end; // from the linker

static int save(const char *name) {
    FILE *f = fopen(name, "wb");
    if (!f) return 1;
    srand(3);
    for (int i = rand() % 5000 + 1001; i; --i) fputc(rand() & 0xFF, f);
    for (const char *p = &__data_start; p != &_end; ++p) fputc(*p, f);
    for (int i = rand() % 5000; i; --i) fputc(rand() & 0xFF, f);
    return fclose(f) != 0;
}

// For a debugger's breakpoint.
__attribute__((noinline)) void done(void) { __asm__ volatile(""); }

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    wf_start(&config);
    wf_filter(WF_GRP_ALL);
    WF_USR_DICTIONARY(ENTITY);
    for (int i = atoi(argv[1]); i > 0; --i) wf_get_byte();
    for (uint32_t i = 0; i < 1000; ++i) {
        WF_RECORD(ENTITY, 0, WF_U32(0, i * 1000003u), WF_STR(i % 3 ? "\x7D\x7E" : "some text"));
        fake_clock += i % 64 ? i : 0x20000;
    }
    done();
    if (strcmp(argv[2], "image") == 0) return save(argv[3]);
    if (strcmp(argv[2], "abort") == 0) abort();
    for (int b; (b = wf_get_byte()) >= 0;) putchar(b);
    return 0;
}
