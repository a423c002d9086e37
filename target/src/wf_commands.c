// SPDX-License-Identifier: MIT
// The commands, by their numbers in the schema (wire reference section 9). Each one takes its
// fields, sees that they are all there and can be obeyed, acknowledges, and does it: an error
// always comes before anything has been done.

#include "wfi_rx.h"

#if WF_CFG_RX

enum number {
#define WFI_X(code, name) RX_##name = (code),
    WF_COMMANDS(WFI_X)
#undef WFI_X
};

enum { FILTER_LEN = 16, AO_FILTER_OFF_MAX = 5, AO_FILTER_NONE = 6 };

#define HOOK (wfi_rx.hooks)

static void ack(enum number n) { wfi_emit_rx_status((uint8_t)n); }
static void done(enum number n) { wfi_emit_target_done((uint8_t)n); }

// A bad command: its fields are not all there, or cannot be.
static void refuse(enum number n, const struct wfi_frame *f) {
    wfi_rx_error((uint8_t)(f->cut ? WFI_RX_CUT : n));
}

static void on_info(struct wfi_frame *f) {
    (void)f;
    wf_target_info(0);
}

// Parameters that are left off are 0.
static void on_command(struct wfi_frame *f) {
    uint8_t id = (uint8_t)wfi_rx_take(f, 1);
    if (f->cut || !HOOK->command) {
        refuse(RX_COMMAND, f);
        return;
    }
    uint32_t p1 = wfi_rx_take(f, 4), p2 = wfi_rx_take(f, 4), p3 = wfi_rx_take(f, 4);
    ack(RX_COMMAND);
    HOOK->command(id, p1, p2, p3);
    done(RX_COMMAND);
}

static void on_reset(struct wfi_frame *f) {
    (void)f;
    if (HOOK->reset) HOOK->reset();
}

static void on_tick(struct wfi_frame *f) {
    uint8_t rate = (uint8_t)wfi_rx_take(f, 1);
    if (f->cut || rate >= WF_CFG_MAX_RATES || !HOOK->tick) {
        refuse(RX_TICK, f);
        return;
    }
    ack(RX_TICK);
    HOOK->tick(rate);
    done(RX_TICK);
}

#if WF_CFG_PEEK

#ifdef __BIGGEST_ALIGNMENT__ // 1 on AVR, which has none
enum { ALIGN_MAX = __BIGGEST_ALIGNMENT__ };
#else
enum { ALIGN_MAX = 4 };
#endif

struct access {
    uintptr_t address;
    uint32_t offset, bytes;
    uint8_t size, num;
};

static bool may_reach(const struct access *a, bool write) {
    if (a->bytes > UINTPTR_MAX - a->address) return false;
    if (WF_CFG_PEEK == 2) return true;
    for (unsigned i = 0; i < wfi_rx.config->range_count; ++i) {
        const struct wf_range *r = &wfi_rx.config->ranges[i];
        uintptr_t start = (uintptr_t)r->start;
        if (write && !r->writable) continue;
        if (a->address >= start && a->address - start <= r->size &&
            a->bytes <= r->size - (a->address - start))
            return true;
    }
    return false;
}

// Offset from the current application object, size and number of items. False: it cannot be.
static bool take_access(struct wfi_frame *f, struct access *a, bool write) {
    a->offset = wfi_rx_take(f, 2);
    a->size = (uint8_t)wfi_rx_take(f, 1);
    a->num = (uint8_t)wfi_rx_take(f, 1);
    a->bytes = (uint32_t)a->size * a->num;
    a->address = (uintptr_t)wfi_rx.current[WF_OBJ_APP] + (uintptr_t)a->offset;
    return !f->cut && wfi_rx.current[WF_OBJ_APP] &&
           (a->size == 1 || a->size == 2 || a->size == 4) &&
           a->address % (a->size < ALIGN_MAX ? a->size : ALIGN_MAX) == 0 && (!write || a->num) &&
           may_reach(a, write);
}

// Items are read and written whole: they may be registers.
static uint32_t load(uintptr_t at, unsigned size) {
    if (size == 1) return *(const volatile uint8_t *)at;
    if (size == 2) return *(const volatile uint16_t *)at;
    return *(const volatile uint32_t *)at;
}

static void store(uintptr_t at, unsigned size, uint32_t v) {
    if (size == 1)
        *(volatile uint8_t *)at = (uint8_t)v;
    else if (size == 2)
        *(volatile uint16_t *)at = (uint16_t)v;
    else
        *(volatile uint32_t *)at = v;
}

static void on_peek(struct wfi_frame *f) {
    enum { HEAD = 2 + WF_CFG_TIME_SIZE + 4 + 1 };
    struct access a;
    if (!take_access(f, &a, false) || HEAD + a.bytes > WF_CFG_RECORD_MAX) {
        refuse(RX_PEEK, f);
        return;
    }
    const uint8_t head[] = {(uint8_t)a.offset, (uint8_t)(a.offset >> 8), a.size, a.num};
    uint32_t was = wf_port_lock();
    wfi_begin_frame(WF_ID_peek_data | WFI_TIMED);
    wfi_put_bytes(head, sizeof head);
    for (unsigned i = 0; i < a.num; ++i) {
        uint8_t item[8];
        wfi_put_le(item, load(a.address + (uintptr_t)i * a.size, a.size), a.size);
        wfi_put_bytes(item, a.size);
    }
    wfi_finish();
    wf_port_unlock(was);
}

static void on_poke(struct wfi_frame *f) {
    struct access a;
    if (!take_access(f, &a, true) || f->left < a.bytes) {
        refuse(RX_POKE, f);
        return;
    }
    ack(RX_POKE);
    for (unsigned i = 0; i < a.num; ++i) {
        store(a.address + (uintptr_t)i * a.size, a.size, wfi_rx_take(f, a.size));
    }
}

static void on_fill(struct wfi_frame *f) {
    struct access a;
    if (!take_access(f, &a, true) || f->left < a.size) {
        refuse(RX_FILL, f);
        return;
    }
    uint32_t v = wfi_rx_take(f, a.size);
    ack(RX_FILL);
    for (unsigned i = 0; i < a.num; ++i) store(a.address + (uintptr_t)i * a.size, a.size, v);
}

#else
#define on_peek NULL
#define on_poke NULL
#define on_fill NULL
#endif

static void set_filter(struct wfi_frame *f, enum number n) {
    uint8_t bits[FILTER_LEN], len = (uint8_t)wfi_rx_take(f, 1);
    if (!f->cut && len != FILTER_LEN) {
        wfi_rx_error((uint8_t)n);
        return;
    }
    for (unsigned i = 0; i < FILTER_LEN; ++i) bits[i] = (uint8_t)wfi_rx_take(f, 1);
    if (f->cut) {
        refuse(n, f);
        return;
    }
    ack(n);
    wf_set_filters(n == RX_GLB_FILTER ? bits : NULL, n == RX_LOC_FILTER ? bits : NULL);
}

static void on_glb_filter(struct wfi_frame *f) { set_filter(f, RX_GLB_FILTER); }
static void on_loc_filter(struct wfi_frame *f) { set_filter(f, RX_LOC_FILTER); }

static void on_ao_filter(struct wfi_frame *f) {
    uint8_t remove = (uint8_t)wfi_rx_take(f, 1);
    const void *active = (const void *)wfi_rx_take_address(f, WF_CFG_OBJ_SIZE);
    int id = f->cut || !active || !HOOK->id_of ? -1 : HOOK->id_of(active);
    if (remove > AO_FILTER_NONE || id < 1 || id > WF_QS_POOL) {
        refuse(RX_AO_FILTER, f);
        return;
    }
    ack(RX_AO_FILTER);
    if (remove <= AO_FILTER_OFF_MAX) wfi_filter_ids((unsigned)id, (unsigned)id, remove == 0);
}

static void on_curr_obj(struct wfi_frame *f) {
    uint8_t kind = (uint8_t)wfi_rx_take(f, 1);
    void *object = (void *)wfi_rx_take_address(f, WF_CFG_OBJ_SIZE);
    if (f->cut || kind > WF_OBJ_SM_AO) {
        refuse(RX_CURR_OBJ, f);
        return;
    }
    wf_set_current((enum wf_object_kind)kind, object);
    ack(RX_CURR_OBJ);
}

static void on_query_curr(struct wfi_frame *f) {
    uint8_t kind = (uint8_t)wfi_rx_take(f, 1);
    if (f->cut || kind >= WF_OBJ_KINDS || !wf_query_current((enum wf_object_kind)kind))
        refuse(RX_QUERY_CURR, f);
}

// The object an event is for; null if it needs none. False: there is no such receiver.
static bool find_receiver(uint8_t to, void **object) {
    *object = NULL;
    if (to <= WF_CFG_MAX_ACTIVE) return true;
    if (to < WF_EVENT_POST_CURRENT) return false;
    *object = wfi_rx.current[to == WF_EVENT_POST_CURRENT ? WF_OBJ_AO : WF_OBJ_SM];
    return *object != NULL;
}

static void on_event(struct wfi_frame *f) {
    struct wf_rx_event e;
    e.to = (uint8_t)wfi_rx_take(f, 1);
    e.sig = wfi_rx_take(f, WF_CFG_SIG_SIZE);
    e.len = (uint16_t)wfi_rx_take(f, 2);
    if (f->left < e.len) f->cut = true;
    if (f->cut || !find_receiver(e.to, &e.object) || !HOOK->event ||
        e.len > wfi_rx.config->event_max) {
        refuse(RX_EVENT, f);
        return;
    }
    ack(RX_EVENT);
    struct wfi_frame outer = wfi_rx.params;
    wfi_rx.params = *f;
    wfi_rx.params.left = e.len;
    bool good = HOOK->event(&e);
    wfi_rx.params = outer;
    if (good)
        done(RX_EVENT);
    else
        refuse(RX_EVENT, f);
}

#if WF_CFG_TEST

static void on_test_setup(struct wfi_frame *f) {
    (void)f;
    ack(RX_TEST_SETUP);
    wfi_test_setup();
    if (HOOK->test_setup) HOOK->test_setup();
}

static void on_test_teardown(struct wfi_frame *f) {
    (void)f;
    ack(RX_TEST_TEARDOWN);
    if (HOOK->test_teardown) HOOK->test_teardown();
}

static void on_test_probe(struct wfi_frame *f) {
    uint32_t data = wfi_rx_take(f, 4);
    uintptr_t fun = wfi_rx_take_address(f, WF_CFG_FUN_SIZE);
    if (!f->cut && wfi_probe_add(fun, data))
        ack(RX_TEST_PROBE);
    else
        refuse(RX_TEST_PROBE, f);
}

static void on_test_continue(struct wfi_frame *f) {
    (void)f;
    ack(RX_TEST_CONTINUE);
    wfi_rx.paused = false;
}

#else
#define on_test_setup    NULL
#define on_test_teardown NULL
#define on_test_probe    NULL
#define on_test_continue NULL
#endif

void wfi_rx_obey(uint8_t number, struct wfi_frame *f) {
    static void (*const commands[])(struct wfi_frame *) = {
        [RX_INFO] = on_info,
        [RX_COMMAND] = on_command,
        [RX_RESET] = on_reset,
        [RX_TICK] = on_tick,
        [RX_PEEK] = on_peek,
        [RX_POKE] = on_poke,
        [RX_FILL] = on_fill,
        [RX_TEST_SETUP] = on_test_setup,
        [RX_TEST_TEARDOWN] = on_test_teardown,
        [RX_TEST_PROBE] = on_test_probe,
        [RX_GLB_FILTER] = on_glb_filter,
        [RX_LOC_FILTER] = on_loc_filter,
        [RX_AO_FILTER] = on_ao_filter,
        [RX_CURR_OBJ] = on_curr_obj,
        [RX_TEST_CONTINUE] = on_test_continue,
        [RX_QUERY_CURR] = on_query_curr,
        [RX_EVENT] = on_event,
    };
    if (number < sizeof commands / sizeof *commands && commands[number])
        commands[number](f);
    else
        wfi_rx_error(WFI_RX_UNKNOWN);
}

#endif
