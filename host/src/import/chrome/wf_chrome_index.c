// SPDX-License-Identifier: MIT
// The events of a file: an array, or the array "traceEvents" of an object. Their order in the file
// is none of time, and names may come last, so the file is read twice: first for times and names.
// The array may end anywhere, as programs that crash do not close it.

#include <stdio.h>
#include <stdlib.h>

#include "util/wfi_grow.h"
#include "wfi_chrome.h"

static bool out_of_memory(struct wfi_import *im) {
    wf_error_code(&im->error, WF_ERR_NOMEM);
    return false;
}

// ---- processes and threads

static struct wfi_chrome_process *find_process(struct wfi_import *im, struct wfi_part pid) {
    struct wfi_chrome *c = wfi_chrome_of(im);
    uint64_t hash = wfi_hash_text(pid.at, pid.len, &c->process_index);
    size_t step = 0, n = c->process_count;
    for (uint32_t i; (i = wfi_index_next(&c->process_index, hash, &step)) != 0;) {
        if (wfi_part_same(c->processes[i - 1].pid, pid)) return &c->processes[i - 1];
    }
    if (n == WFI_CHROME_THREADS) return &c->processes[n - 1];
    if (!WFI_GROW(c->processes, &c->process_cap, n + 1) ||
        !wfi_index_add(&c->process_index, hash, (uint32_t)n + 1)) {
        (void)out_of_memory(im);
        return NULL;
    }
    c->processes[n].pid = pid;
    ++c->process_count;
    return &c->processes[n];
}

// Process and thread in one number if both are numbers; else a number of our own.
static uint64_t key_of(struct wfi_part pid, struct wfi_part tid, size_t number) {
    uint64_t p, t;
    if (wfi_part_number(pid, &p) && wfi_part_number(tid, &t) && p <= INT32_MAX && t <= UINT32_MAX)
        return (p + 1) << 32 | t;
    return UINT64_C(0xFFFFFFFE00000000) + number;
}

// Returns the number of the thread; all beyond the last possible one are one.
static bool find_thread(struct wfi_import *im, struct wfi_part pid, struct wfi_part tid,
                        uint32_t *number) {
    struct wfi_chrome *c = wfi_chrome_of(im);
    uint64_t hash = wfi_hash(wfi_hash_text(pid.at, pid.len, &c->thread_index),
                             wfi_hash_text(tid.at, tid.len, &c->thread_index), c);
    size_t step = 0, n = c->thread_count;
    for (uint32_t i; (i = wfi_index_next(&c->thread_index, hash, &step)) != 0;) {
        const struct wfi_chrome_thread *t = &c->threads[i - 1];
        *number = i - 1;
        if (wfi_part_same(t->pid, pid) && wfi_part_same(t->tid, tid)) return true;
    }
    *number = (uint32_t)n;
    if (n == WFI_CHROME_THREADS) {
        --*number;
        return true;
    }
    if (!find_process(im, pid) || !WFI_GROW(c->threads, &c->thread_cap, n + 1) ||
        !wfi_index_add(&c->thread_index, hash, (uint32_t)n + 1))
        return out_of_memory(im);
    c->threads[n].pid = pid;
    c->threads[n].tid = tid;
    c->threads[n].key = key_of(pid, tid, n);
    ++c->thread_count;
    return true;
}

// "args":{"name":"..."} of thread_name and process_name
static void take_metadata(struct wfi_import *im, const struct wfi_chrome_event *e) {
    struct wfi_json j = {e->args.at, 0, e->args.len, false};
    struct wfi_part name, value;
    bool process = wfi_part_is(e->name, "process_name");
    uint32_t number;
    if ((!process && !wfi_part_is(e->name, "thread_name")) || !wfi_json_take(&j, '{')) return;
    for (enum wfi_json_kind kind; (kind = wfi_json_member(&j, &name, &value)) != WFI_JSON_NONE;) {
        if (kind != WFI_JSON_STRING || !wfi_part_is(name, "name")) continue;
        struct wfi_chrome_process *p = process ? find_process(im, e->pid) : NULL;
        if (p) p->name = value;
        if (!process && find_thread(im, e->pid, e->tid, &number))
            wfi_chrome_of(im)->threads[number].name = value;
    }
}

// "process/thread" if there are several processes; what has no name has its number.
static void name_thread(struct wfi_import *im, const struct wfi_chrome_thread *t) {
    const struct wfi_chrome *c = wfi_chrome_of(im);
    char text[600], process[256], thread[256];
    const struct wfi_chrome_process *p = find_process(im, t->pid);
    struct wfi_part of = wfi_json_text(p ? p->name : t->pid, process, sizeof process);
    struct wfi_part name = wfi_json_text(t->name, thread, sizeof thread);
    int of_len = of.len < 256 ? (int)of.len : 256, len = name.len < 256 ? (int)name.len : 256;
    int n = 0;
    if (c->process_count > 1 && of.len)
        n = snprintf(text, sizeof text, "%.*s/", of_len, of.at);
    else if (c->process_count > 1)
        n = snprintf(text, sizeof text, "pid %.*s/", t->pid.len < 64 ? (int)t->pid.len : 64,
                     t->pid.at);
    if (name.len)
        n += snprintf(text + n, sizeof text - (size_t)n, "%.*s", len, name.at);
    else if (!t->tid.len)
        n += snprintf(text + n, sizeof text - (size_t)n, "no thread");
    else
        n += snprintf(text + n, sizeof text - (size_t)n, "tid %.*s",
                      t->tid.len < 64 ? (int)t->tid.len : 64, t->tid.at);
    wfi_import_name(im, t->key, text, (size_t)n);
}

// ---- entries

static bool add_entry(struct wfi_import *im, const struct wfi_chrome_entry *entry) {
    struct wfi_chrome *c = wfi_chrome_of(im);
    if (!WFI_GROW(c->entries, &c->cap, c->count + 1)) return out_of_memory(im);
    c->entries[c->count++] = *entry;
    if (entry->ts < c->zero) c->zero = entry->ts;
    return true;
}

static bool add_event(struct wfi_import *im, const struct wfi_chrome_event *e, size_t at) {
    struct wfi_chrome_entry entry = {.ts = e->ts, .at = at, .phase = WFI_CHROME_EVENT};
    if (!find_thread(im, e->pid, e->tid, &entry.thread)) return false;
    entry.order = (int64_t)at;
    if (e->ph != 'X') return add_entry(im, &entry);
    entry.phase = WFI_CHROME_BEGIN;
    entry.order = -e->dur;
    if (!add_entry(im, &entry)) return false;
    if (!e->lasts || !e->dur) return true; // never ended, or at once
    entry.phase = WFI_CHROME_END;
    entry.order = -e->ts;
    entry.ts = e->ts + e->dur;
    return add_entry(im, &entry);
}

static int compare(const void *left, const void *right) {
    const struct wfi_chrome_entry *a = left, *b = right;
    if (a->ts != b->ts) return a->ts < b->ts ? -1 : 1;
    if (a->phase != b->phase) return a->phase < b->phase ? -1 : 1;
    if (a->order != b->order) return a->order < b->order ? -1 : 1;
    if (a->at == b->at) return 0;
    return (a->at < b->at) == (a->phase != WFI_CHROME_END) ? -1 : 1;
}

static void sort_entries(struct wfi_chrome *c) {
    for (size_t i = 1; i < c->count; ++i) {
        if (compare(&c->entries[i - 1], &c->entries[i]) <= 0) continue;
        qsort(c->entries, c->count, sizeof *c->entries, compare);
        return;
    }
}

// ---- damage

void wfi_chrome_damage(struct wfi_import *im) {
    struct wfi_chrome *c = wfi_chrome_of(im);
    if (!c->damage_len) return;
    im->offset = c->damage_at;
    wfi_import_damage(im, c->damage_at, c->damage_len, "no event of JSON");
    c->damage_len = 0;
    ++c->damages;
}

// Ranges one after the other are one, and so are all after the last that is reported alone.
static void add_damage(struct wfi_import *im, size_t at, size_t end) {
    struct wfi_chrome *c = wfi_chrome_of(im);
    bool joins = c->damage_at + c->damage_len == at || c->damages >= WFI_CHROME_DAMAGE;
    if (!joins) wfi_chrome_damage(im);
    if (!c->damage_len) c->damage_at = at;
    c->damage_len += end - at;
}

// ---- the file

// Skips the damage up to the next event, which is behind the place of the error.
static void skip_damage(struct wfi_import *im, struct wfi_json *j, size_t from) {
    size_t at = j->at > from ? j->at : from + 1;
    const char *next = at < j->len ? memchr(j->text + at, '{', j->len - at) : NULL;
    j->bad = false;
    j->at = next ? (size_t)(next - j->text) : j->len;
    add_damage(im, from, j->at);
}

static void take_event(struct wfi_import *im, struct wfi_json *j, size_t from) {
    struct wfi_chrome_event e;
    if (!wfi_chrome_read(j, &e)) {
        skip_damage(im, j, from);
        return;
    }
    if (e.ph == 'M')
        take_metadata(im, &e);
    else if (e.ph && e.timed)
        (void)add_event(im, &e, from);
    else
        add_damage(im, from, j->at);
}

// The elements of the array whose "[" has been taken, up to its "]" or the end of the file.
static void take_events(struct wfi_import *im, struct wfi_json *j) {
    struct wfi_part value;
    while (im->error.code == WF_OK) {
        wfi_json_blanks(j);
        size_t from = j->at;
        if (from == j->len || wfi_json_take(j, ']')) return;
        if (wfi_json_take(j, ',')) continue;
        if (wfi_json_take(j, '{'))
            take_event(im, j, from);
        else if (wfi_json_value(j, &value) != WFI_JSON_NONE)
            add_damage(im, from, j->at);
        else
            skip_damage(im, j, from);
    }
}

// Moves to the events. Returns false if there are none.
static bool find_events(struct wfi_json *j) {
    struct wfi_part value;
    if (j->len >= 3 && memcmp(j->text, "\xEF\xBB\xBF", 3) == 0) j->at = 3;
    wfi_json_blanks(j);
    if (wfi_json_take(j, '[')) return true;
    if (!wfi_json_take(j, '{')) return false;
    for (;;) {
        wfi_json_blanks(j);
        if (!wfi_json_take(j, '"')) return false;
        --j->at;
        if (wfi_json_value(j, &value) != WFI_JSON_STRING) return false;
        wfi_json_blanks(j);
        if (!wfi_json_take(j, ':')) return false;
        wfi_json_blanks(j);
        if (wfi_part_is(value, "traceEvents") && wfi_json_take(j, '[')) return true;
        if (wfi_json_value(j, &value) == WFI_JSON_NONE) return false;
        wfi_json_blanks(j);
        (void)wfi_json_take(j, ',');
    }
}

void wfi_chrome_index(struct wfi_import *im, const char *text, size_t len) {
    struct wfi_chrome *c = wfi_chrome_of(im);
    struct wfi_json j = {text, 0, len, false};
    if (!find_events(&j)) {
        wfi_import_fail(im, j.at, "no array of events");
        return;
    }
    take_events(im, &j);
    sort_entries(c);
    if (c->damage_at + c->damage_len < len) wfi_chrome_damage(im); // else it is after all events
    for (size_t i = 0; i < c->thread_count && im->error.code == WF_OK; ++i)
        name_thread(im, &c->threads[i]);
}
