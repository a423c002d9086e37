// SPDX-License-Identifier: MIT
// The file is read when a page asks for notes, and before each change, if another program has
// changed it. A file that cannot be read, or is of another trace, is never written.

#include "page_notes.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "page_parts.h"
#include "wallfly_backend/wf_outfile.h"
#include "wallfly_server/json.h"

struct page_notes {
    struct page *page;
    struct wf_notes *notes; // empty until the file is read
    char *path;             // null: none
    bool memory, read;      // read: the file was looked at
    struct stat seen;       // the file when it was read or written; st_ino 0: there was none
    char problem[600];      // why nothing can be written
    uint64_t rev;
};

static const char *file_name(const struct page_notes *n) {
    const char *slash = strrchr(n->path, '/');
    return slash ? slash + 1 : n->path;
}

static void changed(struct page_notes *n) {
    ++n->rev;
    n->page->pushed_ns = 0; // the status goes to the pages now
}

struct page_notes *page_notes_open(struct page *p, const char *path, bool memory) {
    struct page_notes *n = calloc(1, sizeof *n);
    if (!n) return NULL;
    *n = (struct page_notes){.page = p, .notes = wf_notes_open(), .memory = memory, .rev = 1};
    n->path = path ? strdup(path) : NULL;
    if (n->notes && (!path || n->path)) return n;
    page_notes_close(n);
    return NULL;
}

void page_notes_close(struct page_notes *n) {
    if (!n) return;
    wf_notes_close(n->notes);
    free(n->path);
    free(n);
}

const char *page_notes_problem(const struct page *p) {
    return *p->notes->problem ? p->notes->problem : NULL;
}

uint64_t page_notes_revision(const struct page_notes *n) { return n->rev; }

static struct wf_notes_trace trace_of(const struct page_notes *n) {
    return (struct wf_notes_trace){n->page->about.t0, n->page->about.hz};
}

// ---- reading

static void set_problem(struct page_notes *n, const char *text) {
    snprintf(n->problem, sizeof n->problem, "%.120s: %s", file_name(n), text);
}

// Reads all bytes of a file. Returns null with errno set.
static char *read_bytes(int fd, size_t len) {
    char *bytes = malloc(len + 1);
    size_t done = 0;
    while (bytes && done < len) {
        ssize_t got = read(fd, bytes + done, len - done);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        done += (size_t)got;
    }
    if (!bytes || done == len) return bytes;
    free(bytes);
    errno = EIO;
    return NULL;
}

static void take_text(struct page_notes *n, const char *text, size_t len) {
    struct wf_notes_trace is = trace_of(n), was;
    struct wf_error error;
    struct wf_notes *notes = wf_notes_read(text, len, &was, &error);
    char words[320];
    if (!notes) {
        snprintf(words, sizeof words, "line %" PRIu64 ": %s; it stays as it is", error.at,
                 error.code == WF_ERR_NOMEM ? wf_err_text(error.code) : error.text);
        set_problem(n, words);
    } else if (was.first != is.first || was.hz != is.hz) {
        snprintf(words, sizeof words,
                 "notes of another trace, whose first record is at tick %" PRIu64 " of %" PRIu64
                 " a second (of this one: %" PRIu64 " of %" PRIu64 "); it stays as it is",
                 was.first, was.hz, is.first, is.hz);
        set_problem(n, words);
        wf_notes_close(notes);
        notes = NULL;
    }
    if (!notes) return;
    wf_notes_close(n->notes);
    n->notes = notes;
}

// A link is not followed: it could lead to any file.
static void read_file(struct page_notes *n) {
    int fd = open(n->path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat st;
    n->seen = (struct stat){0};
    *n->problem = 0;
    if (fd < 0) {
        if (errno == ELOOP)
            set_problem(n, "is a link, which is not followed");
        else if (errno != ENOENT)
            set_problem(n, strerror(errno));
        return;
    }
    char *text = NULL;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size > WF_NOTES_SIZE)
        set_problem(n, "is no file of notes");
    else if (!(text = read_bytes(fd, (size_t)st.st_size)))
        set_problem(n, strerror(errno));
    else
        take_text(n, text, (size_t)st.st_size);
    n->seen = st;
    free(text);
    close(fd);
}

static bool is_as_seen(const struct page_notes *n) {
    struct stat st;
    if (lstat(n->path, &st) != 0) return errno == ENOENT && !n->seen.st_ino;
    return n->seen.st_ino == st.st_ino && n->seen.st_dev == st.st_dev &&
           n->seen.st_size == st.st_size && n->seen.st_mtim.tv_sec == st.st_mtim.tv_sec &&
           n->seen.st_mtim.tv_nsec == st.st_mtim.tv_nsec;
}

static void refresh(struct page_notes *n) {
    const struct page *p = n->page;
    if (!n->path || !(p->about.ended || (p->o.live && p->span.known))) return;
    if (n->read && is_as_seen(n)) return;
    bool again = n->read;
    n->read = true;
    if (again) { // what is not in the file any more is gone
        struct wf_notes *empty = wf_notes_open();
        if (!empty) return;
        wf_notes_close(n->notes);
        n->notes = empty;
    }
    read_file(n);
    changed(n);
}

void page_notes_end(struct page_notes *n) { refresh(n); }

// ---- writing

static int sync_folder(const char *path) {
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    int fd = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    int err = fd >= 0 && fsync(fd) == 0 ? WF_OK : WF_ERR_WRITE;
    if (fd >= 0) close(fd);
    free(folder);
    return err;
}

static int write_file(struct page_notes *n, const struct wf_notes *notes, struct wf_error *error) {
    const struct wf_notes_trace trace = trace_of(n);
    struct wf_outfile *file;
    size_t len;
    char *text = wf_notes_write(notes, &trace, &len);
    if (!text) return wf_error_code(error, WF_ERR_NOMEM);
    int err = wf_outfile_open(n->path, WF_MODE_BESIDE, NULL, &file, error);
    if (err == WF_OK) {
        err = wf_outfile_put(file, text, len, error);
        int fd = wf_outfile_fd(file);
        if (err == WF_OK && (fsync(fd) != 0 || fstat(fd, &n->seen) != 0))
            err = wf_error_set(error, WF_ERR_WRITE, "%.180s: %s", n->path, strerror(errno));
        int closed = wf_outfile_close(file, err == WF_OK, error);
        if (err == WF_OK) err = closed;
    }
    free(text);
    if (err == WF_OK) sync_folder(n->path);
    return err;
}

// ---- requests

static const char *keeps(const struct page_notes *n) {
    if (n->path) return n->read && !*n->problem ? "file" : "nothing";
    return n->memory ? "memory" : "nothing";
}

static void put_markers(const struct page_query_context *a, uint64_t from, uint64_t until,
                        FILE *out) {
    struct wf_note_marker marker;
    const char *between = "";
    for (size_t i = 0; wf_notes_marker(a->notes->notes, i, &marker); ++i) {
        if (marker.tick < from || marker.tick > until) continue;
        fprintf(out, "%s[%.0f,", between, page_query_time(a, marker.tick));
        json_text(out, marker.note);
        putc(']', out);
        between = ",";
    }
}

static void put_renames(const struct wf_notes *notes, FILE *out) {
    struct wf_note_rename rename;
    for (size_t i = 0; wf_notes_renamed(notes, i, &rename); ++i) {
        fprintf(out, "%s[\"%s\",", i ? "," : "", rename.kind);
        json_text(out, rename.name);
        putc(',', out);
        json_text(out, rename.as);
        putc(']', out);
    }
}

// With a window, as of a page of a stretch, it has the markers within.
int page_query_notes(const struct page_query_context *a, const cJSON *ask, FILE *out,
                     struct wf_error *error) {
    struct page_notes *n = a->notes;
    uint64_t from = 0, until = UINT64_MAX;
    const bool windowed = cJSON_HasObjectItem(ask, "from");
    if (windowed && !page_query_window(a, ask, &from, &until, error)) return WF_ERR_USAGE;
    refresh(n);
    fprintf(out, "\"rev\":%" PRIu64 ",\"keeps\":\"%s\",\"file\":", n->rev, keeps(n));
    if (n->path)
        json_text(out, file_name(n));
    else
        fputs("null", out);
    fputs(",\"problem\":", out);
    if (*n->problem)
        json_text(out, n->problem);
    else
        fputs("null", out);
    fputs(",\"markers\":[", out);
    put_markers(a, from, until, out);
    fputs("],\"renames\":[", out);
    put_renames(n->notes, out);
    putc(']', out);
    return WF_OK;
}

static int refuse(struct wf_error *error, const char *text) {
    return wf_error_set(error, WF_ERR_USAGE, "%s", text);
}

static int change_marker(const struct page_query_context *a, const cJSON *ask,
                         struct wf_notes *notes, struct wf_error *error) {
    const int64_t most = INT64_C(1) << 53;
    const cJSON *to = cJSON_GetObjectItemCaseSensitive(ask, "to");
    const cJSON *note = cJSON_GetObjectItemCaseSensitive(to, "note");
    bool removes = cJSON_IsNumber(cJSON_GetObjectItemCaseSensitive(ask, "from"));
    int64_t from, t;
    if (!removes && !cJSON_IsObject(to)) return refuse(error, "'from' or 'to' is missing");
    if (removes) {
        if (!page_query_number(ask, "from", 0, most, &from, error)) return error->code;
        wf_notes_mark(notes, page_query_tick(a, from), NULL);
    }
    if (!cJSON_IsObject(to)) return WF_OK;
    if (!page_query_number(to, "t", 0, most, &t, error)) return error->code;
    if (!cJSON_IsString(note)) return refuse(error, "'note' is no text");
    return wf_notes_mark(notes, page_query_tick(a, t), note->valuestring);
}

static int change_name(const cJSON *rename, struct wf_notes *notes, struct wf_error *error) {
    const cJSON *kind = cJSON_GetObjectItemCaseSensitive(rename, "kind");
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(rename, "name");
    const cJSON *as = cJSON_GetObjectItemCaseSensitive(rename, "as");
    if (!cJSON_IsString(kind) || !cJSON_IsString(name))
        return refuse(error, "'kind' and 'name' are texts");
    return wf_notes_rename(notes, kind->valuestring, name->valuestring,
                           cJSON_IsString(as) ? as->valuestring : NULL);
}

// A copy is changed, so that nothing changes if it cannot be written.
static struct wf_notes *copy_notes(const struct page_notes *n, struct wf_error *error) {
    struct wf_notes_trace trace = trace_of(n);
    size_t len;
    char *text = wf_notes_write(n->notes, &trace, &len);
    struct wf_notes *copy = text ? wf_notes_read(text, len, &trace, error) : NULL;
    if (!text) wf_error_code(error, WF_ERR_NOMEM);
    free(text);
    return copy;
}

int page_query_note(const struct page_query_context *a, const cJSON *ask, FILE *out,
                    struct wf_error *error) {
    struct page_notes *n = a->notes;
    refresh(n);
    if (*n->problem) return refuse(error, n->problem);
    if (strcmp(keeps(n), "nothing") == 0) return refuse(error, "no notes are kept here");
    struct wf_notes *copy = copy_notes(n, error);
    if (!copy) return error->code;
    const cJSON *rename = cJSON_GetObjectItemCaseSensitive(ask, "rename");
    int err = rename ? change_name(rename, copy, error) : change_marker(a, ask, copy, error);
    if (err == WF_ERR_TOO_MANY) refuse(error, "there are too many notes");
    if (err == WF_OK && n->path) err = write_file(n, copy, error);
    if (err != WF_OK) {
        wf_notes_close(copy);
        return err;
    }
    wf_notes_close(n->notes);
    n->notes = copy;
    changed(n);
    fprintf(out, "\"rev\":%" PRIu64, n->rev);
    return WF_OK;
}
