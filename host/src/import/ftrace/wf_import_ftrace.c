// SPDX-License-Identifier: MIT
// ftrace text: /sys/kernel/tracing/trace, `trace-cmd report`, NuttX's `trace dump`. A task's key is
// its pid; pid 0 is the idle task of each core. Stamps become nanoseconds; those of trace clocks
// without a fraction are ticks of an unknown length.

#include <stdlib.h>

#include "wallfly_host/wf_text_trace.h"
#include "wfi_ftrace.h"

enum { SNIFF_MAX = 8192 }; // text without an event after which it is none of this format

static const char *const lacks[] = {"whether a task that could run on was preempted or gave way",
                                    "the object a task waits for", "fill levels of queues",
                                    "holders of mutexes", NULL};

// ---- detection

static bool is_event(struct wfi_part line) {
    struct wfi_ftrace_line l;
    return wfi_part_skip(&line, "# tracer: ") || wfi_ftrace_read(line, &l);
}

static enum wfi_sniff sniff_ftrace(const uint8_t *bytes, size_t len, bool whole) {
    if (!wfi_import_is_text(bytes, len) || wf_text_trace_is(bytes, len) == WF_TEXT_YES)
        return WFI_SNIFF_NO;
    if (wfi_lines_any(bytes, len, whole, is_event)) return WFI_SNIFF_YES;
    return whole || len >= SNIFF_MAX ? WFI_SNIFF_NO : WFI_SNIFF_PERHAPS;
}

// ---- lines that are no events

// "# entries-in-buffer/entries-written: 490/520   #P:2"
static void take_header(struct wfi_import *im, struct wfi_part line) {
    struct wfi_ftrace *f = wfi_ftrace_of(im);
    struct wfi_part numbers;
    uint64_t held, written, cores;
    if (f->begun || !wfi_part_find(line, "entries-written:", NULL, &numbers)) return;
    if (wfi_part_value(numbers, "#P:", &cores) && cores <= WFI_IMPORT_CORES) f->cores = cores;
    numbers = wfi_part_trim(numbers);
    struct wfi_part ratio = wfi_part_cut(&numbers, ' ');
    struct wfi_part first = wfi_part_cut(&ratio, '/');
    if (wfi_part_number(first, &held) && wfi_part_number(ratio, &written) && written > held)
        f->overwritten = written - held;
}

// "CPU:1 [LOST 123 EVENTS]", trace-cmd also "CPU:1 [123 EVENTS DROPPED]"; the number may be absent.
static bool take_loss(struct wfi_import *im, struct wfi_part line) {
    struct wfi_ftrace *f = wfi_ftrace_of(im);
    struct wfi_part number;
    uint64_t cpu, events = 0;
    if (!wfi_part_skip(&line, "CPU:") && !wfi_part_skip(&line, "CPU ")) return false;
    number = wfi_part_trim(wfi_part_cut(&line, '['));
    if (!wfi_part_number(number, &cpu) || cpu >= WFI_IMPORT_CORES) return false;
    bool lost = wfi_part_skip(&line, "LOST ");
    bool known = wfi_part_number(wfi_part_cut(&line, ' '), &events);
    if (!lost && !wfi_part_find(line, "DROPPED", NULL, NULL)) return false;
    im->core = (unsigned)cpu;
    wfi_import_loss(im, events, known, "the kernel's ring buffer was full");
    memset(f->is_running, 0, sizeof f->is_running);
    ++f->epoch;
    return true;
}

// Lines that belong to the event before them: a stack trace.
static bool is_stack(struct wfi_part line) {
    line = wfi_part_trim(line);
    return wfi_part_skip(&line, "=>") || wfi_part_skip(&line, "<stack trace>") ||
           wfi_part_skip(&line, "<user stack trace>");
}

static void take_other(struct wfi_import *im, struct wfi_part line) {
    struct wfi_ftrace *f = wfi_ftrace_of(im);
    uint64_t cores;
    if (take_loss(im, line) || is_stack(line)) return;
    if (f->begun) {
        wfi_import_damage(im, im->offset, line.len, "a line that is no event");
        memset(f->is_running, 0, sizeof f->is_running);
        ++f->epoch;
    } else if (wfi_part_skip(&line, "cpus=") && wfi_part_number(wfi_part_trim(line), &cores) &&
               cores <= WFI_IMPORT_CORES) {
        f->cores = cores; // trace-cmd's first line
    } else {
        f->others = true;
    }
}

// ---- events

static void begin_trace(struct wfi_import *im, const struct wfi_ftrace_line *l) {
    struct wfi_ftrace *f = wfi_ftrace_of(im);
    f->begun = true;
    f->in_seconds = l->in_seconds;
    wfi_import_target(im, l->in_seconds ? 1000000000 : 0, 4, (unsigned)f->cores);
    if (f->overwritten) wfi_import_beginning(im, f->overwritten);
}

static void take_event(struct wfi_import *im, const struct wfi_ftrace_line *l) {
    if (l->cpu >= WFI_IMPORT_CORES) {
        wfi_import_fail(im, im->offset, "CPU %u, only 0 to %d can be read", (unsigned)l->cpu,
                        WFI_IMPORT_CORES - 1);
        return;
    }
    im->core = (unsigned)l->cpu;
    im->tick = l->tick;
    wfi_ftrace_context(im, l);
    bool done = l->form == WFI_FTRACE_EVENT
                    ? wfi_ftrace_sched(im, l) || wfi_ftrace_irq(im, l) || wfi_ftrace_mark(im, l)
                    : wfi_ftrace_syscall(im, l);
    if (!done) wfi_ftrace_event(im, l);
}

static void take_line(struct wfi_import *im, struct wfi_part line) {
    struct wfi_ftrace *f = wfi_ftrace_of(im);
    struct wfi_ftrace_line l;
    struct wfi_part text = wfi_part_trim(line);
    if (!text.len) return;
    if (text.at[0] == '#') {
        take_header(im, text);
        return;
    }
    bool event = wfi_ftrace_read(line, &l);
    if (event && !f->begun) begin_trace(im, &l);
    if (event && l.in_seconds == f->in_seconds)
        take_event(im, &l);
    else
        take_other(im, line);
}

static size_t decode_ftrace(struct wfi_import *im, const uint8_t *bytes, size_t len, bool last) {
    struct wfi_ftrace *f = wfi_ftrace_of(im);
    size_t used = wfi_lines_decode(im, &f->lines, bytes, len, last, take_line);
    if (last && used == len && f->others && !f->begun)
        wfi_import_fail(im, 0, "no line has TASK-PID [CPU] TIME: EVENT, as that of most tracers");
    return used;
}

static void close_ftrace(struct wfi_import *im) {
    struct wfi_ftrace *f = wfi_ftrace_of(im);
    for (size_t i = 0; i < f->task_count; ++i) free(f->tasks[i].spans);
    free(f->tasks);
    wfi_index_close(&f->index);
}

const struct wfi_import_format wfi_import_ftrace = {
    .name = "ftrace text",
    .sniff = sniff_ftrace,
    .size = sizeof(struct wfi_ftrace),
    .decode = decode_ftrace,
    .close = close_ftrace,
    .lacks = lacks,
};
