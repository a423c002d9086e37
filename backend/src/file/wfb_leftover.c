// SPDX-License-Identifier: MIT
// A lock distinguishes a leftover from a file being written. It is released when its process ends
// in any way, and works between containers that share a folder, where process numbers do not.

#include "wfb_outfile.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char mark[] = ".wallfly-";
enum { RANDOM = 6, NAME_LEN = 255, TRIES = 20 };

static char *make_path(const char *folder, const char *name) {
    int room = NAME_LEN - 1 - (int)(sizeof mark - 1) - RANDOM;
    size_t len = strlen(folder) + (size_t)NAME_LEN + 1;
    char *path = malloc(len);
    if (path) snprintf(path, len, "%s.%.*s%sXXXXXX", folder, room, name, mark);
    return path;
}

// Returns whether the path is still the descriptor's file. Another program may have removed it as a
// leftover before it was locked.
static bool is_there(int fd, const char *path) {
    struct stat a, b;
    return fstat(fd, &a) == 0 && lstat(path, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

static int create(char *path, bool directory) {
    if (!directory) return mkostemp(path, O_CLOEXEC);
    if (!mkdtemp(path)) return -1;
    return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static bool is_folder(const char *name) {
    struct stat st;
    return stat(*name ? name : ".", &st) == 0 && S_ISDIR(st.st_mode);
}

int wfb_temporary(const char *folder, const char *name, bool directory, char **path) {
    for (unsigned i = 0; i < TRIES; ++i) {
        *path = make_path(folder, name);
        if (!*path) {
            errno = ENOMEM;
            return -1;
        }
        int fd = create(*path, directory);
        int error = errno;
        // Waits for a program that checks whether it is a leftover. Without locks (some file
        // systems have none) it is written all the same.
        if (fd >= 0) flock(fd, LOCK_EX);
        if (fd >= 0 && is_there(fd, *path)) return fd;
        if (fd >= 0) close(fd);
        free(*path);
        *path = NULL;
        errno = error;
        // Another program may remove a new folder as a leftover before it is opened and locked.
        bool again = fd >= 0 || (directory && error == ENOENT && is_folder(folder));
        if (!again) return -1;
    }
    errno = EAGAIN;
    return -1;
}

static bool is_temporary(const char *name) {
    size_t len = strlen(name), tail = sizeof mark - 1 + RANDOM;
    return name[0] == '.' && len > tail + 1 &&
           memcmp(name + len - tail, mark, sizeof mark - 1) == 0;
}

static void remove_members(int fd) {
    int copy = dup(fd);
    DIR *dir = copy >= 0 ? fdopendir(copy) : NULL;
    for (const struct dirent *e; dir && (e = readdir(dir)) != NULL;) {
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) unlinkat(fd, e->d_name, 0);
    }
    if (dir)
        closedir(dir);
    else if (copy >= 0)
        close(copy);
}

void wfb_remove_folder(const char *path) {
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) return;
    remove_members(fd);
    close(fd);
    rmdir(path);
}

// Skips files of other users and locked files.
static void remove_leftover(int dir, const char *name) {
    struct stat st;
    int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return;
    bool ours = fstat(fd, &st) == 0 && st.st_uid == geteuid() &&
                (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode));
    if (ours && flock(fd, LOCK_EX | LOCK_NB) == 0) {
        if (S_ISDIR(st.st_mode)) remove_members(fd);
        unlinkat(dir, name, S_ISDIR(st.st_mode) ? AT_REMOVEDIR : 0);
    }
    close(fd);
}

void wfb_remove_leftovers(const char *folder) {
    DIR *dir = opendir(*folder ? folder : ".");
    for (const struct dirent *e; dir && (e = readdir(dir)) != NULL;) {
        if (is_temporary(e->d_name)) remove_leftover(dirfd(dir), e->d_name);
    }
    if (dir) closedir(dir);
}
