// SPDX-License-Identifier: MIT
// Opens a trace that is a folder. Zephyr's recorders and metadata differ in ways that only an own
// reader knows, and its flat CTF has no packets: its bytes are passed on as they are.

#include "wallfly_backend/wf_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "wfb_ctf.h"
#include "wfb_folder_find.h"

enum { METADATA_MAX = 16 << 20 };

bool wf_folder_is(const char *name) {
    struct stat st;
    return stat(name, &st) == 0 && S_ISDIR(st.st_mode);
}

static int set_error(const char *name, const char *what, struct wf_error *error) {
    return wf_error_set(error, WF_ERR_LINK, "%.180s: %s", name, what);
}

// ---- metadata

struct metadata {
    char *text;
    size_t len;
};

static int read_metadata(struct metadata *m, const char *folder, struct wf_error *error) {
    int fd = -1, in = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct stat st;
    if (in >= 0) fd = openat(in, "metadata", O_RDONLY | O_CLOEXEC);
    if (in >= 0) close(in);
    if (fd < 0 || fstat(fd, &st) != 0) {
        int err = set_error(folder, strerror(errno), error);
        if (fd >= 0) close(fd);
        return err;
    }
    size_t len = st.st_size < METADATA_MAX ? (size_t)st.st_size : METADATA_MAX;
    m->text = malloc(len + 1);
    ssize_t n = m->text ? pread(fd, m->text, len, 0) : -1;
    close(fd);
    if (!m->text) return wf_error_code(error, WF_ERR_NOMEM);
    if (n < 0) return set_error(folder, strerror(errno), error);
    m->len = (size_t)n;
    m->text[n] = 0;
    return WF_OK;
}

static bool has_word(const struct metadata *m, const char *word) {
    return memmem(m->text, m->len, word, strlen(word)) != NULL;
}

static bool begins_with(const struct metadata *m, const char *bytes, size_t len) {
    return m->len >= len && memcmp(m->text, bytes, len) == 0;
}

// Text, or packets of text, whose first word is a magic number.
static int check_metadata(const struct metadata *m, const char *folder, struct wf_error *error) {
    if (begins_with(m, "\x1E", 1) || begins_with(m, "{", 1))
        return set_error(folder, "is CTF 2 (its metadata is JSON); CTF 1.8 can be read", error);
    if (begins_with(m, "/* CTF", 6) || begins_with(m, "\x57\x1D\xD1\x75", 4) ||
        begins_with(m, "\x75\xD1\x1D\x57", 4))
        return WF_OK;
    return set_error(folder, "is not CTF: its file metadata does not begin with /* CTF 1.8", error);
}

static bool is_zephyr(const struct metadata *m) {
    return begins_with(m, "/* CTF", 6) && has_word(m, "thread_switched_in");
}

// ---- what a folder holds

struct found {
    struct wfb_folders folders; // CTF
    char *file;                 // Zephyr: the stream
    struct wf_folder_info info;
};

static void free_found(struct found *f) {
    wfb_folders_free(&f->folders);
    free(f->file);
    wf_folder_info_free(&f->info);
}

void wf_folder_info_free(struct wf_folder_info *info) {
    free(info->describe);
    *info = (struct wf_folder_info){.format = WF_LANE_UNKNOWN};
}

static bool can_read_zephyr(void) {
    enum wf_lane_format format;
    return wf_lane_find_format(wf_lane_format_name(WF_LANE_ZEPHYR), &format);
}

// Zephyr's own reader takes a single stream, the library takes packets only.
static int look_for_zephyr(struct found *f, struct metadata *m, struct wf_error *error) {
    const char *folder = f->folders.name[0];
    f->info.format = WF_LANE_CTF;
    if (f->folders.count != 1 || !is_zephyr(m)) return WF_OK;
    bool packets = has_word(m, "packet.header");
    if (packets && !can_read_zephyr()) return WF_OK;
    int err = wfb_folder_only_file(folder, &f->file, error);
    if (err != WF_OK) return err;
    if (!f->file && packets) return WF_OK;
    if (!f->file) return set_error(folder, "has not just one stream besides its metadata", error);
    f->info = (struct wf_folder_info){WF_LANE_ZEPHYR, m->text, m->len};
    m->text = NULL;
    return WF_OK;
}

// A folder without metadata: Zephyr's stream alone.
static int look_without_metadata(struct found *f, const char *folder, struct wf_error *error) {
    static const char channel[] = "channel";
    int err = wfb_folder_only_file(folder, &f->file, error);
    if (err != WF_OK) return err;
    const char *slash = f->file ? strrchr(f->file, '/') : NULL;
    if (!slash || strncmp(slash + 1, channel, sizeof channel - 1) != 0)
        return set_error(folder, "is a directory, not a trace: it has no file metadata", error);
    f->info.format = WF_LANE_ZEPHYR;
    return WF_OK;
}

static int look_into(const char *name, struct found *f, struct wf_error *error) {
    struct metadata m = {NULL, 0};
    *f = (struct found){.file = NULL};
    int err = wfb_folders_find(name, &f->folders, error);
    if (err == WF_OK && !f->folders.count) return look_without_metadata(f, name, error);
    for (unsigned i = 0; i < f->folders.count && err == WF_OK; ++i) {
        free(m.text);
        m.text = NULL;
        err = read_metadata(&m, f->folders.name[i], error);
        if (err == WF_OK) err = check_metadata(&m, f->folders.name[i], error);
    }
    if (err == WF_OK) err = look_for_zephyr(f, &m, error);
    free(m.text);
    return err;
}

int wf_folder_look(const char *name, struct wf_folder_info *info, struct wf_error *error) {
    struct found found;
    int err = look_into(name, &found, error);
    *info = (struct wf_folder_info){.format = WF_LANE_UNKNOWN};
    if (err == WF_OK) {
        *info = found.info;
        found.info.describe = NULL;
    }
    free_found(&found);
    return err;
}

// ---- open

struct wf_folder {
    bool library; // CTF is read through the library
    bool ended;
    int fd; // the stream of Zephyr, or -1
    struct wfb_ctf ctf;
};

static int open_found(struct wf_folder *f, const struct found *found, struct wf_error *error) {
    if (found->info.format == WF_LANE_CTF) {
        int err = wfb_ctf_open(&f->ctf, found->folders.name, found->folders.count, error);
        f->library = err == WF_OK;
        return err;
    }
    f->fd = open(found->file, O_RDONLY | O_CLOEXEC);
    return f->fd >= 0 ? WF_OK : set_error(found->file, strerror(errno), error);
}

int wf_folder_open(const char *name, struct wf_folder **folder, struct wf_error *error) {
    struct wf_folder *f = calloc(1, sizeof *f);
    struct found found;
    *folder = NULL;
    if (!f) return wf_error_code(error, WF_ERR_NOMEM);
    f->fd = -1;
    int err = look_into(name, &found, error);
    if (err == WF_OK) err = open_found(f, &found, error);
    free_found(&found);
    if (err == WF_OK)
        *folder = f;
    else
        wf_folder_close(f);
    return err;
}

void wf_folder_close(struct wf_folder *f) {
    if (!f) return;
    if (f->fd >= 0) close(f->fd);
    if (f->library) wfb_ctf_close(&f->ctf);
    free(f);
}

// ---- read

static int64_t read_stream(const struct wf_folder *f, uint8_t *bytes, size_t len,
                           struct wf_error *error) {
    ssize_t n;
    do n = read(f->fd, bytes, len);
    while (n < 0 && errno == EINTR);
    if (n < 0) wf_error_set(error, WF_ERR_READ, "%s", strerror(errno));
    return n;
}

int64_t wf_folder_read(struct wf_folder *f, uint8_t *bytes, size_t len, struct wf_error *error) {
    struct wfb_encoder *e = &f->ctf.out;
    int err = WF_OK;
    if (!f->library) return read_stream(f, bytes, len, error);
    while (e->len - e->at < len && !f->ended && err == WF_OK) {
        err = wfb_ctf_step(&f->ctf);
        f->ended = err == WF_ERR_STOPPED;
        if (f->ended) err = WF_OK;
    }
    if (err != WF_OK) {
        wf_error_code(error, err);
        return -1;
    }
    size_t n = e->len - e->at < len ? e->len - e->at : len;
    if (n) memcpy(bytes, e->bytes + e->at, n);
    e->at += n;
    return (int64_t)n;
}

const char *wf_folder_stopped(const struct wf_folder *f) { return f->ended ? f->ctf.why : ""; }
