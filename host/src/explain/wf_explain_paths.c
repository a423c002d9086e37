// SPDX-License-Identifier: MIT
// Why a task does not go on at a moment, from the state of the model: from mutex to holder, until a
// holder runs, is ready, or waits for something else.

#include <string.h>

#include "core/wfi_activity.h"
#include "util/wfi_grow.h"
#include "wfi_explain.h"

const char *const wf_cause_names[WF_CAUSES] = {"unknown", "execution", "interrupt", "task",
                                               "idle",    "wait",      "sleep",     "suspended",
                                               "free",    "deadlock"};

// ---- the table of paths

static uint64_t hash_of(const struct wfi_path_key *key, const struct wf_explain *e) {
    size_t len = offsetof(struct wfi_path_key, blocks) + key->block_count * sizeof *key->blocks;
    return wfi_hash_text((const char *)key, len, &e->index);
}

static struct wfi_path *new_path(const struct wfi_path_key *key) {
    struct wfi_path *p = malloc(sizeof *p);
    if (!p) return NULL;
    p->key = *key;
    p->shown = (struct wf_explain_path){.cause = (enum wf_explain_cause)key->cause,
                                        .block_count = key->block_count,
                                        .blocks = p->key.blocks,
                                        .task = key->task,
                                        .object = key->object,
                                        .core = key->core,
                                        .irq = (uint16_t)key->irq};
    return p;
}

// Returns the number of a path, which is new if needed.
static uint32_t number_of(struct wf_explain *e, const struct wfi_path_key *key) {
    uint64_t hash = hash_of(key, e);
    size_t step = 0;
    for (uint32_t n; (n = wfi_index_next(&e->index, hash, &step)) != 0;) {
        if (memcmp(&e->paths[n - 1]->key, key, sizeof *key) == 0) return n - 1;
    }
    struct wfi_path *p = new_path(key);
    size_t n = e->path_count;
    if (p && WFI_GROW(e->paths, &e->path_cap, n + 1) &&
        wfi_index_add(&e->index, hash, (uint32_t)n + 1)) {
        e->paths[e->path_count++] = p;
        return (uint32_t)n;
    }
    free(p);
    e->err = WF_ERR_NOMEM;
    return WFI_PATH_UNKNOWN;
}

bool wfi_explain_paths_open(struct wf_explain *e) {
    struct wfi_path_key key;
    memset(&key, 0, sizeof key);
    return number_of(e, &key) == WFI_PATH_UNKNOWN && e->err == WF_OK;
}

void wfi_explain_paths_close(struct wf_explain *e) {
    for (size_t i = 0; i < e->path_count; ++i) free(e->paths[i]);
    free(e->paths);
    wfi_index_close(&e->index);
}

uint32_t wfi_explain_unknown(struct wf_explain *e, uint32_t path) {
    struct wfi_path_key key = e->paths[path]->key;
    key.cause = WF_CAUSE_UNKNOWN;
    key.task = NULL;
    key.object = NULL;
    key.core = key.irq = 0;
    return number_of(e, &key);
}

// ---- the state of the model

// Of a task that is ready or runs: what its core does.
static void describe_core(const struct wf_explain *e, const struct wf_task *t,
                          struct wfi_path_key *key) {
    if (t->core >= WF_MODEL_CORES) return;
    const struct wf_core *core = wf_model_core(e->m, t->core);
    key->core = t->core;
    switch (wfi_core_activity(core, e->has_irqs[t->core])) {
    case WF_CPU_IRQ:
        key->cause = WF_CAUSE_IRQ;
        key->irq = wfi_core_irq(core);
        break;
    case WF_CPU_TASK:
        key->cause = core->task == t ? WF_CAUSE_EXECUTION : WF_CAUSE_TASK;
        key->task = core->task;
        break;
    case WF_CPU_IDLE: key->cause = WF_CAUSE_IDLE; break;
    default: break;
    }
    if (key->cause == WF_CAUSE_EXECUTION || key->cause == WF_CAUSE_UNKNOWN) key->core = 0;
}

static bool is_in(const struct wfi_path_key *key, const struct wf_task *first,
                  const struct wf_task *t) {
    bool found = t == first;
    for (unsigned i = 0; i < key->block_count; ++i) found |= key->blocks[i].holder == t;
    return found;
}

// Adds the mutex that t waits for. Returns its holder if the path goes on with it; else null, with
// the cause set.
static const struct wf_task *add_block(struct wfi_path_key *key, const struct wf_task *first,
                                       const struct wf_task *t) {
    const struct wf_object *mutex = t->waits_known ? t->waits : NULL;
    const struct wf_task *holder = mutex && mutex->holder_known ? mutex->holder : NULL;
    if (key->block_count == WF_EXPLAIN_BLOCKS) return NULL;
    bool again = holder && is_in(key, first, holder);
    key->blocks[key->block_count++] = (struct wf_explain_block){mutex, holder};
    if (mutex && mutex->holder_known && !holder) key->cause = WF_CAUSE_FREE;
    if (again) key->cause = WF_CAUSE_DEADLOCK;
    return again ? NULL : holder;
}

static void describe_block(struct wfi_path_key *key, const struct wf_task *t) {
    switch (t->state) {
    case WF_TASK_BLOCKED:
        key->cause = WF_CAUSE_WAIT;
        key->object = t->waits_known ? t->waits : NULL;
        break;
    case WF_TASK_DELAYED: key->cause = WF_CAUSE_SLEEP; break;
    case WF_TASK_SUSPENDED: key->cause = WF_CAUSE_SUSPENDED; break;
    default: break;
    }
}

uint32_t wfi_explain_path(struct wf_explain *e, const struct wfi_span *span) {
    const struct wf_task *task = span->task;
    struct wfi_path_key key;
    memset(&key, 0, sizeof key); // padding, too: the bytes are compared
    for (const struct wf_task *t = task; t;) {
        const struct wf_core *core = t->core < WF_MODEL_CORES ? wf_model_core(e->m, t->core) : NULL;
        bool on_core = core && core->known && core->task == t;
        if (on_core || t->state == WF_TASK_RUNNING || t->state == WF_TASK_READY) {
            describe_core(e, t, &key);
            break;
        }
        if (t->state != WF_TASK_BLOCKED || !wfi_waits_for_mutex(t)) {
            describe_block(&key, t);
            break;
        }
        t = add_block(&key, task, t);
    }
    uint32_t last = span->count ? span->points[span->count - 1].path : WFI_PATH_UNKNOWN;
    if (memcmp(&e->paths[last]->key, &key, sizeof key) == 0) return last;
    return number_of(e, &key);
}
