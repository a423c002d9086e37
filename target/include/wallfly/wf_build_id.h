// SPDX-License-Identifier: MIT
// The linker's build id as the number of wf_config.build_id, by which a host knows whether an ELF
// file is that of the target (docs/names.md). Link with -Wl,--build-id, and keep the section
// .note.gnu.build-id where the program can read it.
#ifndef WF_BUILD_ID_H
#define WF_BUILD_ID_H

#include <stddef.h>
#include <stdint.h>

// The first 4 bytes of the build id, the first one lowest.
//   notes, len  the section, or all notes of a segment; at an address that 4 divides
//   returns     0: it is not in there
//   context     any
static inline uint32_t wf_build_id(const void *notes, size_t len) {
    const uint8_t *p = (const uint8_t *)notes;
    while (len >= 20) {
        const uint32_t *head = (const uint32_t *)(const void *)p; // sizes of name and data, type
        size_t name = (size_t)(head[0] + 3u) & ~(size_t)3,
               data = (size_t)(head[1] + 3u) & ~(size_t)3;
        if (head[0] == 4 && head[1] >= 4 && head[2] == 3 && p[12] == 'G' && p[13] == 'N' &&
            p[14] == 'U')
            return (uint32_t)p[16] | (uint32_t)p[17] << 8 | (uint32_t)p[18] << 16 |
                   (uint32_t)p[19] << 24;
        if (name > len - 12 || data > len - 12 - name) return 0;
        p += 12 + name + data;
        len -= 12 + name + data;
    }
    return 0;
}

#endif
