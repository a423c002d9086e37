// SPDX-License-Identifier: MIT
// Every predefined record, every element, all dictionaries and filters, against bytes that this
// test builds from the schema's field lists. Built for several sets of sizes.

#include "wf_test.h"

static uint8_t ring[8192];

static void fresh(void) {
    fake_clock = UINT64_C(0x0102030405060708);
    fake_clock_step = 0;
    start(ring, sizeof ring);
    wf_filter(WF_GRP_ALL);
    drain_all();
}

// The expected fields with the schema's types, low byte first.
static uint8_t want[1024];
static unsigned want_len;

static void expect_le(uint64_t v, unsigned bytes) {
    while (bytes--) {
        want[want_len++] = (uint8_t)v;
        v >>= 8;
    }
}

static void expect_bytes(const void *p, unsigned len) {
    memcpy(want + want_len, p, len);
    want_len += len;
}

static void check_next(unsigned id) {
    struct frame f = next_frame();
    if (f.bytes[1] == WF_ID_sync && id != WF_ID_sync) f = next_frame();
    assert_int_equal(f.bytes[1], id);
    assert_int_equal(f.len - 2, want_len);
    assert_memory_equal(f.bytes + 2, want, want_len);
    want_len = 0;
}

// A value for each argument, with bytes that need escapes, and its bytes on the wire.
#define A_OBJ   ((const void *)(uintptr_t)0x7D7E5D01)
#define A_FUN   ((wf_function)(uintptr_t)0x7E7D0203)
#define A_SIG   0x7D7Eu
#define A_EVS   0x1234u
#define A_EQC   0x7Eu
#define A_MPC   0x0605u
#define A_MPS   0x0807u
#define A_TEC   0x7E0A0B0Cu
#define A_U8    0x7D
#define A_U16   0x7D5E
#define A_U32   0x7E7D5E5Du
#define A_U64   UINT64_C(0x7D7E007D7E017D7E)
#define A_BUILD ((const uint8_t *)"\1\2\3\4\5\6")
#define A_STR   "a}b~c"
#define A_ITEMS "\x7D\x7E items"

#define ARG_TIME
#define ARG_ELEMS
#define ARG_OBJ , A_OBJ
#define ARG_FUN , A_FUN
#define ARG_SIG , A_SIG
#define ARG_EVS , A_EVS
#define ARG_EQC , A_EQC
#define ARG_MPC , A_MPC
#define ARG_MPS , A_MPS
#define ARG_TEC , A_TEC
#define ARG_WHICH
#define ARG_CORE
#define ARG_U8                , A_U8
#define ARG_U16               , A_U16
#define ARG_U32               , A_U32
#define ARG_U64               , A_U64
#define ARG_BUILD             , A_BUILD
#define ARG_STR               , A_STR
#define ARG_ITEMS             , items
#define ARG(name, type, kind) ARG_##type

#define EXPECT_TIME expect_le(fake_clock, WF_CFG_TIME_SIZE);
#define EXPECT_ELEMS
#define EXPECT_OBJ               expect_le((uintptr_t)A_OBJ, WF_CFG_OBJ_SIZE);
#define EXPECT_FUN               expect_le((uintptr_t)A_FUN, WF_CFG_FUN_SIZE);
#define EXPECT_SIG               expect_le(A_SIG, WF_CFG_SIG_SIZE);
#define EXPECT_EVS               expect_le(A_EVS, WF_CFG_EVT_SIZE);
#define EXPECT_EQC               expect_le(A_EQC, WF_CFG_QUEUE_CTR_SIZE);
#define EXPECT_MPC               expect_le(A_MPC, WF_CFG_POOL_CTR_SIZE);
#define EXPECT_MPS               expect_le(A_MPS, WF_CFG_POOL_BLK_SIZE);
#define EXPECT_TEC               expect_le(A_TEC, WF_CFG_TIMEEVT_CTR_SIZE);
#define EXPECT_WHICH             expect_le(which, 1);
#define EXPECT_CORE              expect_le(0, 1);
#define EXPECT_U8                expect_le(A_U8, 1);
#define EXPECT_U16               expect_le(A_U16, 2);
#define EXPECT_U32               expect_le(A_U32, 4);
#define EXPECT_U64               expect_le(A_U64, 8);
#define EXPECT_BUILD             expect_bytes(A_BUILD, 6);
#define EXPECT_STR               expect_bytes(A_STR, sizeof A_STR);
#define EXPECT_ITEMS             expect_bytes(items, 1);
#define EXPECT(name, type, kind) EXPECT_##type

// The items are num * size bytes, here 0x7D * 0x7D: peek has a test of its own. Only the recorder
// makes SYNCs.
static void every_predefined_record(void **state) {
    (void)state;
    static const uint8_t items[0x7D * 0x7D];
    fresh();
#define WFI_X(id, name, qs, group, layout, since, until, host, effect, qspy, mat, sentence)        \
    if (id != WF_ID_peek_data && id != WF_ID_sync) {                                               \
        const unsigned which = WFI_WHICH_##host;                                                   \
        (void)which;                                                                               \
        wfi_emit_##name(WFI_PARAMS(WF_FIELDS_##layout(ARG)));                                      \
        WF_FIELDS_##layout(EXPECT) check_next(id);                                                 \
    }
    WF_RECORDS(WFI_X)
#undef WFI_X
    wfi_emit_peek_data(0x1234, 2, 3, "\1\2\3\4\5\6");
    expect_le(fake_clock, WF_CFG_TIME_SIZE);
    expect_bytes("\x34\x12\2\3\1\2\3\4\5\6", 10);
    check_next(WF_ID_peek_data);
}

static void expect_user(void) { expect_le(fake_clock, WF_CFG_TIME_SIZE); }

static void every_element_in_every_width(void **state) {
    float f = -1.5f;
    double d = 3.25e100;
    uint32_t fbits;
    uint64_t dbits;
    (void)state;
    memcpy(&fbits, &f, 4);
    memcpy(&dbits, &d, 8);
    fresh();
    for (unsigned w = 0; w < 16; ++w) {
        WF_BEGIN(WF_USER + w, 0);
        wf_i8(w & 7, -126);
        wf_u8(w, 0x7D);
        wf_i16(w, -2);
        wf_u16(w, 0x7E7D);
        wf_i32(w, INT32_MIN);
        wf_u32(w, 0x7D7E7D7E);
        wf_i64(w, INT64_MIN);
        wf_u64(w, UINT64_MAX);
        wf_f32(w, f);
        wf_f64(w, d);
        WF_END();
        expect_user();
        static const uint8_t code[] = {0, 1, 2, 3, 4, 5, 13, 14, 6, 7};
        const uint64_t value[] = {0x82,       0x7D,       0xFFFE,     0x7E7D, 0x80000000,
                                  0x7D7E7D7E, 1ull << 63, UINT64_MAX, fbits,  dbits};
        static const uint8_t bytes[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
        for (unsigned i = 0; i < sizeof code; ++i) {
            expect_le(code[i] | (i ? w : w & 7) << 4, 1);
            expect_le(value[i], bytes[i]);
        }
        check_next(WF_USER + w);
    }
}

static void texts_blocks_and_symbols(void **state) {
    static uint8_t block[255];
    char text[64];
    (void)state;
    fresh();
    for (unsigned n = 0; n < sizeof block; ++n) block[n] = (uint8_t)(n * 31);
    for (unsigned n = 0; n < 60; ++n) {
        memset(text, 'x', sizeof text);
        text[n] = 0;
        WF_BEGIN(WF_USER, 0);
        wf_str(text);
        wf_mem(block, (uint8_t)(n * 4));
        wf_sig(A_SIG, A_OBJ);
        wf_obj(A_OBJ);
        wf_fun(A_FUN);
        wf_enum(n & 7, (uint8_t)n);
        wf_str("literal");
        WF_END();
        expect_user();
        expect_le(8, 1);
        expect_bytes(text, n + 1);
        expect_le(9, 1);
        expect_le(n * 4, 1);
        expect_bytes(block, n * 4);
        expect_le(10, 1);
        expect_le(A_SIG, WF_CFG_SIG_SIZE);
        expect_le((uintptr_t)A_OBJ, WF_CFG_OBJ_SIZE);
        expect_le(11, 1);
        expect_le((uintptr_t)A_OBJ, WF_CFG_OBJ_SIZE);
        expect_le(12, 1);
        expect_le((uintptr_t)A_FUN, WF_CFG_FUN_SIZE);
        expect_le((8 | (n & 7)) << 4, 1);
        expect_le(n, 1);
        expect_bytes("\x08literal", 9);
        check_next(WF_USER);
    }
}

// The single call gives the bytes of the steps, packed or not, with escapes.
#define SAME(steps, ...)                                                                           \
    do {                                                                                           \
        for (unsigned n = 0; n < 600; ++n) {                                                       \
            uint8_t a[256], b[256];                                                                \
            fresh();                                                                               \
            fake_clock += n * 0x1F1u;                                                              \
            wfi.count_low += n % 250;                                                              \
            WF_BEGIN(WF_USER + n % 25, 0);                                                         \
            steps;                                                                                 \
            WF_END();                                                                              \
            unsigned len = drain(a, sizeof a);                                                     \
            fresh();                                                                               \
            fake_clock += n * 0x1F1u;                                                              \
            wfi.count_low += n % 250;                                                              \
            WF_RECORD(WF_USER + n % 25, 0, __VA_ARGS__);                                           \
            assert_int_equal(drain(b, sizeof b), len);                                             \
            assert_memory_equal(a, b, len);                                                        \
        }                                                                                          \
    } while (0)

static void one_call_equals_steps(void **state) {
    const char *late = "known at run time";
    (void)state;
    SAME(wf_u8(3, (uint8_t)n), WF_U8(3, n));
    SAME(wf_i8(3, -1); wf_i16(15, -2); wf_i32(0, -3);
         wf_enum(7, (uint8_t)n), WF_I8(3, -1), WF_I16(15, -2), WF_I32(0, -3), WF_ENUM(7, n));
    SAME(wf_u8(0, (uint8_t)n); wf_u32(0, 0x7D7E);
         wf_str("eightchr"), WF_U8(0, n), WF_U32(0, 0x7D7E), WF_STR("eightchr"));
    SAME(wf_u16(0, (uint16_t)(n * 99));
         wf_str("seventeen letters"), WF_U16(0, n * 99), WF_STR("seventeen letters"));
    SAME(wf_str("twenty-two characters!"), WF_STR("twenty-two characters!"));
    SAME(wf_str("twenty-three characters"), WF_STR("twenty-three characters"));
    SAME(wf_str(""); wf_str("~}"); wf_u64(1, n * UINT64_C(0x7D7E7D7E)), WF_STR(""), WF_STR("~}"),
                                   WF_U64(1, n * UINT64_C(0x7D7E7D7E)));
    SAME(wf_f32(2, 0.5f * (float)n);
         wf_f64(3, 0.25 * n), WF_F32(2, 0.5f * (float)n), WF_F64(3, 0.25 * n));
    SAME(wf_obj(A_OBJ); wf_fun(A_FUN);
         wf_i64(0, -(int64_t)n), WF_OBJ(A_OBJ), WF_FUNC(A_FUN), WF_I64(0, -(int64_t)n));
    SAME(wf_str(late); wf_mem("\x7D\x7E", 2);
         wf_sig(A_SIG, A_OBJ), WF_STR(late), WF_MEM("\x7D\x7E", 2), WF_SIG(A_SIG, A_OBJ));
    SAME(wf_u8(0, 1); wf_u8(0, 2); wf_u8(0, 3); wf_u8(0, 4); wf_u8(0, 5);
         wf_u8(0, 6), WF_U8(0, 1), WF_U8(0, 2), WF_U8(0, 3), WF_U8(0, 4), WF_U8(0, 5), WF_U8(0, 6));
}

static void some_function(void) {}
enum { SOME_SIG = 5, SOME_VALUE = 7 };

static void dictionaries_carry_the_source_text(void **state) {
    static int object, array[1000];
    (void)state;
    fresh();
    WF_OBJ_DICTIONARY(&object);
    expect_le((uintptr_t)&object, WF_CFG_OBJ_SIZE);
    expect_bytes("object", 7);
    check_next(WF_ID_obj_dict);
    WF_SIG_DICTIONARY(SOME_SIG, &object);
    expect_le(5, WF_CFG_SIG_SIZE);
    expect_le((uintptr_t)&object, WF_CFG_OBJ_SIZE);
    expect_bytes("SOME_SIG", 9);
    check_next(WF_ID_sig_dict);
    WF_FUN_DICTIONARY(&some_function);
    expect_le((uintptr_t)&some_function, WF_CFG_FUN_SIZE);
    expect_bytes("some_function", 14);
    check_next(WF_ID_fun_dict);
    WF_USR_DICTIONARY(WF_USER);
    expect_bytes("\x64WF_USER", 9);
    check_next(WF_ID_usr_dict);
    WF_ENUM_DICTIONARY(SOME_VALUE, 3);
    expect_bytes("\7\3SOME_VALUE", 13);
    check_next(WF_ID_enum_dict);
    for (unsigned n = 0; n < 1000; ++n) {
        char name[32];
        WF_OBJ_ARR_DICTIONARY(&array[n], n);
        expect_le((uintptr_t)&array[n], WF_CFG_OBJ_SIZE);
        snprintf(name, sizeof name, "array[%u]", n);
        expect_bytes(name, (unsigned)strlen(name) + 1);
        check_next(WF_ID_obj_dict);
    }
    WF_OBJ_ARR_DICTIONARY(&object, 12);
    expect_le((uintptr_t)&object, WF_CFG_OBJ_SIZE);
    expect_bytes("object12", 9);
    check_next(WF_ID_obj_dict);
}

static void check_filter(const char *set) {
    uint8_t bits[16];
    for (unsigned i = 0; i < 16; ++i) {
        unsigned v;
        sscanf(set + 2 * i, "%2x", &v);
        bits[i] = (uint8_t)v;
    }
    assert_memory_equal(wfi.glb, bits, 16);
}

// Bit layouts of the filters; byte 0 first.
static void filters_have_the_bits_of_the_protocol(void **state) {
    (void)state;
    fresh();
    check_filter("FFFFFFFFFFFFFFFFFFFFFFFFFFFFFF1F");
    wf_filter(-WF_GRP_ALL);
    check_filter("010000000000"
                 "40FC7F00000000000000");
    static const struct {
        int group;
        const char *bits;
    } groups[] = {
        {WF_GRP_SM, "FF0300000000C0FF7F00000000000000"},
        {WF_GRP_AO, "01FC0700002040FC7F00000000000000"},
        {WF_GRP_EQ, "01007800004040FC7F00000000000000"},
        {WF_GRP_MP, "01000003008040FC7F00000000000000"},
        {WF_GRP_TE, "010000003F0040FC7F00000000000000"},
        {WF_GRP_QF, "010080FCC01F40FC7F00000000000000"},
        {WF_GRP_SC, "0100000000007FFC7F00000000000000"},
        {WF_GRP_SEM, "01000000000040FCFF07000000000000"},
        {WF_GRP_MTX, "01000000000040FC7FF8010000000000"},
        {WF_GRP_U0, "01000000000040FC7F000000F0010000"},
        {WF_GRP_U4, "01000000000040FC7F0000000000001F"},
        {WF_GRP_UA, "01000000000040FC7F000000F0FFFF1F"},
        {WF_ID_tick, "01000080000040FC7F00000000000000"},
    };
    for (unsigned i = 0; i < sizeof groups / sizeof *groups; ++i) {
        wf_filter(groups[i].group);
        check_filter(groups[i].bits);
        wf_filter(-groups[i].group);
        check_filter("01000000000040FC7F00000000000000");
    }
    wf_filter(0x7E); // not a valid code
    wf_filter(-WF_ID_target_info);
    check_filter("01000000000040FC7F00000000000000");
}

static unsigned ids_on(void) {
    unsigned n = 0;
    for (unsigned i = 0; i < 128; ++i) n += (wfi.loc[i / 8] >> i % 8) & 1;
    return n;
}

static void id_filters_cover_their_ranges(void **state) {
    (void)state;
    fresh();
    assert_int_equal(ids_on(), 128);
    wf_filter_id(-WF_IDS_ALL);
    assert_int_equal(ids_on(), 1); // 0 is always on
    wf_filter_id(WF_IDS_AO);
    assert_int_equal(ids_on(), 65);
    wf_filter_id(WF_IDS_POOL);
    assert_int_equal(ids_on(), 80);
    wf_filter_id(WF_IDS_QUEUE);
    assert_int_equal(ids_on(), 96);
    wf_filter_id(WF_IDS_APP);
    assert_int_equal(ids_on(), 128);
    wf_filter_id(-5);
    wf_filter_id(-100);
    assert_int_equal(ids_on(), 126);
    WF_REC(crit_entry, 5, 1);
    assert_int_equal(wf_get_byte(), -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_predefined_record),
        cmocka_unit_test(every_element_in_every_width),
        cmocka_unit_test(texts_blocks_and_symbols),
        cmocka_unit_test(one_call_equals_steps),
        cmocka_unit_test(dictionaries_carry_the_source_text),
        cmocka_unit_test(filters_have_the_bits_of_the_protocol),
        cmocka_unit_test(id_filters_cover_their_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
