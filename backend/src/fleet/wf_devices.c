// SPDX-License-Identifier: MIT
// The list is one question; figures and losses are asked for the devices of it alone.

#include "wallfly_backend/wf_devices.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wfb_options.h"
#include "wfb_rows.h"

enum { LIST_MAX = 2048, SQL_MAX = 8192, PART_MAX = 64 };

// The first ones are the most telling.
const char *const wf_devices_kinds[WF_DEVICES_KINDS] = {"response", "start", "step",    "hold",
                                                        "wait",     "irq",   "blocked", "run"};

struct reading {
    struct wf_engine *engine;
    const char *project;
    const struct wf_devices_options *o;
    char list[LIST_MAX]; // SELECT of all devices that match
    char order[64];
    struct wf_devices *to;
};

static int bad_answer(const char *project, struct wf_error *error) {
    return wf_error_set(error, WF_ERR_ENGINE, "%s: a list of devices cannot be read", project);
}

static int check_project(const char *project, struct wf_error *error) {
    if (wf_fleet_is_project(project)) return WF_OK;
    return wf_error_set(error, WF_ERR_USAGE, "'%.64s' is no name of a project", project);
}

// Longer texts have no room as literals.
static int check_options(struct wf_devices_options *o, struct wf_error *error) {
    if (o->part && strlen(o->part) > PART_MAX)
        return wf_error_set(error, WF_ERR_USAGE, "a part of a name has at most %d bytes", PART_MAX);
    if (o->version && strlen(o->version) > WF_DEVICES_TEXT_MAX)
        return wf_error_set(error, WF_ERR_USAGE, "a version has at most %d bytes",
                            WF_DEVICES_TEXT_MAX);
    if (o->order >= WF_DEVICES_ORDER_END) o->order = WF_DEVICES_BY_LOSS;
    if (o->most < 1 || o->most > WF_DEVICES_MOST) o->most = WF_DEVICES_MOST;
    return WF_OK;
}

// ---- questions

// seen and places are times of the day: those of a stream count from its origin.
static void make_list(struct reading *r) {
    static const char *const orders[WF_DEVICES_ORDER_END] = {
#define WF_X(id, name, words, sql) sql ", device",
        WF_DEVICES_ORDERS(WF_X)
#undef WF_X
    };
    const struct wf_devices_options *o = r->o;
    char of_part[2 * PART_MAX + 3], of_version[2 * WF_DEVICES_TEXT_MAX + 3];
    char part[sizeof of_part + 64] = "", version[sizeof of_version + 32] = "";
    if (o->part) {
        wf_fleet_quote(o->part, of_part, sizeof of_part);
        snprintf(part, sizeof part, " WHERE positionCaseInsensitive(device, %s) > 0", of_part);
    }
    if (o->version) {
        wf_fleet_quote(o->version, of_version, sizeof of_version);
        snprintf(version, sizeof version, " HAVING newest = %s", of_version);
    }
    snprintf(r->order, sizeof r->order, "%s", orders[o->order]);
    snprintf(r->list, sizeof r->list,
             "SELECT device, argMax(v, at) AS newest, max(at) AS seen, uniqExact(stream) AS "
             "streams, sum(r) AS records, sum(m) AS missing, sum(d) AS damaged, "
             "if(missing > 0, missing / (missing + records), 0) AS rate FROM ("
             "SELECT device, stream, v, r, m, d, origin_ns + end_ns AS at FROM ("
             "SELECT device, stream, toString(version) AS v, records AS r, missing AS m, damaged "
             "AS d, end_ns FROM %s.segment FINAL%s) AS s ALL INNER JOIN ("
             "SELECT device, stream, origin_ns FROM %s.stream FINAL) AS o "
             "USING (device, stream)) AS t GROUP BY device%s",
             r->project, part, r->project, version);
}

// Writes the SELECT of the columns of the devices that are shown.
static void put_shown(const struct reading *r, const char *columns, char *sql, size_t cap) {
    snprintf(sql, cap, "SELECT %s FROM (%s) AS b ORDER BY %s LIMIT %" PRIu64 ", %u", columns,
             r->list, r->order, r->o->from, r->o->most);
}

// Asks for rows in format RowBinary. The last column is a 0: the end of an answer that looks like
// a line feed is taken off.
static int ask(const struct reading *r, const char *sql, struct wfb_rows *rows,
               struct wf_error *error) {
    char statement[SQL_MAX + 32];
    snprintf(statement, sizeof statement, "%s FORMAT RowBinary", sql);
    int err = wf_engine_ask(r->engine, statement, error);
    if (err == WF_OK) *rows = wfb_rows_answer(r->engine);
    return err;
}

static void take_text(struct wfb_rows *rows, char *to, size_t cap) {
    size_t len;
    const uint8_t *text = wfb_rows_text(rows, &len);
    snprintf(to, cap, "%.*s", (int)(len < cap ? len : cap - 1), (const char *)text);
}

static void take_end(struct wfb_rows *rows) {
    if (rows->at < rows->end)
        ++rows->at;
    else
        rows->bad = true;
}

// ---- the list

static int read_totals(struct reading *r, struct wf_error *error) {
    char sql[SQL_MAX];
    struct wfb_rows rows;
    snprintf(sql, sizeof sql,
             "SELECT count(), sum(records), sum(missing), toUInt8(0) FROM (%s) AS b", r->list);
    int err = ask(r, sql, &rows, error);
    if (err != WF_OK || rows.at == rows.end) return err; // no row: no device
    r->to->all = wfb_rows_u64(&rows);
    r->to->records = wfb_rows_u64(&rows);
    r->to->missing = (int64_t)wfb_rows_u64(&rows);
    return rows.bad ? bad_answer(r->project, error) : WF_OK;
}

static int read_list(struct reading *r, struct wf_error *error) {
    char sql[SQL_MAX];
    struct wfb_rows rows;
    put_shown(r, "device, newest, seen, streams, records, damaged, missing, toUInt8(0)", sql,
              sizeof sql);
    int err = ask(r, sql, &rows, error);
    if (err != WF_OK) return err;
    r->to->list = calloc(r->o->most, sizeof *r->to->list);
    if (!r->to->list) return wf_error_code(error, WF_ERR_NOMEM);
    while (rows.at < rows.end && !rows.bad && r->to->count < r->o->most) {
        struct wf_device *d = &r->to->list[r->to->count++];
        take_text(&rows, d->name, sizeof d->name);
        take_text(&rows, d->version, sizeof d->version);
        d->seen_ns = wfb_rows_u64(&rows);
        d->streams = wfb_rows_u64(&rows);
        d->records = wfb_rows_u64(&rows);
        d->damaged = wfb_rows_u64(&rows);
        d->missing = (int64_t)wfb_rows_u64(&rows);
        take_end(&rows);
    }
    return rows.bad ? bad_answer(r->project, error) : WF_OK;
}

// Returns null if it came meanwhile.
static struct wf_device *find_device(const struct reading *r, const char *name) {
    for (size_t i = 0; i < r->to->count; ++i) {
        if (strcmp(r->to->list[i].name, name) == 0) return &r->to->list[i];
    }
    return NULL;
}

// ---- what is worst

static void put_kinds(char *to, size_t cap) {
    size_t len = 0;
    for (unsigned i = 0; i < WF_DEVICES_KINDS; ++i)
        len += (size_t)snprintf(to + len, cap - len, "%s'%s'", i ? ", " : "", wf_devices_kinds[i]);
}

static void take_worst(const struct reading *r, struct wfb_rows *rows) {
    char device[WF_FLEET_DEVICE_MAX + 1], kind[32];
    struct wf_device_worst w;
    take_text(rows, device, sizeof device);
    take_text(rows, kind, sizeof kind);
    take_text(rows, w.name, sizeof w.name);
    w.count = wfb_rows_u64(rows);
    w.longest_ns = wfb_rows_u64(rows);
    w.p99_ns = wfb_rows_u64(rows);
    w.place.stream = wfb_rows_u64(rows);
    w.place.from_ns = wfb_rows_u64(rows);
    w.place.until_ns = wfb_rows_u64(rows);
    take_end(rows);
    struct wf_device *d = find_device(r, device);
    for (unsigned i = 0; i < WF_DEVICES_KINDS && d && !rows->bad; ++i) {
        if (strcmp(wf_devices_kinds[i], kind) == 0) d->worst[i] = w;
    }
}

// Of each kind the task or object with the longest interval. Its class is within a 64th: the value
// is the least one of it.
static int read_worst(struct reading *r, struct wf_error *error) {
    char sql[SQL_MAX], shown[SQL_MAX / 2], kinds[128];
    struct wfb_rows rows;
    put_kinds(kinds, sizeof kinds);
    put_shown(r, "newest, device", shown, sizeof shown);
    int len = snprintf(
        sql, sizeof sql,
        "SELECT device, kind, name, toUInt64(n), toUInt64(longest), toUInt64(if(class < 64, class, "
        "bitShiftLeft(toUInt64(64 + class %% 64), toUInt8(intDiv(class, 64) - 1)))), stream, "
        "if(end_ns > 0, origin_ns + begin_ns, 0), if(end_ns > 0, origin_ns + end_ns, 0), "
        "toUInt8(0) FROM (SELECT device, kind, name, n, longest, class, stream, begin_ns, end_ns "
        "FROM (SELECT device, kind, name, sum(c) AS n, max(most) AS longest, "
        "argMax(of_stream, most) AS stream, argMax(of_offset, most) AS offset, "
        "arrayElement((sumMap(class_, n_) AS m).1, arrayFirstIndex(x -> x >= 0.99 * n, "
        "arrayCumSum(m.2))) AS class FROM (SELECT device, toString(kind) AS kind, "
        "toString(name) AS name, stream AS of_stream, offset AS of_offset, count AS c, most, "
        "`classes.class` AS class_, `classes.n` AS n_ FROM %s.figure FINAL WHERE count > 0 AND "
        "kind IN (%s) AND (version, device) IN (%s)) AS f GROUP BY device, kind, name "
        "ORDER BY longest DESC, name LIMIT 1 BY device, kind) AS w ANY LEFT JOIN ("
        "SELECT device, stream, offset, begin_ns, end_ns FROM %s.segment FINAL) AS s "
        "USING (device, stream, offset)) AS x ANY LEFT JOIN ("
        "SELECT device, stream, origin_ns FROM %s.stream FINAL) AS o USING (device, stream)",
        r->project, kinds, shown, r->project, r->project);
    if (len >= (int)sizeof sql) return bad_answer(r->project, error);
    int err = ask(r, sql, &rows, error);
    if (err != WF_OK) return err;
    while (rows.at < rows.end && !rows.bad) take_worst(r, &rows);
    return rows.bad ? bad_answer(r->project, error) : WF_OK;
}

// A loss lies between two records: its place is a moment.
static int read_losses(struct reading *r, struct wf_error *error) {
    char sql[SQL_MAX], shown[SQL_MAX / 2], device[WF_FLEET_DEVICE_MAX + 1];
    struct wfb_rows rows;
    put_shown(r, "device", shown, sizeof shown);
    snprintf(sql, sizeof sql,
             "SELECT device, stream, origin_ns + ns, toUInt8(0) FROM (SELECT device, stream, ns "
             "FROM %s.loss FINAL WHERE records > 0 AND device IN (%s) "
             "ORDER BY records DESC, stream, number LIMIT 1 BY device) AS l ANY INNER JOIN ("
             "SELECT device, stream, origin_ns FROM %s.stream FINAL) AS o USING (device, stream)",
             r->project, shown, r->project);
    int err = ask(r, sql, &rows, error);
    if (err != WF_OK) return err;
    while (rows.at < rows.end && !rows.bad) {
        struct wf_device_place place;
        take_text(&rows, device, sizeof device);
        place.stream = wfb_rows_u64(&rows);
        place.from_ns = place.until_ns = wfb_rows_u64(&rows);
        take_end(&rows);
        struct wf_device *d = find_device(r, device);
        if (d && !rows.bad) d->loss = place;
    }
    return rows.bad ? bad_answer(r->project, error) : WF_OK;
}

int wf_devices_read(struct wf_engine *engine, const char *project,
                    const struct wf_devices_options *options, struct wf_devices *to,
                    struct wf_error *error) {
    struct wf_devices_options o;
    struct wf_error own;
    struct reading r = {.engine = engine, .project = project, .o = &o, .to = to};
    if (!error) error = &own;
    *to = (struct wf_devices){.list = NULL};
    int err = wfb_copy_options(&o, sizeof o, options, error);
    if (err == WF_OK) err = check_project(project, error);
    if (err == WF_OK) err = check_options(&o, error);
    if (err != WF_OK) return err;
    make_list(&r);
    err = read_totals(&r, error);
    if (err == WF_OK && to->all) err = read_list(&r, error);
    if (err == WF_OK && to->count) err = read_worst(&r, error);
    if (err == WF_OK && to->count) err = read_losses(&r, error);
    return err;
}

void wf_devices_free(struct wf_devices *devices) {
    free(devices->list);
    *devices = (struct wf_devices){.list = NULL};
}

int wf_devices_seen(struct wf_engine *engine, const char *project, const char *device,
                    uint64_t stream, uint64_t *seen_ns, struct wf_error *error) {
    char sql[1024], literal[2 * WF_FLEET_DEVICE_MAX + 3], one[64] = "";
    int err = check_project(project, error);
    if (err == WF_OK && !wf_fleet_is_device(device))
        err = wf_error_set(error, WF_ERR_USAGE, "'%.64s' is no name of a device", device);
    if (err != WF_OK) return err;
    wf_fleet_quote(device, literal, sizeof literal);
    if (stream) snprintf(one, sizeof one, " AND stream = %" PRIu64, stream);
    snprintf(sql, sizeof sql,
             "SELECT max(origin_ns + end_ns) FROM (SELECT stream, end_ns FROM %s.segment WHERE "
             "device = %s%s) AS s ALL INNER JOIN (SELECT stream, origin_ns FROM %s.stream FINAL "
             "WHERE device = %s) AS o USING (stream)",
             project, literal, one, project, literal);
    err = wf_engine_ask(engine, sql, error);
    if (err != WF_OK) return err;
    *seen_ns = strtoull(wf_engine_answer(engine, NULL), NULL, 10);
    if (*seen_ns) return WF_OK;
    return wf_error_set(error, WF_ERR_READ,
                        stream ? "%s: device %s has no such stream" : "%s: has no device %s",
                        project, device);
}
