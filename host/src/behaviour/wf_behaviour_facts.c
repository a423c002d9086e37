// SPDX-License-Identifier: MIT
// What runs consist of: their actions, and the order in which they take locks. A lock is a mutex,
// or what the run itself gives back.

#include "wfi_compare.h"

#include <stdlib.h>
#include <string.h>

static const uint32_t *actions_of(const struct wf_behaviour *b, uint32_t run, uint32_t *count) {
    const struct wfi_fact *fact = wfi_fact(b, run);
    *count = fact->part[1];
    return b->list + fact->part[0];
}

bool wfi_run_has_action(const struct wf_behaviour *b, uint32_t run, uint32_t action) {
    uint32_t count;
    const uint32_t *actions = actions_of(b, run, &count);
    for (uint32_t i = 0; i < count; ++i) {
        if (actions[i] == action) return true;
    }
    return false;
}

// ---- locks

// Returns the place of the first such action at or after `from`; count: there is none.
static uint32_t find_action(const struct wf_behaviour *b, const uint32_t *actions, uint32_t from,
                            uint32_t count, enum wfi_verb verb, uint32_t text) {
    for (uint32_t i = from; i < count; ++i) {
        if (wfi_action_verb(b, actions[i]) == verb && wfi_action_text(b, actions[i]) == text)
            return i;
    }
    return count;
}

// The places where a run takes each of its locks for the first time.
struct locks {
    uint32_t text[WFI_RUN_ACTIONS], at[WFI_RUN_ACTIONS], given[WFI_RUN_ACTIONS], count;
};

static bool find_objects(struct wf_behaviour *b) {
    const char *mutex = wf_object_kind_names[WF_OBJECT_MUTEX];
    b->mutexes = calloc(b->texts.count + 1, sizeof *b->mutexes);
    b->objects = calloc(b->texts.count + 1, sizeof *b->objects);
    if (!b->mutexes || !b->objects) {
        b->err = WF_ERR_NOMEM;
        return false;
    }
    for (uint32_t i = 1; i <= b->fact_count; ++i) {
        const struct wfi_fact *t = wfi_fact(b, i);
        if (t->kind != WFI_FACT_OBJECT) continue;
        b->objects[t->part[1]] = i;
        if (strcmp(wfi_behaviour_text_at(b, t->part[0]), mutex) == 0) b->mutexes[t->part[1]] = true;
    }
    return true;
}

static void find_locks(const struct wf_behaviour *b, uint32_t run, struct locks *locks) {
    uint32_t count;
    const uint32_t *actions = actions_of(b, run, &count);
    locks->count = 0;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t text = wfi_action_text(b, actions[i]);
        if (wfi_action_verb(b, actions[i]) != WFI_VERB_TAKES) continue;
        if (find_action(b, actions, 0, i, WFI_VERB_TAKES, text) < i) continue;
        uint32_t given = find_action(b, actions, i + 1, count, WFI_VERB_GIVES, text);
        if (given == count && !b->mutexes[text]) continue;
        locks->text[locks->count] = text;
        locks->given[locks->count] = given;
        locks->at[locks->count++] = i;
    }
}

bool wfi_run_has_locks(const struct wf_behaviour *b, uint32_t run, uint32_t first, uint32_t then) {
    struct locks locks;
    bool came = false;
    find_locks(b, run, &locks);
    for (uint32_t i = 0; i < locks.count; ++i) {
        if (locks.text[i] == then) return came;
        came |= locks.text[i] == first;
    }
    return false;
}

// ---- deriving

// Adds that a fact was seen wherever the run was.
static void see_with(struct wf_behaviour *b, uint32_t fact, uint32_t run) {
    for (uint32_t n = fact ? wfi_fact(b, run)->seen : 0; n; n = b->seen[n - 1].next) {
        struct wfi_seen seen = b->seen[n - 1];
        wfi_behaviour_see(b, fact, &seen);
    }
}

static void derive(struct wf_behaviour *b, enum wfi_fact_kind kind, uint32_t actor, uint32_t x,
                   uint32_t y, uint32_t run) {
    bool full = false;
    see_with(b, wfi_behaviour_fact(b, kind, actor, x, y, 0, &full), run);
}

static void derive_actions(struct wf_behaviour *b, uint32_t run) {
    uint32_t count = wfi_fact(b, run)->part[1], actor = wfi_fact(b, run)->actor;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t *actions = b->list + wfi_fact(b, run)->part[0];
        enum wfi_verb verb = wfi_action_verb(b, actions[i]);
        bool again = false;
        for (uint32_t n = 0; n < i && !again; ++n) again = actions[n] == actions[i];
        // What a run waits for in the end it takes in the next one.
        bool said = verb == WFI_VERB_MORE || verb == WFI_VERB_AWAITS || verb == WFI_VERB_RETURNS;
        uint32_t text = wfi_action_text(b, actions[i]), action = actions[i];
        if (again) continue;
        see_with(b, b->objects[text], run);
        if (!said) derive(b, WFI_FACT_ACTION, actor, action, 0, run);
    }
}

static void derive_locks(struct wf_behaviour *b, uint32_t run, uint32_t lane) {
    uint32_t actor = wfi_fact(b, run)->actor;
    struct locks locks;
    find_locks(b, run, &locks);
    for (uint32_t i = 0; i < locks.count; ++i) {
        for (uint32_t n = i + 1; n < locks.count; ++n) {
            derive(b, WFI_FACT_LOCKS, actor, locks.text[i], locks.text[n], run);
            if (locks.given[i] > locks.at[n])
                derive(b, WFI_FACT_NESTS, lane, locks.text[i], locks.text[n], run);
        }
    }
}

// A run that only one side has adds to the variety of its actor there.
static void derive_variety(struct wf_behaviour *b, uint32_t run, uint32_t good_traces) {
    bool sides[WFI_SIDES] = {false, false};
    for (uint32_t n = wfi_fact(b, run)->seen; n; n = b->seen[n - 1].next)
        sides[b->seen[n - 1].trace <= good_traces ? WFI_GOOD : WFI_NEW] = true;
    if (sides[WFI_GOOD] != sides[WFI_NEW])
        derive(b, WFI_FACT_VARIETY, wfi_fact(b, run)->actor, 0, 0, run);
}

void wfi_facts_derive(struct wf_behaviour *b, uint32_t good_traces) {
    size_t count = b->fact_count;
    if (!find_objects(b)) return;
    for (uint32_t i = 1; i <= count && b->err == WF_OK; ++i) {
        if (wfi_fact(b, i)->kind != WFI_FACT_RUN) continue;
        uint32_t actor = wfi_fact(b, i)->actor;
        uint32_t lane = wfi_behaviour_actor(b, WFI_ACTOR_LANE, wfi_actor_lane(b, actor), 0);
        bool task = wfi_actor_kind(b, actor) == WFI_ACTOR_TASK;
        derive_actions(b, i);
        derive_variety(b, i, good_traces);
        if (task) derive(b, WFI_FACT_TASK, actor, 0, 0, i);
        if (lane) derive_locks(b, i, lane);
    }
}
