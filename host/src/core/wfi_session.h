// SPDX-License-Identifier: MIT
// Internals of a session, shared by the files of the host library.
#ifndef WFI_SESSION_H
#define WFI_SESSION_H

#include "wallfly_host/wf_program.h"
#include "wallfly_host/wf_sat.h"
#include "wallfly_host/wf_session.h"
#include "util/wfi_count.h"
#include "util/wfi_cursor.h"
#include "wfi_frames.h"
#include "wfi_names.h"
#include "wfi_packed.h"

enum { WFI_VARIABLE = 0xFFFF, WFI_ROWS_MAX = 192, WFI_HISTORY = 32, WFI_EVIDENCE = 64 };

// A row laid out for the field sizes.
struct wfi_plan {
    const struct wf_row *row;
    uint16_t len;  // of the payload, or WFI_VARIABLE
    uint8_t count; // of fields
    int8_t owner;  // field with the object of a SIGNAL, -1: none
    bool stamped;  // field 0 is the stamp
    bool open;     // the last field is application elements
    struct {
        uint64_t mask;
        uint16_t at;
        uint8_t bytes;
    } field[WF_FIELDS_MAX];
};

// Damage and losses since the last good record.
struct wfi_hole {
    bool open;
    uint64_t offset, bytes, lost;
    uint64_t bad_sum_end; // end of the last range with a bad checksum
    uint32_t damage[WF_DAMAGE_END];
};

// The 8-bit sequence, the last 32 numbers of it, and the exact count of the last SYNC.
struct wfi_sequence {
    bool started;
    uint8_t last;
    uint32_t missing;              // bit n: number last - n was not received
    uint32_t history[WFI_HISTORY]; // of received ones: id, checksum, length, by number mod 32
    uint32_t received;             // number of valid history entries
    bool base_known;
    uint64_t base_count, base_lost; // of the last SYNC
    uint32_t base_refused;
    uint64_t since, since_missing; // records returned and reported missing since then
    bool number_known;             // without a base: of a packed frame
    uint32_t number;               // of a record, minus `since` and `since_missing` then
};

struct wfi_clock {
    uint64_t mask;     // of the stamp's bits
    uint64_t most;     // the longest step forward: a stamp further on has gone back
    bool known, fresh; // fresh: set by a SYNC, so no stamp can lie before it
    uint64_t last;
    uint64_t shift;      // added to the target's time, modulo 2^64 (wf_record.tick)
    bool anew, relinked; // the target restarted; it may have, on a new connection
    bool begun;          // `first` is known
    uint64_t first;      // the first time of the trace (wf_time_zero)
};

// The program that supplies names missing in the dictionaries (wf_program_use.c).
struct wfi_use {
    struct wf_program *program; // null: none
    bool on;                    // names are taken from it
    bool given, placed;         // `loaded_at` was given; is known
    uint64_t loaded_at;
    enum wf_program_fit fit;
    struct wfi_dict asked[2]; // look-up results by enum wf_program_what; empty: not found
};

struct wf_session {
    struct wf_session_options options;
    bool qspy, ending;
    bool names_kept; // no name is removed (wf_session_keep_names)
    struct wf_target target;
    struct wf_ledger ledger;
    int err; // the first
    struct wfi_names names;
    struct wfi_use use;
    struct wfi_frames frames;
    struct wfi_plan plans[WFI_ROWS_MAX + 1]; // by row; the last: application records
    struct {
        const struct wfi_plan *only; // the one plan of this number, or null
        uint8_t first, count;        // rows of this number otherwise
        uint8_t selected;            // row first + i has the selector i, if i is below
    } pick[256];
    unsigned user_first;
    const uint8_t *src, *end;
    struct wfi_hole hole;
    struct wfi_sequence sequence;
    struct wfi_clock clock;
    struct wfi_packed packed;
    bool part;           // wf_session_show_as_part,
    uint64_t before;     // bytes before the first one, in places that are shown
    uint8_t qspy_last;   // QSPY's L
    bool starting;       // no task has run since the target's start
    bool kernel;         // tasks or a kernel's objects are created in this trace
    unsigned start_irqs; // ... interrupts that are active
    struct wf_record held;
    bool holding, held_changed, held_discarded;
    char *scratch; // a name with its brackets replaced
    size_t scratch_cap;
    struct {
        const struct wfi_plan *plan;
        size_t len;
        uint64_t count;
    } evidence[WFI_EVIDENCE];
    unsigned evidence_count;
    uint64_t malformed_by_id[256];
    struct wfi_lines *lines; // null: frames (wf_text_trace.c)
    bool imported;           // another tracer's recording (core/wfi_import.h)
    struct {                 // wf_slot_record.c
        bool on, own;        // items come from slots; from wallfly's own
        uint8_t skip;        // of the sequence, after a loss
        enum wf_sat_release release;
        uint8_t payload[8 + 4 * WF_SLOT_WORDS_MAX + WFI_PAD]; // after its stamp
    } slots;
};

// Returns true if task 0 stands for the program before its scheduler runs, not for an interrupt. A
// program that never creates a task or a kernel object has no scheduler.
static inline bool wfi_is_startup(const struct wf_session *s) {
    return s->starting && s->kernel && !s->start_irqs;
}
// Returns true if wfi_apply has an effect: on names and target (first in the list), or during
// start-up.
static inline bool wfi_applies(const struct wf_session *s, const struct wf_record *r) {
    return r->row && (r->row->effect <= WF_EFFECT_NAME_ENUM || s->starting);
}

// Returns whether a complete TARGET_INFO reports a reset.
static inline bool wfi_is_reset(const struct wf_record *r) {
    return r->row->fields[0].kind == WF_KIND_RESET ? r->value[0] != 0 : (r->value[0] & 0x40) != 0;
}

// Lays all rows out for the version and field sizes.
void wfi_plan_all(struct wf_session *s);
// The payload length of a row with other sizes, or WFI_VARIABLE.
uint16_t wfi_plan_len(const struct wf_row *row, const uint8_t bytes[WF_TYPE_END]);
// Reads the fields of r->payload; sets row, value, text, left, missing.
void wfi_decode(struct wf_session *s, struct wf_record *r);
// Returns the plan of a decoded record; null for an unknown number.
const struct wfi_plan *wfi_plan_of(const struct wf_session *s, const struct wf_record *r);

// Counts a record whose length does not fit the sizes.
void wfi_note_evidence(struct wf_session *s, const struct wf_record *r);

// Accounts a record. Returns true if *loss must be returned before the record; *drop is set for a
// repeated one.
bool wfi_account(struct wf_session *s, struct wf_record *r, struct wf_loss *loss, bool *drop);
// The same for a packed frame: `count` records from `number` on.
bool wfi_account_packed(struct wf_session *s, const struct wfi_frame *f, uint32_t number,
                        unsigned count, struct wf_loss *loss, bool *drop);
bool wfi_close_hole(struct wf_session *s, struct wf_loss *loss);

// `lost` bytes were lost after the link; 0: there is a new link. cut: the unfinished frame before,
// its raw_len is 0 if there is none.
void wfi_note_link(struct wf_session *s, const struct wfi_frame *cut, uint64_t lost);

// Applies a record to names, target and clock.
void wfi_apply(struct wf_session *s, struct wf_item *item);
void wfi_clear_names(struct wf_session *s);
// Updates the program in use: after a build id; at a restart of the target; after a name; after
// many names; between items. forget drops the look-up results, close frees them.
void wfi_use_check(struct wf_session *s);
void wfi_use_restart(struct wf_session *s);
void wfi_use_place(struct wf_session *s, enum wf_program_what what, uint64_t key, const char *text,
                   size_t len);
void wfi_use_look(struct wf_session *s);
void wfi_use_tidy(struct wf_session *s);
void wfi_use_forget(struct wf_session *s);
void wfi_use_close(struct wf_session *s);
// Returns null when not found.
const struct wfi_name *wfi_use_name(struct wf_session *s, enum wf_program_what what, uint64_t key);
bool wfi_use_find(const struct wf_session *s, enum wf_program_what what, const char *name,
                  uint64_t *key);
// A size of 0 (none), 1, 2, 4 or 8 bytes.
bool wfi_size_known(unsigned bytes);
// Unknown pointers print with the target's sizes (set), unless QSPY keeps those it was started with
// (follow).
void wfi_set_key_sizes(struct wf_session *s);
void wfi_follow_key_sizes(struct wf_session *s);
// Applies the five bytes of sizes, as in TARGET_INFO and SYNC, received outside the stream.
void wfi_apply_sizes(struct wf_session *s, const uint8_t sizes[5]);

// Returns the name of an object or function from the dictionary, else from the program; null:
// unknown.
static inline const struct wfi_name *wfi_object_name(struct wf_session *s, uint64_t key) {
    const struct wfi_name *name = wfi_dict_get(&s->names.objects, key);
    return name || !s->use.on ? name : wfi_use_name(s, WF_PROGRAM_OBJECT, key);
}

static inline const struct wfi_name *wfi_irq_name(const struct wf_session *s, uint64_t irq) {
    return s->names.irqs.count ? wfi_dict_get(&s->names.irqs, irq) : NULL;
}

static inline const struct wfi_name *wfi_function_name(struct wf_session *s, uint64_t key) {
    const struct wfi_name *name = wfi_dict_get(&s->names.functions, key);
    return name || !s->use.on ? name : wfi_use_name(s, WF_PROGRAM_FUNCTION, key);
}

static inline uint64_t wfi_load64(const uint8_t *p) {
    uint64_t v;
    __builtin_memcpy(&v, p, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    return v;
}

// Returns true if there was a time before the loss; in slots on its core.
static inline bool wfi_loss_timed(const struct wf_session *s, const struct wf_loss *l) {
    bool known = s->slots.on || (s->clock.known && l->kind != WF_LOSS_RESTART);
    return known && l->tick_before != 0;
}

static inline void wfi_store64(uint8_t *p, uint64_t v) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    __builtin_memcpy(p, &v, 8);
}

// Fast path for nearly every record, here so that it is inlined into wf_session_next. The functions
// above handle all other cases.

// Reads the fields of a payload that has the fixed length of its row.
static inline void wfi_decode_fixed(const struct wfi_plan *plan, struct wf_record *r) {
    uint64_t *value = r->value;
    for (unsigned i = 0; i < plan->count; ++i)
        value[i] = wfi_load64(r->payload + plan->field[i].at) & plan->field[i].mask;
    if (plan->stamped) r->stamp = value[0];
}

// For the only row of a number, or that of its selector, the byte after the stamp; if the payload
// has the row's fixed length.
static inline bool wfi_decode_usual(const struct wf_session *s, struct wf_record *r) {
    const struct wfi_plan *plan = s->pick[r->id].only;
    if (!plan && s->pick[r->id].selected && r->len > s->target.bytes[WF_TYPE_TIME]) {
        unsigned select = r->payload[s->target.bytes[WF_TYPE_TIME]];
        if (select < s->pick[r->id].selected) plan = &s->plans[s->pick[r->id].first + select];
    }
    if (!plan || r->len != plan->len) return false;
    r->row = plan->row;
    r->left = 0;
    r->missing = 0;
    r->back = false;
    r->stamped = plan->stamped;
    wfi_decode_fixed(plan, r);
    return true;
}

static inline uint32_t wfi_signature(const struct wf_record *r) {
    return (uint32_t)r->id | (uint32_t)r->payload[r->len] << 8 | (uint32_t)r->len << 16;
}

// For the next sequence number without an open hole. A SYNC is never on the fast path.
static inline bool wfi_account_usual(struct wf_session *s, const struct wf_record *r) {
    struct wfi_sequence *q = &s->sequence;
    bool sync = r->row && r->row->effect == WF_EFFECT_SYNC;
    if (!q->started || r->seq != (uint8_t)(q->last + 1) || s->hole.open || sync) return false;
    q->missing <<= 1;
    q->last = r->seq;
    q->history[r->seq % WFI_HISTORY] = wfi_signature(r);
    if (q->received < WFI_HISTORY) ++q->received;
    ++q->since;
    return true;
}

// The target or its clock restarts.
static inline void wfi_clock_restart(struct wf_session *s) {
    s->clock.known = false;
    s->clock.anew = s->options.dialect == WF_DIALECT_WALLFLY;
}

// Converts the target's first time to a tick.
static inline uint64_t wfi_clock_begin(struct wfi_clock *c, uint64_t time) {
    if (c->anew && c->last) c->shift = c->last + 1 - time;
    c->anew = false;
    time += c->shift;
    if (!c->begun) c->first = time;
    c->begun = true;
    return time;
}

// Notes the time of a slot: cores may be out of order.
static inline void wfi_clock_note(struct wfi_clock *c, uint64_t tick) {
    if (!c->begun || tick < c->first) c->first = tick;
    c->begun = true;
}

static inline uint64_t wfi_time_zero(const struct wf_session *s, bool target_clock) {
    return target_clock || !s->target.hz ? 0 : s->clock.first;
}

// Sets the number of the stamp's bytes. A stamp less than 1/16 of the range before the last one has
// gone back: a wrap would mean a silence of 15/16 of the range. Stamps of 1 and 2 bytes wrap too
// fast for this.
static inline void wfi_clock_size(struct wfi_clock *c, unsigned bytes) {
    c->mask = bytes >= 8 ? UINT64_MAX : (UINT64_C(1) << 8 * bytes) - 1;
    c->most = bytes > 2 ? c->mask - (c->mask >> 4) : UINT64_MAX;
}

// Extends a stamp, counting wraps.
static inline void wfi_clock_stamp(struct wf_session *s, struct wf_record *r) {
    struct wfi_clock *c = &s->clock;
    uint64_t delta = (r->stamp + c->shift - c->last) & c->mask;
    if (!c->known) {
        c->known = true;
        c->last = wfi_clock_begin(c, r->stamp);
    } else if (delta > c->most && !c->fresh) {
        uint64_t by = (0 - delta) & c->mask;
        r->tick = c->last > by ? c->last - by : 0;
        r->back = true;
        ++s->ledger.back;
        return;
    } else {
        c->last += delta;
    }
    c->fresh = false;
    r->tick = c->last;
}

#endif
