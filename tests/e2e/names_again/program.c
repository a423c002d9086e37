// SPDX-License-Identifier: MIT
// Announces names at its start, then makes more records than its ring holds. Argument: late (then
// drains for a second to standard output), tcp ADDRESS... (connects to each in turn; without
// background names), image FILE (the program's static memory, among garbage). The frame recorder,
// or with WF_CFG_SLOTS the slot recorder; TABLE: bytes for names.

#ifndef RING
#define RING 256
#endif
#ifndef TABLE
#define TABLE 2048
#endif

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../recorder.h"
#include "wallfly/wf_rtos.h"
#include "wf_tcp.h"

enum { STEP = WF_USER, TASKS = 6, ROUNDS = 2000 };

static uint32_t table[TABLE / 4 + 1];
static int tasks[TASKS], mutex, gone, young, child;
extern char __data_start, _end; // from the linker

static void announce(void) {
    static const char *const names[TASKS] = {"idle",   "control", "logger",
                                             "sensor", "network", "display"};
    WF_USR_DICTIONARY(STEP);
    for (unsigned i = 0; i < TASKS; ++i) {
        char name[16]; // like a kernel whose names are temporary
        snprintf(name, sizeof name, "%s", names[i]);
        WF_TASK_CREATE(&tasks[i], (int)i, name);
    }
    WF_OBJECT(mutex_create, &mutex);
    WF_NAME(&mutex, "bus_mutex");
    WF_OBJECT(sema_delete, &gone);
    WF_NAME(&gone, "gone_one");
    WF_OBJECT(sema_delete, &gone);
}

static void run(unsigned rounds) {
    for (unsigned i = 1; i <= rounds; ++i) {
        fake_clock += 100;
        WF_TASK_SWITCH(&tasks[(i - 1) % TASKS], &tasks[i % TASKS], WF_SWITCH_yielded);
        WF_BY_N(mutex_take, &mutex, &tasks[i % TASKS], 1);
        WF_BY_N(mutex_give, &mutex, &tasks[i % TASKS], 0);
        WF_RECORD(STEP, 0, WF_U32(0, i));
    }
}

static int save(const char *name) {
    FILE *f = fopen(name, "wb");
    if (!f) return 1;
    for (int i = 0; i < 1004; ++i) fputc(i * 37 & 0xFF, f);
    for (const char *p = &__data_start; p != &_end; ++p) fputc(*p, f);
    return fclose(f) != 0;
}

static void read_for_a_second(void) {
    write_header();
    for (unsigned ms = 0; ms < 1000; ++ms) {
        read_some(false);
        run(1);
        fake_clock += 900;
    }
    read_some(true);
    fflush(stdout);
}

static int connect_to(const char *address) {
    static struct wf_tcp tcp;
    const char *why;
    if (wf_tcp_open(&tcp, address, &why) != 0) {
        fprintf(stderr, "%s: %s\n", address, why);
        return 4;
    }
    if (dup2(tcp.fd, STDOUT_FILENO) < 0) return 4;
    wf_tcp_transport.close(&tcp);
    read_for_a_second();
    return ferror(stdout) || shutdown(STDOUT_FILENO, SHUT_WR) != 0 ? 4 : 0;
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    const bool is_tcp = strcmp(argv[1], "tcp") == 0;
    start();
    if (TABLE && !wf_names_start(table, TABLE, is_tcp ? WF_NAMES_NEVER : 0)) return 3;
    wf_filter(WF_GRP_ALL);
    announce();
    run(ROUNDS);
    if (strcmp(argv[1], "image") == 0) {
        // An object with the address of an earlier one, and a new one: its name is in the ring.
        WF_TASK_SWITCH(NULL, &young, WF_SWITCH_unknown);
        WF_TASK_CREATE(&child, 9, "child");
        WF_TASK_SWITCH(&young, &child, WF_SWITCH_yielded);
        WF_TASK_CREATE(&young, 9, "young");
        return save(argv[2]);
    }
    for (int i = 2; i < argc; ++i) {
        if (is_tcp && connect_to(argv[i]) != 0) return 4;
        run(ROUNDS);
    }
    if (is_tcp) return 0;
    wf_names_tell();
    read_for_a_second();
    return 0;
}
