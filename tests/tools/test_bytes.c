// SPDX-License-Identifier: MIT
// What bytes look like that are not frames: each format is recognised, and nothing else is.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bytes.h"

enum { CAP = 1 << 16, FRAMES = 300 };
static uint8_t buffer[CAP], sent[CAP];
static char evidence[BYTES_EVIDENCE];

static uint32_t seed;
static uint8_t random_byte(void) {
    seed = seed * 1664525 + 1013904223;
    return (uint8_t)(seed >> 24);
}

static enum bytes_kind guess(const uint8_t *bytes, size_t len) {
    uint8_t *exact = malloc(len ? len : 1); // reads beyond the end are seen by ASan
    assert_non_null(exact);
    memcpy(exact, bytes, len);
    enum bytes_kind kind = bytes_guess(exact, len, evidence);
    assert_true((kind == BYTES_UNKNOWN) == !*evidence);
    free(exact);
    return kind;
}

static size_t put_escaped(uint8_t *to, uint8_t byte) {
    if (byte != 0x7D && byte != 0x7E) {
        *to = byte;
        return 1;
    }
    to[0] = 0x7D;
    to[1] = byte ^ 0x20;
    return 2;
}

// Frames of a trace: sequence, record, time, a number.
static size_t make_frames(uint8_t *to, unsigned mask) {
    size_t at = 0;
    for (unsigned n = 1; n <= FRAMES; ++n) {
        uint8_t frame[] = {(uint8_t)n, 0x56, (uint8_t)(n * 37), (uint8_t)(n >> 2),
                           3,          0,    random_byte()};
        unsigned sum = 0;
        for (size_t i = 0; i < sizeof frame; ++i) {
            sum += frame[i];
            at += put_escaped(to + at, frame[i]);
        }
        at += put_escaped(to + at, (uint8_t)~sum);
        to[at++] = 0x7E;
    }
    for (size_t i = 0; i < at; ++i) to[i] &= (uint8_t)mask;
    return at;
}

static void text_is_recognised(void **state) {
    static const char line[] = "[00:01:22.100] sensor: 21.4 degrees\r\n";
    (void)state;
    size_t len = 0;
    for (unsigned i = 0; i < 20; ++i, len += sizeof line - 1)
        memcpy(buffer + len, line, sizeof line - 1);
    assert_int_equal(guess(buffer, len), BYTES_TEXT);
    assert_non_null(strstr(evidence, "[00:01:22.100] sensor: 21.4 degrees\\n"));
    assert_int_equal(guess(buffer, BYTES_MIN - 1), BYTES_UNKNOWN);
}

static void seven_bits_are_recognised(void **state) {
    (void)state;
    size_t len = make_frames(buffer, 0x7F);
    assert_int_equal(guess(buffer, len), BYTES_SEVEN_BITS);
    assert_non_null(strstr(evidence, "always 0"));
    for (unsigned odd = 0; odd < 2; ++odd) {
        for (size_t i = 0; i < len; ++i) {
            unsigned bits = odd;
            for (unsigned k = 0; k < 7; ++k) bits += (unsigned)buffer[i] >> k & 1;
            sent[i] = (uint8_t)(buffer[i] | (bits & 1) << 7);
        }
        assert_int_equal(guess(sent, len), BYTES_SEVEN_BITS);
        assert_non_null(strstr(evidence, odd ? "7O1" : "7E1"));
    }
}

static void good_frames_are_nothing_of_these(void **state) {
    (void)state;
    assert_int_equal(guess(buffer, make_frames(buffer, 0xFF)), BYTES_UNKNOWN);
}

// ---- an inverted line

static uint8_t levels[20 * CAP];

static size_t put_line(const uint8_t *bytes, size_t len) {
    size_t at = 0;
    for (unsigned i = 0; i < 20; ++i) levels[at++] = 0;
    for (size_t i = 0; i < len; ++i) {
        levels[at++] = 1;
        for (unsigned k = 0; k < 8; ++k) levels[at++] = !(bytes[i] >> k & 1);
        levels[at++] = 0;
        // The sender pauses after each frame of every other burst.
        for (unsigned pause = bytes[i] == 0x7E && i / 100 % 2 ? 30 : 0; pause; --pause)
            levels[at++] = 0;
    }
    return at;
}

// A receiver with 8N1: what it gets if a wrong stop bit is taken for the next start bit, or not.
static size_t receive(size_t count, bool start, uint8_t *to) {
    size_t n = 0, at = 0;
    while (at + 10 < count) {
        if (levels[at]) {
            ++at;
            continue;
        }
        unsigned byte = 0;
        for (unsigned k = 0; k < 8; ++k) byte |= (unsigned)levels[at + 1 + k] << k;
        at += 9;
        bool stop = levels[at];
        if (stop || byte) to[n++] = (uint8_t)byte; // else a break
        if (stop || !start || !byte)
            while (at < count && !levels[at]) ++at;
    }
    return n;
}

static void inverted_lines_are_recognised(void **state) {
    (void)state;
    size_t count = put_line(sent, make_frames(sent, 0xFF));
    for (unsigned start = 0; start < 2; ++start) {
        size_t len = receive(count, start, buffer);
        assert_true(len > 1000);
        assert_int_equal(guess(buffer, len), BYTES_INVERTED);
    }
}

// ---- other protocols

static size_t put_fcs(uint8_t *to, const uint8_t *packet, size_t len) {
    unsigned crc = 0xFFFF;
    size_t at = 0;
    for (size_t i = 0; i < len; ++i) {
        crc ^= packet[i];
        for (unsigned k = 0; k < 8; ++k) crc = crc & 1 ? crc >> 1 ^ 0x8408 : crc >> 1;
        at += put_escaped(to + at, packet[i]);
    }
    at += put_escaped(to + at, (uint8_t)~crc);
    at += put_escaped(to + at, (uint8_t)(~crc >> 8));
    to[at++] = 0x7E;
    return at;
}

static size_t put_slip(uint8_t *to, const uint8_t *packet, size_t len) {
    size_t at = 0;
    for (size_t i = 0; i < len; ++i) {
        bool special = packet[i] == 0xC0 || packet[i] == 0xDB;
        if (special) to[at++] = 0xDB;
        to[at++] = packet[i] == 0xC0 ? 0xDC : packet[i] == 0xDB ? 0xDD : packet[i];
    }
    to[at++] = 0xC0;
    return at;
}

static size_t put_cobs(uint8_t *to, const uint8_t *packet, size_t len) {
    size_t code = 0, at = 1;
    for (size_t i = 0; i < len; ++i) {
        if (packet[i]) {
            to[at++] = packet[i];
            continue;
        }
        to[code] = (uint8_t)(at - code);
        code = at++;
    }
    to[code] = (uint8_t)(at - code);
    to[at++] = 0;
    return at;
}

static void other_protocols_are_recognised(void **state) {
    static const struct {
        enum bytes_kind kind;
        size_t (*put)(uint8_t *to, const uint8_t *packet, size_t len);
    } rows[] = {{BYTES_HDLC, put_fcs}, {BYTES_SLIP, put_slip}, {BYTES_COBS, put_cobs}};
    uint8_t packet[40];
    (void)state;
    for (unsigned r = 0; r < 3; ++r) {
        size_t len = 0;
        for (unsigned i = 0; i < 60; ++i) {
            for (unsigned k = 0; k < sizeof packet; ++k) packet[k] = random_byte();
            len += rows[r].put(buffer + len, packet, sizeof packet - i % 20);
        }
        assert_int_equal(guess(buffer, len), rows[r].kind);
        assert_int_equal(guess(buffer + 7, len - 20), rows[r].kind); // joined in the middle
    }
}

static void noise_is_nothing(void **state) {
    (void)state;
    for (unsigned run = 0; run < 500; ++run) {
        size_t len = 64 + 16 * run;
        seed = run;
        for (size_t i = 0; i < len; ++i) buffer[i] = random_byte();
        assert_int_equal(guess(buffer, len), BYTES_UNKNOWN);
        memset(buffer, (int)run, len); // a line that stands still
        if (!bytes_are_text(buffer, len)) assert_int_equal(guess(buffer, len), BYTES_UNKNOWN);
    }
}

static void samples_fit_their_room(void **state) {
    char text[24];
    size_t at;
    (void)state;
    memset(buffer, 0xEE, 100);
    for (size_t cap = 6; cap <= sizeof text; ++cap) {
        bytes_quote(buffer, 100, text, cap);
        assert_true(strlen(text) < cap && strlen(text) + 5 >= cap);
        bytes_hex(buffer, 100, text, cap);
        assert_true(strlen(text) < cap);
    }
    bytes_hex(buffer, 3, text, sizeof text);
    assert_string_equal(text, "ee ee ee");
    memcpy(buffer + 40, "temperature", 11);
    assert_int_equal(bytes_find_text(buffer, 100, &at), 11);
    assert_int_equal(at, 40);
    assert_int_equal(bytes_find_text(buffer, 0, &at), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_recognised),
        cmocka_unit_test(seven_bits_are_recognised),
        cmocka_unit_test(good_frames_are_nothing_of_these),
        cmocka_unit_test(inverted_lines_are_recognised),
        cmocka_unit_test(other_protocols_are_recognised),
        cmocka_unit_test(noise_is_nothing),
        cmocka_unit_test(samples_fit_their_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
