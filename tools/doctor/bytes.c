// SPDX-License-Identifier: MIT
// Formats of bytes that are not frames of a trace. Each check has a structure that random bytes and
// bytes at a wrong rate do not have.

#include "bytes.h"

#include <stdio.h>
#include <string.h>

enum { FLAG = 0x7E, ESCAPE = 0x7D, FLIP = 0x20, FRAME_MIN = 3, FRAME_MAX = 2048 };

static bool is_printable(uint8_t byte) {
    return (byte >= 0x20 && byte < 0x7F) || (byte >= '\a' && byte <= '\r') || byte == 0x1B;
}

// Without bells, escapes and other controls, which random bytes have more often.
static bool is_letter(uint8_t byte) {
    return (byte >= 0x20 && byte < 0x7F) || byte == '\r' || byte == '\n' || byte == '\t';
}

bool bytes_are_text(const uint8_t *bytes, size_t len) {
    size_t printable = 0;
    for (size_t i = 0; i < len; ++i) printable += is_printable(bytes[i]) || bytes[i] >= 0xC3;
    return len && printable * 20 >= len * 19;
}

size_t bytes_find_text(const uint8_t *bytes, size_t len, size_t *at) {
    size_t longest = 0, n = 0;
    *at = 0;
    for (size_t i = 0; i < len; ++i) {
        n = is_letter(bytes[i]) ? n + 1 : 0;
        if (n <= longest) continue;
        longest = n;
        *at = i + 1 - n;
    }
    return longest;
}

void bytes_quote(const uint8_t *bytes, size_t len, char *text, size_t cap) {
    size_t at = 0;
    const uint8_t *end = len ? memchr(bytes, '\n', len) : NULL;
    if (end && (size_t)(end - bytes) + 1 < len) { // begins in the middle of a line
        len -= (size_t)(end - bytes) + 1;
        bytes = end + 1;
    }
    *text = 0;
    for (size_t i = 0; i < len && at + 5 < cap; ++i) {
        bool plain = bytes[i] >= 0x20 && bytes[i] < 0x7F;
        int n = bytes[i] == '\n'   ? snprintf(text + at, cap - at, "\\n")
                : bytes[i] == '\r' ? 0
                : plain            ? snprintf(text + at, cap - at, "%c", bytes[i])
                                   : snprintf(text + at, cap - at, "\\x%02x", bytes[i]);
        at += (size_t)n;
    }
}

void bytes_hex(const uint8_t *bytes, size_t len, char *text, size_t cap) {
    *text = 0;
    for (size_t i = 0, at = 0; i < len && at + 4 < cap; ++i, at = strlen(text))
        snprintf(text + at, cap - at, "%s%02x", i ? " " : "", bytes[i]);
}

// ---- frames with 7E, whose checks differ

struct frames {
    size_t count, good;
    unsigned mask; // of the bits that are checked
    bool (*check)(const struct frames *f, const uint8_t *frame, size_t len);
};

static void end_frame(struct frames *f, const uint8_t *frame, size_t len) {
    if (len < FRAME_MIN) return;
    ++f->count;
    f->good += f->check(f, frame, len);
}

// The bytes before the first flag are the rest of a frame, those after the last the begin of one.
static void split_frames(struct frames *f, const uint8_t *bytes, size_t len) {
    static uint8_t frame[FRAME_MAX];
    size_t n = 0;
    bool escaped = false, within = false;
    for (size_t i = 0; i < len; ++i) {
        unsigned byte = bytes[i] & f->mask;
        if (byte == FLAG) {
            if (within && n <= FRAME_MAX) end_frame(f, frame, n);
            within = true;
            escaped = false;
            n = 0;
        } else if (byte == ESCAPE && !escaped) {
            escaped = true;
        } else {
            if (n < FRAME_MAX) frame[n] = (uint8_t)(escaped ? byte ^ FLIP : byte);
            ++n;
            escaped = false;
        }
    }
}

static bool sums_up(const struct frames *f, const uint8_t *frame, size_t len) {
    unsigned sum = 0;
    for (size_t i = 0; i < len; ++i) sum += frame[i];
    return (sum & f->mask) == (0xFF & f->mask);
}

// The frame check sequence of HDLC (ISO 13239): over a frame and its check the remainder is F0B8.
static bool has_fcs(const struct frames *f, const uint8_t *frame, size_t len) {
    unsigned crc = 0xFFFF;
    (void)f;
    for (size_t i = 0; i < len; ++i) {
        crc ^= frame[i];
        for (unsigned bit = 0; bit < 8; ++bit) crc = crc & 1 ? crc >> 1 ^ 0x8408 : crc >> 1;
    }
    return crc == 0xF0B8;
}

// Returns how the top bits depend on the others: the parity that the sender adds; or null. A few
// bytes may be damaged.
static const char *parity_of(const uint8_t *bytes, size_t len) {
    size_t even = 0, set = 0, few = len / 32;
    for (size_t i = 0; i < len; ++i) {
        unsigned bits = 0;
        for (unsigned k = 0; k < 8; ++k) bits += (unsigned)bytes[i] >> k & 1;
        even += bits % 2 == 0;
        set += bytes[i] >> 7;
    }
    if (set <= few) return "the top bit is always 0";
    if (set + few >= len) return "the top bit is always 1";
    if (even + few >= len) return "the top bit is an even parity (7E1)";
    return even <= few ? "the top bit is an odd parity (7O1)" : NULL;
}

static bool are_seven_bits(const uint8_t *bytes, size_t len, char evidence[BYTES_EVIDENCE]) {
    struct frames f = {.mask = 0x7F, .check = sums_up};
    const char *parity = parity_of(bytes, len);
    if (!parity) return false;
    split_frames(&f, bytes, len);
    // The byte FE of 8 bits looks like a flag, so some frames fall apart.
    if (f.good < 4 || f.good * 2 < f.count) return false;
    snprintf(evidence, BYTES_EVIDENCE,
             "%zu of %zu frames have a checksum that is right in 7 bits, and %s", f.good, f.count,
             parity);
    return true;
}

static bool are_hdlc(const uint8_t *bytes, size_t len, char evidence[BYTES_EVIDENCE]) {
    struct frames f = {.mask = 0xFF, .check = has_fcs};
    split_frames(&f, bytes, len);
    if (f.good < 3 || f.good * 10 < f.count * 8) return false;
    snprintf(evidence, BYTES_EVIDENCE, "%zu of %zu frames have the checksum of HDLC", f.good,
             f.count);
    return true;
}

// ---- frames with other delimiters

// Whether the lengths in a packet lead exactly to its end.
static bool is_cobs(const uint8_t *packet, size_t len) {
    size_t at = 0;
    while (at < len) at += packet[at];
    return at == len;
}

static bool are_cobs(const uint8_t *bytes, size_t len, char evidence[BYTES_EVIDENCE]) {
    enum { PACKET_MIN = 5, PACKETS_MIN = 6 };
    size_t count = 0, good = 0, from = len;
    for (size_t i = 0; i < len; ++i) {
        if (bytes[i]) continue;
        if (from < len && i - from >= PACKET_MIN) {
            ++count;
            good += is_cobs(bytes + from, i - from);
        }
        from = i + 1;
    }
    if (good < PACKETS_MIN || good * 20 < count * 19) return false;
    snprintf(evidence, BYTES_EVIDENCE,
             "in %zu of %zu packets that end with 00 the lengths lead to the end", good, count);
    return true;
}

static bool are_slip(const uint8_t *bytes, size_t len, char evidence[BYTES_EVIDENCE]) {
    enum { END = 0xC0, ESC = 0xDB, ESC_END = 0xDC, ESC_ESC = 0xDD, ENDS_MIN = 4, ESCAPES_MIN = 2 };
    size_t ends = 0, escapes = 0;
    for (size_t i = 0; i + 1 < len; ++i) {
        ends += bytes[i] == END;
        if (bytes[i] != ESC) continue;
        if (bytes[i + 1] != ESC_END && bytes[i + 1] != ESC_ESC) return false;
        ++escapes;
    }
    if (ends < ENDS_MIN || escapes < ESCAPES_MIN) return false;
    snprintf(evidence, BYTES_EVIDENCE, "%zu packets end with C0, and all %zu DB are escapes", ends,
             escapes);
    return true;
}

static bool are_text(const uint8_t *bytes, size_t len, char evidence[BYTES_EVIDENCE]) {
    char text[120];
    if (!bytes_are_text(bytes, len)) return false;
    bytes_quote(bytes, len, text, sizeof text);
    snprintf(evidence, BYTES_EVIDENCE, "%zu bytes, as: %s", len, text);
    return true;
}

enum bytes_kind bytes_guess(const uint8_t *bytes, size_t len, char evidence[BYTES_EVIDENCE]) {
    static const struct {
        enum bytes_kind kind;
        bool (*are)(const uint8_t *bytes, size_t len, char evidence[BYTES_EVIDENCE]);
    } checks[] = {{BYTES_SEVEN_BITS, are_seven_bits},
                  {BYTES_TEXT, are_text},
                  {BYTES_HDLC, are_hdlc},
                  {BYTES_COBS, are_cobs},
                  {BYTES_SLIP, are_slip},
                  {BYTES_INVERTED, bytes_are_inverted}};
    *evidence = 0;
    for (unsigned i = 0; len >= BYTES_MIN && i < sizeof checks / sizeof *checks; ++i) {
        if (checks[i].are(bytes, len, evidence)) return checks[i].kind;
    }
    return BYTES_UNKNOWN;
}
