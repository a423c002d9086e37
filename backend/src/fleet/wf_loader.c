// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "wallfly_host/wf_fleet_sql.h"
#include "wfb_loader.h"
#include "wfb_options.h"

enum { BATCH_BYTES = 32 << 20, BATCH_ROWS = 300000, SQL_MAX = 1024 };

// ---- errors

int wfb_loader_fail(struct wf_loader *l, const struct wf_error *error) {
    if (l->error.code == WF_OK) l->error = *error;
    return error->code;
}

int wfb_loader_error(const struct wf_loader *l, struct wf_error *error) {
    *error = l->error;
    return l->error.code;
}

// ---- the engine

static int ask(struct wf_loader *l, const char *sql, struct wf_error *error) {
    return wf_engine_run(l->o.engine, &(struct wf_statement){.sql = sql}, error);
}

static int ask_setting(struct wf_loader *l, const char *name, bool *has, struct wf_error *error) {
    char sql[SQL_MAX];
    snprintf(sql, sizeof sql, "SELECT count() FROM system.settings WHERE name = '%s'", name);
    int err = ask(l, sql, error);
    *has = err == WF_OK && strcmp(wf_engine_answer(l->o.engine, NULL), "0") != 0;
    return err;
}

// A retry has the same bytes, so it has the same token, and the engine drops it at once.
static void set_settings(const struct wf_loader *l, uint64_t token, char settings[128]) {
    settings[0] = 0;
    if (l->has_partitions) strcat(settings, "max_partitions_per_insert_block=0");
    if (!l->has_tokens) return;
    size_t len = strlen(settings);
    snprintf(settings + len, 128 - len, "%sinsert_deduplication_token=%016" PRIx64, len ? "&" : "",
             token);
}

static int insert(struct wf_loader *l, enum wf_fleet_table_number table, struct wf_error *error) {
    char sql[SQL_MAX], settings[128];
    size_t len;
    if (!wf_fleet_rows(l->fleet, table)) return WF_OK;
    const uint8_t *block = wf_fleet_block(l->fleet, table, &len);
    if (!block) return wf_error_code(error, WF_ERR_NOMEM);
    snprintf(sql, sizeof sql, "INSERT INTO %s.%s FORMAT Native", l->project,
             wf_fleet_tables[table].name);
    set_settings(l, l->has_tokens ? wf_fleet_hash(block, len) : 0, settings);
    const struct wf_statement statement = {
        .sql = sql, .settings = settings, .body = block, .len = len};
    int err = wf_engine_run(l->o.engine, &statement, error);
    if (err == WF_OK) l->totals.rows[table] += wf_fleet_rows(l->fleet, table);
    return err;
}

int wf_loader_flush(struct wf_loader *l, struct wf_error *error) {
    // The origin of a stream comes first: no row may be there without it. A segment comes when all
    // that is made of it is there.
    static const enum wf_fleet_table_number order[WF_FLEET_TABLE_END] = {
        WF_FLEET_TABLE_STREAM, WF_FLEET_TABLE_RECORD, WF_FLEET_TABLE_LOSS,
        WF_FLEET_TABLE_HOLE,   WF_FLEET_TABLE_FIGURE, WF_FLEET_TABLE_SEGMENT};
    int err = wfb_loader_error(l, error);
    for (unsigned i = 0; i < WF_FLEET_TABLE_END && err == WF_OK; ++i)
        err = insert(l, order[i], error);
    if (err != WF_OK) return wfb_loader_fail(l, error);
    wf_fleet_clear(l->fleet);
    l->bytes = 0;
    return WF_OK;
}

static bool is_full(const struct wf_loader *l) {
    uint64_t rows = 0;
    for (unsigned t = 0; t < WF_FLEET_TABLE_END; ++t)
        rows += wf_fleet_rows(l->fleet, (enum wf_fleet_table_number)t);
    return l->bytes >= l->o.batch_bytes || rows >= l->o.batch_rows;
}

int wfb_loader_put(struct wf_loader *l, const struct wf_fleet_stream *stream,
                   const struct wf_segment *previous, const struct wf_segment *segment,
                   struct wf_error *error) {
    int err = wf_error_code(error, wf_fleet_add(l->fleet, stream, previous, segment));
    if (err != WF_OK) return wfb_loader_fail(l, error);
    l->bytes += segment->len + segment->state_len;
    ++l->totals.segments;
    l->totals.bytes += segment->len;
    l->totals.records += segment->records;
    l->totals.missing += segment->missing;
    l->totals.damaged += segment->damaged;
    return is_full(l) ? wf_loader_flush(l, error) : WF_OK;
}

// ---- streams

static char *copy_text(const char *text) { return strdup(text ? text : ""); }

static struct wfb_known *add_known(struct wf_loader *l, const struct wf_fleet_stream *of) {
    if (l->known_count == l->known_cap) {
        size_t cap = 2 * l->known_cap + 16;
        struct wfb_known *list = realloc(l->known, cap * sizeof *list);
        if (!list) return NULL;
        l->known = list;
        l->known_cap = cap;
    }
    struct wfb_known *k = &l->known[l->known_count];
    *k = (struct wfb_known){.device = copy_text(of->device),
                            .version = copy_text(of->version),
                            .stream = of->stream,
                            .origin_ns = of->origin_ns};
    if (of->session) k->session = *of->session;
    l->totals.streams = ++l->known_count;
    return k->device && k->version ? k : NULL;
}

const struct wfb_known *wfb_loader_add(struct wf_loader *l, const struct wf_fleet_stream *stream,
                                       const char *source) {
    if (wf_fleet_add_stream(l->fleet, stream, source, (uint64_t)time(NULL)) != WF_OK) return NULL;
    ++l->totals.created;
    return add_known(l, stream);
}

static bool read_hex(const char *hex, char *to, size_t cap) {
    size_t len = strlen(hex) / 2;
    if (len >= cap || strspn(hex, "0123456789ABCDEF") != 2 * len) return false;
    for (size_t i = 0; i < len; ++i) {
        const char byte[3] = {hex[2 * i], hex[2 * i + 1], 0};
        to[i] = (char)strtoul(byte, NULL, 16);
    }
    to[len] = 0;
    return true;
}

// Takes a field of a row. Returns false at the end.
static bool take_field(const char **row, char *to, size_t cap) {
    size_t len = strcspn(*row, "\t");
    if (len >= cap) return false;
    memcpy(to, *row, len);
    to[len] = 0;
    *row += len + ((*row)[len] == '\t');
    return true;
}

static bool take_number(const char **row, uint64_t *number) {
    char text[32], *end;
    if (!take_field(row, text, sizeof text) || !*text) return false;
    *number = strtoull(text, &end, 10);
    return !*end;
}

// Reads the row of the stream in the answer.
static bool read_row(const char *row, struct wf_fleet_stream *of, struct wf_session_options *o,
                     char *version, size_t cap) {
    char letters[WF_FLEET_SIZES_MAX], hex[2048];
    uint64_t qs_version;
    bool good = take_number(&row, &of->origin_ns) && take_number(&row, &o->hz) &&
                take_number(&row, &qs_version) && take_field(&row, letters, sizeof letters) &&
                take_field(&row, hex, sizeof hex) && !*row;
    o->version = good ? (uint16_t)qs_version : 0;
    return good && wf_fleet_read_sizes(letters, o->bytes) && read_hex(hex, version, cap);
}

int wfb_loader_find(struct wf_loader *l, const char *device, uint64_t stream,
                    const struct wfb_known **known, struct wf_error *error) {
    char sql[SQL_MAX], literal[2 * WF_FLEET_DEVICE_MAX + 3], version[1024];
    *known = NULL;
    for (size_t i = l->known_count; i-- > 0;) {
        const struct wfb_known *k = &l->known[i];
        if (k->stream != stream || strcmp(k->device, device) != 0) continue;
        *known = k;
        return WF_OK;
    }
    wf_fleet_quote(device, literal, sizeof literal);
    snprintf(sql, sizeof sql,
             "SELECT origin_ns, rate, qs_version, sizes, hex(version) FROM %s.stream FINAL "
             "WHERE device = %s AND stream = %" PRIu64,
             l->project, literal, stream);
    int err = ask(l, sql, error);
    const char *row = wf_engine_answer(l->o.engine, NULL);
    if (err != WF_OK) return wfb_loader_fail(l, error);
    if (!*row) return WF_OK;
    struct wf_session_options o = {.size = sizeof o};
    struct wf_fleet_stream of = {
        .device = device, .stream = stream, .version = version, .session = &o};
    if (!read_row(row, &of, &o, version, sizeof version)) {
        wf_error_set(error, WF_ERR_ENGINE,
                     "%s.stream: the row of %s, stream %" PRIu64 " cannot be read: %.80s",
                     l->project, device, stream, row);
        return wfb_loader_fail(l, error);
    }
    *known = add_known(l, &of);
    if (*known) return WF_OK;
    wf_error_code(error, WF_ERR_NOMEM);
    return wfb_loader_fail(l, error);
}

// ---- opening

static int open_loader(struct wf_loader *l, const struct wf_loader_options *options,
                       struct wf_error *error) {
    int err = wfb_copy_options(&l->o, sizeof l->o, options, error);
    if (err != WF_OK) return err;
    if (!l->o.batch_bytes) l->o.batch_bytes = BATCH_BYTES;
    if (!l->o.batch_rows) l->o.batch_rows = BATCH_ROWS;
    if (!wf_fleet_is_project(l->o.project))
        return wf_error_set(error, WF_ERR_USAGE, "'%.64s' is no name of a project", l->o.project);
    struct wf_fleet_options o = {.size = sizeof o};
    if (l->o.records) memcpy(o.records, l->o.records, sizeof o.records);
    l->project = strdup(l->o.project);
    l->fleet = wf_fleet_open(&o, error);
    if (!l->project || !l->fleet) return wf_error_code(error, WF_ERR_NOMEM);
    err = ask_setting(l, "insert_deduplication_token", &l->has_tokens, error);
    if (err == WF_OK)
        err = ask_setting(l, "max_partitions_per_insert_block", &l->has_partitions, error);
    return err;
}

struct wf_loader *wf_loader_open(const struct wf_loader_options *options, struct wf_error *error) {
    struct wf_loader *l = calloc(1, sizeof *l);
    if (!l) {
        wf_error_code(error, WF_ERR_NOMEM);
        return NULL;
    }
    if (open_loader(l, options, error) == WF_OK) return l;
    wf_loader_close(l);
    return NULL;
}

void wf_loader_close(struct wf_loader *l) {
    if (!l) return;
    for (size_t i = 0; i < l->known_count; ++i) {
        free(l->known[i].device);
        free(l->known[i].version);
    }
    free(l->known);
    wf_fleet_close(l->fleet);
    free(l->project);
    free(l);
}

const struct wf_loader_totals *wf_loader_totals(const struct wf_loader *l) { return &l->totals; }
