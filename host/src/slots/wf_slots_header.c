// SPDX-License-Identifier: MIT
// The attributes before the slots, TRACE_KEY::value without separators, and the system page.
// Missing or invalid ones are noted; the slots are read all the same.

#include "wfi_slots.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { BEGIN_WITHIN = 512, CYCLES_MAX_DIGITS = 20 };

static const char begin[] = "TRACE_HEADER_BEGIN::", end[] = "TRACE_HEADER_END::",
                  prefix[] = "TRACE_";

__attribute__((format(printf, 4, 5))) static void
note_fault(struct wf_slots *s, uint64_t offset, uint64_t len, const char *format, ...) {
    if (s->notes_count == WFI_NOTES) return;
    struct wfi_note *n = &s->notes[s->notes_count++];
    n->offset = offset;
    n->len = len;
    va_list list;
    va_start(list, format);
    vsnprintf(n->why, sizeof n->why, format, list);
    va_end(list);
}

static const uint8_t *find_text(const uint8_t *p, size_t len, const char *text) {
    size_t n = strlen(text);
    while (len >= n) {
        const uint8_t *hit = memchr(p, text[0], len - n + 1);
        if (!hit) return NULL;
        if (memcmp(hit, text, n) == 0) return hit;
        len -= (size_t)(hit + 1 - p);
        p = hit + 1;
    }
    return NULL;
}

static bool is_key_char(uint8_t c) {
    return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Finds an attribute, for a header whose beginning is damaged.
static const uint8_t *find_any(const uint8_t *p, size_t len) {
    if (!len) return NULL; // p may be null, too
    const uint8_t *stop = p + len;
    while ((p = find_text(p, (size_t)(stop - p), prefix)) != NULL) {
        const uint8_t *q = p + sizeof prefix - 1;
        while (q < stop && is_key_char(*q)) ++q;
        if (stop - q >= 2 && q[0] == ':' && q[1] == ':' && q > p + sizeof prefix - 1) return p;
        p = q;
    }
    return NULL;
}

static size_t count_text(const uint8_t *p, size_t len) {
    size_t n = 0;
    while (n < len && p[n] >= ' ' && p[n] < 127) ++n;
    return n;
}

static bool add_attribute(struct wf_slots *s, const char *key, const char *value) {
    void *more = realloc(s->attributes, (s->attributes_count + 1) * sizeof *s->attributes);
    if (!more) return false;
    s->attributes = more;
    s->attributes[s->attributes_count].key = key;
    s->attributes[s->attributes_count++].value = value;
    return true;
}

// Splits the zero-terminated text into attributes.
static void split_attributes(struct wf_slots *s, uint64_t offset, size_t len) {
    char *p = s->text;
    while (p) {
        char *key = p + sizeof prefix - 1, *next = strstr(key, prefix), *value;
        if (next) *next = 0; // the value ends here; the key is after the prefix
        value = strstr(key, "::");
        if (value) {
            *value = 0;
            if (!add_attribute(s, key, value + 2)) s->in.failed = true;
        } else if (strlen(key) + (size_t)(key - s->text) < len) {
            note_fault(s, offset + (uint64_t)(p - s->text), strlen(key) + sizeof prefix - 1,
                       "TRACE_ without :: after it is no attribute");
        } else {
            note_fault(s, offset + (uint64_t)(p - s->text), strlen(key) + sizeof prefix - 1,
                       "the last attribute is cut short");
        }
        p = next;
    }
}

static bool parse_number(const char *text, uint64_t max, uint64_t *v) {
    size_t n = 0;
    while (*text == ' ') ++text;
    for (*v = 0; *text >= '0' && *text <= '9' && n < CYCLES_MAX_DIGITS - 1; ++text, ++n) {
        *v = *v * 10 + (uint64_t)(*text - '0');
    }
    while (*text == ' ') ++text;
    return n && !*text && *v <= max;
}

// Reads the number of an attribute. Returns false if it is missing, or invalid, which is noted.
static bool take_number(struct wf_slots *s, const char *key, uint64_t least, uint64_t max,
                        uint64_t *v) {
    const char *text = wf_slots_find(s, key);
    if (!text) return false;
    if (parse_number(text, max, v) && *v >= least) return true;
    note_fault(s, 0, 0, "TRACE_%s is '%.30s', no number from %llu to %llu", key, text,
               (unsigned long long)least, (unsigned long long)max);
    return false;
}

static void take_order(struct wf_slots *s) {
    bool little = wf_slots_find(s, "LITTLE_ENDIAN"), big = wf_slots_find(s, "BIG_ENDIAN");
    if (wf_slots_find(s, "MIDDLE_ENDIAN")) {
        note_fault(s, 0, 0, "TRACE_MIDDLE_ENDIAN: slots of such byte order cannot be read");
        s->state = WFI_REFUSED;
    }
    if (little && big)
        note_fault(s, 0, 0, "both byte orders are given: the slots show which it is");
    if (!little && !big && s->attributes_count) {
        note_fault(s, 0, 0,
                   "TRACE_LITTLE_ENDIAN and TRACE_BIG_ENDIAN are missing: taken from the slots");
    }
    if (little == big && s->options.order != WF_SLOTS_ORDER_GUESS) {
        little = s->options.order == WF_SLOTS_LITTLE;
        big = !little;
    }
    s->order_known = little != big;
    s->swap = s->order_known && big != WFI_BIG_HERE;
}

static void take_version(struct wf_slots *s) {
    uint64_t major, minor;
    if (!take_number(s, "VER_MAJOR", 0, 99, &major) || !take_number(s, "VER_MINOR", 0, 99, &minor))
        return;
    if (major > 1 || (major == 1 && minor >= 1)) return;
    note_fault(s, 0, 0, "version %llu.%02llu is older than 1.01", (unsigned long long)major,
               (unsigned long long)minor);
}

static void take_all(struct wf_slots *s) {
    static const char *const wanted[] = {
        "CYCLES_PER_SEC", "CPU_NUM", "DATE",     "VER_MAJOR",   "VER_MINOR",   "ENCODING",
        "BOOT_DATE",      "SYSNAME", "NODENAME", "SYS_RELEASE", "SYS_VERSION", "MACHINE"};
    enum { ALWAYS = 2 };
    uint64_t v;
    size_t last = s->attributes_count;
    s->wallfly = wf_slots_find(s, "WALLFLY") != NULL;
    for (size_t i = 0; i < (s->wallfly ? ALWAYS : sizeof wanted / sizeof *wanted); ++i) {
        if (!wf_slots_find(s, wanted[i])) note_fault(s, 0, 0, "TRACE_%s is missing", wanted[i]);
    }
    if (strcmp(s->attributes[0].key, "HEADER_BEGIN") != 0) {
        note_fault(s, 0, 0, "TRACE_HEADER_BEGIN is missing");
    }
    if (strcmp(s->attributes[last - 1].key, "HEADER_END") != 0) {
        note_fault(s, 0, 0,
                   "TRACE_HEADER_END is missing: slots are assumed to begin after the text");
    }
    take_order(s);
    take_version(s);
    const char *encoding = wf_slots_find(s, "ENCODING");
    if (encoding && strcmp(encoding, "16 byte events") != 0) {
        note_fault(s, 0, 0, "TRACE_ENCODING is '%.40s', not '16 byte events'", encoding);
    }
    // In wallfly's traces the rate is 0 if the target does not know it.
    if (take_number(s, "CYCLES_PER_SEC", s->wallfly ? 0 : 1, UINT64_MAX / 16, &v)) s->hz = v;
    s->cores_known = take_number(s, "CPU_NUM", 1, WF_SLOT_CORES, &v);
    if (s->cores_known) s->cores = (unsigned)v;
    if (take_number(s, "SYSPAGE_LEN", 0, WFI_SYSPAGE_MAX, &v)) s->syspage_want = (size_t)v;
}

static void take_text(struct wf_slots *s, uint64_t offset, size_t len) {
    s->text = malloc(len + 1);
    if (!s->text) {
        s->in.failed = true;
        return;
    }
    memcpy(s->text, s->in.at, len);
    s->text[len] = 0;
    for (size_t i = 0; i < len; ++i) { // a zero would hide what follows
        if (!s->text[i]) s->text[i] = ' ';
    }
    split_attributes(s, offset, len);
    if (s->attributes_count) take_all(s);
}

// The length of the text in the window; 0 if more bytes are needed.
static size_t measure(const struct wf_slots *s, const uint8_t *p, size_t len) {
    const uint8_t *hit = find_text(p, len, end);
    if (hit) return (size_t)(hit - p) + sizeof end - 1;
    if (len < WFI_HEADER_MAX && !s->in.ending) return 0;
    return count_text(p, len);
}

bool wfi_header_read(struct wf_slots *s) {
    struct wfi_input *in = &s->in;
    size_t want = BEGIN_WITHIN;
    const uint8_t *start = NULL;
    if (!s->options.no_header) {
        bool all = wfi_input_need(in, want);
        start = find_text(in->at, wfi_left(in), begin);
        if (!all && !in->ending && !start) return in->failed;
        if (!start) start = find_any(in->at, all ? want : wfi_left(in));
    }
    if (!start) {
        take_order(s);
        if (!s->options.no_header) {
            note_fault(s, wfi_at(in), 0,
                       "there is no TRACE_HEADER_BEGIN: read as slots from here on");
        }
        return true;
    }
    if (start > in->at) {
        size_t skip = (size_t)(start - in->at);
        note_fault(s, wfi_at(in), skip, "bytes in front of the attributes");
        in->at += skip;
    }
    size_t len;
    while ((len = measure(s, in->at, wfi_left(in))) == 0) {
        want = wfi_left(in) * 2;
        if (want > WFI_HEADER_MAX) want = WFI_HEADER_MAX;
        if (!wfi_input_need(in, want) && !in->ending) {
            if (in->failed) return true;
            if (find_text(in->at, wfi_left(in), end)) continue;
            return false;
        }
    }
    take_text(s, wfi_at(in), len);
    in->at += len;
    return true;
}

bool wfi_syspage_read(struct wf_slots *s) {
    struct wfi_input *in = &s->in;
    if (s->syspage_want && !s->syspage) {
        s->syspage = malloc(s->syspage_want);
        if (!s->syspage) {
            in->failed = true;
            return true;
        }
    }
    while (s->syspage_len < s->syspage_want) {
        if (!wfi_input_need(in, 1)) break;
        size_t n = wfi_left(in), rest = s->syspage_want - s->syspage_len;
        if (n > rest) n = rest;
        memcpy(s->syspage + s->syspage_len, in->at, n);
        s->syspage_len += n;
        in->at += n;
    }
    if (s->syspage_len == s->syspage_want) return true;
    if (!in->ending) return false;
    note_fault(s, wfi_at(in), 0, "the system page is cut short");
    return true;
}

void wfi_header_free(struct wf_slots *s) {
    free(s->text);
    free(s->attributes);
    free(s->syspage);
}

bool wf_slots_attribute(const struct wf_slots *s, size_t n, const char **key, const char **value) {
    if (n >= s->attributes_count) return false;
    *key = s->attributes[n].key;
    *value = s->attributes[n].value;
    return true;
}

const char *wf_slots_find(const struct wf_slots *s, const char *key) {
    for (size_t i = 0; i < s->attributes_count; ++i) {
        if (strcmp(s->attributes[i].key, key) == 0) return s->attributes[i].value;
    }
    return NULL;
}

const void *wf_slots_syspage(const struct wf_slots *s, size_t *len) {
    *len = s->syspage_len;
    return s->syspage_len ? s->syspage : NULL;
}

bool wf_slots_has_attributes(const void *bytes, size_t len) {
    return find_text(bytes, len < BEGIN_WITHIN ? len : BEGIN_WITHIN, begin) != NULL;
}

bool wf_slots_has_memory(const void *bytes, size_t len) {
    const uint8_t *p = bytes;
    for (size_t i = 0; i + sizeof WF_SLOT_MAGIC - 1 <= len; i += 4) {
        if (memcmp(p + i, WF_SLOT_MAGIC, sizeof WF_SLOT_MAGIC - 1) == 0) return true;
    }
    return false;
}

bool wf_slots_is(const void *bytes, size_t len) {
    return wf_slots_has_attributes(bytes, len) || wf_slots_has_memory(bytes, len);
}
