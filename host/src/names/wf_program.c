// SPDX-License-Identifier: MIT
// Recognizes the file, interprets pointers of the target, and formats names. The symbols are sorted
// by address; `reach` limits how far back a search for the one that encloses an address must go.

#include "wallfly_host/wf_utf8.h"
#include "util/wfi_grow.h"
#include "wfi_program.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NESTED_MAX = 4096 }; // symbols checked for one address; only a forged file has more

bool wfi_program_wrong(struct wf_program *p, const char *format, ...) {
    char text[sizeof p->error->text];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    wf_error_set(p->error, WF_ERR_BAD_PROGRAM, "%s", text);
    return false;
}

bool wfi_program_add(struct wf_program *p, const struct wfi_symbol *symbol) {
    p->nomem = !WFI_GROW(p->symbols, &p->cap, p->count + 1);
    if (p->nomem) return false;
    struct wfi_symbol *s = &p->symbols[p->count++];
    *s = *symbol;
    if (s->size > UINT64_MAX - s->address) s->size = UINT64_MAX - s->address;
    if (s->binding == WFI_PLACE) return true;
    p->info.objects += s->object;
    p->info.functions += s->function && !s->object;
    return true;
}

void wfi_program_find_ram(struct wf_program *p) {
    p->ram = WFI_AVR_EEPROM;
    for (size_t i = 0; i < p->count; ++i) {
        uint64_t a = p->symbols[i].address;
        if (a >= WFI_AVR_DATA && a < p->ram) p->ram = a;
    }
}

static int by_address(const void *a, const void *b) {
    const struct wfi_symbol *x = a, *y = b;
    if (x->address != y->address) return x->address < y->address ? -1 : 1;
    if (x->size != y->size) return x->size > y->size ? -1 : 1;
    return strcmp(x->name, y->name);
}

static bool sort_symbols(struct wf_program *p) {
    uint64_t reach = 0;
    if (p->count) qsort(p->symbols, p->count, sizeof *p->symbols, by_address);
    p->reach = malloc((p->count + 1) * sizeof *p->reach);
    if (!p->reach) return false;
    for (size_t i = 0; i < p->count; ++i) {
        const struct wfi_symbol *s = &p->symbols[i];
        if (s->address + s->size > reach) reach = s->address + s->size;
        p->reach[i] = reach;
    }
    return true;
}

static bool is_text(const struct wf_program *p) {
    size_t look = p->len < 4096 ? p->len : 4096;
    return !memchr(p->bytes, 0, look);
}

// The first words of a file show which program wrote it.
static bool read_any(struct wf_program *p) {
    if (p->len >= 4 && memcmp(p->bytes, "\177ELF", 4) == 0) return wfi_program_read_elf(p);
    if (p->len >= 8 && memcmp(p->bytes, "!<arch>\n", 8) == 0)
        return wfi_program_wrong(p, "is a library; give the program that it was linked into");
    if (p->len == 0) return wfi_program_wrong(p, "is empty");
    if (!is_text(p)) {
        return wfi_program_wrong(p,
                                 "byte 0: begins with 0x%02X, so it is no ELF file, no map of "
                                 "GNU ld and no listing of nm",
                                 p->bytes[0]);
    }
    struct wfi_line line = {.at = NULL};
    while (wfi_program_line(p, &line)) {
        size_t len = (size_t)(line.end - line.at);
        static const char *const heads[] = {"Linker script and memory map", "Memory Configuration"};
        for (unsigned i = 0; i < 2; ++i) {
            if (len == strlen(heads[i]) && memcmp(line.at, heads[i], len) == 0)
                return wfi_program_read_map(p);
        }
    }
    return wfi_program_read_nm(p);
}

struct wf_program *wfi_program_open(const uint8_t *bytes, size_t len, bool bare,
                                    struct wf_error *error) {
    struct wf_program *p = calloc(1, sizeof *p);
    wf_error_code(error, WF_ERR_NOMEM);
    if (!p) return NULL;
    p->bytes = bytes;
    p->len = len;
    p->error = error;
    p->bare = bare;
    p->info.machine = "";
    bool good = read_any(p) && sort_symbols(p);
    p->error = NULL;
    if (good) {
        wf_error_code(error, WF_OK);
        return p;
    }
    wf_program_close(p);
    return NULL;
}

struct wf_program *wf_program_open(const uint8_t *bytes, size_t len, struct wf_error *error) {
    return wfi_program_open(bytes, len, false, error);
}

void wf_program_close(struct wf_program *p) {
    if (!p) return;
    wfi_members_close(p->members);
    if (p->elf) elf_end(p->elf);
    free(p->symbols);
    free(p->reach);
    free(p->by_name);
    free(p->constants);
    free(p->pool);
    free(p);
}

const struct wf_program_info *wf_program_about(const struct wf_program *p) { return &p->info; }

static bool is_kind(const struct wfi_symbol *s, enum wf_program_what what) {
    return what == WF_PROGRAM_OBJECT ? s->object : s->function;
}

static unsigned underscores(const char *name) { return (unsigned)strspn(name, "_"); }

// Returns whether `a` is the better name of an address than `b`.
static bool is_better(const struct wfi_symbol *a, const struct wfi_symbol *b) {
    if (!b) return true;
    uint64_t x = a->size ? a->size : 1, y = b->size ? b->size : 1;
    if (a->address == b->address && !a->size != !b->size && b->binding != WFI_PLACE &&
        a->binding != WFI_PLACE)
        return a->size != 0;
    if (x != y) return x < y;
    if (a->binding != b->binding) return a->binding < b->binding;
    unsigned m = underscores(a->name), n = underscores(b->name);
    return m != n ? m < n : strcmp(a->name, b->name) < 0;
}

const struct wfi_symbol *wfi_program_at(const struct wf_program *p, enum wf_program_what what,
                                        uint64_t address) {
    const struct wfi_symbol *best = NULL;
    size_t low = 0, high = p->count;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (p->symbols[mid].address <= address)
            low = mid + 1;
        else
            high = mid;
    }
    for (unsigned n = 0; low-- > 0 && n < NESTED_MAX; ++n) {
        const struct wfi_symbol *s = &p->symbols[low];
        if (s->address != address && p->reach[low] <= address) break;
        bool in = s->address == address || address - s->address < s->size;
        if (in && is_kind(s, what) && is_better(s, best)) best = s;
    }
    return best;
}

// An AVR sends 16 bits: of data, or the number of a word of program memory. Below the RAM are
// registers, which have no pointers, so there it is the EEPROM.
static const struct wfi_symbol *find_avr(const struct wf_program *p, enum wf_program_what what,
                                         uint64_t address, uint64_t *at) {
    *at = address * 2;
    if (address > UINT16_MAX) return NULL;
    if (what == WF_PROGRAM_FUNCTION) return wfi_program_at(p, what, *at);
    *at = WFI_AVR_DATA + address;
    if (*at < p->ram) *at = WFI_AVR_EEPROM + address;
    return wfi_program_at(p, what, *at);
}

// A listing does not contain the machine, and a Thumb function is sent with bit 0 set.
static const struct wfi_symbol *find_odd(const struct wf_program *p, enum wf_program_what what,
                                         const struct wfi_symbol *s, uint64_t *at) {
    if (p->info.kind == WF_PROGRAM_ELF || what != WF_PROGRAM_FUNCTION || !(*at & 1)) return s;
    const struct wfi_symbol *even = wfi_program_at(p, what, *at - 1);
    if (!even || even->address != *at - 1 || even->binding == WFI_PLACE) return s;
    --*at;
    return even;
}

static const struct wfi_symbol *find_symbol(const struct wf_program *p, enum wf_program_what what,
                                            uint64_t address, uint64_t *at) {
    const struct wfi_symbol *s;
    if (p->machine == WFI_MACHINE_AVR) return find_avr(p, what, address, at);
    *at = address;
    if (p->machine == WFI_MACHINE_THUMB && what == WF_PROGRAM_FUNCTION) *at &= ~UINT64_C(1);
    s = wfi_program_at(p, what, *at);
    if (!s || s->address != address) s = find_odd(p, what, s, at);
    if (s) return s;
    *at = address;
    return wfi_program_at(p, what == WF_PROGRAM_OBJECT ? WF_PROGRAM_FUNCTION : WF_PROGRAM_OBJECT,
                          address);
}

// A name may have terminal controls. Returns the length with visible escapes.
static size_t escape_controls(char text[WF_PROGRAM_NAME]) {
    char shown[4 * WF_PROGRAM_NAME];
    size_t len = strlen(text);
    if (wf_utf8_plain_length(text, len) == len) return len;
    len = wf_utf8_show(text, len, shown);
    if (len > WF_PROGRAM_NAME - 1) len = WF_PROGRAM_NAME - 1;
    memcpy(text, shown, len);
    text[len] = 0;
    return len;
}

size_t wf_program_name(struct wf_program *p, enum wf_program_what what, uint64_t address,
                       char text[WF_PROGRAM_NAME]) {
    uint64_t at;
    const struct wfi_symbol *s = find_symbol(p, what, address, &at);
    text[0] = 0;
    if (!s) return 0;
    char *written = wfi_demangle(s->name);
    int n = snprintf(text, WF_PROGRAM_NAME, "%s", written ? written : s->name);
    free(written);
    size_t len = n < WF_PROGRAM_NAME ? (size_t)n : WF_PROGRAM_NAME - 1;
    uint64_t offset = at - s->address;
    char *to = text + len;
    bool member = wfi_members_name(p, s, offset, to, WF_PROGRAM_NAME - len);
    if (offset && !member) snprintf(to, WF_PROGRAM_NAME - len, "+0x%" PRIX64, offset);
    return escape_controls(text);
}

static int compare_names(const void *a, const void *b) {
    const struct wfi_symbol *x = *(const struct wfi_symbol *const *)a;
    const struct wfi_symbol *y = *(const struct wfi_symbol *const *)b;
    return strcmp(x->name, y->name);
}

static bool index_names(struct wf_program *p) {
    if (p->by_name) return true;
    p->by_name = malloc((p->count + 1) * sizeof *p->by_name);
    if (!p->by_name) return false;
    for (size_t i = 0; i < p->count; ++i) p->by_name[i] = &p->symbols[i];
    qsort(p->by_name, p->count, sizeof *p->by_name, compare_names);
    return true;
}

// The address as the target sends it.
static uint64_t sent_address(const struct wf_program *p, const struct wfi_symbol *s) {
    if (p->machine != WFI_MACHINE_AVR) return s->address + s->thumb;
    if (s->address >= WFI_AVR_EEPROM) return s->address - WFI_AVR_EEPROM;
    return s->address >= WFI_AVR_DATA ? s->address - WFI_AVR_DATA : s->address / 2;
}

bool wf_program_find(struct wf_program *p, enum wf_program_what what, const char *name,
                     uint64_t *address) {
    if (!index_names(p)) return false;
    size_t low = 0, high = p->count;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (strcmp(p->by_name[mid]->name, name) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    const struct wfi_symbol *found = NULL;
    for (; low < p->count && strcmp(p->by_name[low]->name, name) == 0; ++low) {
        const struct wfi_symbol *s = p->by_name[low];
        if (!is_kind(s, what) || s->binding == WFI_PLACE) continue;
        if (found && found->address != s->address) return false;
        found = s;
    }
    if (found) *address = sent_address(p, found);
    return found != NULL;
}

void wf_program_each(const struct wf_program *p, enum wf_program_what what,
                     void (*offer)(void *ctx, const char *name), void *ctx) {
    for (size_t i = 0; i < p->count; ++i) {
        const struct wfi_symbol *s = &p->symbols[i];
        bool plain = s->binding != WFI_PLACE && strncmp(s->name, "_Z", 2) != 0;
        if (plain && is_kind(s, what)) offer(ctx, s->name);
    }
}

static bool text_at(const struct wf_program *p, uint64_t at, const char **text, size_t *len) {
    for (size_t i = 0; i < p->constant_count; ++i) {
        const struct wfi_constant *c = &p->constants[i];
        if (at < c->address || at - c->address >= c->len) continue;
        size_t room = (size_t)(c->len - (at - c->address));
        const char *begin = (const char *)c->bytes + (at - c->address);
        const char *end = memchr(begin, 0, room < WF_PROGRAM_TEXT ? room : WF_PROGRAM_TEXT);
        if (!end) return false;
        *text = begin;
        *len = (size_t)(end - begin);
        return true;
    }
    return false;
}

bool wf_program_text(const struct wf_program *p, uint64_t address, const char **text, size_t *len) {
    if (p->machine != WFI_MACHINE_AVR) return text_at(p, address, text, len);
    return (address <= UINT16_MAX && text_at(p, WFI_AVR_DATA + address, text, len)) ||
           (address < WFI_AVR_DATA && text_at(p, address, text, len));
}

bool wfi_program_hex(const char *text, size_t len, uint64_t *value) {
    if (len > 2 && text[0] == '0' && (text[1] | 0x20) == 'x') text += 2, len -= 2;
    if (len == 0 || len > 16) return false;
    *value = 0;
    for (size_t i = 0; i < len; ++i) {
        if (!isxdigit((unsigned char)text[i])) return false;
        int c = tolower((unsigned char)text[i]);
        *value = *value << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    return true;
}

bool wfi_program_line(const struct wf_program *p, struct wfi_line *line) {
    const char *bytes = (const char *)p->bytes, *end = bytes + p->len;
    const char *from = line->number ? line->end : bytes;
    if (line->number && from < end && *from == '\r') ++from;
    if (line->number && from < end) ++from; // the end of the line before
    if (from >= end) return false;
    const char *to = memchr(from, '\n', (size_t)(end - from));
    line->at = from;
    line->end = to ? to : end;
    if (line->end > from && line->end[-1] == '\r') --line->end;
    ++line->number;
    line->words = 0;
    const char *c = from;
    while (c < line->end && (*c == ' ' || *c == '\t')) ++c;
    line->indent = (size_t)(c - from);
    while (c < line->end && line->words < WFI_WORDS_MAX) {
        const char *word = c;
        while (c < line->end && *c != ' ' && *c != '\t') ++c;
        line->word[line->words].at = word;
        line->word[line->words++].len = (size_t)(c - word);
        while (c < line->end && (*c == ' ' || *c == '\t')) ++c;
    }
    return true;
}

// There is room: no piece of the file is in more than two names.
const char *wfi_program_keep(struct wf_program *p, const char *text, size_t len) {
    if (!p->pool) {
        p->pool_cap = 2 * p->len + 64;
        p->pool = malloc(p->pool_cap);
    }
    if (!p->pool || p->pool_cap - p->pool_used <= len) {
        p->nomem = true;
        return NULL;
    }
    char *to = p->pool + p->pool_used;
    memcpy(to, text, len);
    to[len] = 0;
    p->pool_used += len + 1;
    return to;
}
