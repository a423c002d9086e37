// SPDX-License-Identifier: MIT
// Target and host switch the same records and QS-IDs for each group of the schema, with the codes
// of QS.

#include "wallfly_host/wf_command.h"
#include "wf_test.h"

static uint8_t ring[256];
static const struct wf_target target = {.version = WF_CFG_QS_VERSION};

static void bitmaps(uint8_t records[16], uint8_t ids[16], int first_group, int then_group) {
    start(ring, sizeof ring);
    wf_filter(first_group);
    wf_filter(then_group);
    wf_get_filters(records, ids);
}

// The bits of a group: those that it switches on after `all off`, and off after `all on`.
static void check_group(int code, const char *name) {
    uint8_t want[16], got[16], ids[16];
    bitmaps(want, ids, -WF_GRP_ALL, -WF_GRP_ALL);
    assert_true(wf_filter_group(&target, name, want, true));
    bitmaps(got, ids, -WF_GRP_ALL, code);
    assert_memory_equal(got, want, 16);
    bitmaps(want, ids, WF_GRP_ALL, WF_GRP_ALL);
    assert_true(wf_filter_group(&target, name, want, false));
    bitmaps(got, ids, WF_GRP_ALL, -code);
    assert_memory_equal(got, want, 16);
}

static void groups_of_records(void **state) {
    (void)state;
#define X(name, ...) check_group(WF_GRP_##name, #name);
    WF_QP_GROUPS(X) WF_USER_GROUPS(X) WF_OWN_GROUPS(X)
#undef X
}

static void groups_of_ids(void **state) {
    (void)state;
    unsigned next = 1;
    for (unsigned i = 0; i < wf_id_group_count; ++i) {
        const struct wf_numbers *group = &wf_id_groups[i];
        uint8_t records[16], got[16], want[16] = {1};
        assert_int_equal(group->first, next); // every QS-ID is in a group
        next = group->last + 1u;
        start(ring, sizeof ring);
        wf_filter_id(-WF_IDS_ALL);
        wf_filter_id(group->code);
        wf_filter_switch(want, group->first, group->last, true);
        wf_get_filters(records, got);
        assert_memory_equal(got, want, 16);
        wf_filter_id(-group->code);
        wf_get_filters(records, got);
        assert_memory_equal(got, (uint8_t[16]){1}, 16);
    }
    assert_int_equal(next, 128);
}

// QS-IDs relative to a base are in the group of that kind.
static void bases(void **state) {
    (void)state;
    static const struct {
        int code;
        unsigned first, last;
    } kinds[] = {{WF_IDS_AO, WF_QS_AO + 1, WF_QS_AO + 64},
                 {WF_IDS_POOL, WF_QS_POOL + 1, WF_QS_POOL + 15},
                 {WF_IDS_QUEUE, WF_QS_QUEUE + 0, WF_QS_QUEUE + 15},
                 {WF_IDS_APP, WF_QS_APP + 0, WF_QS_APP + 30}};
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        uint8_t records[16], ids[16];
        start(ring, sizeof ring);
        wf_filter_id(-WF_IDS_ALL);
        wf_filter_id(kinds[i].code);
        wf_get_filters(records, ids);
        for (unsigned id = kinds[i].first; id <= kinds[i].last; ++id)
            assert_true(ids[id / 8] & 1u << id % 8);
    }
}

// The codes that commands to the target carry.
static void codes(void **state) {
    (void)state;
    static const unsigned of_records[] = {
        WF_GRP_ALL, WF_GRP_SM,  WF_GRP_AO, WF_GRP_EQ, WF_GRP_MP, WF_GRP_TE, WF_GRP_QF, WF_GRP_SC,
        WF_GRP_SEM, WF_GRP_MTX, WF_GRP_U0, WF_GRP_U1, WF_GRP_U2, WF_GRP_U3, WF_GRP_U4, WF_GRP_UA,
    };
    for (unsigned i = 0; i < sizeof of_records / sizeof *of_records; ++i)
        assert_int_equal(of_records[i], 0xF0 + i);
    assert_int_equal(WF_GRP_WF, 0x100);
    assert_int_equal(WF_IDS_AO, 0x80);
    assert_int_equal(WF_IDS_POOL, 0xC0);
    assert_int_equal(WF_IDS_QUEUE, 0xD0);
    assert_int_equal(WF_IDS_APP, 0xE0);
    assert_int_equal(WF_IDS_ALL, 0xF0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_of_records),
        cmocka_unit_test(groups_of_ids),
        cmocka_unit_test(bases),
        cmocka_unit_test(codes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
