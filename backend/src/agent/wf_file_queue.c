// SPDX-License-Identifier: MIT
// A file is NUMBER-DEVICE.wfr, or .image. It is written under another name and renamed when it is
// on disk, so what has such a name is whole.

#include "wallfly_backend/wf_file_queue.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "wallfly_backend/wf_outfile.h"

enum { FOLDER_MAX = WF_FILE_PATH_MAX - 256, DIGITS = 16 };

static const char *const endings[] = {[WF_FILE_RECORDING] = ".wfr", [WF_FILE_IMAGE] = ".image"};

// A file that waits, without its path.
struct waiting {
    uint64_t number, len;
    enum wf_file_kind kind;
    char device[WF_FLEET_DEVICE_MAX + 1];
};

struct wf_file_queue {
    char folder[FOLDER_MAX];
    uint64_t next; // number, of the thread that puts
    pthread_mutex_t mutex;
    struct waiting *list; // by number; under the mutex, as what follows
    size_t first, count, cap;
    uint64_t bytes;
};

static int fail(const char *name, struct wf_error *error) {
    return wf_error_set(error, WF_ERR_WRITE, "%.180s: %s", name, strerror(errno));
}

static void set_path(const struct wf_file_queue *q, const struct waiting *w,
                     char path[WF_FILE_PATH_MAX]) {
    snprintf(path, WF_FILE_PATH_MAX, "%s/%016" PRIX64 "-%s%s", q->folder, w->number, w->device,
             endings[w->kind]);
}

// ---- the list

static bool make_room(struct wf_file_queue *q) {
    if (q->first && q->first + q->count == q->cap) {
        memmove(q->list, q->list + q->first, q->count * sizeof *q->list);
        q->first = 0;
    }
    if (q->first + q->count < q->cap) return true;
    const size_t cap = 2 * q->cap + 16;
    struct waiting *more = realloc(q->list, cap * sizeof *more);
    if (!more) return false;
    q->list = more;
    q->cap = cap;
    return true;
}

static bool append(struct wf_file_queue *q, const struct waiting *w) {
    pthread_mutex_lock(&q->mutex);
    const bool good = make_room(q);
    if (good) {
        q->list[q->first + q->count++] = *w;
        q->bytes += w->len;
    }
    pthread_mutex_unlock(&q->mutex);
    return good;
}

bool wf_file_queue_first(struct wf_file_queue *q, struct wf_queued_file *file) {
    struct waiting w;
    pthread_mutex_lock(&q->mutex);
    const bool found = q->count != 0;
    if (found) w = q->list[q->first];
    pthread_mutex_unlock(&q->mutex);
    if (!found) return false;
    *file = (struct wf_queued_file){.number = w.number, .kind = w.kind, .len = w.len};
    memcpy(file->device, w.device, sizeof file->device);
    set_path(q, &w, file->path);
    return true;
}

bool wf_file_queue_is_empty(struct wf_file_queue *q) {
    pthread_mutex_lock(&q->mutex);
    const bool empty = !q->count;
    pthread_mutex_unlock(&q->mutex);
    return empty;
}

uint64_t wf_file_queue_bytes(struct wf_file_queue *q) {
    pthread_mutex_lock(&q->mutex);
    const uint64_t bytes = q->bytes;
    pthread_mutex_unlock(&q->mutex);
    return bytes;
}

int wf_file_queue_remove(struct wf_file_queue *q, struct wf_error *error) {
    struct wf_queued_file file;
    if (!wf_file_queue_first(q, &file)) return wf_error_code(error, WF_OK);
    int err = unlink(file.path) == 0 ? wf_error_code(error, WF_OK) : fail(file.path, error);
    pthread_mutex_lock(&q->mutex);
    q->bytes -= file.len;
    ++q->first;
    --q->count;
    pthread_mutex_unlock(&q->mutex);
    return err;
}

// ---- opening

// Returns false for a name that is none of a file of the queue.
static bool take_name(const char *name, struct waiting *w) {
    if (strspn(name, "0123456789ABCDEF") != DIGITS || name[DIGITS] != '-') return false;
    const char *device = name + DIGITS + 1, *ending = strrchr(device, '.');
    const size_t len = ending ? (size_t)(ending - device) : 0;
    if (len < 1 || len > WF_FLEET_DEVICE_MAX) return false;
    w->number = strtoull(name, NULL, 16);
    memcpy(w->device, device, len);
    w->device[len] = 0;
    for (unsigned kind = 0; kind < sizeof endings / sizeof *endings; ++kind) {
        w->kind = (enum wf_file_kind)kind;
        if (strcmp(ending, endings[kind]) == 0) return wf_fleet_is_device(w->device);
    }
    return false;
}

static int compare(const void *a, const void *b) {
    const uint64_t x = ((const struct waiting *)a)->number, y = ((const struct waiting *)b)->number;
    return x < y ? -1 : x > y;
}

static int list_files(struct wf_file_queue *q, struct wf_error *error) {
    DIR *d = opendir(q->folder);
    int err = d ? WF_OK : fail(q->folder, error);
    for (struct dirent *e; err == WF_OK && (e = readdir(d)) != NULL;) {
        struct waiting w = {0};
        struct stat st;
        if (!take_name(e->d_name, &w) || fstatat(dirfd(d), e->d_name, &st, 0) != 0) continue;
        w.len = (uint64_t)st.st_size;
        if (w.number >= q->next) q->next = w.number + 1;
        if (!append(q, &w)) err = wf_error_code(error, WF_ERR_NOMEM);
    }
    if (d) closedir(d);
    if (q->count) qsort(q->list, q->count, sizeof *q->list, compare);
    return err;
}

static int sync_folder(const char *folder, struct wf_error *error) {
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int err = fd >= 0 && fsync(fd) == 0 ? WF_OK : fail(folder, error);
    if (fd >= 0) close(fd);
    return err;
}

static int open_queue(struct wf_file_queue *q, const char *folder, struct wf_error *error) {
    if (snprintf(q->folder, sizeof q->folder, "%s/files", folder) >= (int)sizeof q->folder)
        return wf_error_set(error, WF_ERR_USAGE, "the name of the spool's folder is too long");
    if (mkdir(q->folder, 0700) != 0 && errno != EEXIST) return fail(q->folder, error);
    int err = sync_folder(folder, error);
    return err == WF_OK ? list_files(q, error) : err;
}

struct wf_file_queue *wf_file_queue_open(const char *folder, struct wf_error *error) {
    struct wf_error own;
    struct wf_file_queue *q = calloc(1, sizeof *q);
    if (!error) error = &own;
    if (!q) {
        wf_error_code(error, WF_ERR_NOMEM);
        return NULL;
    }
    q->next = 1;
    pthread_mutex_init(&q->mutex, NULL);
    if (open_queue(q, folder, error) == WF_OK) return q;
    wf_file_queue_close(q);
    return NULL;
}

void wf_file_queue_close(struct wf_file_queue *q) {
    if (!q) return;
    pthread_mutex_destroy(&q->mutex);
    free(q->list);
    free(q);
}

// ---- putting

static int write_file(const char *path, const uint8_t *bytes, size_t len, struct wf_error *error) {
    struct wf_outfile *o;
    int err = wf_outfile_open(path, WF_MODE_BESIDE, NULL, &o, error);
    if (err != WF_OK) return err;
    err = wf_outfile_put(o, bytes, len, error);
    if (err == WF_OK && (fchmod(wf_outfile_fd(o), 0600) != 0 || fsync(wf_outfile_fd(o)) != 0))
        err = fail(path, error);
    int closed = wf_outfile_close(o, err == WF_OK, err == WF_OK ? error : NULL);
    return err == WF_OK ? closed : err;
}

int wf_file_queue_put(struct wf_file_queue *q, const char *device, enum wf_file_kind kind,
                      const uint8_t *bytes, size_t len, struct wf_error *error) {
    struct wf_error own;
    char path[WF_FILE_PATH_MAX];
    struct waiting w = {.number = q->next, .len = len, .kind = kind};
    if (!error) error = &own;
    snprintf(w.device, sizeof w.device, "%s", device);
    set_path(q, &w, path);
    int err = write_file(path, bytes, len, error);
    if (err != WF_OK) return err;
    err = sync_folder(q->folder, error);
    if (err == WF_OK && !append(q, &w)) err = wf_error_code(error, WF_ERR_NOMEM);
    if (err != WF_OK)
        unlink(path);
    else
        ++q->next;
    return err == WF_OK ? wf_error_code(error, WF_OK) : err;
}
