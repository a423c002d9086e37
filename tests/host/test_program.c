// SPDX-License-Identifier: MIT
// Names from ELF files, maps and listings: which symbol an address gets, pointers of AVR and Thumb,
// refused files, and how a session uses the names.

#include "wallfly_host/wf_command.h"
#include "wallfly_host/wf_program.h"
#include "wf_test.h"
#include "wf_test_elf.h"

static struct wf_program *open_good(const void *bytes, size_t len) {
    struct wf_error error;
    struct wf_program *p = wf_program_open(bytes, len, &error);
    if (!p) print_message("%s\n", error.text);
    assert_non_null(p);
    assert_int_equal(error.code, WF_OK);
    return p;
}

static struct wf_program *open_text(const char *text) { return open_good(text, strlen(text)); }

static void fails(const void *bytes, size_t len, const char *why) {
    struct wf_error error;
    assert_null(wf_program_open(bytes, len, &error));
    assert_int_equal(error.code, WF_ERR_BAD_PROGRAM);
    if (!strstr(error.text, why)) print_message("'%s' is not in: %s\n", why, error.text);
    assert_non_null(strstr(error.text, why));
}

static void object_is(struct wf_program *p, uint64_t address, const char *want) {
    char text[WF_PROGRAM_NAME];
    assert_int_equal(wf_program_name(p, WF_PROGRAM_OBJECT, address, text), strlen(want));
    assert_string_equal(text, want);
}

static void function_is(struct wf_program *p, uint64_t address, const char *want) {
    char text[WF_PROGRAM_NAME];
    assert_int_equal(wf_program_name(p, WF_PROGRAM_FUNCTION, address, text), strlen(want));
    assert_string_equal(text, want);
}

static const struct elf_file usual = {
    .wide = true,
    .type = ET_EXEC,
    .machine = EM_X86_64,
    .build_id = 0x12345678,
    .text_at = 0x1000,
    .text = "hello\0%d is too warm\0never ends",
    .text_len = 31,
    .symbols =
        {
            {"main", 0x400, 0x40, STT_FUNC, STB_GLOBAL},
            {"helper", 0x440, 0x10, STT_FUNC, STB_LOCAL},
            {"naked", 0x450, 0, STT_FUNC, STB_GLOBAL},
            {"table", 0x2000, 0x40, STT_OBJECT, STB_GLOBAL},
            {"inner", 0x2010, 0x08, STT_OBJECT, STB_LOCAL},
            {"alias", 0x2100, 4, STT_OBJECT, STB_LOCAL},
            {"real", 0x2100, 4, STT_OBJECT, STB_GLOBAL},
            {"weak", 0x2100, 4, STT_OBJECT, STB_WEAK},
            {"_ZN3Lcd5mutexE", 0x2200, 4, STT_OBJECT, STB_GLOBAL},
            {"_ZN3Lcd4drawEiPKc", 0x500, 4, STT_FUNC, STB_GLOBAL},
            {"script", 0x3000, 0, STT_NOTYPE, STB_GLOBAL},
            {"bad\033name", 0x2300, 4, STT_OBJECT, STB_GLOBAL},
            {"twice", 0x2400, 4, STT_OBJECT, STB_LOCAL},
            {"twice", 0x2404, 4, STT_OBJECT, STB_LOCAL},
            {"beyond", UINT64_MAX - 3, 100, STT_OBJECT, STB_GLOBAL},
        },
};

static void the_smallest_enclosing_symbol_names_an_address(void **state) {
    (void)state;
    for (unsigned variant = 0; variant < 4; ++variant) {
        struct elf_file f = usual;
        f.wide = variant & 1;
        f.big = variant & 2;
        f.machine = f.wide ? EM_PPC64 : EM_PPC;
        if (!f.wide) f.symbols[14].address = UINT32_MAX - 3;
        elf_make(&f);
        struct wf_program *p = open_good(f.bytes, f.len);
        const struct wf_program_info *info = wf_program_about(p);
        assert_int_equal(info->bits, f.wide ? 64 : 32);
        assert_int_equal(info->big_endian, f.big);
        assert_int_equal(info->build_id, 0x12345678);
        assert_int_equal(info->functions, 4);
        assert_int_equal(info->objects, 10);
        function_is(p, 0x400, "main");
        function_is(p, 0x43F, "main+0x3F");
        function_is(p, 0x440, "helper");
        function_is(p, 0x450, "naked");
        function_is(p, 0x451, "");
        object_is(p, 0x2000, "table");
        object_is(p, 0x200F, "table+0xF");
        object_is(p, 0x2010, "inner");
        object_is(p, 0x2018, "table+0x18");
        object_is(p, 0x203F, "table+0x3F");
        object_is(p, 0x2040, "");
        object_is(p, 0x2100, "real");
        object_is(p, 0x3000, "");
        object_is(p, 0x2300, "bad\\x1bname");
        object_is(p, 0x2200, "Lcd::mutex");
        object_is(p, 0x2202, "Lcd::mutex+0x2");
        function_is(p, 0x500, "Lcd::draw(int, char const*)");
        object_is(p, f.symbols[14].address + 2, "beyond+0x2");
        object_is(p, 0x400, "main"); // a function as an object, and vice versa
        function_is(p, 0x2000, "table");
        wf_program_close(p);
    }
}

static void names_have_addresses(void **state) {
    (void)state;
    struct elf_file f = usual;
    uint64_t address = 0;
    elf_make(&f);
    struct wf_program *p = open_good(f.bytes, f.len);
    assert_true(wf_program_find(p, WF_PROGRAM_OBJECT, "inner", &address));
    assert_int_equal(address, 0x2010);
    assert_true(wf_program_find(p, WF_PROGRAM_FUNCTION, "main", &address));
    assert_int_equal(address, 0x400);
    assert_false(wf_program_find(p, WF_PROGRAM_OBJECT, "main", &address));
    assert_false(wf_program_find(p, WF_PROGRAM_OBJECT, "twice", &address));
    assert_false(wf_program_find(p, WF_PROGRAM_OBJECT, "tabl", &address));
    wf_program_close(p);
}

static void constant_texts_are_read(void **state) {
    (void)state;
    struct elf_file f = usual;
    const char *text;
    size_t len;
    elf_make(&f);
    struct wf_program *p = open_good(f.bytes, f.len);
    assert_true(wf_program_text(p, 0x1000, &text, &len));
    assert_string_equal(text, "hello");
    assert_true(wf_program_text(p, 0x1006, &text, &len));
    assert_string_equal(text, "%d is too warm");
    assert_int_equal(len, 14);
    assert_true(wf_program_text(p, 0x1005, &text, &len));
    assert_int_equal(len, 0);
    assert_false(wf_program_text(p, 0x1015, &text, &len)); // the text does not end in its section
    assert_false(wf_program_text(p, 0xFFF, &text, &len));
    assert_false(wf_program_text(p, 0x1000 + 31, &text, &len));
    wf_program_close(p);
    f = usual;
    f.text_written = true; // the program may have changed it
    elf_make(&f);
    p = open_good(f.bytes, f.len);
    assert_false(wf_program_text(p, 0x1000, &text, &len));
    wf_program_close(p);
}

static void avr_sends_16_bits(void **state) {
    (void)state;
    struct elf_file f = {.type = ET_EXEC,
                         .machine = EM_AVR,
                         .text_at = 0x800100,
                         .text_written = true,
                         .text = "in data",
                         .text_len = 8,
                         .symbols = {
                             {"main", 0x100, 0x40, STT_FUNC, STB_GLOBAL},
                             {"next", 0x140, 0x02, STT_FUNC, STB_GLOBAL},
                             {"buffer", 0x800110, 0x20, STT_OBJECT, STB_GLOBAL},
                             {"stored", 0x810004, 2, STT_OBJECT, STB_GLOBAL},
                         }};
    const char *text;
    size_t len;
    uint64_t address;
    elf_make(&f);
    struct wf_program *p = open_good(f.bytes, f.len);
    function_is(p, 0x80, "main");
    function_is(p, 0x81, "main+0x2");
    function_is(p, 0xA0, "next");
    function_is(p, 0x100, ""); // a byte address of main
    object_is(p, 0x110, "buffer");
    object_is(p, 0x114, "buffer+0x4");
    object_is(p, 0x4, "stored"); // below the RAM
    object_is(p, 0x80, "");
    object_is(p, 0x800110, "");
    assert_true(wf_program_text(p, 0x103, &text, &len));
    assert_string_equal(text, "data");
    assert_true(wf_program_find(p, WF_PROGRAM_FUNCTION, "next", &address));
    assert_int_equal(address, 0xA0);
    assert_true(wf_program_find(p, WF_PROGRAM_OBJECT, "buffer", &address));
    assert_int_equal(address, 0x110);
    wf_program_close(p);
}

static void thumb_functions_have_bit_0_set(void **state) {
    (void)state;
    struct elf_file f = {.type = ET_EXEC,
                         .machine = EM_ARM,
                         .symbols = {
                             {"thumb", 0x8001, 0x10, STT_FUNC, STB_GLOBAL},
                             {"arm", 0x8010, 0x10, STT_FUNC, STB_GLOBAL},
                             {"byte", 0x20001, 1, STT_OBJECT, STB_GLOBAL},
                         }};
    uint64_t address;
    elf_make(&f);
    struct wf_program *p = open_good(f.bytes, f.len);
    function_is(p, 0x8001, "thumb");
    function_is(p, 0x8000, "thumb");
    function_is(p, 0x8004, "thumb+0x4");
    function_is(p, 0x8010, "arm");
    object_is(p, 0x20001, "byte");
    object_is(p, 0x20000, "");
    assert_true(wf_program_find(p, WF_PROGRAM_FUNCTION, "thumb", &address));
    assert_int_equal(address, 0x8001);
    wf_program_close(p);
}

static void listings_of_nm_name_addresses(void **state) {
    (void)state;
    struct wf_program *p = open_text("\nmain.o:\n"
                                     "                 U printf\n"
                                     "08000100 T main\r\n"
                                     "08000140 00000020 t helper\n"
                                     "20000000 00000010 b uart_mutex\n"
                                     "20000010 D lcd::mutex\n"
                                     "08000200 T lcd::draw(int, char const*)\n"
                                     "20000020 00000004 B count\t/src/main.c:12\n"
                                     "00000abc a absolute\n"
                                     "08000300 W either\n");
    assert_int_equal(wf_program_about(p)->kind, WF_PROGRAM_NM);
    function_is(p, 0x08000100, "main");
    function_is(p, 0x08000101, "main"); // Thumb
    function_is(p, 0x08000104, "");     // the size is not known
    function_is(p, 0x08000150, "helper+0x10");
    function_is(p, 0x08000200, "lcd::draw(int, char const*)");
    object_is(p, 0x20000000, "uart_mutex");
    object_is(p, 0x20000004, "uart_mutex+0x4");
    object_is(p, 0x20000010, "lcd::mutex");
    object_is(p, 0x20000020, "count");
    object_is(p, 0x20000021, "count+0x1");
    object_is(p, 0xabc, "");
    function_is(p, 0x08000300, "either");
    wf_program_close(p);
    p = open_text("0000003f a __SREG__\n00800104 00000002 b n\n00000090 T task\n");
    object_is(p, 0x104, "n");
    function_is(p, 0x48, "task");
    wf_program_close(p);
}

static const char map[] =
    "Archive member included\n\nlibc.a(x.o)\n      main.o (x)\n\n"
    "Discarded input sections\n\n .text.unused  0x00000000  0x10 main.o\n\n"
    "Memory Configuration\n\nName Origin Length\n\nLinker script and memory map\n\n"
    ".text           0x08000000      0x200\n"
    " *(.text*)\n"
    " .text.main     0x08000000       0x40 build/main.o\n"
    "                0x08000000                main\n"
    " .text          0x08000040       0x40 build/lib.o\n"
    "                0x08000040                lib_open(int, char const*)\n"
    "                0x08000060                lib_close\n"
    "                0x08000080                . = ALIGN (0x4)\n"
    "                0x08000080                _etext = .\n"
    " *fill*         0x08000080        0x4 \n"
    "\n.bss            0x20000000      0x100\n"
    " .bss.uart_mutex\n"
    "                0x20000000       0x10 build/main.o\n"
    " .bss           0x20000010       0x30 build/lib.o\n"
    "                0x20000020                lib_state\n"
    " COMMON         0x20000040        0x8 build/a.o\n"
    "                0x20000040                shared\n"
    "\n.debug_info     0x00000000    0x1000\n"
    " .debug_info    0x00000000    0x1000 build/main.o\n"
    "OUTPUT(main.elf elf32-littlearm)\n";

static void maps_name_addresses(void **state) {
    (void)state;
    struct wf_program *p = open_text(map);
    assert_int_equal(wf_program_about(p)->kind, WF_PROGRAM_MAP);
    assert_string_equal(wf_program_about(p)->machine, "ARM");
    function_is(p, 0x08000001, "main");
    function_is(p, 0x08000010, "main+0x10"); // the size is that of its section
    function_is(p, 0x08000040, "lib_open(int, char const*)");
    function_is(p, 0x08000060, "lib_close");
    function_is(p, 0x08000064, "lib.o:.text+0x24"); // may belong to another, static function
    object_is(p, 0x20000000, "uart_mutex");
    object_is(p, 0x20000004, "uart_mutex+0x4");
    object_is(p, 0x20000010, "lib.o:.bss");
    object_is(p, 0x20000014, "lib.o:.bss+0x4");
    object_is(p, 0x20000020, "lib_state");
    object_is(p, 0x20000040, "shared");
    object_is(p, 0x20000048, "");
    object_is(p, 0x10, "");
    wf_program_close(p);
}

static void what_cannot_be_used_is_refused(void **state) {
    (void)state;
    struct elf_file f = usual;
    fails("", 0, "is empty");
    fails("\1\2\3\0", 4, "byte 0: begins with 0x01");
    fails("!<arch>\nxxxx", 12, "is a library");
    fails("what\nis this\n", 13, "line 1: 'what' is not of a listing");
    fails("08000100 T main\n08000100 main\n", 30, "line 2: '08000100 main'");
    fails("                 U printf\n", 26, "line 1: ends without a symbol");
    fails("Memory Configuration\n\nName\n", 27, "line 3: ends before \"Linker script");
    fails("Memory Configuration\nLinker script and memory map\n", 50,
          "without a section or symbol");
    fails("\177ELFjunk", 8, "its header is damaged");
    f.type = ET_REL;
    elf_make(&f);
    fails(f.bytes, f.len, "byte 16: is an object file");
    f.type = ET_CORE;
    elf_make(&f);
    fails(f.bytes, f.len, "is a core");
    f = usual;
    elf_make(&f);
    fails(f.bytes, f.len - 70, "lie after the end of the file");
    f.symbols[0].name = NULL;
    elf_make(&f);
    fails(f.bytes, f.len, "it was stripped");
}

// Only the beginning of a name that grows without end is used; wfi_demangle's bounds.
static void made_up_names_stay_small(void **state) {
    (void)state;
    struct elf_file f = usual;
    char bomb[400] = "_Z1fSt4pairIiiE", text[WF_PROGRAM_NAME];
    for (unsigned i = 0; i < 60; ++i) strcat(bomb, "S_S0_");
    f.symbols[0].name = bomb;
    elf_make(&f);
    struct wf_program *p = open_good(f.bytes, f.len);
    assert_int_equal(wf_program_name(p, WF_PROGRAM_FUNCTION, 0x400, text), strlen(bomb));
    wf_program_close(p);
}

// ---- in a session ----

enum { SYNC = 82, OBJ_DICT = 61, FUN_DICT = 62, TARGET_INFO = 64 };

static struct wf_session *session_of(unsigned pointer_bytes) {
    struct wf_session_options options = {.size = sizeof options,
                                         .bytes[WF_TYPE_OBJ] = (uint8_t)pointer_bytes,
                                         .bytes[WF_TYPE_FUN] = (uint8_t)pointer_bytes};
    struct wf_session *s = wf_session_open(&options, NULL);
    assert_non_null(s);
    return s;
}

static void know_name(struct wf_session *s, uint8_t id, uint64_t key, const char *name) {
    uint8_t payload[64];
    for (unsigned i = 0; i < 8; ++i) payload[i] = (uint8_t)(key >> 8 * i);
    memcpy(payload + 8, name, strlen(name) + 1);
    wf_session_learn(s, id, payload, 8 + strlen(name) + 1);
}

static void know_build(struct wf_session *s, uint32_t id) {
    uint8_t payload[51] = {0};
    for (unsigned i = 0; i < 4; ++i) payload[42 + i] = (uint8_t)(id >> 8 * i);
    static const uint8_t sizes[5] = {0x22, 0x41, 0x22, 0x88, 0x04};
    memcpy(payload + 46, sizes, 5);
    wf_session_learn(s, SYNC, payload, sizeof payload);
    assert_int_equal(wf_session_target(s)->build_id, id);
}

static void name_is(struct wf_session *s, enum wf_effect dict, uint64_t key, const char *want) {
    const char *name = wf_session_name(s, dict, key, 0);
    if (!want) {
        assert_null(name);
        return;
    }
    assert_non_null(name);
    assert_string_equal(name, want);
}

static void dictionaries_win(void **state) {
    (void)state;
    struct elf_file f = usual;
    uint64_t key;
    elf_make(&f);
    struct wf_program *p = open_good(f.bytes, f.len);
    struct wf_session *s = session_of(8);
    name_is(s, WF_EFFECT_NAME_OBJECT, 0x2000, NULL);
    wf_session_use_program(s, p, NULL);
    assert_int_equal(wf_program_fit(s, NULL), WF_PROGRAM_UNCHECKED);
    name_is(s, WF_EFFECT_NAME_OBJECT, 0x2000, "table");
    name_is(s, WF_EFFECT_NAME_OBJECT, 0x2000, "table");
    name_is(s, WF_EFFECT_NAME_OBJECT, 0, NULL);
    name_is(s, WF_EFFECT_NAME_OBJECT, 0x2050, NULL);
    name_is(s, WF_EFFECT_NAME_FUNCTION, 0x400, "main");
    know_name(s, OBJ_DICT, 0x2000, "the table");
    name_is(s, WF_EFFECT_NAME_OBJECT, 0x2000, "the table");
    assert_true(wf_session_find_key(s, WF_EFFECT_NAME_OBJECT, "inner", 0, &key));
    assert_int_equal(key, 0x2010);
    assert_true(wf_session_find_key(s, WF_EFFECT_NAME_FUNCTION, "helper", 0, &key));
    assert_int_equal(key, 0x440);
    wf_session_use_program(s, NULL, NULL);
    name_is(s, WF_EFFECT_NAME_FUNCTION, 0x400, NULL);
    wf_session_close(s);
    wf_program_close(p);
}

static void offered(void *ctx, const char *word) {
    if (strcmp(word, "inner") == 0) *(unsigned *)ctx += 1;
}

static void commands_take_its_names(void **state) {
    (void)state;
    struct elf_file f = usual;
    struct wf_request request;
    char *good[] = {"current", "ap", "inner"}, *bad[] = {"current", "ap", "innr"};
    unsigned count = 0;
    elf_make(&f);
    struct wf_program *p = open_good(f.bytes, f.len);
    struct wf_session *s = session_of(8);
    know_build(s, 0x12345678); // also has the sizes
    struct wf_commander *c = wf_commander_open(s);
    assert_int_equal(wf_command_make(c, good, 3, &request), WF_MADE_NO_NAME);
    wf_session_use_program(s, p, NULL);
    assert_int_equal(wf_command_make(c, good, 3, &request), WF_MADE);
    assert_memory_equal(request.frame[0].payload + request.frame[0].len - 8, "\x10\x20\0\0\0\0\0",
                        8);
    assert_int_equal(wf_command_make(c, bad, 3, &request), WF_MADE_NO_NAME);
    assert_non_null(strstr(request.problem, "is it inner"));
    wf_command_complete(c, "current ap in", offered, &count);
    assert_int_equal(count, 1);
    wf_commander_close(c);
    wf_session_close(s);
    wf_program_close(p);
}

static void another_build_gives_no_names(void **state) {
    (void)state;
    struct elf_file f = usual;
    elf_make(&f);
    struct wf_program *p = open_good(f.bytes, f.len);
    struct wf_session *s = session_of(8);
    wf_session_use_program(s, p, NULL);
    know_build(s, 0x12345678);
    assert_int_equal(wf_program_fit(s, NULL), WF_PROGRAM_FITS);
    name_is(s, WF_EFFECT_NAME_OBJECT, 0x2000, "table");
    know_build(s, 0x12345679);
    assert_int_equal(wf_program_fit(s, NULL), WF_PROGRAM_OTHER_BUILD);
    name_is(s, WF_EFFECT_NAME_OBJECT, 0x2000, NULL);
    know_build(s, 0);
    assert_int_equal(wf_program_fit(s, NULL), WF_PROGRAM_UNCHECKED);
    name_is(s, WF_EFFECT_NAME_OBJECT, 0x2000, "table");
    wf_session_close(s);
    wf_program_close(p);
}

static void one_name_places_a_program_that_moves(void **state) {
    (void)state;
    struct elf_file f = usual;
    uint64_t at, key;
    const char *text;
    size_t len;
    f.type = ET_DYN;
    elf_make(&f);
    struct wf_program *p = open_good(f.bytes, f.len);
    struct wf_session *s = session_of(8);
    wf_session_use_program(s, p, NULL);
    assert_int_equal(wf_program_fit(s, NULL), WF_PROGRAM_UNPLACED);
    name_is(s, WF_EFFECT_NAME_OBJECT, 0x2000, NULL);
    know_name(s, FUN_DICT, 0x555555554441, "main"); // the distance is not a multiple of a page
    assert_int_equal(wf_program_fit(s, NULL), WF_PROGRAM_UNPLACED);
    know_name(s, OBJ_DICT, 0x555555556000, "&unknown");
    assert_int_equal(wf_program_fit(s, NULL), WF_PROGRAM_UNPLACED);
    know_name(s, OBJ_DICT, 0x555555556000, "&table");
    assert_int_equal(wf_program_fit(s, &at), WF_PROGRAM_UNCHECKED);
    assert_int_equal(at, 0x555555554000);
    name_is(s, WF_EFFECT_NAME_OBJECT, 0x555555556010, "inner");
    name_is(s, WF_EFFECT_NAME_FUNCTION, 0x555555554404, "main+0x4");
    name_is(s, WF_EFFECT_NAME_OBJECT, 0x2010, NULL);
    assert_true(wf_session_find_key(s, WF_EFFECT_NAME_OBJECT, "inner", 0, &key));
    assert_int_equal(key, 0x555555556010);
    assert_true(wf_session_text_at(s, 0x555555555000, &text, &len));
    assert_string_equal(text, "hello");
    // It restarts at another address.
    static const uint8_t info[16] = {1, 0xE4, 2, 0x22, 0x41, 0x22, 0x88, 0x04};
    wf_session_learn(s, TARGET_INFO, info, sizeof info);
    assert_int_equal(wf_program_fit(s, &at), WF_PROGRAM_UNPLACED);
    know_name(s, OBJ_DICT, 0x7F0000002000, "table");
    name_is(s, WF_EFFECT_NAME_OBJECT, 0x7F0000002010, "inner");
    // The user's address stays in force.
    at = 0x10000;
    wf_session_use_program(s, p, &at);
    know_name(s, OBJ_DICT, 0x7F0000003000, "table");
    name_is(s, WF_EFFECT_NAME_OBJECT, 0x12010, "inner");
    wf_session_close(s);
    wf_program_close(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_smallest_enclosing_symbol_names_an_address),
        cmocka_unit_test(names_have_addresses),
        cmocka_unit_test(constant_texts_are_read),
        cmocka_unit_test(avr_sends_16_bits),
        cmocka_unit_test(thumb_functions_have_bit_0_set),
        cmocka_unit_test(listings_of_nm_name_addresses),
        cmocka_unit_test(maps_name_addresses),
        cmocka_unit_test(what_cannot_be_used_is_refused),
        cmocka_unit_test(made_up_names_stay_small),
        cmocka_unit_test(dictionaries_win),
        cmocka_unit_test(commands_take_its_names),
        cmocka_unit_test(another_build_gives_no_names),
        cmocka_unit_test(one_name_places_a_program_that_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
