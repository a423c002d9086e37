// SPDX-License-Identifier: MIT
// Chunks of streams: the bytes are those of the format's description, whatever is cut or damaged is
// refused, and a stream sent over a bad link arrives once, in order, with what was given up
// counted.

#include <zstd.h>

#include "util/wfi_crc32c.h"
#include "wallfly_host/wf_fleet_chunk.h"
#include "wf_test.h"

enum { ROOM = WF_FLEET_CHUNK_MAX + WF_FLEET_CHUNK_FRAME };

static uint8_t message[2 * ROOM], content[WF_FLEET_CHUNK_MAX + 1], unpacked[WF_FLEET_CHUNK_MAX];

// ---- bytes

// Bit by bit, as RFC 3720 describes it.
static uint32_t slow_crc32c(const uint8_t *bytes, size_t len) {
    uint32_t c = 0xFFFFFFFF;
    for (size_t i = 0; i < 8 * len; ++i) {
        const uint32_t bit = (c ^ (uint32_t)(bytes[i / 8] >> i % 8)) & 1;
        c = c >> 1 ^ (bit ? 0x82F63B78 : 0);
    }
    return ~c;
}

static void checksums_are_those_of_the_rfc(void **state) {
    (void)state;
    uint8_t bytes[32] = {0};
    assert_int_equal(wfi_crc32c(bytes, 32), 0x8A9136AA);
    memset(bytes, 0xFF, 32);
    assert_int_equal(wfi_crc32c(bytes, 32), 0x62A8AB43);
    for (uint8_t i = 0; i < 32; ++i) bytes[i] = i;
    assert_int_equal(wfi_crc32c(bytes, 32), 0x46DD794E);
    assert_int_equal(wfi_crc32c((const uint8_t *)"123456789", 9), 0xE3069283);
    for (size_t i = 0; i < 4096; ++i) content[i] = (uint8_t)rand();
    for (size_t len = 0; len < 4000; len += 7) {
        const uint32_t sum = slow_crc32c(content + len % 9, len);
        assert_int_equal(wfi_crc32c(content + len % 9, len), sum);
        assert_int_equal(wfi_crc32c_by_table(content + len % 9, len), sum);
    }
}

static void put_number(uint8_t **p, uint64_t v) {
    do *(*p)++ = (uint8_t)(v % 128 | (v >= 128 ? 128 : 0));
    while (v /= 128);
}

// The chunk as the description has it.
static size_t put_chunk(uint8_t *to, const struct wf_fleet_chunk *c) {
    uint8_t *p = to;
    memcpy(p, "wfc1", 4);
    p += 4;
    put_number(&p, c->flags);
    for (unsigned i = 0; i < 8; ++i) *p++ = (uint8_t)(c->stream >> 8 * i);
    put_number(&p, c->offset);
    put_number(&p, c->arrival_us);
    put_number(&p, c->len);
    for (size_t i = 0; i < c->len; ++i) *p++ = c->bytes[i];
    const uint32_t sum = slow_crc32c(to, (size_t)(p - to));
    for (unsigned i = 0; i < 4; ++i) *p++ = (uint8_t)(sum >> 8 * i);
    return (size_t)(p - to);
}

static uint64_t random_number(unsigned most_bits) {
    const uint64_t v = (uint64_t)rand() << 42 ^ (uint64_t)rand() << 21 ^ (uint64_t)rand();
    return v >> (64 - most_bits + (unsigned)rand() % most_bits);
}

static struct wf_fleet_chunk random_chunk(size_t most) {
    const size_t len = (size_t)rand() % (most + 1);
    for (size_t i = 0; i < len; ++i) content[i] = (uint8_t)rand();
    return (struct wf_fleet_chunk){.flags = (unsigned)rand() % 4,
                                   .stream = random_number(64),
                                   .offset = random_number(63),
                                   .arrival_us = random_number(64),
                                   .bytes = content,
                                   .len = len};
}

static void expect_same(const struct wf_fleet_chunk *a, const struct wf_fleet_chunk *b) {
    assert_int_equal(a->flags, b->flags);
    assert_true(a->stream == b->stream && a->offset == b->offset && a->arrival_us == b->arrival_us);
    assert_int_equal(a->len, b->len);
    assert_memory_equal(a->bytes, b->bytes, a->len);
}

static void a_message_has_the_chunks_that_were_written(void **state) {
    (void)state;
    static uint8_t own[ROOM];
    for (unsigned n = 0; n < 500; ++n) {
        const struct wf_fleet_chunk wanted = random_chunk(600);
        size_t len = put_chunk(message, &wanted), at = 0;
        assert_int_equal(wf_fleet_chunk_write(&wanted, own), len);
        assert_memory_equal(own, message, len);
        const size_t both = len + put_chunk(message + len, &wanted);
        struct wf_fleet_chunk got;
        for (unsigned i = 1; i <= 2; ++i) {
            assert_int_equal(wf_fleet_chunk_read(message, both, &at, &got, NULL), WF_OK);
            assert_int_equal(at, i * len);
            expect_same(&got, &wanted);
        }
    }
}

static void expect_refused(size_t len, const char *words) {
    struct wf_fleet_chunk got;
    struct wf_error error;
    size_t at = 0;
    assert_int_equal(wf_fleet_chunk_read(message, len, &at, &got, &error), WF_ERR_BAD_CHUNK);
    assert_int_equal(at, 0);
    assert_int_equal(error.place, WF_AT_BYTE);
    if (words) assert_non_null(strstr(error.text, words));
}

static void what_is_cut_or_damaged_is_refused(void **state) {
    (void)state;
    const struct wf_fleet_chunk chunk = random_chunk(200);
    const size_t len = put_chunk(message, &chunk);
    for (size_t cut = 0; cut < len; ++cut)
        expect_refused(cut, cut < 4 ? "no chunk begins here" : "not whole");
    for (size_t bit = 0; bit < 8 * len; ++bit) {
        message[bit / 8] ^= (uint8_t)(1 << bit % 8);
        expect_refused(len, NULL);
        message[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
}

static void what_no_stream_has_is_refused(void **state) {
    (void)state;
    struct wf_fleet_chunk chunk = {.flags = 16, .bytes = content, .len = 5};
    expect_refused(put_chunk(message, &chunk), "flags");
    chunk = (struct wf_fleet_chunk){.bytes = content, .len = WF_FLEET_CHUNK_MAX + 1};
    expect_refused(put_chunk(message, &chunk), "over 1 MiB");
    chunk = (struct wf_fleet_chunk){.offset = UINT64_MAX - 3, .bytes = content, .len = 5};
    expect_refused(put_chunk(message, &chunk), "beyond the end");
    chunk = (struct wf_fleet_chunk){.bytes = content, .len = WF_FLEET_CHUNK_MAX};
    size_t at = 0;
    assert_int_equal(wf_fleet_chunk_read(message, put_chunk(message, &chunk), &at, &chunk, NULL),
                     WF_OK);
}

static struct wf_fleet_chunk packed_chunk(size_t len) {
    static uint8_t packed[WF_FLEET_CHUNK_MAX];
    memset(content, 7, len);
    const size_t got = ZSTD_compress(packed, sizeof packed, content, len, 1);
    assert_false(ZSTD_isError(got));
    return (struct wf_fleet_chunk){
        .flags = WF_FLEET_CHUNK_PACKED | WF_FLEET_CHUNK_BOX, .bytes = packed, .len = got};
}

static void packed_chunks_are_bounded(void **state) {
    (void)state;
    struct wf_fleet_chunk chunk = packed_chunk(WF_FLEET_CHUNK_MAX);
    assert_int_equal(wf_fleet_chunk_unpack(&chunk, unpacked, NULL), WF_OK);
    assert_int_equal(chunk.flags, WF_FLEET_CHUNK_BOX);
    assert_int_equal(chunk.len, WF_FLEET_CHUNK_MAX);
    assert_memory_equal(chunk.bytes, content, chunk.len);
    chunk = packed_chunk(WF_FLEET_CHUNK_MAX + 1); // a bomb is packed as well
    assert_int_equal(wf_fleet_chunk_unpack(&chunk, unpacked, NULL), WF_ERR_BAD_CHUNK);
    assert_int_equal(chunk.flags, WF_FLEET_CHUNK_PACKED | WF_FLEET_CHUNK_BOX);
    chunk = packed_chunk(5000);
    --chunk.len;
    assert_int_equal(wf_fleet_chunk_unpack(&chunk, unpacked, NULL), WF_ERR_BAD_CHUNK);
    chunk.flags = 0;
    assert_int_equal(wf_fleet_chunk_unpack(&chunk, unpacked, NULL), WF_OK); // not packed
    assert_true(chunk.bytes != unpacked);
}

// ---- order

enum { STREAM = 60000, WAYS = 8 };
static uint8_t stream[STREAM];

// A device that knows what is wanted by the answers that arrive.
struct device {
    size_t sent, kept; // the next byte to send; bytes before `kept` were given up
    bool given_up;     // and that was not sent yet
};

struct link {
    struct wf_fleet_chunk way[WAYS]; // chunks under way, in any order
    unsigned count;
};

static struct wf_fleet_chunk next_chunk(struct device *d) {
    size_t len = 1 + (size_t)rand() % 900;
    if (len > STREAM - d->sent) len = STREAM - d->sent;
    const struct wf_fleet_chunk c = {
        .flags = d->given_up && d->sent == d->kept ? WF_FLEET_CHUNK_BEGINS : 0,
        .offset = d->sent,
        .bytes = stream + d->sent,
        .len = len};
    d->sent += len;
    return c;
}

// The link loses chunks, repeats them and swaps them.
static void send(struct link *l, struct wf_fleet_chunk c) {
    for (unsigned copies = (unsigned)rand() % 10; copies < 9; copies += 6) {
        if (l->count < WAYS) l->way[l->count++] = c;
    }
}

static bool receive(struct link *l, struct wf_fleet_chunk *c) {
    if (!l->count || rand() % 3 == 0) return false;
    const unsigned i = (unsigned)rand() % l->count;
    *c = l->way[i];
    l->way[i] = l->way[--l->count];
    return true;
}

static uint64_t run_stream(unsigned seed) {
    struct device d = {0};
    struct link l = {.count = 0};
    struct wf_fleet_order order = {0};
    struct wf_fleet_chunk c;
    uint64_t taken = 0;
    srand(seed);
    while (order.wanted < STREAM) {
        if (d.sent < STREAM && rand() % 2) send(&l, next_chunk(&d));
        while (receive(&l, &c)) {
            const uint64_t before = order.wanted, lost = order.given_up;
            const enum wf_fleet_arrival what = wf_fleet_order_take(&order, &c);
            if (what == WF_FLEET_NEXT) {
                assert_true(c.offset == before + (order.given_up - lost));
                assert_ptr_equal(c.bytes, stream + c.offset);
                taken += c.len;
            } else {
                assert_true(order.wanted == before && order.given_up == lost);
            }
        }
        if (rand() % 4 == 0 ||
            d.sent == STREAM) { // an answer arrives, and nothing moves: back to what is wanted
            d.given_up = d.given_up && order.wanted < d.kept;
            d.sent = order.wanted > d.kept ? (size_t)order.wanted : d.kept;
        }
        if (rand() % 200 == 0 && d.sent + 2000 < STREAM) { // its ring is full
            d.kept = d.sent += (size_t)rand() % 2000;
            d.given_up = true;
        }
    }
    assert_true(taken + order.given_up == STREAM);
    return order.given_up;
}

static void a_stream_arrives_once_and_in_order(void **state) {
    (void)state;
    uint64_t given_up = 0;
    for (size_t i = 0; i < STREAM; ++i) stream[i] = (uint8_t)(i * 31 >> 3);
    for (unsigned seed = 1; seed <= 1000; ++seed) given_up += run_stream(seed);
    assert_true(given_up > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checksums_are_those_of_the_rfc),
        cmocka_unit_test(a_message_has_the_chunks_that_were_written),
        cmocka_unit_test(what_is_cut_or_damaged_is_refused),
        cmocka_unit_test(what_no_stream_has_is_refused),
        cmocka_unit_test(packed_chunks_are_bounded),
        cmocka_unit_test(a_stream_arrives_once_and_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
