// SPDX-License-Identifier: MIT
// Reads the linker's build id for wf_config.build_id. The host compares it to decide whether an ELF
// file belongs to the target (docs/names.md). Link with -Wl,--build-id, and keep the section
// .note.gnu.build-id where the program can read it.
#ifndef WF_BUILD_ID_H
#define WF_BUILD_ID_H

#include <stddef.h>
#include <stdint.h>

// Returns the first 4 bytes of the build id, lowest byte first.
//   notes, len  the section, or all notes of a segment; the address must be a multiple of 4
//   returns     0 when the notes contain no build id
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
