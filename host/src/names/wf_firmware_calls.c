// SPDX-License-Identifier: MIT
// Which of the recorder's functions the program calls. The graph has the functions whose names are
// the recorder's or its ports'. Any other caller, and data with a function's address, counts as the
// program: from those on, calls are followed. So a transport that is linked but that nothing calls
// does not make the recorder's reader used.

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "util/wfi_cursor.h"
#include "util/wfi_grow.h"
#include "wfi_firmware.h"

// Only a forged file has more.
enum { CALLS_MAX = 100000, CALLERS_MAX = 64 };

// By its name, or a static one in a source of the recorder or of a port.
static bool is_own(const struct wfi_symbol *s) {
    static const char *const starts[] = {"wf_", "wfi_", "wfx_", "_tx_execution_", "sys_trace_"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; ++i) {
        if (strncmp(s->name, starts[i], strlen(starts[i])) == 0) return true;
    }
    return s->file && (strncmp(s->file, "wf_", 3) == 0 || strcmp(s->file, "wallfly.c") == 0);
}

static bool add_functions(struct wfi_calls *c) {
    for (size_t i = 0; i < c->p->count; ++i) {
        const struct wfi_symbol *s = &c->p->symbols[i];
        if (!s->function || !is_own(s)) continue;
        if (!WFI_GROW(c->functions, &c->cap, c->count + 1)) return false;
        c->functions[c->count++] = s;
    }
    return true;
}

// Returns the first function at or after an address.
static size_t lower_bound(const struct wfi_calls *c, uint64_t address) {
    size_t low = 0, high = c->count;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (c->functions[mid]->address < address)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

// Pointers to symbols are in the order of addresses.
static uint32_t number_of(const struct wfi_calls *c, const struct wfi_symbol *s) {
    size_t low = 0, high = c->count;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (c->functions[mid] < s)
            low = mid + 1;
        else
            high = mid;
    }
    return s && low < c->count && c->functions[low] == s ? (uint32_t)low : WFI_OUTSIDE;
}

// Adds a call from the function that contains `from`, if a function of the graph begins at `to`.
static bool add_call(struct wfi_calls *c, uint64_t from, uint64_t to) {
    size_t first = lower_bound(c, to), end = first;
    while (end < c->count && c->functions[end]->address == to) ++end;
    if (first == end || c->call_count >= CALLS_MAX) return true;
    const struct wfi_symbol *caller = wfi_program_at(c->p, WF_PROGRAM_FUNCTION, from);
    uint32_t number = number_of(c, caller);
    for (size_t i = first; i < end && c->call_count < CALLS_MAX; ++i) {
        if (!WFI_GROW(c->calls, &c->call_cap, c->call_count + 1)) return false;
        c->calls[c->call_count++] = (struct wfi_call){number, (uint32_t)i, caller};
    }
    return true;
}

static uint64_t load_word(const uint8_t *p, unsigned bytes, bool big) {
    uint64_t v = wfi_load(p, bytes);
    return !big ? v : bytes == 8 ? __builtin_bswap64(v) : __builtin_bswap32((uint32_t)v);
}

static bool read_branches(void *ctx, const struct wfi_code *code) {
    struct wfi_calls *c = ctx;
    for (size_t at = 0; at < code->len; at += c->branches->step) {
        uint64_t to;
        if (c->branches->decode(code, at, &to) && !add_call(c, code->address + at, to))
            return false;
    }
    return true;
}

// In a word of data, bit 0 of a Thumb function's address is set.
static bool read_words(void *ctx, const struct wfi_code *data) {
    struct wfi_calls *c = ctx;
    const unsigned size = wfi_firmware_word(c->p);
    const bool thumb = c->p->machine == WFI_MACHINE_THUMB;
    size_t at = (size_t)(-data->address & (size - 1));
    for (; at < data->len && size <= data->len - at; at += size) {
        uint64_t to = load_word(data->bytes + at, size, data->big);
        if (thumb) to &= ~UINT64_C(1);
        if (!add_call(c, data->address + at, to)) return false;
    }
    return true;
}

// A position-independent program has addresses in its relocations.
static bool read_relocations(struct wfi_calls *c) {
    GElf_Shdr h;
    GElf_Rela r;
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(c->p->elf, scn)) != NULL;) {
        if (!gelf_getshdr(scn, &h) || h.sh_type != SHT_RELA) continue;
        Elf_Data *data = elf_getdata(scn, NULL);
        for (int i = 0; data && gelf_getrela(data, i, &r); ++i) {
            if (!add_call(c, r.r_offset, (uint64_t)r.r_addend)) return false;
        }
    }
    return true;
}

static int by_caller(const void *a, const void *b) {
    const struct wfi_call *x = a, *y = b;
    return (x->from > y->from) - (x->from < y->from);
}

static size_t first_call(const struct wfi_calls *c, uint32_t from) {
    size_t low = 0, high = c->call_count;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (c->calls[mid].from < from)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

// Follows the calls from the program on.
static bool find_used(struct wfi_calls *c) {
    uint32_t *waiting = calloc(c->count + 1, sizeof *waiting), from = WFI_OUTSIDE;
    size_t count = 0;
    c->used = calloc(c->count + 1, sizeof *c->used);
    if (!waiting || !c->used) {
        free(waiting);
        return false;
    }
    if (c->call_count) qsort(c->calls, c->call_count, sizeof *c->calls, by_caller);
    for (bool more = true; more; from = more ? waiting[--count] : 0) {
        for (size_t i = first_call(c, from); i < c->call_count && c->calls[i].from == from; ++i) {
            uint32_t to = c->calls[i].to;
            if (c->used[to]) continue;
            c->used[to] = true;
            waiting[count++] = to;
        }
        more = count != 0;
    }
    free(waiting);
    return true;
}

// Link-time optimization puts functions into others. It leaves names of its own, or functions that
// are local and of no source. (Veneers are the linker's, and of no source, too.)
static bool is_made_by_lto(const struct wfi_symbol *s) {
    if (strstr(s->name, ".lto_priv") || strstr(s->name, ".llvm.")) return true;
    if (!s->file || !s->function || strstr(s->name, "veneer")) return false;
    return !*s->file || strcmp(s->file, "<artificial>") == 0 || strstr(s->file, "ltrans") ||
           strcmp(s->file, "ld-temp.o") == 0;
}

static bool is_inlined(const struct wf_program *p) {
    for (size_t i = 0; i < p->count; ++i) {
        if (is_made_by_lto(&p->symbols[i])) return true;
    }
    return false;
}

bool wfi_calls_open(struct wfi_calls *c, struct wf_program *p) {
    GElf_Ehdr h;
    *c = (struct wfi_calls){.p = p};
    if (!add_functions(c)) return false;
    if (gelf_getehdr(p->elf, &h)) c->branches = wfi_branches_of(h.e_machine, p->info.big_endian);
    c->inlined = is_inlined(p);
    if (c->branches && c->count) {
        if (!wfi_firmware_sections(p, true, read_branches, c)) return false;
        if (c->branches->words && !wfi_firmware_sections(p, false, read_words, c)) return false;
        if (p->info.moves && !read_relocations(c)) return false;
    }
    return find_used(c);
}

void wfi_calls_close(struct wfi_calls *c) {
    free(c->functions);
    free(c->used);
    free(c->calls);
}

static bool is_named(const char *const *names, const char *name) {
    for (; *names; ++names) {
        if (strcmp(*names, name) == 0) return true;
    }
    return false;
}

enum wf_firmware_use wfi_calls_use(const struct wfi_calls *c, const char *const *names) {
    bool there = false;
    if (!c->p->count) return WF_FIRMWARE_UNDECIDED;
    for (size_t i = 0; i < c->count; ++i) {
        if (!is_named(names, c->functions[i]->name)) continue;
        if (c->used[i]) return WF_FIRMWARE_USED;
        there = true;
    }
    if (there) return c->branches ? WF_FIRMWARE_UNUSED : WF_FIRMWARE_UNDECIDED;
    return c->inlined ? WF_FIRMWARE_UNDECIDED : WF_FIRMWARE_ABSENT;
}

bool wfi_calls_have(const struct wfi_calls *c, const char *name) {
    for (size_t i = 0; i < c->p->count; ++i) {
        const struct wfi_symbol *s = &c->p->symbols[i];
        if (s->function && strcmp(s->name, name) == 0) return true;
    }
    return false;
}

struct search {
    const struct wfi_symbol *in;
    uint8_t pattern[4];
    bool found;
};

static bool search_section(void *ctx, const struct wfi_code *code) {
    struct search *s = ctx;
    if (s->in->address < code->address || s->in->address - code->address >= code->len) return true;
    size_t from = (size_t)(s->in->address - code->address), len = code->len - from;
    if (s->in->size < len) len = (size_t)s->in->size;
    const uint8_t *p = code->bytes + from;
    for (; len >= sizeof s->pattern && !s->found; ++p, --len) {
        s->found = memcmp(p, s->pattern, sizeof s->pattern) == 0;
    }
    return !s->found;
}

bool wfi_calls_with_word(const struct wfi_calls *c, uint64_t word, const char *const *names) {
    struct search s = {.found = false};
    unsigned callers = 0;
    wfi_put32(s.pattern, (uint32_t)word);
    for (size_t i = 0; i < c->call_count && !s.found && callers < CALLERS_MAX; ++i) {
        const struct wfi_call *call = &c->calls[i];
        s.in = call->caller;
        if (!s.in || !is_named(names, c->functions[call->to]->name)) continue;
        wfi_firmware_sections(c->p, true, search_section, &s);
        ++callers;
    }
    return s.found;
}
