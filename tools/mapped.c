// SPDX-License-Identifier: MIT
// Files are mapped: a core may be larger than the memory, and little of it is looked at twice.

#include "mapped.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd.h"

static int map_fd(int fd, const char *name, struct mapped *m) {
    struct stat st;
    if (fstat(fd, &st) != 0) return complain(EXIT_INPUT, "%s: %s", name, strerror(errno));
    if (S_ISDIR(st.st_mode)) return complain(EXIT_INPUT, "%s: is a directory, not a file", name);
    if (!S_ISREG(st.st_mode)) {
        return complain(EXIT_INPUT, "%s: is not a file; save it to one first", name);
    }
    if (st.st_size == 0) return complain(EXIT_INPUT, "%s: is empty", name);
    m->len = (size_t)st.st_size;
    void *bytes = mmap(NULL, m->len, PROT_READ, MAP_PRIVATE, fd, 0);
    if (bytes == MAP_FAILED) return complain(EXIT_INPUT, "%s: %s", name, strerror(errno));
    m->bytes = bytes;
    return EXIT_GOOD;
}

int map_file(const char *name, struct mapped *m) {
    int fd = open(name, O_RDONLY);
    if (fd < 0) return complain(EXIT_INPUT, "%s: %s", name, strerror(errno));
    int code = map_fd(fd, name, m);
    close(fd);
    return code;
}

void unmap(struct mapped *m) {
    if (m->bytes) munmap(m->bytes, m->len);
}
