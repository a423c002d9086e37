// SPDX-License-Identifier: MIT
// Files of a command. Those it reads are identified by device and inode, so that links do not hide
// them; those it writes by folder and name, because they need not exist yet.

#include "wfb_outfile.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct id {
    dev_t dev;
    ino_t ino;
    char *name; // of an output in the folder of dev and ino; null: an input
};

struct wf_files {
    struct id *ids;
    size_t count, cap;
};

struct wf_files *wf_files_open(void) {
    return calloc(1, sizeof(struct wf_files));
}

void wf_files_close(struct wf_files *f) {
    if (!f) return;
    for (size_t i = 0; i < f->count; ++i) free(f->ids[i].name);
    free(f->ids);
    free(f);
}

// Takes ownership of the name.
static bool add_id(struct wf_files *f, const struct stat *st, char *name) {
    if (f->count == f->cap) {
        size_t cap = f->cap ? 2 * f->cap : 8;
        struct id *ids = realloc(f->ids, cap * sizeof *ids);
        if (!ids) {
            free(name);
            return false;
        }
        f->ids = ids;
        f->cap = cap;
    }
    f->ids[f->count++] = (struct id){st->st_dev, st->st_ino, name};
    return true;
}

static bool has_id(const struct wf_files *f, const struct stat *st, const char *name) {
    for (size_t i = 0; f && i < f->count; ++i) {
        const struct id *id = &f->ids[i];
        if (id->dev != st->st_dev || id->ino != st->st_ino || !id->name != !name) continue;
        if (!name || strcmp(id->name, name) == 0) return true;
    }
    return false;
}

bool wf_files_add(struct wf_files *f, const char *name) {
    struct stat st;
    bool standard = strcmp(name, "-") == 0;
    if ((standard ? fstat(STDIN_FILENO, &st) : stat(name, &st)) != 0 || !S_ISREG(st.st_mode))
        return true;
    return has_id(f, &st, NULL) || add_id(f, &st, NULL);
}

bool wf_files_has(const struct wf_files *f, const char *name) {
    struct stat st;
    return stat(name, &st) == 0 && S_ISREG(st.st_mode) && has_id(f, &st, NULL);
}

bool wf_files_has_fd(const struct wf_files *f, int fd) {
    struct stat st;
    return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && has_id(f, &st, NULL);
}

bool wfb_files_writes(const struct wf_files *f, const char *folder, const char *name) {
    struct stat st;
    return stat(*folder ? folder : ".", &st) == 0 && has_id(f, &st, name);
}

bool wfb_files_write(struct wf_files *f, const char *folder, const char *name) {
    struct stat st;
    if (!f || stat(*folder ? folder : ".", &st) != 0) return true;
    char *copy = strdup(name);
    return copy && add_id(f, &st, copy);
}
