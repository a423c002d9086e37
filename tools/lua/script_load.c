// SPDX-License-Identifier: MIT
#include "script_load.h"

#include <stdio.h>
#include <string.h>

#include "wallfly_backend/wf_input.h"

int script_load(lua_State *L, const char *path, const char *mode) {
    static const char mark[] = "\xEF\xBB\xBF"; // of UTF-8
    struct wf_input input;
    struct wf_error error;
    if (wf_input_open(path, &input, &error) != WF_OK) {
        lua_pushfstring(L, "cannot open %s", error.text);
        return LUA_ERRFILE;
    }
    const char *text = input.len ? (const char *)input.bytes : "", *end = text + input.len;
    if (input.len >= sizeof mark - 1 && memcmp(text, mark, sizeof mark - 1) == 0)
        text += sizeof mark - 1;
    if (text < end && *text == '#') { // a line for a shell; it is counted
        const char *line_end = memchr(text, '\n', (size_t)(end - text));
        text = line_end ? line_end : end;
    }
    const char *name = lua_pushfstring(L, "@%s", path);
    int err = luaL_loadbufferx(L, text, (size_t)(end - text), name, mode);
    lua_remove(L, -2);
    wf_input_close(&input);
    return err;
}

void script_path(const char *from, const char *name, char path[SCRIPT_PATH_MAX]) {
    const char *slash = strrchr(from, '/');
    int folder = slash && *name != '/' ? (int)(slash + 1 - from) : 0;
    snprintf(path, SCRIPT_PATH_MAX, "%.*s%s", folder, from, name);
}
