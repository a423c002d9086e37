// SPDX-License-Identifier: MIT
// QS's sizes reach the recorder: none of them has its default, all are set by QS's own macros.

#include "compat_test.h"

static void target_info_tells_them(void **state) {
    (void)state;
    QS_initBuf(ring, sizeof ring);
    last_seq = 0;
    expect(0, "");
    const uint8_t *f = next_frame(64);
    const uint8_t sizes[] = {0xFF, 740 & 0xFF, 740 >> 8, 0x44, 0x22, 0x14, 0x28, 0x02, 8, 0x25};
    assert_memory_equal(f + 2, sizes, sizeof sizes);
}

static void fields_have_them(void **state) {
    (void)state;
    fresh();
    QS_SIG_DICTIONARY(5, AN_OBJECT);
    expect(60, "05000000 7856341200000000 3500");
    QS_FUN_DICTIONARY(A_FUNCTION);
    expect(62, "EFCD 415F46554E4354494F4E00");
    QS_BEGIN_ID(QS_USER, 0)
    QS_SIG(5, AN_OBJECT);
    QS_FUN(A_FUNCTION);
    QS_END()
    expect(100, "0403 0A 05000000 7856341200000000 0CEFCD");
    QS_BEGIN_PRE(QS_USER, 0)
    QS_TIME_PRE();
    QS_SIG_PRE(1);
    QS_OBJ_PRE(AN_OBJECT);
    QS_FUN_PRE(A_FUNCTION);
    QS_EQC_PRE(2);
    QS_EVS_PRE(3);
    QS_MPS_PRE(4);
    QS_MPC_PRE(5);
    QS_TEC_PRE(6);
    QS_END_PRE()
    expect(100, "0403 01000000 7856341200000000 EFCD 0200 03000000 04000000 05 0600");
    send("01 0D 05 7856341200000000");
    QS_rxParse();
    expect(66, "0D");
    expect_nothing();
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(target_info_tells_them),
                                       cmocka_unit_test(fields_have_them)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
