// SPDX-License-Identifier: MIT
// The layout of recordings, shared by their writer and their reader (docs/recording.md).
#ifndef WFI_RECORDING_H
#define WFI_RECORDING_H

#include "util/wfi_cursor.h"
#include "wallfly_host/wf_recording.h"

enum {
    WFI_ZSTD_MAGIC_LEN = 4,
    WFI_ZSTD_CHECKSUM = 4,           // bit of the byte after it: the frame has a checksum
    WFI_SKIP_LEN = 8,                // magic and length of a skippable frame
    WFI_HEAD_MAX = 256,              // its payload
    WFI_BLOCK_MAX = 2 * 1024 * 1024, // longest block, uncompressed
    WFI_CHUNK_HEAD_MAX = 1 + 3 * WFI_VARINT_MAX,
};

#define WFI_ZSTD_MAGIC  0xFD2FB528u
#define WFI_HEAD_MAGIC  0x184D2A57u // this and the next: skippable frames of Zstandard
#define WFI_INDEX_MAGIC 0x184D2A58u
#define WFI_HEAD_SIGN   "wallfly\n"
#define WFI_INDEX_SIGN  "wf-index"
#define WFI_END_SIGN    "wf-end\r\n"
enum { WFI_SIGN_LEN = 8 };

// The state of a lane, in the writer and the reader.
struct wfi_lane {
    uint64_t offset; // bytes so far
    bool used, up;
    uint8_t name_len;
    char name[WF_RECORDING_NAME_MAX];
};

void wfi_lane_name(struct wfi_lane *lane, const uint8_t *name, size_t len);
// Updates the lane by one of its chunks.
void wfi_lane_note(struct wfi_lane *lane, const struct wf_chunk *c);

#endif
