// SPDX-License-Identifier: MIT
// The slot recorder's part of the host port: the present core, and stores of a whole slot at once.
#ifndef WF_PORT_SLOTS_H
#define WF_PORT_SLOTS_H

#include <stdbool.h>
#include <stddef.h>
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
#if defined __x86_64__ && defined __LP64__
    // The thread pointer is the base of fs, so one load is enough.
    uint64_t core;
    __asm__ volatile("movzbl %%fs:%c1(%2), %k0"
                     : "=r"(core)
                     : "i"(offsetof(struct rseq, cpu_id_start)), "r"(__rseq_offset));
    if (core > UINT8_MAX) __builtin_unreachable(); // saves the compiler another movzbl
    return (uint8_t)core;
#else
    const char *thread = (const char *)__builtin_thread_pointer();
    const struct rseq *rseq = (const struct rseq *)(const void *)(thread + __rseq_offset);
    return *(const volatile uint8_t *)&rseq->cpu_id_start; // the low byte: up to 256 cores
#endif
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

// A slot of the usual path. turned: the stamp with its halves exchanged, so that one number serves
// for the comparison with the upper word and for the slot.
#define WF_PORT_TURNED 1

static inline void wf_port_put_turned(void *to, uint32_t head, uint64_t turned, uint64_t body) {
    __m128i v;
    __asm__("vmovq %2, %0\n\tvpinsrd $0, %1, %0, %0\n\tvpinsrq $1, %3, %0, %0"
            : "=&x"(v)
            : "r"(head), "r"(turned), "r"(body));
    __asm__ volatile("vmovdqa %1, %0" : "=m"(*(__m128i *)to) : "x"(v));
}

// Compares in memory, which an atomic load of the compiler does not.
static inline bool wf_port_is_word(const uint32_t *p, uint32_t v) {
    bool same;
    __asm__ volatile("cmpl %2, %1" : "=@cce"(same) : "m"(*p), "r"(v));
    return same;
}

// Copies and shifts in one instruction, which the compiler makes of no constant power of two.
#define WF_PORT_TIMES(a, n)                                                                        \
    __extension__({                                                                                \
        register uint32_t times_ __asm__("r8");                                                    \
        __asm__("imull %2, %1, %0" : "=r"(times_) : "r"(a), "i"(n));                               \
        times_;                                                                                    \
    })

static inline void wf_port_get_slot(const void *from, uint64_t half[2]) {
    __m128i v;
    __asm__ volatile("vmovdqa %1, %0" : "=x"(v) : "m"(*(const __m128i *)from));
    __asm__("vmovq %2, %0\n\tvpextrq $1, %2, %1" : "=&r"(half[0]), "=r"(half[1]) : "x"(v));
}

// As the builtin, but without two moves: when it succeeds, *from is still in its register.
// r8 is not one of those of the caller's arguments, which stay where they are.
static inline bool wf_port_swap64(uint64_t *p, uint64_t *from, uint64_t to) {
    bool done;
    register uint64_t wanted __asm__("r8") = to;
    __asm__ volatile("lock cmpxchgq %3, %1"
                     : "=@ccz"(done), "+m"(*p), "+a"(*from)
                     : "r"(wanted)
                     : "memory");
    return done;
}
#endif
#endif

#endif
