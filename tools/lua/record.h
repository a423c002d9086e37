// SPDX-License-Identifier: MIT
// Parts of a record as tables of a script.
#ifndef LUA_RECORD_H
#define LUA_RECORD_H

#include <lua.h>

#include "wallfly_host/wf_session.h"

// The record's own name, or that of its number. Records here have a row.
const char *record_name(const struct wf_session *s, const struct wf_record *rec);
// Set members of the table on top: `fields`, the values by their names, and `names`, those of them
// that have one in a dictionary; `values`, the elements of an application record.
void record_push_fields(lua_State *L, struct wf_session *s, const struct wf_record *rec);
void record_push_values(lua_State *L, struct wf_session *s, const struct wf_record *rec);

#endif
