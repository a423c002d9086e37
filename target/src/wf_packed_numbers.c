// SPDX-License-Identifier: MIT
// Numbers of tasks and objects in packed frames: a hash table of pointers, in which an entry never
// moves or changes. The reader sends a new entry before the frames that use it, and all again from
// time to time; they are not in the ring, so that no overrun drops them. Also what a reset leaves.

#include "wfi_packed.h"

#if WF_CFG_PACKED

enum {
    WFI_PROBES = 8, // entries that are searched for a pointer
    WFI_AGAIN = 4,  // numbers sent again after a SYNC
    WFI_LAST = WF_CFG_PACKED_OBJECTS - 1,
    // The most numbers in a record: all bytes with escapes, and its head and end, fit the stage.
    WFI_NUMBERS_MAX = (WFI_STAGE - 8) / (2 * (1 + WF_CFG_OBJ_SIZE))
};

static bool is_announced(unsigned at) { return wfi.packed.announced[at / 8] >> at % 8 & 1; }

// Searches a pointer from its hash on. Returns its entry, the unused one to give it, or one past
// the last if there is none.
static unsigned find_object(const void *object) {
    unsigned at = wfi_object_hash(object);
    for (unsigned i = 0; i < WFI_PROBES; ++i, at = (at + 1) & WFI_LAST) {
        if (wfi.objects[at] == object || wfi.objects[at] == WFI_UNUSED) return at;
    }
    return WF_CFG_PACKED_OBJECTS;
}

unsigned wfi_number(unsigned what, const void *object) {
    if (!object || object == WFI_UNUSED) return object ? WF_PACKED_NO_NUMBER : 0;
    unsigned at = find_object(object);
    if (at < WF_CFG_PACKED_OBJECTS && wfi.objects[at] != object) {
        uint32_t was = WFI_LOCK(what);
        at = find_object(object);
        if (at < WF_CFG_PACKED_OBJECTS) {
            wfi.objects[at] = object;
            wfi.packed.unannounced = true;
        }
        WFI_UNLOCK(what, was);
    }
    return at < WF_CFG_PACKED_OBJECTS ? at + 1 : WF_PACKED_NO_NUMBER;
}

void wfi_repeat_numbers(void) {
    for (unsigned i = 0; i < WFI_AGAIN; ++i) {
        const unsigned at = wfi.packed.again++ & WFI_LAST;
        wfi.packed.announced[at / 8] = (uint8_t)(wfi.packed.announced[at / 8] & ~(1u << at % 8));
        if (wfi.objects[at] != WFI_UNUSED) wfi.packed.unannounced = true;
    }
}

void wf_announce_numbers(void) { wfi.packed.announce_all = wfi.packed.unannounced = true; }

static uint8_t *put_escaped_sum(uint8_t *to, uint8_t byte, uint8_t *sum) {
    *sum = (uint8_t)(*sum + byte);
    if (wfi_special(byte)) {
        *to++ = WFI_ESC;
        byte ^= WFI_ESC_XOR;
    }
    *to++ = byte;
    return to;
}

// Writes a record of the numbers that were not sent yet. Returns its end, or `to` without any.
static uint8_t *put_objects(uint8_t *to) {
    uint8_t *const first = to, seq = (uint8_t)wfi.tail_at.count;
    uint8_t sum = 0;
    unsigned count = 0;
    to = put_escaped_sum(to, seq, &sum);
    to = put_escaped_sum(to, WF_ID_objects, &sum);
    for (unsigned at = 0; at < WF_CFG_PACKED_OBJECTS; ++at) {
        if (wfi.objects[at] == WFI_UNUSED || is_announced(at)) continue;
        if (count++ == WFI_NUMBERS_MAX) {
            wfi.packed.unannounced = true;
            break;
        }
        uint8_t pointer[WF_CFG_OBJ_SIZE];
        wfi.packed.announced[at / 8] = (uint8_t)(wfi.packed.announced[at / 8] | 1u << at % 8);
        to = put_escaped_sum(to, (uint8_t)(at + 1), &sum);
        wfi_put_le(pointer, (uintptr_t)wfi.objects[at], WF_CFG_OBJ_SIZE);
        for (unsigned i = 0; i < WF_CFG_OBJ_SIZE; ++i) to = put_escaped_sum(to, pointer[i], &sum);
    }
    if (!count) return first;
    to = put_escaped_sum(to, (uint8_t)~sum, &sum);
    *to++ = WFI_FLAG;
    return to;
}

void wfi_stage_numbers(unsigned what) {
    uint32_t was = WFI_LOCK(what);
    wfi.packed.unannounced = false; // one that another context adds from here on is sent next time
    const bool all = wfi.packed.announce_all;
    wfi.packed.announce_all = false;
    WFI_UNLOCK(what, was);
    if (all) wfi_fill(wfi.packed.announced, sizeof wfi.packed.announced, 0);
    wfi.stage_len = (uint16_t)(put_objects(wfi.stage) - wfi.stage);
    wfi.own = wfi.stage_len != 0;
}

void wfi_close_for_reader(void) {
    if (wfi.open >> 16 == 0) return;
    const wf_stamp base = wfi_stamp_at(wfi.next + 3);
    if (!wfi.config->hold || (wf_stamp)(wf_port_now() - base) >= wfi.config->hold)
        wfi_close_packed();
}

void wfi_start_packed(void) {
    wfi_fill(wfi.objects, sizeof wfi.objects, 0xFF);
    wfi.object_count = WF_CFG_PACKED_OBJECTS;
    wfi.open = WFI_CLOSED;
}

// number: of the last record in the ring.
bool wfi_keep_packed(uint32_t number) {
    const uint32_t len = wfi.open & 0xFFFF, events = wfi.open >> 16;
    if (wfi.object_count != WF_CFG_PACKED_OBJECTS) return false;
    if (len == WFI_CLOSED) return true;
    const size_t room = (size_t)(wfi_room_end(wfi.next) - wfi.next);
    if (len < WFI_PACKED_HEAD || len > WFI_PACKED_MAX || len > room) return false;
    uint8_t head[4];
    wfi_put_le(head, number + 1, 4);
    bool good = wfi.next[2] == WF_ID_packed;
    for (unsigned i = 0; i < 4; ++i) good &= wfi.next[3 + WF_CFG_TIME_SIZE + i] == head[i];
    if (!good || !events) wfi.open = WFI_CLOSED; // it was closed, or has no event
    return true;
}
#endif
