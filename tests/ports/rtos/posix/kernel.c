// SPDX-License-Identifier: MIT
// Tests whether the kernel reports a program's own switches, without the library, in the same way.
// Usage: kernel probe            prints yes or no
//        kernel forbid COMMAND...  runs a command with these reports forbidden

#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static int probe(void) {
    struct perf_event_attr attr;
    memset(&attr, 0, sizeof attr);
    attr.size = sizeof attr;
    attr.type = PERF_TYPE_SOFTWARE;
    attr.config = PERF_COUNT_SW_DUMMY;
    attr.context_switch = 1;
    attr.exclude_kernel = 1;
    puts(syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0) >= 0 ? "yes" : "no");
    return 0;
}

static int forbid(char **command) {
    struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {sizeof rules / sizeof *rules, rules};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
        perror("kernel: seccomp");
        return 3;
    }
    execvp(command[0], command);
    perror(command[0]);
    return 3;
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "probe") == 0) return probe();
    if (argc > 2 && strcmp(argv[1], "forbid") == 0) return forbid(argv + 2);
    return 2;
}
