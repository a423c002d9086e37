// SPDX-License-Identifier: MIT
// The frame recorder: a ring of complete frames in RAM, made at insertion, taken out in any
// chunks. One recorder per image. Last is best: a record that finds no room pushes out the oldest
// whole frames, which are counted; the stream tells how many, and where.
#ifndef WF_RECORDER_H
#define WF_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wallfly/wf_config.h"
#include "wallfly/wf_ids.h"
#include "wallfly/wf_words.h"

#ifdef __cplusplus
extern "C" {
#endif

// A time stamp: ticks of the port's clock, as many bits as go on the wire.
#if WF_CFG_TIME_SIZE == 1
typedef uint8_t wf_stamp;
#elif WF_CFG_TIME_SIZE == 2
typedef uint16_t wf_stamp;
#elif WF_CFG_TIME_SIZE == 4
typedef uint32_t wf_stamp;
#else
typedef uint64_t wf_stamp;
#endif

typedef void (*wf_function)(void); // any function: cast with WF_FUN

#define WF_FUN(f) ((wf_function)(f))

// What wf_start needs. The caller owns the ring; all of it stays untouched by others.
struct wf_config {
    uint8_t *ring;
    uint32_t ring_size; // bytes, 64 or more; holds that many bytes of frames
    uint32_t hz;        // ticks a second of wf_port_now(); 0: unknown, hosts then show ticks
    uint32_t build_id;  // tells builds apart, e.g. of the linker's build id; 0: unknown
    uint8_t built[6];   // build time: second, minute, hour, day, month, year - 2000
};

struct wf_status {
    uint64_t count;      // records made since wf_start, SYNCs included
    uint64_t lost;       // of these given up
    uint64_t lost_bytes; // their frames' bytes
    uint32_t used;       // bytes of the ring that wait to be sent
};
#if WF_CFG_ON || defined WFI_BUILDING

// Starts recording: empties the ring, switches all records off (but the fixed ones) and all QS-IDs
// on, and records EMPTY, TARGET_INFO and SYNC. Context: before anything records.
void wf_start(const struct wf_config *config);

// Records TARGET_INFO. reset: 0xFF after a reset, 0 as an answer. Context: any.
void wf_target_info(uint8_t reset);

// Switches a group (WF_GRP_...) or one record (its number, 1..0x7C) on, or negated: off. Records
// that cannot be switched off stay on; numbers that cannot be are ignored. Context: any.
void wf_filter(int group_or_record);

// The same for QS-IDs: WF_IDS_... or one id, 1..126. Context: any.
void wf_filter_id(int group_or_id);

// The next byte to send, or -1 if there is none. Context: one reader (task or interrupt).
int wf_get_byte(void);

// Lends bytes to send that lie in one piece: sets *block, returns how many, at most max; 0 when
// there is nothing. They stay as they are until wf_block_done; a record that would need their room
// is given up (and counted), so give them back soon. Context: one reader.
uint32_t wf_get_block(const uint8_t **block, uint32_t max);

// Gives the loan back; the first `sent` bytes of it have been sent. Context: the reader.
void wf_block_done(uint32_t sent);

// The numbers of the recorder at this moment. Context: any.
void wf_get_status(struct wf_status *status);

#else // recording is off in this build: nothing remains

static inline void wf_start(const struct wf_config *config) { (void)config; }
static inline void wf_target_info(uint8_t reset) { (void)reset; }
static inline void wf_filter(int group_or_record) { (void)group_or_record; }
static inline void wf_filter_id(int group_or_id) { (void)group_or_id; }
static inline int wf_get_byte(void) { return -1; }
static inline uint32_t wf_get_block(const uint8_t **block, uint32_t max) {
    (void)block;
    (void)max;
    return 0;
}
static inline void wf_block_done(uint32_t sent) { (void)sent; }
static inline void wf_get_status(struct wf_status *status) { (void)status; }

#endif

// ---- inside; not for users ----

enum { WFI_STAGE = 110 }; // a SYNC frame with every byte escaped

// Follows the frames that leave the ring at its tail, sent or given up.
struct wfi_passing {
    uint8_t at;  // bytes of the present frame, unescaped, at most 255
    uint8_t id;  // its record
    uint8_t sum; // of those bytes
    bool esc;
};

struct wfi_recorder {
    uint8_t glb[16], loc[16]; // filters, a bit each
    uint8_t *ring;
    uint32_t cap, head, tail, used; // head: next to write; tail: next to send
    uint32_t room;                  // at least so many bytes are free in one piece at head
    uint32_t count_low, count_high; // records made; the sequence is the low byte
    wf_stamp last;                  // latest stamp, to see wraps
    uint32_t wraps;
    bool sync_due;          // a SYNC must come before the next record
    uint8_t *raw, *raw_end; // application record under way: next byte, end of window
    uint32_t raw_len;       // its bytes so far once it has left the window
    uint8_t raw_state;
    uint64_t lost, lost_bytes;       // pushed out at the tail; bytes of all given up
    uint32_t refused, tail_refused;  // did not get in at the head; of these before the tail
    uint64_t tail_count, tail_ticks; // number of the last frame that left; time base behind it
    uint64_t passing_count;          // of the SYNC that passes
    struct wfi_passing passing;
    uint32_t lent;
    bool lent_stage; // the loan is of stage
    bool hole;       // frames were given up in front of the tail, not yet told
    bool cut;        // the frame being sent was given up: its part must be spoilt and closed
    uint8_t cut_sum, stage_at, stage_len;
    bool cut_esc;
    uint8_t stage[WFI_STAGE];
    struct wf_config config;
};

extern struct wfi_recorder wfi;

static inline bool wfi_on(unsigned record, unsigned id) {
    return (wfi.glb[record >> 3] & (1u << (record & 7))) != 0 &&
           (wfi.loc[id >> 3] & (1u << (id & 7))) != 0;
}

#ifdef __cplusplus
}
#endif
#endif
