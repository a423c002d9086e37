// SPDX-License-Identifier: MIT
// Commands of scripts to the target. Names are looked up in its dictionaries; numbers are sent as
// given.

#include <string.h>

#include "filter.h"
#include "runner.h"

int send_acked(lua_State *L, struct runner *r, const char *command, const struct wf_values *v) {
    static const struct wf_values none = {.len = 0};
    const struct wf_command_row *row = wf_command_find(command);
    const char *name = wf_command_names[row->record];
    struct wf_request request;
    struct wf_frame *f = &request.frame[0];
    char ack[64];
    if (wf_command_from(r->target.commander, row, v ? v : &none, &request) != WF_MADE)
        return fail(L, NULL, NULL, "%s cannot be sent: %s", name, request.problem);
    int err = target_send(&r->target, f->record, f->payload, f->len);
    if (err) return fail(L, NULL, NULL, "%s cannot be sent: %s", name, wf_err_text(err));
    bool answers = f->record != WF_COMMAND_PEEK && f->record != WF_COMMAND_QUERY_CURR &&
                   f->record != WF_COMMAND_INFO && f->record != WF_COMMAND_RESET;
    snprintf(ack, sizeof ack, "           Trg-Ack  %s", name);
    if (answers) expect_line(L, r, ack);
    return 0;
}

bool value_of(lua_State *L, struct runner *r, int arg, enum wf_effect dict, uint64_t with,
              uint64_t *value) {
    static const char *const what[] = {[WF_EFFECT_NAME_OBJECT] = "object",
                                       [WF_EFFECT_NAME_FUNCTION] = "function",
                                       [WF_EFFECT_NAME_USER] = "application record",
                                       [WF_EFFECT_NAME_SIGNAL] = "signal",
                                       [WF_EFFECT_NAME_ENUM] =
                                           "command (enumeration value of group 7)"};
    if (lua_type(L, arg) != LUA_TSTRING) {
        *value = (uint64_t)luaL_checkinteger(L, arg);
        return true;
    }
    const char *name = lua_tostring(L, arg);
    if (wf_session_find_key(target_session(&r->target), dict, name, with, value)) return true;
    fail(L, NULL, NULL, "the target has announced no %s named '%s'", what[dict], name);
    return false;
}

// command(name or id [, p1 [, p2 [, p3]]])
int verb_command(lua_State *L, struct runner *r) {
    enum { COMMANDS = 7, ENUMS_SINCE = 714 };
    bool enums = wf_session_target(target_session(&r->target))->version >= ENUMS_SINCE;
    enum wf_effect dict = enums ? WF_EFFECT_NAME_ENUM : WF_EFFECT_NAME_USER;
    struct wf_values v = {.len = 0};
    for (int i = 1; i <= 3; ++i) v.value[i] = (uint64_t)luaL_optinteger(L, 1 + i, 0);
    if (!value_of(L, r, 1, dict, COMMANDS, &v.value[0])) return 0;
    return send_acked(L, r, "command", &v);
}

static int send_event(lua_State *L, struct runner *r, const char *command, bool may_lack) {
    struct wf_values v = {.len = 0};
    v.bytes = luaL_optlstring(L, 2, "", &v.len);
    bool lacks = may_lack && lua_isnoneornil(L, 1);
    if (!lacks && !value_of(L, r, 1, WF_EFFECT_NAME_SIGNAL, r->machine, &v.value[0])) return 0;
    return send_acked(L, r, command, &v);
}

int verb_publish(lua_State *L, struct runner *r) { return send_event(L, r, "publish", false); }
int verb_post(lua_State *L, struct runner *r) { return send_event(L, r, "post", false); }
int verb_dispatch(lua_State *L, struct runner *r) { return send_event(L, r, "dispatch", false); }
int verb_init(lua_State *L, struct runner *r) { return send_event(L, r, "init", true); }

enum { OBJ_SM, OBJ_AO, OBJ_MP, OBJ_EQ, OBJ_TE, OBJ_AP, OBJ_SM_AO, OBJ_EP };

// current_obj(kind, name or address)
int verb_current_obj(lua_State *L, struct runner *r) {
    lua_Integer kind = luaL_checkinteger(L, 1);
    uint64_t object;
    luaL_argcheck(L, kind >= OBJ_SM && kind <= OBJ_EP, 1, "OBJ_... expected");
    if (!value_of(L, r, 2, WF_EFFECT_NAME_OBJECT, 0, &object)) return 0;
    if (kind == OBJ_SM || kind == OBJ_AO || kind == OBJ_SM_AO) r->machine = object;
    return send_acked(L, r, "current", &(struct wf_values){.value = {(uint64_t)kind, object}});
}

int verb_query_curr(lua_State *L, struct runner *r) {
    const struct wf_values v = {.value = {(uint64_t)luaL_checkinteger(L, 1)}};
    return send_acked(L, r, "query", &v);
}

// probe(function, data)
int verb_probe(lua_State *L, struct runner *r) {
    struct wf_values v = {.value = {0, (uint64_t)luaL_checkinteger(L, 2)}};
    if (!value_of(L, r, 1, WF_EFFECT_NAME_FUNCTION, 0, &v.value[0])) return 0;
    return send_acked(L, r, "test-probe", &v);
}

int verb_tick(lua_State *L, struct runner *r) {
    const struct wf_values v = {.value = {(uint64_t)luaL_optinteger(L, 1, 0)}};
    return send_acked(L, r, "tick", &v);
}

// Reads the first two arguments: offset and size of an item.
static struct wf_values memory(lua_State *L) {
    lua_Integer offset = luaL_checkinteger(L, 1), size = luaL_checkinteger(L, 2);
    luaL_argcheck(L, offset >= 0 && offset <= UINT16_MAX, 1, "0 to 65535 expected");
    luaL_argcheck(L, size == 1 || size == 2 || size == 4, 2, "1, 2 or 4 bytes expected");
    return (struct wf_values){.value = {(uint64_t)offset, (uint64_t)size}};
}

static uint64_t item_count(lua_State *L, lua_Integer num) {
    luaL_argcheck(L, num >= 1 && num <= UINT8_MAX, 3, "1 to 255 items expected");
    return (uint64_t)num;
}

// peek(offset, size, num)
int verb_peek(lua_State *L, struct runner *r) {
    struct wf_values v = memory(L);
    v.value[2] = item_count(L, luaL_checkinteger(L, 3));
    return send_acked(L, r, "peek", &v);
}

// poke(offset, size, data)
int verb_poke(lua_State *L, struct runner *r) {
    struct wf_values v = memory(L);
    v.bytes = luaL_checklstring(L, 3, &v.len);
    luaL_argcheck(L, v.len % v.value[1] == 0, 3, "its length is no multiple of the size");
    item_count(L, (lua_Integer)(v.len / v.value[1]));
    return send_acked(L, r, "poke", &v);
}

// fill(offset, size, num [, item])
int verb_fill(lua_State *L, struct runner *r) {
    struct wf_values v = memory(L);
    v.value[2] = item_count(L, luaL_checkinteger(L, 3));
    v.value[3] = (uint64_t)luaL_optinteger(L, 4, 0);
    return send_acked(L, r, "fill", &v);
}

int verb_continue_test(lua_State *L, struct runner *r) {
    return send_acked(L, r, "continue", NULL);
}

// clang-format off
#define CONSTANTS(C) \
    C(NORESET) C(SCREEN) C(TRACE) \
    C(OBJ_SM) C(OBJ_AO) C(OBJ_MP) C(OBJ_EQ) C(OBJ_TE) C(OBJ_AP) C(OBJ_EP) C(OBJ_SM_AO)
// clang-format on
const struct constant constants[] = {
#define C(name) {#name, name},
    CONSTANTS(C)
#undef C
        {"GRP_ALL", WF_GROUP_CODE_ALL},
    {"GRP_ON", WF_GROUP_CODE_ALL},
    {"GRP_OFF", -WF_GROUP_CODE_ALL},
#define WF_X(name, ...) {"GRP_" #name, GRP_##name},
    WF_QP_GROUPS(WF_X)   // GRP_SM ...
    WF_USER_GROUPS(WF_X) // GRP_U0 ...
#undef WF_X
    {"IDS_ALL", WF_GROUP_CODE_ALL},
#define WF_X(name, qp_name, ...) {"IDS_" #qp_name, IDS_##qp_name},
    WF_ID_GROUPS(WF_X) // IDS_AO ...
#undef WF_X
    {"QS_USER", WF_USER_FIRST},
    {NULL, 0},
};
