// SPDX-License-Identifier: MIT
// QS's functions on the recorder and its receiver, and QS's callbacks as the receiver's hooks. Only
// for programs written for QS (compat/qs.h); it needs no port of its own.

#include "compat/qs.h"

#include "wf_port.h"

#ifdef Q_SPY

// Ticks per second of QS_onGetTime(); 0: unknown. Only wallfly's hosts use it.
#ifndef WF_CFG_QS_HZ
#define WF_CFG_QS_HZ 0
#endif

static struct wf_config config;
static struct wf_rx_config rx_config;

// ---- output ----

static uint8_t two_digits(const char *p) {
    return (uint8_t)((p[0] == ' ' ? 0 : p[0] - '0') * 10 + p[1] - '0');
}

// Sets the time at which this file was compiled, as QS does. SOURCE_DATE_EPOCH makes it
// reproducible.
static void set_built(uint8_t built[6]) {
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    const char *date = __DATE__, *time = __TIME__; // "Mmm dd yyyy", "hh:mm:ss"
    uint8_t month = 0;
    while (month < 11 && (months[3 * month] != date[0] || months[3 * month + 1] != date[1] ||
                          months[3 * month + 2] != date[2]))
        ++month;
    built[0] = two_digits(time + 6);
    built[1] = two_digits(time + 3);
    built[2] = two_digits(time);
    built[3] = two_digits(date + 4);
    built[4] = (uint8_t)(month + 1);
    built[5] = two_digits(date + 9);
}

void QS_initBuf(uint8_t *sto, uint_fast32_t stoSize) {
    QS_priv_.locFilter_AP = QS_filt_.loc_AP = NULL;
    config.ring = sto;
    config.ring_size = (uint32_t)stoSize;
    config.hz = WF_CFG_QS_HZ;
    set_built(config.built);
    (void)wf_start(&config);
}

// As in QS, the caller of both holds the critical section.
uint16_t QS_getByte(void) {
    const uint8_t *byte;
    if (!wfi_get_block(WFI_HELD, &byte, 1)) return QS_EOD;
    const uint16_t next = *byte;
    wfi_block_done(WFI_HELD, 1);
    return next;
}

const uint8_t *QS_getBlock(uint16_t *pNbytes) {
    const uint8_t *block = NULL;
    uint32_t len = wfi_get_block(WFI_HELD, &block, *pNbytes);
    *pNbytes = (uint16_t)len;
    return len ? block : NULL;
}

// ---- input ----

static void flush(void) {
    QS_onFlush();
#if WF_CFG_TEST
    QS_onTestLoop();
#endif
}

static void stop(void) {
    QS_onCleanup();
    QS_onReset();
}

static struct wf_rx_hooks hooks = {.reset = QS_onReset,
                                   .command = QS_onCommand,
                                   .flush = flush,
#if WF_CFG_TEST
                                   .test_setup = QS_onTestSetup,
                                   .test_teardown = QS_onTestTeardown,
#endif
                                   .stop = stop};

void qs_compat_hooks(const struct wf_rx_hooks *framework) {
    hooks.tick = framework->tick;
    hooks.event = framework->event;
    hooks.id_of = framework->id_of;
    hooks.query = framework->query;
}

void QS_rxInitBuf(uint8_t *sto, uint16_t stoSize) {
    rx_config.ring = sto;
    rx_config.ring_size = stoSize;
    rx_config.event_max = stoSize;
    rx_config.hooks = &hooks;
    wf_rx_start(&rx_config);
}

void QS_rxParse(void) { wf_rx_parse(); }

uint16_t QS_rxGetNfree(void) { return (uint16_t)(rx_config.ring ? wf_rx_free() : 0); }

void QS_setCurrObj(uint8_t obj_kind, void *obj_ptr) {
    wf_set_current((enum wf_object_kind)obj_kind, obj_ptr);
}

// Replies as to a command of the host.
void QS_queryCurrObj(uint8_t obj_kind) {
    if (!wf_query_current((enum wf_object_kind)obj_kind))
        wfi_emit_rx_status(0x80 | QS_RX_QUERY_CURR);
}

// ---- data and functions of the macros ----

struct qs_compat_priv QS_priv_ = {wfi.glb, wfi.loc, NULL};
struct qs_compat_filt QS_filt_ = {wfi.glb, wfi.loc, NULL};

struct qs_compat_rx qs_compat_rx(void) {
    struct qs_compat_rx rx = {wfi_rx_currents()};
    return rx;
}

uint32_t qs_compat_lock(void) { return wf_port_lock(); }
void qs_compat_unlock(uint32_t was) { wf_port_unlock(was); }

void qs_compat_u32_fmt(uint8_t format, uint32_t value) {
    wfi_raw(format, 1);
    wfi_raw(value, 4);
}

bool qs_compat_is_ours(const void *obj) {
    const void *ours = QS_priv_.locFilter_AP;
    return !ours || obj == ours;
}

// QS shows only the last digit of 100 to 109, 200 to 209 and so on.
void qs_compat_obj_arr_dict(const void *obj, unsigned idx, const char *name) {
    wfi_obj_arr_dict(obj, idx / 10 % 10 ? idx : idx % 10, name);
}

void qs_compat_assertion(const char *module, uint16_t id, uint32_t delay) {
#if WF_CFG_TRIGGER
    wfi_trigger_asked(true, WF_ID_assert_fail, 0);
#endif
    wfi_held_assert_fail(id, module);
    QS_onFlush();
    for (volatile uint32_t left = delay; left; --left) {
    }
    QS_onCleanup();
}

#endif
