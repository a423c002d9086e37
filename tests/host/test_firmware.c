// SPDX-License-Identifier: MIT
// What ELF files show of the recorder: texts of wf_note.h, calls in the code of each machine (the
// bytes are those of GNU as and LLVM), the ring, the kernel, and files that are none.

#include "wallfly_host/wf_firmware.h"
#include "wf_test.h"
#include "wf_test_elf.h"

#define NOTE(version, options) "wallfly " version " " options "\0"
#define BYTES(text)            .text = (text), .text_len = sizeof(text) - 1

static struct wf_firmware_info read_good(struct elf_file *f) {
    struct wf_firmware_info info;
    struct wf_error error;
    elf_make(f);
    if (!wf_firmware_read(f->bytes, f->len, &info, &error)) fail_msg("%s", error.text);
    assert_int_equal(error.code, WF_OK);
    return info;
}

static void fails(const void *bytes, size_t len, const char *why) {
    struct wf_firmware_info info;
    struct wf_error error;
    assert_false(wf_firmware_read(bytes, len, &info, &error));
    assert_int_equal(error.code, WF_ERR_BAD_PROGRAM);
    if (!strstr(error.text, why)) fail_msg("'%s' is not in: %s", why, error.text);
}

static void other_files_get_messages(void **state) {
    (void)state;
    static const char map[] = "Linker script and memory map\n";
    struct elf_file f = {.wide = true, .type = ET_REL, .machine = EM_X86_64};
    fails("", 0, "is empty");
    fails("\1\2\3\0", 4, "byte 0: begins with 0x01");
    fails("\177ELFjunk", 8, "its header is damaged");
    fails("08000100 T main\n", 16, "is a nm listing, which does not contain the program");
    fails(map, sizeof map - 1, "line 1");
    elf_make(&f);
    fails(f.bytes, f.len, "is an object file");
    f.type = ET_CORE;
    elf_make(&f);
    fails(f.bytes, f.len, "is a core");
    f.type = ET_EXEC;
    elf_make(&f);
    fails(f.bytes, f.len - 300, "the section headers lie after the end of the file");
}

static void a_note_has_version_and_options(void **state) {
    (void)state;
    static const char comment[] =
        "GCC: (GNU) 12\0"
        "wallfly is a word\0" NOTE("1.20.3-rc", "on=1 slots=1 time=8 stage=(4 * 64) box=x new=3");
    struct elf_file f = {
        .type = ET_EXEC, .machine = EM_ARM, .comment = comment, .comment_len = sizeof comment - 1};
    struct wf_firmware_info info = read_good(&f);
    assert_int_equal(info.symbols, WF_FIRMWARE_STRIPPED);
    assert_int_equal(info.recorder, WF_FIRMWARE_SLOTS);
    assert_string_equal(info.version, "1.20.3-rc");
    assert_int_equal(info.options[WF_FIRMWARE_TIME], 8);
    assert_int_equal(info.options[WF_FIRMWARE_STAGE], -1); // an expression
    assert_int_equal(info.options[WF_FIRMWARE_BOX], -1);
    assert_int_equal(info.options[WF_FIRMWARE_QS], -1);
    assert_false(info.mixed);
    assert_int_equal(info.uses[WF_FIRMWARE_START], WF_FIRMWARE_UNDECIDED);
}

static void parts_with_other_options_are_mixed(void **state) {
    (void)state;
    static const char comment[] =
        NOTE("0.1.0", "on=0 time=4") NOTE("0.1.0", "on=1 time=2") NOTE("0.2.0", "on=1 time=2");
    struct elf_file f = {
        .type = ET_EXEC, .machine = EM_ARM, .comment = comment, .comment_len = sizeof comment - 1};
    struct wf_firmware_info info = read_good(&f);
    assert_true(info.mixed);
    assert_string_equal(info.mixed_options,
                        "on=0 and on=1, time=4 and time=2, version=0.1.0 and version=0.2.0");
    assert_int_equal(info.recorder, WF_FIRMWARE_FRAMES); // the part that records
    assert_int_equal(info.options[WF_FIRMWARE_TIME], 2);
}

static void a_recorder_is_off_or_absent(void **state) {
    (void)state;
    static const char off[] = NOTE("0.1.0", "on=0"), on[] = NOTE("0.1.0", "on=1");
    struct elf_file f = {.type = ET_EXEC,
                         .machine = EM_ARM,
                         .symbols = {{"main", 0x400, 0x40, STT_FUNC, STB_GLOBAL}}};
    assert_int_equal(read_good(&f).recorder, WF_FIRMWARE_NO_RECORDER);
    f.comment = off;
    f.comment_len = sizeof off - 1;
    assert_int_equal(read_good(&f).recorder, WF_FIRMWARE_OFF);
    f.comment = on; // its headers were included, and no more
    f.comment_len = sizeof on - 1;
    assert_int_equal(read_good(&f).recorder, WF_FIRMWARE_NO_RECORDER);
    f.comment = NULL; // a build without the text
    f.symbols[1] = (struct elf_symbol){"wf_rtt_poll", 0x500, 8, STT_FUNC, STB_GLOBAL};
    assert_int_equal(read_good(&f).recorder, WF_FIRMWARE_OFF);
    f.symbols[2] = (struct elf_symbol){"wfi", 0x20000000, 0x100, STT_OBJECT, STB_GLOBAL};
    assert_int_equal(read_good(&f).recorder, WF_FIRMWARE_FRAMES);
    f.symbols[3] = (struct elf_symbol){"wfi_slots", 0x20001000, 0x10, STT_OBJECT, STB_GLOBAL};
    assert_int_equal(read_good(&f).recorder, WF_FIRMWARE_SLOTS);
}

// Code at 0x10000 that calls or takes the address of a function at 0x10200.
static const struct branch {
    const char *what;
    uint16_t machine;
    bool wide;
    uint64_t function;
    const char *code;
    size_t len;
} branches[] = {
#define B(what, machine, wide, function, code)                                                     \
    { what, machine, wide, function, code, sizeof(code) - 1 }
    B("bl", EM_ARM, false, 0x10201, "\x00\xf0\xfe\xf8"),
    B("b.w", EM_ARM, false, 0x10201, "\x00\xbf\x00\xbf\x00\xf0\xfc\xb8"),
    B("bne.w", EM_ARM, false, 0x10201, "\x40\xf0\xfe\x80"),
    B("b.n", EM_ARM, false, 0x10201, "\x00\xbf\xfd\xe0"),
    B("movw, movt", EM_ARM, false, 0x10201, "\x40\xf2\x01\x20\x00\x21\xc0\xf2\x01\x00"),
    B("a literal", EM_ARM, false, 0x10201, "\x00\xbf\x00\xbf\x01\x02\x01\x00"),
    B("bl of A32", EM_ARM, false, 0x10200, "\x7e\x00\x00\xeb"),
    B("blx of A32", EM_ARM, false, 0x10205, "\x00\x00\xa0\xe1\x00\x00\xa0\xe1\x7d\x00\x00\xfa"),
    B("jal", EM_RISCV, false, 0x10200, "\xef\x00\x00\x20"),
    B("auipc, jalr", EM_RISCV, false, 0x10200, "\x13\x00\x00\x00\x97\x00\x00\x00\xe7\x80\xc0\x1f"),
    B("auipc, addi", EM_RISCV, false, 0x101F4, "\x17\x05\x00\x00\x13\x05\x45\x1f"),
    B("lui, addi", EM_RISCV, true, 0x10200, "\x37\x05\x01\x00\x13\x05\x05\x20"),
    B("c.j", EM_RISCV, false, 0x101EC, "\xf5\xa2"),
    B("call", EM_AVR, false, 0x10204, "\x0e\x94\x02\x81"),
    B("jmp", EM_AVR, false, 0x10204, "\x0c\x94\x02\x81"),
    B("rcall", EM_AVR, false, 0x101F8, "\xfb\xd0"),
    B("ldi, ldi", EM_AVR, false, 0x10204, "\x82\xe0\x91\xe8"),
    B("call", EM_X86_64, true, 0x10200, "\xe8\xfb\x01\x00\x00"),
    B("jmp", EM_X86_64, true, 0x101FB, "\xe9\xf6\x01\x00\x00"),
    B("jne", EM_386, false, 0x101F6, "\x0f\x85\xf0\x01\x00\x00"),
    B("lea", EM_X86_64, true, 0x101F0, "\x48\x8d\x3d\xe9\x01\x00\x00"),
    B("bl", EM_AARCH64, true, 0x10200, "\x80\x00\x00\x94"),
    B("adrp, add", EM_AARCH64, true, 0x10200, "\x00\x00\x00\x90\x00\x00\x08\x91"),
#undef B
};

static void calls_are_found_in_the_code_of_each_machine(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof branches / sizeof *branches; ++i) {
        const struct branch *b = &branches[i];
        struct elf_file f = {.wide = b->wide,
                             .type = ET_EXEC,
                             .machine = b->machine,
                             .text_at = 0x10000,
                             .text = b->code,
                             .text_len = b->len,
                             .text_code = true,
                             .symbols = {{"main", 0x10000, 0x40, STT_FUNC, STB_GLOBAL},
                                         {"wf_start", b->function, 8, STT_FUNC, STB_GLOBAL}}};
        for (unsigned wrong = 0; wrong < 2; ++wrong) {
            f.symbols[1].address = b->function + 2 * wrong;
            enum wf_firmware_use use = read_good(&f).uses[WF_FIRMWARE_START];
            if (use != (wrong ? WF_FIRMWARE_UNUSED : WF_FIRMWARE_USED))
                fail_msg("%s of machine %u: %d", b->what, b->machine, use);
        }
        // Each cut of the code is read without a fault.
        for (f.text_len = 0; f.text_len < b->len; ++f.text_len) read_good(&f);
    }
}

static void only_the_program_makes_a_function_used(void **state) {
    (void)state;
    // 0x10000 calls 0x10200: bl, and a word of data with its address
    struct elf_file f = {.type = ET_EXEC,
                         .machine = EM_ARM,
                         .text_at = 0x10000,
                         .text = "\x00\xf0\xfe\xf8",
                         .text_len = 4,
                         .text_code = true,
                         .symbols = {{"wf_uart_poll", 0x10001, 0x40, STT_FUNC, STB_GLOBAL},
                                     {"wf_get_byte", 0x10201, 8, STT_FUNC, STB_GLOBAL}}};
    struct wf_firmware_info info = read_good(&f);
    assert_int_equal(info.uses[WF_FIRMWARE_DRAIN], WF_FIRMWARE_UNUSED);
    assert_int_equal(info.uses[WF_FIRMWARE_START], WF_FIRMWARE_ABSENT);
    f.symbols[0].name = "idle"; // a function of the program
    assert_int_equal(read_good(&f).uses[WF_FIRMWARE_DRAIN], WF_FIRMWARE_USED);
    f.symbols[0].name = "wf_get_byte"; // recursion alone is no use
    f.symbols[1].name = "wf_get_block";
    f.text = "\xff\xf7\xfe\xff";
    assert_int_equal(read_good(&f).uses[WF_FIRMWARE_DRAIN], WF_FIRMWARE_UNUSED);
    f.machine = EM_PPC;
    f.big = true;
    assert_int_equal(read_good(&f).uses[WF_FIRMWARE_DRAIN], WF_FIRMWARE_UNDECIDED);
}

static void a_static_function_is_of_its_source(void **state) {
    (void)state;
    struct elf_file f = {.type = ET_EXEC,
                         .machine = EM_ARM,
                         .text_at = 0x10000,
                         .text = "\x00\xf0\xfe\xf8",
                         .text_len = 4,
                         .text_code = true,
                         .symbols = {{"wf_rtt.c", 0, 0, STT_FILE, STB_LOCAL},
                                     {"move_up", 0x10001, 0x40, STT_FUNC, STB_LOCAL},
                                     {"wf_get_block", 0x10201, 8, STT_FUNC, STB_GLOBAL}}};
    assert_int_equal(read_good(&f).uses[WF_FIRMWARE_DRAIN], WF_FIRMWARE_UNUSED);
    f.symbols[0].name = "main.c";
    assert_int_equal(read_good(&f).uses[WF_FIRMWARE_DRAIN], WF_FIRMWARE_USED);
    // Optimized when linked: what is absent may be part of a caller.
    assert_int_equal(read_good(&f).uses[WF_FIRMWARE_START], WF_FIRMWARE_ABSENT);
    f.symbols[0].name = "<artificial>";
    assert_int_equal(read_good(&f).uses[WF_FIRMWARE_START], WF_FIRMWARE_UNDECIDED);
}

static void a_constant_structure_gives_the_ring(void **state) {
    (void)state;
    // bl wf_start; the literal of `config` at 0x10010; config: ring, 1024 bytes, the rest
    static const char text[] = "\x00\xf0\xfe\xf8"
                               "\x10\x00\x01\x00"
                               "\x00\x00\x00\x00\x00\x00\x00\x00"
                               "\x40\x00\x00\x20\x00\x04\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
                               "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00";
    struct elf_file f = {.type = ET_EXEC,
                         .machine = EM_ARM,
                         .text_at = 0x10000,
                         BYTES(text),
                         .text_code = true,
                         .symbols = {{"main", 0x10001, 0x10, STT_FUNC, STB_GLOBAL},
                                     {"wf_start", 0x10201, 8, STT_FUNC, STB_GLOBAL},
                                     {"config", 0x10010, 28, STT_OBJECT, STB_LOCAL},
                                     {"ring\033", 0x20000040, 1024, STT_OBJECT, STB_LOCAL},
                                     {"wfi", 0x20001000, 0x100, STT_OBJECT, STB_GLOBAL}}};
    struct wf_firmware_info info = read_good(&f);
    assert_true(info.ring.known);
    assert_int_equal(info.ring.address, 0x20000040);
    assert_int_equal(info.ring.size, 1024);
    assert_string_equal(info.ring.name, "ring\\x1b");
    assert_false(info.ring.in_ram); // the file has no segments
    f.symbols[3].size = 1023;
    assert_false(read_good(&f).ring.known);
    f.symbols[3].size = 1024;
    f.symbols[0].size = 4; // the literal is another function's
    assert_false(read_good(&f).ring.known);
}

static void kernels_are_known(void **state) {
    (void)state;
    struct elf_file f = {.type = ET_EXEC,
                         .machine = EM_ARM,
                         .text_at = 0x10000,
                         .text = "\x00\xf0\xfe\xf8",
                         .text_len = 4,
                         .text_code = true,
                         .symbols = {{"vTaskSwitchContext", 0x10001, 0x40, STT_FUNC, STB_GLOBAL}}};
    struct wf_firmware_info info = read_good(&f);
    assert_string_equal(info.kernel.name, "FreeRTOS");
    assert_string_equal(info.kernel.hook, "wf_freertos_in");
    assert_int_equal(info.kernel.use, WF_FIRMWARE_ABSENT);
    f.symbols[1] = (struct elf_symbol){"wf_freertos_in", 0x10201, 8, STT_FUNC, STB_GLOBAL};
    assert_int_equal(read_good(&f).kernel.use, WF_FIRMWARE_USED);
    f.symbols[1].address += 2;
    assert_int_equal(read_good(&f).kernel.use, WF_FIRMWARE_UNUSED);
    // Zephyr has an empty hook of its own.
    f.symbols[0].name = "z_cstart";
    f.symbols[1] =
        (struct elf_symbol){"sys_trace_thread_switched_in_user", 0x10201, 8, STT_FUNC, STB_WEAK};
    assert_int_equal(read_good(&f).kernel.use, WF_FIRMWARE_ABSENT);
    f.symbols[2] = (struct elf_symbol){"wf_zephyr_self", 0x10301, 8, STT_FUNC, STB_GLOBAL};
    assert_int_equal(read_good(&f).kernel.use, WF_FIRMWARE_USED);
    f.symbols[0].name = "rt_schedule";
    info = read_good(&f);
    assert_string_equal(info.kernel.name, "RT-Thread");
    assert_null(info.kernel.port);
}

// Each byte set to others, and each length: read without a fault, or refused with a message.
static void damaged_files_are_read_or_refused(void **state) {
    (void)state;
    static const char comment[] = NOTE("0.1.0", "on=1 time=4");
    static const uint8_t values[] = {0, 1, 0x7F, 0x80, 0xFF};
    struct elf_file f = {.type = ET_EXEC,
                         .machine = EM_ARM,
                         .build_id = 0x12345678,
                         .text_at = 0x10000,
                         .text = "\x00\xf0\xfe\xf8",
                         .text_len = 4,
                         .text_code = true,
                         .comment = comment,
                         .comment_len = sizeof comment - 1,
                         .symbols = {{"main", 0x10001, 0x10, STT_FUNC, STB_GLOBAL},
                                     {"wf_start", 0x10201, 8, STT_FUNC, STB_GLOBAL},
                                     {"wfi", 0x20001000, 0x100, STT_OBJECT, STB_GLOBAL}}};
    struct wf_firmware_info info = read_good(&f);
    struct wf_error error;
    unsigned good = 0, bad = 0;
    assert_int_equal(info.build_id, 0x12345678);
    for (size_t at = 0; at < f.len; ++at) {
        const uint8_t was = f.bytes[at];
        for (size_t i = 0; i < sizeof values; ++i) {
            f.bytes[at] = values[i];
            bool read = wf_firmware_read(f.bytes, f.len, &info, &error);
            assert_true(read == !error.text[0]);
            ++*(read ? &good : &bad);
        }
        f.bytes[at] = was;
        uint8_t *cut = malloc(at ? at : 1); // so that a sanitizer sees its end
        assert_non_null(cut);
        memcpy(cut, f.bytes, at);
        bool read = wf_firmware_read(cut, at, &info, &error);
        assert_true(read == !error.text[0]);
        free(cut);
    }
    assert_true(good > 1000 && bad > 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_files_get_messages),
        cmocka_unit_test(a_note_has_version_and_options),
        cmocka_unit_test(parts_with_other_options_are_mixed),
        cmocka_unit_test(a_recorder_is_off_or_absent),
        cmocka_unit_test(calls_are_found_in_the_code_of_each_machine),
        cmocka_unit_test(only_the_program_makes_a_function_used),
        cmocka_unit_test(a_static_function_is_of_its_source),
        cmocka_unit_test(a_constant_structure_gives_the_ring),
        cmocka_unit_test(kernels_are_known),
        cmocka_unit_test(damaged_files_are_read_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
