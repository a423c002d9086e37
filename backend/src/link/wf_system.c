// SPDX-License-Identifier: MIT
// Programs that have a device or port open, found by their descriptors in /proc.

#include "wallfly_backend/wf_system.h"

#include <ctype.h>
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STATE_LISTEN = 0x0A, STATE_UDP = 0x07, INODES_MAX = 32 };

// What a descriptor must refer to: a device, or one of some sockets.
struct wanted {
    bool device;
    dev_t rdev;
    ino_t inodes[INODES_MAX];
    unsigned inode_count;
};

static bool is_wanted(const struct wanted *w, const struct stat *st) {
    if (w->device) return S_ISCHR(st->st_mode) && st->st_rdev == w->rdev;
    for (unsigned i = 0; i < w->inode_count && S_ISSOCK(st->st_mode); ++i) {
        if (w->inodes[i] == st->st_ino) return true;
    }
    return false;
}

static bool has_open(const char *pid, const struct wanted *w) {
    char path[64];
    struct stat st;
    bool has = false;
    snprintf(path, sizeof path, "/proc/%.20s/fd", pid);
    DIR *dir = opendir(path);
    const struct dirent *e;
    while (dir && !has && (e = readdir(dir)) != NULL)
        has =
            e->d_name[0] != '.' && fstatat(dirfd(dir), e->d_name, &st, 0) == 0 && is_wanted(w, &st);
    if (dir) closedir(dir);
    return has;
}

static void read_name(const char *pid, char name[WF_SYSTEM_NAME]) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%.20s/comm", pid);
    FILE *f = fopen(path, "r");
    if (!f || !fgets(name, WF_SYSTEM_NAME, f)) snprintf(name, WF_SYSTEM_NAME, "?");
    name[strcspn(name, "\n")] = 0;
    if (f) fclose(f);
}

static unsigned find_holders(const struct wanted *w, struct wf_system_holder *holders,
                             unsigned max) {
    unsigned count = 0;
    DIR *dir = opendir("/proc");
    const struct dirent *e;
    while (dir && count < max && (e = readdir(dir)) != NULL) {
        long pid = strtol(e->d_name, NULL, 10);
        if (!isdigit((unsigned char)e->d_name[0]) || pid == (long)getpid()) continue;
        if (!has_open(e->d_name, w)) continue;
        holders[count].pid = pid;
        read_name(e->d_name, holders[count++].name);
    }
    if (dir) closedir(dir);
    return count;
}

unsigned wf_system_device_holders(const char *device, struct wf_system_holder *holders,
                                  unsigned max) {
    struct stat st;
    if (stat(device, &st) != 0 || !S_ISCHR(st.st_mode)) return 0;
    const struct wanted w = {.device = true, .rdev = st.st_rdev};
    return find_holders(&w, holders, max);
}

static void add_sockets(const char *table, unsigned port, unsigned state, struct wanted *w) {
    char line[512];
    FILE *f = fopen(table, "r");
    while (f && fgets(line, sizeof line, f)) {
        unsigned local, found;
        unsigned long inode;
        if (sscanf(line,
                   "%*d: %*[0-9A-Fa-f]:%x %*[0-9A-Fa-f]:%*x %x %*[0-9A-Fa-f:] %*[0-9A-Fa-f:] "
                   "%*x %*d %*d %lu",
                   &local, &found, &inode) != 3)
            continue;
        if (local == port && found == state && w->inode_count < INODES_MAX)
            w->inodes[w->inode_count++] = (ino_t)inode;
    }
    if (f) fclose(f);
}

unsigned wf_system_port_holders(unsigned port, bool udp, struct wf_system_holder *holders,
                                unsigned max) {
    struct wanted w = {.device = false};
    unsigned state = udp ? STATE_UDP : STATE_LISTEN;
    add_sockets(udp ? "/proc/net/udp" : "/proc/net/tcp", port, state, &w);
    add_sockets(udp ? "/proc/net/udp6" : "/proc/net/tcp6", port, state, &w);
    return w.inode_count ? find_holders(&w, holders, max) : 0;
}
