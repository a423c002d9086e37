// SPDX-License-Identifier: MIT
// The slot recorder's part of the host port: the present core, and stores of a whole slot at once.
#ifndef WF_PORT_SLOTS_H
#define WF_PORT_SLOTS_H

#include <stdbool.h>
#include <stdint.h>

#if defined __linux__ && defined __GLIBC__ && defined __has_include
#if __has_include(<sys/rseq.h>)
#include <sys/rseq.h>
#define WF_PORT_RSEQ 1
#endif
#endif
#ifndef WF_PORT_RSEQ
#define WF_PORT_RSEQ 0
#endif

// Returns the core of the calling thread. The thread may move to another core at any time, which
// does no harm. glibc has the number in memory that the kernel updates (rseq, from 2.35 on).
// Without rseq all cores share one ring.
static inline uint8_t wf_port_core(void) {
#if WF_PORT_RSEQ
    const char *thread = (const char *)__builtin_thread_pointer();
    const struct rseq *rseq = (const struct rseq *)(const void *)(thread + __rseq_offset);
    return *(const volatile uint8_t *)&rseq->cpu_id_start; // the low byte: up to 256 cores
#else
    return 0;
#endif
}

#if defined __x86_64__
#include <emmintrin.h>

#define WF_PORT_ATOMIC 1

// Aligned 16-byte moves are one access on every x86-64 CPU that has AVX (Intel SDM vol. 3, 9.1.1;
// AMD APM vol. 2, 7.3.2).
static inline bool wf_port_can_atomic(void) { return __builtin_cpu_supports("avx") != 0; }

#if defined __SANITIZE_THREAD__ // the sanitizer does not know the asm moves
__extension__ typedef unsigned __int128 wf_port_16;

static inline void wf_port_put_slot(void *to, uint64_t low, uint64_t high) {
    __atomic_store_n((wf_port_16 *)to, low | (wf_port_16)high << 64, __ATOMIC_RELEASE);
}

static inline void wf_port_get_slot(const void *from, uint64_t half[2]) {
    wf_port_16 v = __atomic_load_n((wf_port_16 *)(uintptr_t)from, __ATOMIC_ACQUIRE);
    half[0] = (uint64_t)v;
    half[1] = (uint64_t)(v >> 64);
}

static inline bool wf_port_swap64(uint64_t *p, uint64_t *from, uint64_t to) {
    return __atomic_compare_exchange_n(p, from, to, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}
#else
static inline void wf_port_put_slot(void *to, uint64_t low, uint64_t high) {
    __m128i v;
    __asm__("vmovq %1, %0\n\tvpinsrq $1, %2, %0, %0" : "=&x"(v) : "r"(low), "r"(high));
    __asm__ volatile("vmovdqa %1, %0" : "=m"(*(__m128i *)to) : "x"(v));
}

static inline void wf_port_get_slot(const void *from, uint64_t half[2]) {
    __m128i v;
    __asm__ volatile("vmovdqa %1, %0" : "=x"(v) : "m"(*(const __m128i *)from));
    __asm__("vmovq %2, %0\n\tvpextrq $1, %2, %1" : "=&r"(half[0]), "=r"(half[1]) : "x"(v));
}

// As the builtin, but without two moves: when it succeeds, *from is still in its register.
static inline bool wf_port_swap64(uint64_t *p, uint64_t *from, uint64_t to) {
    bool done;
    __asm__ volatile("lock cmpxchgq %3, %1"
                     : "=@ccz"(done), "+m"(*p), "+a"(*from)
                     : "r"(to)
                     : "memory");
    return done;
}
#endif
#endif

#endif
