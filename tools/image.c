// SPDX-License-Identifier: MIT
// Files are mapped: a core may be larger than the memory, and little of it is looked at twice.

#include "image.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd.h"
#include "wallfly_host/wf_box.h"
#include "wallfly_host/wf_slots.h"

struct mapped {
    uint8_t *bytes;
    size_t len;
};

static int map_fd(int fd, const char *name, struct mapped *m) {
    struct stat st;
    if (fstat(fd, &st) != 0) return complain(EXIT_INPUT, "%s: %s", name, strerror(errno));
    if (S_ISDIR(st.st_mode)) return complain(EXIT_INPUT, "%s: is a directory, not a file", name);
    if (!S_ISREG(st.st_mode)) {
        return complain(EXIT_INPUT, "%s: is not a file; save the image to one first", name);
    }
    if (st.st_size == 0) return complain(EXIT_INPUT, "%s: is empty", name);
    m->len = (size_t)st.st_size;
    void *bytes = mmap(NULL, m->len, PROT_READ, MAP_PRIVATE, fd, 0);
    if (bytes == MAP_FAILED) return complain(EXIT_INPUT, "%s: %s", name, strerror(errno));
    m->bytes = bytes;
    return EXIT_GOOD;
}

static int map_file(const char *name, struct mapped *m) {
    int fd = open(name, O_RDONLY);
    if (fd < 0) return complain(EXIT_INPUT, "%s: %s", name, strerror(errno));
    int code = map_fd(fd, name, m);
    close(fd);
    return code;
}

static void unmap(struct mapped *m) {
    if (m->bytes) munmap(m->bytes, m->len);
}

int image_run(const char *name, const char *elf, const struct source_handlers *on) {
    struct mapped image = {NULL, 0}, program = {NULL, 0};
    struct wf_box box = {.stream = NULL};
    int code = map_file(name, &image);
    if (code == EXIT_GOOD && elf) code = map_file(elf, &program);
    if (code == EXIT_GOOD) {
        int err = wf_box_read(image.bytes, image.len, program.bytes, program.len, &box);
        bool slots = err == WF_ERR_BAD_BOX && on->memory;
        if (slots && wf_slots_has_memory(image.bytes, image.len)) {
            code = on->memory(on->ctx, image.bytes, image.len);
        } else if (err == WF_ERR_BAD_BOX) {
            code = complain(EXIT_INPUT, "%s:%" PRIu64 ": %s", name, box.offset, box.problem);
        } else if (err != WF_OK) {
            code = complain(EXIT_INPUT, "%s: %s", name, wf_err_text(err));
        } else if (box.len) {
            on->bytes(on->ctx, NULL, box.stream, box.len);
        } else {
            complain(EXIT_GOOD, "%s: the black box is empty", name);
        }
    }
    wf_box_free(&box);
    unmap(&program);
    unmap(&image);
    return code;
}
