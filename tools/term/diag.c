// SPDX-License-Identifier: MIT
// See diag.h.

#include "diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_utf8.h"

enum { MESSAGE_MAX = 4096 };

static char last_error[256];

// kept: null, or gets the message, too.
static void print_message(char kept[sizeof last_error], const char *format, va_list list) {
    char text[MESSAGE_MAX], shown[4 * MESSAGE_MAX];
    int n = vsnprintf(text, sizeof text, format, list);
    size_t len = n < 0 ? 0 : (size_t)n < sizeof text ? (size_t)n : sizeof text - 1;
    len = wf_utf8_show(text, len, shown);
    fflush(stdout);
    fprintf(stderr, "wallfly: %.*s\n", (int)len, shown);
    if (kept) snprintf(kept, sizeof last_error, "%.*s", (int)len, shown);
}

int diag_error(int code, const char *format, ...) {
    va_list list;
    va_start(list, format);
    print_message(last_error, format, list);
    va_end(list);
    return code;
}

const char *diag_last_error(void) { return last_error; }

void diag_note(const char *format, ...) {
    va_list list;
    va_start(list, format);
    print_message(NULL, format, list);
    va_end(list);
}

void diag_text(void *ctx, const char *text) {
    (void)ctx;
    diag_note("%s", text);
}

const char *shown_text(const char *text) {
    enum { AT_A_TIME = 8 };
    static char *kept[AT_A_TIME];
    static unsigned next;
    size_t len = strlen(text);
    if (wf_utf8_plain_length(text, len) == len) return text;
    char *shown = malloc(4 * len + 1);
    if (!shown) return "?";
    shown[wf_utf8_show(text, len, shown)] = 0;
    next = (next + 1) % AT_A_TIME;
    free(kept[next]);
    return kept[next] = shown;
}

size_t shown_width(const char *text) {
    size_t n = 0;
    for (; *text; ++text) n += ((unsigned char)*text & 0xC0) != 0x80;
    return n;
}
