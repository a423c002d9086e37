// SPDX-License-Identifier: MIT
// Serial devices of this machine. /dev has names without hardware (ttyS4 to ttyS31 on a PC): those
// have no device in /sys.

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "wallfly_backend/wf_system.h"

struct list {
    char (*paths)[WF_SYSTEM_PATH];
    unsigned count, max;
};

static void add_path(struct list *l, const char *folder, const char *name) {
    char path[WF_SYSTEM_PATH];
    struct stat st;
    int len = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (len < 0 || (size_t)len >= sizeof path || l->count == l->max) return;
    if (stat(path, &st) != 0 || !S_ISCHR(st.st_mode)) return;
    for (unsigned i = 0; i < l->count; ++i) {
        if (strcmp(l->paths[i], path) == 0) return;
    }
    memcpy(l->paths[l->count++], path, sizeof path);
}

// Adds the devices of a folder whose names begin with the first `len` characters of a name.
static void add_folder(struct list *l, const char *folder, const char *begin, size_t len) {
    DIR *dir = opendir(folder);
    const struct dirent *e;
    while (dir && (e = readdir(dir)) != NULL) {
        if (e->d_name[0] != '.' && strncmp(e->d_name, begin, len) == 0)
            add_path(l, folder, e->d_name);
    }
    if (dir) closedir(dir);
}

// A UART without hardware has a driver, but its type is 0.
static bool has_hardware(const char *name) {
    char path[300];
    unsigned type = 1;
    snprintf(path, sizeof path, "/sys/class/tty/%.200s/device", name);
    if (access(path, F_OK) != 0) return false;
    snprintf(path, sizeof path, "/sys/class/tty/%.200s/type", name);
    FILE *f = fopen(path, "r");
    if (f && fscanf(f, "%u", &type) != 1) type = 1;
    if (f) fclose(f);
    return type != 0;
}

static void add_hardware(struct list *l) {
    DIR *dir = opendir("/sys/class/tty");
    const struct dirent *e;
    while (dir && (e = readdir(dir)) != NULL) {
        if (e->d_name[0] != '.' && has_hardware(e->d_name)) add_path(l, "/dev", e->d_name);
    }
    if (dir) closedir(dir);
}

static size_t common_len(const char *a, const char *b) {
    size_t n = 0;
    while (a[n] && a[n] == b[n]) ++n;
    return n;
}

// Sorts by the length of the common beginning with the name; few entries, any order of equal ones
// by their text.
static void sort_paths(struct list *l, const char *near) {
    char kept[WF_SYSTEM_PATH];
    for (unsigned i = 1; i < l->count; ++i) {
        for (unsigned k = i; k > 0; --k) {
            size_t a = common_len(l->paths[k - 1], near), b = common_len(l->paths[k], near);
            if (a > b || (a == b && strcmp(l->paths[k - 1], l->paths[k]) <= 0)) break;
            memcpy(kept, l->paths[k], sizeof kept);
            memcpy(l->paths[k], l->paths[k - 1], sizeof kept);
            memcpy(l->paths[k - 1], kept, sizeof kept);
        }
    }
}

unsigned wf_system_serial_devices(const char *near, char paths[][WF_SYSTEM_PATH], unsigned max) {
    struct list l = {paths, 0, max};
    char folder[WF_SYSTEM_PATH];
    const char *slash = strrchr(near, '/'), *name = slash ? slash + 1 : near;
    size_t letters = strlen(name);
    while (letters && isdigit((unsigned char)name[letters - 1])) --letters;
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - near) : 1, slash ? near : ".");
    if (letters) add_folder(&l, folder, name, letters);
    add_folder(&l, "/dev/serial/by-id", "", 0);
    add_hardware(&l);
    sort_paths(&l, near);
    return l.count;
}
