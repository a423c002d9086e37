// SPDX-License-Identifier: MIT
// The frame recorder: a ring of complete frames in RAM, made at insertion, taken out in any
// chunks. One recorder per image. Last is best: a record that finds no room pushes out the oldest
// whole frames, which are counted; the stream has their number and place.
#ifndef WF_RECORDER_H
#define WF_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wallfly/wf_config.h"
#include "wallfly/wf_ids.h"
#include "wallfly/wf_trigger.h"
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

// What wf_start needs. It must stay where it is, as must the ring, which others leave alone.
struct wf_config {
    uint8_t *ring;
    uint32_t ring_size; // bytes, WF_RING_MIN or more; one less is used
    uint32_t hz;        // ticks a second of wf_port_now(); 0: unknown, hosts then show ticks
    uint32_t build_id;  // tells builds apart: wf_build_id.h; 0: unknown
    uint8_t built[6];   // build time: second, minute, hour, day, month, year - 2000
    bool keep; // WF_CFG_BOX: go on behind what an earlier run left in the ring, if it is whole
};

enum { WF_RING_MIN = 128 }; // the longest SYNC fits, and a little

struct wf_status {
    uint64_t count;      // records made since wf_start, SYNCs included
    uint64_t lost;       // of these given up
    uint64_t lost_bytes; // their frames' bytes
    uint32_t used;       // bytes that wait to be sent; escapes and SYNCs come to those that are
                         // still in the ring
};

struct wfi_names_calls;

#if WF_CFG_ON || defined WFI_BUILDING

// Starts recording: empties the ring, switches all records off (but the fixed ones) and all QS-IDs
// on, and records EMPTY, TARGET_INFO and SYNC; or goes on behind an earlier run (config->keep) with
// SYNC and TARGET_INFO. False: the ring is too small, and every record will be refused. Context:
// before anything records.
bool wf_start(const struct wf_config *config);

// Did wf_start go on behind an earlier run? Context: any.
#if WF_CFG_BOX
bool wf_was_kept(void);
#else
static inline bool wf_was_kept(void) { return false; }
#endif

// Records TARGET_INFO. reset: 0xFF after a reset, 0 as an answer. Context: any.
void wf_target_info(uint8_t reset);

// Switches a group (WF_GRP_...) or one record (its number, 1..0x7C) on, or negated: off. Records
// that cannot be switched off stay on; numbers that cannot be are ignored. Context: any.
static inline void wf_filter(int group_or_record);

// The same for QS-IDs: WF_IDS_... or one id, 1..126. Context: any.
void wf_filter_id(int group_or_id);

// The filters as bitmaps: record or QS-ID n is bit n % 8 of byte n / 8. Setting leaves those on
// that cannot be switched off; null: unchanged. Context: any.
void wf_get_filters(uint8_t records[16], uint8_t ids[16]);
void wf_set_filters(const uint8_t *records, const uint8_t *ids);

// The next byte to send, or -1 if there is none. Context: one reader (task or interrupt).
int wf_get_byte(void);

// Lends bytes to send that lie in one piece: sets *block, returns how many, at most max; 0 when
// there is nothing. They stay as they are until wf_block_done, or until the next call, which gives
// them back as sent. They are copies (of WF_CFG_STAGE bytes at most): however long the reader keeps
// them, no record waits for them or is lost for them. Context: one reader.
uint32_t wf_get_block(const uint8_t **block, uint32_t max);

// Gives the loan back; the first `sent` bytes of it have been sent. Context: the reader.
void wf_block_done(uint32_t sent);

// The numbers of the recorder at this moment. Context: any.
void wf_get_status(struct wf_status *status);

#else // recording is off in this build: nothing remains

static inline bool wf_start(const struct wf_config *config) {
    (void)config;
    return true;
}
static inline bool wf_was_kept(void) { return false; }
static inline void wf_target_info(uint8_t reset) { (void)reset; }
static inline void wf_filter_id(int group_or_id) { (void)group_or_id; }
static inline void wf_get_filters(uint8_t records[16], uint8_t ids[16]) {
    for (unsigned i = 0; i < 16; ++i) records[i] = ids[i] = 0;
}
static inline void wf_set_filters(const uint8_t *records, const uint8_t *ids) {
    (void)records;
    (void)ids;
}
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

enum { WFI_STAGE = WF_CFG_STAGE };

// What a record is, in one number: its id, whether it has a stamp, and whether its caller holds the
// critical section.
enum { WFI_TIMED = 0x100, WFI_HELD = 0x200 };

// Black box: what it begins with, so that it can be found in an image of the memory
// (docs/black-box.md has the layout). Up to wfi_recorder.next no member needs padding in front of
// it on any CPU.
struct wfi_box {
    uint8_t magic[8];
    uint8_t pointer_size, big_endian;
    uint8_t sizes[5], core; // as SYNC has them
    uint32_t hz, build_id;
    uint32_t check; // over the above and self, ring, ring_end
};

// A place in the stream.
struct wfi_place {
    uint64_t count, ticks; // number of the record there, and the time base behind it
    uint64_t refused;      // records that did not get in, so far
};

#if WF_CFG_SLOTS
struct wfi_recorder {
    uint8_t glb[16], loc[16];            // filters, a bit each
    const struct wfi_names_calls *names; // null: no table of names (wf_names.h)
};
#else
#if WF_CFG_BOX
#define WFI_BOX_ALIGNED __attribute__((aligned(8))) // on 16-bit CPUs too: the same layout
#endif

// Small members first: the shortest instructions reach them.
struct wfi_recorder {
    uint8_t sum;   // of the record being made
    bool sync_due; // a SYNC must come before the next record; the one being made cannot get in
    uint16_t len;  // bytes of the record so far
    uint16_t stage_at, stage_len; // of the stage: sent, and in use; the reader's alone
    uint16_t lent;                // of these bytes, in the hands of the caller
    bool part;                    // the frame at the tail is longer than the stage, and begun
    uint8_t left_out;             // numbers left out in front of the record being made
    bool wrapped;                 // the stamp, in front of it or of the next
    uint8_t *at, *stop;           // next byte of the record being made; so far it may come
    uint8_t *length;              // of its piece, null: none was begun
    uint8_t *limit;               // from next up to here it is free, at least
#if WF_CFG_BOX
    struct wfi_box box WFI_BOX_ALIGNED;
#endif
    bool hole;                      // frames were given up in front of `sent`, not yet reported
    bool cut;                       // of the last one a part was sent: it must be spoilt and closed
    uint8_t spoiler;                // by this byte; not 0: a part of a frame was sent
    uint8_t own;                    // what stands in front on the stage and not in the ring
    struct wfi_place tail_at;       // the frame in front of `sent`
    uint64_t lost, lost_bytes;      // pushed out at the tail; bytes of all given up
    uint32_t refused;               // did not get in at the head
    uint32_t wraps;                 // of the stamp
    uint32_t count_low, count_high; // records made; the sequence is the low byte
#if WF_CFG_BOX
    void *self;                     // where the box lies
#endif
    uint8_t *ring, *ring_end;
    uint8_t *tail, *sent, *next, *turn; // wf_ring.c has the picture
    // ---- up to here: the black box ----
    wf_stamp last; // latest stamp, to see wraps
    const struct wf_config *config;
    uint8_t glb[16], loc[16];            // filters, a bit each
    const struct wfi_names_calls *names; // null: no table of names (wf_names.h)
#if WF_CFG_TEST
    wf_stamp test_clock;
#endif
#if WF_CFG_TRIGGER
    struct wfi_trigger trigger;
#endif
#if WF_CFG_BOX
    uint16_t copied;   // frames in front of `sent`
#endif
    uint8_t part_left; // of the piece of a frame that is sent in parts
    bool part_goes_on; // another piece follows it
    uint8_t stage[WFI_STAGE];
};
#endif

extern struct wfi_recorder wfi;

#if !WF_CFG_SLOTS
// wf_get_block and wf_block_done; what: 0, or WFI_HELD for callers that hold the critical section.
uint32_t wfi_get_block(unsigned what, const uint8_t **block, uint32_t max);
void wfi_block_done(unsigned what, uint32_t sent);
#endif

#if WF_CFG_FAST
// Read outside of the critical section and then compared inside.
#define WFI_SHARED(x)   __atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WFI_SHARE(x, v) __atomic_store_n(&(x), (v), __ATOMIC_RELAXED)
#else
#define WFI_SHARE(x, v) ((x) = (v))
#endif

void wfi_filter(int group_or_record);
void wfi_filter_all(uint8_t byte); // of the bitmap: 0xFF or 0

// Most programs switch all on and need no more code than that.
static inline void wf_filter(int group_or_record) {
    if (!WF_CFG_ON) return;
    if (__builtin_constant_p(group_or_record) && group_or_record == WF_GRP_ALL)
        wfi_filter_all(0xFF);
    else
        wfi_filter(group_or_record);
}

static inline bool wfi_on(unsigned record, unsigned id) {
    if (!(wfi.glb[record >> 3] & (1u << (record & 7)))) return false;
    if (__builtin_constant_p(id) && id == 0) return true; // always on
    return (wfi.loc[id >> 3] & (1u << (id & 7))) != 0;
}

#ifdef __cplusplus
}
#endif
#endif
