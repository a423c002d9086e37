// SPDX-License-Identifier: MIT
// The head of a message is written first, then the content is copied behind it. The length of the
// content, which is known then, has a varint of always three bytes.

#include "wallfly/wf_chunk.h"

#include "wfi_core.h"

#if !WF_CFG_SLOTS

enum {
    WFI_CHUNK_FLAGS_AT = 4,
    WFI_CHUNK_STREAM_AT = 5,
    WFI_CHUNK_BEGINS = 1,
    WFI_CHUNK_LEN = 3,
    WFI_CHUNK_SUM = 4
};

// ---- bytes

// CRC-32C (Castagnoli, reflected), four bits at a time.
static uint32_t chunk_crc32c(const uint8_t *bytes, uint32_t len) {
    static const uint32_t table[16] = {0x00000000, 0x105EC76F, 0x20BD8EDE, 0x30E349B1,
                                       0x417B1DBC, 0x5125DAD3, 0x61C69362, 0x7198540D,
                                       0x82F63B78, 0x92A8FC17, 0xA24BB5A6, 0xB21572C9,
                                       0xC38D26C4, 0xD3D3E1AB, 0xE330A81A, 0xF36E6F75};
    uint32_t sum = 0xFFFFFFFF;
    while (len--) {
        sum ^= *bytes++;
        sum = sum >> 4 ^ table[sum & 15];
        sum = sum >> 4 ^ table[sum & 15];
    }
    return ~sum;
}

static WFI_NOINLINE uint8_t *put_low_first(uint8_t *to, uint64_t value, unsigned len) {
    while (len--) {
        *to++ = (uint8_t)value;
        value >>= 8;
    }
    return to;
}

static WFI_NOINLINE uint8_t *put_chunk_varint(uint8_t *to, uint64_t value) {
    for (; value > 0x7F; value >>= 7) *to++ = (uint8_t)(value | 0x80);
    *to++ = (uint8_t)value;
    return to;
}

// ---- messages

static void end_chunk(struct wf_chunk_sender *s, bool begins) {
    s->offset += s->content;
    s->content = 0;
    s->begins = begins;
}

void wf_chunk_open(struct wf_chunk_sender *s, uint64_t stream, void *buffer, uint32_t size) {
    s->stream = stream;
    s->offset = 0;
    s->buffer = (uint8_t *)buffer;
    s->size = size;
    s->content = 0;
    s->begins = true;
}

static void put_chunk_sum(const struct wf_chunk_sender *s) {
    const uint32_t len = s->head + s->content;
    put_low_first(s->buffer + len, chunk_crc32c(s->buffer, len), WFI_CHUNK_SUM);
}

static void put_chunk_head(struct wf_chunk_sender *s, uint64_t utc_us) {
    uint8_t *p = put_low_first(s->buffer, 0x31636677, WFI_CHUNK_FLAGS_AT); // "wfc1"
    *p++ = s->begins ? WFI_CHUNK_BEGINS : 0;
    p = put_low_first(p, s->stream, 8);
    p = put_chunk_varint(p, s->offset);
    p = put_chunk_varint(p, utc_us);
    s->head = (uint8_t)(p - s->buffer + WFI_CHUNK_LEN);
}

// Copies what the recorder has, as much as fits.
static void put_chunk_content(struct wf_chunk_sender *s) {
    uint8_t *to = s->buffer + s->head;
    const uint8_t *block;
    uint32_t len;
    while ((len = wf_get_block(&block, s->size - WF_CHUNK_FRAME - s->content)) != 0) {
        for (uint32_t i = 0; i < len; ++i) *to++ = block[i];
        s->content += len;
        wf_block_done(len);
    }
    to = s->buffer + s->head - WFI_CHUNK_LEN;
    to[0] = (uint8_t)(s->content | 0x80);
    to[1] = (uint8_t)(s->content >> 7 | 0x80);
    to[2] = (uint8_t)(s->content >> 14);
}

uint32_t wf_chunk_next(struct wf_chunk_sender *s, uint64_t utc_us, const uint8_t **message) {
    if (!s->content) {
        put_chunk_head(s, utc_us);
        put_chunk_content(s);
        if (!s->content) return 0;
        put_chunk_sum(s);
    }
    *message = s->buffer;
    return s->head + s->content + WFI_CHUNK_SUM;
}

void wf_chunk_skip(struct wf_chunk_sender *s) {
    if (s->content) end_chunk(s, true);
}

// ---- answers

bool wf_chunk_take_answer(struct wf_chunk_sender *s, const void *answer, uint32_t len) {
    const uint8_t *p = (const uint8_t *)answer;
    if (len < 9 || len > 18 || p[len - 1] > 0x7F || !s->content) return false;
    for (unsigned i = 0; i < 8; ++i)
        if (p[i] != s->buffer[WFI_CHUNK_STREAM_AT + i]) return false;
    uint64_t wanted = 0;
    while (len > 8) wanted = wanted << 7 | (p[--len] & 0x7F);
    if (wanted >= s->offset + s->content) {
        end_chunk(s, false);
        return true;
    }
    // An agent that wants bytes from before the message has lost what it had: they are gone here.
    if (wanted < s->offset) {
        s->buffer[WFI_CHUNK_FLAGS_AT] = WFI_CHUNK_BEGINS;
        put_chunk_sum(s);
    }
    return false;
}

#endif
