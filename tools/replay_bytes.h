// SPDX-License-Identifier: MIT
// Where replay's bytes come from: the file, the blocks of a recording, or what was kept of a live
// source.
#ifndef REPLAY_BYTES_H
#define REPLAY_BYTES_H

#include "cmd.h"
#include "wallfly_host/wf_recording.h"

// What is kept of a live source: a ring in a file without a name.
struct spool {
    int fd;          // -1: there is none
    uint64_t limit;  // bytes
    uint64_t len;    // that came so far
    uint64_t *links; // offsets at which another connection began
    size_t link_count, link_cap;
};

bool spool_open(struct spool *s, uint64_t limit); // false after complaining
void spool_close(struct spool *s);
bool spool_put(struct spool *s, const uint8_t *bytes, size_t len);
void spool_relink(struct spool *s);
uint64_t spool_gone(const struct spool *s); // bytes that are no longer there

// A stretch under way.
struct bytes {
    const struct spool *spool; // null: a file
    int fd;
    bool ended;
    struct wf_recording *recording; // null: the file is none
    unsigned lane;
    uint64_t offset; // of the next byte of the stream
    uint64_t at;     // the same in a file that is a recording
    bool reached;    // the first byte that is wanted
    size_t link;     // next of the spool's links
    uint8_t block[65536];
};

// From a byte of the lane's stream on. block_at: recordings; where the block begins that it is in.
//   returns  null after setting `why`
struct bytes *bytes_open(const struct spool *spool, const char *file, unsigned lane,
                         uint64_t offset, uint64_t block_at, char why[256]);
void bytes_close(struct bytes *b);
// What comes next, as a recording has it (wf_recording_apply).
//   returns  1: there is something; 0: the end; < 0: WF_ERR_READ, `why` is set
int bytes_next(struct bytes *b, struct wf_chunk *chunk, char why[256]);

#endif
