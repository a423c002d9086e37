// SPDX-License-Identifier: MIT
// Header and table of entries. The byte order is that of the magic number, the size of words is in
// the options.

#include <string.h>

#include "wfi_tracerecorder.h"

enum {
    FIRST_VERSION = 0x000A, // TraceRecorder 4.6
    OTHER_ORDER = 0x000C,   // up to this one the frequency comes before the period
    LAST_VERSION = 0x000E,
    OPTION_WORDS = 1 << 3,
    TIME = 32, // offset of the part with the time
    ENTRIES_MAX = 1 << 20
};

static bool is_big(const uint8_t *p) { return p[0] == 0x50; }

bool wfi_tr_is_head(const uint8_t *p) {
    static const uint8_t little[] = {0x00, 0x46, 0x53, 0x50}, big[] = {0x50, 0x53, 0x46, 0x00};
    if (memcmp(p, little, 4) != 0 && memcmp(p, big, 4) != 0) return false;
    const struct wfi_tr order = {.big = is_big(p)};
    unsigned version = wfi_tr_get16(&order, p + 4);
    return version && version < 0x100 && wfi_tr_platform_name(wfi_tr_get16(&order, p + 6));
}

size_t wfi_tr_head_size(const uint8_t *p) {
    const struct wfi_tr order = {.big = is_big(p)};
    return wfi_tr_get32(&order, p + 8) & OPTION_WORDS ? WFI_TR_HEAD_8 : WFI_TR_HEAD_4;
}

static bool check_version(struct wfi_import *im) {
    struct wfi_tr *t = im->state;
    if (t->version < FIRST_VERSION)
        wfi_import_fail(im, im->offset + 4,
                        "format version 0x%04X is of TraceRecorder before 4.6, only 0x000A to "
                        "0x000E can be read: build the target with 4.6 to 4.11",
                        t->version);
    else if (t->version > LAST_VERSION)
        wfi_import_fail(im, im->offset + 4,
                        "format version 0x%04X is newer than this program: it reads 0x000A to "
                        "0x000E (TraceRecorder 4.6 to 4.11)",
                        t->version);
    return im->error.code == WF_OK;
}

static void read_time(struct wfi_import *im, const uint8_t *p) {
    struct wfi_tr *t = im->state;
    struct wfi_tr_clock *c = &t->clock;
    bool old = t->version <= OTHER_ORDER;
    c->type = wfi_tr_get32(t, p);
    c->hz = wfi_tr_get(t, p + (old ? 4 : 8));
    c->period = wfi_tr_get32(t, p + (old ? 4 + t->word : 4));
    p += 8 + t->word;
    c->tick_hz = wfi_tr_get32(t, p + 4);
    c->shared = t->cores > 1;
    uint32_t wraps = wfi_tr_get32(t, p), latest = wfi_tr_get32(t, p + 8);
    wfi_tr_clock_begin(c, wraps, latest, wfi_tr_get32(t, p + 12));
    if (!t->ring) return;
    // It is the time of the image, not of the oldest event.
    t->area_time = c->wraps * c->turn + c->latest;
    wfi_tr_clock_begin(c, 0, 0, 0);
}

// The table has as many rows as there are entries (stream) or slots (ring).
static bool read_table(struct wfi_import *im, const uint8_t *p) {
    struct wfi_tr *t = im->state;
    t->entries = wfi_tr_get(t, p);
    t->symbol = wfi_tr_get(t, p + t->word);
    t->states = wfi_tr_get(t, p + 2 * (size_t)t->word);
    uint64_t at = im->offset + TIME + 24 + t->word;
    if (t->entries > ENTRIES_MAX)
        wfi_import_fail(im, at, "a table of %llu entries", (unsigned long long)t->entries);
    else if (t->symbol > WFI_TR_SYMBOL)
        wfi_import_fail(im, at + t->word, "names of %llu bytes", (unsigned long long)t->symbol);
    else if (t->states > WFI_TR_STATES)
        wfi_import_fail(im, at + 2 * t->word, "%llu states", (unsigned long long)t->states);
    t->entries_of_head = (unsigned)t->entries;
    return im->error.code == WF_OK;
}

static void set_codes(struct wfi_tr *t) {
    unsigned count;
    t->rows = wfi_tr_codes(t->platform, t->version, &count);
    memset(t->row, 0, sizeof t->row);
    memset(t->words, 0, sizeof t->words);
    for (unsigned i = 0; i < count; ++i) {
        const struct wfi_tr_code *row = &t->rows[i];
        t->row[row->code] = (uint8_t)(i + 1);
        t->words[row->code] = (uint16_t)((2u << row->max) - (1u << row->min));
    }
    t->all_known = t->platform == WFI_TR_FREERTOS || t->platform == WFI_TR_BARE;
    t->reasons = t->platform == WFI_TR_FREERTOS;
}

bool wfi_tr_repeats_head(const struct wfi_tr *t, const uint8_t *p) {
    const uint8_t *table = p + TIME + 24 + t->word;
    return is_big(p) == t->big && wfi_tr_get16(t, p + 4) == t->version &&
           wfi_tr_get16(t, p + 6) == t->platform &&
           (wfi_tr_get32(t, p + 8) & OPTION_WORDS ? 8 : 4) == t->word &&
           (wfi_tr_get32(t, p + 12) & 0xFF) == t->cores && wfi_tr_get(t, table) <= ENTRIES_MAX &&
           wfi_tr_get(t, table + t->word) == t->symbol &&
           wfi_tr_get(t, table + 2 * (size_t)t->word) == t->states;
}

bool wfi_tr_read_head(struct wfi_import *im, const uint8_t *p) {
    struct wfi_tr *t = im->state;
    bool anew = t->again = t->headed;
    t->big = is_big(p);
    t->version = wfi_tr_get16(t, p + 4);
    t->platform = wfi_tr_get16(t, p + 6);
    t->word = wfi_tr_get32(t, p + 8) & OPTION_WORDS ? 8 : 4;
    t->cores = wfi_tr_get32(t, p + 12) & 0xFF;
    if (!check_version(im)) return false;
    if (!wfi_tr_platform_name(t->platform))
        wfi_import_fail(im, im->offset + 6, "platform 0x%04X is not known", t->platform);
    else if (t->cores < 1 || t->cores > WFI_TR_CORES)
        wfi_import_fail(im, im->offset + 12, "%u cores", t->cores);
    if (im->error.code != WF_OK) return false;
    t->count_bits = t->cores > 1 ? 12 : 16;
    set_codes(t);
    read_time(im, p + TIME);
    if (!read_table(im, p + TIME + 24 + t->word)) return false;
    wfi_import_target(im, t->clock.hz, t->word, t->cores);
    // What happened while nothing was recorded is not known.
    if (anew) wfi_import_loss(im, 0, false, "the recorder was started again");
    t->headed = t->first = t->table = true;
    return true;
}

// ---- entries

size_t wfi_tr_entry_size(const struct wfi_tr *t) {
    return (size_t)(t->word * (1 + t->states) + 4 + t->symbol);
}

void wfi_tr_read_entry(struct wfi_import *im, const uint8_t *p) {
    struct wfi_tr *t = im->state;
    uint64_t key = wfi_tr_get(t, p);
    const uint8_t *states = p + t->word, *options = states + (size_t)t->states * t->word;
    uint32_t is = wfi_tr_get32(t, options);
    int64_t state[3] = {0};
    if (!key) return; // a free slot
    for (unsigned i = 0; i < 3 && i < t->states; ++i)
        state[i] = wfi_tr_signed(t, wfi_tr_get(t, states + (size_t)i * t->word));
    struct wfi_tr_handle *h = wfi_tr_handle(im, key);
    wfi_tr_store_name(im, h, options + 4, (size_t)t->symbol);
    h->tabled = true;
    if (is >> WFI_TR_IS_HEAP_SHIFT && !t->heap) {
        t->heap = key;
        t->heap_size = state[2] > 0 && state[2] <= UINT32_MAX ? (uint32_t)state[2] : 0;
    }
    if (is & WFI_TR_IS_COUNTER) {
        h->has_limits = true;
        h->low = state[1];
        h->high = state[2];
    }
    h->is_state |= (is & WFI_TR_IS_STATE) != 0;
    // The entry may be a task's; its state is the priority then.
    if (!is && !h->has_priority && state[0] >= 0 && state[0] <= INT16_MAX) {
        h->from_table = true;
        h->priority = (uint32_t)state[0];
    }
}
