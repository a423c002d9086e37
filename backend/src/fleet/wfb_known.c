// SPDX-License-Identifier: MIT
// Streams that are in the tables, and their segments. A stream is loaded again by comparing: what
// is there must be what comes, or its beginning.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "wallfly_host/wf_fleet_sql.h"
#include "wfb_answer.h"
#include "wfb_loader.h"

enum { SQL_MAX = 1024, PAUSE_MS = 50 };

static void forget(struct wfb_known *k) {
    free(k->device);
    free(k->version);
    free(k->stored);
    *k = (struct wfb_known){.device = NULL};
}

void wfb_known_close(struct wf_loader *l) {
    for (size_t i = 0; i < l->known_count; ++i) forget(&l->known[i]);
    free(l->known);
    free(l->grown);
}

// Writes the condition for the rows of a stream.
static void put_where(const struct wfb_known *k, char where[256]) {
    char literal[2 * WF_FLEET_DEVICE_MAX + 3];
    wf_fleet_quote(k->device, literal, sizeof literal);
    snprintf(where, 256, "device = %s AND stream = %" PRIu64, literal, k->stream);
}

// ---- the table of streams

static char *copy_text(const char *text) { return strdup(text ? text : ""); }

// Returns its index; SIZE_MAX when out of memory.
static size_t add_known(struct wf_loader *l, const struct wf_fleet_stream *of) {
    size_t at = 0;
    while (at < l->known_count && l->known[at].device) ++at;
    if (!wfb_grow(&l->known, &l->known_cap, at, sizeof *l->known)) return SIZE_MAX;
    if (at == l->known_count) ++l->known_count;
    struct wfb_known *k = &l->known[at];
    *k = (struct wfb_known){.device = copy_text(of->device),
                            .version = copy_text(of->version),
                            .stream = of->stream,
                            .origin_ns = of->origin_ns};
    if (of->session) k->session = *of->session;
    ++l->totals.streams;
    return k->device && k->version ? at : SIZE_MAX;
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

// Reads the row of the stream in the answer.
static bool read_row(const char *row, struct wf_fleet_stream *of, struct wf_session_options *o,
                     char *version, size_t cap) {
    char letters[WF_FLEET_SIZES_MAX], hex[2048];
    uint64_t qs_version;
    uint64_t *const numbers[] = {&of->origin_ns, &o->hz, &qs_version};
    bool good = wfb_take_numbers(&row, numbers, 3) && take_field(&row, letters, sizeof letters) &&
                take_field(&row, hex, sizeof hex) && !*row;
    o->version = good ? (uint16_t)qs_version : 0;
    return good && wf_fleet_read_sizes(letters, o->bytes) && read_hex(hex, version, cap);
}

size_t wfb_known_add(struct wf_loader *l, const struct wf_fleet_stream *stream,
                     const char *source) {
    if (wf_fleet_add_stream(l->fleet, stream, source, (uint64_t)time(NULL)) != WF_OK)
        return SIZE_MAX;
    ++l->totals.created;
    const size_t known = add_known(l, stream);
    if (known != SIZE_MAX) l->known[known].is_new = true;
    return known;
}

static int bad_row(struct wf_loader *l, const char *table, const char *row,
                   struct wf_error *error) {
    wf_error_set(error, WF_ERR_ENGINE, "%s.%s: a row cannot be read: %.100s", l->project, table,
                 row);
    return wfb_loader_fail(l, error);
}

static int out_of_memory(struct wf_loader *l, struct wf_error *error) {
    wf_error_code(error, WF_ERR_NOMEM);
    return wfb_loader_fail(l, error);
}

// ---- segments

static bool add_stored(struct wfb_known *k, size_t at, const struct wfb_stored *stored) {
    if (!wfb_grow(&k->stored, &k->stored_cap, k->stored_count, sizeof *k->stored)) return false;
    memmove(k->stored + at + 1, k->stored + at, (k->stored_count - at) * sizeof *k->stored);
    k->stored[at] = *stored;
    ++k->stored_count;
    return true;
}

static int list_stored(struct wf_loader *l, struct wfb_known *k, struct wf_error *error) {
    char sql[SQL_MAX], where[256];
    struct wfb_stored s;
    char version[2 * WF_LOADING_VERSION_MAX + 3];
    uint64_t build, names, old;
    uint64_t *const numbers[] = {&s.offset, &s.length, &s.end, &s.number, &s.records,
                                 &s.rows,   &build,    &names, &old};
    wf_fleet_quote(k->version, version, sizeof version);
    put_where(k, where);
    snprintf(sql, sizeof sql,
             "SELECT offset, length, offset + length + arraySum(`breaks.lost`), number, records, "
             "records_span, build, toUInt32(names), toUInt8(version != %s) FROM %s.segment FINAL "
             "WHERE %s ORDER BY offset",
             version, l->project, where);
    int err = wf_engine_ask(l->o.engine, sql, error);
    if (err != WF_OK) return wfb_loader_fail(l, error);
    const char *at = wf_engine_answer(l->o.engine, NULL);
    while (*at) {
        if (!wfb_take_numbers(&at, numbers, 9)) return bad_row(l, "segment", at, error);
        s.build = (uint32_t)build;
        s.names = (uint32_t)names;
        s.old_version = old != 0;
        if (!add_stored(k, k->stored_count, &s)) return out_of_memory(l, error);
    }
    return WF_OK;
}

static int list_again(struct wf_loader *l, size_t known, struct wf_error *error) {
    struct wfb_known *k = &l->known[known];
    int err = wf_loader_flush(l, error); // segments may be in the batch
    if (err != WF_OK) return err;
    k->stored_count = 0;
    k->trimmed = false;
    return list_stored(l, k, error);
}

int wfb_known_find(struct wf_loader *l, const char *device, uint64_t stream, size_t *known,
                   struct wf_error *error) {
    char sql[SQL_MAX], where[256], version[1024];
    for (size_t i = l->known_count; i-- > 0;) {
        const struct wfb_known *k = &l->known[i];
        *known = i;
        if (k->device && k->stream == stream && strcmp(k->device, device) == 0)
            return k->trimmed ? list_again(l, i, error) : WF_OK;
    }
    *known = SIZE_MAX;
    put_where(&(struct wfb_known){.device = (char *)device, .stream = stream}, where);
    snprintf(
        sql, sizeof sql,
        "SELECT origin_ns, rate, qs_version, sizes, hex(version) FROM %s.stream FINAL WHERE %s",
        l->project, where);
    int err = wf_engine_ask(l->o.engine, sql, error);
    const char *row = wf_engine_answer(l->o.engine, NULL);
    if (err != WF_OK) return wfb_loader_fail(l, error);
    if (!*row) return WF_OK;
    struct wf_session_options o = {.size = sizeof o};
    struct wf_fleet_stream of = {
        .device = device, .stream = stream, .version = version, .session = &o};
    if (!read_row(row, &of, &o, version, sizeof version)) return bad_row(l, "stream", row, error);
    size_t added = add_known(l, &of);
    if (added == SIZE_MAX) return out_of_memory(l, error);
    *known = added;
    return list_stored(l, &l->known[added], error);
}

int wfb_known_rename(struct wf_loader *l, size_t known, const char *version,
                     struct wf_error *error) {
    struct wfb_known *k = &l->known[known];
    char sql[2 * SQL_MAX], where[256], literal[2 * WF_LOADING_VERSION_MAX + 3];
    char *copy = strdup(version);
    if (!copy) return out_of_memory(l, error);
    free(k->version);
    k->version = copy;
    for (size_t i = 0; i < k->stored_count; ++i) k->stored[i].old_version = true;
    put_where(k, where);
    wf_fleet_quote(version, literal, sizeof literal);
    snprintf(sql, sizeof sql,
             "INSERT INTO %s.stream SELECT device, stream, origin_ns, %s, rate, qs_version, sizes, "
             "source, toDateTime(greatest(toUInt32(now()), toUInt32(changed) + 1)) FROM %s.stream "
             "FINAL WHERE %s",
             l->project, literal, l->project, where);
    int err = wf_engine_ask(l->o.engine, sql, error);
    return err == WF_OK ? WF_OK : wfb_loader_fail(l, error);
}

// ---- comparing

int wfb_known_differs(uint64_t offset, struct wf_error *error) {
    return wf_error_set(error, WF_ERR_READ,
                        "byte %" PRIu64 " and on: is not what was loaded before as this stream. "
                        "--anew replaces that, if it was damaged; --stream=NUMBER loads another "
                        "trace that has begun with the same bytes",
                        offset);
}

static size_t find_place(const struct wfb_known *k, uint64_t offset) {
    size_t low = 0, high = k->stored_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (k->stored[middle].offset < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// The segment is in place of a stored one, with more bytes or newer names.
static int replace_stored(struct wf_loader *l, size_t known, struct wfb_stored *stored,
                          const struct wfb_stored *by, struct wf_error *error) {
    if (!wfb_grow(&l->grown, &l->grown_cap, l->grown_count, sizeof *l->grown))
        return wf_error_code(error, WF_ERR_NOMEM);
    l->grown[l->grown_count++] =
        (struct wfb_grown){known, by->offset, wf_fleet_revision(by->length, by->names)};
    *stored = *by;
    return WF_OK;
}

// Only the last segment of a reading may be shorter than that of another one.
static int compare_same(struct wf_loader *l, size_t known, size_t at, const struct wfb_stored *now,
                        bool last, bool *put, struct wf_error *error) {
    struct wfb_known *k = &l->known[known];
    struct wfb_stored *s = &k->stored[at];
    if (s->length == now->length) {
        if (s->records != now->records || s->rows != now->rows)
            return wfb_known_differs(now->offset, error);
        *put = s->names <= now->names;
        if (*put && (s->names < now->names || s->old_version))
            return replace_stored(l, known, s, now, error);
        return WF_OK;
    }
    *put = s->length < now->length;
    if (!*put) return last ? WF_OK : wfb_known_differs(now->offset, error);
    const bool lost_there = s->end - s->length > now->end - now->length; // but not here
    if (lost_there || (at + 1 < k->stored_count && k->stored[at + 1].offset < now->end))
        return wfb_known_differs(now->offset, error);
    return replace_stored(l, known, s, now, error);
}

int wfb_known_compare(struct wf_loader *l, size_t known, const struct wf_segment *segment,
                      uint32_t names, bool *put, struct wf_error *error) {
    struct wfb_known *k = &l->known[known];
    const struct wfb_stored s = {.offset = segment->offset,
                                 .length = segment->len,
                                 .end = wf_segment_end(segment),
                                 .number = segment->number,
                                 .records = segment->records,
                                 .rows = segment->rows,
                                 .build = segment->build_id,
                                 .names = names};
    size_t at = find_place(k, s.offset);
    *put = true;
    if (at > 0 && k->stored[at - 1].end > s.offset) return wfb_known_differs(s.offset, error);
    if (at < k->stored_count && k->stored[at].offset == s.offset)
        return compare_same(l, known, at, &s, segment->last, put, error);
    if (at < k->stored_count && k->stored[at].offset < s.end)
        return wfb_known_differs(s.offset, error);
    return add_stored(k, at, &s) ? WF_OK : wf_error_code(error, WF_ERR_NOMEM);
}

// ---- forgetting

static void trim(struct wfb_known *k) {
    const size_t passed = find_place(k, k->passed);
    if (!passed) return;
    k->stored_count -= passed;
    memmove(k->stored, k->stored + passed, k->stored_count * sizeof *k->stored);
    k->trimmed = true;
}

void wf_loader_trim(struct wf_loader *l) {
    for (size_t i = 0; i < l->known_count && !l->grown_count && !l->bytes; ++i) {
        if (!l->known[i].readings)
            forget(&l->known[i]);
        else if (l->known[i].readings == 1)
            trim(&l->known[i]);
    }
}

// ---- rows that must go

// Names may become known in the rest of a segment, or from a program: then its figures have other
// keys. The old ones get an empty row of the new revision. Run before the segment is there, so that
// it is run again if it was not.
static int replace_figures(struct wf_loader *l, const struct wfb_grown *g, struct wf_error *error) {
    char sql[4 * SQL_MAX], where[256], version[2 * WF_LOADING_VERSION_MAX + 3];
    put_where(&l->known[g->known], where);
    wf_fleet_quote(l->known[g->known].version, version, sizeof version);
    snprintf(sql, sizeof sql,
             "INSERT INTO %s.figure SELECT day, version, kind, name, device, stream, offset, "
             "toUInt64(0), toUInt64(0), toUInt64(0), toUInt64(0), toUInt64(0), toUInt64(0), "
             "toUInt8(0), emptyArrayUInt16(), emptyArrayUInt64(), toUInt64(%" PRIu64 ") "
             "FROM %s.figure WHERE %s AND offset = %" PRIu64 " AND (revision < %" PRIu64
             " OR version != %s) AND (version, kind, name) NOT IN (SELECT version, kind, name FROM "
             "%s.figure WHERE %s AND offset = %" PRIu64 " AND revision = %" PRIu64
             " AND version = %s)",
             l->project, g->revision, l->project, where, g->offset, g->revision, version,
             l->project, where, g->offset, g->revision, version);
    return wf_engine_ask(l->o.engine, sql, error);
}

int wfb_known_replace(struct wf_loader *l, struct wf_error *error) {
    int err = WF_OK;
    for (size_t i = 0; i < l->grown_count && err == WF_OK; ++i)
        err = replace_figures(l, &l->grown[i], error);
    if (err == WF_OK) l->grown_count = 0;
    return err;
}

// Rows are deleted when none is left: 18.16 may never call that done in a replicated table.
static int wait_for_deletion(struct wf_loader *l, const char *table, const char *where,
                             struct wf_error *error) {
    char sql[SQL_MAX];
    snprintf(sql, sizeof sql, "SELECT count() FROM %s.%s WHERE %s", l->project, table, where);
    for (;;) {
        int err = wf_engine_ask(l->o.engine, sql, error);
        if (err != WF_OK || strcmp(wf_engine_answer(l->o.engine, NULL), "0") == 0) return err;
        nanosleep(&(struct timespec){0, PAUSE_MS * 1000000}, NULL);
    }
}

int wfb_known_delete(struct wf_loader *l, size_t known, struct wf_error *error) {
    struct wfb_known *k = &l->known[known];
    char sql[SQL_MAX], where[256];
    int err = WF_OK;
    put_where(k, where);
    for (unsigned t = 0; t < WF_FLEET_TABLE_END && err == WF_OK; ++t) {
        if (!wf_fleet_tables[t].days) continue; // of no segment
        snprintf(sql, sizeof sql, "ALTER TABLE %s.%s DELETE WHERE %s", l->project,
                 wf_fleet_tables[t].name, where);
        err = wf_engine_ask(l->o.engine, sql, error);
    }
    for (unsigned t = 0; t < WF_FLEET_TABLE_END && err == WF_OK; ++t) {
        if (wf_fleet_tables[t].days)
            err = wait_for_deletion(l, wf_fleet_tables[t].name, where, error);
    }
    if (err != WF_OK) return wfb_loader_fail(l, error);
    k->stored_count = 0;
    k->trimmed = false;
    k->is_new = true;
    // The engine would take the same rows for a retry.
    l->salt = (uint64_t)time(NULL) * UINT64_C(0x9E3779B97F4A7C15);
    return WF_OK;
}
