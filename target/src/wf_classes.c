// SPDX-License-Identifier: MIT
// Classes of events: switches, filters and handlers before the slot recorder.
//
// A context that records only reads this state and never waits. Switches are bits. A filter or a
// handler is a key and two values. A change first clears the key, then writes the values, then
// writes the key with a new count. A reader that finds another key after reading the values ignores
// the rule. Every change holds the critical section.

#include "wfi_core.h"
#include "wfi_slots.h"

#include "wallfly/wf_classes.h"

#if WF_CFG_SLOTS

struct wfi_classes wfi_classes;

// Maps a class of this interface to a class of the slots, and its events to events there.
struct class_row {
    uint8_t internal, rule;
    uint16_t base, count; // of events
};

static const struct class_row class_rows[] = {
#define WFI_X(external, name, internal, rule, base, count, word)                                   \
    {WF_SLOT_CLASS_##internal, WF_SAT_##rule, base,                                                \
     WF_SAT_##rule == WF_SAT_STEP ? (count) / 64 : (count)},
    WF_SAT_CLASSES(WFI_X)
#undef WFI_X
};

#define WFI_CLASS_BIT(name) (UINT32_C(1) << WF_SAT_##name)
enum {
    WFI_OF_THREADS = WFI_CLASS_BIT(KERCALLENTER) | WFI_CLASS_BIT(KERCALLEXIT) |
                     WFI_CLASS_BIT(KERCALLINT) | WFI_CLASS_BIT(THREAD) | WFI_CLASS_BIT(VTHREAD) |
                     WFI_CLASS_BIT(SYSTEM) | WFI_CLASS_BIT(COMM),
    WFI_OF_STATE = WFI_CLASS_BIT(PROCESS) | WFI_CLASS_BIT(THREAD),
    WFI_CLASS_WORDS_MAX = 2 * (WFI_CHUNK - WFI_OPENING - 1)
};

// ---- switches ----

// Returns whether a class given by the caller includes class `one`.
static bool class_is(int cls, unsigned one) {
    const struct class_row *row = &class_rows[one];
    if (row->rule == WF_SAT_ALL) return false;
    if (cls == WF_CLASSES_ALL || cls == (int)one) return true;
    return class_rows[cls].rule == WF_SAT_ALL && class_rows[cls].internal == row->internal;
}

static int class_check(int cls, int32_t event) {
    if (cls == WF_CLASSES_ALL) return event == WF_CLASSES_ALL ? WF_CLASSES_OK : WF_CLASSES_NO_CLASS;
    if (cls < 0 || cls >= WF_SAT_CLASS_END) return WF_CLASSES_NO_CLASS;
    if (event == WF_CLASSES_ALL) return WF_CLASSES_OK;
    if (event < 0) return WF_CLASSES_NO_EVENT;
    unsigned one = 0;
    while (!class_is(cls, one)) ++one;
    const struct class_row *row = &class_rows[one];
    bool fixed = row->rule == WF_SAT_FIXED;
    if (!fixed && event >= row->count) return WF_CLASSES_NO_EVENT;
    bool shares = fixed || row->count > WF_CFG_CLASS_EVENTS;
    return shares && event >= WF_CFG_CLASS_EVENTS - 1 ? WF_CLASSES_SHARED : WF_CLASSES_OK;
}

static void class_store(uint32_t *to, uint32_t v) { WFI_CLASS_SET(to, v, RELAXED); }

static int class_set(uint32_t (*bits)[WFI_CLASS_WORDS], int cls, int32_t event, bool on) {
    int err = class_check(cls, event);
    if (err) return err;
    uint32_t held = wf_port_lock();
    for (unsigned one = 0; one < WF_SAT_CLASS_END; ++one) {
        if (!class_is(cls, one)) continue;
        for (unsigned i = 0; i < WFI_CLASS_WORDS; ++i) {
            uint32_t mask = UINT32_MAX;
            if (event != WF_CLASSES_ALL) mask = (uint32_t)(i == (uint32_t)event / 32) << event % 32;
            class_store(&bits[one][i], on ? bits[one][i] | mask : bits[one][i] & ~mask);
        }
    }
    wf_port_unlock(held);
    return WF_CLASSES_OK;
}

int wf_classes_switch(int cls, int32_t event, bool on) {
    return class_set(wfi_classes.on, cls, event, on);
}

int wf_classes_set_form(int cls, int32_t event, enum wf_classes_form form) {
    return class_set(wfi_classes.wide, cls, event, form == WF_CLASSES_WIDE);
}

// ---- filters and handlers ----

// A key: event in bits 0..10 (WFI_EVERY: of the class), class 11..15, kind 16..17 (0: not in use),
// count 18..31.
enum { WFI_EVERY = 0x7FF, WFI_KIND_SHIFT = 16, WFI_KIND_HANDLER = 3 };
#define WFI_KEY       UINT32_C(0x3FFFF)
#define WFI_KEY_COUNT UINT32_C(0x40000)

static uint32_t class_key(unsigned kind, unsigned cls, uint32_t event) {
    return (uint32_t)kind << WFI_KIND_SHIFT | (uint32_t)cls << 11 | event;
}

struct class_rules {
    struct wfi_class_rule *rule;
    unsigned bound;
    uint32_t *classes; // classes that have rules
};

static const struct class_rules filters = {wfi_classes.filters, WF_CFG_CLASS_FILTERS,
                                           &wfi_classes.filtered};
static const struct class_rules handlers = {wfi_classes.handlers, WF_CFG_CLASS_HANDLERS,
                                            &wfi_classes.handled};

// Returns the rule of this key, or a free one, or null.
static struct wfi_class_rule *class_find(const struct class_rules *all, uint32_t key) {
    struct wfi_class_rule *vacant = NULL;
    for (unsigned i = 0; i < all->bound; ++i) {
        struct wfi_class_rule *rule = &all->rule[i];
        if ((rule->key & WFI_KEY) == key) return rule;
        if (!(rule->key & WFI_KEY) && !vacant) vacant = rule;
    }
    return vacant;
}

static void class_note(const struct class_rules *all) {
    uint32_t classes = 0;
    for (unsigned i = 0; i < all->bound; ++i) {
        uint32_t key = all->rule[i].key;
        if (key & WFI_KEY) classes |= UINT32_C(1) << (key >> 11 & 31);
    }
    WFI_CLASS_SET(all->classes, classes, RELEASE);
}

static bool class_has_room(const struct class_rules *all, unsigned kind, int cls, uint32_t event) {
    unsigned wanted = 0, vacant = 0;
    for (unsigned i = 0; i < all->bound; ++i) vacant += !(all->rule[i].key & WFI_KEY);
    for (unsigned one = 0; one < WF_SAT_CLASS_END; ++one) {
        if (!class_is(cls, one)) continue;
        uint32_t key = class_key(kind, one, event);
        const struct wfi_class_rule *rule = class_find(all, key);
        wanted += !rule || (rule->key & WFI_KEY) != key;
    }
    return wanted <= vacant;
}

// value null: removes the rule.
static int class_rule(const struct class_rules *all, unsigned kind, int cls, int32_t event,
                      const uintptr_t value[2]) {
    int err = cls == WF_CLASSES_ALL ? WF_CLASSES_NO_CLASS : class_check(cls, event);
    if (err) return err;
    uint32_t number = event == WF_CLASSES_ALL ? (uint32_t)WFI_EVERY : (uint32_t)event;
    uint32_t held = wf_port_lock();
    if (value && !class_has_room(all, kind, cls, number)) err = WF_CLASSES_NO_ROOM;
    for (unsigned one = 0; !err && one < WF_SAT_CLASS_END; ++one) {
        if (!class_is(cls, one)) continue;
        uint32_t key = class_key(kind, one, number);
        struct wfi_class_rule *rule = class_find(all, key);
        if (!rule || (!value && (rule->key & WFI_KEY) != key)) continue;
        uint32_t count = (rule->key & ~WFI_KEY) + WFI_KEY_COUNT;
        class_store(&rule->key, count); // kind 0
        if (!value) continue;
        // Release: a reader that gets these values finds that the key is gone.
        WFI_CLASS_SET(&rule->value[0], value[0], RELEASE);
        WFI_CLASS_SET(&rule->value[1], value[1], RELEASE);
        WFI_CLASS_SET(&rule->key, count | key, RELEASE);
    }
    class_note(all);
    wf_port_unlock(held);
    return err;
}

static int class_filter(int cls, int32_t event, enum wf_classes_kind kind,
                        const uintptr_t value[2]) {
    if (cls >= 0 && cls < WF_SAT_CLASS_END && cls != WF_SAT_KERCALL &&
        !((uint32_t)WFI_OF_THREADS >> cls & 1)) {
        return WF_CLASSES_NO_THREAD;
    }
    return class_rule(&filters, kind, cls, event, value);
}

int wf_classes_filter(int cls, int32_t event, enum wf_classes_kind kind, uint32_t pid,
                      uint32_t tid) {
    const uintptr_t value[2] = {(uintptr_t)pid, (uintptr_t)tid};
    if (!wfi_classes.hooks.thread) return WF_CLASSES_NO_THREAD;
    return class_filter(cls, event, kind, value);
}

int wf_classes_unfilter(int cls, int32_t event, enum wf_classes_kind kind) {
    return class_filter(cls, event, kind, NULL);
}

int wf_classes_set_handler(int cls, int32_t event, int (*handler)(struct wf_classes_event *),
                           void *area) {
    const uintptr_t value[2] = {(uintptr_t)handler, (uintptr_t)area};
    return class_rule(&handlers, WFI_KIND_HANDLER, cls, event, handler ? value : NULL);
}

// ---- path of an event ----

// Data of an event while it is checked.
struct class_case {
    unsigned cls;
    uint32_t bit; // its switch, and its number in keys
    uint32_t what;
    uint32_t feature, pid, tid;
};

static int class_case_of(struct class_case *e, unsigned cls, uint32_t event) {
    if (cls >= WF_SAT_CLASS_END || cls <= WF_SAT_CONTROL) return WF_CLASSES_NO_CLASS;
    const struct class_row *row = &class_rows[cls];
    uint32_t variant = row->rule != WF_SAT_FIXED && row->count <= WF_SAT_64 ? event & WF_SAT_64 : 0;
    uint32_t number = event - variant;
    switch (row->rule) {
    case WF_SAT_ALL: return WF_CLASSES_NO_CLASS;
    case WF_SAT_FIXED: e->what = row->base; break;
    case WF_SAT_STEP: e->what = row->base * (number + 1); break;
    default: e->what = row->base + number;
    }
    if (row->rule != WF_SAT_FIXED && number >= row->count) return WF_CLASSES_NO_EVENT;
    e->what |= variant | (uint32_t)row->internal << WF_SLOT_CLASS_SHIFT;
    e->cls = cls;
    e->bit = wfi_class_bit(number);
    e->feature = e->pid = e->tid = 0;
    return WF_CLASSES_OK;
}

// Reads the two values. Returns false when the rule is for something else or is being changed.
static bool class_read(const struct wfi_class_rule *rule, uint32_t key, uintptr_t value[2]) {
    uint32_t was = WFI_CLASS_GET(&rule->key, ACQUIRE);
    if ((was & WFI_KEY) != key) return false;
    // Acquire: the key is read again after them (class_rule is the other side).
    value[0] = WFI_CLASS_GET(&rule->value[0], ACQUIRE);
    value[1] = WFI_CLASS_GET(&rule->value[1], ACQUIRE);
    return WFI_CLASS_GET(&rule->key, RELAXED) == was;
}

static bool class_agrees(const struct class_case *e, unsigned kind, uint32_t number) {
    const uint32_t key = class_key(kind, e->cls, number);
    uintptr_t value[2];
    for (unsigned i = 0; i < WF_CFG_CLASS_FILTERS; ++i) {
        if (!class_read(&wfi_classes.filters[i], key, value)) continue;
        return e->feature && (uintptr_t)e->pid == value[0] &&
               (kind == WF_CLASSES_PID || (uintptr_t)e->tid == value[1]);
    }
    return true;
}

// Checks switches and static filters. Fills in pid and tid if a filter or a handler needs them.
static bool class_passes(struct class_case *e, uint32_t event) {
    if (!wf_classes_wants(e->cls, event)) return false;
    uint32_t filtered = WFI_CLASS_GET(&wfi_classes.filtered, ACQUIRE) >> e->cls & 1;
    uint32_t handled = WFI_CLASS_GET(&wfi_classes.handled, ACQUIRE) >> e->cls & 1;
    if (!filtered && !handled) return true;
    if ((uint32_t)WFI_OF_THREADS >> e->cls & 1 && wfi_classes.hooks.thread &&
        wfi_classes.hooks.thread(&e->pid, &e->tid)) {
        e->feature = WF_CLASSES_HAS_PID | WF_CLASSES_HAS_TID;
    }
    return !filtered ||
           (class_agrees(e, WF_CLASSES_PID, WFI_EVERY) &&
            class_agrees(e, WF_CLASSES_TID, WFI_EVERY) && class_agrees(e, WF_CLASSES_PID, e->bit) &&
            class_agrees(e, WF_CLASSES_TID, e->bit));
}

static bool class_ask(const struct class_case *e, uint32_t number, struct wf_classes_event *shown) {
    const uint32_t key = class_key(WFI_KIND_HANDLER, e->cls, number);
    uintptr_t value[2];
    for (unsigned i = 0; i < WF_CFG_CLASS_HANDLERS; ++i) {
        if (!class_read(&wfi_classes.handlers[i], key, value)) continue;
        shown->area = (void *)value[1];
        return ((int (*)(struct wf_classes_event *))value[0])(shown) != 0;
    }
    return true;
}

static bool class_handlers_keep(const struct class_case *e, const uint32_t *words, unsigned count) {
    if (!(WFI_CLASS_GET(&wfi_classes.handled, ACQUIRE) >> e->cls & 1)) return true;
    const uint32_t structure = count > 2 ? WF_SLOT_FIRST : WF_SLOT_SIMPLE;
    struct wf_classes_event shown = {e->what | structure << WF_SLOT_STRUCTURE_SHIFT,
                                     words,
                                     count,
                                     NULL,
                                     e->feature,
                                     e->pid,
                                     e->tid};
    return class_ask(e, WFI_EVERY, &shown) && class_ask(e, e->bit, &shown);
}

// Calls the handlers and stores the event.
static int class_keep(const struct class_case *e, const uint32_t *words, unsigned count) {
    if (!class_handlers_keep(e, words, count)) return WF_CLASSES_OK;
    bool kept;
    uint32_t held = WFI_SLOT_LOCK(0);
    if (count <= 2) {
        uint64_t second = count > 1 ? words[1] : 0;
        kept = wfi_slot_put_one(e->what, (count ? words[0] : 0) | second << 32);
    } else {
        const struct wfi_pieces pieces = {(const uint8_t *)words, NULL, 4 * count, 0};
        kept = wfi_slot_put(e->what, &pieces);
    }
    WFI_SLOT_UNLOCK(0, held);
    return kept ? WF_CLASSES_OK : WF_CLASSES_REFUSED;
}

static bool class_is_wide(const struct class_case *e) {
    return WFI_CLASS_GET(&wfi_classes.wide[e->cls][e->bit / 32], RELAXED) >> e->bit % 32 & 1;
}

int wf_classes_record(unsigned cls, uint32_t event, const uint32_t *words, unsigned count,
                      uint32_t fast) {
    static const uint32_t none;
    struct class_case e;
    uint32_t few[7];
    int err = class_case_of(&e, cls, event);
    if (err) return err;
    if (count > WFI_CLASS_WORDS_MAX) return WF_CLASSES_TOO_LONG;
    if (!class_passes(&e, e.bit)) return WF_CLASSES_OK;
    if (!count) words = &none;
    if (!fast || class_is_wide(&e)) return class_keep(&e, words, count);
    unsigned some = fast & 7;
    for (unsigned i = 0; i < some; ++i) {
        unsigned from = fast >> (4 + 4 * i) & 15;
        few[i] = from < count ? words[from] : 0;
    }
    return class_keep(&e, few, some);
}

int wf_classes_record_text(unsigned cls, uint32_t event, const uint32_t *words, unsigned count,
                           const char *text) {
    uint32_t all[WF_CLASSES_TEXT_WORDS + WF_CLASSES_TEXT / 4];
    volatile uint32_t *to = all; // volatile: no call of memcpy
    struct class_case e;
    int err = class_case_of(&e, cls, event);
    if (err) return err;
    if (count > WF_CLASSES_TEXT_WORDS) return WF_CLASSES_TOO_LONG;
    if (!class_passes(&e, e.bit)) return WF_CLASSES_OK;
    for (unsigned i = 0; i < count; ++i) to[i] = words[i];
    volatile uint8_t *bytes = (volatile uint8_t *)(all + count);
    unsigned len = 0;
    for (; len < WF_CLASSES_TEXT - 1 && text[len]; ++len) bytes[len] = (uint8_t)text[len];
    do bytes[len++] = 0; // its zero, and up to the end of its word
    while (len % 4);
    count += len / 4;
    return count <= WFI_CLASS_WORDS_MAX ? class_keep(&e, all, count) : WF_CLASSES_TOO_LONG;
}

// ---- the trace as a whole ----

void wf_classes_init(const struct wf_classes_hooks *hooks) {
    wfi_fill(&wfi_classes, sizeof wfi_classes, 0);
    if (hooks) wfi_classes.hooks = *hooks;
}

// Returns the oldest slot of a core that is in the ring and, as far as the recorder knows, not
// read.
static uint64_t class_oldest(struct wf_slot_core *c, uint64_t next) {
    uint64_t slots = wfi_slots.box->slots;
    if (wfi_slots.box->keep_oldest) return wfi_slot_widen(wfi_get32(&c->tail), next);
    return next > slots ? (next - slots + WFI_CHUNK - 1) / WFI_CHUNK * WFI_CHUNK : 0;
}

static void class_set_mode(void) {
    struct wf_slot_box *box = wfi_slots.box;
    bool oldest = wfi_classes.keep == 2;
    if (!wfi_classes.keep || oldest == (box->keep_oldest != 0)) return;
    for (unsigned i = 0; oldest && i < box->cores; ++i) { // tail was not updated in this mode
        struct wf_slots_status status;
        struct wf_slot_core *c = wfi_slot_core_of(i);
        wf_slots_get_status(i, &status);
        wfi_free32(&c->tail, (uint32_t)class_oldest(c, status.slots) * 16);
    }
    box->keep_oldest = oldest;
}

int wf_classes_start(bool state) {
    if (!wfi_slots.box) return WF_CLASSES_OFF;
    if (!WFI_CLASS_GET(&wfi_classes.running, RELAXED)) {
        class_set_mode();
        if (state) class_store(&wfi_classes.running, WFI_OF_STATE);
    }
    if (state && wfi_classes.hooks.state) wfi_classes.hooks.state();
    class_store(&wfi_classes.running, UINT32_MAX);
    return WF_CLASSES_OK;
}

void wf_classes_stop(void) { class_store(&wfi_classes.running, 0); }

void wf_classes_keep_oldest(bool keep) { wfi_classes.keep = keep ? 2 : 1; }

uint32_t wf_classes_held(void) {
    uint64_t held = 0;
    for (unsigned i = 0; wfi_slots.box && i < wfi_slots.box->cores; ++i) {
        struct wf_slots_status status;
        wf_slots_get_status(i, &status);
        held += status.slots - class_oldest(wfi_slot_core_of(i), status.slots);
    }
    return held < UINT32_MAX ? (uint32_t)held : UINT32_MAX;
}
#endif
