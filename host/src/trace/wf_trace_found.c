// SPDX-License-Identifier: MIT
// Another tracer's buffer in an image of a target's memory. Each format searches for its own; the
// one at the user's symbol is taken, or the only one. In an ELF core, buffers that have their own
// address in them are preferred at that address: copies lie elsewhere.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/wfi_image.h"
#include "wfi_trace.h"

enum { CANDIDATES_MAX = 1000 };

struct search {
    const struct wfi_image *image;
    struct wfi_program symbol; // of the user
    bool by_symbol;
    // The best candidate, the number of those that are as good, and the second one's place.
    const struct wfi_reader *reader;
    struct wfi_import_found best;
    unsigned grade, count;
    size_t second;
};

// Returns the address of a candidate, or false: it is not known.
static bool address_of(const struct search *s, const struct wfi_import_found *found,
                       uint64_t *address) {
    if (wfi_image_address(s->image, found->at, address)) return true;
    *address = found->address;
    return found->has_address;
}

// The symbol is the buffer, or a pointer to it.
static bool is_at_symbol(const struct search *s, const struct wfi_import_found *found) {
    const struct wfi_program *p = &s->symbol;
    uint64_t address, pointer = 0;
    uint8_t bytes[8];
    unsigned n = p->bits / 8;
    if (!address_of(s, found, &address)) return false;
    if (address - p->address < p->size) return true;
    if (p->size != n || !s->image->elf || !wfi_image_copy(s->image, p->address, bytes, n))
        return false;
    for (unsigned i = 0; i < n; ++i) pointer = pointer << 8 | bytes[p->big_endian ? i : n - 1 - i];
    return pointer == address;
}

static unsigned grade_of(const struct search *s, const struct wfi_import_found *found) {
    uint64_t address;
    if (s->by_symbol) return is_at_symbol(s, found) ? 2 : 0;
    if (!found->has_address || !wfi_image_address(s->image, found->at, &address)) return 1;
    return address == found->address ? 2 : 1;
}

static void take_candidate(struct search *s, const struct wfi_reader *reader,
                           struct wfi_import_found *found) {
    unsigned grade = grade_of(s, found);
    if (grade > s->grade) {
        free(s->best.copy);
        s->best = *found;
        s->reader = reader;
        s->grade = grade;
        s->count = 1;
        return;
    }
    if (grade && grade == s->grade && s->count++ == 1) s->second = found->at;
    free(found->copy);
}

static void search_all(struct search *s, enum wf_lane_format wanted) {
    struct wfi_import_found found;
    for (unsigned i = 0; i < wfi_import_reader_count; ++i) {
        const struct wfi_reader *r = &wfi_import_readers[i];
        size_t from = 0;
        if (!r->import->find || (wanted && r->format != wanted)) continue;
        for (unsigned n = 0; n < CANDIDATES_MAX && from < s->image->len; ++n) {
            found = (struct wfi_import_found){.copy = NULL};
            if (!r->import->find(s->image, from, &found)) break;
            from = found.at + 1;
            take_candidate(s, r, &found);
        }
    }
}

static int check(const struct search *s, const char *symbol, struct wf_error *error) {
    if (s->count == 1) return WF_OK;
    if (!s->count && symbol)
        wf_error_set(error, WF_ERR_BAD_BOX, "no buffer of a known tracer at the symbol %s", symbol);
    else if (s->count)
        wf_error_set(error, WF_ERR_BAD_BOX,
                     "%u buffers of other tracers, at byte %zu and %zu of the image; the symbol of "
                     "one, with the program's ELF file, selects it",
                     s->count, s->best.at, s->second);
    return WF_ERR_BAD_BOX;
}

// Returns WF_ERR_BAD_BOX with the symbol's error.
static int read_symbol(struct search *s, const char *symbol, const uint8_t *program, size_t len,
                       struct wf_error *error) {
    if (!symbol) return WF_OK;
    if (program) wfi_program_read(&s->symbol, program, len, symbol);
    s->by_symbol = s->symbol.has_symbol;
    if (s->by_symbol) return WF_OK;
    return wf_error_set(error, WF_ERR_BAD_BOX,
                        program ? "the program has no variable %s"
                                : "the symbol %s needs the program's ELF file",
                        symbol);
}

int wfi_find_import(const struct wf_trace *t, const uint8_t *image, size_t len,
                    const uint8_t *program, size_t program_len, const struct wfi_reader **reader,
                    struct wfi_import_found *found, struct wf_error *error) {
    struct wfi_image pieces;
    struct search s = {.image = &pieces};
    const char *symbol = t->options.ring_symbol;
    int err = read_symbol(&s, symbol, program, program_len, error);
    if (err != WF_OK) return err;
    if (!wfi_image_open(&pieces, image, len)) return wf_error_code(error, WF_ERR_NOMEM);
    search_all(&s, t->options.format);
    wfi_image_close(&pieces);
    err = check(&s, symbol, error);
    if (err != WF_OK) free(s.best.copy);
    *reader = s.reader;
    *found = s.best;
    return err;
}
