// SPDX-License-Identifier: MIT
// Rules that are functions of a script: each gets every item of a lane as a table, and returns
// nothing, or a sentence of what is wrong.

#include <stdlib.h>
#include <string.h>

#include "../lua/record.h"
#include "rules.h"
#include "wallfly_host/wf_model.h"

struct functions {
    struct script *scripts;
    unsigned opened; // scripts
    unsigned count;
    struct own_result *own;
    const struct check_rule **rules;
    struct wf_model *model; // for the task that runs
};

// Notes the rules of the form FUNCTION, in their order.
static bool note_rules(struct check_lane *c, struct functions *f) {
    const struct check_rules *r = c->rules;
    f->rules = calloc(r->functions, sizeof *f->rules);
    f->own = calloc(r->functions, sizeof *f->own);
    f->scripts = calloc(r->script_count, sizeof *f->scripts);
    f->model = wf_model_open(c->session);
    if (!f->rules || !f->own || !f->scripts || !f->model) return false;
    for (unsigned i = 0; i < r->count; ++i) {
        if (r->list[i]->form == CHECK_FUNCTION) f->rules[f->count++] = r->list[i];
    }
    return true;
}

int functions_open(struct check_lane *c, struct wf_error *error) {
    struct check_rules *r = c->rules;
    struct functions *f = c->functions = calloc(1, sizeof *f);
    if (!f || !note_rules(c, f)) return wf_error_code(error, WF_ERR_NOMEM);
    for (unsigned i = 0; i < r->script_count; ++i) {
        struct script *s = &f->scripts[f->opened++];
        int err = script_open(s, r, r->scripts[i], false, error);
        if (err != WF_OK) return err;
        if (s->functions != r->script_functions[i])
            return wf_error_set(error, WF_ERR_USAGE, "%.160s: has other rules when it is run again",
                                s->file);
    }
    return WF_OK;
}

// ---- items as tables

static void set_text(lua_State *L, const char *key, const char *text) {
    lua_pushstring(L, text);
    lua_setfield(L, -2, key);
}

static void set_integer(lua_State *L, const char *key, uint64_t value) {
    lua_pushinteger(L, (lua_Integer)value);
    lua_setfield(L, -2, key);
}

// tick, and time in seconds as displayed, if the rate is known.
static void set_time(lua_State *L, const struct check_lane *c, uint64_t tick) {
    uint64_t hz = wf_session_target(c->session)->hz;
    uint64_t zero = wf_time_zero(c->session, c->options.target_clock);
    set_integer(L, "tick", tick);
    if (!hz) return;
    lua_pushnumber(L, (double)(int64_t)(tick - zero) / (double)hz);
    lua_setfield(L, -2, "time");
}

static void set_record(lua_State *L, const struct check_lane *c, const struct wf_record *rec) {
    bool whole = rec->row && !rec->left && !rec->missing;
    set_text(L, "kind", whole ? "record" : "odd");
    set_integer(L, "id", rec->id);
    set_text(L, "name", rec->row ? record_name(c->session, rec) : "unknown");
    if (!whole) return;
    record_push_fields(L, c->session, rec);
    if (rec->row == &wf_user_row) record_push_values(L, c->session, rec);
}

static void set_loss(lua_State *L, const struct wf_loss *loss) {
    set_text(L, "kind", "loss");
    set_text(L, "name", "loss");
    set_integer(L, "records", loss->records);
    set_integer(L, "bytes", loss->bytes);
    lua_pushboolean(L, loss->exact);
    lua_setfield(L, -2, "exact");
}

// The task that runs after the item, and the interrupt on top of it.
static void set_runs(lua_State *L, struct wf_model *m) {
    const struct wf_core *core = wf_model_core(m, wf_model_item_core(m));
    set_integer(L, "core", wf_model_item_core(m));
    if (core->known && core->task) set_text(L, "task", wf_task_name(m, core->task));
    if (core->irqs) set_integer(L, "irq", core->irq[core->irqs - 1]);
}

static void push_item(lua_State *L, const struct check_lane *c, const struct wf_item *item,
                      uint64_t tick) {
    lua_createtable(L, 0, 10);
    set_integer(L, "number", c->items);
    set_integer(L, "lane", c->number);
    set_time(L, c, tick);
    set_runs(L, c->functions->model);
    if (item->kind == WF_ITEM_RECORD) {
        set_record(L, c, &item->record);
    } else if (item->kind == WF_ITEM_LOSS) {
        set_loss(L, &item->loss);
    } else {
        set_text(L, "kind", "event");
        set_text(L, "name", "event");
        set_integer(L, "class", item->event->cls);
        set_integer(L, "event", item->event->event);
    }
}

// ---- calls

static const char *task_now(const struct functions *f) {
    const struct wf_core *core = wf_model_core(f->model, wf_model_item_core(f->model));
    return core->known && core->task ? wf_task_name(f->model, core->task) : NULL;
}

// Notes the sentence on top as a failure.
static int note_failure(struct check_lane *c, unsigned n, const char *text, uint64_t tick,
                        struct wf_error *error) {
    struct functions *f = c->functions;
    struct own_result *own = &f->own[n];
    const char *task = task_now(f);
    bool kept = own->result.kept < c->options.failures;
    struct wf_check_failure failure = {.from = tick,
                                       .to = tick,
                                       .core = wf_model_item_core(f->model),
                                       .record = c->items,
                                       .task = kept && task ? strdup(task) : NULL};
    if (kept && task && !failure.task) return wf_error_code(error, WF_ERR_NOMEM);
    if (own_fail(own, &failure, text, c->options.failures)) return WF_OK;
    free((void *)(uintptr_t)failure.task);
    return wf_error_code(error, WF_ERR_NOMEM);
}

// Calls one function with the table at index 1.
static int call(struct check_lane *c, struct script *s, unsigned n, unsigned index,
                const char *name, uint64_t tick, struct wf_error *error) {
    const struct check_rule *rule = c->functions->rules[n];
    if (rule->lane >= 0 && rule->lane != (int)c->number) return WF_OK;
    script_push_function(s, index, name);
    if (lua_isnil(s->L, -1)) return WF_OK;
    lua_pushvalue(s->L, 1);
    int err = script_call(s, 1, 1, error);
    if (err != WF_OK) return err;
    if (strcmp(name, "each") == 0) ++c->functions->own[n].result.count;
    if (!lua_toboolean(s->L, -1)) return WF_OK;
    if (lua_type(s->L, -1) != LUA_TSTRING)
        return wf_error_set(error, WF_ERR_USAGE,
                            "%.120s:%d: rule: returns a %s; nothing, or a sentence of what is "
                            "wrong",
                            rule->script, rule->line, luaL_typename(s->L, -1));
    return note_failure(c, n, lua_tostring(s->L, -1), tick, error);
}

// Calls all functions that have this name; item null: at the end.
static int call_all(struct check_lane *c, const char *name, const struct wf_item *item,
                    uint64_t tick, struct wf_error *error) {
    struct functions *f = c->functions;
    unsigned n = 0;
    for (unsigned i = 0; i < f->opened; ++i) {
        struct script *s = &f->scripts[i];
        if (!s->functions) continue;
        lua_settop(s->L, 0);
        if (item) {
            push_item(s->L, c, item, tick);
        } else {
            lua_createtable(s->L, 0, 3);
            set_text(s->L, "kind", "end");
            set_time(s->L, c, tick);
        }
        for (unsigned index = 0; index < s->functions; ++index, ++n) {
            int err = call(c, s, n, index, name, tick, error);
            if (err != WF_OK) return err;
            lua_settop(s->L, 1);
        }
    }
    return WF_OK;
}

int functions_take(struct check_lane *c, const struct wf_item *item, struct wf_error *error) {
    uint64_t tick;
    wf_model_take(c->functions->model, item);
    if (wf_model_error(c->functions->model) != WF_OK) return wf_error_code(error, WF_ERR_NOMEM);
    return lane_tick(c, item, &tick) ? call_all(c, "each", item, tick, error) : WF_OK;
}

int functions_end(struct check_lane *c, struct wf_error *error) {
    struct functions *f = c->functions;
    int err = call_all(c, "at_end", NULL, wf_model_tick(f->model), error);
    for (unsigned n = 0; n < f->count; ++n)
        own_end(&f->own[n], f->rules[n], c->holes, c->options.loss, "items");
    return err;
}

const struct wf_check_result *functions_result(const struct check_lane *c, unsigned index) {
    return &c->functions->own[index].result;
}

void functions_close(struct check_lane *c) {
    struct functions *f = c->functions;
    if (!f) return;
    for (unsigned i = 0; i < f->opened; ++i) script_close(&f->scripts[i]);
    for (unsigned n = 0; n < f->count; ++n) own_close(&f->own[n]);
    wf_model_close(f->model);
    free(f->scripts);
    free(f->own);
    free(f->rules);
    free(f);
}
