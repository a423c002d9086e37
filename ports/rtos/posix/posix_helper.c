// SPDX-License-Identifier: MIT
// The helper process: reads slots from the rings and writes them, until the program has ended.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "wallfly/wf_transport.h"
#include "wf_file.h"
#include "wf_port.h"
#include "wf_posix.h"
#include "wf_tcp.h"

enum {
    WFX_BATCH = 2048,
    WFX_BATCHES = 8,
    WFX_MARK_NS = 100000000,
    WFX_SETTLE_MS = 200,
    WFX_STUCK_MS = 5000,
    WFX_LOCK_MS = 2000
};

static struct wf_slots_reader readers[WF_CFG_CORES];
static const struct wf_transport *transport; // null: the link is gone
static struct wf_file file;
static struct wf_tcp tcp;
static void *link_ctx;
static unsigned cores;

static void rest(long us) {
    const struct timespec t = {0, us * 1000};
    syscall(SYS_nanosleep, &t, NULL);
}

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * WF_PORT_HZ + (uint64_t)t.tv_nsec;
}

// %p: the process id, followed by -2 and so on (again) if that file exists; %%: a percent sign.
static void expand(char *to, size_t cap, const char *from, int pid, unsigned again) {
    size_t n = 0;
    char number[32];
    snprintf(number, sizeof number, again ? "%d-%u" : "%d", pid, again);
    for (; *from && n + sizeof number < cap; ++from) {
        if (from[0] == '%' && from[1] == 'p') {
            n += (size_t)snprintf(to + n, cap - n, "%s", number);
            ++from;
        } else {
            to[n++] = *from;
            if (from[0] == '%' && from[1] == '%') ++from;
        }
    }
    to[n] = 0;
}

// With %p an existing file is never overwritten, because process ids are reused and programs are
// replaced (exec). Without %p it is, unless another traced process is writing it.
static const char *open_file(int pid) {
    char *where = wfx_shared->where;
    const char *out = wfx_options.out;
    for (unsigned again = 0; wfx_options.is_new; again = again ? again + 1 : 2) {
        expand(where, WFX_TEXT, out, pid, again);
        file.fd = open(where, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file.fd >= 0) return NULL;
        if (errno != EEXIST) return strerror(errno);
    }
    expand(where, WFX_TEXT, out, pid, 0);
    file.fd = open(where, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (file.fd < 0) return strerror(errno);
    // A program that was replaced may still be writing its end.
    for (unsigned ms = 0; flock(file.fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK; ++ms) {
        if (ms == WFX_LOCK_MS) return "another traced process writes it; put %p into WALLFLY_OUT";
        rest(1000);
    }
    if (ftruncate(file.fd, 0) != 0 && errno != EINVAL) return strerror(errno); // EINVAL: no file
    return NULL;
}

static bool open_link(int pid) {
    const char *why = NULL;
    if (strncmp(wfx_options.out, "tcp:", 4) == 0) {
        expand(wfx_shared->where, WFX_TEXT, wfx_options.out, pid, 0);
        transport = &wf_tcp_transport;
        link_ctx = &tcp;
        if (wf_tcp_open(&tcp, wfx_options.out + 4, &why) == 0) return true;
    } else {
        transport = &wf_file_transport;
        link_ctx = &file;
        why = open_file(pid);
        if (!why) return true;
    }
    snprintf(wfx_shared->text, WFX_TEXT, "%.120s: %.100s", wfx_shared->where, why);
    return false;
}

// Sends bytes. If the link is gone, slots are still read, so that no thread waits, but dropped.
static void send_bytes(const void *from, size_t len) {
    const uint8_t *bytes = from;
    unsigned idle = 0;
    while (len && transport) {
        const int32_t sent = transport->write(link_ctx, bytes, (uint32_t)len);
        if (sent < 0 || idle > WFX_STUCK_MS) {
            snprintf(wfx_shared->text, WFX_TEXT, "the trace ends early: %.100s",
                     sent < 0 ? strerror(errno) : "the other end does not read");
            transport = NULL;
            return;
        }
        if (sent == 0) rest(1000);
        idle = sent ? 0 : idle + 1;
        bytes += sent;
        len -= (size_t)sent;
    }
}

static struct wf_slot slots[WF_CFG_CORES][WFX_BATCH];
static unsigned held[WF_CFG_CORES]; // slots of an event whose last slot is not there yet

// Reads slots of a core up to the end of an event, so that events of several cores are not mixed in
// the stream.
static unsigned read_whole(unsigned core, bool end) {
    struct wf_slot *to = slots[core];
    const unsigned n = held[core] + wf_slots_read(&readers[core], core, to + held[core],
                                                  WFX_BATCH - held[core], end);
    unsigned whole = n;
    while (whole && !end) {
        const unsigned structure = to[whole - 1].head >> WF_SLOT_STRUCTURE_SHIFT;
        if (structure == WF_SLOT_SIMPLE || structure == WF_SLOT_LAST || n - whole == WFX_BATCH / 2)
            break;
        --whole;
    }
    send_bytes(to, whole * sizeof *to);
    held[core] = n - whole;
    memmove(to, to + whole, held[core] * sizeof *to);
    __atomic_store_n(&wfx_shared->drained[core], readers[core].at, __ATOMIC_RELEASE);
    return whole;
}

// Reads some batches of a core before the next core, and before the kernel's rings are read again.
// Returns whether there is certainly more.
static bool drain(bool end) {
    bool more = false;
    for (unsigned core = 0; core < cores; ++core) {
        unsigned n = WFX_BATCH;
        for (unsigned i = 0; n && (end || (i < WFX_BATCHES && n > WFX_BATCH / 2)); ++i)
            n = read_whole(core, end);
        more |= n > WFX_BATCH / 2;
    }
    return more;
}

static bool is_drained(void) {
    for (unsigned core = 0; core < cores; ++core) {
        struct wf_slots_status status;
        wf_slots_get_status(core, &status);
        if (readers[core].at != status.slots) return false;
    }
    return true;
}

// Records the time on each core, so that a reader of the stream does not wait for an idle core.
static void mark_cores(void) {
    wfx_port.placed = true;
    for (unsigned core = wfx_port.first; core < cores; ++core) {
        wfx_port.core = (uint8_t)core;
        wf_slots_mark();
    }
    wfx_port.placed = false;
}

// Returns whether the program has ended, or was replaced by another one, which closes the other end
// of the pipe.
static bool is_gone(int alive, int pid) {
    if (syscall(SYS_getppid) != pid) return true;
    if (!__atomic_load_n(&wfx_shared->leaving, __ATOMIC_ACQUIRE)) return false;
    struct pollfd p = {alive, POLLIN, 0};
    return poll(&p, 1, 0) == 1 && (p.revents & (POLLHUP | POLLERR | POLLNVAL));
}

static void close_from(int first, int last) {
    if (first > last || syscall(SYS_close_range, first, last, 0) == 0) return;
    const long most = sysconf(_SC_OPEN_MAX); // before Linux 5.9
    for (int fd = first; fd <= last && fd < most && fd < 65536; ++fd) close(fd);
}

static void keep_away(int alive) {
    setsid();
    WFX_REAL(prctl)(PR_SET_NAME, "wallfly");
    const int null = open("/dev/null", O_RDWR);
    for (int fd = 0; fd < 3 && null >= 0; ++fd) dup2(null, fd);
    // All but the pipe; no other descriptor is needed yet.
    close_from(3, alive < 3 ? 2 : alive - 1);
    close_from(alive < 3 ? 3 : alive + 1, INT_MAX);
}

void wfx_helper(int alive, int pid) {
    static char header[WF_SLOTS_HEADER_MAX];
    wfx_self.off = true;
    keep_away(alive);
    const bool good = open_link(pid);
    if (good) wfx_switches_open(pid);
    cores = wfx_port.first + wfx_port.cores;
    __atomic_store_n(&wfx_shared->ready, good ? 1 : 2, __ATOMIC_RELEASE);
    if (!good) return;
    send_bytes(header, wf_slots_header(header));
    bool gone = false, asked = false;
    for (uint64_t marked = now(); !gone && !asked;) {
        asked = __atomic_load_n(&wfx_shared->ending, __ATOMIC_ACQUIRE);
        gone = is_gone(alive, pid);
        bool more = wfx_switches_read(false);
        if (transport == &wf_tcp_transport && now() - marked > WFX_MARK_NS) {
            marked = now();
            mark_cores();
            wfx_switches_mark(marked - WFX_MARK_NS);
        }
        more |= drain(false);
        if (!more && !gone && !asked) rest(is_drained() ? 2000 : 500);
    }
    wfx_names_end();
    // Other threads may still be writing an event.
    for (unsigned ms = 0; !gone && !is_drained() && ms < WFX_SETTLE_MS; ++ms) {
        drain(false);
        rest(1000);
    }
    wfx_switches_read(true);
    drain(true);
    if (transport) transport->close(link_ctx);
    __atomic_store_n(&wfx_shared->ended, 1, __ATOMIC_RELEASE);
}
