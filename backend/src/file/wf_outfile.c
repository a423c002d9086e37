// SPDX-License-Identifier: MIT
// See wf_outfile.h. Links are followed first: an output replaces the file that they point to.

#include "wallfly_backend/wf_outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "wfb_outfile.h"

enum { LINKS = 16 }; // most links followed by hand, when the target does not exist yet

struct wf_outfile {
    char *shown;     // the name as given, for messages
    char *name;      // the name after following links
    char *folder;    // its folder, with the trailing slash, or ""
    char *temporary; // null: written under its own name
    int fd;
    FILE *stream;          // on fd, if requested
    bool directory, fresh; // fresh: the file was created under its own name
};

// number: an errno.
static int set_error(const char *name, int number, struct wf_error *error) {
    return wf_error_set(error, number == ENOMEM ? WF_ERR_NOMEM : WF_ERR_WRITE, "%.180s: %s", name,
                        strerror(number));
}

// ---- names

static char *folder_of(const char *name) {
    const char *slash = strrchr(name, '/');
    return strndup(name, slash ? (size_t)(slash - name) + 1 : 0);
}

static const char *base_of(const char *name) {
    const char *slash = strrchr(name, '/');
    return slash ? slash + 1 : name;
}

// Follows a link once. Returns null if the name is not a link, or on an error, with errno set.
static char *follow_link(const char *name) {
    char to[4096];
    ssize_t len = readlink(name, to, sizeof to - 1);
    if (len < 0) return NULL;
    to[len] = 0;
    size_t folder = to[0] == '/' ? 0 : (size_t)(base_of(name) - name), room;
    char *path = malloc(room = folder + (size_t)len + 1);
    if (path) snprintf(path, room, "%.*s%s", (int)folder, name, to);
    return path;
}

// Resolves a name to a path, whether it exists or not.
static char *resolve_links(const char *name) {
    char *path = realpath(name, NULL);
    if (path || errno != ENOENT) return path;
    path = strdup(name);
    for (unsigned i = 0; path && i < LINKS; ++i) {
        char *next = follow_link(path);
        if (!next) break;
        free(path);
        path = next;
    }
    size_t len = path ? strlen(path) : 0;
    while (len > 1 && path[len - 1] == '/') path[--len] = 0; // of a new folder
    return path;
}

// Descriptors of this process are opened directly.
static bool is_descriptor(const char *name) {
    return strncmp(name, "/dev/fd/", 8) == 0 || strncmp(name, "/dev/std", 8) == 0 ||
           strncmp(name, "/proc/", 6) == 0;
}

static bool is_stdout(const char *name) {
    struct stat a, b;
    return stat(name, &a) == 0 && fstat(STDOUT_FILENO, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

// ---- opening

// Returns the mode for a new file: that of the file it replaces, or the default under the umask.
static mode_t mode_of(const struct stat *old, bool directory) {
    mode_t mask = umask(0);
    umask(mask);
    return old ? old->st_mode & 07777 : (directory ? 0777 : 0666) & ~mask;
}

static int open_beside(struct wf_outfile *o, const struct stat *old) {
    if (old && faccessat(AT_FDCWD, o->name, W_OK, AT_EACCESS) != 0) return errno;
    wfb_remove_leftovers(o->folder);
    o->fd = wfb_temporary(o->folder, base_of(o->name), o->directory, &o->temporary);
    if (o->fd < 0) return errno;
    if (old && fchown(o->fd, old->st_uid, old->st_gid) != 0) errno = 0; // we stay the owner
    return fchmod(o->fd, mode_of(old, o->directory)) == 0 ? 0 : errno;
}

static int open_as_is(struct wf_outfile *o, int flags) {
    o->fd = open(o->name, O_WRONLY | O_CLOEXEC | flags, 0666);
    o->fresh = o->fd >= 0 && (flags & O_EXCL);
    return o->fd >= 0 ? 0 : errno;
}

// Returns 0 or an errno.
static int open_file(struct wf_outfile *o, enum wf_outfile_mode mode) {
    struct stat st;
    bool there = stat(o->name, &st) == 0;
    if (there && S_ISDIR(st.st_mode)) return EISDIR;
    if (mode == WF_MODE_NEW || (mode == WF_MODE_LIVE && !there))
        return open_as_is(o, O_CREAT | O_EXCL);
    if (!there) return open_beside(o, NULL);
    if (is_descriptor(o->shown) && is_stdout(o->shown)) {
        o->fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0); // O_APPEND and position stay
        return o->fd >= 0 ? 0 : errno;
    }
    if (is_descriptor(o->shown)) return open_as_is(o, O_TRUNC);
    return S_ISREG(st.st_mode) ? open_beside(o, &st) : open_as_is(o, 0);
}

static int open_folder(struct wf_outfile *o) {
    struct stat st;
    bool there = stat(o->name, &st) == 0;
    if (there && !S_ISDIR(st.st_mode)) return ENOTDIR;
    return open_beside(o, there ? &st : NULL);
}

static void free_output(struct wf_outfile *o) {
    if (!o) return;
    if (o->stream)
        fclose(o->stream);
    else if (o->fd >= 0)
        close(o->fd);
    free(o->shown);
    free(o->name);
    free(o->folder);
    free(o->temporary);
    free(o);
}

static struct wf_outfile *create_output(const char *name, bool directory) {
    struct wf_outfile *o = calloc(1, sizeof *o);
    if (!o) return NULL;
    o->fd = -1;
    o->directory = directory;
    o->shown = strdup(name);
    o->name = is_descriptor(name) ? strdup(name) : resolve_links(name);
    o->folder = o->name ? folder_of(o->name) : NULL;
    if (o->shown && o->folder) return o;
    int error = o->name ? ENOMEM : errno;
    free_output(o);
    errno = error;
    return NULL;
}

static int check_output(const struct wf_outfile *o, const struct wf_files *files,
                        struct wf_error *error) {
    if (wf_files_has(files, o->name))
        return wf_error_set(error, WF_ERR_USAGE,
                            "%.160s: is an input; choose another name for the output", o->shown);
    if (is_descriptor(o->name) || !wfb_files_writes(files, o->folder, base_of(o->name)))
        return WF_OK;
    return wf_error_set(error, WF_ERR_USAGE, "%.140s: is already an output; choose another name",
                        o->shown);
}

int wf_files_check(const struct wf_files *f, const char *name, struct wf_error *error) {
    struct wf_outfile *o = create_output(name, false);
    if (!o) return set_error(name, errno, error);
    int err = check_output(o, f, error);
    free_output(o);
    return err;
}

static int note_output(const struct wf_outfile *o, struct wf_files *files, struct wf_error *error) {
    struct stat st;
    bool device = stat(o->name, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
    int err = device ? WF_OK : check_output(o, files, error);
    if (err != WF_OK || device || is_descriptor(o->name)) return err;
    return wfb_files_write(files, o->folder, base_of(o->name)) ? WF_OK
                                                               : set_error(o->shown, ENOMEM, error);
}

static int set_open_error(struct wf_outfile *o, int number, enum wf_outfile_mode mode,
                          struct wf_error *error) {
    if (number != EEXIST || mode != WF_MODE_NEW) return set_error(o->shown, number, error);
    return wf_error_set(error, WF_ERR_USAGE, "%.180s: exists; --force overwrites it", o->shown);
}

int wf_outfile_open(const char *name, enum wf_outfile_mode mode, struct wf_files *files,
                    struct wf_outfile **output, struct wf_error *error) {
    struct wf_outfile *o = create_output(name, mode == WF_MODE_FOLDER);
    *output = NULL;
    if (!o) return set_error(name, errno, error);
    int err = note_output(o, files, error);
    if (err == WF_OK) {
        int number = o->directory ? open_folder(o) : open_file(o, mode);
        if (number) err = set_open_error(o, number, mode, error);
    }
    if (err == WF_OK) {
        *output = o;
        return WF_OK;
    }
    if (o->temporary) o->directory ? wfb_remove_folder(o->temporary) : (void)unlink(o->temporary);
    free_output(o);
    return err;
}

int wf_outfile_fd(const struct wf_outfile *o) { return o->fd; }

FILE *wf_outfile_stream(struct wf_outfile *o) {
    if (!o->stream) o->stream = fdopen(o->fd, "wb");
    return o->stream;
}

const char *wf_outfile_path(const struct wf_outfile *o) {
    return o->temporary ? o->temporary : o->name;
}

bool wf_outfile_is_published(const struct wf_outfile *o) { return !o->temporary; }

int wf_outfile_put(struct wf_outfile *o, const void *bytes, size_t len, struct wf_error *error) {
    const char *p = bytes;
    while (len) {
        ssize_t n = write(o->fd, p, len);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return set_error(o->shown, errno, error);
        p += n;
        len -= (size_t)n;
    }
    return WF_OK;
}

// ---- closing

// Exchanges an old folder with the new one, then removes it. Where the exchange is not supported
// (by some file systems), the old folder is renamed to a temporary name first.
static int replace_folder(struct wf_outfile *o) {
    char *aside;
    if (renameat2(AT_FDCWD, o->temporary, AT_FDCWD, o->name, RENAME_EXCHANGE) == 0) {
        wfb_remove_folder(o->temporary);
        return 0;
    }
    if (errno != EINVAL && errno != ENOSYS) return errno;
    int fd = wfb_temporary(o->folder, base_of(o->name), true, &aside);
    if (fd < 0) return errno;
    int error = rename(o->name, aside) == 0 ? 0 : errno;
    if (!error && rename(o->temporary, o->name) != 0) {
        error = errno;
        if (rename(aside, o->name) != 0) error = errno; // it stays under the temporary name
    }
    if (!error) wfb_remove_folder(aside);
    close(fd);
    free(aside);
    return error;
}

int wf_outfile_publish(struct wf_outfile *o, struct wf_error *error) {
    struct stat st;
    if (!o->temporary) return WF_OK;
    bool replaces = stat(o->name, &st) == 0;
    int number = 0;
    // The new file must be on the disk before it replaces the old one.
    if (replaces && !o->directory && fsync(o->fd) != 0) number = errno;
    if (!number && replaces && o->directory && S_ISDIR(st.st_mode))
        number = replace_folder(o);
    else if (!number && rename(o->temporary, o->name) != 0)
        number = errno;
    if (number) return set_error(o->shown, number, error);
    free(o->temporary);
    o->temporary = NULL;
    return WF_OK;
}

int wf_outfile_close(struct wf_outfile *o, bool good, struct wf_error *error) {
    int err = WF_OK;
    if (o->stream && good) {
        if (fflush(o->stream) != 0)
            err = set_error(o->shown, errno, error);
        else if (ferror(o->stream)) // an earlier error, whose errno is not kept
            err = wf_error_set(error, WF_ERR_WRITE, "%.180s: %s", o->shown,
                               wf_err_text(WF_ERR_WRITE));
    }
    if (good && err == WF_OK) err = wf_outfile_publish(o, error);
    if (o->temporary && o->directory) wfb_remove_folder(o->temporary);
    if (o->temporary && !o->directory) unlink(o->temporary);
    if (!good && o->fresh) unlink(o->name);
    free_output(o);
    return err;
}
