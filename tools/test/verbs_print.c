// SPDX-License-Identifier: MIT
// Output of a script: Lua's print() and warn(), whose texts may come from a target.

#include <stdlib.h>
#include <string.h>

#include "../cmd.h"
#include "runner.h"

// print(...): prints its values as a note, separated by tabs.
int verb_print(lua_State *L, struct runner *r) {
    luaL_Buffer text;
    int count = lua_gettop(L);
    size_t len;
    luaL_buffinit(L, &text);
    for (int i = 1; i <= count; ++i) {
        if (i > 1) luaL_addchar(&text, '\t');
        luaL_tolstring(L, i, NULL);
        luaL_addvalue(&text);
    }
    luaL_addchar(&text, '\n');
    luaL_pushresult(&text);
    const char *lines = lua_tolstring(L, -1, &len);
    report_note(&r->report, lines, len);
    return 0;
}

// Like Lua's own warning function, but escapes the text. Must not call Lua.
static void on_warning(void *ctx, const char *text, int more) {
    struct runner *r = ctx;
    if (!r->warning && !more && *text == '@') {
        if (strcmp(text, "@on") == 0) r->warns = true;
        if (strcmp(text, "@off") == 0) r->warns = false;
        return;
    }
    if (!r->warns) return;
    size_t have = r->warning ? strlen(r->warning) : 0, len = strlen(text);
    char *longer = realloc(r->warning, have + len + 1);
    if (!longer) return;
    r->warning = longer;
    memcpy(longer + have, text, len + 1);
    if (more) return;
    diag_note("%s: warning: %s", r->script, longer);
    free(r->warning);
    r->warning = NULL;
}

void warnings_set(lua_State *L, struct runner *r) {
    r->warns = false;
    free(r->warning);
    r->warning = NULL;
    lua_setwarnf(L, on_warning, r);
}
