// SPDX-License-Identifier: MIT
// See load.h.

#include "load.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "wallfly_backend/wf_folder.h"
#include "wallfly_backend/wf_input.h"
#include "wallfly_host/wf_box.h"

enum { PIECE = 256 << 10 };

// ---- a file's device and time

// Puts the name of the file, without folder and ending, in place of {file}.
static bool name_device(struct load *l) {
    static const char mark[] = "{file}";
    const char *at = strstr(l->device, mark), *slash = strrchr(l->name, '/'),
               *file = slash ? slash + 1 : l->name, *dot = strrchr(file, '.');
    char text[160];
    int stem = dot && dot != file ? (int)(dot - file) : (int)strlen(file);
    int before = at ? (int)(at - l->device) : (int)strlen(l->device);
    int len = snprintf(l->of_device, sizeof l->of_device, "%.*s%.*s%s", before, l->device,
                       at ? stem : 0, file, at ? at + sizeof mark - 1 : "");
    if (len < (int)sizeof l->of_device && wf_fleet_is_device(l->of_device)) return true;
    snprintf(text, sizeof text,
             "its device would be '%.64s': at most %d letters, digits and . _ -, not . or ..",
             l->of_device, WF_FLEET_DEVICE_MAX);
    load_refuse(l, NULL, EXIT_USAGE, text);
    return false;
}

// The time of the last change of a file or folder stands for that of its first record; of a pipe
// the present time.
static uint64_t file_time(int fd) {
    struct stat st;
    struct timespec t;
    if (fstat(fd, &st) == 0 && (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)))
        t = st.st_mtim;
    else
        clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

// ---- recordings and frames

static void report_fault(const struct load *l, const struct wf_chunk *c,
                         const struct wf_recording_info *info) {
    char text[512];
    wf_chunk_text(c, info, l->name, text);
    diag_note("%s", text);
}

static bool take_chunks(struct load *l, struct wf_recording *r) {
    struct wf_chunk chunk;
    bool good = true;
    while (good && wf_recording_next(r, &chunk)) {
        const struct wf_recording_info *info = wf_recording_get_info(r);
        l->start_ns = info->head.start_ns;
        l->part = info->head.part;
        l->damaged |= chunk.kind == WF_CHUNK_DAMAGE;
        if (chunk.kind >= WF_CHUNK_DAMAGE)
            report_fault(l, &chunk, info);
        else
            good = load_chunk(l, &chunk);
    }
    return good;
}

static bool take_bytes(struct load *l, struct wf_recording *r, const uint8_t *bytes, size_t len) {
    l->bytes += len;
    if (!r) return load_bytes(l, 0, bytes, len, 0);
    if (wf_recording_feed(r, bytes, len)) return take_chunks(l, r);
    l->code = out_of_memory();
    return false;
}

// Reads until there are `most` bytes, or the file ends. Returns -1 on an error.
static ssize_t read_most(int fd, uint8_t *bytes, size_t most) {
    size_t len = 0;
    while (len < most) {
        ssize_t n = read(fd, bytes + len, most - len);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return -1;
        if (n == 0) break;
        len += (size_t)n;
    }
    return (ssize_t)len;
}

static bool read_all(struct load *l, int fd, uint8_t *bytes) {
    const uint64_t before = l->bytes;
    l->damaged = false;
    bool good = true;
    ssize_t n = read_most(fd, bytes, WF_RECORDING_MAGIC_LEN);
    l->recorded = n == WF_RECORDING_MAGIC_LEN && wf_recording_is(bytes, (size_t)n);
    struct wf_recording *r = l->recorded ? wf_recording_open() : NULL;
    if (l->recorded && !r) good = false, l->code = out_of_memory();
    for (; good && n > 0; n = read_most(fd, bytes, PIECE))
        good = take_bytes(l, r, bytes, (size_t)n);
    if (n == 0 && !l->recorded && l->bytes == before) load_refuse(l, NULL, EXIT_GOOD, "is empty");
    if (n < 0) load_refuse(l, NULL, EXIT_INPUT, strerror(errno)); // what was read is loaded
    if (r && good) {
        wf_recording_end(r);
        good = take_chunks(l, r);
    }
    wf_recording_close(r);
    return load_end_lanes(l, good);
}

// ---- folders

static void refuse_folder(struct load *l, const struct wf_error *error) {
    progress_end(&l->progress);
    diag_error(exit_code_of(error->code), "%s", error->text); // has its name
    if (l->code == EXIT_GOOD) l->code = exit_code_of(error->code);
}

// A folder that cannot be read to its end is not loaded: its bytes would be another stream later.
static bool read_folder(struct load *l, struct wf_folder *folder, uint8_t *bytes) {
    struct wf_error error;
    int64_t n = 1;
    bool good = true;
    l->recorded = l->damaged = false;
    while (good && (n = wf_folder_read(folder, bytes, PIECE, &error)) > 0)
        good = take_bytes(l, NULL, bytes, (size_t)n);
    const char *stopped = n < 0 ? error.text : wf_folder_stopped(folder);
    if (!good || !*stopped) return load_end_lanes(l, good);
    load_refuse(l, NULL, EXIT_INPUT, stopped);
    load_end_lanes(l, false);
    return true;
}

// A trace that is a folder has its format, and may have its description.
static bool load_folder(struct load *l, const char *name, uint8_t *bytes) {
    struct wf_folder *folder = NULL;
    struct wf_folder_info info;
    struct wf_error error;
    int err = wf_folder_look(name, &info, &error);
    if (err == WF_OK) err = wf_folder_open(name, &folder, &error);
    if (!l->as.format) l->as.format = info.format;
    if (!l->as.describe && l->as.format == info.format) {
        l->as.describe = info.describe;
        l->as.describe_len = info.describe_len;
    }
    bool good = true;
    if (err == WF_OK)
        good = read_folder(l, folder, bytes);
    else
        refuse_folder(l, &error);
    wf_folder_close(folder);
    wf_folder_info_free(&info);
    return good;
}

// ---- files

bool load_file(struct load *l, const char *name) {
    const bool standard = strcmp(name, "-") == 0;
    l->name = l->shown ? l->shown : standard ? "standard input" : name;
    l->as = *l->input;
    int fd = standard ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        load_refuse(l, NULL, EXIT_INPUT, strerror(errno));
        return true;
    }
    uint8_t *bytes = malloc(PIECE);
    bool good = bytes != NULL;
    if (!good) l->code = out_of_memory();
    if (good && name_device(l)) {
        l->start_ns = file_time(fd);
        good =
            !standard && wf_folder_is(name) ? load_folder(l, name, bytes) : read_all(l, fd, bytes);
    }
    if (!standard) close(fd);
    free(bytes);
    return good;
}

// ---- boxes

static bool take_box(struct load *l, const struct wf_input *image) {
    struct wf_error error;
    const struct wf_loading_options o = {.size = sizeof o,
                                         .device = l->of_device,
                                         .version = l->version,
                                         .session = l->session,
                                         .stream = l->stream,
                                         .begun_ns = l->start_ns,
                                         .source = l->name,
                                         .anew = l->anew};
    return load_handle(l, NULL, wf_loader_box(l->loader, &o, image->bytes, image->len, &error),
                       &error);
}

bool load_image(struct load *l, const char *name) {
    struct wf_input image;
    struct wf_error error;
    struct wf_box box;
    bool good = true;
    l->name = l->shown ? l->shown : name;
    l->recorded = false;
    if (!name_device(l)) return true;
    if (wf_input_open(name, &image, &error) != WF_OK) {
        load_refuse(l, NULL, EXIT_INPUT, error.text);
        return true;
    }
    int fd = open(name, O_RDONLY | O_CLOEXEC);
    l->start_ns = file_time(fd);
    if (fd >= 0) close(fd);
    if (wf_box_read(image.bytes, image.len, NULL, 0, &box) != WF_OK)
        load_refuse(l, NULL, EXIT_INPUT, box.problem);
    else if (!box.len)
        load_refuse(l, NULL, EXIT_GOOD, "the black box is empty");
    else
        good = take_box(l, &image);
    l->bytes += image.len;
    wf_box_free(&box);
    wf_input_close(&image);
    return good;
}

// ---- reports

void load_report_failure(void *ctx, const char *text) {
    struct load *l = ctx;
    progress_end(&l->progress);
    diag_note("%s: %s; trying again", l->fleet->url, text);
}

void load_print_totals(const struct load *l) {
    const struct wf_loader_totals *t = wf_loader_totals(l->loader);
    printf("%s: %" PRIu64 " records, %" PRId64 " missing, %" PRIu64 " bytes damaged, %" PRIu64
           " lost; %" PRIu64 " stream%s (%" PRIu64 " new); rows: segment %" PRIu64,
           l->fleet->project, t->records, t->missing, t->damaged, t->lost, t->streams,
           t->streams == 1 ? "" : "s", t->created, t->segments);
    for (unsigned i = WF_FLEET_TABLE_FIGURE; i < WF_FLEET_TABLE_END; ++i)
        if (t->rows[i]) printf(", %s %" PRIu64, wf_fleet_tables[i].name, t->rows[i]);
    puts("");
}
