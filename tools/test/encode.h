// SPDX-License-Identifier: MIT
// The payloads of commands to the target (wire reference section 9), by the sizes it has told.
#ifndef TEST_ENCODE_H
#define TEST_ENCODE_H

#include "wallfly_host/wf_session.h"

enum { PAYLOAD_MAX = 2048, FILTER_BYTES = 16 };

struct payload {
    uint8_t bytes[PAYLOAD_MAX];
    size_t len;
    bool too_long; // something did not fit
};

// Filters, from nothing: each value switches on, its negative off.
enum { IDS_ALL = 0xF0, IDS_AO = 0x80, IDS_EP = 0xC0, IDS_EQ = 0xD0, IDS_AP = 0xE0 };
enum { GRP_ALL = 0xF0, GRP_SM, GRP_AO, GRP_EQ, GRP_MP, GRP_TE, GRP_QF, GRP_SC, GRP_SEM, GRP_MTX };
enum { GRP_U0 = GRP_MTX + 1, GRP_U4 = GRP_U0 + 4, GRP_UA };
// False: no such group, record or QS-ID.
bool filter_records(uint8_t bits[FILTER_BYTES], long value, unsigned version);
bool filter_ids(uint8_t bits[FILTER_BYTES], long value);

struct payload encode_filter(const uint8_t bits[FILTER_BYTES]);
struct payload encode_command(uint8_t id, const uint32_t params[3]);
struct payload encode_event(const struct wf_target *t, uint8_t to, uint64_t sig, const void *params,
                            size_t len);
struct payload encode_object(const struct wf_target *t, uint8_t first, uint64_t object);
struct payload encode_probe(const struct wf_target *t, uint32_t data, uint64_t function);
struct payload encode_byte(uint8_t byte);
// Of peek, poke and fill; data: the items.
struct payload encode_memory(uint16_t offset, uint8_t size, uint8_t num, const void *data,
                             size_t len);

#endif
