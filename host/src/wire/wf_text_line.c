// SPDX-License-Identifier: MIT
// The grammar of a line:
//
//   nT TASK [-p PRIORITY] [-n NAME] [-c COLOUR]
//   nM MUTEX [-n NAME] [-c COLOUR] [-p PATTERN]
//   p TIME AM|RM MUTEX TASK, or TASK MUTEX      p TIME JA TASK [TASK]     p TIME JC|JR TASK
//   p TIME JP TASK [-t TASK]                    p TIME lost COUNT         p TIME NAME [WORD]...
//
// Identifiers are hexadecimal, all other numbers decimal; options come in any order.

#include "wfi_text_lines.h"

#include <string.h>

#include "wallfly_host/wf_text_trace.h"

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

static const char *split_words(char *text, size_t len, struct wfi_line *line) {
    char *end = text + len;
    if (len && end[-1] == '\r') *--end = 0;
    for (char *p = text; p < end; ++p) {
        bool word = (uint8_t)*p > ' ' && *p != 0x7F;
        if (!word && !is_blank(*p)) return "a line with bytes that are no text";
        if (word && (p == text || !p[-1])) line->word[line->words++] = p;
        if (!word) *p = 0;
    }
    return NULL;
}

static int digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
}

static bool parse_number(const char *text, unsigned base, uint64_t *value) {
    *value = 0;
    if (!*text) return false;
    for (; *text; ++text) {
        unsigned d = (unsigned)digit(*text);
        if (d >= base || *value > (UINT64_MAX - d) / base) return false;
        *value = *value * base + d;
    }
    return true;
}

static bool parse_identifier(const char *text, uint64_t *id) {
    if (text[0] == '0' && (text[1] | 0x20) == 'x') text += 2;
    return parse_number(text, 16, id);
}

static bool parse_priority(const char *text, int *prio) {
    uint64_t value;
    bool negative = *text == '-';
    if (!parse_number(text + negative, 10, &value) || value > 32767) return false;
    *prio = negative ? -(int)value : (int)value;
    return true;
}

static bool is_option(const char *word, const char *letters) {
    return word[0] == '-' && word[1] && !word[2] && strchr(letters, word[1]);
}

// A name extends to the next option: its words are joined again.
static const char *parse_name(struct wfi_line *line, unsigned *at, const char *letters) {
    char *text = (char *)line->word[(*at)++];
    char *end = text + strlen(text);
    for (; *at < line->words && !is_option(line->word[*at], letters); ++*at) {
        size_t len = strlen(line->word[*at]);
        *end++ = ' ';
        memmove(end, line->word[*at], len + 1);
        end += len;
    }
    return text;
}

static const char *parse_options(struct wfi_line *line, const char *letters) {
    for (unsigned at = 2; at < line->words;) {
        const char *option = line->word[at++];
        if (!is_option(option, letters)) return "a word where only an option can be";
        if (at == line->words) return "an option without its value";
        switch (option[1]) {
        case 'n': line->name = parse_name(line, &at, letters); break;
        case 'c': line->colour = line->word[at++]; break;
        default:
            if (line->kind == WFI_LINE_NEW_MUTEX)
                line->pattern = line->word[at++];
            else if (!parse_priority(line->word[at++], &line->prio))
                return "a priority that is no number from -32767 to 32767";
        }
    }
    return NULL;
}

static const char *parse_announcement(struct wfi_line *line) {
    line->kind = line->word[0][1] == 'T' ? WFI_LINE_NEW_TASK : WFI_LINE_NEW_MUTEX;
    if (line->words < 2 || !parse_identifier(line->word[1], &line->id[0]) || !line->id[0])
        return "an nT or nM without an identifier";
    line->ids = 1;
    return parse_options(line, "ncp");
}

// Events by their two letters, with the lowest and highest number of identifiers.
static const struct event {
    char letters[3];
    uint8_t kind, least, most;
} events[] = {
    {"AM", WFI_LINE_ACQUIRED, 2, 2},  {"RM", WFI_LINE_RELEASED, 2, 2},
    {"JA", WFI_LINE_ARRIVED, 1, 2},   {"JC", WFI_LINE_COMPLETED, 1, 1},
    {"JP", WFI_LINE_PREEMPTED, 1, 2}, {"JR", WFI_LINE_RESUMED, 1, 1},
};

static const char *parse_identifiers(struct wfi_line *line, const struct event *e) {
    for (unsigned at = 3; at < line->words; ++at) {
        bool target = e->kind == WFI_LINE_PREEMPTED && line->ids == 1;
        if (target && strcmp(line->word[at], "-t") == 0 && ++at == line->words)
            return "an option without its value";
        if (line->ids == e->most) return "more words than the event has";
        if (!parse_identifier(line->word[at], &line->id[line->ids++]))
            return "an identifier that is not hexadecimal";
    }
    return line->ids < e->least ? "an event without its identifiers" : NULL;
}

static const char *parse_event(struct wfi_line *line) {
    if (line->words < 3) return "a p without a time and an event";
    if (!parse_number(line->word[1], 10, &line->time)) return "a time that is no decimal number";
    for (unsigned i = 0; i < sizeof events / sizeof *events; ++i) {
        if (strcmp(line->word[2], events[i].letters) != 0) continue;
        line->kind = (enum wfi_line_kind)events[i].kind;
        return parse_identifiers(line, &events[i]);
    }
    bool lost = line->words == 4 && strcmp(line->word[2], "lost") == 0;
    line->kind =
        lost && parse_number(line->word[3], 10, &line->count) ? WFI_LINE_LOST : WFI_LINE_USER;
    return NULL;
}

const char *wfi_line_read(char *text, size_t len, struct wfi_line *line) {
    line->kind = WFI_LINE_EMPTY;
    line->ids = line->words = 0;
    line->prio = WF_PRIO_UNKNOWN;
    line->name = line->colour = line->pattern = NULL;
    const char *why = split_words(text, len, line);
    if (why || !line->words) return why;
    const char *first = line->word[0];
    if (strcmp(first, "nT") == 0 || strcmp(first, "nM") == 0) return parse_announcement(line);
    return strcmp(first, "p") == 0 ? parse_event(line) : "a line that begins with no nT, nM or p";
}

// ---- the format of a stream

static bool good_line(const uint8_t *from, size_t len) {
    struct wfi_line line;
    char copy[WFI_LINE_MAX + 1];
    if (len > WFI_LINE_MAX) return false;
    memcpy(copy, from, len);
    copy[len] = 0;
    return !wfi_line_read(copy, len, &line) && line.kind != WFI_LINE_EMPTY;
}

// Sequence, number, checksum: their sum over a frame is 0xFF, without escapes.
static bool good_frame(const uint8_t *from, size_t len) {
    uint8_t sum = 0;
    size_t bytes = 0;
    for (size_t i = 0; i < len; ++i, ++bytes) {
        bool escaped = from[i] == 0x7D && i + 1 < len;
        sum = (uint8_t)(sum + (escaped ? from[++i] ^ 0x20 : from[i]));
    }
    return bytes >= 3 && sum == 0xFF;
}

enum wf_text_trace_is wf_text_trace_is(const void *bytes, size_t len) {
    const uint8_t *p = bytes, *end = p + (len < WF_TEXT_DETECT_BYTES ? len : WF_TEXT_DETECT_BYTES);
    const uint8_t *line = p, *frame = p;
    for (; p < end; ++p) {
        if (*p == '\n') {
            if (good_line(line, (size_t)(p - line))) return WF_TEXT_YES;
            line = p + 1;
        } else if (*p == 0x7E) {
            if (good_frame(frame, (size_t)(p - frame))) return WF_TEXT_NOT;
            frame = p + 1;
        }
    }
    return len < WF_TEXT_DETECT_BYTES ? WF_TEXT_PERHAPS : WF_TEXT_NOT;
}
