// SPDX-License-Identifier: MIT
// How a stream is read: with stamps or without, by which table if there is no metadata. And time.

#include <string.h>

#include "wfi_zephyr.h"

enum { NS_HZ = 1000000000, EVENTS_MIN = 8 };

// ---- how to read the stream

struct trial {
    unsigned events;
    size_t bytes;
    bool all; // up to the end, or into the last event
};

static struct trial try_way(const struct wfi_zephyr_way *way, const uint8_t *bytes, size_t len) {
    struct trial t = {.events = 0};
    struct wfi_zephyr_parsed e;
    while (t.bytes < len) {
        enum wfi_zephyr_result result =
            wfi_zephyr_parse(way, bytes + t.bytes, len - t.bytes, t.bytes, &e);
        t.all = result == ZEPHYR_SHORT;
        if (result != ZEPHYR_GOOD) return t;
        ++t.events;
        t.bytes += e.size;
    }
    t.all = true;
    return t;
}

// A recorder can be built without stamps; the metadata has them all the same. Returns how well the
// stream can be read.
static struct trial choose_stamps(struct wfi_zephyr_state *z, const uint8_t *bytes, size_t len) {
    struct wfi_zephyr_way plain = z->way;
    struct trial t = try_way(&z->way, bytes, len);
    plain.no_stamps = true;
    if (t.all || z->meta.packets || z->meta.place.stamp < 0) return t;
    const struct trial other = try_way(&plain, bytes, len);
    if (!other.all || other.events < EVENTS_MIN) return t;
    z->way.no_stamps = true;
    return other;
}

static bool read_builtin(struct wfi_import *im, bool old) {
    struct wfi_zephyr_state *z = wfi_zephyr_state(im);
    struct wfi_zephyr_error error = {.why = NULL};
    const char *text = wfi_zephyr_builtin(old);
    wfi_zephyr_meta_close(&z->meta);
    z->way = (struct wfi_zephyr_way){.meta = &z->meta};
    if (wfi_zephyr_meta_read(&z->meta, text, strlen(text), &error) &&
        wfi_zephyr_meta_finish(&z->meta))
        return true;
    wf_error_code(&im->error, WF_ERR_NOMEM);
    return false;
}

static bool choose_builtin(struct wfi_import *im, const uint8_t *bytes, size_t len, bool *old) {
    struct wfi_zephyr_state *z = wfi_zephyr_state(im);
    if (!read_builtin(im, false)) return false;
    const struct trial now = choose_stamps(z, bytes, len);
    if (now.all) return true;
    if (!read_builtin(im, true)) return false;
    const struct trial before = choose_stamps(z, bytes, len);
    *old = before.all || before.bytes > now.bytes;
    if (*old) return true;
    if (!read_builtin(im, false)) return false;
    choose_stamps(z, bytes, len);
    return true;
}

static void set_clock(struct wfi_import *im) {
    struct wfi_zephyr_state *z = wfi_zephyr_state(im);
    const struct wfi_zephyr_meta *m = &z->meta;
    bool stamps = m->place.stamp >= 0 && !z->way.no_stamps;
    uint64_t hz = !stamps ? 0 : m->hz ? m->hz : NS_HZ;
    unsigned address = 4;
    for (size_t i = 0; i < m->event_count; ++i) {
        const struct wfi_zephyr_event *e = &m->events[i];
        int at = e->at[ZEPHYR_THREAD];
        if (at >= 0 && wfi_zephyr_field_at(m, &e->list, at)->bytes > 4) address = 8;
    }
    z->stamp_bits = stamps ? 8U * wfi_zephyr_field_at(m, &m->header, m->place.stamp)->bytes : 0;
    z->small = hz / 1000;
    if (z->stamp_bits < 32) z->small = 0;
    wfi_import_target(im, hz, address, 0);
}

void wfi_zephyr_choose(struct wfi_import *im, const uint8_t *bytes, size_t len) {
    struct wfi_zephyr_state *z = wfi_zephyr_state(im);
    bool builtin = !z->meta.by_id, old = false;
    z->chosen = true;
    if (builtin && !choose_builtin(im, bytes, len, &old)) return;
    if (!builtin) choose_stamps(z, bytes, len);
    set_clock(im);
    if (builtin)
        z->notes[0] = old ? "There is no metadata: read by the table of Zephyr up to 2.5."
                          : "There is no metadata: read by the table of Zephyr since 2.6.";
    if (z->way.no_stamps)
        z->notes[1] =
            "The stream has no time stamps, against its metadata: times are numbers of events.";
}

// ---- time

// A stamp a little before the last one: the recorder stores an interrupt's events before an older
// one of the code that it interrupts.
static uint64_t time_of(struct wfi_import *im, uint64_t stamp) {
    struct wfi_zephyr_state *z = wfi_zephyr_state(im);
    uint64_t mask = z->stamp_bits < 64 ? (UINT64_C(1) << z->stamp_bits) - 1 : UINT64_MAX;
    if (!z->stamp_bits) return ++z->tick;
    uint64_t back = (z->raw - stamp) & mask;
    if (!z->timed) {
        z->timed = true;
        z->tick = stamp;
    } else if (back && back <= z->small) {
        return z->tick > back ? z->tick - back : 0;
    } else if (z->stamp_bits == 64 && stamp < z->raw) { // the time goes on without a step
        wfi_zephyr_lose(im, "the time goes back: the recorder has started again");
    } else {
        z->tick += (stamp - z->raw) & mask;
    }
    z->raw = stamp;
    return z->tick;
}

static void give_notes(struct wfi_import *im) {
    struct wfi_zephyr_state *z = wfi_zephyr_state(im);
    for (unsigned i = 0; i < 2; ++i) {
        const char *text = z->notes[i];
        if (!text) continue;
        const struct wfi_import_field field = {"text", WFI_FIELD_TEXT, 0, text, strlen(text)};
        wfi_import_event(im, "note", 4, &field, 1);
        z->notes[i] = NULL;
    }
}

void wfi_zephyr_take_time(struct wfi_import *im, const struct wfi_zephyr_parsed *e) {
    im->tick = time_of(im, e->stamp);
    give_notes(im);
}
