// SPDX-License-Identifier: MIT
// Messages of libbabeltrace2 as records of a stream of events. The environment, the clock and all
// classes of a trace come at its first message, so that a reader knows them before the first event.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wfb_ctf.h"
#include "wfb_ctf_fields.h"

// Makes room for the number, if it is new. Returns false when out of memory.
static bool grow_list(void *list, size_t size, uint32_t number) {
    if (number == UINT32_MAX) return false;
    if (number & (number - 1)) return true; // grown at 0 and at powers of two
    void *old;
    memcpy(&old, list, sizeof old);
    void *more = realloc(old, (number ? 2 * (size_t)number : 1) * size);
    if (more) memcpy(list, &more, sizeof more);
    return more != NULL;
}

// ---- traces

static void put_env(struct wfb_ctf *c, const char *name, bt_const value) {
    const struct wfb_babeltrace *bt = &c->bt;
    char number[32] = "";
    const char *text = number;
    int type = bt->bt_value_get_type(value);
    if (type & (int)BT_VALUE_STRING)
        text = bt->bt_value_string_get(value);
    else if (type & (int)BT_VALUE_UNSIGNED)
        snprintf(number, sizeof number, "%" PRIu64, bt->bt_value_integer_unsigned_get(value));
    else if (type & (int)BT_VALUE_SIGNED)
        snprintf(number, sizeof number, "%" PRId64, bt->bt_value_integer_signed_get(value));
    wfb_record_begin(&c->out, WF_EVENTS_ENV);
    wfb_put_text(&c->out, name, strlen(name));
    wfb_put_text(&c->out, text, strlen(text));
    wfb_record_end(&c->out);
}

static bool take_trace(struct wfb_ctf *c, bt_const trace) {
    const struct wfb_babeltrace *bt = &c->bt;
    bool fresh;
    uint32_t number = wfb_object_number(&c->traces, trace, &fresh);
    if (!fresh) return true;
    if (!grow_list(&c->trace, sizeof *c->trace, number)) return false;
    bt->bt_trace_get_ref(trace);
    c->trace[number] = trace;
    ++c->trace_count;
    uint64_t count = bt->bt_trace_get_environment_entry_count(trace);
    for (uint64_t i = 0; i < count; ++i) {
        const char *name;
        bt_const value;
        bt->bt_trace_borrow_environment_entry_by_index_const(trace, i, &name, &value);
        put_env(c, name, value);
    }
    return true;
}

// ---- classes

static void put_class(struct wfb_ctf *c, bt_const class, const struct wfb_event_class *k) {
    const struct wfb_babeltrace *bt = &c->bt;
    const char *name = bt->bt_event_class_get_name(class);
    bt_const payload = bt->bt_event_class_borrow_payload_field_class_const(class);
    bt_const specific = bt->bt_event_class_borrow_specific_context_field_class_const(class);
    unsigned left = WF_EVENTS_FIELDS_MAX;
    int level = 0;
    if (!bt->bt_event_class_get_log_level(class, &level)) level = -1;
    unsigned of_payload = payload ? wfb_count_field_classes(bt, payload) : 0;
    unsigned count = of_payload + k->of_specific + k->of_common + k->of_packet;
    wfb_record_begin(&c->out, WF_EVENTS_CLASS);
    wfb_put_text(&c->out, name ? name : "", name ? strlen(name) : 0);
    wfb_put_unsigned(&c->out, (unsigned)(level + 1));
    wfb_put_unsigned(&c->out, count < left ? count : left);
    wfb_put_field_classes(&c->out, bt, payload, WF_EVENTS_SCOPE_PAYLOAD, &left);
    wfb_put_field_classes(&c->out, bt, specific, WF_EVENTS_SCOPE_CONTEXT, &left);
    wfb_put_field_classes(&c->out, bt, k->common, WF_EVENTS_SCOPE_CONTEXT, &left);
    wfb_put_field_classes(&c->out, bt, k->packet, WF_EVENTS_SCOPE_PACKET, &left);
    wfb_record_end(&c->out);
}

static unsigned count_fields(const struct wfb_babeltrace *bt, bt_const structure) {
    return structure ? wfb_count_field_classes(bt, structure) : 0;
}

// Returns the number of an event class. Puts the class if it is new.
static uint32_t take_class(struct wfb_ctf *c, bt_const stream_class, bt_const class) {
    const struct wfb_babeltrace *bt = &c->bt;
    bool fresh;
    uint32_t number = wfb_object_number(&c->classes, class, &fresh);
    if (!fresh || !grow_list(&c->event_class, sizeof *c->event_class, number))
        return fresh ? UINT32_MAX : number;
    struct wfb_event_class *k = &c->event_class[number];
    k->clock = bt->bt_stream_class_borrow_default_clock_class_const(stream_class) != NULL;
    k->common = bt->bt_stream_class_borrow_event_common_context_field_class_const(stream_class);
    k->packet = bt->bt_stream_class_borrow_packet_context_field_class_const(stream_class);
    k->of_specific =
        count_fields(bt, bt->bt_event_class_borrow_specific_context_field_class_const(class));
    k->of_common = count_fields(bt, k->common);
    k->of_packet = count_fields(bt, k->packet);
    put_class(c, class, k);
    return number;
}

static void put_clock(struct wfb_ctf *c, bt_const clock) {
    if (c->clock_told || !clock) return;
    c->clock_told = true;
    wfb_record_begin(&c->out, WF_EVENTS_CLOCK);
    wfb_put_byte(&c->out,
                 c->bt.bt_clock_class_origin_is_unix_epoch(clock) ? WF_EVENTS_CLOCK_EPOCH : 0);
    wfb_record_end(&c->out);
}

static bool take_stream_class(struct wfb_ctf *c, bt_const class) {
    const struct wfb_babeltrace *bt = &c->bt;
    bool fresh, good = true;
    if (wfb_object_number(&c->stream_classes, class, &fresh) == UINT32_MAX) return false;
    if (!fresh) return true;
    put_clock(c, bt->bt_stream_class_borrow_default_clock_class_const(class));
    uint64_t count = bt->bt_stream_class_get_event_class_count(class);
    for (uint64_t i = 0; i < count && good; ++i) {
        bt_const event = bt->bt_stream_class_borrow_event_class_by_index_const(class, i);
        good = take_class(c, class, event) != UINT32_MAX;
    }
    return good;
}

// Returns null when out of memory.
static struct wfb_data_stream *take_stream(struct wfb_ctf *c, bt_const stream, uint32_t *number) {
    const struct wfb_babeltrace *bt = &c->bt;
    bool fresh = false;
    *number = wfb_object_number(&c->streams, stream, &fresh);
    if (*number == UINT32_MAX) return NULL;
    if (!fresh) return &c->stream[*number];
    if (!grow_list(&c->stream, sizeof *c->stream, *number)) return NULL;
    c->stream[*number] = (struct wfb_data_stream){stream, 0};
    if (!take_trace(c, bt->bt_stream_borrow_trace_const(stream)) ||
        !take_stream_class(c, bt->bt_stream_borrow_class_const(stream)))
        return NULL;
    return &c->stream[*number];
}

// ---- packets

static bool take_packet(struct wfb_ctf *c, bt_const packet) {
    const struct wfb_babeltrace *bt = &c->bt;
    uint32_t number;
    struct wfb_data_stream *s = take_stream(c, bt->bt_packet_borrow_stream_const(packet), &number);
    if (!s) return false;
    bt_const class = bt->bt_stream_borrow_class_const(s->stream);
    if (!bt->bt_stream_class_borrow_packet_context_field_class_const(class)) return true;
    bt_const context = bt->bt_packet_borrow_context_field_const(packet);
    bt_const cpu = context
                       ? bt->bt_field_structure_borrow_member_field_by_name_const(context, "cpu_id")
                       : NULL;
    if (!cpu || !(bt->bt_field_get_class_type(cpu) & BT_FIELD_UNSIGNED)) return true;
    uint64_t v = bt->bt_field_integer_unsigned_get_value(cpu);
    s->cpu = v < UINT16_MAX ? (unsigned)v + 1 : 0;
    return true;
}

// ---- events

static int64_t time_of(const struct wfb_ctf *c, bt_const snapshot) {
    int64_t ns;
    return c->bt.bt_clock_snapshot_get_ns_from_origin(snapshot, &ns) == BT_OK ? ns : c->out.time;
}

// Puts the fields of a scope, `count` of its class.
static void put_scope(struct wfb_ctf *c, bt_const structure, unsigned count, unsigned *left) {
    if (structure) {
        wfb_put_fields(&c->out, &c->bt, structure, left);
        return;
    }
    for (; count && *left; --count, --*left) wfb_put_byte(&c->out, WF_EVENTS_VALUE_NONE);
}

static bool take_event(struct wfb_ctf *c, bt_const message) {
    const struct wfb_babeltrace *bt = &c->bt;
    bt_const event = bt->bt_message_event_borrow_event_const(message), packet = NULL;
    bt_const stream = bt->bt_event_borrow_stream_const(event);
    uint32_t number;
    const struct wfb_data_stream *s = take_stream(c, stream, &number);
    uint32_t class = s ? take_class(c, bt->bt_stream_borrow_class_const(stream),
                                    bt->bt_event_borrow_class_const(event))
                       : UINT32_MAX;
    unsigned left = WF_EVENTS_FIELDS_MAX;
    if (class == UINT32_MAX) return false;
    if (class >= WF_EVENTS_CLASS_MAX) return true; // no tracer has that many
    const struct wfb_event_class *k = &c->event_class[class];
    if (k->packet) packet = bt->bt_event_borrow_packet_const(event);
    bt_const payload = bt->bt_event_borrow_payload_field_const(event);
    wfb_record_begin(&c->out, WF_EVENTS_EVENT);
    wfb_put_unsigned(&c->out, class);
    wfb_put_time(&c->out,
                 k->clock
                     ? time_of(c, bt->bt_message_event_borrow_default_clock_snapshot_const(message))
                     : c->out.time);
    wfb_put_unsigned(&c->out, s->cpu);
    wfb_put_unsigned(&c->out, number);
    put_scope(c, payload, 0, &left);
    put_scope(c, bt->bt_event_borrow_specific_context_field_const(event), k->of_specific, &left);
    put_scope(c, bt->bt_event_borrow_common_context_field_const(event), k->of_common, &left);
    put_scope(c, packet ? bt->bt_packet_borrow_context_field_const(packet) : NULL, k->of_packet,
              &left);
    wfb_record_end(&c->out);
    return true;
}

// ---- losses

static bool put_loss(struct wfb_ctf *c, enum wf_events_lost what, bt_const stream,
                     uint64_t count_plus_1, bt_const begin, bt_const end) {
    uint32_t number;
    const struct wfb_data_stream *s = take_stream(c, stream, &number);
    if (!s) return false;
    int64_t from = begin ? time_of(c, begin) : c->out.time, to = end ? time_of(c, end) : from;
    wfb_record_begin(&c->out, WF_EVENTS_LOSS);
    wfb_put_byte(&c->out, what);
    wfb_put_unsigned(&c->out, count_plus_1);
    wfb_put_time(&c->out, from);
    wfb_put_unsigned(&c->out, to > from ? (uint64_t)to - (uint64_t)from : 0);
    wfb_put_unsigned(&c->out, s->cpu);
    wfb_put_unsigned(&c->out, number);
    wfb_record_end(&c->out);
    return true;
}

static bool take_lost_events(struct wfb_ctf *c, bt_const m) {
    const struct wfb_babeltrace *bt = &c->bt;
    bt_const stream = bt->bt_message_discarded_events_borrow_stream_const(m), begin = NULL,
             end = NULL;
    bt_const class = bt->bt_stream_borrow_class_const(stream);
    uint64_t count = 0;
    bool known = bt->bt_message_discarded_events_get_count(m, &count);
    if (bt->bt_stream_class_discarded_events_have_default_clock_snapshots(class)) {
        begin = bt->bt_message_discarded_events_borrow_beginning_default_clock_snapshot_const(m);
        end = bt->bt_message_discarded_events_borrow_end_default_clock_snapshot_const(m);
    }
    return put_loss(c, WF_EVENTS_LOST_EVENTS, stream, known ? count + 1 : 0, begin, end);
}

static bool take_lost_packets(struct wfb_ctf *c, bt_const m) {
    const struct wfb_babeltrace *bt = &c->bt;
    bt_const stream = bt->bt_message_discarded_packets_borrow_stream_const(m), begin = NULL,
             end = NULL;
    bt_const class = bt->bt_stream_borrow_class_const(stream);
    uint64_t count = 0;
    bool known = bt->bt_message_discarded_packets_get_count(m, &count);
    if (bt->bt_stream_class_discarded_packets_have_default_clock_snapshots(class)) {
        begin = bt->bt_message_discarded_packets_borrow_beginning_default_clock_snapshot_const(m);
        end = bt->bt_message_discarded_packets_borrow_end_default_clock_snapshot_const(m);
    }
    return put_loss(c, WF_EVENTS_LOST_PACKETS, stream, known ? count + 1 : 0, begin, end);
}

bool wfb_ctf_message(struct wfb_ctf *c, bt_const m) {
    const struct wfb_babeltrace *bt = &c->bt;
    uint32_t number;
    switch (bt->bt_message_get_type(m)) {
    case BT_MESSAGE_STREAM_BEGIN:
        return take_stream(c, bt->bt_message_stream_beginning_borrow_stream_const(m), &number);
    case BT_MESSAGE_PACKET_BEGIN:
        return take_packet(c, bt->bt_message_packet_beginning_borrow_packet_const(m));
    case BT_MESSAGE_EVENT: return take_event(c, m);
    case BT_MESSAGE_DISCARDED_EVENTS: return take_lost_events(c, m);
    case BT_MESSAGE_DISCARDED_PACKETS: return take_lost_packets(c, m);
    default: return true;
    }
}
