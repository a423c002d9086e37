// SPDX-License-Identifier: MIT
// The host port with threads that record while another one reads, under the thread sanitizer: every
// frame is whole, each thread's records are in its own order, and missing records are counted.

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "wallfly/wallfly.h"

enum { THREADS = 4, RECORDS = 20000, RECORD_LEN = 2 + WF_CFG_TIME_SIZE + 2 + 5 };

static uint8_t ring[4096];
static pthread_mutex_t done_mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned done;

static void *writer(void *arg) {
    uint8_t number = (uint8_t)(uintptr_t)arg;
    for (uint32_t i = 0; i < RECORDS; ++i) {
        if (i & 1) {
            WF_RECORD(WF_USER, 0, WF_U8(0, number), WF_U32(0, i));
            continue;
        }
        WF_BEGIN(WF_USER, 0);
        wf_u8(0, number);
        wf_u32(0, i);
        WF_END();
    }
    pthread_mutex_lock(&done_mutex);
    ++done;
    pthread_mutex_unlock(&done_mutex);
    return NULL;
}

struct reader {
    uint8_t frame[128];
    unsigned len;
    bool esc;
    uint64_t user, number, missing; // number: of the last record, from SYNCs
    uint32_t next[THREADS];
};

static void take_frame(struct reader *r) {
    uint8_t sum = 0;
    const uint8_t *f = r->frame;
    for (unsigned i = 0; i < r->len; ++i) sum = (uint8_t)(sum + f[i]);
    if (sum != 0xFF) return; // the part of a dropped frame
    if (f[1] == WF_ID_sync) {
        uint64_t count = 0;
        for (int i = 7; i >= 0; --i) count = count << 8 | f[2 + i];
        r->missing += count - r->number - (f[42] ? 0 : 1);
        r->number = count;
        return;
    }
    assert_int_equal((uint8_t)(r->number + 1), f[0]);
    ++r->number;
    if (f[1] != WF_USER) return;
    assert_int_equal(r->len, RECORD_LEN + 1);
    const uint8_t *e = f + 2 + WF_CFG_TIME_SIZE;
    uint32_t i = (uint32_t)e[3] | (uint32_t)e[4] << 8 | (uint32_t)e[5] << 16 | (uint32_t)e[6] << 24;
    assert_true(e[1] < THREADS && i >= r->next[e[1]]);
    r->next[e[1]] = i + 1;
    ++r->user;
}

static void take(struct reader *r, const uint8_t *p, uint32_t len) {
    for (; len; --len, ++p) {
        if (*p == 0x7E) {
            take_frame(r);
            r->len = 0;
            r->esc = false;
        } else if (*p == 0x7D) {
            r->esc = true;
        } else if (r->len < sizeof r->frame) {
            r->frame[r->len++] = r->esc ? *p ^ 0x20 : *p;
            r->esc = false;
        }
    }
}

static void threads_record_while_one_reads(void **state) {
    static struct wf_config config = {.ring = ring, .ring_size = sizeof ring, .hz = 10000000};
    static struct reader r;
    pthread_t threads[THREADS];
    (void)state;
    wf_start(&config);
    wf_filter(WF_GRP_ALL);
    for (uintptr_t i = 0; i < THREADS; ++i) pthread_create(&threads[i], NULL, writer, (void *)i);
    for (bool last = false;;) {
        const uint8_t *block;
        uint32_t len = wf_get_block(&block, 200);
        take(&r, block, len);
        wf_block_done(len);
        if (len) continue;
        if (last) break;
        pthread_mutex_lock(&done_mutex);
        last = done == THREADS;
        pthread_mutex_unlock(&done_mutex);
    }
    for (unsigned i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
    WF_REC(crit_entry, 0, 1); // reports refusals at the end
    int byte;
    while ((byte = wf_get_byte()) >= 0) take(&r, &(uint8_t){(uint8_t)byte}, 1);
    struct wf_status status;
    wf_get_status(&status);
    assert_int_equal(r.missing, status.lost);
    assert_int_equal(r.number, status.count);
    assert_true(r.user + status.lost >= THREADS * RECORDS);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads_record_while_one_reads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
