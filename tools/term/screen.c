// SPDX-License-Identifier: MIT
// Colours of lines, as in QSPY: a record's line has up to three parts (columns
// 0..10, 11..18 and the rest), other lines have one.

#include "screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../cmd.h"
#include "wallfly_host/wf_utf8.h"

enum { STAMP_LEN = 11, MNEMONIC_LEN = 8, ONLY_OTHERS = 99 };

#define E(n)          "\033[" n "m"
#define ERROR_COLOURS E("41") E("33;1")

static const char *const line_colours[] = {
    [WF_LINE_RECORD] = "",
    [WF_LINE_ERROR] = ERROR_COLOURS,
    [WF_LINE_INFO] = E("0") E("42") E("30"),
    [WF_LINE_USER] = E("40") E("37"),
    [WF_LINE_TEST] = E("40") E("33;1"),
};

// Colours of a group's lines. Without a mnemonic, columns from 11 on are one part.
struct look {
    const char *mnemonic, *text[2]; // by palette
};

#define SM_LOOK                                                                                    \
    {                                                                                              \
        E("44") E("37"), { E("40") E("37;1"), E("47") E("34") }                                    \
    }
#define AO_LOOK                                                                                    \
    {                                                                                              \
        E("0") E("45") E("37"), { E("40") E("37"), E("47") E("35") }                               \
    }
#define BAD_LOOK                                                                                   \
    {                                                                                              \
        NULL, { ERROR_COLOURS, ERROR_COLOURS }                                                     \
    }

static const struct look looks[WF_GROUP_END] = {
    [WF_GROUP_SM] = SM_LOOK,
    [WF_GROUP_AO] = AO_LOOK,
    [WF_GROUP_EQ] = AO_LOOK,
    [WF_GROUP_MP] = AO_LOOK,
    [WF_GROUP_TE] = AO_LOOK,
    [WF_GROUP_QF] = AO_LOOK,
    [WF_GROUP_SC] = AO_LOOK,
    [WF_GROUP_SEM] = AO_LOOK,
    [WF_GROUP_MTX] = AO_LOOK,
    [WF_GROUP_USER] = {NULL, {E("0") E("47") E("30"), E("0") E("40") E("37")}},
    [WF_GROUP_INFO] = {E("0") E("44") E("33;1"),
                       {E("0") E("40") E("33;1"), E("0") E("47") E("31")}},
    [WF_GROUP_DICT] = {NULL, {E("40") E("36"), E("47") E("30;1")}},
    [WF_GROUP_TEST] = {E("0") E("46") E("37;1"), {E("0") E("40") E("33"), E("0") E("47") E("34")}},
    [WF_GROUP_FAIL] = BAD_LOOK,
    [WF_GROUP_WF] = BAD_LOOK,
    [WF_GROUP_NONE] = BAD_LOOK,
};
static const char *const stamp_colours[] = {E("40") E("36"), E("47") E("30;1")};

static enum wf_group group_of(uint8_t record) {
    if (record >= WF_USER_FIRST) return WF_GROUP_USER;
    for (unsigned i = 0; i < wf_row_count; ++i) {
        if (wf_rows[i].id == record && !wf_rows[i].own) return (enum wf_group)wf_rows[i].group;
    }
    return WF_GROUP_NONE;
}

bool screen_parse(const char *when, struct screen *screen) {
    static const char *const words[] = {"auto", "never", "dark", "light", NULL};
    unsigned word = 0;
    screen->plain = isatty(1);
    if (!parse_choice("--color", when, words, &word)) return false;
    screen->palette = word ? word - 1 : screen->plain && !getenv("NO_COLOR");
    return true;
}

// Text of a target or front end must not contain terminal control sequences.
static void put_text(const struct screen *screen, const char *text, size_t len) {
    if (!screen->plain) {
        fwrite(text, 1, len, stdout);
        return;
    }
    enum { PIECE = 1024 };
    char shown[4 * PIECE];
    for (size_t n; len; text += n, len -= n) {
        n = len < PIECE ? len : PIECE;
        while (n < len && n > PIECE - 4 && ((unsigned char)text[n] & 0xC0) == 0x80) --n;
        fwrite(shown, 1, wf_utf8_show(text, n, shown), stdout);
    }
}

static void put_part(const struct screen *screen, const char *colours, const char **text,
                     size_t *len, size_t most) {
    size_t n = *len < most ? *len : most;
    if (!n) return;
    fputs(colours, stdout);
    put_text(screen, *text, n);
    *text += n;
    *len -= n;
}

static void put_record(const struct screen *screen, uint8_t record, const char *text, size_t len) {
    const struct look *look = &looks[group_of(record)];
    unsigned p = screen->palette - 1;
    put_part(screen, stamp_colours[p], &text, &len, STAMP_LEN);
    if (look->mnemonic) put_part(screen, look->mnemonic, &text, &len, MNEMONIC_LEN);
    put_part(screen, look->text[p], &text, &len, len);
    fputs(E("0"), stdout);
}

static void put_line(const struct screen *screen, enum wf_line_class line, uint8_t record,
                     const char *text, size_t len) {
    if (!screen->palette) {
        put_text(screen, text, len);
    } else if (line == WF_LINE_RECORD) {
        put_record(screen, record, text, len);
    } else {
        fputs(line_colours[line], stdout);
        put_text(screen, text, len);
        fputs("\033[K" E("0"), stdout);
    }
    putchar('\n');
}

void screen_line(struct screen *screen, enum wf_line_class line, uint8_t record, const char *text,
                 size_t len) {
    bool own = line != WF_LINE_RECORD;
    if (!screen->every) {
        put_line(screen, line, record, text, len);
        return;
    }
    if (own || (screen->left == 0 && screen->every < ONLY_OTHERS)) {
        if (screen->left != screen->every - 1) putchar('\n');
        put_line(screen, line, record, text, len);
        screen->left = screen->every;
    } else {
        putchar('.');
        if (!screen->left) screen->left = screen->every;
    }
    --screen->left;
}

void screen_clear(const struct screen *screen) {
    if (screen->palette) fputs("\033[2J\033[H", stdout);
}
