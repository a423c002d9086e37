// SPDX-License-Identifier: MIT
// Preloaded into a program (LD_PRELOAD): counts the allocations of the program and of every library
// in it, and makes one of them, or this one and all later ones, fail.

#define _GNU_SOURCE
#include <errno.h>
#include <execinfo.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

void *__libc_malloc(size_t len);
void *__libc_calloc(size_t n, size_t len);
void *__libc_realloc(void *p, size_t len);
void *__libc_memalign(size_t align, size_t len);
void *memalign(size_t align, size_t len);
void wf_fail_alloc(unsigned long nth, int all, unsigned long *to);

static atomic_ulong count;
static unsigned long fail_at;
static int fail_all;
static unsigned long *told; // shared with the parent

void wf_fail_alloc(unsigned long nth, int all, unsigned long *to) {
    fail_at = nth;
    fail_all = all;
    count = 0;
    told = to;
}

// Prints the allocation's call stack, to find its error path.
static void show_place(void) {
    void *frames[40];
    unsigned long at = fail_at;
    fail_at = 0;
    backtrace_symbols_fd(frames, backtrace(frames, 40), STDERR_FILENO);
    fail_at = at;
}

static int fails(void) {
    if (!told) return 0;
    unsigned long n = ++count;
    *told = n;
    if (!fail_at || n < fail_at || (n > fail_at && !fail_all)) return 0;
    if (n == fail_at && getenv("WF_FAIL_PLACE")) show_place();
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t len) { return fails() ? NULL : __libc_malloc(len); }
void *calloc(size_t n, size_t len) { return fails() ? NULL : __libc_calloc(n, len); }
void *realloc(void *p, size_t len) { return fails() ? NULL : __libc_realloc(p, len); }
void *memalign(size_t align, size_t len) { return fails() ? NULL : __libc_memalign(align, len); }
void *aligned_alloc(size_t align, size_t len) { return memalign(align, len); }

int posix_memalign(void **p, size_t align, size_t len) {
    void *got = memalign(align, len);
    if (!got) return ENOMEM;
    *p = got;
    return 0;
}
