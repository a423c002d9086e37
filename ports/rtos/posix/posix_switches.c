// SPDX-License-Identifier: MIT
// In the helper: the kernel's switches of the program's threads (perf_event_open, one ring for each
// CPU), recorded as task_switch on the core of that number, with the kernel's time.
//
// The kernel reports that a thread is switched in or out, and whether it could have continued.
// Earlier records give the reason of a wait; the notes of the thread (wfx_nap) show that it sleeps
// or yielded.
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "wf_port.h"
#include "wf_posix.h"

enum {
    WFX_PAGES = 1024,     // of a ring, if so many may be locked; every user: 128, 16384 switches
    WFX_SURE_NS = 200000, // the kernel writes events well within this time
    WFX_GAP_NS = 20000    // an out and an in within this time are one switch
};

// The common last part of all events (sample_id).
struct tail {
    uint32_t pid, tid;
    uint64_t time;
    uint32_t cpu, unused;
};

struct lane {
    struct perf_event_mmap_page *page;              // null: this CPU does not exist
    uint64_t size;                                  // of the ring, in bytes
    uint64_t at, head;                              // positions in it: next record, end
    uint64_t next;                                  // time of the next record, UINT64_MAX: none
    uint8_t bytes[256] __attribute__((aligned(8))); // that record
    uint64_t last;                                  // stamp of the last record
    int runs;   // the running thread by the last record, 0: none of the program's
    int unborn; // runs since `since`, but has no create yet
    uint64_t since;
    bool left; // `runs` went out at left_at, because of `why`
    uint64_t left_at;
    unsigned why;
};
static struct lane lanes[WF_CFG_CORES];

static void record(unsigned core, uint64_t time, int tid, unsigned why) {
    struct lane *lane = &lanes[core];
    if (time < lane->last) time = lane->last;
    lane->last = time;
    lane->runs = tid;
    wfx_port.time = time;
    wfx_port.core = (uint8_t)core;
    wfx_port.placed = true;
    WF_TASK_SWITCH(NULL, (const void *)(uintptr_t)(unsigned)tid, why);
    wfx_port.placed = false;
    wfx_port.time = 0;
}

// Returns the thread that had this number at this time, or gets it later.
static struct wfx_thread *thread_at(int tid, uint64_t time) {
    struct wfx_thread *found = NULL;
    uint64_t until = 0;
    for (unsigned i = 0; i < WFX_PROBES; ++i) {
        struct wfx_thread *t = &wfx_shared->threads[((unsigned)tid + i) % WFX_THREADS];
        if (__atomic_load_n(&t->tid, __ATOMIC_ACQUIRE) != tid) continue;
        const uint64_t died = __atomic_load_n(&t->died, __ATOMIC_ACQUIRE);
        const uint64_t ends = died ? died : UINT64_MAX;
        if (time <= ends && (!found || ends < until)) {
            found = t;
            until = ends;
        }
    }
    return found;
}

static unsigned reason_of(int tid, uint64_t time, bool could_run) {
    const struct wfx_thread *t = thread_at(tid, time);
    if (!t) return WFX_LEFT_ended;
    const uint32_t count = __atomic_load_n(&t->naps, __ATOMIC_ACQUIRE);
    unsigned reason = could_run ? WFX_LEFT_preempted : WFX_LEFT_blocked;
    uint64_t oldest = count < WFX_NAPS ? 0 : UINT64_MAX;
    for (unsigned i = 0; i < WFX_NAPS && i < count; ++i) {
        const struct wfx_nap *nap = &t->nap[i];
        const uint64_t begin = __atomic_load_n(&nap->begin, __ATOMIC_ACQUIRE);
        const uint64_t end = __atomic_load_n(&nap->end, __ATOMIC_ACQUIRE);
        const unsigned why = (unsigned)__atomic_load_n(&nap->reason, __ATOMIC_ACQUIRE);
        if (begin < oldest) oldest = begin;
        // A thread that yields could run, one that sleeps could not; otherwise the reason is
        // another one.
        if (begin <= time && (!end || time <= end) && could_run == (why == WFX_LEFT_yielded))
            reason = why;
    }
    const bool changed = __atomic_load_n(&t->naps, __ATOMIC_ACQUIRE) != count;
    return changed || time < oldest ? WFX_LEFT_unknown : reason;
}

// Records that a thread runs once its create is there, if the create is from before `until`: up to
// then the lane's switches are known.
static void settle_unborn(unsigned core, uint64_t until) {
    struct lane *lane = &lanes[core];
    const struct wfx_thread *t = lane->unborn ? thread_at(lane->unborn, lane->since) : NULL;
    if (!t) return;
    const uint64_t born = __atomic_load_n(&t->born, __ATOMIC_ACQUIRE);
    const uint64_t from = born > lane->since ? born : lane->since;
    if (from >= until) return;
    record(core, from, lane->unborn, WFX_LEFT_unknown);
    lane->unborn = 0;
}

static void settle_left(unsigned core) {
    struct lane *lane = &lanes[core];
    if (lane->left) record(core, lane->left_at, 0, lane->why);
    lane->left = false;
}

static void go_out(unsigned core, const struct tail *t, bool could_run) {
    struct lane *lane = &lanes[core];
    settle_left(core);
    settle_unborn(core, t->time);
    lane->unborn = 0;
    if (lane->runs != (int)t->tid) return;
    struct wfx_thread *thread = thread_at((int)t->tid, t->time);
    if (thread) thread->left = t->time;
    lane->why = reason_of(lane->runs, t->time, could_run);
    lane->left_at = t->time;
    lane->left = true;
}

static void go_in(unsigned core, const struct tail *t) {
    struct lane *lane = &lanes[core];
    settle_unborn(core, t->time);
    lane->unborn = 0;
    const struct wfx_thread *thread = thread_at((int)t->tid, t->time);
    const uint64_t born = thread ? __atomic_load_n(&thread->born, __ATOMIC_ACQUIRE) : UINT64_MAX;
    if (born > t->time) {
        settle_left(core);
        if (lane->runs) record(core, t->time, 0, WFX_LEFT_ended);
        lane->unborn = (int)t->tid;
        lane->since = t->time;
        return;
    }
    // One switch, unless the thread was still on another CPU then.
    if (lane->left && t->time - lane->left_at < WFX_GAP_NS && thread->left <= lane->left_at) {
        lane->left = false;
        record(core, lane->left_at, (int)t->tid, lane->why);
        return;
    }
    settle_left(core);
    record(core, t->time, (int)t->tid, lane->runs ? WFX_LEFT_ended : WFX_LEFT_unknown);
}

static void go_away(unsigned core, const struct tail *t) {
    struct lane *lane = &lanes[core];
    settle_left(core);
    settle_unborn(core, t->time);
    lane->unborn = 0;
    if (lane->runs == (int)t->tid) record(core, t->time, 0, WFX_LEFT_ended);
}

static void take(unsigned core, const uint8_t *bytes, const struct perf_event_header *h) {
    struct tail tail;
    uint64_t lost[2]; // an id, and how many
    if (h->size < sizeof *h + sizeof tail) return;
    memcpy(&tail, bytes + h->size - sizeof tail, sizeof tail);
    const uint64_t end =
        __atomic_load_n(&wfx_shared->ending, __ATOMIC_ACQUIRE) ? wfx_shared->end_time : UINT64_MAX;
    if (h->type == PERF_RECORD_LOST && h->size >= sizeof *h + sizeof lost) {
        memcpy(lost, bytes + sizeof *h, sizeof lost);
        lanes[core].left = false;
        lanes[core].unborn = lanes[core].runs = 0;
        wf_slots_missed(core, lost[1]);
        return;
    }
    if (tail.time > end) return;
    if (h->type == PERF_RECORD_EXIT && h->size >= sizeof *h + 16 + sizeof tail) {
        memcpy(&tail.tid, bytes + sizeof *h + 8, sizeof tail.tid);
        go_away(core, &tail);
    }
    if (h->type != PERF_RECORD_SWITCH) return;
    if (h->misc & PERF_RECORD_MISC_SWITCH_OUT) {
        go_out(core, &tail, h->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT);
    } else {
        go_in(core, &tail);
    }
}

// A record may wrap around the end of the ring.
static void copy(const struct lane *lane, void *to, size_t len) {
    const uint8_t *ring = (const uint8_t *)lane->page + lane->page->data_offset;
    for (size_t i = 0; i < len; ++i) ((uint8_t *)to)[i] = ring[(lane->at + i) % lane->size];
}

// Reads the lane's next record; its time is in the tail.
static void look(struct lane *lane) {
    struct perf_event_header *h = (void *)lane->bytes;
    lane->next = UINT64_MAX;
    while (lane->at < lane->head) {
        copy(lane, lane->bytes, sizeof *h);
        if (h->size < sizeof *h) lane->at = lane->head;
        if (lane->at == lane->head) return;
        if (h->size <= sizeof lane->bytes && h->size >= sizeof *h + sizeof(struct tail)) break;
        lane->at += h->size; // of a kind that was not requested
    }
    if (lane->at >= lane->head) return;
    copy(lane, lane->bytes, h->size);
    struct tail tail;
    memcpy(&tail, lane->bytes + h->size - sizeof tail, sizeof tail);
    lane->next = tail.time;
}

static struct lane *earliest(uint64_t until) {
    struct lane *found = NULL;
    for (unsigned core = 0; core < wfx_port.first; ++core) {
        struct lane *lane = &lanes[core];
        if (!lane->page || lane->next >= (found ? found->next : until)) continue;
        found = lane;
    }
    return found;
}

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * WF_PORT_HZ + (uint64_t)t.tv_nsec;
}

// Reads in the order of time of all CPUs, up to the time at which all rings are complete.
bool wfx_switches_read(bool all) {
    bool any = false;
    if (!wfx_shared->switches) return false;
    const uint64_t until = all ? UINT64_MAX : now() - WFX_SURE_NS;
    for (unsigned core = 0; core < wfx_port.first; ++core) {
        struct lane *lane = &lanes[core];
        if (!lane->page) continue;
        lane->head = __atomic_load_n(&lane->page->data_head, __ATOMIC_ACQUIRE);
        look(lane);
    }
    for (struct lane *lane; (lane = earliest(until)) != NULL; any = true) {
        const struct perf_event_header *h = (void *)lane->bytes;
        take((unsigned)(lane - lanes), lane->bytes, h);
        lane->at += h->size;
        look(lane);
    }
    for (unsigned core = 0; core < wfx_port.first; ++core) {
        if (!lanes[core].page) continue;
        __atomic_store_n(&lanes[core].page->data_tail, lanes[core].at, __ATOMIC_RELEASE);
        if (lanes[core].left && until > lanes[core].left_at + WFX_GAP_NS) settle_left(core);
        settle_unborn(core, until);
    }
    return any;
}

void wfx_switches_mark(uint64_t time) {
    for (unsigned core = 0; core < wfx_port.first; ++core) {
        if (time < lanes[core].last) continue;
        lanes[core].last = time;
        wfx_port.time = time;
        wfx_port.core = (uint8_t)core;
        wfx_port.placed = true;
        wf_slots_mark();
        wfx_port.placed = false;
        wfx_port.time = 0;
    }
}

static int open_one(int pid, unsigned cpu) {
    struct perf_event_attr attr;
    memset(&attr, 0, sizeof attr);
    attr.size = sizeof attr;
    attr.type = PERF_TYPE_SOFTWARE;
    attr.config = PERF_COUNT_SW_DUMMY;
    attr.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;
    attr.sample_id_all = 1;
    attr.context_switch = 1;
    attr.task = 1;
    attr.use_clockid = 1;
    attr.clockid = CLOCK_MONOTONIC;
    attr.inherit = 1;        // by threads
    attr.inherit_thread = 1; // only
    attr.exclude_kernel = 1; // switches are reported all the same
    attr.exclude_hv = 1;
    return (int)syscall(SYS_perf_event_open, &attr, pid, (int)cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

static bool map_ring(struct lane *lane, int fd) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (size_t pages = WFX_PAGES; pages; pages /= 2) {
        void *at = mmap(NULL, (pages + 1) * page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (at == MAP_FAILED) continue; // more than the limit of locked memory
        lane->page = at;
        lane->size = pages * page;
        return true;
    }
    return false;
}

static const char *why_not(int error) {
    if (error == EACCES || error == EPERM)
        return "the kernel does not allow it (kernel.perf_event_paranoid)";
    if (error == ENOSYS) return "the kernel has no perf_event_open";
    return strerror(error);
}

void wfx_switches_open(int pid) {
    const char *why = NULL;
    unsigned opened = 0;
    if (!wfx_options.switches) why = "WALLFLY_SWITCHES is 0";
    if (wfx_options.switches && !wfx_port.first) why = "there are more than 32 CPUs";
    for (unsigned cpu = 0; !why && cpu < wfx_port.first; ++cpu) {
        const int fd = open_one(pid, cpu);
        if (fd < 0 && errno == ENODEV) continue; // the CPU is offline
        if (fd < 0 || !map_ring(&lanes[cpu], fd)) {
            why = why_not(errno);
        } else {
            ++opened;
        }
    }
    if (!why && !opened) why = "no CPU has them";
    if (why) snprintf(wfx_shared->no_switches, WFX_TEXT, "%s", why);
    wfx_shared->switches = !why;
}
