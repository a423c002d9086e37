// SPDX-License-Identifier: MIT
#include "wallfly_host/wf_fleet_sql.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Blocks whose tokens the engine remembers: a retry within so many inserts adds nothing.
enum { TOKENS = 10000 };

static const char merge_tree[] = "system.merge_tree_settings";

// What engines beyond 18.16 can do with a table.
static void put_codecs(struct wf_fleet_sql *sql, enum wf_fleet_table_number t);
static void put_days(struct wf_fleet_sql *sql, enum wf_fleet_table_number t);
static void put_tokens(struct wf_fleet_sql *sql, enum wf_fleet_table_number t);
static void put_fsync(struct wf_fleet_sql *sql, enum wf_fleet_table_number t);

static const struct modern {
    // Puts the end of ALTER TABLE; nothing: the table needs none.
    void (*put)(struct wf_fleet_sql *sql, enum wf_fleet_table_number t);
    const char *feature, *of, *setting;
} modern[] = {
    {put_codecs, "codecs of columns", "system.settings", "allow_suspicious_codecs"},
    {put_days, "expiry of rows", merge_tree, "merge_with_ttl_timeout"},
    {put_tokens, "tokens of inserts", merge_tree, "non_replicated_deduplication_window"},
    {put_fsync, "fsync of segments", merge_tree, "fsync_after_insert"},
};
enum { MODERN = sizeof modern / sizeof *modern };

// Columns that differ little from row to row, repeat, or have many bytes; the others have the
// engine's codec. At level 5 `args` takes less than half the bytes of level 3, in as much time.
static const struct codec {
    enum wf_fleet_table_number table;
    const char *column, *codec;
} codecs[] = {
    {WF_FLEET_TABLE_SEGMENT, "at_begin", "ZSTD(3)"},
    {WF_FLEET_TABLE_SEGMENT, "bytes", "ZSTD(3)"},
    {WF_FLEET_TABLE_RECORD, "device", "ZSTD(3)"},
    {WF_FLEET_TABLE_RECORD, "stream", "ZSTD(1)"},
    {WF_FLEET_TABLE_RECORD, "number", "DoubleDelta, ZSTD(1)"},
    {WF_FLEET_TABLE_RECORD, "ns", "Delta, ZSTD(3)"},
    {WF_FLEET_TABLE_RECORD, "second", "DoubleDelta, ZSTD(1)"},
    {WF_FLEET_TABLE_RECORD, "id", "ZSTD(3)"},
    {WF_FLEET_TABLE_RECORD, "name", "ZSTD(3)"},
    {WF_FLEET_TABLE_RECORD, "who", "ZSTD(3)"},
    {WF_FLEET_TABLE_RECORD, "what", "ZSTD(3)"},
    {WF_FLEET_TABLE_RECORD, "signal", "ZSTD(3)"},
    {WF_FLEET_TABLE_RECORD, "state", "ZSTD(3)"},
    {WF_FLEET_TABLE_RECORD, "text", "ZSTD(1)"},
    {WF_FLEET_TABLE_RECORD, "args", "ZSTD(5)"},
    {WF_FLEET_TABLE_RECORD, "flags", "ZSTD(1)"},
};

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS  "0123456789"

static bool is_name(const char *name, const char *letters, size_t most) {
    size_t len = strlen(name);
    return len >= 1 && len <= most && strspn(name, letters) == len;
}

bool wf_fleet_is_project(const char *name) {
    return is_name(name, "_" LETTERS DIGITS, WF_FLEET_PROJECT_MAX) && !strchr(DIGITS, name[0]);
}

bool wf_fleet_is_device(const char *name) {
    const bool is_step = strcmp(name, ".") == 0 || strcmp(name, "..") == 0; // of an address
    return !is_step && is_name(name, "._-" LETTERS DIGITS, WF_FLEET_DEVICE_MAX);
}

size_t wf_fleet_quote(const char *text, char *to, size_t cap) {
    size_t len = 0;
    for (size_t i = 0, end = strlen(text) + 1; i <= end; ++i) {
        const char c = i == 0 || i == end ? '\'' : text[i - 1];
        if (i > 0 && i < end && strchr("'\\", c)) {
            if (len + 1 < cap) to[len] = '\\';
            ++len;
        }
        if (len + 1 < cap) to[len] = c;
        ++len;
    }
    if (cap) to[len < cap ? len : cap - 1] = 0;
    return len;
}

// All texts are of this file, of the tables of columns, and a project: they fit.
static void put(struct wf_fleet_sql *sql, const char *format, ...) {
    size_t at = strlen(sql->text);
    va_list list;
    va_start(list, format);
    vsnprintf(sql->text + at, sizeof sql->text - at, format, list);
    va_end(list);
}

static const char *type_name(const struct wf_fleet_column *c) {
    return wf_fleet_types[c->type].name;
}

static const struct wf_fleet_column *find_column(const struct wf_fleet_table *table,
                                                 const char *name) {
    for (unsigned i = 0; i < table->count; ++i) {
        if (strcmp(table->columns[i].name, name) == 0) return &table->columns[i];
    }
    return NULL;
}

// Of rows with the same key the longer one stays, that of a segment which was sent again, longer;
// or the later one. Of commands all stay.
static void put_engine(struct wf_fleet_sql *sql, const char *project,
                       const struct wf_fleet_table *table, bool replicated) {
    static const char *const stays[] = {"revision", "length", "changed", NULL};
    unsigned by = 0;
    while (stays[by] && !find_column(table, stays[by])) ++by;
    const char *column = stays[by] ? stays[by] : "";
    const char *replacing = table == &wf_fleet_command_table ? "" : "Replacing";
    if (replicated)
        put(sql, "Replicated%sMergeTree('/clickhouse/tables/{shard}/%s/%s', '{replica}'%s%s)",
            replacing, project, table->name, *column ? ", " : "", column);
    else
        put(sql, "%sMergeTree%s%s%s", replacing, *column ? "(" : "", column, *column ? ")" : "");
}

static void put_table(struct wf_fleet_sql *sql, const char *project, bool replicated,
                      const struct wf_fleet_table *table) {
    put(sql, "CREATE TABLE IF NOT EXISTS %s.%s (", project, table->name);
    for (unsigned i = 0; i < table->count; ++i)
        put(sql, "%s`%s` %s", i ? ", " : "", table->columns[i].name, type_name(&table->columns[i]));
    put(sql, ") ENGINE = ");
    put_engine(sql, project, table, replicated);
    put(sql, "%s ORDER BY (%s)", table->days ? " PARTITION BY day" : "", table->key);
    // A segment has up to hundreds of KB: a mark for each two, or its neighbours are unpacked to
    // read it.
    if (table == &wf_fleet_tables[WF_FLEET_TABLE_SEGMENT])
        put(sql, " SETTINGS index_granularity = 2");
}

static void put_codecs(struct wf_fleet_sql *sql, enum wf_fleet_table_number t) {
    const char *between = "";
    for (unsigned i = 0; i < sizeof codecs / sizeof *codecs; ++i) {
        if (codecs[i].table != t) continue;
        put(sql, "%s MODIFY COLUMN `%s` %s CODEC(%s)", between, codecs[i].column,
            type_name(find_column(&wf_fleet_tables[t], codecs[i].column)), codecs[i].codec);
        between = ",";
    }
}

static void put_days(struct wf_fleet_sql *sql, enum wf_fleet_table_number t) {
    if (wf_fleet_tables[t].days)
        put(sql, " MODIFY TTL day + INTERVAL %u DAY", wf_fleet_tables[t].days);
}

static void put_tokens(struct wf_fleet_sql *sql, enum wf_fleet_table_number t) {
    (void)t;
    put(sql, " MODIFY SETTING non_replicated_deduplication_window = %d", TOKENS);
}

// The other tables can be made again from segments.
static void put_fsync(struct wf_fleet_sql *sql, enum wf_fleet_table_number t) {
    if (t == WF_FLEET_TABLE_SEGMENT)
        put(sql, " MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1");
}

// Returns false if an engine needs no such statement for the table.
static bool put_modern(struct wf_fleet_sql *sql, const char *project, const struct modern *m,
                       enum wf_fleet_table_number t) {
    *sql = (struct wf_fleet_sql){.feature = m->feature, .of = m->of, .setting = m->setting};
    put(sql, "ALTER TABLE %s.%s", project, wf_fleet_tables[t].name);
    size_t len = strlen(sql->text);
    m->put(sql, t);
    return sql->text[len] != 0;
}

bool wf_fleet_sql(const char *project, bool replicated, unsigned number, struct wf_fleet_sql *sql) {
    *sql = (struct wf_fleet_sql){0};
    if (number == 0) {
        put(sql, "CREATE DATABASE IF NOT EXISTS %s", project);
        return true;
    }
    if (number <= WF_FLEET_TABLE_END) {
        put_table(sql, project, replicated, &wf_fleet_tables[number - 1]);
        return true;
    }
    number -= 1 + WF_FLEET_TABLE_END;
    for (unsigned i = 0; i < MODERN * WF_FLEET_TABLE_END; ++i) {
        enum wf_fleet_table_number t = (enum wf_fleet_table_number)(i % WF_FLEET_TABLE_END);
        if (put_modern(sql, project, &modern[i / WF_FLEET_TABLE_END], t) && number-- == 0)
            return true;
    }
    return false;
}

// Where the engine knows who inserts, nobody can set it.
bool wf_fleet_sql_commands(const char *project, bool replicated, unsigned number,
                           struct wf_fleet_sql *sql) {
    *sql = (struct wf_fleet_sql){0};
    if (number == 0) put_table(sql, project, replicated, &wf_fleet_command_table);
    if (number != 1) return number == 0;
    sql->feature = "who sends a command, by the engine";
    sql->of = "system.functions";
    sql->setting = "currentUser";
    put(sql, "ALTER TABLE %s.%s MODIFY COLUMN `user` String MATERIALIZED currentUser()", project,
        wf_fleet_command_table.name);
    return true;
}
