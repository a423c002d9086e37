// SPDX-License-Identifier: MIT
// Inside of the slot reader: input with look-ahead, header, clocks, chains, account and search for
// the alignment. wf_slots.c combines them.
#ifndef WFI_HOST_SLOTS_H
#define WFI_HOST_SLOTS_H

#include <string.h>

#include "wallfly_host/wf_slots.h"
#include "util/wfi_count.h"

enum {
    WFI_SLOT = 16,
    WFI_BIG_HERE = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__, // the reader's byte order
    WFI_CHAINS = 4096,        // open at once; one more drops the oldest
    WFI_NOTES = 32,           // faults of a header
    WFI_HEADER_MAX = 1 << 16, // bytes of text
    WFI_SYSPAGE_MAX = 1 << 20,
    WFI_NEAR = 1 << 26,       // ticks: stamps further apart are checked again
    WFI_TIME_AHEAD = 1 << 16, // bytes in which the first TIME of a core is searched
};

// The bytes fed, and the rest of the earlier ones. Reading is at `at`; when more bytes are needed
// in one piece than are left there, they are copied to memory of its own.
struct wfi_input {
    const uint8_t *at, *end;
    const uint8_t *fed, *fed_end; // not yet reached
    uint8_t *carry;
    size_t room;
    uint64_t offset; // of `end` in the stream
    bool ending, failed;
};

struct wfi_numbers {
    bool any;
    uint32_t last;
};

struct wfi_core {
    bool ready;   // simple events take the short path
    bool timed;   // high and low are known
    bool own;     // from a TIME of this core
    bool foreign; // from a TIME of another core, and no event since
    bool early;   // from a TIME further ahead
    bool blind;   // no TIME was found ahead
    bool any;     // has had an event, of tick `last`
    uint32_t low, high;
    uint64_t base; // high and offset: added to a 32-bit stamp
    uint64_t last;
    bool heading;  // reading the slots that begin a chunk, which may report a loss before it
    uint64_t mark; // tick of the last slot that is no event and not heading
    int64_t offset, first_offset; // the first one holds for the events before it, if it is known
    bool shifted;                 // an OFFSET has come
    bool late_offset;             // the first came after events that it would have changed

    bool lossy;   // `loss` is to be returned
    bool counted; // MADE has given the count, so it is exact
    bool open;    // events may be missing that no MADE has counted yet
    struct wfi_numbers chunks;
    uint64_t account; // events made less those returned, at the last MADE
    uint64_t refused;
    struct wf_slots_loss loss;
};

struct wfi_chain {
    uint32_t head, time;
    uint64_t offset, tick;
    bool timed, used, too_long;
    uint32_t words, room, slots;
    uint8_t *bytes;
    uint32_t next;         // of its list, + 1
    uint32_t older, newer; // by their first slots, + 1
};

struct wfi_note {
    uint64_t offset, len;
    char why[120];
};

struct wf_slots {
    struct wfi_input in;
    bool swap;
    bool cores_known; // the header has the number of cores
    bool together;    // a TIME of one core applies to all
    bool own_classes; // RECORD and OWN are wallfly's: the trace is, or it is not known
    bool wallfly;     // written by wallfly's recorder
    unsigned cores;   // from the header, else all
    uint32_t mask[32] /* by class: a simple event has head & mask == want */, want[32];
    struct wf_slots_ledger ledger;
    struct wfi_core core[WF_SLOT_CORES];
    struct wf_slots_options options;

    enum { WFI_HEADER, WFI_SYSPAGE, WFI_ANNOUNCE, WFI_FIRST, WFI_SLOTS, WFI_REFUSED } state;
    uint32_t words[2]; // of the event returned
    uint8_t bytes[8];  // the same as stored
    uint32_t *long_words;
    uint64_t weighed;   // the alignment was checked up to this offset
    uint64_t hunt_from; // hunting: from here on the bytes belong to no slot
    bool hunting;
    bool time_known; // the last TIME of any core
    uint32_t time_high, time_low;
    struct wfi_numbers chunks; // of all cores, where they are numbered together
    int rows_agree; // > 0: the numbers of each core are consecutive; < 0: those of all cores
                    // together are
    struct {        // the chunk that is being read, and the counts before it
        bool known;
        unsigned core;
        uint64_t events, of_core;
    } chunk;
    uint64_t guessed; // events counted as lost because chunks are missing
    unsigned flushed; // at the end: cores whose loss was returned
    bool doubt;       // impossible counts
    bool refused;     // the slots cannot be read
    unsigned open_cores;

    struct wfi_chain *chains;
    uint32_t chains_room, chains_open, chain_free /* + 1 */, chain_recent;
    uint32_t lists[256]; // of open chains, by hash, + 1
    uint32_t chain_oldest, chain_newest;
    size_t chain_words; // of all that are open

    char *text; // of the header, cut into keys and values
    struct {
        const char *key, *value;
    } * attributes;
    size_t attributes_count;
    uint8_t *syspage;
    size_t syspage_len, syspage_want;
    uint64_t hz;
    bool order_known;
    struct wfi_note notes[WFI_NOTES];
    unsigned notes_count, notes_at;
};

static inline uint32_t wfi_load(const uint8_t *p, bool swap) {
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return swap ? __builtin_bswap32(v) : v;
}

static inline unsigned wfi_class_of(uint32_t head) {
    return head >> WF_SLOT_CLASS_SHIFT & WF_SLOT_CLASS;
}
static inline unsigned wfi_core_of(uint32_t head) {
    return head >> WF_SLOT_CORE_SHIFT & WF_SLOT_CORE;
}

static inline void wfi_event_head(struct wf_slot_event *e, uint32_t head) {
    e->head = head;
    e->cls = (uint8_t)wfi_class_of(head);
    e->core = (uint8_t)wfi_core_of(head);
    e->event = (uint16_t)(head & WF_SLOT_EVENT);
}

static inline bool wfi_is_record(const struct wf_slots *s, uint32_t head) {
    return wfi_class_of(head) == WF_SLOT_CLASS_RECORD && s->own_classes;
}
static inline bool wfi_is_control(const struct wf_slots *s, unsigned cls) {
    return cls == WF_SLOT_CLASS_CONTROL || (cls == WF_SLOT_CLASS_OWN && s->own_classes);
}

static inline bool wfi_near(uint32_t a, uint32_t b) { return a - b < WFI_NEAR || b - a < WFI_NEAR; }

// The tick of what was read of a core last: a loss or damage comes after it.
static inline uint64_t wfi_place(const struct wfi_core *c) {
    return c->mark > c->last ? c->mark : c->last;
}

static inline size_t wfi_left(const struct wfi_input *in) { return (size_t)(in->end - in->at); }
static inline uint64_t wfi_at(const struct wfi_input *in) { return in->offset - wfi_left(in); }

// wf_slots_input.c: returns whether len bytes are there, in one piece. If not, no more will come
// before the next feed.
bool wfi_input_need(struct wfi_input *in, size_t len);

// wf_slots_header.c
// Reads the text, or what replaces it. Returns false when it needs more bytes.
bool wfi_header_read(struct wf_slots *s);
bool wfi_syspage_read(struct wf_slots *s);
void wfi_header_free(struct wf_slots *s);

// wf_slots_clock.c
// Returns whether the core's time is known, or can never be known; false when it needs more bytes.
bool wfi_clock_ready(struct wf_slots *s, unsigned core);
uint64_t wfi_clock_tick(struct wfi_core *c, uint32_t low);
void wfi_clock_time(struct wf_slots *s, unsigned core, uint32_t high, uint32_t low);
void wfi_clock_offset(struct wfi_core *c, int64_t offset);

// wf_slots_account.c
void wfi_account_buffer(struct wf_slots *s, unsigned core, uint32_t number);
void wfi_account_own(struct wf_slots *s, unsigned core, unsigned event, uint64_t value);
// The counts of this core, or of all (core: WF_SLOT_CORES), may be wrong.
void wfi_account_doubt(struct wf_slots *s, unsigned core);
bool wfi_account_loss(struct wf_slots *s, unsigned core, struct wf_slots_item *item);

// wf_slots_chains.c
// AGAIN: returns damage first; the slot is not taken yet.
enum wfi_chain_step { WFI_CHAIN_TAKEN, WFI_CHAIN_EVENT, WFI_CHAIN_DAMAGE, WFI_CHAIN_AGAIN };
// Takes a slot of a longer event.
enum wfi_chain_step wfi_chain_slot(struct wf_slots *s, uint32_t head, const uint8_t *slot,
                                   struct wf_slots_item *item);
// Drops the oldest open chain, of a core or (WF_SLOT_CORES) of any. Returns false if none is open.
bool wfi_chain_give_up(struct wf_slots *s, unsigned core, struct wf_slots_item *item);
void wfi_chains_free(struct wf_slots *s);
// The bytes that wfi_chains_save writes: the open chains, the oldest first.
size_t wfi_chains_size(const struct wf_slots *s);
void wfi_chains_save(const struct wf_slots *s, uint8_t *to);
// Replaces the open chains. Sets in.failed when out of memory.
void wfi_chains_restore(struct wf_slots *s, const uint8_t *from, size_t len);

// wf_slots_align.c
enum wfi_align { WFI_ALIGN_STAY, WFI_ALIGN_MOVED, WFI_ALIGN_LOST, WFI_ALIGN_MORE };
// Checks the slots from here on. MOVED: slots continue at the input's new position. LOST: there are
// none here.
enum wfi_align wfi_align_look(struct wf_slots *s);
void wfi_align_guess_order(struct wf_slots *s);
bool wfi_align_known(const struct wf_slots *s, unsigned cls);
// Returns whether a head is invalid.
bool wfi_align_broken(const struct wf_slots *s, uint32_t head);

// wf_slots_saved.c: the state between two events, without the open chains. The header has the
// number of cores.
struct wfi_saved_core {
    uint64_t last, mark, refused, events, account;
    int64_t offset;
    uint32_t high, low, chunk;
    bool timed : 1, own : 1, foreign : 1, early : 1, blind : 1, any : 1, numbered : 1, shifted : 1,
        heading : 1;
};
struct wfi_saved {
    uint64_t offset, weighed, guessed;
    struct wfi_numbers chunks;
    int rows_agree;
    uint32_t time_high, time_low;
    bool time_known, wallfly, together;
};
bool wfi_slots_quiet(const struct wf_slots *s); // whether the saved state is complete
void wfi_slots_save(const struct wf_slots *s, struct wfi_saved *all, struct wfi_saved_core *cores);
// header: the reader that has read the attributes.
void wfi_slots_restore(struct wf_slots *s, const struct wf_slots *header,
                       const struct wfi_saved *all, const struct wfi_saved_core *cores);

// wf_slots.c
void wfi_slots_plan(struct wf_slots *s); // when own_classes is known
bool wfi_slots_damage(struct wf_slots *s, struct wf_slots_item *item,
                      enum wf_slots_damage_kind kind, uint64_t offset, uint64_t len, unsigned core,
                      const char *why);

#endif
