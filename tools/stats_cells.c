// SPDX-License-Identifier: MIT
// Cells and row labels of statistics as text.

#include "stats.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void cell_time(const struct stats *s, double ticks, char text[CELL_TEXT]) {
    static const char *const units[] = {"ns", "us", "ms", "s"};
    unsigned unit = 0;
    if (!s->about.hz) {
        snprintf(text, CELL_TEXT, "%.10g", ticks);
        return;
    }
    double value = ticks * 1e9 / (double)s->about.hz;
    while (unit < 3 && value >= 999.95) {
        value /= 1000;
        ++unit;
    }
    snprintf(text, CELL_TEXT, value < 1000 ? "%.4g %s" : "%.0f %s", value, units[unit]);
}

void cell_point(const struct stats *s, uint64_t tick, char text[CELL_TEXT]) {
    double since = (double)(int64_t)(tick - s->about.zero);
    if (s->about.hz)
        snprintf(text, CELL_TEXT, "%.6f s", since / (double)s->about.hz);
    else
        snprintf(text, CELL_TEXT, "%" PRIu64, tick);
}

void cell_value(const struct stats *s, enum wf_unit unit, double value, char text[CELL_TEXT]) {
    if (unit == WF_UNIT_TICKS)
        cell_time(s, value, text);
    else if (unit == WF_UNIT_PERCENT)
        snprintf(text, CELL_TEXT, "%.2f %%", value);
    else
        snprintf(text, CELL_TEXT, "%.10g", value);
}

// Returns the length of a name cut to `most` bytes, at a character boundary.
static int clip(const char *name, size_t most) {
    size_t len = strnlen(name, most + 1);
    if (len <= most) return (int)len;
    while (most && ((unsigned char)name[most] & 0xC0) == 0x80) --most;
    return (int)most;
}

const char *label_tasks(const char *name, uint64_t count, char text[128]) {
    if (!name) name = "-";
    if (count > 1)
        snprintf(text, 128, "%.*s x%" PRIu64, clip(name, 100), name, count);
    else
        snprintf(text, 128, "%.*s", clip(name, 120), name);
    return text;
}

void label_row(const struct wf_stats_row *row, char text[256]) {
    char task[128], by[128], over[128];
    label_tasks(row->task, row->tasks, task);
    label_tasks(row->by, row->by_tasks, by);
    label_tasks(row->over, row->over_tasks, over);
    switch (row->kind) {
    case WF_STATS_CORE: snprintf(text, 256, "core %d", row->core); break;
    case WF_STATS_TASK: snprintf(text, 256, "%s", task); break;
    case WF_STATS_IRQ:
        snprintf(text, 256, "interrupt %s%s", row->name, row->core ? " of core " : "");
        if (row->core) snprintf(text + strlen(text), 256 - strlen(text), "%d", row->core);
        break;
    case WF_STATS_OBJECT:
        snprintf(text, 256, "%s %.*s", row->what, clip(row->name, 200), row->name);
        break;
    case WF_STATS_HOLD:
    case WF_STATS_WAIT:
        snprintf(text, 256, "%.*s: %s", clip(row->object, 100), row->object, task);
        break;
    case WF_STATS_BLOCKED:
        snprintf(text, 256, "%.*s: %.*s by %.*s", clip(row->object, 80), row->object,
                 clip(task, 80), task, clip(by, 80), by);
        break;
    case WF_STATS_INVERSION:
        snprintf(text, 256, "%.*s, %.*s, %.*s", clip(task, 80), task, clip(by, 80), by,
                 clip(over, 80), over);
        break;
    default: snprintf(text, 256, "%.*s", clip(row->name, 250), row->name);
    }
}

void label_put(const struct wf_stats_row *row, int width) {
    char label[256];
    label_row(row, label);
    const char *text = shown_text(label);
    int chars = (int)shown_width(text), room = chars > width ? width - 2 : width;
    for (; *text && room; ++text) {
        putchar(*text);
        if (((unsigned char)text[1] & 0xC0) != 0x80) --room;
    }
    if (chars > width)
        fputs("..", stdout);
    else
        printf("%*s", room, "");
}
