// SPDX-License-Identifier: MIT
// SQL that makes the tables of a project (wf_fleet.h) in ClickHouse, one statement at a time:
//
//   for (n = 0; wf_fleet_sql(project, false, n, &sql); ++n)
//       if the engine has sql.setting: send sql.text
//
// The first statements are for any engine from 18.16 on. The others need a setting that newer ones
// have: codecs, TTL, deduplication by tokens, fsync. All can be run again: a table that is there
// keeps its rows.
#ifndef WF_FLEET_SQL_H
#define WF_FLEET_SQL_H

#include "wf_fleet.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WF_FLEET_SQL_MAX = 4096, WF_FLEET_PROJECT_MAX = 64, WF_FLEET_DEVICE_MAX = 64 };

struct wf_fleet_sql {
    const char *feature;         // what it is for, in a few words; null: any engine takes it
    const char *of;              // table of the engine with its settings
    const char *setting;         // its row in that table
    char text[WF_FLEET_SQL_MAX]; // one statement, without an end
};

// A project is a database of the engine: a letter or _, then letters, digits and _, at most
// WF_FLEET_PROJECT_MAX of them.
bool wf_fleet_is_project(const char *name);

// A device has at most WF_FLEET_DEVICE_MAX letters, digits and . _ -, and is not . or ..:
// names are parts of addresses and of paths.
bool wf_fleet_is_device(const char *name);
// Writes a text as a literal of SQL. Returns its length without the terminator; if that is not less
// than `cap`, it was cut off.
size_t wf_fleet_quote(const char *text, char *to, size_t cap);

// Returns false if there is no statement of this number. replicated: for one of several servers
// that have the same rows; they share a ZooKeeper or Keeper, and their configurations have the
// macros shard and replica.
bool wf_fleet_sql(const char *project, bool replicated, unsigned number, struct wf_fleet_sql *sql);
// The same for what permits commands to devices: the table wf_fleet_command_table.
bool wf_fleet_sql_commands(const char *project, bool replicated, unsigned number,
                           struct wf_fleet_sql *sql);

#ifdef __cplusplus
}
#endif
#endif
