// SPDX-License-Identifier: MIT
// Filters of scripts: each call starts with an empty filter.

#include "filter.h"
#include "runner.h"

// ao_filter(object); "-object" or its negative address switches it off.
int verb_ao_filter(lua_State *L, struct runner *r) {
    const char *name = lua_type(L, 1) == LUA_TSTRING ? lua_tostring(L, 1) : NULL;
    struct wf_values v = {.off = name && *name == '-'};
    if (v.off) {
        lua_pushstring(L, name + 1);
        lua_replace(L, 1);
    }
    if (!value_of(L, r, 1, WF_EFFECT_NAME_OBJECT, 0, &v.value[0])) return 0;
    if (!name && (int64_t)v.value[0] < 0) {
        v.off = true;
        v.value[0] = 0 - v.value[0];
    }
    return send_acked(L, r, "ao-filter", &v);
}

// glb_filter(GRP_... or record, ...)
int verb_glb_filter(lua_State *L, struct runner *r) {
    const struct wf_target *t = wf_session_target(target_session(&r->target));
    uint8_t bits[WF_FILTER_BYTES] = {0};
    for (int i = 1; i <= lua_gettop(L); ++i) {
        luaL_argcheck(L, filter_records(bits, (long)luaL_checkinteger(L, i), t), i,
                      "GRP_... or a record number below 125 expected");
    }
    return send_acked(L, r, "filter", &(struct wf_values){.bytes = bits, .len = sizeof bits});
}

// loc_filter(IDS_... or QS-ID, ...)
int verb_loc_filter(lua_State *L, struct runner *r) {
    uint8_t bits[WF_FILTER_BYTES] = {0};
    for (int i = 1; i <= lua_gettop(L); ++i) {
        luaL_argcheck(L, filter_ids(bits, (long)luaL_checkinteger(L, i)), i,
                      "IDS_... or a QS-ID below 127 expected");
    }
    return send_acked(L, r, "local", &(struct wf_values){.bytes = bits, .len = sizeof bits});
}
