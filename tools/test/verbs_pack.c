// SPDX-License-Identifier: MIT
// pack_le: Python's struct.pack with "<", as used by scripts for qutest.py. Lua's own pack uses the
// sizes of the computer's C compiler where Python's are fixed: L is 8 bytes in Lua and 4 in Python.

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "runner.h"

enum { COUNT_MAX = 1024 };

static const struct code {
    char name;
    uint8_t bytes;
    bool is_signed;
} codes[] = {
    {'b', 1, true},  {'B', 1, false}, {'h', 2, true},  {'H', 2, false}, {'i', 4, true},
    {'I', 4, false}, {'l', 4, true},  {'L', 4, false}, {'q', 8, true},  {'Q', 8, false},
};

struct packing {
    lua_State *L;
    luaL_Buffer out;
    int argument; // of the next value
};

static void put_bytes(struct packing *p, uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i) luaL_addchar(&p->out, (char)(value >> 8 * i));
}

static void put_integer(struct packing *p, const struct code *c) {
    lua_Integer value = luaL_checkinteger(p->L, p->argument);
    if (c->bytes < 8) {
        int64_t top = INT64_C(1) << (8 * c->bytes - c->is_signed), low = c->is_signed ? -top : 0;
        if (value < low || value >= top)
            luaL_error(p->L, "pack_le: %I does not fit %c", value, c->name);
    }
    put_bytes(p, (uint64_t)value, c->bytes);
}

static void put_float(struct packing *p) {
    double given = luaL_checknumber(p->L, p->argument);
    float value = (float)given;
    uint32_t bits;
    if (isinf(value) && !isinf(given)) luaL_error(p->L, "pack_le: %f does not fit f", given);
    memcpy(&bits, &value, sizeof bits);
    put_bytes(p, bits, 4);
}

static void put_double(struct packing *p) {
    double value = luaL_checknumber(p->L, p->argument);
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_bytes(p, bits, 8);
}

// As in Python, zero is false.
static void put_truth(struct packing *p) {
    bool zero = lua_type(p->L, p->argument) == LUA_TNUMBER && lua_tonumber(p->L, p->argument) == 0;
    luaL_addchar(&p->out, (char)(!zero && lua_toboolean(p->L, p->argument)));
}

// Cuts a text, or fills it with zeros.
static void put_text(struct packing *p, size_t room) {
    size_t len;
    const char *text = luaL_checklstring(p->L, p->argument, &len);
    for (size_t i = 0; i < room; ++i) luaL_addchar(&p->out, i < len ? text[i] : 0);
}

static void put_value(struct packing *p, char name) {
    if (name == 'x') {
        luaL_addchar(&p->out, 0);
        return;
    }
    ++p->argument;
    for (unsigned i = 0; i < sizeof codes / sizeof *codes; ++i) {
        if (codes[i].name != name) continue;
        put_integer(p, &codes[i]);
        return;
    }
    switch (name) {
    case 'f': put_float(p); break;
    case 'd': put_double(p); break;
    case '?': put_truth(p); break;
    case 'c':
        if (luaL_len(p->L, p->argument) != 1)
            luaL_error(p->L, "pack_le: c takes a text of one character");
        put_text(p, 1);
        break;
    default: luaL_error(p->L, "pack_le: '%c' is none of bBhHiIlLqQfd?csx", name);
    }
}

// A count precedes the value that it repeats; for s it is the length.
static const char *put_field(struct packing *p, const char *format) {
    size_t count = isdigit((unsigned char)*format) ? 0 : 1;
    for (; isdigit((unsigned char)*format); ++format) {
        count = 10 * count + (size_t)(*format - '0');
        if (count > COUNT_MAX) luaL_error(p->L, "pack_le: a count is %d at most", COUNT_MAX);
    }
    if (*format == 's') {
        ++p->argument;
        put_text(p, count);
    } else if (*format) {
        while (count--) put_value(p, *format);
    } else {
        luaL_error(p->L, "pack_le: no format letter follows the last count");
    }
    return format + 1;
}

int verb_pack_le(lua_State *L, struct runner *r) {
    const char *format = luaL_checkstring(L, 1);
    struct packing p = {.L = L, .argument = 1};
    int given = lua_gettop(L);
    (void)r;
    luaL_buffinit(L, &p.out);
    if (*format == '<') ++format;
    while (*format) {
        if (isspace((unsigned char)*format))
            ++format;
        else
            format = put_field(&p, format);
    }
    if (p.argument != given)
        return luaL_error(L, "pack_le: the format takes %d values, there are %d", p.argument - 1,
                          given - 1);
    luaL_pushresult(&p.out);
    return 1;
}
