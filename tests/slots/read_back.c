// SPDX-License-Identifier: MIT
// See read_back.h.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "read_back.h"
#include "wallfly_host/wf_sat.h"
#include "wallfly_host/wf_slots.h"

static void take(const struct wf_slot_event *from, struct read_event *to) {
    struct wf_sat_number number;
    assert_true(wf_sat_external(WF_SAT_RELEASE_6, from, &number));
    to->cls = number.cls;
    to->event = number.event;
    to->wide = number.wide;
    to->class_name = wf_sat_class_name(number.cls);
    to->name = wf_sat_event_name(WF_SAT_RELEASE_6, from->cls, from->event);
    to->count = from->count;
    assert_true(from->count <= READ_WORDS);
    memcpy(to->word, from->words, 4 * from->count);
}

unsigned read_back(const char *header, size_t header_len, const struct wf_slot *slots, size_t count,
                   struct read_event *to, unsigned max) {
    struct wf_slots_item item;
    unsigned n = 0;
    struct wf_slots *s = wf_slots_open(NULL, NULL);
    assert_non_null(s);
    for (int part = 0; part < 3; ++part) {
        if (part == 0) wf_slots_feed(s, header, header_len);
        if (part == 1) wf_slots_feed(s, slots, count * sizeof *slots);
        if (part == 2) wf_slots_end(s);
        while (wf_slots_next(s, &item)) {
            if (item.kind == WF_SLOTS_HEADER) continue;
            assert_int_equal(item.kind, WF_SLOTS_EVENT);
            assert_true(n < max);
            take(&item.event, &to[n++]);
        }
    }
    wf_slots_close(s);
    return n;
}
