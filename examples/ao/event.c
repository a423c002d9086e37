// SPDX-License-Identifier: MIT
// Events from pools of fixed blocks. An event counts the queues that hold it and returns to its
// pool when no queue holds it any more.

#include "ao.h"

enum { POOLS_MAX = 4 };

static struct pool *pools[POOLS_MAX];
static uint8_t pool_count;

void pool_init(struct pool *p, void *storage, uint16_t block_size, uint16_t count) {
    p->blocks = storage;
    p->block_size = block_size;
    p->total = p->free = p->least_free = count;
    p->first = NULL;
    for (unsigned i = count; i-- > 0;) {
        void **block = (void **)(void *)(p->blocks + (size_t)i * block_size);
        *block = p->first;
        p->first = block;
    }
    pools[pool_count++] = p;
    p->number = pool_count;
}

struct event *event_new(struct pool *p, uint16_t size, uint16_t sig) {
    uint8_t id = (uint8_t)(WF_QS_POOL + p->number);
    if (size > p->block_size || !p->first) {
        WF_REC(mpool_get_attempt, id, p, p->free, 1);
        WF_REC(new_attempt, id, size, sig);
        return NULL;
    }
    void **block = p->first;
    p->first = *block;
    if (--p->free < p->least_free) p->least_free = p->free;
    struct event *e = (struct event *)(void *)block;
    *e = (struct event){sig, p->number, 0};
    WF_REC(mpool_get, id, p, p->free, p->least_free);
    WF_REC(new, id, size, sig);
    return e;
}

void event_recycle(const struct event *e) {
    struct event *mine = (struct event *)(uintptr_t)e;
    if (!e->pool) return;
    uint8_t id = (uint8_t)(WF_QS_POOL + e->pool);
    if (e->refs > 1) {
        WF_REC(gc_attempt, id, e->sig, e->pool, e->refs);
        --mine->refs;
        return;
    }
    struct pool *p = pools[e->pool - 1];
    WF_REC(gc, id, e->sig, e->pool, e->refs);
    *(void **)(void *)mine = p->first;
    p->first = mine;
    ++p->free; // not in the record's arguments: they are not evaluated when the record is off
    WF_REC(mpool_put, id, p, p->free);
}
