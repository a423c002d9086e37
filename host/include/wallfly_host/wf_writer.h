// SPDX-License-Identifier: MIT
// Writers convert the items of a session to a format: text, time lines, tables, sequence diagrams
// (docs/convert.md). All have this interface, so every source works with every format. Opening
// writes the header, items write the contents, and closing writes the footer. Formats that show
// states use a model (wf_model.h), which several writers can share (wf_sinks.h).
// A writer belongs to the thread of its session. It buffers up to 64 KiB; wf_writer_flush writes
// the buffer out.
#ifndef WF_WRITER_H
#define WF_WRITER_H

#include "wf_session.h"
#include "wf_sinks.h"
#include "wf_tables.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wf_writer;

// Writes bytes of a stream. Returns false on an error; the writer then stops writing, and
// wf_writer_close returns WF_ERR_WRITE.
typedef bool (*wf_write_fn)(void *ctx, const char *bytes, size_t len);
// The same for a format of several parts. Parts have the numbers 0, 1, ... and come in any order,
// in pieces. name: of the part; the name of its file for WF_OUTPUT_FOLDER.
typedef bool (*wf_part_fn)(void *ctx, unsigned part, const char *name, const char *bytes,
                           size_t len);

// Kinds of lines of QSPY, for front ends and colours.
enum wf_line_class {
    WF_LINE_RECORD,
    WF_LINE_ERROR, // of the link or of a front end
    WF_LINE_INFO,  // of the host itself
    WF_LINE_USER,  // notes of front ends
    WF_LINE_TEST,
};
typedef void (*wf_line_fn)(void *ctx, enum wf_line_class line, const char *text, size_t len);

enum wf_time_unit { WF_TIME_AUTO, WF_TIME_S, WF_TIME_MS, WF_TIME_US, WF_TIME_TICKS };

// Selects records. A null filter selects all. Losses that overlap the time from from_s to until_s
// are always shown. Formats that show states show those that records of the selected groups cause,
// cut at from_s and until_s.
struct wf_filter {
    size_t size; // sizeof(struct wf_filter)
    bool id[256];
    bool no_events; // slot traces: leave out events that are no records
    bool has_object;
    char object[64];        // name of an object: only records with it are shown
    double from_s, until_s; // seconds since the first time of the trace; see target_clock
    bool has_from, has_until;
    bool has_ticks; // from_tick and until_tick, of the target's clock, in place of seconds
    uint64_t from_tick, until_tick;
};

struct wf_writer_options {
    size_t size;            // sizeof(struct wf_writer_options)
    bool colour;            // "text"
    bool terminal;          // QSPY's formats: escape text of the target (wf_utf8.h)
    bool csv_raw;           // "csv", "tables": do not escape texts (wf_table_csv_text)
    enum wf_time_unit time; // "text"
    bool target_clock; // times of "text" and of the filter are those of the target's clock, not
                       // since the first time of the trace. Ticks, and all times without a rate,
                       // always are
    const struct wf_filter *filter; // not for QSPY's formats
    const char *objects; // for sequence diagrams: names separated by commas, '?' for all others
    unsigned most;     // "mscgen", "mermaid", "sequence": limit of arrows and notes; 0: the default
    uint64_t zero;     // "sequence": times are ticks since this one
    wf_line_fn line;   // "qspy": receives each line without its end, in place of wf_write_fn
    wf_part_fn part;   // required for WF_OUTPUT_JOINED and WF_OUTPUT_FOLDER
    wf_row_fn row;     // required for WF_OUTPUT_ROWS
    bool records_only; // WF_OUTPUT_ROWS: write only table `record`, without keeping state
    uint64_t rows;     // tables: number of the row of `record` before the first one
    const char *source;     // name of the source, as part of the output; or null
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
    const char *suffix; // of file names, with the dot
    enum wf_output output;
    enum wf_dialect dialect; // this and the next two: options that the session must have
    bool info8, all_names;   // (wf_session_options)
    bool binary;             // not for a terminal
};

extern const struct wf_format wf_formats[]; // "text", "qspy", "mat", ...
extern const unsigned wf_format_count;
const struct wf_format *wf_format_find(const char *name); // null if unknown

// Opens a writer, which must be closed before its session.
//   options     copied with the data they point to; null: all 0. A size of 0, also of the filter,
//               is WF_ERR_USAGE; members that an older, smaller struct does not have are 0
//   write       required for WF_OUTPUT_STREAM
//   ctx         for `write` and for the functions of the options
//   error       set, may be null. WF_ERR_USAGE: a function that the format needs is missing;
//               WF_ERR_TOO_MANY: too many names of objects for "seq"; WF_ERR_NOMEM
//   returns     null on an error
struct wf_writer *wf_writer_open(const struct wf_format *format, struct wf_session *s,
                                 const struct wf_writer_options *options, wf_write_fn write,
                                 void *ctx, struct wf_error *error);
// Opens the format "sqlite" with no other option, for callers in other languages: `row` receives
// the rows of all tables (wf_tables.h). Otherwise as wf_writer_open.
struct wf_writer *wf_writer_open_rows(struct wf_session *s, wf_row_fn row, void *ctx,
                                      struct wf_error *error);
// Writes an item of the session. Items come in the order of wf_session_next. A writer of a group
// (options.sinks) gets its items by wf_sinks_item instead.
void wf_writer_item(struct wf_writer *w, const struct wf_item *item);
// Adds a line of the caller's own (zero-terminated, without end of line).
void wf_writer_line(struct wf_writer *w, const char *line);
// Writes the buffer of a stream out. Returns WF_OK, or WF_ERR_WRITE, WF_ERR_NOMEM if the writer has
// stopped.
int wf_writer_flush(struct wf_writer *w);
// Ends the group (wf_sinks_end), writes the rest and frees the writer. Returns WF_OK, WF_ERR_WRITE,
// WF_ERR_NOMEM; WF_ERR_CUT: a diagram shows only its first part.
int wf_writer_close(struct wf_writer *w);

// Writes the text of a log record, as printed, to at most `cap` bytes, zero-terminated. Returns
// false when out of memory.
bool wf_record_log_text(struct wf_session *s, const struct wf_record *r, char *to, size_t cap);

// Dictionary files.
// Sets name to "qspyYYMMDD_HHMMSS.dic", by the build time; cap must be at least 24. Returns false
// if there was no TARGET_INFO.
bool wf_dict_file_name(const struct wf_session *s, char *name, size_t cap);
// Returns the dictionary file as a zero-terminated text that the caller frees; null when out of
// memory.
char *wf_dict_write(const struct wf_session *s, size_t *len);
// Reads names and sizes from the text of a dictionary file. Returns WF_OK, WF_ERR_NOMEM,
// WF_ERR_BAD_DICT (names before the invalid line are kept).
struct wf_dict_result {
    char bad_option, bad_line; // letter of an unknown option; first letter of an invalid line; or 0
    unsigned line;             // number of the invalid line, from 1
    bool mismatch;             // an option differs from the target info
};
int wf_dict_read(struct wf_session *s, const char *text, size_t len, struct wf_dict_result *result);

#ifdef __cplusplus
}
#endif
#endif
