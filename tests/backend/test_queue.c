// SPDX-License-Identifier: MIT
// The ring of packets queued for a front end, against a plain list of the same packets.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "front/wfb_queue.h"

enum { CAP = 500, LIST = 4096 };

struct plain {
    uint16_t len[LIST];
    uint8_t fill[LIST];
    unsigned head, tail;
};

static void expect_same(const struct wfb_queue *q, const struct plain *list) {
    size_t at = q->head, len;
    assert_int_equal(q->count, list->tail - list->head);
    for (unsigned i = list->head; i < list->tail; ++i) {
        const uint8_t *packet = wfb_queue_at(q, &at, &len);
        assert_int_equal(len, list->len[i]);
        for (size_t n = 0; n < len; ++n) assert_int_equal(packet[n], list->fill[i]);
    }
}

// Packets of all lengths are added and taken, with every position of the ring's end.
static void packets_come_out_as_they_went_in(void **state) {
    (void)state;
    for (unsigned seed = 1; seed <= 200; ++seed) {
        struct plain list = {.head = 0};
        struct wfb_queue q;
        unsigned refused = 0;
        srand(seed);
        assert_true(wfb_queue_open(&q, CAP));
        while (list.tail < LIST) {
            unsigned most = seed % 2 ? 60 : 240;
            uint16_t len = (uint16_t)((unsigned)rand() % most + 2);
            uint8_t *to = rand() % 3 ? wfb_queue_add(&q, len) : NULL;
            if (to) {
                list.len[list.tail] = len;
                list.fill[list.tail] = (uint8_t)rand();
                memset(to, list.fill[list.tail++], len);
            } else {
                unsigned n = q.count ? (unsigned)rand() % (q.count + 1) : 0;
                wfb_queue_drop(&q, n);
                list.head += n;
                ++refused;
            }
            expect_same(&q, &list);
        }
        assert_true(refused > 0);
        wfb_queue_drop(&q, q.count);
        assert_int_equal(q.used, 0);
        wfb_queue_close(&q);
    }
}

static void what_does_not_fit_is_refused(void **state) {
    struct wfb_queue q;
    (void)state;
    assert_true(wfb_queue_open(&q, CAP));
    assert_null(wfb_queue_add(&q, CAP - 1)); // the length field has two bytes
    assert_non_null(wfb_queue_add(&q, CAP - 2));
    assert_null(wfb_queue_add(&q, 0));
    wfb_queue_clear(&q);
    assert_null(wfb_queue_add(&q, WFB_PACKET_MAX + 1));
    wfb_queue_close(&q);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packets_come_out_as_they_went_in),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
