// SPDX-License-Identifier: MIT
// What the numbers in filters of scripts stand for: those of QUTest's vocabulary.
#ifndef TEST_FILTER_H
#define TEST_FILTER_H

#include "wallfly_host/wf_command.h"

enum { IDS_ALL = 0xF0, IDS_AO = 0x80, IDS_EP = 0xC0, IDS_EQ = 0xD0, IDS_AP = 0xE0 };
enum { GRP_ALL = 0xF0, GRP_SM, GRP_AO, GRP_EQ, GRP_MP, GRP_TE, GRP_QF, GRP_SC, GRP_SEM, GRP_MTX };
enum { GRP_U0 = GRP_MTX + 1, GRP_U4 = GRP_U0 + 4, GRP_UA };

// A value switches on, its negative off. False: no such group, record or QS-ID.
bool filter_records(uint8_t bits[WF_FILTER_BYTES], long value, const struct wf_target *t);
bool filter_ids(uint8_t bits[WF_FILTER_BYTES], long value);

#endif
