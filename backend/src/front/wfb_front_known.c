// SPDX-License-Identifier: MIT
// Sends the known state of the target to front ends that attach late: its info, rate, names and
// object numbers, as records from outside the stream, many in a packet.

#include "wfb_front.h"

#include <string.h>

#include "wallfly_host/wf_kept_names.h"

enum { NUMBERS_LEN = 255 }; // of one record

struct packing {
    struct wf_front *front;
    struct wfb_front_end *only;
    uint8_t packet[WFB_KNOWN_MAX];
    size_t len;
};

static void send_packing(struct packing *p) {
    for (struct wfb_front_end *e = p->front->ends; e; e = e->next) {
        if (p->only && e != p->only) continue;
        if (e->channels & WFB_CHANNEL_KNOWN)
            wfb_end_send(e, ++e->own, WFB_OWN_KNOWN, p->packet, p->len);
    }
    p->len = 0;
}

static void pack_record(struct packing *p, uint8_t id, const void *payload, size_t len) {
    if (len + 3 > sizeof p->packet) return;
    if (p->len + len + 3 > sizeof p->packet) send_packing(p);
    uint8_t *to = p->packet + p->len;
    to[0] = (uint8_t)(len + 1);
    to[1] = (uint8_t)((len + 1) >> 8);
    to[2] = id;
    memcpy(to + 3, payload, len);
    p->len += len + 3;
}

const struct wf_row *wfb_row_of(enum wf_effect effect) {
    unsigned i = 0;
    while (i + 1 < wf_row_count && wf_rows[i].effect != effect) ++i;
    return &wf_rows[i];
}

// Builds the record that defines this name: its keys in the order of the row, then the text.
static void pack_name(struct packing *p, const struct wf_target *target,
                      const struct wf_name *name) {
    const struct wf_row *row = wfb_row_of(name->dict);
    uint64_t keys[2] = {name->key, name->with};
    uint8_t payload[WFB_KNOWN_MAX];
    size_t len = 0;
    for (unsigned i = 0; i + 1 < row->count && i < 2; ++i) {
        const struct wf_type_info *type = &wf_types[row->fields[i].type];
        unsigned bytes = type->letter ? target->bytes[row->fields[i].type] : type->bytes;
        for (unsigned b = 0; b < bytes; ++b) payload[len++] = (uint8_t)(keys[i] >> 8 * b);
    }
    if (len + name->len + 1 > sizeof payload) return;
    memcpy(payload + len, name->text, name->len + 1);
    pack_record(p, row->id, payload, len + name->len + 1);
}

void wfb_known_send(struct wf_front *f, struct wfb_front_end *only) {
    const struct wf_session *s = wf_hub_session(f->hub);
    struct packing p = {.front = f, .only = only};
    struct wf_name name;
    size_t at = 0;
    if (f->info_len) pack_record(&p, wfb_row_of(WF_EFFECT_TARGET_INFO)->id, f->info, f->info_len);
    if (f->sync_len) pack_record(&p, wfb_row_of(WF_EFFECT_SYNC)->id, f->sync, f->sync_len);
    while (wf_session_next_name(s, &at, &name)) pack_name(&p, wf_session_target(s), &name);
    unsigned number = 0;
    uint8_t numbers[NUMBERS_LEN];
    for (size_t len; (len = wf_session_next_numbers(s, &number, numbers, sizeof numbers)) != 0;)
        pack_record(&p, WF_RECORD_objects, numbers, len);
    if (p.len) send_packing(&p);
    send_packing(&p); // an empty one ends the list
}

// The sizes of a target, two in a byte, as in SYNC.
static void pack_sizes(const struct wf_target *t, uint8_t sizes[5]) {
#define WF_X(low, low_letter, low_bytes, high, high_letter, high_bytes)                            \
    WF_TYPE_##low, WF_TYPE_##high,
    static const uint8_t types[] = {WF_SIZES(WF_X)};
#undef WF_X
    memset(sizes, 0, 5);
    for (unsigned i = 0; i < 10 && i < sizeof types && types[i] != WF_TYPE_END; ++i)
        sizes[i / 2] |= (uint8_t)(t->bytes[types[i]] << (i % 2 ? 4 : 0));
}

void wfb_known_import(struct wf_front *f) {
    const struct wf_target *t = wf_session_target(wf_hub_session(f->hub));
    uint8_t sizes[5];
    if (f->sync_len && f->made_hz == t->hz) return;
    pack_sizes(t, sizes);
    wf_kept_names_sync(sizes, (uint32_t)t->hz, 0, f->sync);
    f->sync_len = WF_KEPT_SYNC_LEN;
    f->made_hz = t->hz;
    wfb_known_send(f, NULL);
}

void wfb_known_target(struct wf_front *f, bool there, const char *why) {
    uint8_t packet[1 + 255] = {there};
    size_t len = strnlen(why, sizeof packet - 1);
    memcpy(packet + 1, why, len);
    for (struct wfb_front_end *e = f->ends; e; e = e->next) {
        if (e->channels & WFB_CHANNEL_KNOWN)
            wfb_end_send(e, ++e->own, WFB_OWN_TARGET, packet, 1 + len);
    }
}

bool wfb_known_info(struct wfb_front_end *e) {
    struct wf_front *f = e->front;
    if (!f->info_len) return false;
    if (e->channels & WFB_CHANNEL_KNOWN) { // a second record of that number must not be sent
        wfb_known_send(f, e);
        return true;
    }
    wfb_end_send(e, f->seq, wfb_row_of(WF_EFFECT_TARGET_INFO)->id, f->info, f->info_len);
    return true;
}
