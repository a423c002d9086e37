// SPDX-License-Identifier: MIT
// Further parts of the file of a profile. They follow the profile as skippable frames of zstd, so
// that a reader of the figures alone passes over them:
//
//   4 bytes  0x184D2A50 + kind, little-endian
//   4 bytes  length of the rest
//   4 bytes  length of the contents
//   ...      the contents, compressed

#include <stdlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "util/wfi_cursor.h"
#include "wallfly_host/wf_profile.h"
#include "wfi_profile_bytes.h"

enum { MAGIC_LEN = 4, LEN_AT = 4, SIZE_AT = 8, HEAD = 12, KINDS = 16 };

static const uint32_t magic = 0x184D2A50;

uint8_t *wf_profile_write_part(unsigned kind, const void *bytes, size_t len, size_t *part_len,
                               struct wf_error *error) {
    size_t room = ZSTD_compressBound(len);
    uint8_t *part = kind < KINDS && len <= WFI_PROFILE_CONTENTS ? malloc(HEAD + room) : NULL;
    size_t used = part ? ZSTD_compress(part + HEAD, room, bytes, len, ZSTD_CLEVEL_DEFAULT) : 0;
    if (!part || ZSTD_isError(used)) {
        free(part);
        wf_error_code(error, WF_ERR_NOMEM);
        return NULL;
    }
    wfi_put32(part, magic + kind);
    wfi_put32(part + LEN_AT, (uint32_t)(used + HEAD - SIZE_AT));
    wfi_put32(part + SIZE_AT, (uint32_t)len);
    *part_len = HEAD + used;
    wf_error_code(error, WF_OK);
    return part;
}

// Returns the part that begins at `at` or later; null: there is none, or the file is cut.
static const uint8_t *find_part(const uint8_t *file, size_t len, unsigned kind, size_t *part_len) {
    for (size_t at = WFI_PROFILE_HEAD; at < len;) {
        size_t frame = ZSTD_findFrameCompressedSize(file + at, len - at);
        if (ZSTD_isError(frame) || frame == 0 || frame > len - at) return NULL;
        if (frame >= HEAD && wfi_load(file + at, MAGIC_LEN) == magic + kind) {
            *part_len = frame;
            return file + at;
        }
        at += frame;
    }
    return NULL;
}

uint8_t *wf_profile_read_part(const void *file, size_t len, unsigned kind, size_t *part_len,
                              struct wf_error *error) {
    size_t frame = 0;
    const uint8_t *part = wf_profile_is(file, len) ? find_part(file, len, kind, &frame) : NULL;
    wf_error_code(error, WF_OK);
    if (!part) return NULL;
    size_t size = (size_t)wfi_load(part + SIZE_AT, 4);
    uint8_t *bytes = size <= WFI_PROFILE_CONTENTS ? malloc(size + 1) : NULL;
    size_t got = bytes ? ZSTD_decompress(bytes, size, part + HEAD, frame - HEAD) : 0;
    *part_len = size;
    if (bytes && !ZSTD_isError(got) && got == size) return bytes;
    bool memory = bytes && ZSTD_isError(got)
                      ? ZSTD_getErrorCode(got) == ZSTD_error_memory_allocation
                      : !bytes && size <= WFI_PROFILE_CONTENTS;
    if (memory)
        wf_error_code(error, WF_ERR_NOMEM);
    else
        wf_error_set(error, WF_ERR_BAD_PROFILE, "a part of the profile is damaged: save it again");
    free(bytes);
    return NULL;
}
