// SPDX-License-Identifier: MIT
// QSPY's text, MATLAB numbers and sequence diagram of generated streams, by the tables of the wire
// reference (sections 3, 5, 6, 7, 13). Sizes are the defaults: T4 O4 F4 S2 E2 Q1 P2 C4.

#include "wf_test.h"

static struct stream s;

static void fresh(void) { memset(&s, 0, sizeof s); }

struct sample {
    uint8_t id;
    const char *payload; // hexadecimal
    const char *line, *mat;
};

static size_t unhex(const char *text, uint8_t *to) {
    size_t n = 0;
    for (; *text; ++text) {
        if (*text == ' ') continue;
        unsigned v;
        sscanf(text, "%2x", &v);
        to[n++] = (uint8_t)v;
        ++text;
    }
    return n;
}

#define T  "0A000000" // time 10
#define O1 "00010020" // object 0x20000100
#define O2 "00020020" // object 0x20000200
#define F1 "01010008" // function 0x08000101
#define F2 "01020008" // function 0x08000201
#define S4 "0400"     // signal 4

static const struct sample samples[] = {
    {1, O1 F1, "===RTC===> St-Entry Obj=0x20000100,State=0x08000101", "1 536871168 134217985"},
    {2, O1 F1, "===RTC===> St-Exit  Obj=0x20000100,State=0x08000101", "2 536871168 134217985"},
    {3, O1 F1 F2, "===RTC===> St-Init  Obj=0x20000100,State=0x08000101->0x08000201",
     "3 536871168 134217985 134218241"},
    {4, T O1 F1, "0000000010 Init===> Obj=0x20000100,State=0x08000101", "4 10 536871168 134217985"},
    {5, T S4 O1 F1,
     "0000000010 =>Intern Obj=0x20000100,Sig=00000004,Obj=0x20000100,State=0x08000101",
     "5 10 4 536871168 134217985"},
    {6, T S4 O1 F1 F2,
     "0000000010 ===>Tran Obj=0x20000100,Sig=00000004,Obj=0x20000100,State=0x08000101->0x08000201",
     "6 10 4 536871168 134217985 134218241"},
    {9,
     S4 "00000000"
        "00000000",
     "===RTC===> St-Unhnd Obj=NULL,Sig=00000004,Obj=0x00000000,State=NULL", "9 4 0 0"},
    {10, T O1 O2 S4 "01 02",
     "0000000010 AO-Defer "
     "Obj=0x20000100,Que=0x20000100,Evt<Sig=00000004,Obj=0x20000100,Pool=1,Ref=2>",
     "10 10 536871168 536871424 4 1 2"},
    {14, T O1 S4 O2 "01 02 03 04",
     "0000000010 AO-Post  "
     "Sdr=0x20000100,Obj=0x20000200,Evt<Sig=00000004,Obj=0x20000200,Pool=1,Ref=2>,"
     "Que<Free=3,Min=4>",
     "14 10 536871168 4 536871424 1 2 3 4"},
    {20, T S4 O1 "01 02 03 04",
     "0000000010 EQ-LIFO Obj=0x20000100,Evt<Sig=00000004,Obj=0x20000100,Pool=1,Ref=2>,"
     "Que<Free=3,Min=4>",
     "20 10 4 536871168 1 2 3 4"},
    {23, T "0800" S4, "0000000010 QF-NewA  Sig=00000004,Obj=0x00000000,Size=8", "23 10 8 4"},
    {24, T O1 "0500 0300", "0000000010 MP-Get   Obj=0x20000100,Free=5,Min=3",
     "24 10 536871168 5 3"},
    {26, T O1 S4 "01 02",
     "0000000010 QF-Pub   Sdr=0x20000100,Evt<Sig=00000004,Obj=0x00000000,Pool=1,Ref=2>",
     "26 10 536871168 4 1"},
    {31, "07000000 00", "           Tick<0>  Ctr=0000000007", "31 7"},
    {32, T O1 O2 "05000000 06000000 01",
     "0000000010 TE1-Arm  Obj=0x20000100,AO=0x20000200,Tim=5,Int=6",
     "32 10 536871168 536871424 5 6"},
    {36, T O1 O2 "05000000 06000000 02 01",
     "0000000010 TE1-Rarm Obj=0x20000100,AO=0x20000200,Tim=5,Int=6,Was=2",
     "36 10 536871168 536871424 5 6 2"},
    {37, T O1 S4 O2 "00",
     "0000000010 TE0-Post Obj=0x20000100,Sig=00000004,Obj=0x20000200,AO=0x20000200",
     "37 10 536871168 4 536871424"},
    {45, T O1 S4 O2 "01 02 03 04",
     "0000000010 AO-PostA "
     "Sdr=0x20000100,Obj=0x20000200,Evt<Sig=00000004,Obj=0x20000200,Pool=1,Ref=2>,"
     "Que<Free=3,Mar=4>",
     "45 10 536871168 4 536871424 1 2 3 4"},
    {50, T "03 05", "0000000010 Sch-Lock Ceil=3->5", "50 10 3 5"},
    {52, T "03 05", "0000000010 Sch-Next Pri=5->3", "52 10 3 5"},
    {53, T "05", "0000000010 Sch-Idle Pri=5->0", "53 10 5"},
    {59, T F1 "FFFFFFFF", "0000000010 TstProbe Fun=0x08000101,Data=-1", NULL},
    {65, T "01", "0000000010 Trg-Done QS_RX_COMMAND", NULL},
    {65, T "11", "0000000010 Trg-Done 17", NULL},
    {66, "10", "           Trg-Ack  QS_RX_EVENT", NULL},
    {66, "85", "           Trg-ERR  QS_RX_POKE", NULL},
    {66, "C1", "           Trg-ERR  0x41", NULL},
    {67, T "04" O1 O2 "05000000 06000000" S4 "A1",
     "0000000010 Query-TE Obj=0x20000100,Rate=1,Sig=00000004,Obj=0x20000200,Tim=5,Int=6,Flags=0xA0",
     NULL},
    {68, T "0200 02 02 3412 7856", "0000000010 Trg-Peek Offs=2,Size=2,Num=2,Data=<1234,5678>",
     NULL},
    {69, T "0700 6D6F6400", "0000000010 =ASSERT= Mod=mod,Loc=7", "69 10 7 mod"},
    {71, T O1 "02 01", "0000000010 Sem-Take 0x20000100,Thr=2,Cnt=1", "71 10 536871168 2 1"},
    {80, T O1 "02 01", "0000000010 Mtx-UlkA 0x20000100,Hldr=2,Nest=1", "80 10 536871168 2 1"},
    {81, T, "           Unknown Rec=81,Len=4", NULL},
    // Application elements.
    {100, T "00 FF 50 80", "0000000010 USER+000 -1  -128", "100 10 -1  -128"},
    {100, T "80 05", "0000000010 USER+000 005", "100 10 5"},
    {101, T "F1 0A F3 0B00 F5 0C000000 31 07", "0000000010 USER+001 0x0A 0x000B 0x0000000C   7",
     "101 10              10              11              12   7"},
    {102, T "06 0000803F 26 0000803F 17 000000000000F03F",
     "0000000010 USER+002   1e+00   1.00e+00   1.0e+00", "102 10   1e+00   1.00e+00   1.0e+00"},
    {103, T "08 00 08 616200 09 02 7D7E 09 00", "0000000010 USER+003 '' ab  7D 7E ",
     "103 10 '' ab  125 126 "},
    {104,
     T "0A" S4 O1 "0A" S4 "00000000"
       "0B" O1 "0C" F1,
     "0000000010 USER+004 00000004,Obj=0x20000100,Obj=0x20000100 00000004,Obj=0x00000000 "
     "0x20000100 "
     "0x08000101",
     "104 10 4 536871168 4 0 536871168 134217985"},
    {105,
     T
     "0D FFFFFFFFFFFFFFFF 9D 0100000000000000 1E 0700000000000000 FE 0C00000000000000 4F 0B000000",
     "0000000010 USER+005 -1 1    7 0x               C 0x000B",
     "105 10 -1 1    7                               12 0x000B"},
};

static void every_line_as_the_table_has_it(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; ++i) {
        uint8_t payload[128];
        char want[512];
        fresh();
        size_t len = unhex(samples[i].payload, payload);
        put_frame(&s, samples[i].id, payload, len);
        snprintf(want, sizeof want, "%s\n", samples[i].line);
        // 7.4 has all of these records.
        char *got = convert(&s, "qspy", NULL, 740, 4096);
        assert_string_equal(got, want);
        free(got);
        got = convert(&s, "mat", NULL, 740, 4096);
        snprintf(want, sizeof want, samples[i].mat ? "%s\n" : "%.0s",
                 samples[i].mat ? samples[i].mat : "");
        assert_string_equal(got, want);
        free(got);
    }
}

static void put_hex(uint8_t id, const char *hex) {
    uint8_t payload[256];
    put_frame(&s, id, payload, unhex(hex, payload));
}

static void names_replace_numbers(void **state) {
    (void)state;
    fresh();
    put_name(&s, 0x20000100, "table");
    put_hex(62, F1 "6F6E00");              // on
    put_hex(60, "0400 00000000 45415400"); // EAT for any object
    put_hex(63, "65 53544100");            // STA
    put_hex(54, "02 03 5A5A00");           // ZZ in group 3
    put_hex(5, T S4 O1 F1);
    put_hex(101, T "B0 02");
    expect_text(
        &s, "qspy",
        "           Obj-Dict 0x20000100->table\n           Fun-Dict 0x08000101->on\n"
        "           Sig-Dict 00000004,Obj=0x00000000->EAT\n           Usr-Dict 00000101->STA\n"
        "           Enum-Dic 002,Grp=3->ZZ\n"
        "0000000010 =>Intern Obj=table,Sig=EAT,State=on\n0000000010 STA ZZ\n");
    char *mat = convert(&s, "mat", NULL, 0, 7);
    assert_string_equal(mat, "61 table=536871168;\n62 on=134217985;\n60 EAT=[4 0];\n"
                             "5 10 4 536871168 134217985\n101 10 2\n");
    free(mat);
}

// QSPY started with 2-byte pointers looks up 0 like other keys; otherwise 0 is NULL.
static void an_element_of_0_is_looked_up_by_small_keys(void **state) {
    static const struct {
        uint8_t object, function;
        const char *before, *after;
    } cases[] = {
        {2, 2, "0x00000000 0x00000100 0x00000000 0x00000101", "zero 0x00000100 nothing 0x00000101"},
        {4, 4, "NULL 0x00000100 NULL 0x00000101", "NULL 0x00000100 NULL 0x00000101"},
        {2, 4, "0x00000000 0x00000100 NULL 0x00000101", "zero 0x00000100 NULL 0x00000101"},
        {4, 2, "NULL 0x00000100 0x00000000 0x00000101", "NULL 0x00000100 nothing 0x00000101"},
    };
    static const char elements[] = "0A000000 0B 0000 0B 0001 0C 0000 0C 0101";
    char want[512];
    (void)state;
    fresh();
    put_hex(64, "FF E402 22 41 22 22 04 40 23 070809030218");
    put_hex(100, elements);
    put_hex(61, "0000 7A65726F00");       // zero
    put_hex(62, "0000 6E6F7468696E6700"); // nothing
    put_hex(60, "0000 0000 7369673000");
    put_hex(100, elements);
    put_hex(1, "0000 0000");
    put_hex(100, "0A000000 0A 0000 0001");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        uint8_t bytes[WF_TYPE_END] = {0};
        bytes[WF_TYPE_OBJ] = cases[i].object;
        bytes[WF_TYPE_FUN] = cases[i].function;
        char *got = convert_sized(&s, "qspy", bytes);
        snprintf(want, sizeof want, "0000000010 USER+000 %s\n", cases[i].before);
        assert_non_null(strstr(got, want));
        snprintf(want, sizeof want,
                 "0000000010 USER+000 %s\n===RTC===> St-Entry Obj=NULL,State=NULL\n"
                 "0000000010 USER+000 NULL,Obj=0x00000100\n",
                 cases[i].after);
        assert_non_null(strstr(got, want));
        free(got);
    }
}

static void a_signal_is_named_for_its_object(void **state) {
    (void)state;
    fresh();
    put_hex(60, "0400" O1 "4F4E4500"); // ONE
    put_hex(60, "0400" O2 "54574F00"); // TWO
    put_hex(12, T S4 O1);
    put_hex(12, T S4 O2);
    put_hex(12, T S4 "00030020");
    char *got = convert(&s, "qspy", NULL, 0, 4096);
    assert_non_null(strstr(got, "Obj=0x20000100,Sig=ONE\n"));
    assert_non_null(strstr(got, "Obj=0x20000200,Sig=TWO\n"));
    assert_non_null(strstr(got, "Obj=0x20000300,Sig=00000004,Obj=0x20000300\n"));
    free(got);
}

static void target_info_sets_sizes_and_a_reset_forgets_names(void **state) {
    (void)state;
    fresh();
    put_name(&s, 0x20000100, "old");
    put_hex(64, "FF E402 22 41 22 88 04 40 23 070809030218");
    put_hex(1, "0001002000000000 0101000800000000");
    put_hex(64, "FF E402 22 41 22 44 04 40 23 070809030218");
    put_hex(64, "00 5D82 22 41 22 44 04 40 23 070809030218"); // big-endian 605
    expect_text(&s, "qspy",
                "           Obj-Dict 0x20000100->old\n"
                "           Trg-RST  QP-Ver=740,Build=240203_090807\n"
                "===RTC===> St-Entry Obj=0x20000100,State=0x08000101\n"
                "           Trg-RST  QP-Ver=740,Build=240203_090807\n"
                "   <QSPY-> Target info mismatch (dictionaries discarded)\n"
                "           Trg-Info QP-Ver=33373,Build=240203_090807\n"
                "   <QSPY-> Target info mismatch (dictionaries discarded)\n");
}

static void older_targets_are_read_as_they_sent(void **state) {
    (void)state;
    fresh();
    put_hex(48, T "03 05");
    char *got = convert(&s, "qspy", NULL, 700, 99);
    assert_string_equal(got, "0000000010 Mtx-Lock Pro=3,Ceil=5\n");
    free(got);
    got = convert(&s, "qspy", NULL, 710, 99);
    assert_string_equal(got, "0000000010 Sch-Pre  Pri=5->3\n");
    free(got);
    fresh();
    put_name(&s, 0x20000100, "a[1]");
    got = convert(&s, "qspy", NULL, 660, 99);
    assert_string_equal(got, "           Obj-Dict 0x20000100->a<1>\n");
    free(got);
    fresh();
    put_hex(70, T);
    got = convert(&s, "qspy", NULL, 620, 99);
    assert_string_equal(got, "0000000010 USER+000\n");
    free(got);
}

static void a_cut_element_is_told_and_goes_on_behind_it(void **state) {
    (void)state;
    fresh();
    put_hex(100, T "01 07 05 0102");
    expect_text(&s, "qspy",
                "   <COMMS> ERROR    2 more bytes needed for uint32_t \n"
                "   <COMMS> ERROR    2 more bytes needed for uint32_t 0\n");
}

static void the_sequence_diagram_is_drawn(void **state) {
    struct wf_writer_options wo = {.size = sizeof wo, .objects = "?,A,B"};
    (void)state;
    fresh();
    put_name(&s, 0x20000100, "A");
    put_name(&s, 0x20000200, "B");
    put_hex(62, F2 "4F6E5F7200"); // On_r
    put_hex(60, "0400 00000000 45415400");
    put_hex(14, T O1 S4 O2 "01 02 03 04");
    put_hex(14, T O2 S4 O1 "01 02 03 04");
    put_hex(14, T "00090020" S4 O2 "01 02 03 04");
    put_hex(15, T S4 O1 "01 02 03 04");
    put_hex(6, T S4 O1 F1 F2);
    char *got = convert(&s, "seq", &wo, 0, 33);
    assert_string_equal(got,
                        "-g ?,A,B\n\n"
                        "           +-------+-------+   +-------+-------+   +-------+-------+\n"
                        "           |       ?       |   |       A       |   |       B       |\n"
                        "           +-------+-------+   +-------+-------+   +-------+-------+\n"
                        "0000000010         /                   *--EAT------------->|\n"
                        "0000000010         /                   |<-------------EAT--*\n"
                        "0000000010         *--EAT--------------+------------------>|\n"
                        "0000000010         /                   *<=EAT]             |\n"
                        "0000000010         /                  <r>                  |\n");
    free(got);
}

static void a_diagram_without_arrows_has_its_header(void **state) {
    static const char want[] = "-g A,?\n\n"
                               "           +-------+-------+   +-------+-------+\n"
                               "           |       A       |   |       ?       |\n"
                               "           +-------+-------+   +-------+-------+\n";
    struct wf_writer_options wo = {.size = sizeof wo, .objects = "A,?"},
                             none = {.size = sizeof none, .objects = ""};
    (void)state;
    fresh();
    for (int i = 0; i < 2; ++i) {
        char *got = convert(&s, "seq", &wo, 0, 33);
        assert_string_equal(got, want);
        free(got);
        put_name(&s, 0x20000300, "B");
        put_hex(14, T "00030020" S4 "00030020"
                      "01 02 03 04"); // not between these lanes
    }
    fresh();
    char *got = convert(&s, "seq", &none, 0, 33);
    assert_string_equal(got, "-g \n\n");
    free(got);
}

static void dictionary_files_go_out_and_in(void **state) {
    struct wf_session_options options = {.size = sizeof options, .dialect = WF_DIALECT_QSPY};
    struct wf_dict_result result;
    struct wf_item item;
    size_t len, len2;
    (void)state;
    fresh();
    put_hex(64, "FF E402 22 41 22 44 04 40 23 070809030218");
    put_name(&s, 0x20000100, "table");
    put_hex(62, F1 "6F6E00");
    put_hex(60, "0400" O1 "45415400");
    struct wf_session *a = wf_session_open(&options, NULL), *b = wf_session_open(&options, NULL);
    wf_session_feed(a, s.bytes, s.len);
    while (wf_session_next(a, &item)) {
    }
    char *text = wf_dict_write(a, &len), name[32];
    assert_string_equal(text,
                        "-v740\n-T4\n-O4\n-F4\n-S2\n-E2\n-Q1\n-P2\n-B2\n-C4\n-t240203_090807\n\n"
                        "Obj-Dic:\n4\n0x20000100 table\n***\nFun-Dic:\n4\n0x08000101 on\n***\n"
                        "Usr-Dic:\n1\n0x0000007C QUTEST_ON_POST\n***\n"
                        "Sig-Dic:\n4\n00000004 0x20000100 EAT\n***\n");
    assert_true(wf_dict_file_name(a, name, sizeof name));
    assert_string_equal(name, "qspy240203_090807.dic");
    assert_int_equal(wf_dict_read(b, text, len, &result), WF_OK);
    char *again = wf_dict_write(b, &len2);
    assert_string_equal(text, again);
    assert_int_equal(wf_dict_read(b, "Obj-Dic:\n4\nxyz\nxyz\n", 19, &result), WF_ERR_BAD_DICT);
    assert_int_equal(result.bad_line, 'x');
    assert_int_equal(result.line, 4);
    assert_int_equal(wf_dict_read(b, "-Z4\n", 4, &result), WF_ERR_BAD_DICT);
    assert_int_equal(result.bad_option, 'Z');
    free(text);
    free(again);
    wf_session_close(a);
    wf_session_close(b);
}

// As QSPY writes it when started with these sizes, but no key is truncated.
static void a_dictionary_has_keys_of_the_sizes_given(void **state) {
    static const struct {
        uint8_t bytes;
        const char *object; // its address, 8 bytes
        const char *want;
    } cases[] = {
        {0, "0001002000000000",
         "Obj-Dic:\n4\n0x20000100 a\n***\nFun-Dic:\n4\n***\nUsr-Dic:\n1\n"
         "0x00000065 SENT\n0x0000007C QUTEST_ON_POST\n***\n"
         "Sig-Dic:\n4\n00000004 0x20000100 EAT\n***\n"},
        {8, "0001002000000000",
         "Obj-Dic:\n8\n0x0000000020000100 a\n***\nFun-Dic:\n8\n***\nUsr-Dic:\n1\n"
         "0x00000065 SENT\n0x0000007C QUTEST_ON_POST\n***\n"
         "Sig-Dic:\n8\n00000004 0x0000000020000100 EAT\n***\n"},
        {0, "0001002055550000",
         "Obj-Dic:\n8\n0x0000555520000100 a\n***\nFun-Dic:\n4\n***\nUsr-Dic:\n1\n"
         "0x00000065 SENT\n0x0000007C QUTEST_ON_POST\n***\n"
         "Sig-Dic:\n8\n00000004 0x0000555520000100 EAT\n***\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        uint8_t bytes[WF_TYPE_END] = {0};
        char hex[64];
        bytes[WF_TYPE_OBJ] = bytes[WF_TYPE_FUN] = cases[i].bytes;
        fresh();
        put_hex(64, "FF E402 22 41 22 88 04 40 23 070809030218");
        snprintf(hex, sizeof hex, "%s 6100", cases[i].object);
        put_hex(61, hex);
        put_hex(63, "65 53454E5400");
        snprintf(hex, sizeof hex, "0400 %s 45415400", cases[i].object);
        put_hex(60, hex);
        char *got = convert_sized(&s, "dic", bytes);
        assert_non_null(strstr(got, "-O8\n-F8\n"));
        assert_string_equal(strstr(got, "Obj-Dic"), cases[i].want);
        free(got);
    }
    // All names are kept, also more than QSPY keeps; a target of version 8.x is decoded.
    fresh();
    put_hex(64, "46 E4D15A8C 22 41 22 44 04 40 23 070809030218");
    for (unsigned i = 0; i < 600; ++i) put_name(&s, 0x20000100 + i, "a");
    char *got = convert(&s, "dic", NULL, 0, 4096), *at = got;
    unsigned names = 0;
    for (; (at = strstr(at, " a\n")) != NULL; ++at) ++names;
    assert_int_equal(names, 600);
    assert_non_null(strstr(got, "-q1\n"));
    free(got);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_line_as_the_table_has_it),
        cmocka_unit_test(names_replace_numbers),
        cmocka_unit_test(an_element_of_0_is_looked_up_by_small_keys),
        cmocka_unit_test(a_signal_is_named_for_its_object),
        cmocka_unit_test(target_info_sets_sizes_and_a_reset_forgets_names),
        cmocka_unit_test(older_targets_are_read_as_they_sent),
        cmocka_unit_test(a_cut_element_is_told_and_goes_on_behind_it),
        cmocka_unit_test(the_sequence_diagram_is_drawn),
        cmocka_unit_test(a_diagram_without_arrows_has_its_header),
        cmocka_unit_test(a_dictionary_has_keys_of_the_sizes_given),
        cmocka_unit_test(dictionary_files_go_out_and_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
