// SPDX-License-Identifier: MIT
// Packed frames that wait for object numbers while the link changes: the items are those of a
// reader that has the numbers from the beginning.

#include "wf_test.h"

static struct stream s;

enum { ITEMS = 200 };

struct told {
    uint64_t kind, id, tick, offset, task, more;
    char name[16];
};

struct reading {
    struct told told[ITEMS];
    size_t count;
};

static void tell(struct reading *r, struct wf_session *session, const struct wf_item *item) {
    struct told *t = &r->told[r->count++];
    assert_true(r->count < ITEMS);
    memset(t, 0, sizeof *t);
    t->kind = item->kind;
    if (item->kind == WF_ITEM_RECORD) {
        t->id = item->record.id;
        t->tick = item->record.tick;
        t->offset = item->record.offset;
        t->task = item->record.value[1];
        const char *name = wf_session_name(session, WF_EFFECT_NAME_OBJECT, t->task, 0);
        snprintf(t->name, sizeof t->name, "%s", name ? name : "");
    } else if (item->kind == WF_ITEM_LOSS) {
        t->offset = item->loss.offset;
        t->more = item->loss.records << 16 | item->loss.bytes << 32 | item->loss.lost;
    } else {
        t->id = (uint64_t)item->damage.kind;
        t->offset = item->damage.offset;
    }
}

static void put_le(uint8_t *p, uint32_t v) {
    for (int i = 0; i < 4; ++i) p[i] = (uint8_t)(v >> 8 * i);
}

// Three switches to the tasks of the numbers 1 to 3, the first one of this number.
static void put_switches(uint32_t number) {
    uint8_t p[11 + 9] = {0};
    put_le(p, 100 * number);
    put_le(p + 4, number);
    p[8] = 3;
    p[9] = 9;
    for (unsigned i = 0; i < 3; ++i) {
        p[11 + 3 * i] = 0xD5;
        p[12 + 3 * i] = 10 << 2;
        p[13 + 3 * i] = (uint8_t)(1 + i);
    }
    put_frame_seq(&s, (uint8_t)number, 98, p, sizeof p);
}

static const uint8_t numbers[] = {1, 0x10, 0, 0, 0x20, 2, 0x20, 0, 0, 0x20, 3, 0x30, 0, 0, 0x20};

static void put_numbers(uint32_t last) {
    put_frame_seq(&s, (uint8_t)last, 99, numbers, sizeof numbers);
}

static void take_all(struct wf_session *session, struct reading *r) {
    struct wf_item item;
    while (wf_session_next(session, &item)) tell(r, session, &item);
}

static void feed(struct wf_session *session, size_t from, size_t until, struct reading *r) {
    for (; from < until; from += 7) {
        wf_session_feed(session, s.bytes + from, until - from < 7 ? until - from : 7);
        take_all(session, r);
    }
}

// The link changes at `cut`: a new one, or `lost` bytes are lost.
static struct wf_ledger read_stream(bool knows, size_t cut, size_t lost, struct reading *r) {
    const struct wf_session_options options = {.size = sizeof options,
                                               .bytes = {[WF_TYPE_TIME] = 4, [WF_TYPE_OBJ] = 4}};
    struct wf_session *session = wf_session_open(&options, NULL);
    r->count = 0;
    if (knows) wf_session_learn(session, 99, numbers, sizeof numbers);
    feed(session, 0, cut, r);
    if (lost)
        wf_session_lose(session, lost);
    else
        wf_session_relink(session);
    feed(session, cut + lost, s.len, r);
    wf_session_end(session);
    take_all(session, r);
    const struct wf_ledger ledger = *wf_session_ledger(session);
    wf_session_close(session);
    return ledger;
}

static void check(size_t cut, size_t lost) {
    static struct reading early, late;
    const struct wf_ledger a = read_stream(true, cut, lost, &early);
    const struct wf_ledger b = read_stream(false, cut, lost, &late);
    assert_int_equal(early.count, late.count);
    for (size_t i = 0; i < early.count; ++i) {
        struct told *t = &late.told[i];
        // Another target may answer at a new link, so that its numbers are not those of frames
        // before: a task without a name of its own.
        if (!lost && t->kind == WF_ITEM_RECORD && t->offset < cut) {
            assert_memory_equal(t->name, "object #", 8);
            memcpy(t->name, early.told[i].name, sizeof t->name);
            t->task = early.told[i].task;
        }
        assert_memory_equal(&early.told[i], t, sizeof *t);
    }
    assert_memory_equal(&a, &b, sizeof a);
}

static void test_links(void **state) {
    (void)state;
    memset(&s, 0, sizeof s);
    for (uint32_t i = 0; i < 6; ++i) put_switches(1001 + 3 * i);
    const size_t untold = s.len;
    put_numbers(1018);
    for (uint32_t i = 6; i < 9; ++i) put_switches(1001 + 3 * i);
    for (size_t cut = 1; cut <= untold; ++cut) {
        check(cut, 0);
        for (size_t lost = 1; lost <= 40 && cut + lost <= untold; lost += 13) check(cut, lost);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_links),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
