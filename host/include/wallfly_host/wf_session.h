// SPDX-License-Identifier: MIT
// A session turns the bytes of one target into records, losses and damage, with names, 64-bit
// time and a ledger that accounts for every byte. Bytes in, items out: it opens no file, prints
// nothing, keeps no global state. One session is for one thread at a time; several may run in
// parallel.
//
// Pull: wf_session_feed(s, bytes, len); while (wf_session_next(s, &item)) ...; at the end
// wf_session_end(s), and wf_session_next again.
//
// Callbacks: wf_session_run(s, bytes, len, &handlers), wf_session_run_end(s, &handlers)
#ifndef WF_SESSION_H
#define WF_SESSION_H

#include "wf_error.h"
#include "wf_rows.h"
#include "wf_slots.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wf_session;

enum wf_dialect {
    WF_DIALECT_WALLFLY, // best possible trust and resync; all versions up to 8.1
    WF_DIALECT_QSPY,    // same as QSPY 7.4.1, with its limits and oddities
};

struct wf_session_options {
    size_t size; // sizeof(struct wf_session_options)
    enum wf_dialect dialect;
    bool info8;       // QSPY dialect only: understand the target info of QS 8.x, too
    bool all_names;   // QSPY dialect only: dictionaries without QSPY's limits
    uint16_t version; // of QS until TARGET_INFO arrives, 733 for 7.3.3; 0: 740 (QSPY dialect: 700)
    uint8_t bytes[WF_TYPE_END]; // sizes until TARGET_INFO arrives; 0: the type's default
    uint64_t hz;                // ticks per second; 0: the target's, if it sends it
};

// Known properties of the target. Sizes are in bytes, by enum wf_type.
struct wf_target {
    bool known;       // a target info has arrived
    bool sizes_known; // from a target info or a SYNC (else they are assumed)
    bool big_endian;
    uint16_t version;     // 733 for 7.3.3
    uint16_t version_raw; // as on the wire, with bit 15
    uint8_t bytes[WF_TYPE_END];
    uint8_t built[6];  // second, minute, hour, day, month, year - 2000; all 0: unknown
    uint32_t released; // YYMMDD, QS 8.x only
    uint8_t framework; // QS 8.x only: 1 = C, 2 = C++
    uint64_t hz;       // ticks per second, 0: unknown
    uint32_t build_id; // 0: unknown
    unsigned resets;   // number of target infos sent at a reset
    uint8_t cores;     // of a slot trace, or of another tracer's recording; 0: frames, one core
};

struct wf_record {
    const struct wf_row *row; // null: an unknown number
    uint8_t id, seq;
    uint8_t core;         // 0 in frames
    uint8_t seq_expected; // in QSPY's count; differs from seq after a loss
    bool first;           // of the session
    bool stamped;         // has a time stamp
    bool back;            // the stamp is lower than that of the previous record
    uint64_t stamp;       // as sent
    // 64 bits, wraps counted. Without a stamp: that of the previous record (slot traces: always its
    // own). After a restart the target counts from 0 again: an offset is added, so that its first
    // tick comes after the last one before the restart (not in QSPY dialect). The length of the
    // pause is not known.
    uint64_t tick;
    uint64_t offset;        // of its frame in the stream
    uint64_t raw_len;       // bytes of the frame, including escapes and 0x7E
    const uint8_t *payload; // the checksum byte follows it
    size_t len;
    uint64_t value[WF_FIELDS_MAX]; // per field of the row; STR: not used, see text
    const char *text;              // the STR field, not terminated
    size_t text_len;
    int left;                          // bytes after the last field; negative: missing
    uint16_t missing;                  // bit n: field n was cut short
    int16_t missing_by[WF_FIELDS_MAX]; // number of missing bytes; STR, NUM: bytes present
};

enum wf_damage_kind {
    WF_DAMAGE_IDLE, // a lone 0x7E
    WF_DAMAGE_BAD_SUM,
    WF_DAMAGE_TOO_SHORT,
    WF_DAMAGE_TOO_LONG,
    WF_DAMAGE_CUT, // the stream ended inside a frame
    // Losses and ledger only: the target reported that it gave up the frame in the middle. As an
    // item it was BAD_SUM, since the report arrives later.
    WF_DAMAGE_BY_TARGET,
    WF_DAMAGE_END
};

// A range of bytes that is not a record.
struct wf_damage {
    enum wf_damage_kind kind;
    bool escaped; // TOO_LONG: at an escaped byte
    uint64_t offset, len;
    const uint8_t *bytes; // unescaped
    size_t count;
    uint8_t seq; // of the last good record
};

enum wf_loss_kind {
    WF_LOSS_HOLE,     // records missing, or damaged bytes, before the next record
    WF_LOSS_UNSEEN,   // a SYNC counts missing records not visible in the sequence
    WF_LOSS_LATE,     // the next record was counted as missing, but arrives late
    WF_LOSS_REPEATED, // a record arrived a second time; the copy is dropped
    WF_LOSS_RESTART,  // the target restarted; its unsent records are not known
    WF_LOSS_BEGINNING // the trace begins here, as a ring has overwritten older records. Not in the
                      // ledger: nothing is missing between its records
};

struct wf_loss {
    enum wf_loss_kind kind;
    uint64_t offset;                // in the stream
    uint64_t bytes;                 // damaged or repeated bytes in it
    uint64_t lost;                  // bytes received but lost after the link (wf_session_lose)
    uint64_t records;               // missing
    uint64_t given_up;              // of these, given up by the target, by its own count
    uint64_t overwritten;           // BEGINNING: older records; 0: unknown
    bool exact;                     // false: known only modulo 256, as the sequence has 8 bits
    uint32_t damage[WF_DAMAGE_END]; // ranges by kind
    uint64_t tick_before;           // last time stamp before
    uint8_t core;
    bool any_core;   // slot traces: the loss may be on any core; then everything after `offset`
                     // was received later
    const char *why; // slot traces, other tracers' recordings: what is wrong with the bytes, or the
                     // cause, a sentence; or null
};

// Totals. bytes == good + idle + bad + repeated after wf_session_next has returned false, if no
// frame is unfinished. If exact, records + missing is the number of records made by the target.
struct wf_ledger {
    uint64_t bytes, bytes_good, bytes_idle, bytes_bad, bytes_repeated;
    uint64_t bytes_lost;           // not in bytes: lost after the link
    uint64_t records;              // good ones returned
    uint64_t missing, given_up;    // missing in total; of these given up by the target
    uint64_t late, repeated, back; // back: stamps that decreased
    uint64_t malformed;            // good checksum but wrong length for the sizes
    uint64_t unknown;              // unknown record number
    uint64_t packed_frames;        // their records are in `records`
    uint64_t holes;                // losses of kind HOLE and UNSEEN
    uint64_t damage[WF_DAMAGE_END];
    uint64_t by_id[256];
    bool exact; // `missing` is confirmed by SYNC records up to the last of them
};

enum wf_item_kind {
    WF_ITEM_RECORD,
    WF_ITEM_DAMAGE,
    WF_ITEM_LOSS,
    WF_ITEM_EVENT, // slot traces only (wf_slot_record.h): an event that is not a record
    WF_ITEM_SLOT,  // traces with raw_slots only (wf_trace.h): an item of the slot reader
    WF_ITEM_CHUNK  // recordings only: an event of a link, or of the file (wf_trace.h)
};

struct wf_lane;
struct wf_chunk;

struct wf_item {
    enum wf_item_kind kind;
    struct wf_lane *lane;    // of items of a trace (wf_trace.h)
    struct wf_record record; // only the member that `kind` names is set
    struct wf_damage damage;
    struct wf_loss loss;
    const struct wf_slot_event *event;
    const struct wf_slots_item *slot;
    const struct wf_chunk *chunk;
    bool changed;   // RECORD of a target info: it differs from the known one
    bool discarded; // the build has changed, so the dictionaries were discarded
};

// Options that begin with their size may be null for all 0. A size of 0 is WF_ERR_USAGE; members
// that an older, smaller struct does not have are 0.
//
// Returns null when out of memory, or for options that are not valid (`error`, may be null).
struct wf_session *wf_session_open(const struct wf_session_options *options,
                                   struct wf_error *error);
void wf_session_close(struct wf_session *s);

// Feeds bytes; they must stay valid until wf_session_next has returned false.
void wf_session_feed(struct wf_session *s, const uint8_t *bytes, size_t len);
// Ends the stream: the next wf_session_next calls return an unfinished frame and an open hole.
void wf_session_end(struct wf_session *s);
// Reports a new connection of the link: drops an unfinished frame, keeps names and ledger.
void wf_session_relink(struct wf_session *s);
// Reports bytes that came over the link but are lost, as in a damaged recording: a hole.
void wf_session_lose(struct wf_session *s, uint64_t bytes);

// The known state without the ledger: target, names, time, sequence. Another session that reads it
// continues from here with the next frame.
//
// write_state returns null when out of memory; the caller frees it. If it would be longer than the
// maximum of a recording (WF_RECORDING_STATE_MAX), all names are left out: state_nameless returns
// true. read_state returns WF_OK, WF_ERR_BAD_STATE (nothing is changed), WF_ERR_NOMEM.
uint8_t *wf_session_write_state(const struct wf_session *s, size_t *len);
bool wf_session_state_nameless(const uint8_t *state, size_t len);
int wf_session_read_state(struct wf_session *s, const uint8_t *bytes, size_t len);

// Shows times and places as those of a longer stream, of which this is a part: times count from the
// tick `zero`, and `before` bytes are added to places in texts and tables. Offsets of items stay.
// After wf_session_read_state, before the first bytes.
void wf_session_show_as_part(struct wf_session *s, uint64_t before, uint64_t zero);
bool wf_session_is_part(const struct wf_session *s);

// Returns whether frames wait for object numbers (docs/packed.md), 64 KiB at most: they are not in
// a state written now, but before it in the stream.
bool wf_session_holds_frames(const struct wf_session *s);

// Checkpoints, for reading a range of frames again: the position of a session, as a state without
// names (about 250 bytes). Another session with the same options continues from there.
//
// save_checkpoint returns null when out of memory, or where no session can continue: within a frame
// or a hole, between a loss and its next record, in slots and text. The caller frees it. *offset is
// set to the position of the next byte in the stream. After restore_checkpoint (WF_OK,
// WF_ERR_BAD_STATE, WF_ERR_NOMEM) the next byte fed must be the one at `offset`. keep_names copies
// all names of `from`, and keeps all names from then on, also after a reset or delete, as a name
// may arrive after its first use (WF_OK, WF_ERR_NOMEM).
uint8_t *wf_session_save_checkpoint(const struct wf_session *s, size_t *len, uint64_t *offset);
int wf_session_restore_checkpoint(struct wf_session *s, const uint8_t *bytes, size_t len,
                                  uint64_t offset);
int wf_session_keep_names(struct wf_session *s, const struct wf_session *from);

// Returns the next item, valid until the next call. Returns false when it needs more bytes, or
// after wf_session_end at the end.
bool wf_session_next(struct wf_session *s, struct wf_item *item);

struct wf_session_handlers {
    void *ctx;
    // Each may be null; returning false stops the run with WF_ERR_STOPPED.
    bool (*record)(void *ctx, const struct wf_item *item);
    bool (*damage)(void *ctx, const struct wf_item *item);
    bool (*loss)(void *ctx, const struct wf_item *item);
};
int wf_session_run(struct wf_session *s, const uint8_t *bytes, size_t len,
                   const struct wf_session_handlers *on);
int wf_session_run_end(struct wf_session *s, const struct wf_session_handlers *on);

const struct wf_target *wf_session_target(const struct wf_session *s);
// The tick that displayed times count from: the first time of the trace, which is that of the first
// SYNC or stamp. In slots it is the lowest so far, since cores may be out of order; after
// wf_session_read_state it is the last time before the next frame. 0 with target_clock, while no
// time is known, and without a rate: then times are the target's own ticks.
uint64_t wf_time_zero(const struct wf_session *s, bool target_clock);
const struct wf_ledger *wf_session_ledger(const struct wf_session *s);
// Returns true for a slot trace: cores have streams of their own.
bool wf_session_has_slots(const struct wf_session *s);
// Returns whether the records are made from another tracer's recording.
bool wf_session_is_imported(const struct wf_session *s);
// Returns true once a time is known.
bool wf_session_has_time(const struct wf_session *s);
// WF_ERR_NOMEM after an allocation failed: names may then be missing. Else WF_OK.
int wf_session_error(const struct wf_session *s);

// Number of known names, by dictionary.
struct wf_name_counts {
    size_t objects, functions, users, signals, enums, irqs;
};
struct wf_name_counts wf_session_count_names(const struct wf_session *s);
// Returns the name of an application record (100..255), zero-terminated; null when not known.
const char *wf_session_user_name(const struct wf_session *s, unsigned id);

// A name of the dictionaries.
struct wf_name {
    enum wf_effect dict; // WF_EFFECT_NAME_OBJECT and so on
    uint64_t key, with;  // with: the object of a signal, the group of an enumeration's value
    const char *text; // zero-terminated; valid until the next wf_session_next or wf_session_learn
    size_t len;
};
// Gets the next name. Starts with *at = 0. Returns false when there are no more names.
bool wf_session_next_name(const struct wf_session *s, size_t *at, struct wf_name *name);
// Writes object numbers of packed frames (docs/wire-format.md) as the payload of a record 99 of at
// most `max` bytes: those from *at on, which starts as 0. Returns its length, 0 if there are no
// more numbers.
size_t wf_session_next_numbers(const struct wf_session *s, unsigned *at, uint8_t *payload,
                               size_t max);
// Finds the key of a name, the lowest if there are several. Signals: only those with the object
// `with` or with none; enumerations: only those of the group `with`. Returns false if there is no
// such name.
bool wf_session_find_key(const struct wf_session *s, enum wf_effect dict, const char *text,
                         uint64_t with, uint64_t *key);
// Returns the name of a key, zero-terminated; null when not known. with: as above; object 0 of a
// signal matches any.
const char *wf_session_name(struct wf_session *s, enum wf_effect dict, uint64_t key, uint64_t with);
// Applies a record of names, object numbers, sizes, version or rate received outside the stream.
// Sequence, clock and ledger are unaffected. Other records are ignored.
void wf_session_learn(struct wf_session *s, uint8_t id, const void *payload, size_t len);

// When good records do not have the length that the sizes give: finds the sizes that fit most of
// them.
//   letters  set to e.g. "O8F8", at most 2 letters for each size; cap at least 24
//   fits     set to the number of malformed records that would be right with them
//   returns  false if no better sizes are known
bool wf_session_guess_sizes(const struct wf_session *s, char *letters, size_t cap, uint64_t *fits);
// Returns whether at least three quarters of the records have the length that the sizes give.
// Otherwise the sizes are wrong, or it is no trace.
bool wf_session_sizes_fit(const struct wf_session *s);

// One element of an application record (schema: WF_ELEMENTS).
struct wf_element {
    uint8_t code, width;  // of the format byte
    uint64_t value, obj;  // integers, bits of a float, signal; obj: a signal's object
    const uint8_t *bytes; // STR, MEM
    size_t len;
    bool cut;        // the record ends inside it; missing bytes are 0
    int missing;     // missing bytes of its (first) field; STR, MEM: bytes present
    int obj_missing; // SIG: missing bytes of its second field
};
// Gets the next element. Starts with *at = 0. Returns false at the end of the record and after an
// element that is cut short.
bool wf_session_next_element(const struct wf_session *s, const struct wf_record *r, size_t *at,
                             struct wf_element *e);

#ifdef __cplusplus
}
#endif
#endif
