// SPDX-License-Identifier: MIT
// Writers convert the items of a session to a format: plain text, time lines, tables, sequence
// diagrams. All share this interface, so every source works with every format. Opening writes the
// header, then records, losses and events follow, and closing writes the footer. Formats that show
// states read a model (wf_model.h), which several writers share (wf_sinks.h).
// docs/convert.md describes each format.
// A writer belongs to its session's thread. It buffers up to 64 KiB; wf_writer_flush empties it.
#ifndef WF_WRITER_H
#define WF_WRITER_H

#include "wf_session.h"
#include "wf_sinks.h"
#include "wf_tables.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wf_writer;

// Takes bytes of a stream out. Returns false if they could not be written; the writer then stops
// writing and wf_writer_close returns WF_ERR_WRITE.
typedef bool (*wf_write_fn)(void *ctx, const char *bytes, size_t len);
// The same for a format of several parts: takes bytes of part 0, 1, ... out, of any part at any
// time. name: of the part; its file's name if parts are files (WF_OUTPUT_FOLDER).
typedef bool (*wf_part_fn)(void *ctx, unsigned part, const char *name, const char *bytes,
                           size_t len);

// The kind of a line of QSPY, for front ends and colours.
enum wf_line_class {
    WF_LINE_RECORD,
    WF_LINE_ERROR, // of the link or of a front end
    WF_LINE_INFO,  // of the host itself
    WF_LINE_USER,  // notes of front ends
    WF_LINE_TEST,
};
typedef void (*wf_line_fn)(void *ctx, enum wf_line_class line, const char *text, size_t len);

enum wf_time_unit { WF_TIME_AUTO, WF_TIME_S, WF_TIME_MS, WF_TIME_US, WF_TIME_TICKS };

// Which records to show. A null filter shows all. Losses that overlap the time from from_s to
// until_s are shown, whatever the records chosen. Formats that show states show those made by
// records of these groups, cut at from_s and until_s.
struct wf_filter {
    size_t size; // sizeof(struct wf_filter)
    bool id[256];
    bool no_events; // slot traces: leave out events that are no records
    bool has_object;
    char object[64];        // name of an object: records that do not concern it are left out
    double from_s, until_s; // seconds since the trace's first time; see target_clock
    bool has_from, has_until;
};

struct wf_writer_options {
    size_t size;            // sizeof(struct wf_writer_options)
    bool colour;            // "text"
    bool terminal;          // QSPY's formats: foreign text in visible escapes (wf_utf8.h), else raw
    bool csv_raw;           // "csv", "tables": texts as they are, no escapes (wf_table_csv_text)
    enum wf_time_unit time; // "text"
    bool target_clock; // true: times of "text" and of the filter are the target's clock; false:
                       // since the trace's first time. Ticks, and all times without a rate, are
                       // always the target's
    const struct wf_filter *filter; // not for QSPY's formats
    const char *objects; // for sequence diagrams: names separated by commas, '?' for all others
    unsigned most;     // "mscgen", "mermaid", "sequence": limit of arrows and notes; 0: the default
    uint64_t zero;     // "sequence": ticks are relative to this one
    wf_line_fn line;   // "qspy": takes each line (without its end) in place of wf_write_fn
    wf_part_fn part;   // takes the bytes of WF_OUTPUT_JOINED and WF_OUTPUT_FOLDER
    wf_row_fn row;     // takes the rows of WF_OUTPUT_ROWS
    bool records_only; // WF_OUTPUT_ROWS: only table `record`; nothing is kept of the trace
    uint64_t rows;     // tables: the number of rows that `record` had before
    const char *source;     // the trace's source, for readers of the output; or null
    struct wf_sinks *sinks; // the group to join (wf_sinks.h); null: one of its own
};

// The form of a format's output.
enum wf_output {
    WF_OUTPUT_STREAM, // bytes, in order
    WF_OUTPUT_JOINED, // parts that make one file, joined in the order of their numbers
    WF_OUTPUT_FOLDER, // parts that are files
    WF_OUTPUT_ROWS,   // rows of tables (wf_tables.h)
};

struct wf_format {
    const char *name, *sentence;
    const char *suffix; // of its files' names, with the dot
    enum wf_output output;
    enum wf_dialect dialect; // required: the session's dialect
    bool info8;              // required: the session understands QS 8.x
    bool all_names;          // required: dictionaries without QSPY's limits
    bool binary;             // bytes, not text
};

extern const struct wf_format wf_formats[]; // "text", "qspy", "mat", ...
extern const unsigned wf_format_count;
const struct wf_format *wf_format_find(const char *name); // null if unknown

// Opens a writer, which must be closed before its session.
//   options     copied with the data they point to; null: all 0. A size of 0, also of the filter,
//               is WF_ERR_USAGE; members that an older, smaller struct does not have are 0
//   write, ctx  takes the bytes of WF_OUTPUT_STREAM, else write may be null; ctx is for `line`,
//               `part` and `row`, too
//   returns     null on an error
//   errors      WF_ERR_USAGE: a function that the format needs is missing; WF_ERR_TOO_MANY: too
//               many names of objects for "seq"; WF_ERR_NOMEM
struct wf_writer *wf_writer_open(const struct wf_format *format, struct wf_session *s,
                                 const struct wf_writer_options *options, wf_write_fn write,
                                 void *ctx, int *err);
// Opens the format "sqlite" without further options, for callers in other languages: `row` takes
// the rows of all tables (wf_tables.h). Otherwise as wf_writer_open.
struct wf_writer *wf_writer_open_rows(struct wf_session *s, wf_row_fn row, void *ctx, int *err);
// Writes one item of the session, in the order wf_session_next returns items. For a writer without
// options.sinks; else wf_sinks_item passes the item to all sinks.
void wf_writer_item(struct wf_writer *w, const struct wf_item *item);
// Adds a line of the caller's own (zero-terminated, without end of line).
void wf_writer_line(struct wf_writer *w, const char *line);
// Writes out what a stream has so far. Returns WF_OK; WF_ERR_WRITE, WF_ERR_NOMEM: it has stopped.
int wf_writer_flush(struct wf_writer *w);
// Ends its sinks (wf_sinks_end) and the format, flushes, frees. Returns WF_OK, WF_ERR_WRITE,
// WF_ERR_NOMEM; WF_ERR_CUT: all is written, but a diagram shows its first part only.
int wf_writer_close(struct wf_writer *w);

// Dictionary files.
//   name   set to "qspyYYMMDD_HHMMSS.dic" after the build time; cap at least 24.
//          Returns false when no TARGET_INFO has come.
bool wf_dict_file_name(const struct wf_session *s, char *name, size_t cap);
// Returns the dictionary file as a new zero-terminated text, which the caller frees.
char *wf_dict_write(const struct wf_session *s, size_t *len);
// Reads names and sizes from a dictionary file's text.
//   returns  WF_OK, WF_ERR_NOMEM, WF_ERR_BAD_DICT (names before the bad line are kept)
struct wf_dict_result {
    char bad_option, bad_line; // letter of an unknown option, first one of an invalid line; or 0
    unsigned line;             // the number of the invalid line, from 1
    bool mismatch;             // an option differs from an earlier target info
};
int wf_dict_read(struct wf_session *s, const char *text, size_t len, struct wf_dict_result *result);

#ifdef __cplusplus
}
#endif
#endif
