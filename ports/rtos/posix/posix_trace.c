// SPDX-License-Identifier: MIT
// Start and end of the trace: options from the environment, memory shared with the helper process,
// and the actions when the program ends, forks or is replaced (exec).
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "wallfly/wallfly.h"
#include "wf_host_build_id.h"
#include "wf_port.h"
#include "wf_posix.h"

enum {
    WFX_ALIVE_FD = 200,
    WFX_END_S = 30,
    WFX_NAMES = 16384, // bytes of the table of names
    WFX_NAMES_LEAST = 256,
    WFX_NAMES_MOST = 1 << 20
};

bool wfx_on;
struct wfx_options wfx_options;
struct wfx_shared *wfx_shared;
const char wfx_sleeps[] = "sleep", wfx_joins[] = "pthread_join";
static int alive = -1; // closing it shows the helper that exec succeeded
static size_t shared_size;

static void say(const char *what, const char *why) {
    char line[512];
    const int len = snprintf(line, sizeof line, "wallfly: %s: %s\n", what, why);
    const size_t max = sizeof line - 1;
    if (write(2, line, len > (int)max ? max : (size_t)len) < 0) return;
}

static bool flag(const char *name, const char *no, const char *yes, bool *good) {
    const char *text = getenv(name);
    if (!text || !*text || strcmp(text, no) == 0) return false;
    if (strcmp(text, yes) == 0) return true;
    char why[128];
    snprintf(why, sizeof why, "is '%.40s', not '%s' or '%s'; the program is not traced", text, no,
             yes);
    say(name, why);
    *good = false;
    return false;
}

static uint32_t complain_number(const char *name, const char *what, bool *good) {
    char why[192];
    snprintf(why, sizeof why, "'%.40s' is not %s; the program is not traced", getenv(name), what);
    say(name, why);
    *good = false;
    return 0;
}

// Returns false if the variable is unset or empty. Text that is no number becomes UINT32_MAX.
static bool read_number(const char *name, uint32_t *n) {
    const char *text = getenv(name);
    char *end = NULL;
    if (!text || !*text) return false;
    const unsigned long value = strtoul(text, &end, 10);
    *n = *text >= '0' && *text <= '9' && !*end && value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
    return true;
}

static uint32_t ring_slots(bool *good) {
    uint32_t n;
    char what[64];
    if (!read_number("WALLFLY_RING", &n)) return 65536;
    if (n >= WF_SLOTS_MIN && n <= WF_SLOTS_MAX && !(n & (n - 1))) return n;
    snprintf(what, sizeof what, "a power of two from %u to %u (slots of a ring)",
             (unsigned)WF_SLOTS_MIN, (unsigned)WF_SLOTS_MAX);
    return complain_number("WALLFLY_RING", what, good);
}

static uint32_t names_bytes(bool *good) {
    uint32_t n;
    char what[64];
    if (!read_number("WALLFLY_NAMES", &n)) return WFX_NAMES;
    if (!n || (n >= WFX_NAMES_LEAST && n <= WFX_NAMES_MOST)) return n;
    snprintf(what, sizeof what, "0 or a number from %u to %u (bytes)", (unsigned)WFX_NAMES_LEAST,
             (unsigned)WFX_NAMES_MOST);
    return complain_number("WALLFLY_NAMES", what, good);
}

// Returns the highest possible CPU number plus one; the list is like 0-3 or 0,2-7.
static unsigned count_cpus(void) {
    char text[256] = "";
    const int fd = open("/sys/devices/system/cpu/possible", O_RDONLY | O_CLOEXEC);
    const ssize_t len = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    if (fd >= 0) close(fd);
    const char *last = text;
    for (ssize_t i = 0; i < len; ++i) {
        if (text[i] == '-' || text[i] == ',') last = text + i + 1;
    }
    const long n = len > 0 ? atol(last) + 1 : sysconf(_SC_NPROCESSORS_CONF);
    return n < 1 ? 1 : (unsigned)n;
}

static bool read_options(void) {
    bool good = true;
    struct wfx_options *o = &wfx_options;
    const char *out = getenv("WALLFLY_OUT");
    o->out = out && *out ? out : "wallfly-%p.trace";
    o->is_new = strstr(o->out, "%p") != NULL;
    o->slots = ring_slots(&good);
    o->names = names_bytes(&good);
    o->wait = flag("WALLFLY_FULL", "lose", "wait", &good);
    o->verbose = flag("WALLFLY_VERBOSE", "0", "1", &good);
    o->forks = flag("WALLFLY_FORK", "0", "1", &good);
    o->switches = !flag("WALLFLY_SWITCHES", "1", "0", &good);
    o->cpus = count_cpus();
    o->build_id = wf_host_build_id();
    return good;
}

static void drop_memory(void) {
    if (wfx_shared) munmap(wfx_shared, shared_size);
    wfx_shared = NULL;
}

// One ring per CPU. If switches are wanted, the first cores are for the kernel's switches, and the
// rings of the CPUs follow them.
static bool start_recorder(void) {
    const struct wfx_options *o = &wfx_options;
    const unsigned rings = o->cpus < WF_CFG_CORES ? o->cpus : (unsigned)WF_CFG_CORES;
    const unsigned lanes = o->switches && 2 * rings <= (unsigned)WF_CFG_CORES ? rings : 0;
    const size_t size = (WF_SLOTS_SIZE(lanes + rings, o->slots) + 7) / 8 * 8;
    const size_t front = (sizeof *wfx_shared + 4095) / 4096 * 4096;
    const size_t all = front + size + o->names;
    uint8_t *memory = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        say("memory for the trace", strerror(errno));
        return false;
    }
    wfx_shared = (struct wfx_shared *)(void *)memory;
    shared_size = all;
    wfx_shared->pid = getpid();
    wfx_lock = &wfx_shared->lock;
    wfx_port = (struct wfx_port){.first = (uint8_t)lanes, .cores = (uint8_t)rings};
    const struct wf_slots_config config = {memory + front, size,       lanes + rings, o->slots,
                                           true,           WF_PORT_HZ, o->build_id};
    if (!wf_slots_start(&config)) {
        say("the recorder",
            "does not start on this CPU (x86-64 needs AVX); the program is not traced");
        drop_memory();
        return false;
    }
    if (o->names && !wfx_names_start(memory + front + size)) {
        say("the table of names", "does not start; the program is not traced");
        drop_memory();
        return false;
    }
    wf_filter(WF_GRP_ALL);
    return true;
}

static void open_alive(int ends[2]) {
    if (pipe2(ends, O_CLOEXEC) != 0) {
        ends[0] = ends[1] = -1;
        return;
    }
    // High numbers, because some programs expect low ones to be free.
    for (unsigned i = 0; i < 2; ++i) {
        const int high = fcntl(ends[i], F_DUPFD_CLOEXEC, WFX_ALIVE_FD);
        if (high < 0) continue;
        close(ends[i]);
        ends[i] = high;
    }
}

static bool wait_for(const uint32_t *what, unsigned seconds) {
    for (unsigned i = 0; i < 10000 * seconds; ++i) {
        if (__atomic_load_n(what, __ATOMIC_ACQUIRE)) return true;
        WFX_REAL(nanosleep)(&(struct timespec){0, i < 100 ? 20000 : 100000}, NULL);
    }
    return false;
}

// A separate process, no thread: the program sees no additional thread and no additional child (a
// child without an exit signal is only waited for by callers that request such children), and the
// records survive the program, however it ends.
static bool start_helper(void) {
    int ends[2];
    sigset_t all, was;
    open_alive(ends);
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &was);
    const long child = syscall(SYS_clone, 0L, NULL, NULL, NULL, 0L);
    if (child == 0) {
        wfx_helper(ends[0], wfx_shared->pid);
        syscall(SYS_exit_group, 0);
    }
    pthread_sigmask(SIG_SETMASK, &was, NULL);
    if (ends[0] >= 0) close(ends[0]);
    alive = ends[1];
    if (child < 0 || !wait_for(&wfx_shared->ready, WFX_END_S) || wfx_shared->ready == 2) {
        say(wfx_shared->ready == 2 ? wfx_shared->text : "no process to write the trace",
            "the program is not traced");
        return false;
    }
    return true;
}

static void tell_start(void) {
    const char *no = wfx_shared->no_switches;
    char line[2 * WFX_TEXT];
    if (wfx_shared->switches) {
        snprintf(line, sizeof line, "switches: yes");
    } else {
        snprintf(line, sizeof line, "switches: no, %s", no);
    }
    static const char name[] = "wallfly";
    wfi_usr_dict(WF_USER, name);
    WF_RECORD(WF_USER, 0, WF_STR(line));
    if (wfx_options.verbose) say(wfx_shared->where, line);
    wfi_fun_dict((wf_function)getauxval(AT_ENTRY), "_start"); // gives the load address
    WF_NAME(wfx_sleeps, wfx_sleeps);
    WF_NAME(wfx_joins, wfx_joins);
}

static void start(void) {
    wfx_self = (struct wfx_self){.off = true};
    if (start_recorder() && start_helper()) {
        wfx_self.off = false;
        __atomic_store_n(&wfx_on, true, __ATOMIC_RELEASE);
        tell_start();
        wfx_join_in();
    }
    wfx_self.off = false;
}

static bool is_ours(void) {
    return wfx_shared && syscall(SYS_getpid) == wfx_shared->pid; // false in a child of vfork
}

static void say_refused_names(void) {
    const uint32_t refused = wfx_names_refused();
    char what[64];
    snprintf(what, sizeof what, "%u names are not repeated", (unsigned)refused);
    if (refused) say(what, "the table is full; make WALLFLY_NAMES larger");
}

// The program ends: waits until the trace is written.
static void finish(void) {
    if (!__atomic_load_n(&wfx_on, __ATOMIC_ACQUIRE) || !is_ours()) return;
    wfx_self.off = true;
    __atomic_store_n(&wfx_on, false, __ATOMIC_RELEASE);
    wfx_shared->end_time = wf_port_now();
    __atomic_store_n(&wfx_shared->ending, 1, __ATOMIC_RELEASE);
    if (!wait_for(&wfx_shared->ended, WFX_END_S))
        say(wfx_shared->where, "the end is not written: the helper process does not answer");
    if (wfx_shared->text[0]) say(wfx_shared->where, wfx_shared->text);
    if (wfx_options.verbose) say_refused_names();
}

static void stop_in_child(void) {
    __atomic_store_n(&wfx_on, false, __ATOMIC_RELEASE);
    if (alive >= 0) close(alive);
    alive = -1;
}

static bool is_wanted(void) {
    const char *only = getenv("WALLFLY_ONLY");
    return !only || !*only || strcmp(only, program_invocation_short_name) == 0;
}

__attribute__((constructor)) static void begin(void) {
    const int was = errno;
    wfx_find();
    if (is_wanted() && read_options()) {
        pthread_atfork(NULL, NULL, stop_in_child);
        at_quick_exit(finish);
        start();
    }
    errno = was;
}

__attribute__((destructor)) static void end(void) { finish(); }

// ---- functions that the program calls

WFX_SEEN pid_t fork(void) {
    const pid_t child = WFX_REAL(fork)();
    if (child == 0 && wfx_options.forks && wfx_shared) {
        drop_memory();
        start();
    }
    return child;
}

WFX_SEEN _Noreturn void _exit(int code) {
    finish();
    WFX_REAL(_exit)(code);
    __builtin_unreachable();
}

WFX_SEEN _Noreturn void _Exit(int code) { _exit(code); }

static void leave(uint32_t leaves) {
    if (__atomic_load_n(&wfx_on, __ATOMIC_ACQUIRE) && is_ours()) {
        __atomic_store_n(&wfx_shared->leaving, leaves, __ATOMIC_RELEASE);
    }
}

static int stayed(int result) {
    const int why = errno;
    leave(0);
    errno = why;
    return result;
}

WFX_SEEN int execve(const char *path, char *const argv[], char *const env[]) {
    leave(1);
    return stayed(WFX_REAL(execve)(path, argv, env));
}

WFX_SEEN int execv(const char *path, char *const argv[]) {
    leave(1);
    return stayed(WFX_REAL(execv)(path, argv));
}

WFX_SEEN int execvp(const char *file, char *const argv[]) {
    leave(1);
    return stayed(WFX_REAL(execvp)(file, argv));
}

WFX_SEEN int execvpe(const char *file, char *const argv[], char *const env[]) {
    leave(1);
    return stayed(WFX_REAL(execvpe)(file, argv, env));
}

WFX_SEEN int fexecve(int fd, char *const argv[], char *const env[]) {
    leave(1);
    return stayed(WFX_REAL(fexecve)(fd, argv, env));
}

// Collects arguments up to the terminating null; the caller reads the arguments after it.
#define WFX_COLLECT(argv, list, first)                                                             \
    size_t count = 1;                                                                              \
    va_list list;                                                                                  \
    va_start(list, first);                                                                         \
    while (va_arg(list, char *)) ++count;                                                          \
    va_end(list);                                                                                  \
    char *argv[count + 1];                                                                         \
    argv[0] = (char *)(uintptr_t)(first);                                                          \
    va_start(list, first);                                                                         \
    for (size_t i = 1; i <= count; ++i) argv[i] = va_arg(list, char *)

WFX_SEEN int execl(const char *path, const char *first, ...) {
    WFX_COLLECT(argv, list, first);
    va_end(list);
    return execv(path, argv);
}

WFX_SEEN int execlp(const char *file, const char *first, ...) {
    WFX_COLLECT(argv, list, first);
    va_end(list);
    return execvp(file, argv);
}

WFX_SEEN int execle(const char *path, const char *first, ...) {
    WFX_COLLECT(argv, list, first);
    char *const *env = va_arg(list, char *const *);
    va_end(list);
    return execve(path, argv, env);
}
