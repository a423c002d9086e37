// SPDX-License-Identifier: MIT
// Names the parts inside an object from debug data: table[3].lock. Debug data is loaded when an
// address inside an object is first named; a list of all variables by address is made then.

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/wfi_grow.h"
#include "wfi_program.h"

// Debug data may be forged: these limits bound the time of a search.
enum { DEPTH_MAX = 32, ENTRIES_MAX = 20000000, STEPS_MAX = 16, DIMENSIONS_MAX = 8 };

struct variable {
    uint64_t address;
    Dwarf_Off die;
};

struct wfi_members {
    Dwarf *dwarf;
    struct variable *variables;
    size_t count, cap, entries;
};

static bool add_variable(struct wfi_members *m, Dwarf_Die *die) {
    Dwarf_Attribute attr;
    Dwarf_Op *ops;
    size_t count;
    Dwarf_Attribute indirect;
    Dwarf_Addr address;
    if (!dwarf_attr(die, DW_AT_location, &attr) || dwarf_getlocation(&attr, &ops, &count) != 0 ||
        count != 1)
        return true;
    if (ops->atom == DW_OP_addr)
        address = ops->number;
    else if (ops->atom != DW_OP_addrx || dwarf_getlocation_attr(&attr, ops, &indirect) != 0 ||
             dwarf_formaddr(&indirect, &address) != 0)
        return true;
    if (!WFI_GROW(m->variables, &m->cap, m->count + 1)) return false;
    m->variables[m->count++] = (struct variable){address, dwarf_dieoffset(die)};
    return true;
}

// Variables are in units, namespaces, functions and their blocks.
static bool holds_variables(int tag) {
    return tag == DW_TAG_namespace || tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block;
}

static bool collect_variables(struct wfi_members *m, Dwarf_Die *parent, unsigned depth) {
    Dwarf_Die die;
    if (depth > DEPTH_MAX || dwarf_child(parent, &die) != 0) return true;
    do {
        int tag = dwarf_tag(&die);
        if (++m->entries > ENTRIES_MAX) return false;
        if (tag == DW_TAG_variable && !add_variable(m, &die)) return false;
        if (holds_variables(tag) && !collect_variables(m, &die, depth + 1)) return false;
    } while (dwarf_siblingof(&die, &die) == 0);
    return true;
}

static int by_address(const void *a, const void *b) {
    const struct variable *x = a, *y = b;
    return (x->address > y->address) - (x->address < y->address);
}

static struct wfi_members *open_members(Elf *elf) {
    struct wfi_members *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    m->dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;
    while (m->dwarf && dwarf_get_units(m->dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0) {
        if (!collect_variables(m, &die, 0)) break;
    }
    if (m->count) qsort(m->variables, m->count, sizeof *m->variables, by_address);
    return m;
}

void wfi_members_close(struct wfi_members *m) {
    if (!m) return;
    dwarf_end(m->dwarf);
    free(m->variables);
    free(m);
}

// The type without typedefs and qualifiers.
static bool type_of(Dwarf_Die *die, Dwarf_Die *type) {
    Dwarf_Attribute attr;
    Dwarf_Die named;
    return dwarf_attr_integrate(die, DW_AT_type, &attr) && dwarf_formref_die(&attr, &named) &&
           dwarf_peel_type(&named, type) == 0;
}

static bool find_variable(struct wfi_members *m, uint64_t address, Dwarf_Die *type) {
    size_t low = 0, high = m->count;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (m->variables[mid].address < address)
            low = mid + 1;
        else
            high = mid;
    }
    for (; low < m->count && m->variables[low].address == address; ++low) {
        Dwarf_Die die;
        if (dwarf_offdie(m->dwarf, m->variables[low].die, &die) && type_of(&die, type)) return true;
    }
    return false;
}

struct path {
    char *text;
    size_t cap, len;
    uint64_t offset; // the rest of it
};

static void put_text(struct path *p, const char *what) {
    int n = snprintf(p->text + p->len, p->cap - p->len, "%s", what);
    p->len = n < 0 || (size_t)n >= p->cap - p->len ? p->cap - 1 : p->len + (size_t)n;
}

static unsigned get_dimensions(Dwarf_Die *array, uint64_t count[DIMENSIONS_MAX]) {
    Dwarf_Die die;
    Dwarf_Attribute attr;
    unsigned n = 0;
    if (dwarf_child(array, &die) != 0) return 0;
    do {
        Dwarf_Word v = 0;
        if (dwarf_tag(&die) != DW_TAG_subrange_type || n == DIMENSIONS_MAX) continue;
        if (dwarf_attr(&die, DW_AT_count, &attr) && dwarf_formudata(&attr, &v) == 0)
            count[n++] = v;
        else if (dwarf_attr(&die, DW_AT_upper_bound, &attr) && dwarf_formudata(&attr, &v) == 0)
            count[n++] = v + 1;
        else
            return 0;
    } while (dwarf_siblingof(&die, &die) == 0);
    return n;
}

static bool step_array(struct path *p, Dwarf_Die *type) {
    uint64_t count[DIMENSIONS_MAX];
    Dwarf_Die element;
    Dwarf_Word size = 0;
    unsigned n = get_dimensions(type, count);
    if (!n || !type_of(type, &element) || dwarf_aggregate_size(&element, &size) != 0 || !size)
        return false;
    uint64_t index = p->offset / size;
    p->offset %= size;
    char text[24 * DIMENSIONS_MAX] = "", one[24];
    for (unsigned i = n; i-- > 0;) { // the last one is the fastest
        uint64_t of = i ? index % (count[i] ? count[i] : 1) : index;
        if (i) index /= count[i] ? count[i] : 1;
        size_t len = (size_t)snprintf(one, sizeof one, "[%" PRIu64 "]", of);
        memmove(text + len, text, strlen(text) + 1);
        memcpy(text, one, len);
    }
    put_text(p, text);
    *type = element;
    return true;
}

// Steps to the member that has the offset, or to the base class.
static bool step_struct(struct path *p, Dwarf_Die *type) {
    Dwarf_Die die, inner;
    Dwarf_Attribute attr;
    if (dwarf_child(type, &die) != 0) return false;
    do {
        int tag = dwarf_tag(&die);
        Dwarf_Word at, size;
        if (tag != DW_TAG_member && tag != DW_TAG_inheritance) continue;
        if (!dwarf_attr(&die, DW_AT_data_member_location, &attr) ||
            dwarf_formudata(&attr, &at) != 0 || at > p->offset)
            continue;
        if (!type_of(&die, &inner) || dwarf_aggregate_size(&inner, &size) != 0) continue;
        if (p->offset - at >= size || dwarf_attr(&die, DW_AT_bit_size, &attr)) continue;
        const char *name = dwarf_diename(&die);
        if (tag == DW_TAG_member && !name) return false;
        p->offset -= at;
        *type = inner;
        if (tag == DW_TAG_inheritance) return true;
        put_text(p, ".");
        put_text(p, name);
        return true;
    } while (dwarf_siblingof(&die, &die) == 0);
    return false;
}

static bool is_structure(Dwarf_Die *type) {
    int tag = dwarf_tag(type);
    return tag == DW_TAG_structure_type || tag == DW_TAG_class_type;
}

static bool is_array_of_structures(Dwarf_Die *type) {
    Dwarf_Die element;
    return dwarf_tag(type) == DW_TAG_array_type && type_of(type, &element) &&
           is_structure(&element);
}

static bool find_type(struct wf_program *p, uint64_t address, Dwarf_Die *type) {
    if (!p->elf) return false;
    if (!p->members_tried) p->members = open_members(p->elf);
    p->members_tried = true;
    return p->members && find_variable(p->members, address, type);
}

const char *wfi_members_type(struct wf_program *p, uint64_t address) {
    Dwarf_Die type;
    return find_type(p, address, &type) ? dwarf_diename(&type) : NULL;
}

size_t wfi_members_name(struct wf_program *p, const struct wfi_symbol *symbol, uint64_t offset,
                        char *text, size_t cap) {
    struct path path = {text, cap, 0, offset};
    Dwarf_Die type;
    char rest[24];
    if (!symbol->object || !find_type(p, symbol->address, &type)) return 0;
    // The first of several structures is named like the others.
    bool first = !offset && is_array_of_structures(&type);
    for (unsigned i = 0; (path.offset || (first && i == 0)) && i < STEPS_MAX; ++i) {
        int tag = dwarf_tag(&type);
        bool array = tag == DW_TAG_array_type;
        if (array ? !step_array(&path, &type) : !is_structure(&type) || !step_struct(&path, &type))
            break;
    }
    if (!path.len) return 0;
    snprintf(rest, sizeof rest, "+0x%" PRIX64, path.offset);
    if (path.offset) put_text(&path, rest);
    return path.len;
}
