// SPDX-License-Identifier: MIT
// Rows of a fleet's tables from segments of streams (wf_segment.h), as blocks of ClickHouse's
// format Native, which an INSERT over HTTP takes.
//
//   f = wf_fleet_open(&options, &error)
//   for each segment: wf_fleet_add(f, &stream, previous, segment)
//   for each table: wf_fleet_block(f, table, &bytes, &len); wf_fleet_clear(f)
//
// All rows of a segment follow from it, the segment before it, its stream and the options: they are
// the same whenever and in whatever order they are made. The segment before sets what tasks and
// objects do when this one begins. A figure counts the intervals that end in the segment; those
// that begin before the previous segment are left out, and counted as `open`. Damage behind the
// last good record of a stream is counted in its segment, and has no row in the table loss, as the
// stream may grow. Rows of a whole segment are all those of its trace: when it has grown, those of
// the shorter one must be deleted.
//
// All functions of one object are for one thread.
#ifndef WF_FLEET_H
#define WF_FLEET_H

#include "wf_program.h"
#include "wf_segment.h"

#ifdef __cplusplus
extern "C" {
#endif

// Types of columns: T(enumerator, type of the engine, bytes of a value or element; 0: text)
#define WF_FLEET_TYPES(T)                                                                          \
    T(DATE, "Date", 2) /* days since 1970 */                                                       \
    T(SECOND, "DateTime", 4)                                                                       \
    T(U8, "UInt8", 1)                                                                              \
    T(U16, "UInt16", 2)                                                                            \
    T(U32, "UInt32", 4)                                                                            \
    T(U64, "UInt64", 8)                                                                            \
    T(I64, "Int64", 8)                                                                             \
    T(TEXT, "String", 0)                                                                           \
    T(WORD, "LowCardinality(String)", 0) /* of few different ones */                               \
    T(I64S, "Array(Int64)", 8)                                                                     \
    T(U16S, "Array(UInt16)", 2)                                                                    \
    T(U64S, "Array(UInt64)", 8)

enum wf_fleet_type {
#define WF_X(type, name, bytes) WF_FLEET_##type,
    WF_FLEET_TYPES(WF_X)
#undef WF_X
        WF_FLEET_TYPE_END
};

// Columns: C(name, type, sentence). Times are of the target, in ns since its tick 0; in ticks if
// the rate is not known. `number` is that of the row of the table `record` of docs/table-list.md.
#define WF_FLEET_OF_STREAM(C)                                                                      \
    C(device, TEXT, "the hardware's own id")                                                       \
    C(stream, U64, "number of the stream: of all that one recorder has sent since its start")

#define WF_FLEET_STREAM(C)                                                                         \
    WF_FLEET_OF_STREAM(C)                                                                          \
    C(origin_ns, U64, "of its tick 0, in ns since 1970 UTC; fixed when it is first loaded")        \
    C(version, WORD, "release of the firmware")                                                    \
    C(rate, U64, "ticks per second, if it was loaded with --rate; else 0")                         \
    C(qs_version, U16, "730 for 7.3, if it was loaded with --qs-version; else 0")                  \
    C(sizes, TEXT, "letters, if it was loaded with --sizes, as O8F8")                              \
    C(source, TEXT, "file that it was first loaded from")                                          \
    C(changed, SECOND, "when the row was made; of rows with the same key the latest one stays")

#define WF_FLEET_SEGMENT(C)                                                                        \
    C(day, DATE, "day of its begin, by the origin of the stream")                                  \
    WF_FLEET_OF_STREAM(C)                                                                          \
    C(offset, U64, "of its first byte in the stream")                                              \
    C(length, U64, "bytes; a longer segment with the same offset replaces it")                     \
    C(number, U64,                                                                                 \
      "of the row before its first one; a later file of a split counts from its offset")           \
    C(records_span, U64, "records and losses in it")                                               \
    C(begin_ns, U64, "least time of its records with a stamp")                                     \
    C(end_ns, U64, "greatest time of its records with a stamp")                                    \
    C(version, WORD, "release of the firmware")                                                    \
    C(build, U32, "number of the build, 0 if unknown")                                             \
    C(records, U64, "good records")                                                                \
    C(missing, I64, "missing records, as they became known here; negative: some were late")        \
    C(damaged, U64, "damaged bytes")                                                               \
    C(exact, U8, "1: the number of missing records up to its end is confirmed")                    \
    C(breaks.at, U64S,                                                                             \
      "bytes of it before each break, where a connection began or bytes are lost")                 \
    C(breaks.lost, U64S, "bytes that are lost there; 0: a new connection")                         \
    C(names, SECOND, "time of the program (table `build`) whose names its rows have; 0: none")     \
    C(at_begin, TEXT,                                                                              \
      "state of the decoder at its begin; of a trace of another format, which is one segment, "    \
      "that format")                                                                               \
    C(bytes, TEXT, "bytes as received")

#define WF_FLEET_FIGURE(C)                                                                         \
    C(day, DATE, "as in segment")                                                                  \
    C(version, WORD, "as in segment")                                                              \
    C(kind, WORD, "what is measured: response, hold, ...")                                         \
    C(name, WORD, "of the task, object, interrupt or span")                                        \
    WF_FLEET_OF_STREAM(C)                                                                          \
    C(offset, U64, "of the segment")                                                               \
    C(count, U64, "whole intervals")                                                               \
    C(sum, U64, "of their lengths in ns")                                                          \
    C(least, U64, "the shortest one in ns")                                                        \
    C(most, U64, "the longest one in ns")                                                          \
    C(open, U64, "intervals left out whose begin or end is not in reach")                          \
    C(in_holes, U64, "intervals left out, as a hole cuts them")                                    \
    C(marked, U8, "1: a hole lies in the segment")                                                 \
    C(classes.class, U16S, "classes of a histogram of the lengths in ns, ascending")               \
    C(classes.n, U64S, "intervals in each: they add up over rows")                                 \
    C(revision, U64,                                                                               \
      "2^32 * length of the segment + names of the segment; of rows with the same key the "        \
      "greatest one stays")

// Of rows that are of a segment.
#define WF_FLEET_OF_SEGMENT(C)                                                                     \
    C(day, DATE, "as in segment")                                                                  \
    C(version, WORD, "as in segment")                                                              \
    WF_FLEET_OF_STREAM(C)

#define WF_FLEET_LOSS(C)                                                                           \
    WF_FLEET_OF_SEGMENT(C)                                                                         \
    C(number, U64, "its row in the table record")                                                  \
    C(ns, U64, "last time before it")                                                              \
    C(kind, U8, "enum wf_loss_kind: 0 hole, 1 unseen, 2 late, 3 repeated, 4 restart")              \
    C(records, U64, "missing records")                                                             \
    C(given_up, U64, "of these, given up by the target")                                           \
    C(exact, U8, "0: the number is known modulo 256 only")                                         \
    C(bytes, U64, "damaged or repeated bytes")

#define WF_FLEET_HOLE(C)                                                                           \
    WF_FLEET_OF_SEGMENT(C)                                                                         \
    C(begin_ns, U64, "anything may have happened from here")                                       \
    C(end_ns, U64, "up to here")                                                                   \
    C(core, U8, "255: any")

#define WF_FLEET_RECORD(C)                                                                         \
    C(day, DATE, "as in segment")                                                                  \
    WF_FLEET_OF_STREAM(C)                                                                          \
    C(number, U64, "its row in the table record")                                                  \
    C(ns, U64, "its time")                                                                         \
    C(second, SECOND, "the same by the origin of the stream, for dashboards")                      \
    C(version, WORD, "as in segment")                                                              \
    C(core, U8, "core")                                                                            \
    C(id, U16, "number of the record")                                                             \
    C(name, WORD, "of the record")                                                                 \
    C(who, WORD, "the task, sender or interrupt that acts")                                        \
    C(what, WORD, "the object, queue, timer or second task")                                       \
    C(signal, WORD, "name of the signal")                                                          \
    C(state, WORD, "name of the state; of two the second")                                         \
    C(text, TEXT, "its text")                                                                      \
    C(args, I64S,                                                                                  \
      "fields after the time stamp, in the order of `wallfly schema`; of an "                      \
      "application record its numbers, a float as the bits of a double")                           \
    C(flags, U8, "1 back, 2 untimed, 4 of unknown number, 8 malformed")

#define WF_FLEET_BUILD(C)                                                                          \
    C(build, U32, "number of the build, as in segment; 0: the program has none")                   \
    C(version, WORD, "release of the firmware")                                                    \
    C(file, TEXT, "name of the program's file")                                                    \
    C(program, TEXT, "the bytes of the file")                                                      \
    C(changed, SECOND, "when it was bound; of rows with the same key the latest one stays")

#define WF_FLEET_DEVICE(C)                                                                         \
    C(device, TEXT, "the hardware's own id; empty: devices without a row of their own")            \
    C(profile, WORD, "what it sends: stream, stats=SECONDS/PERIOD or box")                         \
    C(changed, SECOND, "when it was set; of rows with the same key the latest one stays")

#define WF_FLEET_COMMAND(C)                                                                        \
    C(device, TEXT, "the hardware's own id")                                                       \
    C(sent, SECOND, "when it was sent, by the clock of the engine")                                \
    C(user, TEXT,                                                                                  \
      "who has sent it: the user of the engine; where the engine has `currentUser`, no one can "   \
      "set another one, and `SELECT *` leaves it out")                                             \
    C(text, TEXT, "the command, as of `wallfly send`")

// Tables: T(enumerator, name, what a row is, columns of the sort key, days that an engine with
// TTL keeps a row; 0: for ever, and it has no column `day`)
#define WF_FLEET_TABLES(T)                                                                         \
    T(STREAM, stream, "a stream, with what is not in its bytes", "device, stream", 0)              \
    T(SEGMENT, segment, "a piece of a stream, with all that is needed to read it",                 \
      "device, stream, offset", 30)                                                                \
    T(FIGURE, figure, "lengths of the intervals of a kind and name that end in a segment",         \
      "version, kind, name, device, stream, offset", 400)                                          \
    T(LOSS, loss, "missing records or damaged bytes", "device, stream, number", 400)               \
    T(HOLE, hole, "times in which anything may have happened",                                     \
      "device, stream, begin_ns, end_ns, core", 400)                                               \
    T(RECORD, record, "a record", "device, stream, number", 7)                                     \
    T(BUILD, build, "a program of the target, for the names of its traces", "build, version", 0)   \
    T(DEVICE, device, "a device's profile", "device", 0)

enum wf_fleet_table_number {
#define WF_X(table, name, sentence, key, days) WF_FLEET_TABLE_##table,
    WF_FLEET_TABLES(WF_X)
#undef WF_X
        WF_FLEET_TABLE_END
};

struct wf_fleet_column {
    const char *name, *sentence;
    enum wf_fleet_type type;
};

enum { WF_FLEET_COLUMNS_MAX = 20 };

struct wf_fleet_table {
    const char *name, *sentence, *key;
    const struct wf_fleet_column *columns;
    unsigned count, days;
};

struct wf_fleet_type_info {
    const char *name;
    unsigned bytes; // of a value, or of an element of an array; 0: text
    bool is_array;
};

extern const struct wf_fleet_table wf_fleet_tables[WF_FLEET_TABLE_END];
// Commands that were sent to devices. Not every project has it: where it is, they are permitted.
extern const struct wf_fleet_table wf_fleet_command_table;
extern const struct wf_fleet_type_info wf_fleet_types[WF_FLEET_TYPE_END];

// Figures: F(spread of wf_stats.h, kind in the table, kind of the rows of wf_stats.h that count it)
#define WF_FLEET_FIGURES(F)                                                                        \
    F(RESPONSE, "response", TASK)                                                                  \
    F(EXECUTION, "execution", TASK)                                                                \
    F(START, "start", TASK)                                                                        \
    F(PERIOD, "period", TASK)                                                                      \
    F(JITTER, "jitter", TASK)                                                                      \
    F(RUN, "run", TASK)                                                                            \
    F(HELD, "hold", OBJECT)                                                                        \
    F(WAITED, "wait", OBJECT)                                                                      \
    F(IRQ_DURATION, "irq", IRQ)                                                                    \
    F(IRQ_PERIOD, "irq period", IRQ)                                                               \
    F(STEP, "step", MACHINE)                                                                       \
    F(BLOCKED, "blocked", BLOCKED)                                                                 \
    F(SPAN, "span", SPAN)

// Classes of the histograms: a length below 64 has the class of its number; above, each power of
// two has 64 classes of equal width.
unsigned wf_fleet_class_of(uint64_t length);
uint64_t wf_fleet_class_begin(unsigned class_number); // the least length of the class

// A number for bytes, the same for ever: of streams (docs/fleet-tables.md), and of inserts.
uint64_t wf_fleet_hash(const void *bytes, size_t len);

// Sizes of options as letters (O8F8), as in the table of streams, and back. read: returns false for
// letters that are not such sizes.
enum { WF_FLEET_SIZES_MAX = 2 * WF_TYPE_END + 1 };
void wf_fleet_write_sizes(const uint8_t bytes[WF_TYPE_END], char letters[WF_FLEET_SIZES_MAX]);
bool wf_fleet_read_sizes(const char *letters, uint8_t bytes[WF_TYPE_END]);

struct wf_fleet_options {
    size_t size;       // sizeof(struct wf_fleet_options)
    bool records[256]; // numbers of the records that have rows in the table `record`
};

struct wf_fleet_stream {
    const struct wf_session_options *session; // as of wf_segments_options
    const char *device, *version;             // null: ""
    uint64_t stream;
    uint64_t origin_ns; // of its tick 0, since 1970 UTC
    // For names that the trace does not have, if the builds fit; null: none.
    struct wf_program *program;
    uint32_t names; // when the program was bound (of the table `build`), in s since 1970 UTC
};

// The column `revision` of figures.
static inline uint64_t wf_fleet_revision(uint64_t length, uint32_t names) {
    return length << 32 | names;
}

struct wf_fleet;

// Returns null when out of memory, or for options that are not valid (`error`, may be null).
struct wf_fleet *wf_fleet_open(const struct wf_fleet_options *options, struct wf_error *error);
void wf_fleet_close(struct wf_fleet *f);

// Adds the rows of a segment. previous: the segment before it; null: there is none, or it is not
// known. Both need their bytes and state.
//   returns  WF_OK
//            WF_ERR_USAGE   the segment does not begin where the previous one ends
//            WF_ERR_BAD_STATE  a state is not one of wf_segments_open
//            WF_ERR_NOMEM   close it: rows may be missing
//            of a whole segment that was damaged also the errors of wf_trace_error
int wf_fleet_add(struct wf_fleet *f, const struct wf_fleet_stream *stream,
                 const struct wf_segment *previous, const struct wf_segment *segment);
// Adds the row of a stream.
//   source   file that it is loaded from
//   changed  seconds since 1970 UTC
//   returns  WF_OK, WF_ERR_NOMEM
int wf_fleet_add_stream(struct wf_fleet *f, const struct wf_fleet_stream *stream,
                        const char *source, uint64_t changed);
// Adds the row of a program.
//   build    0: it has no number
//   returns  WF_OK, WF_ERR_NOMEM
struct wf_fleet_build {
    uint32_t build;
    const char *version, *file; // null: ""
    const uint8_t *bytes;       // of the file
    size_t len;
    uint64_t changed; // seconds since 1970 UTC
};
int wf_fleet_add_build(struct wf_fleet *f, const struct wf_fleet_build *build);
// Changes which records have rows from here on: 256 numbers, as of the options.
void wf_fleet_set_records(struct wf_fleet *f, const bool *records);
uint64_t wf_fleet_rows(const struct wf_fleet *f, enum wf_fleet_table_number table);
// Returns all rows of a table that were added since the last clear, as one block, valid until the
// next call of a function of `f`; null when out of memory. A block may have no rows.
const uint8_t *wf_fleet_block(struct wf_fleet *f, enum wf_fleet_table_number table, size_t *len);
void wf_fleet_clear(struct wf_fleet *f); // of all tables

#ifdef __cplusplus
}
#endif
#endif
