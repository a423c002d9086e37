// SPDX-License-Identifier: MIT
// The commands, by their numbers in the schema (docs/command-list.md). A table gives the widths
// of their fields. Each command checks that it can be executed, acknowledges, and executes; or it
// returns its number as the error, before it has any effect.

#include "wfi_rx.h"

#include "wallfly/wf_part.h"

#if WF_CFG_RX

enum {
#define WFI_X(code, name) WFI_RX_##name = (code),
    WF_COMMANDS(WFI_X)
#undef WFI_X
};

enum { WFI_FILTER_LEN = 16, WFI_AO_FILTER_OFF_MAX = 5, WFI_AO_FILTER_NONE = 6, WFI_FIELDS_MAX = 3 };

// Bytes of each field, up to 8. A command reads a variable number of fields itself.
#define WFI_FIELDS(a, b, c) ((a) | (b) << 4 | (c) << 8)
static const uint16_t fields_of[] = {
    [WFI_RX_COMMAND] = WFI_FIELDS(1, 0, 0),
    [WFI_RX_TICK] = WFI_FIELDS(1, 0, 0),
#if WF_CFG_PEEK
    [WFI_RX_PEEK] = WFI_FIELDS(4, 0, 0),
    [WFI_RX_POKE] = WFI_FIELDS(4, 0, 0),
    [WFI_RX_FILL] = WFI_FIELDS(4, 0, 0),
#endif
#if WF_CFG_TEST
    [WFI_RX_TEST_PROBE] = WFI_FIELDS(4, WF_CFG_FUN_SIZE, 0),
#endif
    [WFI_RX_GLB_FILTER] = WFI_FIELDS(1, 0, 0),
    [WFI_RX_LOC_FILTER] = WFI_FIELDS(1, 0, 0),
    [WFI_RX_AO_FILTER] = WFI_FIELDS(1, WF_CFG_OBJ_SIZE, 0),
    [WFI_RX_CURR_OBJ] = WFI_FIELDS(1, WF_CFG_OBJ_SIZE, 0),
    [WFI_RX_QUERY_CURR] = WFI_FIELDS(1, 0, 0),
    [WFI_RX_EVENT] = WFI_FIELDS(1, WF_CFG_SIG_SIZE, 2),
};

static void ack(uint8_t n) { wfi_emit_rx_status(n); }

static uint8_t done(uint8_t n) {
    wfi_emit_target_done(n);
    return WFI_RX_OBEYED;
}

// Missing parameters are 0.
static uint8_t on_command(uint8_t n, uint8_t id) {
    if (!wfi_rx.hooks->command) return n;
    uint32_t p1 = (uint32_t)wfi_rx_take(4), p2 = (uint32_t)wfi_rx_take(4);
    uint32_t p3 = (uint32_t)wfi_rx_take(4);
    ack(n);
    wfi_rx.hooks->command(id, p1, p2, p3);
    return done(n);
}

static uint8_t on_tick(uint8_t n, uint8_t rate) {
    if (rate >= WF_CFG_MAX_RATES || !wfi_rx.hooks->tick) return n;
    ack(n);
    wfi_rx.hooks->tick(rate);
    return done(n);
}

#if WF_CFG_PEEK

// The largest alignment that items need; 1 on AVR, which needs none.
#if defined __BIGGEST_ALIGNMENT__ && __BIGGEST_ALIGNMENT__ < 4
enum { WFI_ALIGN_MAX = __BIGGEST_ALIGNMENT__ };
#else
enum { WFI_ALIGN_MAX = 4 };
#endif

static bool may_reach(uintptr_t address, uint32_t bytes, bool write) {
    if (bytes > UINTPTR_MAX - address) return false;
    if (WF_CFG_PEEK == 2) return true;
    const struct wf_range *r = wfi_rx.config->ranges;
    for (unsigned i = wfi_rx.config->range_count; i; --i, ++r) {
        uintptr_t start = (uintptr_t)r->start, offset = address - start;
        if (write && !r->writable) continue;
        if (address >= start && offset <= r->size && bytes <= r->size - offset) return true;
    }
    return false;
}

// Each item is read and written in one access: it may be a register.
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

static void peek(uintptr_t at, unsigned size, unsigned num, uint32_t access) {
    uint8_t bytes[4];
    uint32_t was = wfi_begin(WF_ID_peek_data);
    wfi_put_le(bytes, access, 4);
    wfi_put_bytes(bytes, 4);
    for (; num; --num, at += size) {
        wfi_put_le(bytes, load(at, size), 4);
        wfi_put_bytes(bytes, size);
    }
    wfi_end(was);
}

// access: an offset from the current application object (16 bits), size and number of items. POKE
// has a value for each item, FILL one value for all.
static uint8_t on_access(uint8_t n, uint32_t access) {
    enum { WFI_PEEK_HEAD = 2 + WF_CFG_TIME_SIZE + 4 + 1 };
    unsigned size = (uint8_t)(access >> 16), num = (uint8_t)(access >> 24);
    uint32_t bytes = (uint32_t)size * num;
    uintptr_t at = (uintptr_t)wfi_rx.current[WF_OBJ_APP];
    if (!at || (size != 1 && size != 2 && size != 4)) return n;
    at += (uint16_t)access;
    if ((at & ((size - 1) & (WFI_ALIGN_MAX - 1))) || !may_reach(at, bytes, n != WFI_RX_PEEK))
        return n;
    if (n == WFI_RX_PEEK) {
        if (WFI_PEEK_HEAD + bytes > WF_CFG_RECORD_MAX) return n;
        peek(at, size, num, access);
        return WFI_RX_OBEYED;
    }
    if (!num || wfi_rx.left < (n == WFI_RX_FILL ? size : bytes)) return n;
    ack(n);
    for (uint32_t v = 0, i = 0; i < num; ++i, at += size) {
        if (n == WFI_RX_POKE || i == 0) v = (uint32_t)wfi_rx_take(size);
        store(at, size, v);
    }
    return WFI_RX_OBEYED;
}

#endif

static uint8_t on_filter(uint8_t n, uint8_t len) {
    uint8_t bits[WFI_FILTER_LEN];
    if (len != WFI_FILTER_LEN) return n;
    for (unsigned i = 0; i < WFI_FILTER_LEN; ++i) bits[i] = (uint8_t)wfi_rx_take(1);
    if (wfi_rx.cut) return WFI_RX_CUT;
    ack(n);
    wf_set_filters(n == WFI_RX_GLB_FILTER ? bits : NULL, n == WFI_RX_LOC_FILTER ? bits : NULL);
    return WFI_RX_OBEYED;
}

// AO_FILTER for a task of an RTOS: shows or hides it in part tracing.
static uint8_t on_task_filter(uint8_t n, uint8_t remove, const void *task) {
    if (remove <= WFI_AO_FILTER_OFF_MAX && !wf_part_task(task, remove == 0)) return n;
    ack(n);
    return WFI_RX_OBEYED;
}

static uint8_t on_ao_filter(uint8_t n, uint8_t remove, const void *active) {
    if (remove > WFI_AO_FILTER_NONE || !active) return n;
    if (wf_part_knows(active)) return on_task_filter(n, remove, active);
    if (!wfi_rx.hooks->id_of) return n;
    int id = wfi_rx.hooks->id_of(active);
    if (id < 1 || id > WF_QS_POOL) return n;
    ack(n);
    if (remove <= WFI_AO_FILTER_OFF_MAX) wfi_filter_ids((unsigned)id, (unsigned)id, remove == 0);
    return WFI_RX_OBEYED;
}

static uint8_t on_curr_obj(uint8_t n, uint8_t kind, void *object) {
    if (kind > WF_OBJ_SM_AO) return n;
    ack(n);
    wf_set_current((enum wf_object_kind)kind, object);
    return WFI_RX_OBEYED;
}

static uint8_t on_query(uint8_t n, uint8_t kind) {
    if (!wf_query_current((enum wf_object_kind)kind)) return n;
    return WFI_RX_OBEYED;
}

static uint8_t on_event(uint8_t n, uint8_t to, uint32_t sig, uint16_t len) {
    struct wf_rx_event e = {to, sig, len, NULL};
    if (len > wfi_rx.left) return WFI_RX_CUT;
    if (to > WF_CFG_MAX_ACTIVE) {
        if (to < WF_EVENT_POST_CURRENT) return n;
        e.object = wfi_rx.current[to == WF_EVENT_POST_CURRENT ? WF_OBJ_AO : WF_OBJ_SM];
        if (!e.object) return n;
    }
    if (!wfi_rx.hooks->event || len > wfi_rx.config->event_max) return n;
    ack(n);
    wfi_rx.left = len;
    if (!wfi_rx.hooks->event(&e)) return n;
    return done(n);
}

#if WF_CFG_TEST

static uint8_t on_test(uint8_t n, void (*hook)(void)) {
    ack(n);
    if (n == WFI_RX_TEST_SETUP) wfi_test_setup();
    if (hook) hook();
    return WFI_RX_OBEYED;
}

static uint8_t on_test_probe(uint8_t n, uint32_t data, uintptr_t fun) {
    if (!wfi_probe_add(fun, data)) return n;
    ack(n);
    return WFI_RX_OBEYED;
}

static uint8_t on_test_continue(uint8_t n) {
    ack(n);
    wfi_rx.paused = false;
    return WFI_RX_OBEYED;
}

#endif

uint8_t wfi_rx_obey(uint8_t n) {
    unsigned widths = n < sizeof fields_of / sizeof *fields_of ? fields_of[n] : 0;
    wfi_field f[WFI_FIELDS_MAX];
    for (unsigned i = 0; i < WFI_FIELDS_MAX; ++i, widths >>= 4) f[i] = wfi_rx_take(widths & 15);
    if (wfi_rx.cut) return WFI_RX_CUT;
    switch (n) {
    case WFI_RX_INFO:
        wf_target_info(0);
        if (wfi.names) wfi.names->tell(false);
        return WFI_RX_OBEYED;
    case WFI_RX_COMMAND: return on_command(n, (uint8_t)f[0]);
    case WFI_RX_RESET:
        if (wfi_rx.hooks->reset) wfi_rx.hooks->reset();
        return WFI_RX_OBEYED;
    case WFI_RX_TICK: return on_tick(n, (uint8_t)f[0]);
#if WF_CFG_PEEK
    case WFI_RX_PEEK:
    case WFI_RX_POKE:
    case WFI_RX_FILL: return on_access(n, (uint32_t)f[0]);
#endif
#if WF_CFG_TEST
    case WFI_RX_TEST_SETUP: return on_test(n, wfi_rx.hooks->test_setup);
    case WFI_RX_TEST_TEARDOWN: return on_test(n, wfi_rx.hooks->test_teardown);
    case WFI_RX_TEST_PROBE: return on_test_probe(n, (uint32_t)f[0], (uintptr_t)f[1]);
    case WFI_RX_TEST_CONTINUE: return on_test_continue(n);
#endif
    case WFI_RX_GLB_FILTER:
    case WFI_RX_LOC_FILTER: return on_filter(n, (uint8_t)f[0]);
    case WFI_RX_AO_FILTER: return on_ao_filter(n, (uint8_t)f[0], (const void *)(uintptr_t)f[1]);
    case WFI_RX_CURR_OBJ: return on_curr_obj(n, (uint8_t)f[0], (void *)(uintptr_t)f[1]);
    case WFI_RX_QUERY_CURR: return on_query(n, (uint8_t)f[0]);
    case WFI_RX_EVENT: return on_event(n, (uint8_t)f[0], (uint32_t)f[1], (uint16_t)f[2]);
    default: return WFI_RX_UNKNOWN;
    }
}

#endif
