// SPDX-License-Identifier: MIT
// Handles packets from front ends (docs/front-ends.md). Every length is checked before use;
// names are translated here, with the dictionaries of the session. A sender that is not attached
// can only attach.

#include "wfb_front.h"

#include <string.h>

enum {
    COMMANDS_END = 128, // packets below are commands to the target
    LATE_MAX = 32,      // a number up to this far back is late, not a gap
    QS_COMMAND_GROUP = 7,
    COMMANDS_AS_ENUM = 714, // before that version commands are named by application records
    KIND_SM = 0,
    KIND_AO = 1,
    KIND_SM_AO = 6,
    NOTE_TEST = 0xFF,
    PARAMETERS = 12, // three of 32 bits
};

#define F_END "   <F-END> ERROR    "

struct packet {
    struct wf_front *front;
    struct wfb_front_end *from;
    uint8_t id;
    const uint8_t *payload;
    size_t len;
};

static void report_malformed(const struct packet *p) {
    ++p->front->count.malformed;
    wfb_front_printf(p->front, WF_LINE_ERROR, p->from, F_END "Malformed Packet Rec=%u,Len=%zu",
                     p->id, p->len);
}

static void send_to_target(const struct packet *p, uint8_t command, const void *payload,
                           size_t len) {
    if (wf_hub_send(p->front->hub, command, payload, len) == WF_OK) {
        ++p->front->count.commands;
        return;
    }
    wfb_front_printf(p->front, WF_LINE_ERROR, p->from,
                     "   <COMMS> ERROR    Sending Data to the Target Rec=%u,Len=%zu", command,
                     wf_hub_unsent_len(p->front->hub, command, payload, len));
}

static void forward_command(const struct packet *p) {
    send_to_target(p, p->id, p->payload, p->len);
}

// Returns the name at offset `at`, which must end the packet; null otherwise.
static const char *name_at(const struct packet *p, size_t at) {
    if (p->len <= at) return NULL;
    const char *name = (const char *)p->payload + at;
    size_t room = p->len - at, len = strnlen(name, room);
    return len < room ? name : NULL;
}

// As name_at; reports a packet without a name.
static const char *required_name(const struct packet *p, size_t at) {
    const char *name = name_at(p, at);
    if (!name) report_malformed(p);
    return name;
}

static uint8_t target_bytes(const struct packet *p, enum wf_type type) {
    return wf_session_target(wf_hub_session(p->front->hub))->bytes[type];
}

static void put_number(uint8_t *to, uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i) to[i] = (uint8_t)(value >> 8 * i);
}

static bool find_key(const struct packet *p, enum wf_effect dict, uint64_t with, const char *what,
                     const char *name, uint64_t *key) {
    if (wf_session_find_key(wf_hub_session(p->front->hub), dict, name, with, key)) return true;
    wfb_front_printf(p->front, WF_LINE_ERROR, p->from, F_END "%s Dictionary not found for Name=%s",
                     what, name);
    return false;
}

// Reads a byte and an address given by name.
static bool read_object(const struct packet *p, uint8_t *payload, size_t *len, uint64_t *obj) {
    unsigned bytes = target_bytes(p, WF_TYPE_OBJ);
    const char *name = required_name(p, 1 + bytes);
    if (!name || !find_key(p, WF_EFFECT_NAME_OBJECT, 0, "Object", name, obj)) return false;
    payload[0] = p->payload[0];
    put_number(payload + 1, *obj, bytes);
    *len = 1 + bytes;
    return true;
}

static void send_ao_filter(const struct packet *p) {
    uint8_t payload[16];
    uint64_t obj;
    size_t len;
    if (read_object(p, payload, &len, &obj)) send_to_target(p, WF_COMMAND_AO_FILTER, payload, len);
}

// Quirk: an unknown kind is reported as an error, but still sent.
static void send_curr_obj(const struct packet *p) {
    uint8_t payload[16];
    uint64_t obj;
    size_t len;
    if (!read_object(p, payload, &len, &obj)) return;
    uint8_t kind = payload[0];
    if (kind == KIND_SM || kind == KIND_AO || kind == KIND_SM_AO) p->front->current = obj;
    if (kind > KIND_SM_AO)
        wfb_front_printf(p->front, WF_LINE_ERROR, p->from, F_END "Incorrect Object Kind=%u", kind);
    send_to_target(p, WF_COMMAND_CURR_OBJ, payload, len);
}

// Quirk: an unknown name is sent as signal 0 without an error.
static void send_event(const struct packet *p) {
    unsigned bytes = target_bytes(p, WF_TYPE_SIG);
    size_t fixed = 1 + bytes + 2;
    uint8_t payload[WFB_PACKET_MAX];
    uint64_t signal = 0;
    size_t event = 0;
    if (p->len > fixed) event = (size_t)p->payload[fixed - 2] | (size_t)p->payload[fixed - 1] << 8;
    const char *name = p->len > fixed ? name_at(p, fixed + event) : NULL;
    if (!name) {
        ++p->front->count.malformed;
        wfb_front_printf(p->front, WF_LINE_ERROR, p->from, F_END "command 'SEND_EVENT' incorrect");
        return;
    }
    wf_session_find_key(wf_hub_session(p->front->hub), WF_EFFECT_NAME_SIGNAL, name,
                        p->front->current, &signal);
    memcpy(payload, p->payload, fixed + event);
    put_number(payload + 1, signal, bytes);
    send_to_target(p, WF_COMMAND_EVENT, payload, fixed + event);
}

static void send_command(const struct packet *p) {
    const char *name = required_name(p, 1 + PARAMETERS);
    bool by_enum = wf_session_target(wf_hub_session(p->front->hub))->version >= COMMANDS_AS_ENUM;
    uint8_t payload[1 + PARAMETERS];
    uint64_t value;
    if (!name || !find_key(p, by_enum ? WF_EFFECT_NAME_ENUM : WF_EFFECT_NAME_USER, QS_COMMAND_GROUP,
                           "Command", name, &value))
        return;
    memcpy(payload, p->payload, sizeof payload);
    payload[0] = (uint8_t)value;
    send_to_target(p, WF_COMMAND_COMMAND, payload, sizeof payload);
}

static void send_test_probe(const struct packet *p) {
    unsigned bytes = target_bytes(p, WF_TYPE_FUN);
    const char *name = required_name(p, 4 + bytes);
    uint8_t payload[16];
    uint64_t function;
    if (!name || !find_key(p, WF_EFFECT_NAME_FUNCTION, 0, "Function", name, &function)) return;
    memcpy(payload, p->payload, 4);
    put_number(payload + 4, function, bytes);
    send_to_target(p, WF_COMMAND_TEST_PROBE, payload, 4 + bytes);
}

static void save_dict(const struct packet *p) {
    struct wf_front *f = p->front;
    if (f->dic.file)
        wf_dic_save(&f->dic, wf_hub_session(f->hub));
    else
        wfb_front_printf(f, WF_LINE_ERROR, p->from,
                         "   <QSPY-> Dictionaries NOT configured (no -d option)");
}

static void switch_file(const struct packet *p) {
    enum { TEXT_OUT = 131 };
    enum wf_front_file which = (enum wf_front_file)(1 << (p->id - TEXT_OUT));
    wfb_file_switch(p->front, which, p->len ? p->payload[0] : 2, p->from);
}

static void clear_screen(const struct packet *p) {
    if (p->front->on.clear) p->front->on.clear(p->front->on.ctx);
}

static void show_note(const struct packet *p) {
    const char *text = required_name(p, 1);
    if (!text) return;
    wfb_front_line(p->front, p->payload[0] == NOTE_TEST ? WF_LINE_TEST : WF_LINE_USER, text,
                   strlen(text), NULL);
}

static void detach(const struct packet *p) {
    struct wf_front *f = p->front;
    bool end = p->len && f->options.allow_commands;
    ++f->count.detached;
    wfb_end_drop(p->from);
    wfb_front_printf(f, WF_LINE_INFO, NULL,
                     end ? "   <F-END> Forced EXIT ###################################"
                         : "   <F-END> Detached ######################################");
    if (end && f->on.done) f->on.done(f->on.ctx, WF_OK);
}

static void answer_alive(const struct packet *p) {
    wfb_end_send(p->from, ++p->from->own, WFB_OWN_ALIVE, NULL, 0);
}

static void report_unknown(const struct packet *p) {
    ++p->front->count.malformed;
    wfb_front_printf(p->front, WF_LINE_ERROR, p->from, F_END "Unrecognized command Rec=%u", p->id);
}

// Actions allowed without --allow-commands change only the front end's own view.
static const struct row {
    uint8_t first, last;
    bool free;
    void (*act)(const struct packet *p);
} rows[] = {
    {0, COMMANDS_END - 1, false, forward_command},
    {WFB_DETACH, WFB_DETACH, true, detach},
    {130, 130, false, save_dict},
    {131, 134, false, switch_file},
    {135, 135, false, send_event},
    {136, 136, false, send_ao_filter},
    {137, 137, false, send_curr_obj},
    {138, 138, false, send_command},
    {139, 139, false, send_test_probe},
    {140, 140, true, clear_screen},
    {141, 141, true, show_note},
    {WFB_OWN_ALIVE, WFB_OWN_ALIVE, true, answer_alive},
};

static const struct row *row_of(uint8_t id) {
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; ++i) {
        if (id >= rows[i].first && id <= rows[i].last) return &rows[i];
    }
    return NULL;
}

// INFO of a front end that can only watch is answered with the known state.
static void refuse_packet(const struct packet *p) {
    if (p->id == WF_COMMAND_INFO && wfb_known_info(p->from)) return;
    ++p->front->count.not_allowed;
    wfb_front_printf(p->front, WF_LINE_ERROR, p->from,
                     F_END "Commands not allowed (serve --allow-commands) Rec=%u", p->id);
}

// Checks the sequence of a front end. Returns false for a duplicate or late packet, to be ignored.
static bool check_sequence(struct wf_front *f, struct wfb_front_end *e, uint8_t seq) {
    uint8_t back = (uint8_t)(e->expected - seq);
    bool late = back >= 1 && back <= LATE_MAX;
    if (seq != e->expected) {
        wfb_front_printf(f, WF_LINE_ERROR, e, F_END "Data Discontinuity Seq=%u->%u", e->expected,
                         seq);
        ++*(late ? &f->count.late : &f->count.gaps);
    }
    if (!late) e->expected = (uint8_t)(seq + 1);
    return !late;
}

void wfb_front_packet(struct wf_front *f, const struct sockaddr *address, const uint8_t *packet,
                      size_t len) {
    struct wfb_front_end *e = wfb_end_find(f, address);
    if (len > WFB_PACKET_MAX || len < 2) {
        ++*(len < 2 ? &f->count.malformed : &f->count.oversized);
        return;
    }
    struct packet p = {f, e, packet[1], packet + 2, len - 2};
    if (p.id == WFB_ATTACH) {
        f->record = p.id;
        wfb_end_attach(f, address, packet[0], p.len ? p.payload[0] : WFB_CHANNEL_BINARY);
        return;
    }
    if (!e) {
        ++f->count.strangers;
        return;
    }
    ++f->count.packets;
    e->heard_ms = uv_now(f->loop);
    if (!check_sequence(f, e, packet[0])) return;
    const struct row *row = row_of(p.id);
    f->record = p.id;
    if (!row)
        report_unknown(&p);
    else if (row->free || f->options.allow_commands)
        row->act(&p);
    else
        refuse_packet(&p);
}
