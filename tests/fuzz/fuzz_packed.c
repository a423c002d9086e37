// SPDX-License-Identifier: MIT
// Packed frames with any bytes. The input is a script: each step is a frame, whose sequence and
// checksum are made right here so that its events are decoded, or an event of the link. A frame is
// fed at once, or with those after it. Everything that a session returns is read, and the ledger
// must account for every byte each time.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/wfi_session.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    FRAME_MAX = 2 + 8 + 6 + 255 + 64,
    ITEMS_MAX = 1 << 16,
    HELD_CAP_MAX = 1 << 19,
    WAITING_MAX = 8 * FRAME_MAX
};

struct script {
    const uint8_t *at, *end;
    struct wf_session *s;
    uint64_t made;    // number of the last record
    uint64_t records; // returned so far
    uint64_t stamp;
    bool forged; // a SYNC with any bytes was sent: ticks have any value
    bool damaged, split, waits;
    uint8_t waiting[WAITING_MAX]; // bytes to be fed
    size_t waiting_len;
};

static void require(bool good) {
    if (!good) abort();
}

static struct wf_session *fresh(void) {
    const struct wf_session_options options = {.size = sizeof options,
                                               .dialect = WF_DIALECT_WALLFLY};
    struct wf_session *s = wf_session_open(&options, NULL);
    require(s != NULL);
    return s;
}

static uint8_t take(struct script *in) { return in->at != in->end ? *in->at++ : 0; }

static const uint8_t *take_bytes(struct script *in, size_t *len) {
    const uint8_t *p = in->at;
    if (*len > (size_t)(in->end - p)) *len = (size_t)(in->end - p);
    in->at += *len;
    return p;
}

// ---- what a session returns

static unsigned read_all(const uint8_t *bytes, size_t len) {
    unsigned sum = 0;
    for (size_t i = 0; i < len; ++i) sum += bytes[i];
    return sum;
}

static void check_record(struct script *in, const struct wf_record *r) {
    volatile unsigned sum = read_all(r->payload, r->len + 1); // with the checksum
    ++in->records;
    require(in->forged || r->tick < UINT64_MAX / 2);
    for (unsigned i = 0; r->row && i < r->row->count; ++i) {
        const struct wf_field *f = &r->row->fields[i];
        if (f->type == WF_TYPE_STR && !(r->missing >> i & 1))
            sum += read_all((const uint8_t *)r->text, r->text_len);
        if (f->type != WF_TYPE_ELEMS || r->missing) continue;
        struct wf_element e;
        for (size_t at = 0; wf_session_next_element(in->s, r, &at, &e);)
            if (e.bytes) sum += read_all(e.bytes, e.len);
    }
    (void)sum;
}

static void drain(struct script *in) {
    struct wf_session *s = in->s;
    struct wf_item item;
    for (unsigned items = 0; wf_session_next(s, &item); ++items) {
        require(items < ITEMS_MAX);
        if (item.kind == WF_ITEM_RECORD) check_record(in, &item.record);
        if (item.kind == WF_ITEM_DAMAGE && item.damage.bytes)
            (void)read_all(item.damage.bytes, item.damage.count);
    }
    const struct wf_ledger *l = wf_session_ledger(s);
    const uint64_t sum = l->bytes_good + l->bytes_bad + l->bytes_idle + l->bytes_repeated;
    const uint64_t rest = s->frames.offset - s->frames.start; // an unfinished frame
    require(s->packed.holding ? sum + rest < l->bytes : sum + rest == l->bytes);
    require(l->records == in->records && s->packed.held_cap <= HELD_CAP_MAX);
}

static void feed(struct script *in) {
    const uint8_t *bytes = in->waiting;
    const size_t len = in->waiting_len, first = in->split ? len / 2 : 0;
    for (unsigned part = 0; part < 2; ++part) {
        const size_t from = part ? first : 0, count = part ? len - first : first;
        if (!count) continue;
        uint8_t *exact = malloc(count); // exact size for the sanitizer
        require(exact != NULL);
        memcpy(exact, bytes + from, count);
        wf_session_feed(in->s, exact, count);
        drain(in);
        free(exact);
    }
    in->waiting_len = 0;
}

static void add(struct script *in, const uint8_t *bytes, size_t len) {
    if (len > WAITING_MAX - in->waiting_len) feed(in);
    memcpy(in->waiting + in->waiting_len, bytes, len);
    in->waiting_len += len;
    if (!in->waits) feed(in);
}

// ---- frames

static void send(struct script *in, const uint8_t *bytes, size_t len) {
    uint8_t raw[2 * FRAME_MAX], *to = raw, sum = 0;
    for (size_t i = 0; i <= len; ++i) {
        uint8_t byte = i < len ? bytes[i] : (uint8_t)~sum;
        sum = (uint8_t)(sum + byte);
        if (in->damaged && i == len) byte ^= 1;
        if (byte == WFI_FLAG || byte == WFI_ESC) {
            *to++ = WFI_ESC;
            byte ^= WFI_ESC_XOR;
        }
        *to++ = byte;
    }
    *to++ = WFI_FLAG;
    in->damaged = false;
    add(in, raw, (size_t)(to - raw));
}

static uint8_t *put(uint8_t *to, uint64_t v, unsigned len) {
    for (; len; --len, v >>= 8) *to++ = (uint8_t)v;
    return to;
}

// A count, a step of the number, a step of the stamp, the running task, and any bytes as events.
static void send_packed(struct script *in) {
    uint8_t frame[FRAME_MAX], *to = frame;
    const unsigned stamp = in->s->target.bytes[WF_TYPE_TIME], count = take(in);
    const uint64_t number = in->made + 1 + (uint64_t)(int64_t)(int8_t)take(in);
    in->stamp += take(in);
    to = put(to, number, 1);
    to = put(to, WF_RECORD_packed, 1);
    to = put(to, in->stamp, stamp);
    to = put(to, number, 4);
    to = put(to, count, 1);
    const unsigned running = take(in);
    size_t len = take(in);
    const uint8_t *events = take_bytes(in, &len);
    to = put(to, len, 1);
    to = put(to, running, 1);
    memcpy(to, events, len);
    if (number == in->made + 1) in->made += count;
    send(in, frame, (size_t)(to - frame) + len);
}

static void send_record(struct script *in, uint8_t id, uint64_t number) {
    uint8_t frame[FRAME_MAX] = {(uint8_t)number, id};
    size_t len = take(in);
    const uint8_t *payload = take_bytes(in, &len);
    memcpy(frame + 2, payload, len);
    if (id == WF_RECORD_sync || id == WF_RECORD_target_info || id == WF_RECORD_empty)
        in->forged = true; // the time begins anywhere
    if (number == in->made + 1) in->made = number;
    send(in, frame, 2 + len);
}

static void send_sync(struct script *in) {
    uint8_t frame[FRAME_MAX], *to = frame;
    const uint8_t *sizes = in->s->target.bytes;
    const uint64_t number = ++in->made;
    to = put(to, number, 1);
    to = put(to, WF_RECORD_sync, 1);
    to = put(to, number, 8);
    to = put(to, in->stamp, 8);
    to = put(to, 0, 4 + 8 + 4 + 8 + 1 + 1 + 4);
    to = put(to, (unsigned)sizes[WF_TYPE_SIG] | (unsigned)sizes[WF_TYPE_EVS] << 4, 1);
    to = put(to, (unsigned)sizes[WF_TYPE_EQC] | (unsigned)sizes[WF_TYPE_TEC] << 4, 1);
    to = put(to, (unsigned)sizes[WF_TYPE_MPS] | (unsigned)sizes[WF_TYPE_MPC] << 4, 1);
    to = put(to, (unsigned)sizes[WF_TYPE_OBJ] | (unsigned)sizes[WF_TYPE_FUN] << 4, 1);
    to = put(to, sizes[WF_TYPE_TIME], 1);
    send(in, frame, (size_t)(to - frame));
}

// ---- states

// Continues with a session that reads the state, or a checkpoint, of this one; it must write the
// same again.
static void move_on(struct script *in, bool checkpoint) {
    size_t len = 0, again = 0;
    uint64_t offset = 0;
    struct wf_session *next = fresh();
    uint8_t *state = checkpoint ? wf_session_save_checkpoint(in->s, &len, &offset)
                                : wf_session_write_state(in->s, &len);
    require(state || checkpoint);
    if (state) {
        const int err = checkpoint ? wf_session_restore_checkpoint(next, state, len, offset)
                                   : wf_session_read_state(next, state, len);
        require(err == WF_OK);
        uint8_t *same = checkpoint ? wf_session_save_checkpoint(next, &again, &offset)
                                   : wf_session_write_state(next, &again);
        require(same && len == again && memcmp(state, same, len) == 0);
        free(same);
        if (checkpoint) {
            const struct wf_session *kept = in->s;
            require(wf_session_keep_names(next, kept) == WF_OK);
            wf_session_close(in->s);
            in->s = next;
            in->records = 0;
            next = NULL;
        }
    }
    free(state);
    wf_session_close(next);
}

static void step(struct script *in) {
    const uint8_t op = take(in);
    size_t len;
    in->split = op & 128;
    in->waits = op & 64;
    if (op % 16 < 2 || op % 16 == 6) feed(in);
    switch (op % 16) {
    case 0:
    case 1:
        if (op % 16)
            wf_session_lose(in->s, 1u + take(in));
        else
            wf_session_relink(in->s);
        require(in->s->frames.offset == in->s->frames.start); // a frame begins
        break;
    case 2: in->damaged = true; break;
    case 3: send_record(in, WF_RECORD_target_info, in->made + 1); break;
    case 4: send_record(in, WF_RECORD_empty, in->made = 1); break;
    case 5: send_record(in, WF_RECORD_sync, in->made + 1); break;
    case 6: move_on(in, op & 32); break;
    case 7:
        len = take(in);
        const uint8_t *raw = take_bytes(in, &len);
        add(in, raw, len);
        break;
    case 8: send_record(in, take(in), in->made + 1); break;
    case 9: send_sync(in); break;
    case 10:
    case 11: send_record(in, WF_RECORD_objects, in->made); break;
    default: send_packed(in);
    }
    drain(in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct script in = {.at = data, .end = data + size, .s = fresh()};
    while (in.at != in.end) step(&in);
    feed(&in);
    wf_session_end(in.s);
    drain(&in);
    require(!in.s->packed.holding && in.s->frames.offset == in.s->frames.start);
    wf_session_close(in.s);
    return 0;
}
