// SPDX-License-Identifier: MIT
// Files of a spool, with any bytes: the writer finds an end, the reader reads entries up to it, and
// what it reads and what it skips are all bytes before it. The first byte: where the files are
// split.

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "wallfly_backend/wf_spool.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool good) {
    if (!good) abort();
}

static void write_file(const char *folder, size_t position, const uint8_t *bytes, size_t len) {
    char path[128];
    snprintf(path, sizeof path, "%s/%016zX.spool", folder, position);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    require(fd >= 0 && write(fd, bytes, len) == (ssize_t)len);
    close(fd);
}

static uint64_t read_all(const char *folder, uint64_t end) {
    struct wf_spool_entry e;
    struct wf_spool_reader *r = wf_spool_reader_open(folder, 0, NULL);
    uint64_t next = 0, sum = 0;
    require(r != NULL);
    while (wf_spool_next(r, end, &e)) {
        require(e.position >= next && e.next > e.position && e.next <= end);
        require(wf_fleet_is_device(e.device) && e.chunk.len <= WF_FLEET_CHUNK_MAX);
        next = e.next;
        sum += e.next - e.position;
    }
    sum += wf_spool_skipped(r);
    require(wf_spool_reader_error(r) == WF_OK);
    wf_spool_reader_close(r);
    return sum;
}

static void remove_all(const char *folder, size_t split) {
    const char *const names[] = {"lock", "0000000000000000.spool"};
    char path[128];
    for (unsigned i = 0; i < 3; ++i) {
        if (i < 2)
            snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        else
            snprintf(path, sizeof path, "%s/%016zX.spool", folder, split);
        unlink(path);
    }
    rmdir(folder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char folder[] = "/tmp/wallfly-fuzz-XXXXXX";
    if (size < 2) return 0;
    const size_t len = size - 1, split = data[0] ? 1 + (len - 1) * data[0] / 256 : 0;
    require(mkdtemp(folder) != NULL);
    if (split) write_file(folder, 0, data + 1, split);
    write_file(folder, split, data + 1 + split, len - split);
    const struct wf_spool_options o = {.size = sizeof o, .folder = folder};
    struct wf_spool *s = wf_spool_open(&o, NULL);
    require(s != NULL && wf_spool_end(s) >= split && wf_spool_end(s) <= len);
    require(read_all(folder, wf_spool_end(s)) == wf_spool_end(s));
    // What is added behind it is read.
    const struct wf_fleet_chunk chunk = {.stream = 1, .bytes = data, .len = 1};
    const uint64_t before = wf_spool_end(s);
    require(wf_spool_put(s, "device", &chunk) == WF_OK && wf_spool_sync(s, NULL) == WF_OK);
    struct wf_spool_reader *r = wf_spool_reader_open(folder, before, NULL);
    struct wf_spool_entry e;
    require(wf_spool_next(r, wf_spool_end(s), &e) && strcmp(e.device, "device") == 0);
    wf_spool_reader_close(r);
    wf_spool_close(s);
    remove_all(folder, split);
    return 0;
}
