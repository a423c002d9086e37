// SPDX-License-Identifier: MIT
// Messages of chunks, answers (wf_fleet_chunk.h), and profiles (wf_fleet_profile.h). The first
// byte: how many of the last bytes are made a right checksum of what is before them (0: none, else
// 4). What is read must be what is written from it, and a stream never goes back.

#include <stdlib.h>
#include <string.h>

#include "util/wfi_crc32c.h"
#include "wallfly_host/wf_fleet_chunk.h"
#include "wallfly_host/wf_fleet_profile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool good) {
    if (!good) abort();
}

static void write_again(const struct wf_fleet_chunk *chunk) {
    struct wf_fleet_chunk again;
    uint8_t *to = malloc(chunk->len + WF_FLEET_CHUNK_FRAME);
    require(to != NULL);
    size_t at = 0, len = wf_fleet_chunk_write(chunk, to);
    require(len <= chunk->len + WF_FLEET_CHUNK_FRAME);
    require(wf_fleet_chunk_read(to, len, &at, &again, NULL) == WF_OK && at == len);
    require(again.flags == chunk->flags && again.stream == chunk->stream &&
            again.offset == chunk->offset && again.arrival_us == chunk->arrival_us &&
            again.len == chunk->len &&
            (!again.len || !memcmp(again.bytes, chunk->bytes, again.len)));
    free(to);
}

static void take(struct wf_fleet_order *order, struct wf_fleet_chunk *chunk) {
    static uint8_t unpacked[WF_FLEET_CHUNK_MAX];
    const struct wf_fleet_order before = *order;
    struct wf_error error;
    if (wf_fleet_chunk_unpack(chunk, unpacked, &error) != WF_OK) {
        require(error.text[0] != 0);
        return;
    }
    const bool next = wf_fleet_order_take(order, chunk) == WF_FLEET_NEXT;
    require(next == (order->wanted != before.wanted));
    require(order->wanted - before.wanted ==
            (next ? chunk->len : 0) + order->given_up - before.given_up);
}

static void read_answer(const uint8_t *bytes, size_t len) {
    uint64_t stream, wanted, again[2];
    uint8_t to[WF_FLEET_ANSWER_MAX];
    if (!wf_fleet_answer_read(bytes, len, &stream, &wanted)) return;
    len = wf_fleet_answer_write(stream, wanted, to);
    require(len <= sizeof to && wf_fleet_answer_read(to, len, &again[0], &again[1]));
    require(again[0] == stream && again[1] == wanted);
}

// A profile has one text.
static void read_profile(const char *text, size_t len) {
    struct wf_fleet_profile profile;
    struct wf_error error;
    char again[WF_FLEET_PROFILE_MAX];
    if (wf_fleet_profile_parse(text, len, &profile, &error) != WF_OK) {
        require(error.text[0] != 0);
        return;
    }
    wf_fleet_profile_print(&profile, again);
    require(strlen(again) == len && memcmp(again, text, len) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct wf_fleet_order order = {0};
    struct wf_fleet_chunk chunk;
    struct wf_error error;
    size_t at = 0;
    if (size < 1) return 0;
    const size_t len = size - 1;
    uint8_t *message = malloc(len + 1);
    require(message != NULL);
    memcpy(message, data + 1, len);
    read_answer(message, len);
    read_profile((const char *)message, len);
    if (data[0] && len >= 4) {
        const uint32_t sum = wfi_crc32c(message, len - 4);
        for (unsigned i = 0; i < 4; ++i) message[len - 4 + i] = (uint8_t)(sum >> 8 * i);
    }
    while (at < len && wf_fleet_chunk_read(message, len, &at, &chunk, &error) == WF_OK) {
        write_again(&chunk);
        take(&order, &chunk);
    }
    require(at == len || error.text[0] != 0);
    free(message);
    return 0;
}
