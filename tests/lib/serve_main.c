// SPDX-License-Identifier: MIT
// Preloaded into a program (LD_PRELOAD): runs its main() many times, each in a fork, so that
// thousands of runs cost little more than their work. A request is a line on standard input, its
// parts separated by tabs: the number of the allocation that fails (fail_alloc.c; 0: none), "once"
// or "on" (also all later ones), the files for standard input, standard output and standard error,
// the arguments. The answer is a line: the exit code (128 + the number of a signal; SIGALRM ends a
// run over 60 s), the number of allocations, and the processor time in microseconds.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

typedef int main_fn(int, char **, char **);
typedef int start_fn(main_fn *, int, char **, void (*)(void), void (*)(void), void (*)(void),
                     void *);

int __libc_start_main(main_fn *main, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void *stack_end);
// From fail_alloc.c, if that is preloaded too.
__attribute__((weak)) void wf_fail_alloc(unsigned long nth, int all, unsigned long *count);

enum { PARTS_MAX = 60, LINE_MAX_LEN = 8192, SECONDS = 60 };

static main_fn *program;

static int read_line(char line[LINE_MAX_LEN]) {
    size_t n = 0;
    while (n + 1 < LINE_MAX_LEN) {
        if (read(STDIN_FILENO, &line[n], 1) != 1) return 0;
        if (line[n] == '\n') break;
        ++n;
    }
    line[n] = 0;
    return 1;
}

static void redirect(const char *file, int flags, int to) {
    int fd = open(file, flags, 0666);
    if (fd < 0 || dup2(fd, to) < 0) _exit(127);
    close(fd);
}

static void run(char **part, int count, char *name, unsigned long *allocations) {
    char *argv[PARTS_MAX + 1] = {name};
    int argc = 1;
    for (int i = 5; i < count; ++i) argv[argc++] = part[i];
    redirect(part[2], O_RDONLY, STDIN_FILENO);
    redirect(part[3], O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
    redirect(part[4], O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
    alarm(SECONDS);
    if (wf_fail_alloc)
        wf_fail_alloc(strtoul(part[0], NULL, 10), strcmp(part[1], "on") == 0, allocations);
    exit(program(argc, argv, environ));
}

static int serve(int argc, char **argv, char **env) {
    (void)argc;
    (void)env;
    static char line[LINE_MAX_LEN], *part[PARTS_MAX];
    unsigned long *allocations =
        mmap(NULL, sizeof *allocations, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    while (read_line(line)) {
        int count = 0, status;
        struct rusage use;
        for (char *p = line; p && count < PARTS_MAX;) part[count++] = strsep(&p, "\t");
        *allocations = 0;
        pid_t pid = count < 5 ? -1 : fork();
        if (pid == 0) run(part, count, argv[0], allocations);
        if (pid < 0 || wait4(pid, &status, 0, &use) != pid) return 127;
        int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
        dprintf(STDOUT_FILENO, "%d %lu %ld\n", code, *allocations,
                use.ru_utime.tv_sec * 1000000L + use.ru_utime.tv_usec);
    }
    return 0;
}

int __libc_start_main(main_fn *main, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void *stack_end) {
    start_fn *next;
    void *found = dlsym(RTLD_NEXT, "__libc_start_main");
    memcpy(&next, &found, sizeof next);
    program = main;
    return next(serve, argc, argv, init, fini, rtld_fini, stack_end);
}
