// SPDX-License-Identifier: MIT
// Commands of scripts to the target. Names are those of its dictionaries; numbers go as they are.

#include <string.h>

#include "runner.h"

int send_acked(lua_State *L, struct runner *r, uint8_t command, const struct payload *p) {
    char ack[64];
    int err = WF_ERR_USAGE;
    if (!p->too_long) err = target_send(&r->target, command, p->bytes, p->len);
    if (err)
        return fail(L, NULL, NULL, "%s cannot be sent: %s", wf_command_names[command],
                    p->too_long ? "it is too long" : wf_err_text(err));
    bool answers = command != WF_COMMAND_PEEK && command != WF_COMMAND_QUERY_CURR &&
                   command != WF_COMMAND_INFO && command != WF_COMMAND_RESET;
    snprintf(ack, sizeof ack, "           Trg-Ack  %s", wf_command_names[command]);
    if (answers) expect_line(L, r, ack);
    return 0;
}

// The value of an argument: a number, or a name of that dictionary. False after the test failed.
static bool value_of(lua_State *L, struct runner *r, int arg, enum wf_effect dict, uint64_t with,
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
    if (wf_find_key(target_session(&r->target), dict, name, with, value)) return true;
    fail(L, NULL, NULL, "the target has told of no %s named '%s'", what[dict], name);
    return false;
}

static const struct wf_target *sizes(const struct runner *r) {
    return wf_get_target(target_session(&r->target));
}

// command(name or id [, p1 [, p2 [, p3]]])
static int verb_command(lua_State *L, struct runner *r) {
    enum { COMMANDS = 7, ENUMS_SINCE = 714 };
    bool enums = sizes(r)->version >= ENUMS_SINCE;
    uint64_t id;
    uint32_t params[3];
    for (int i = 0; i < 3; ++i) params[i] = (uint32_t)luaL_optinteger(L, 2 + i, 0);
    if (!value_of(L, r, 1, enums ? WF_EFFECT_NAME_ENUM : WF_EFFECT_NAME_USER, COMMANDS, &id))
        return 0;
    struct payload p = encode_command((uint8_t)id, params);
    return send_acked(L, r, WF_COMMAND_COMMAND, &p);
}

static int send_event(lua_State *L, struct runner *r, uint8_t to, bool may_lack) {
    uint64_t sig = 0;
    size_t len;
    const char *params = luaL_optlstring(L, 2, "", &len);
    if (!may_lack || !lua_isnoneornil(L, 1)) {
        if (!value_of(L, r, 1, WF_EFFECT_NAME_SIGNAL, r->machine, &sig)) return 0;
    }
    struct payload p = encode_event(sizes(r), to, sig, params, len);
    return send_acked(L, r, WF_COMMAND_EVENT, &p);
}

enum { TO_ALL = 0, TO_CURRENT = 253, TO_INIT = 254, TO_DISPATCH = 255 };
static int verb_publish(lua_State *L, struct runner *r) { return send_event(L, r, TO_ALL, false); }
static int verb_post(lua_State *L, struct runner *r) { return send_event(L, r, TO_CURRENT, false); }
static int verb_dispatch(lua_State *L, struct runner *r) {
    return send_event(L, r, TO_DISPATCH, false);
}
static int verb_init(lua_State *L, struct runner *r) { return send_event(L, r, TO_INIT, true); }

enum { OBJ_SM, OBJ_AO, OBJ_MP, OBJ_EQ, OBJ_TE, OBJ_AP, OBJ_SM_AO, OBJ_EP };

// current_obj(kind, name or address)
static int verb_current_obj(lua_State *L, struct runner *r) {
    lua_Integer kind = luaL_checkinteger(L, 1);
    uint64_t object;
    luaL_argcheck(L, kind >= OBJ_SM && kind <= OBJ_EP, 1, "OBJ_... expected");
    if (!value_of(L, r, 2, WF_EFFECT_NAME_OBJECT, 0, &object)) return 0;
    if (kind == OBJ_SM || kind == OBJ_AO || kind == OBJ_SM_AO) r->machine = object;
    struct payload p = encode_object(sizes(r), (uint8_t)kind, object);
    return send_acked(L, r, WF_COMMAND_CURR_OBJ, &p);
}

static int verb_query_curr(lua_State *L, struct runner *r) {
    struct payload p = encode_byte((uint8_t)luaL_checkinteger(L, 1));
    return send_acked(L, r, WF_COMMAND_QUERY_CURR, &p);
}

// ao_filter(object); "-object" or its negative address switches it off.
static int verb_ao_filter(lua_State *L, struct runner *r) {
    uint64_t object;
    uint8_t remove = 0;
    const char *name = lua_type(L, 1) == LUA_TSTRING ? lua_tostring(L, 1) : NULL;
    if (name && *name == '-') {
        remove = 1;
        lua_pushstring(L, name + 1);
        lua_replace(L, 1);
    }
    if (!value_of(L, r, 1, WF_EFFECT_NAME_OBJECT, 0, &object)) return 0;
    if (!name && (int64_t)object < 0) {
        remove = 1;
        object = 0 - object;
    }
    struct payload p = encode_object(sizes(r), remove, object);
    return send_acked(L, r, WF_COMMAND_AO_FILTER, &p);
}

// glb_filter(GRP_... or record, ...)
static int verb_glb_filter(lua_State *L, struct runner *r) {
    uint8_t bits[FILTER_BYTES] = {0};
    for (int i = 1; i <= lua_gettop(L); ++i) {
        long value = (long)luaL_checkinteger(L, i);
        luaL_argcheck(L, filter_records(bits, value, sizes(r)->version), i,
                      "GRP_... or a record number below 125 expected");
    }
    struct payload p = encode_filter(bits);
    return send_acked(L, r, WF_COMMAND_GLB_FILTER, &p);
}

// loc_filter(IDS_... or QS-ID, ...)
static int verb_loc_filter(lua_State *L, struct runner *r) {
    uint8_t bits[FILTER_BYTES] = {0};
    for (int i = 1; i <= lua_gettop(L); ++i) {
        luaL_argcheck(L, filter_ids(bits, (long)luaL_checkinteger(L, i)), i,
                      "IDS_... or a QS-ID below 127 expected");
    }
    struct payload p = encode_filter(bits);
    return send_acked(L, r, WF_COMMAND_LOC_FILTER, &p);
}

// probe(function, data)
static int verb_probe(lua_State *L, struct runner *r) {
    uint32_t data = (uint32_t)luaL_checkinteger(L, 2);
    uint64_t function;
    if (!value_of(L, r, 1, WF_EFFECT_NAME_FUNCTION, 0, &function)) return 0;
    struct payload p = encode_probe(sizes(r), data, function);
    return send_acked(L, r, WF_COMMAND_TEST_PROBE, &p);
}

static int verb_tick(lua_State *L, struct runner *r) {
    struct payload p = encode_byte((uint8_t)luaL_optinteger(L, 1, 0));
    return send_acked(L, r, WF_COMMAND_TICK, &p);
}

static uint8_t item_size(lua_State *L, int arg) {
    lua_Integer size = luaL_checkinteger(L, arg);
    luaL_argcheck(L, size == 1 || size == 2 || size == 4, arg, "1, 2 or 4 bytes expected");
    return (uint8_t)size;
}

static uint16_t memory_offset(lua_State *L) {
    lua_Integer offset = luaL_checkinteger(L, 1);
    luaL_argcheck(L, offset >= 0 && offset <= UINT16_MAX, 1, "0 to 65535 expected");
    return (uint16_t)offset;
}

static uint8_t item_count(lua_State *L, int arg, lua_Integer num) {
    luaL_argcheck(L, num >= 1 && num <= UINT8_MAX, arg, "1 to 255 items expected");
    return (uint8_t)num;
}

// peek(offset, size, num)
static int verb_peek(lua_State *L, struct runner *r) {
    struct payload p = encode_memory(memory_offset(L), item_size(L, 2),
                                     item_count(L, 3, luaL_checkinteger(L, 3)), NULL, 0);
    return send_acked(L, r, WF_COMMAND_PEEK, &p);
}

// poke(offset, size, data)
static int verb_poke(lua_State *L, struct runner *r) {
    size_t len;
    const char *data = luaL_checklstring(L, 3, &len);
    uint8_t size = item_size(L, 2);
    luaL_argcheck(L, len % size == 0, 3, "its length is no multiple of the size");
    struct payload p = encode_memory(memory_offset(L), size,
                                     item_count(L, 3, (lua_Integer)(len / size)), data, len);
    return send_acked(L, r, WF_COMMAND_POKE, &p);
}

// fill(offset, size, num [, item])
static int verb_fill(lua_State *L, struct runner *r) {
    uint8_t size = item_size(L, 2), item[4];
    lua_Integer value = luaL_optinteger(L, 4, 0);
    for (unsigned i = 0; i < sizeof item; ++i) item[i] = (uint8_t)(value >> 8 * i);
    struct payload p = encode_memory(memory_offset(L), size,
                                     item_count(L, 3, luaL_checkinteger(L, 3)), item, size);
    return send_acked(L, r, WF_COMMAND_FILL, &p);
}

static int verb_continue_test(lua_State *L, struct runner *r) {
    const struct payload none = {.len = 0};
    return send_acked(L, r, WF_COMMAND_TEST_CONTINUE, &none);
}

const struct verb verbs_send[] = {
    {"command", verb_command, false},
    {"init", verb_init, false},
    {"dispatch", verb_dispatch, false},
    {"post", verb_post, false},
    {"publish", verb_publish, false},
    {"current_obj", verb_current_obj, false},
    {"query_curr", verb_query_curr, false},
    {"glb_filter", verb_glb_filter, false},
    {"loc_filter", verb_loc_filter, false},
    {"ao_filter", verb_ao_filter, false},
    {"probe", verb_probe, false},
    {"tick", verb_tick, false},
    {"peek", verb_peek, false},
    {"poke", verb_poke, false},
    {"fill", verb_fill, false},
    {"continue_test", verb_continue_test, false},
    {NULL, NULL, false},
};

#define CONSTANT(name)                                                                             \
    { #name, name }
const struct constant constants[] = {
    CONSTANT(NORESET),      CONSTANT(SCREEN),           CONSTANT(TRACE),
    CONSTANT(OBJ_SM),       CONSTANT(OBJ_AO),           CONSTANT(OBJ_MP),
    CONSTANT(OBJ_EQ),       CONSTANT(OBJ_TE),           CONSTANT(OBJ_AP),
    CONSTANT(OBJ_EP),       CONSTANT(GRP_ALL),          CONSTANT(GRP_SM),
    CONSTANT(GRP_AO),       CONSTANT(GRP_EQ),           CONSTANT(GRP_MP),
    CONSTANT(GRP_TE),       CONSTANT(GRP_QF),           CONSTANT(GRP_SC),
    CONSTANT(GRP_SEM),      CONSTANT(GRP_MTX),          CONSTANT(GRP_U0),
    CONSTANT(GRP_UA),       CONSTANT(IDS_ALL),          CONSTANT(IDS_AO),
    CONSTANT(IDS_EP),       CONSTANT(IDS_EQ),           CONSTANT(IDS_AP),
    CONSTANT(OBJ_SM_AO),    {"GRP_U1", GRP_U0 + 1},     {"GRP_U2", GRP_U0 + 2},
    {"GRP_U3", GRP_U0 + 3}, {"GRP_U4", GRP_U4},         {"GRP_ON", GRP_ALL},
    {"GRP_OFF", -GRP_ALL},  {"QS_USER", WF_USER_FIRST}, {NULL, 0},
};
