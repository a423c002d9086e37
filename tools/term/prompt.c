// SPDX-License-Identifier: MIT
// Uses libedit through the interface that it shares with readline. Both have global state, hence
// the static struct. The line being typed is cleared before other text is printed, and drawn again
// after it. A line wider than the terminal is cleared from its first row on.

#include "prompt.h"

#include <editline/readline.h>
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lines.h"
#include "wallfly_host/wf_utf8.h"

enum { MATCHES_MAX = 4096 };

static struct {
    struct prompt_handlers on;
    const char *text;
    uv_poll_t poll;
    uv_signal_t resized;
    bool open, ended;
    bool wiped;   // the line is not on the screen now
    bool in_line; // a line was entered, and the next one has not begun
    char *matches[MATCHES_MAX];
    unsigned match_count, match_next;
} prompt;

// libedit prints the completions unescaped: names with control characters are left out.
static void add_match(void *ctx, const char *word) {
    (void)ctx;
    if (wf_utf8_plain_length(word, strlen(word)) < strlen(word)) return;
    for (unsigned i = 0; i < prompt.match_count; ++i) {
        if (strcmp(prompt.matches[i], word) == 0) return;
    }
    if (prompt.match_count == MATCHES_MAX) return;
    char *copy = strdup(word);
    if (copy) prompt.matches[prompt.match_count++] = copy;
}

// Completion ignores case, but the typed text must not change: matches that continue it exactly are
// kept; if there are none, those with the same case as the first match.
static void keep_exact_matches(const char *word) {
    size_t len = strlen(word);
    unsigned n = 0;
    for (unsigned i = 0; i < prompt.match_count; ++i) {
        if (strncmp(prompt.matches[i], word, len) == 0) n = 1;
    }
    char first[WF_LINE_MAX] = "";
    if (prompt.match_count) snprintf(first, sizeof first, "%s", n ? word : prompt.matches[0]);
    n = 0;
    for (unsigned i = 0; i < prompt.match_count; ++i) {
        if (strncmp(prompt.matches[i], first, len) == 0)
            prompt.matches[n++] = prompt.matches[i];
        else
            free(prompt.matches[i]);
    }
    prompt.match_count = n;
}

// libedit frees the returned text.
static char *next_match(const char *word, int state) {
    (void)word;
    (void)state;
    return prompt.match_next < prompt.match_count ? prompt.matches[prompt.match_next++] : NULL;
}

static char **find_matches(const char *word, int start, int end) {
    char text[WF_LINE_MAX];
    (void)start;
    rl_attempted_completion_over = 1; // no completion of file names
    prompt.match_count = prompt.match_next = 0;
    snprintf(text, sizeof text, "%.*s", end, rl_line_buffer);
    prompt.on.complete(prompt.on.ctx, text, add_match, NULL);
    keep_exact_matches(word);
    // A completion that ends in ':' is continued without a blank.
    const char *one = prompt.match_count == 1 ? prompt.matches[0] : "";
    rl_completion_append_character = *one && one[strlen(one) - 1] == ':' ? 0 : ' ';
    return prompt.match_count ? rl_completion_matches(word, next_match) : NULL;
}

static void end_input(void) {
    prompt.ended = true;
    uv_poll_stop(&prompt.poll);
    prompt.on.end(prompt.on.ctx);
}

static void on_line(char *line) {
    prompt.in_line = true;
    if (!line) {
        end_input();
        return;
    }
    if (*line) add_history(line);
    prompt.on.line(prompt.on.ctx, line);
    free(line);
}

// After a line, libedit leaves single-key mode. It enters it again, with the new prompt, only when
// the handler is installed again.
static void on_poll(uv_poll_t *poll, int status, int events) {
    (void)poll;
    if (status < 0 || events & UV_DISCONNECT) {
        end_input();
        return;
    }
    prompt_show();
    rl_callback_read_char();
    if (prompt.in_line && !prompt.ended) {
        fflush(stdout);
        rl_callback_handler_install(prompt.text, on_line);
        rl_point = rl_end = 0;
        prompt.in_line = false;
    }
    fflush(stdout); // libedit flushes only before it waits for a key itself
}

static void on_resized(uv_signal_t *handle, int number) {
    (void)handle;
    (void)number;
    rl_resize_terminal();
}

// libedit rejects this character with a bell, because it is not printable.
enum { REFUSED = 0x80 };

// Reads one character for libedit from a UTF-8 terminal. Characters that change how others are
// displayed are rejected, because libedit would send them to the terminal. Returns -1 at the end.
static int get_character(FILE *in) {
    char bytes[4];
    for (size_t len = 0; len < sizeof bytes;) {
        ssize_t n = read(fileno(in), bytes + len, 1);
        if (n < 0 && errno == EAGAIN) {
            struct pollfd wait = {.fd = fileno(in), .events = POLLIN};
            n = poll(&wait, 1, -1) < 0 && errno != EINTR ? -1 : 0;
        } else if (n == 0) {
            return -1;
        }
        if (n < 0 && errno != EINTR) return -1;
        if (n <= 0) continue;
        uint32_t code = 0;
        if (wf_utf8_decode(bytes, ++len, &code))
            return len == 1 || wf_utf8_shown(bytes, len) ? (int)code : REFUSED;
        if ((bytes[0] & 0xC0) != 0xC0) break; // not the start of a character
    }
    return REFUSED;
}

// Sets a UTF-8 locale on UTF-8 terminals: libedit then drops pasted two-byte control characters and
// counts columns correctly. Nothing else of the user's locale is used.
static void set_locale(void) {
    bool utf8 = setlocale(LC_CTYPE, "") && strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    if (utf8 && setlocale(LC_CTYPE, "C.UTF-8"))
        rl_getc_function = get_character;
    else
        setlocale(LC_CTYPE, "C");
}

int prompt_open(uv_loop_t *loop, const char *text, const struct prompt_handlers *on) {
    static char name[] = "wallfly", breaks[] = " \t;";
    int err = lines_poll_input(loop, &prompt.poll);
    if (err) return err;
    prompt.on = *on;
    prompt.text = text;
    prompt.open = true;
    set_locale();
    rl_readline_name = name;
    rl_catch_signals = 0;
    rl_basic_word_break_characters = breaks;
    rl_attempted_completion_function = find_matches;
    rl_completion_query_items = 1 << 20; // else it would wait for a key while the trace scrolls
    using_history();
    stifle_history(1000);
    rl_callback_handler_install(text, on_line);
    uv_signal_init(loop, &prompt.resized);
    uv_signal_start(&prompt.resized, on_resized, SIGWINCH);
    return uv_poll_start(&prompt.poll, UV_READABLE | UV_DISCONNECT, on_poll);
}

// Returns the row of the cursor, relative to the row of the prompt.
static unsigned cursor_row(void) {
    int rows = 0, columns = 0;
    rl_get_screen_size(&rows, &columns);
    size_t at = strlen(prompt.text) + (size_t)rl_point;
    return columns > 0 ? (unsigned)(at / (size_t)columns) : 0;
}

void prompt_clear(void) {
    if (!prompt.open || prompt.wiped || prompt.in_line) return;
    unsigned up = cursor_row();
    if (up) printf("\033[%uA", up);
    printf("\r\033[J");
    prompt.wiped = true;
}

void prompt_show(void) {
    if (prompt.open && prompt.wiped && !prompt.in_line) rl_forced_update_display();
    prompt.wiped = false;
    fflush(stdout);
}

void prompt_close(void) {
    if (!prompt.open) return;
    prompt.open = false;
    rl_callback_handler_remove();
    clear_history();
    uv_close((uv_handle_t *)&prompt.poll, NULL);
    uv_close((uv_handle_t *)&prompt.resized, NULL);
}
