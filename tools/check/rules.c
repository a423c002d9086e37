// SPDX-License-Identifier: MIT
// The list of rules, and what they point to.

#include "rules.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../term/diag.h"
#include "wallfly_host/wf_err.h"
#include "wallfly_server/query_temporary.h"

struct text_block {
    struct text_block *next;
    max_align_t room[];
};

void *rules_room(struct check_rules *r, size_t size) {
    struct text_block *b = calloc(1, sizeof *b + size);
    if (!b) return NULL;
    b->next = r->texts;
    r->texts = b;
    return b->room;
}

const char *rules_text(struct check_rules *r, const char *text) {
    size_t len = strlen(text) + 1;
    char *copy = rules_room(r, len);
    return copy ? memcpy(copy, text, len) : NULL;
}

bool rules_add(struct check_rules *r, const struct check_rule *rule) {
    struct check_rule **list = realloc(r->list, (r->count + 1) * sizeof *list);
    if (list) r->list = list;
    struct check_rule *copy = list ? rules_room(r, sizeof *copy) : NULL;
    if (!copy) return false;
    *copy = *rule;
    r->list[r->count++] = copy;
    r->functions += rule->form == CHECK_FUNCTION;
    r->queries += rule->form == CHECK_SQL;
    return true;
}

static void on_over(lua_State *L, void *ctx) {
    (void)ctx;
    luaL_where(L, 0);
    lua_pushstring(L, "took longer than --limit allows");
    lua_concat(L, 2);
    lua_error(L);
}

// The script blocks the other thread for ever.
static void on_stuck(void *ctx) {
    const struct check_rules *r = ctx;
    diag_error(2, "%s: took longer than --limit allows, in a function that does not return",
               r->now ? r->now : "script");
    query_temporaries_remove();
    fflush(NULL);
    _exit(2);
}

struct check_rules *check_rules_open(double limit_s) {
    static const volatile sig_atomic_t never;
    struct check_rules *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    r->limit_s = limit_s;
    r->bounds = (struct bounds){.ctx = r,
                                .stopped = &never,
                                .deadline = &r->deadline,
                                .over = on_over,
                                .give_up = on_stuck};
    if (bounds_open(&r->bounds)) return r;
    free(r);
    return NULL;
}

void check_rules_close(struct check_rules *r) {
    if (!r) return;
    bounds_close(&r->bounds);
    for (struct text_block *b; (b = r->texts) != NULL;) {
        r->texts = b->next;
        free(b);
    }
    free(r->list);
    free(r->scripts);
    free(r->script_functions);
    free(r);
}

int check_load(struct check_rules *r, const char *file, struct wf_error *error) {
    struct script s;
    const char **scripts = realloc(r->scripts, (r->script_count + 1) * sizeof *scripts);
    if (scripts) r->scripts = scripts;
    unsigned *functions = realloc(r->script_functions, (r->script_count + 1) * sizeof *functions);
    if (functions) r->script_functions = functions;
    const char *name = scripts && functions ? rules_text(r, file) : NULL;
    if (!name) return wf_error_code(error, WF_ERR_NOMEM);
    int err = script_open(&s, r, name, true, error);
    script_close(&s);
    r->script_functions[r->script_count] = s.functions;
    if (err == WF_OK) r->scripts[r->script_count++] = name;
    return err;
}

unsigned check_rule_count(const struct check_rules *r) { return r->count; }

const struct check_rule *check_rule_at(const struct check_rules *r, unsigned index) {
    return r->list[index];
}
