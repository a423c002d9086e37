// SPDX-License-Identifier: MIT
// Names of entities, the numbers that may stand for them, and their keys. An entity may act in
// several roles, so it has a key as an object, and one for each instance of it as a task.

#include <stdio.h>
#include <stdlib.h>

#include "util/wfi_grow.h"
#include "wfi_btf.h"

// Keys: FreeRTOS' objects are addresses of 32 bits, its tasks follow; then tasks, and objects.
static const uint64_t TASKS = UINT64_C(0x200000000), OBJECTS = UINT64_C(0x300000000);

struct wfi_btf_entity *wfi_btf_find(const struct wfi_btf *b, struct wfi_part name) {
    uint64_t hash = wfi_hash_text(name.at, name.len, &b->index);
    size_t step = 0;
    for (uint32_t n; (n = wfi_index_next(&b->index, hash, &step)) != 0;) {
        if (wfi_part_same(b->entities[n - 1]->name, name)) return b->entities[n - 1];
    }
    return NULL;
}

// The name follows the entity in memory.
static struct wfi_btf_entity *new_entity(struct wfi_part name) {
    struct wfi_btf_entity *e = calloc(1, sizeof *e + name.len + 1);
    if (!e) return NULL;
    memcpy(e + 1, name.at, name.len);
    e->name = (struct wfi_part){(const char *)(e + 1), name.len};
    return e;
}

static bool add_entity(struct wfi_btf *b, struct wfi_btf_entity *e) {
    uint64_t hash = wfi_hash_text(e->name.at, e->name.len, &b->index);
    if (!WFI_GROW(b->entities, &b->cap, b->count + 1)) return false;
    if (!wfi_index_add(&b->index, hash, (uint32_t)b->count + 1)) return false;
    e->key = OBJECTS + b->count;
    b->entities[b->count++] = e;
    return true;
}

struct wfi_btf_entity *wfi_btf_entity(struct wfi_import *im, struct wfi_part name) {
    struct wfi_btf *b = wfi_btf_of(im);
    if (name.len > WFI_IMPORT_TEXT_MAX) name.len = WFI_IMPORT_TEXT_MAX;
    struct wfi_btf_entity *e = wfi_btf_find(b, name);
    if (e || b->count == WFI_BTF_ENTITIES) return e;
    e = new_entity(name);
    if (e && add_entity(b, e)) return e;
    free(e);
    wf_error_code(&im->error, WF_ERR_NOMEM);
    return NULL;
}

// ---- numbers

static const struct wfi_btf_alias *find_alias(const struct wfi_btf *b, enum wfi_btf_table table,
                                              uint64_t number) {
    size_t step = 0;
    uint64_t hash = wfi_hash(number, table, &b->aliases);
    for (uint32_t n; (n = wfi_index_next(&b->aliases, hash, &step)) != 0;) {
        const struct wfi_btf_alias *a = &b->alias[n - 1];
        if (a->number == number && a->table == table) return a;
    }
    return NULL;
}

void wfi_btf_add_number(struct wfi_import *im, enum wfi_btf_table table, uint64_t number,
                        struct wfi_part name) {
    struct wfi_btf *b = wfi_btf_of(im);
    if (find_alias(b, table, number)) return;
    struct wfi_btf_entity *e = wfi_btf_entity(im, name); // keeps the text
    if (!e || b->alias_count == WFI_BTF_ENTITIES) return;
    size_t n = b->alias_count;
    if (!WFI_GROW(b->alias, &b->alias_cap, n + 1) ||
        !wfi_index_add(&b->aliases, wfi_hash(number, table, &b->aliases), (uint32_t)n + 1)) {
        wf_error_code(&im->error, WF_ERR_NOMEM);
        return;
    }
    b->alias[n] = (struct wfi_btf_alias){table, number, e->name};
    b->numbers[table] = true;
    ++b->alias_count;
}

struct wfi_part wfi_btf_resolve(const struct wfi_btf *b, enum wfi_btf_table table,
                                struct wfi_part name) {
    uint64_t number;
    struct wfi_part digits = name;
    if (!b->numbers[table]) return name;
    (void)wfi_part_skip(&digits, "-");
    if (!wfi_part_number(digits, &number)) return name;
    const struct wfi_btf_alias *a = find_alias(b, table, number);
    return a ? a->name : name;
}

void wfi_btf_close(struct wfi_btf *b) {
    for (size_t i = 0; i < b->count; ++i) {
        free(b->entities[i]->jobs);
        free(b->entities[i]);
    }
    free(b->entities);
    free(b->alias);
    wfi_index_close(&b->index);
    wfi_index_close(&b->aliases);
}

// ---- roles

// A core has the number in its name if that is free, else the first free one.
static bool number_core(struct wfi_btf *b, struct wfi_btf_entity *e) {
    size_t n = e->name.len;
    uint64_t number = WFI_IMPORT_CORES;
    while (n && wfi_is_digit(e->name.at[n - 1])) --n;
    (void)wfi_part_number((struct wfi_part){e->name.at + n, e->name.len - n}, &number);
    if (n == e->name.len || number >= WFI_IMPORT_CORES || (b->cores >> number & 1)) {
        for (number = 0; number < WFI_IMPORT_CORES && (b->cores >> number & 1);) ++number;
    }
    if (number == WFI_IMPORT_CORES) return false;
    b->cores |= UINT64_C(1) << number;
    e->core = (uint8_t)(number + 1);
    return true;
}

bool wfi_btf_core(struct wfi_import *im, struct wfi_part name, unsigned *core) {
    struct wfi_btf_entity *e = wfi_btf_entity(im, name);
    if (!e || (!e->core && !number_core(wfi_btf_of(im), e))) return false;
    *core = e->core - 1u;
    return true;
}

uint64_t wfi_btf_object(struct wfi_import *im, struct wfi_part name) {
    struct wfi_btf_entity *e = wfi_btf_entity(im, name);
    if (!e) return 0;
    if (!e->named) wfi_import_name(im, e->key, e->name.at, e->name.len);
    e->named = true;
    return e->key;
}

// "[0/0012]Name" of FreeRTOS-BTF-Trace
static bool is_freertos(struct wfi_part name, uint32_t *number) {
    uint64_t core, id;
    if (!wfi_part_skip(&name, "[")) return false;
    struct wfi_part inside = wfi_part_cut(&name, ']');
    if (!wfi_part_number(wfi_part_cut(&inside, '/'), &core) || !name.len) return false;
    if (!wfi_part_number(inside, &id) || id > UINT32_MAX) return false;
    *number = (uint32_t)id;
    return true;
}

static bool open_jobs(struct wfi_import *im, struct wfi_btf_entity *e) {
    e->freertos = is_freertos(e->name, &e->number);
    e->jobs = calloc(WFI_BTF_JOBS, sizeof *e->jobs);
    if (!e->jobs) wf_error_code(&im->error, WF_ERR_NOMEM);
    for (unsigned i = 0; e->jobs && i < WFI_BTF_JOBS; ++i)
        e->jobs[i].key = TASKS + (e->key - OBJECTS) * WFI_BTF_JOBS + i;
    if (e->jobs && e->freertos) e->jobs[0].key = wfi_btf_task_key(e->number);
    return e->jobs != NULL;
}

// The first instance has the name of the task, others that are alive with it "name (2)".
static void name_job(struct wfi_import *im, const struct wfi_btf_entity *e, unsigned n) {
    char text[256];
    struct wfi_part name = e->name;
    if (e->freertos) (void)wfi_part_cut(&name, ']');
    if (n) {
        int len = name.len < 200 ? (int)name.len : 200;
        name.len = (size_t)snprintf(text, sizeof text, "%.*s (%u)", len, name.at, n + 1);
        name.at = text;
    }
    wfi_import_name(im, e->jobs[n].key, name.at, name.len);
    e->jobs[n].named = true;
}

void wfi_btf_create(struct wfi_import *im, struct wfi_part name, int prio) {
    struct wfi_btf_entity *e = wfi_btf_entity(im, name);
    if (!e || (!e->jobs && !open_jobs(im, e))) return;
    WFI_IMPORT(im, task_create, e->jobs[0].key, (uint16_t)prio);
    name_job(im, e, 0);
    e->jobs[0].alive = true;
}

static unsigned find_job(const struct wfi_btf_entity *e, uint64_t instance) {
    unsigned room = WFI_BTF_JOBS;
    for (unsigned i = 0; i < WFI_BTF_JOBS; ++i) {
        if (e->jobs[i].alive && e->jobs[i].instance == instance) return i;
        if (!e->jobs[i].alive && room == WFI_BTF_JOBS) room = i;
    }
    return room == WFI_BTF_JOBS ? 0 : room;
}

struct wfi_btf_job *wfi_btf_job(struct wfi_import *im, struct wfi_part name, uint64_t instance) {
    struct wfi_btf_entity *e = wfi_btf_entity(im, name);
    if (!e || (!e->jobs && !open_jobs(im, e))) return NULL;
    unsigned n = e->freertos ? 0 : find_job(e, instance);
    e->jobs[n].alive = true;
    e->jobs[n].instance = instance;
    if (!e->jobs[n].named) name_job(im, e, n);
    return &e->jobs[n];
}
