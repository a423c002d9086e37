// SPDX-License-Identifier: MIT
// Totals of front ends, on standard error.

#include <inttypes.h>

#include "serve.h"

void serve_print_fronts(struct wf_front *front) {
    struct wf_front_counters c = wf_front_count(front);
    diag_note("%" PRIu64 " front ends attached, %u at a time, %" PRIu64 " detached, %" PRIu64
              " vanished, %" PRIu64 " idle, %" PRIu64 " refused",
              c.attached, c.most, c.detached, c.vanished, c.idle, c.refused);
    diag_note("%" PRIu64 " packets from them, %" PRIu64 " commands sent, %" PRIu64
              " not allowed; %" PRIu64 " gaps",
              c.packets, c.commands, c.not_allowed, c.gaps);
    diag_note("ignored: %" PRIu64 " from clients that are not attached, %" PRIu64
              " oversized, %" PRIu64 " malformed, %" PRIu64 " late",
              c.strangers, c.oversized, c.malformed, c.late);
    diag_note("%" PRIu64 " packets to them, %" PRIu64 " lost by slow ones", c.sent, c.lost);
}
