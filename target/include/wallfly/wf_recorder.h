// SPDX-License-Identifier: MIT
// The frame recorder: a ring of complete frames in RAM. Frames are made when they are recorded, and
// read in chunks of any size. One recorder per image. A record that finds no room overwrites the
// oldest whole frames; they are counted, and the stream reports their number and place.
//
// Context `any`, here and in the other headers: tasks, and interrupts that the port allows to
// record (see its wf_port.h).
#ifndef WF_RECORDER_H
#define WF_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wallfly/wf_config.h"
#include "wallfly/wf_ids.h"
#include "wallfly/wf_trigger.h"
#include "wallfly/wf_swar.h"

#ifdef __cplusplus
extern "C" {
#endif

// A time stamp: ticks of the port's clock, in the width of the wire.
#if WF_CFG_TIME_SIZE == 1
typedef uint8_t wf_stamp;
#elif WF_CFG_TIME_SIZE == 2
typedef uint16_t wf_stamp;
#elif WF_CFG_TIME_SIZE == 4
typedef uint32_t wf_stamp;
#else
typedef uint64_t wf_stamp;
#endif

typedef void (*wf_function)(void); // any function pointer: cast with WF_FUN

#define WF_FUN(f) ((wf_function)(f))

// Arguments of wf_start. The structure and the ring must stay valid; only the recorder writes the
// ring.
struct wf_config {
    uint8_t *ring;
    uint32_t ring_size; // bytes, WF_RING_MIN or more; one byte stays free
    uint32_t hz;        // ticks per second of wf_port_now(); 0: unknown, hosts then show ticks
    uint32_t build_id;  // identifies the build: wf_build_id.h; 0: unknown
    uint8_t built[6];   // build time: second, minute, hour, day, month, year - 2000
    bool keep; // WF_CFG_BOX: continue after the records of an earlier run, if the ring is intact
    uint32_t hold; // WF_CFG_PACKED: ticks that events of a frame that is not full may wait until
                   // the reader takes them; 0: it takes them when it has nothing else
};

// Room for the longest SYNC, or a packed frame, and a little more.
enum { WF_RING_MIN = WF_CFG_PACKED ? 384 : 128 };

struct wf_status {
    uint64_t count;      // records made since wf_start, SYNCs included
    uint64_t lost;       // records of these that were lost
    uint64_t lost_bytes; // bytes of the lost frames
    uint32_t used;       // bytes that wait to be sent; for bytes still in the ring, escapes and
                         // SYNCs are added
};

struct wfi_names_calls;

#if WF_CFG_ON || defined WFI_BUILDING

// Starts recording. It empties the ring, switches all QS-IDs on and all records off (except fixed
// ones, which are always on), and records EMPTY, TARGET_INFO and SYNC. With config->keep it may
// continue after an earlier run instead, with SYNC and TARGET_INFO. Returns false when the ring is
// too small; then every record is refused. Context: before anything records.
bool wf_start(const struct wf_config *config);

// Returns whether wf_start continued after an earlier run. Context: any.
#if WF_CFG_BOX
bool wf_was_kept(void);
#else
static inline bool wf_was_kept(void) { return false; }
#endif

// Records TARGET_INFO. reset: 0xFF after a reset, 0 as an answer. Context: any.
void wf_target_info(uint8_t reset);

// Switches a group (WF_GRP_...) or one record (its number, 1..0x7C) on; negated: off. Fixed records
// stay on; other numbers are ignored. Context: any.
static inline void wf_filter(int group_or_record);

// The same for QS-IDs: WF_IDS_... or one id, 1..126; negated: off. Context: any.
void wf_filter_id(int group_or_id);

// Get and set the filters as bitmaps: record or QS-ID n is bit n % 8 of byte n / 8. Setting keeps
// fixed records and QS-ID 0 on; a null bitmap stays unchanged. Context: any.
void wf_get_filters(uint8_t records[16], uint8_t ids[16]);
void wf_set_filters(const uint8_t *records, const uint8_t *ids);

// Returns the next byte to send, or -1 when there is none. Context: one reader (task or interrupt).
int wf_get_byte(void);

// Lends a block of bytes to send: sets *block and returns its length, at most max; 0 when there is
// nothing to send. The block stays valid until wf_block_done or the next call, which counts it as
// sent. It is a copy (of at most WF_CFG_STAGE bytes): a reader that keeps it delays no record and
// loses none. Context: one reader.
uint32_t wf_get_block(const uint8_t **block, uint32_t max);

// Ends the loan of the block; its first `sent` bytes have been sent. Context: the reader.
void wf_block_done(uint32_t sent);

// Gets the recorder's counts. Context: any.
void wf_get_status(struct wf_status *status);

// With WF_CFG_PACKED: ends the frame that events are being added to, so that the reader gets them
// although it is not full (as after config->hold ticks). Else it does nothing. Context: any.
#if WF_CFG_PACKED
void wf_flush(void);
#else
static inline void wf_flush(void) {}
#endif

// With WF_CFG_PACKED: sends the numbers of tasks and objects again, as for a new reader. The names
// (wf_names.h) do it, too. Context: any.
#if WF_CFG_PACKED
void wf_announce_numbers(void);
#else
static inline void wf_announce_numbers(void) {}
#endif

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
static inline void wf_flush(void) {}
static inline void wf_announce_numbers(void) {}

#endif

// ---- inside; not for users ----

enum { WFI_STAGE = WF_CFG_STAGE };

// A record in one number: its id, whether it has a stamp, and whether its caller holds the critical
// section.
enum { WFI_TIMED = 0x100, WFI_HELD = 0x200 };

// Header of the black box: the host finds it in a memory image (layout: docs/black-box.md). No
// member up to wfi_recorder.next needs padding before it, on any CPU.
struct wfi_box {
    uint8_t magic[8];
    uint8_t pointer_size, big_endian;
    uint8_t sizes[5], core; // as in SYNC
    uint32_t hz, build_id;
    uint32_t check; // over the above and self, ring, ring_end
};

// A position in the stream.
struct wfi_place {
    uint64_t count, ticks; // number of the record there, and the time base after it
    uint64_t refused;      // records refused so far
};

#if WF_CFG_SLOTS
struct wfi_recorder {
    uint8_t glb[16], loc[16];            // filters, a bit each
    const struct wfi_names_calls *names; // null: no table of names (wf_names.h)
};
#else
#if WF_CFG_BOX
#define WFI_BOX_ALIGNED __attribute__((aligned(8))) // also on 16-bit CPUs: the same layout
#endif

#if WF_CFG_PACKED
// State of packed frames that a reset may destroy (wf_packed.c).
struct wfi_packed {
    uint8_t core;                    // the core of the last event of the frame
    uint8_t making;                  // an event is being made in steps: its id; 0: none
    bool timed;                      // ... its record has a stamp
    bool unannounced, announce_all;  // a number waits to be sent; all do
    uint8_t again;                   // next number to be sent again, the reader's
    uint32_t synced;                 // count at the last SYNC in the ring
    uint8_t *body;                   // of the event made in steps
    const void *tasks[WF_CFG_CORES]; // the running task of each core
    uint8_t announced[WF_CFG_PACKED_OBJECTS / 8]; // a bit each: sent; the reader's
};
#endif

// Small members first: short instructions can address them.
struct wfi_recorder {
    uint8_t sum;   // of the record being made
    bool sync_due; // a SYNC must come before the next record; the record being made is refused
    uint16_t len;  // bytes of the record being made, so far
    uint16_t stage_at, stage_len; // stage bytes: sent, in use; the reader's only
    uint16_t lent;                // bytes of these that are lent to the caller
    bool part;                    // the frame at the tail exceeds the stage and was sent in part
    uint8_t left_out;             // numbers left out before the record being made
    bool wrapped;                 // the stamp has wrapped before this record or the next
    uint8_t *at, *stop;           // next byte of the record being made; end of the room for it
    uint8_t *length;              // length byte of its piece; null: no piece was begun
    uint8_t *limit;               // at least the bytes from next up to here are free
#if WF_CFG_PACKED
    wf_stamp last;                // latest stamp, to detect wraps
    const void *running;          // the acting task that events leave out
    uint32_t irq;                 // the interrupt entered last in the open frame
#endif
#if WF_CFG_BOX
    struct wfi_box box WFI_BOX_ALIGNED;
#endif
    bool hole;                      // frames before `sent` were dropped, not yet reported
    bool cut;                       // a part of the last one was sent: it must be spoilt and closed
    uint8_t spoiler;                // with this byte; not 0: a part of a frame was sent
    uint8_t own;                    // frames at the start of the stage that are not in the ring
    struct wfi_place tail_at;       // the frame before `sent`
    uint64_t lost, lost_bytes;      // records overwritten at the tail; bytes of all lost frames
    uint32_t refused;               // records that found no room
    uint32_t wraps;                 // wraps of the stamp
    uint32_t count_low, count_high; // records made; the sequence is the low byte
#if WF_CFG_BOX
    void *self;                     // address of the box
#endif
    uint8_t *ring, *ring_end;
    uint8_t *tail, *sent, *next, *turn;         // see the picture in wf_ring.c
#if WF_CFG_PACKED
    uint32_t open;                              // the frame that events are added to (wf_packed.c)
    uint32_t object_count;                      // WF_CFG_PACKED_OBJECTS
    const void *objects[WF_CFG_PACKED_OBJECTS]; // by number - 1; all bits set: not used
#endif
    // ---- up to here: the black box ----
#if !WF_CFG_PACKED
    wf_stamp last; // latest stamp, to detect wraps
#endif
    const struct wf_config *config;
    uint8_t glb[16], loc[16];            // filters, a bit each
    const struct wfi_names_calls *names; // null: no table of names (wf_names.h)
#if WF_CFG_PACKED
    struct wfi_packed packed;
#endif
#if WF_CFG_TEST
    wf_stamp test_clock;
#endif
#if WF_CFG_TRIGGER
    struct wfi_trigger trigger;
#endif
#if WF_CFG_BOX
    uint16_t copied;   // frames from `tail` to `sent`
#endif
    uint8_t part_left; // bytes left in the piece of a frame that is sent in parts
    bool part_goes_on; // another piece follows it
    uint8_t stage[WFI_STAGE];
};
#endif

extern struct wfi_recorder wfi;

#if !WF_CFG_SLOTS
// As wf_get_block and wf_block_done. what: 0, or WFI_HELD if the caller holds the critical section.
uint32_t wfi_get_block(unsigned what, const uint8_t **block, uint32_t max);
void wfi_block_done(unsigned what, uint32_t sent);
#endif

#if WF_CFG_FAST
// Read outside the critical section, then compared inside.
#define WFI_SHARED(x)   __atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WFI_SHARE(x, v) __atomic_store_n(&(x), (v), __ATOMIC_RELAXED)
#else
#define WFI_SHARE(x, v) ((x) = (v))
#endif

void wfi_filter(int group_or_record);
void wfi_filter_all(uint8_t byte); // byte: 0xFF all on, 0 all off

// Most programs switch all records on and need only this function.
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
