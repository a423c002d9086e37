// SPDX-License-Identifier: MIT
// The form of a line:
//
//   COMM-PID [(TGID)] [CPU] [FLAGS] SECONDS.FRACTION: EVENT
//
// COMM may have blanks, hyphens and brackets, so the line is split at the first "[CPU]" that has
// the right parts before and after it. trace-cmd writes more blanks; some trace clocks have no
// fraction.

#include "wfi_ftrace.h"

enum { HARD_SOFT = 2 }; // the column of the flags with the kind of context

static const uint64_t NANO = 1000000000;

// Takes the next word.
static struct wfi_part take_word(struct wfi_part *p) {
    *p = wfi_part_trim(*p);
    size_t n = 0;
    while (n < p->len && p->at[n] != ' ' && p->at[n] != '\t') ++n;
    struct wfi_part word = {p->at, n};
    wfi_part_drop(p, n);
    return word;
}

// "seconds.fraction:" or "ticks:"
static bool read_time(struct wfi_part word, struct wfi_ftrace_line *line) {
    uint64_t seconds, scale = NANO, part = 0;
    if (!word.len || word.at[word.len - 1] != ':') return false;
    --word.len;
    line->in_seconds = memchr(word.at, '.', word.len) != NULL;
    struct wfi_part whole = wfi_part_cut(&word, '.');
    if (!wfi_part_number(whole, &seconds)) return false;
    line->tick = seconds;
    if (!line->in_seconds) return true;
    if (!word.len || seconds > UINT64_MAX / NANO - 1) return false;
    for (size_t i = 0; i < word.len; ++i) {
        if (!wfi_is_digit(word.at[i])) return false;
        if (scale == 1) continue; // finer than a nanosecond
        scale /= 10;
        part = part * 10 + (unsigned)(word.at[i] - '0');
    }
    line->tick = seconds * NANO + part * scale;
    return true;
}

static bool are_flags(struct wfi_part word) {
    if (!word.len || word.len > 8) return false;
    for (size_t i = 0; i < word.len; ++i) {
        char c = word.at[i];
        bool letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
        if (!letter && !wfi_is_digit(c) && !memchr(".#+!*@$", c, 7)) return false;
    }
    return true;
}

// What follows "]": flags, at most one mark of a delay, the time. Returns false if there is none.
static bool read_after(struct wfi_part rest, struct wfi_ftrace_line *line, struct wfi_part *text) {
    line->context = 0;
    for (unsigned i = 0; i < 3; ++i) {
        struct wfi_part word = take_word(&rest);
        if (read_time(word, line)) {
            *text = wfi_part_trim(rest);
            return true;
        }
        if (!are_flags(word)) return false;
        if (i == 0 && word.len > HARD_SOFT + 1) line->context = word.at[HARD_SOFT];
    }
    return false;
}

// Removes "(TGID)" at the end.
static struct wfi_part drop_group(struct wfi_part p) {
    if (!p.len || p.at[p.len - 1] != ')') return p;
    size_t n = p.len - 1;
    while (n && (wfi_is_digit(p.at[n - 1]) || p.at[n - 1] == ' ' || p.at[n - 1] == '-')) --n;
    if (!n || p.at[n - 1] != '(') return p;
    p.len = n - 1;
    return wfi_part_trim(p);
}

// What precedes "[": the name and the pid.
static bool read_before(struct wfi_part p, struct wfi_ftrace_line *line) {
    p = drop_group(wfi_part_trim(p));
    size_t n = p.len;
    while (n && wfi_is_digit(p.at[n - 1])) --n;
    if (n == p.len || n == 0 || p.at[n - 1] != '-') return false;
    line->comm = (struct wfi_part){p.at, n - 1};
    return wfi_part_number((struct wfi_part){p.at + n, p.len - n}, &line->pid) &&
           line->pid <= INT32_MAX;
}

static bool is_name_char(char c) {
    return (c | 0x20) >= 'a' ? (c | 0x20) <= 'z' : wfi_is_digit(c) || c == '.' || c == '-';
}

static void split_event(struct wfi_part text, struct wfi_ftrace_line *line) {
    size_t n = 0;
    while (n < text.len && (is_name_char(text.at[n]) || text.at[n] == '_')) ++n;
    if (n > 1 && n < text.len && text.at[n] == '>' && text.at[n - 1] == '-') --n; // "name->"
    struct wfi_part name = {text.at, n}, rest = {text.at + n, text.len - n}, begin = name;
    line->event = name;
    line->form = WFI_FTRACE_OTHER;
    bool syscall = wfi_part_skip(&begin, "sys_");
    if (n && wfi_part_skip(&rest, ":"))
        line->form = WFI_FTRACE_EVENT;
    else if (syscall && wfi_part_skip(&rest, "("))
        line->form = WFI_FTRACE_ENTER;
    else if (syscall && wfi_part_skip(&rest, " -> "))
        line->form = WFI_FTRACE_LEAVE;
    else if (n && wfi_part_skip(&rest, " <-"))
        line->form = WFI_FTRACE_CALL;
    line->tail = line->form == WFI_FTRACE_OTHER ? text : wfi_part_trim(rest);
    if (line->form == WFI_FTRACE_ENTER && line->tail.len &&
        line->tail.at[line->tail.len - 1] == ')')
        --line->tail.len;
}

bool wfi_ftrace_read(struct wfi_part text, struct wfi_ftrace_line *line) {
    struct wfi_part rest = text, event;
    while (rest.len) {
        struct wfi_part before = {text.at, 0}, number;
        (void)wfi_part_cut(&rest, '[');
        before.len = text.len - rest.len;
        if (!before.len || text.at[before.len - 1] != '[') return false;
        --before.len;
        struct wfi_part after = rest;
        number = wfi_part_cut(&after, ']');
        if (!wfi_part_number(wfi_part_trim(number), &line->cpu) || line->cpu > UINT16_MAX) continue;
        if (!read_before(before, line) || !read_after(after, line, &event)) continue;
        split_event(event, line);
        return true;
    }
    return false;
}
