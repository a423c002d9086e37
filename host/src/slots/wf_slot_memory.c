// SPDX-License-Identifier: MIT
// Reads rings of slots as their recorder writes them (docs/slots.md): a slot is present if it has
// the tag of its position and its stamp does not go back. Cores take turns, one chunk at a time.

#include "wallfly_host/wf_slot_memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/wfi_options.h"
#include "wf_schema.h"

enum {
    ORDER = 0x01020304,
    SLOT = sizeof(struct wf_slot),
    CORES = 64,
    RING_CHUNKS = 2048, // most chunks of a ring: with more, an old slot could pass for a new one
    LEAST = 2,          // slots of a chunk; chunks of a ring
    HEADER_MAX = 512,
    TURN = 6 // slots of room for a core's turn: one, GONE, MADE and REFUSED
};

// Numbers of a core at one time.
struct numbers {
    uint64_t slots, made, refused;
};

struct ring {
    uint64_t at;             // position of the next slot to read
    uint64_t gone, reported; // slots lost; those of them reported in the stream
    uint32_t last;           // stamp of the slot before
    bool done;
};

struct wf_slot_memory {
    const uint8_t *base;
    struct wf_slot_box box; // a copy, in the reader's byte order
    struct wf_slot_memory_info info;
    struct wf_slot_memory_options options;
    bool swap, ended, announced, skipping;
    unsigned turn;
    struct ring rings[CORES];
};

static uint32_t order32(const struct wf_slot_memory *m, uint32_t v) {
    return m->swap ? __builtin_bswap32(v) : v;
}
static uint64_t order64(const struct wf_slot_memory *m, uint64_t v) {
    return m->swap ? __builtin_bswap64(v) : v;
}

// ---- finding the recorder's memory

static bool is_power(uint32_t v) { return v && !(v & (v - 1)); }

// Returns the fault of the box, or null.
static const char *fault_of_box(const struct wf_slot_box *b, uint64_t room) {
    uint64_t ring = sizeof(struct wf_slot_core) + (uint64_t)b->slots * SLOT;
    if (b->started != 1) return "the recorder was not started yet";
    if (!b->cores || b->cores > CORES) return "its number of cores cannot be";
    if (!is_power(b->chunk) || b->chunk < LEAST || !is_power(b->slots) ||
        b->slots < (uint64_t)LEAST * b->chunk || b->slots > (uint64_t)RING_CHUNKS * b->chunk) {
        return "its numbers of slots cannot be";
    }
    if (b->core_at < sizeof *b || b->core_at % 16 || b->core_step % 16 || b->core_step < ring) {
        return "its rings cannot lie at these offsets";
    }
    if (b->core_at + (uint64_t)(b->cores - 1) * b->core_step + ring > room) {
        return "not all of its rings are in the image; the image must contain the memory after it";
    }
    return NULL;
}

static bool read_box(struct wf_slot_memory *m, const uint8_t *p, size_t room, const char **why) {
    struct wf_slot_box *b = &m->box;
    if (room < sizeof *b) return false;
    memcpy(b, p, sizeof *b);
    m->swap = b->order == __builtin_bswap32(ORDER);
    if (!m->swap && b->order != ORDER) return false; // only the text of the magic
    b->cores = order32(m, b->cores);
    b->core_at = order32(m, b->core_at);
    b->core_step = order32(m, b->core_step);
    b->slots = order32(m, b->slots);
    b->chunk = order32(m, b->chunk);
    b->keep_oldest = order32(m, b->keep_oldest);
    b->hz = order32(m, b->hz);
    b->build_id = order32(m, b->build_id);
    *why = fault_of_box(b, room);
    m->base = p;
    return true;
}

static int find_box(struct wf_slot_memory *m, const uint8_t *bytes, size_t len,
                    struct wf_error *error) {
    const char *worst = NULL;
    size_t worst_at = 0;
    for (size_t at = 0; at + sizeof(struct wf_slot_box) <= len; at += 4) {
        const char *why;
        if (memcmp(bytes + at, WF_SLOT_MAGIC, sizeof m->box.magic) != 0) continue;
        if (!read_box(m, bytes + at, len - at, &why)) continue;
        if (!why) {
            m->info.offset = at;
            return WF_OK;
        }
        if (!worst) {
            worst = why;
            worst_at = at;
        }
    }
    if (worst)
        return wf_error_set(error, WF_ERR_BAD_BOX,
                            "the memory of the slot recorder at offset %zu: %s", worst_at, worst);
    return wf_error_set(error, WF_ERR_BAD_BOX,
                        "no memory of the slot recorder in %zu bytes: what was given to "
                        "wf_slots_start must be in the image",
                        len);
}

static int check_live(const struct wf_slot_memory *m, struct wf_error *error) {
    if (!m->swap && (uintptr_t)m->base % 16 == 0) return WF_OK;
    return wf_error_set(
        error, WF_ERR_BAD_BOX, "%s",
        m->swap ? "memory of another byte order cannot be read while it is written"
                : "memory that is being written must lie at an address that 16 divides");
}

struct wf_slot_memory *wf_slot_memory_open(const void *bytes, size_t len,
                                           const struct wf_slot_memory_options *options,
                                           struct wf_error *error) {
    struct wf_slot_memory *m = calloc(1, sizeof *m);
    int err = m ? wfi_options_copy(&m->options, sizeof m->options, options) : WF_ERR_NOMEM;
    wf_error_code(error, err);
    if (err == WF_OK) err = find_box(m, bytes, len, error);
    if (err == WF_OK && m->options.live) err = check_live(m, error);
    if (err != WF_OK) {
        free(m);
        return NULL;
    }
    m->ended = !m->options.live;
    m->info.cores = m->box.cores;
    m->info.slots = m->box.slots;
    m->info.chunk = m->box.chunk;
    m->info.keeps_oldest = m->box.keep_oldest != 0;
    m->info.big_endian = (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) != m->swap;
    m->info.hz = m->box.hz;
    m->info.build_id = m->box.build_id;
    return m;
}

void wf_slot_memory_close(struct wf_slot_memory *m) { free(m); }
void wf_slot_memory_end(struct wf_slot_memory *m) { m->ended = true; }
void wf_slot_memory_skip(struct wf_slot_memory *m) { m->skipping = true; }

const struct wf_slot_memory_info *wf_slot_memory_get_info(const struct wf_slot_memory *m) {
    return &m->info;
}

bool wf_slot_memory_done(const struct wf_slot_memory *m) {
    for (unsigned i = 0; i < m->box.cores; ++i) {
        if (!m->rings[i].done) return false;
    }
    return m->announced;
}

// ---- numbers and slots of a core

static const uint8_t *core_of(const struct wf_slot_memory *m, unsigned core) {
    return m->base + m->box.core_at + (size_t)core * m->box.core_step;
}

// A number of a core. Live, the recorder writes it meanwhile; all are at multiples of 8.
static uint64_t get64(const struct wf_slot_memory *m, const uint8_t *p) {
    uint64_t v;
    if (m->options.live)
        return __atomic_load_n((const uint64_t *)(const void *)p, __ATOMIC_ACQUIRE);
    memcpy(&v, p, sizeof v);
    return order64(m, v);
}

// Extends a position to 64 bits, near a known one.
static uint64_t widen(uint32_t at, uint64_t near) {
    return near + (uint64_t)(int64_t)((int32_t)(at - (uint32_t)(near << 4)) / 16);
}

static struct numbers get_numbers(const struct wf_slot_memory *m, unsigned core) {
    const uint8_t *c = core_of(m, core);
    struct numbers n;
    uint64_t at = get64(m, c + offsetof(struct wf_slot_core, at));
    uint64_t made = get64(m, c + offsetof(struct wf_slot_core, made));
    uint64_t both = get64(m, c + offsetof(struct wf_slot_core, next));
    bool high_first = m->info.big_endian; // next is the first word
    uint32_t next = (uint32_t)(high_first ? both >> 32 : both);
    uint32_t extra = (uint32_t)(high_first ? both : both >> 32);
    n.refused = get64(m, c + offsetof(struct wf_slot_core, refused));
    n.slots = widen(next, at);
    if (n.slots >> 63) n.slots = 0; // before the start: impossible
    extra -= (uint32_t)(n.slots >> 28);
    n.made = made + (uint64_t)(int64_t)(int32_t)((uint32_t)n.slots - extra - (uint32_t)made);
    return n;
}

// Loads a slot in one piece.
static void load_live(const uint8_t *p, struct wf_slot *slot) {
#if defined __x86_64__
    // Aligned, this is one access on all CPUs that have AVX.
    typedef long long both __attribute__((vector_size(16)));
    both v;
    __asm__ volatile("movdqa %1, %0" : "=x"(v) : "m"(*(const both *)(const void *)p) : "memory");
    memcpy(slot, &v, sizeof *slot);
#else
    // Reads the head twice: the next slot written there has another tag.
    const uint32_t *w = (const uint32_t *)(const void *)p;
    slot->head = __atomic_load_n(&w[0], __ATOMIC_ACQUIRE);
    slot->time = __atomic_load_n(&w[1], __ATOMIC_RELAXED);
    slot->word[0] = __atomic_load_n(&w[2], __ATOMIC_RELAXED);
    slot->word[1] = __atomic_load_n(&w[3], __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    uint32_t again = __atomic_load_n(&w[0], __ATOMIC_RELAXED);
    if (again != slot->head) slot->head = ~again; // matches no tag of this position
#endif
}

static void load_slot(const struct wf_slot_memory *m, const uint8_t *p, struct wf_slot *slot) {
    if (m->options.live) {
        load_live(p, slot);
        return;
    }
    memcpy(slot, p, sizeof *slot);
    slot->head = order32(m, slot->head);
    slot->time = order32(m, slot->time);
}

// Takes the slot at a position, with its head as in a stream. Returns false if it is not present.
static bool take_slot(const struct wf_slot_memory *m, unsigned core, struct ring *r,
                      struct wf_slot *slot) {
    uint64_t place = r->at & (m->box.slots - 1);
    load_slot(m, core_of(m, core) + sizeof(struct wf_slot_core) + place * SLOT, slot);
    uint32_t tag = (uint32_t)(r->at / m->box.chunk) & WF_SLOT_TAG;
    uint32_t cls = slot->head >> WF_SLOT_CLASS_SHIFT & WF_SLOT_CLASS;
    if (slot->head >> WF_SLOT_TAG_SHIFT != tag) return false;
    // A stamp may go back after TIME, or in the slots before TIME at the end of a chunk.
    if (cls > WF_SLOT_CLASS_CONTROL && slot->time < r->last) return false;
    uint32_t structure = slot->head >> WF_SLOT_KEPT_STRUCTURE_SHIFT & 3;
    slot->head = (slot->head & ((UINT32_C(1) << WF_SLOT_KEPT_STRUCTURE_SHIFT) - 1)) |
                 core << WF_SLOT_CORE_SHIFT | structure << WF_SLOT_STRUCTURE_SHIFT;
    r->last = slot->time;
    return true;
}

// ---- the stream

static uint8_t *put_slot(const struct wf_slot_memory *m, uint8_t *to, struct wf_slot slot) {
    slot.head = order32(m, slot.head);
    slot.time = order32(m, slot.time);
    memcpy(to, &slot, sizeof slot);
    return to + sizeof slot;
}

static uint8_t *put_own(const struct wf_slot_memory *m, uint8_t *to, unsigned event, unsigned core,
                        uint64_t v) {
    struct wf_slot slot = {(uint32_t)WF_SLOT_CLASS_OWN << WF_SLOT_CLASS_SHIFT | event |
                               core << WF_SLOT_CORE_SHIFT,
                           m->rings[core].last,
                           {order32(m, (uint32_t)v), order32(m, (uint32_t)(v >> 32))}};
    return put_slot(m, to, slot);
}

static uint8_t *put_gone(const struct wf_slot_memory *m, uint8_t *to, unsigned core,
                         struct ring *r) {
    if (r->gone == r->reported) return to;
    to = put_own(m, to, WF_SLOT_OWN_GONE, core, r->gone - r->reported);
    r->reported = r->gone;
    return to;
}

// The start of the oldest whole chunk that can still be read.
static uint64_t oldest(const struct wf_slot_memory *m, uint64_t at, uint64_t next) {
    uint64_t slots = m->box.slots, chunk = m->box.chunk;
    if (next - at <= slots) return at;
    return (next - slots + chunk - 1) / chunk * chunk;
}

static void lose_slots(struct ring *r, uint64_t to) {
    r->gone += to - r->at;
    r->at = to;
    r->last = 0;
}

static void publish_position(const struct wf_slot_memory *m, unsigned core, const struct ring *r) {
    if (!m->options.live || !m->options.taking || !m->box.keep_oldest) return;
    uint8_t *tail = (uint8_t *)(uintptr_t)core_of(m, core) + offsetof(struct wf_slot_core, tail);
    __atomic_store_n((uint32_t *)(void *)tail, (uint32_t)r->at * SLOT, __ATOMIC_RELEASE);
}

// Returns whether to wait for a missing slot with `behind` slots after it. If the oldest are kept,
// the writer does not overwrite it.
static bool may_wait(const struct wf_slot_memory *m, uint64_t behind) {
    if (m->ended || m->skipping) return false;
    return m->box.keep_oldest || behind <= m->box.slots - m->box.chunk;
}

// Reads slots of one core up to the end of its chunk. Returns the end of the bytes.
static uint8_t *read_core(struct wf_slot_memory *m, unsigned core, uint8_t *to,
                          const uint8_t *end) {
    struct ring *r = &m->rings[core];
    struct numbers n = get_numbers(m, core);
    uint64_t chunk = m->box.chunk, stop = (r->at / chunk + 1) * chunk;
    while (r->at < n.slots && r->at < stop && end - to >= 2 * SLOT) {
        uint64_t from = oldest(m, r->at, n.slots);
        struct wf_slot slot;
        if (from > r->at) {
            lose_slots(r, from);
            stop = r->at + chunk;
        } else if (take_slot(m, core, r, &slot)) {
            to = put_gone(m, to, core, r);
            to = put_slot(m, to, slot);
            ++r->at;
        } else if (may_wait(m, n.slots - r->at)) {
            break; // its writer is not done yet
        } else {
            lose_slots(r, r->at + 1);
        }
    }
    publish_position(m, core, r);
    if (m->ended && r->at >= n.slots && !r->done && end - to >= 3 * SLOT) {
        to = put_gone(m, to, core, r);
        to = put_own(m, to, WF_SLOT_OWN_MADE, core, n.made);
        to = put_own(m, to, WF_SLOT_OWN_REFUSED, core, n.refused);
        r->done = true;
    }
    return to;
}

static size_t announce(const struct wf_slot_memory *m, char *to) {
#define WF_X(low, low_letter, low_bytes, high, high_letter, high_bytes) low_letter, high_letter,
    static const char letters[] = {WF_SIZES(WF_X)}; // and a zero
#undef WF_X
    char sizes[2 * sizeof letters];
    size_t n = 0;
    for (size_t i = 0; letters[i]; ++i) {
        sizes[n++] = letters[i];
        sizes[n++] = (char)('0' + (m->box.sizes[i / 2] >> (i % 2 ? 4 : 0) & 15) % 10);
    }
    sizes[n] = 0;
    int len = snprintf(
        to, HEADER_MAX,
        "TRACE_HEADER_BEGIN::TRACE_FILE_NAME::-TRACE_DATE::Thu Jan  1 00:00:00 1970"
        "TRACE_VER_MAJOR::1TRACE_VER_MINOR::02TRACE_%s_ENDIAN::TRUETRACE_ENCODING::16 byte events"
        "TRACE_BOOT_DATE::Thu Jan  1 00:00:00 1970TRACE_CYCLES_PER_SEC::%" PRIu32
        "TRACE_CPU_NUM::%" PRIu32 "TRACE_SYSNAME::wallflyTRACE_NODENAME::-TRACE_SYS_RELEASE::1"
        "TRACE_SYS_VERSION::-TRACE_MACHINE::-TRACE_WALLFLY::%sTRACE_BUILD_ID::%" PRIu32
        "TRACE_HEADER_END::",
        m->info.big_endian ? "BIG" : "LITTLE", m->box.hz, m->box.cores, sizes, m->box.build_id);
    return (size_t)len;
}

size_t wf_slot_memory_read(struct wf_slot_memory *m, void *to, size_t room) {
    uint8_t *p = to;
    const uint8_t *end = p + room;
    if (room < WF_SLOT_MEMORY_LEAST) return 0;
    if (!m->announced) {
        p += announce(m, to);
        m->announced = true;
    }
    // Round after round, until no core has slots or there is no room.
    for (unsigned idle = 0; idle < m->box.cores && end - p >= TURN * SLOT;) {
        const uint8_t *was = p;
        uint64_t at = m->rings[m->turn].at;
        p = read_core(m, m->turn, p, end);
        idle = p == was && at == m->rings[m->turn].at ? idle + 1 : 0;
        m->turn = (m->turn + 1) % m->box.cores;
    }
    m->skipping = false;
    return (size_t)(p - (uint8_t *)to);
}

uint8_t *wf_slot_memory_read_all(struct wf_slot_memory *m, size_t *len) {
    // GONE may come before every slot, but then half of them are missing.
    size_t room = ((size_t)m->info.slots * 2 + 8) * m->info.cores * SLOT, got;
    room += 2 * WF_SLOT_MEMORY_LEAST;
    uint8_t *stream = malloc(room);
    *len = 0;
    if (!stream) return NULL;
    while ((got = wf_slot_memory_read(m, stream + *len, room - *len)) > 0) *len += got;
    return stream;
}
