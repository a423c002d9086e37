// SPDX-License-Identifier: MIT
// Statistics of the lanes of a stream.
#ifndef STATS_H
#define STATS_H

#include "stream.h"
#include "wallfly_server/stats_data.h"

// Ends the statistics of a lane (its `user`), for output on standard output. Returns false for a
// lane without items, and after an error message, which sets the stream's code.
bool stats_end_lane(struct lane *l, const char *task, struct stats *s);
void stats_text(const struct stats *s);
// Prints all lanes with stats_text, stats_json or stats_csv. task: null, or only its rows. Returns
// an exit code.
int stats_print(const struct stream *stream, void (*put)(const struct stats *s), const char *task);
// Checks the name of a profile; null: none is saved. Returns false after an error message.
bool stats_save_check(const struct args *args, const char *name);
// Saves all lanes, with their behaviour. Returns an exit code.
int stats_save(const struct stream *stream, const struct wf_behaviour *b, const char *name);

// Cells and row labels of the text (stats_cells.c).
enum { CELL_TEXT = 32 };

// A time in ns, us, ms or s, or in ticks if the rate is unknown.
void cell_time(const struct stats *s, double ticks, char text[CELL_TEXT]);
// A point in time, in the format of print.
void cell_point(const struct stats *s, uint64_t tick, char text[CELL_TEXT]);
void cell_value(const struct stats *s, enum wf_unit unit, double value, char text[CELL_TEXT]);

// Several tasks reported as one: "child x60". Returns text.
const char *label_tasks(const char *name, uint64_t count, char text[128]);
// Formats the label of a row.
void label_row(const struct wf_stats_row *row, char text[256]);
// Prints it, cut or padded to the width of the column.
void label_put(const struct wf_stats_row *row, int width);

#endif
