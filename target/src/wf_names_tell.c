// SPDX-License-Identifier: MIT
// Sends the names of the table again, one record each, when a reader takes data: at most a few in
// one step, each in a critical section of its own that is as long as that of the record.
//
// The send position cycles through the table. In the background it advances at intervals, so that
// each name is sent once per period. When all names are wanted (a new reader, or a loss that may
// have taken names), it goes round once as fast as the ring has room: while at most half of the
// ring is in use, so that a name overwrites no record. A ring that never has room is overrun all
// the time; there one name is sent for every few records.

#include "wfi_names.h"
#include "wfi_slots.h"

#include "wallfly/wf_slot_records.h"

enum {
    WFI_STEP_MAX = 4,       // names sent in one step
    WFI_RECORDS_A_NAME = 8, // without room: at least so many records for each name
    WFI_BACKLOG = 64        // overdue background names that a late reader gets at once
};

#define WFI_NAMES_LOCK(what) ((what)&WFI_HELD ? 0 : wf_port_lock())
#define WFI_NAMES_UNLOCK(what, was)                                                                \
    if (!((what)&WFI_HELD)) wf_port_unlock(was)

// The state of a ring, read within the critical section.
struct view {
    uint64_t time;
    uint32_t lost, made; // on this core, so far, modulo 2^32
    unsigned core;
    bool roomy;
    bool empty; // all records made on this core are read
};

// Index of the per-core arrays. A constant where there is one core: that takes no code.
static unsigned ring_of(const struct view *v) { return WFI_NAME_CORES == 1 ? 0 : v->core; }

#if WF_CFG_SLOTS

static uint32_t rate(void) { return wfi_slots.box->hz; }

#if WF_CFG_TIME_SIZE == 8
uint64_t wfi_names_now(void) { return wf_port_now(); }
#else
// The upper word is the one that this core's events have recorded, plus a wrap since.
uint64_t wfi_names_now(void) {
    struct wf_slot_core *c = wfi_slot_core_of(wf_port_core());
    wf_stamp now = wf_port_now();
    return (uint64_t)(wfi_get32(&c->high) + (wfi_slot_usual(c, now) ? 0 : 1)) << 32 | now;
}
#endif

static struct view look(struct wf_slots_reader *r, unsigned core) {
    struct wf_slot_core *own = wfi_slot_core_of(wf_port_core()), *c = wfi_slot_core_of(core);
    const uint32_t next = (uint32_t)wfi_slot_next(c), slots = wfi_slots.box->slots;
    struct view v; // no initializer: the compiler would call memset for it
    v.time = wfi_names_now();
    v.lost = (uint32_t)(r->gone + wfi_get64(&c->refused));
    v.made = next / 16;
    // With keep_oldest, a name is refused if the ring of this core is full.
    uint32_t used = (next / 16 - (uint32_t)r->at) & UINT32_MAX >> 4;
    uint32_t kept = ((uint32_t)wfi_slot_next(own) - wfi_get32(&own->tail)) / 16;
    v.core = core & (WFI_NAME_CORES - 1);
    v.empty = !used;
    v.roomy = (wfi_slots.box->keep_oldest ? kept : used) <= slots / 2;
    return v;
}

static void emit(unsigned id, const uint8_t *body, unsigned len) {
    wfi_slot_long(wfi_slot_record(id, WFI_SLOT_HELD, len), body, len, NULL, 0);
}

static void emit_info(void) {}

static uint32_t made_so_far(void) {
    return (uint32_t)wfi_slot_next(wfi_slot_core_of(wf_port_core())) / 16;
}

// Returns whether a name may be recorded without room: not if it would be refused.
static bool may_push(void) { return !wfi_slots.box->keep_oldest; }

// Continues at the newest chunk.
static void make_way(unsigned what, struct wf_slots_reader *r, unsigned core) {
    struct wf_slots_status status;
    (void)what;
    wf_slots_get_status(core, &status);
    uint64_t newest = status.slots ? (status.slots - 1) / WF_CFG_CHUNK * WF_CFG_CHUNK : 0;
    if (newest <= r->at) return;
    r->gone += newest - r->at;
    r->at = newest;
    r->last = 0;
}

#else

static uint32_t rate(void) { return wfi.config->hz; }

uint64_t wfi_names_now(void) { return (uint64_t)wfi.count_high << 32 | wfi.count_low; }

static uint64_t time_now(void) {
    wf_stamp now = WFI_NOW(0);
#if WF_CFG_TIME_SIZE < 8
    uint64_t wraps = wfi.wraps + (now < wfi.last);
    return wraps << 8 * WF_CFG_TIME_SIZE | now;
#else
    return now;
#endif
}

static struct view look(struct wf_slots_reader *r, unsigned core) {
    (void)r;
    (void)core;
    const uint32_t size = (uint32_t)(wfi.ring_end - wfi.ring);
    struct view v;
    v.time = time_now();
    v.made = wfi.count_low;
    uint32_t used = (uint32_t)(wfi.next < wfi.tail ? size - (uint32_t)(wfi.tail - wfi.next)
                                                   : (uint32_t)(wfi.next - wfi.tail));
    v.lost = (uint32_t)wfi.lost + wfi.refused;
    v.empty = !used;
    v.roomy = used <= size / 2;
    return v;
}

static void emit(unsigned id, const uint8_t *body, unsigned len) {
    wfi_put(id | WFI_HELD, body, len, NULL, 0);
}

static uint32_t made_so_far(void) { return wfi.count_low; }

// With a SYNC before it, for the time and the rate.
static void emit_info(void) {
    wfi.sync_due = true;
    wf_target_info(0);
}

static bool may_push(void) { return true; }

// Drops the waiting frames, one by one.
static void make_way(unsigned what, struct wf_slots_reader *r, unsigned core) {
    (void)r;
    (void)core;
    for (size_t n = (size_t)(wfi.ring_end - wfi.ring); n; --n) {
        uint32_t was = WFI_LOCK(what);
        bool more = wfi.sent != wfi.next && !wfi.part;
        if (more) wfi_evict(0);
        WFI_UNLOCK(what, was);
        if (!more) return;
    }
}

#endif

// ---- within the critical section

static void want_all(const struct view *v) {
    wfi_names.fast = wfi_names.box->used;
    wfi_names.began = v->time;
    wfi_names.pending = false;
    wfi_names.made = v->made;
}

// Ticks in which the whole table is sent at WF_NAMES_RATE bytes per second, at least a second.
static uint64_t usual_ticks(void) {
    const uint32_t used = wfi_names.box->used;
    return (uint64_t)rate() * (used > WF_NAMES_RATE ? used : WF_NAMES_RATE) / WF_NAMES_RATE;
}

// Detects losses. A loss may have taken names that were not read yet: then all are sent again, but
// at most twice in a background round, because an overrun ring loses much of what is sent.
static void see_loss(const struct view *v) {
    if (v->lost != wfi_names.lost[ring_of(v)]) {
        wfi_names.pressed[ring_of(v)] = may_push();
        wfi_names.pending |= wfi_names.unread;
    }
    wfi_names.lost[ring_of(v)] = v->lost;
    if (v->empty && !wfi_names.burst) wfi_names.pressed[ring_of(v)] = false;
    // With several cores the names may be in the ring of another core.
    if (WFI_NAME_CORES == 1 && v->empty && v->made != wfi_names.put_made) wfi_names.unread = false;
    if (wfi_names.pending && !wfi_names.fast &&
        (!wfi_names.began || v->time - wfi_names.began >= usual_ticks() / 2))
        want_all(v);
}

// Ticks in which the background sends each name once.
static uint64_t round_ticks(void) {
    return wfi_names.period_s ? (uint64_t)rate() * wfi_names.period_s : usual_ticks();
}

// Ticks between names in the background, without 64-bit division or shifts by a variable.
static void find_gap(const struct view *v) {
    uint64_t all = round_ticks();
    unsigned shift = 0;
    for (; all > UINT32_MAX; all >>= 1) ++shift;
    uint64_t gap = (uint32_t)all / wfi_names.names;
    for (; shift; --shift) gap <<= 1;
    wfi_names.gap = gap > UINT32_MAX ? UINT32_MAX : gap ? (uint32_t)gap : 1;
    if ((int64_t)(wfi_names.due - v->time) > (int64_t)wfi_names.gap)
        wfi_names.due = v->time + wfi_names.gap;
}

enum due { WFI_DUE_LATER, WFI_DUE_NOW, WFI_DUE_IF_ROOM };

static enum due find_due(const struct view *v) {
    if (!wfi_names.names) return WFI_DUE_LATER;
    if (!wfi_names.gap) find_gap(v);
    const uint32_t made = v->made - wfi_names.made;
    if (wfi_names.fast) {
        const bool pressed = wfi_names.pressed[ring_of(v)];
        if (pressed ? wfi_names.burst != 0 : v->roomy) return WFI_DUE_NOW;
        bool way = pressed && made >= WFI_RECORDS_A_NAME * WFI_STEP_MAX;
        return way ? WFI_DUE_IF_ROOM : WFI_DUE_LATER;
    }
    if (wfi_names.period_s == WF_NAMES_NEVER || !rate()) return WFI_DUE_LATER;
    if ((int64_t)(v->time - wfi_names.due) < 0) return WFI_DUE_LATER;
    return v->roomy || (may_push() && made >= WFI_RECORDS_A_NAME) ? WFI_DUE_NOW : WFI_DUE_LATER;
}

// Returns the next entry to send, or null if there is none in the next few; skips gaps.
static uint8_t *take_entry(void) {
    for (unsigned i = 0; i < WFI_NAME_SLICE; ++i) {
        if (wfi_names.at >= wfi_names.box->used) {
            wfi_names.at = 0;
            wfi_names.info |= !wfi_names.fast; // a reader that started late needs the sizes, too
        }
        uint8_t *entry = wfi_name_at(wfi_names.at);
        uint32_t len = wfi_name_len(entry);
        wfi_names.at += len;
        wfi_names.fast = wfi_names.fast > len ? wfi_names.fast - len : 0;
        if (entry[WFI_NAME_ID]) return entry;
    }
    return NULL;
}

static void tell_next(const struct view *v, struct wf_slots_reader *reader, unsigned core) {
    const bool fast = wfi_names.fast != 0;
    const uint8_t *entry = take_entry();
    if (!entry) return;
    emit(entry[WFI_NAME_ID], entry + WFI_NAME_HEAD, entry[0] - (unsigned)WFI_NAME_ID);
    ++wfi_names.told;
    if (wfi_names.burst) --wfi_names.burst;
    wfi_names.unread = true;
    wfi_names.made = wfi_names.put_made = v->made;
    // Records that this name overwrote do not cause names to be sent again.
    wfi_names.lost[ring_of(v)] += look(reader, core).lost - v->lost;
    if (fast) return;
    wfi_names.due += wfi_names.gap;
    if ((int64_t)(v->time - wfi_names.due) > WFI_BACKLOG * (int64_t)wfi_names.gap)
        wfi_names.due = v->time;
}

static enum due step(unsigned what, struct wf_slots_reader *reader, unsigned core) {
    uint32_t was = WFI_NAMES_LOCK(what);
    struct view v = look(reader, core);
    see_loss(&v);
    enum due due = find_due(&v);
    if (due == WFI_DUE_NOW) tell_next(&v, reader, core);
    if (due == WFI_DUE_IF_ROOM) wfi_names.made = v.made;
    WFI_NAMES_UNLOCK(what, was);
    return due;
}

// Records dropped to make way for names do not cause names to be sent again.
static void after_way(unsigned what, struct wf_slots_reader *reader, unsigned core) {
    uint32_t was = WFI_NAMES_LOCK(what);
    struct view v = look(reader, core);
    wfi_names.lost[ring_of(&v)] = v.lost;
    wfi_names.burst = WFI_STEP_MAX - 1;
    WFI_NAMES_UNLOCK(what, was);
}

void wfi_names_step(unsigned what, struct wf_slots_reader *reader, unsigned core) {
    enum due due = WFI_DUE_NOW;
    if (wfi_names.info && !(what & WFI_HELD)) {
        wfi_names.info = false;
        emit_info();
    }
    for (unsigned i = 0; i < WFI_STEP_MAX && due; ++i) {
        due = step(what, reader, core);
        if (due != WFI_DUE_IF_ROOM) continue;
        make_way(what, reader, core);
        after_way(what, reader, core);
    }
}

// ---- called by other files

// Context: any.
void wfi_names_announced(void) {
    uint32_t was = wf_port_lock();
    wfi_names.unread = true;
    wfi_names.put_made = made_so_far();
    wf_port_unlock(was);
}

// Context: any.
void wfi_names_tell(bool info) {
    uint32_t was = wf_port_lock();
    wfi_names.info |= info;
    wfi_names.fast = wfi_names.box->used;
    wfi_names.pending = false;
    wf_port_unlock(was);
}

void wfi_names_tell_start(unsigned period_s) {
    wfi_names.period_s = period_s;
    wfi_names.due = UINT64_C(1) << 62; // later than any time until there is a name
}
