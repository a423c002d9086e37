// SPDX-License-Identifier: MIT
// The text sender: the members of the events in arrays of their own, so that there is no padding;
// and a formatter that makes a line when the line before was sent.
//
// An event is stored with interrupts off: first a place is found, then the time is taken. Of events
// without a place only the number and the time of the first are kept; they are stored as an event
// of their own before the next event that finds a place.

#include "wfi_core.h"

#include "wallfly/wf_text_events.h"

#if WF_CFG_TEXT

enum {
    WFI_TEXT_PTR_DIGITS = 2 * sizeof(void *),
    WFI_TEXT_LINE =
        32 + 2 * WFI_TEXT_PTR_DIGITS, // "p ", a time of 16 digits, " JP ", " -t ", two pointers
    WFI_TEXT_NAME = 12                // of a program's own event
};
#define WFI_TEXT_HZ_MAX UINT32_C(429496729) // ten times this is a 32-bit number

struct text_event {
    uint8_t type;
    uint32_t time; // stamp; for a task its priority
    const void *a, *b;
};

static struct {
    uint16_t head, count; // of the events: index of the oldest, number of events
    uint8_t type[WF_CFG_TEXT_EVENTS];
    uint32_t time[WF_CFG_TEXT_EVENTS];
    const void *a[WF_CFG_TEXT_EVENTS], *b[WF_CFG_TEXT_EVENTS];
    uint32_t lost, lost_untold, lost_at;
    // Used by the reader only:
    uint32_t hz, last, seconds, ticks; // last: stamp counted up to; the time there
    uint8_t at, len;                   // position in the line
    char line[WFI_TEXT_LINE];
    const char *name; // ends the line, if not null
    const void *next; // task of the second line of a switch
} text;

// ---- storing events ----

static void text_store(uint8_t type, uint32_t time, const void *a, const void *b) {
    uint16_t i = (uint16_t)((text.head + text.count++) % WF_CFG_TEXT_EVENTS);
    text.type[i] = type;
    text.time[i] = time;
    text.a[i] = a;
    text.b[i] = b;
}

static void text_store_lost(void) {
    uintptr_t n = (uintptr_t)text.lost_untold;
    if (n != text.lost_untold) n = UINTPTR_MAX;
    text_store(WFI_TEXT_USER, text.lost_at, "lost", (const void *)n);
    text.lost_untold = 0;
}

static void text_add(uint8_t type, bool timed, uint32_t time, const void *a, const void *b) {
    uint32_t was = wf_port_lock();
    uint32_t now = (uint32_t)wf_port_now();
    uint16_t wanted = text.lost_untold ? 2 : 1;
    if (WF_CFG_TEXT_EVENTS - text.count < wanted) {
        if (!text.lost_untold++) text.lost_at = now;
        ++text.lost;
    } else {
        if (text.lost_untold) text_store_lost();
        text_store(type, timed ? now : time, a, b);
    }
    wf_port_unlock(was);
}

void wfi_text_put(enum wfi_text_type type, const void *a, const void *b) {
    text_add((uint8_t)type, true, 0, a, b);
}

void wfi_text_task(const void *task, int prio, const char *name) {
    text_add(WFI_TEXT_TASK, false, (uint32_t)(int32_t)prio, task, name);
}

// The name is put into the line that announces the task or mutex, if that was not sent yet.
void wfi_text_name(const void *thing, const char *name) {
    uint32_t was = wf_port_lock();
    for (uint16_t n = text.count; n--;) {
        uint16_t i = (uint16_t)((text.head + n) % WF_CFG_TEXT_EVENTS);
        if (text.type[i] > WFI_TEXT_MUTEX || text.a[i] != thing) continue;
        text.b[i] = name;
        break;
    }
    wf_port_unlock(was);
}

// A job ends when its task waits again; any other switch away from it is preemption.
void wfi_text_switch(const struct wf_part_switch *s) {
    bool ends = s->reason == WF_SWITCH_blocked || s->reason == WF_SWITCH_delayed ||
                s->reason == WF_SWITCH_suspended || s->reason == WF_SWITCH_ended;
    if (s->last || s->next)
        wfi_text_put(ends ? WFI_TEXT_COMPLETE : WFI_TEXT_PREEMPT, s->last, s->next);
}

void wf_text_event(const char *name, uintptr_t number) {
    wfi_text_put(WFI_TEXT_USER, name, (const void *)number);
}

uint32_t wf_text_lost(void) {
    uint32_t was = wf_port_lock();
    uint32_t lost = text.lost;
    wf_port_unlock(was);
    return lost;
}

// ---- time: seconds and ticks, so that nothing is rounded off and nothing wraps ----

static void text_time_to(uint32_t stamp) {
    uint32_t ticks = stamp - text.last;
    text.last = stamp;
    text.seconds += ticks / text.hz;
    text.ticks += ticks % text.hz;
    if (text.ticks < text.hz) return;
    text.ticks -= text.hz;
    ++text.seconds;
}

// ---- formatting lines ----

// Blanks and unprintable characters would end the name, or the line.
static char text_safe(char c) { return c > ' ' && c < 0x7F ? c : '_'; }

static void text_char(char c) { text.line[text.len++] = c; }

static void text_word(const char *word) {
    while (*word) text_char(*word++);
}

static void text_decimal(uintptr_t v) {
    char digits[20];
    uint8_t n = 0;
    do {
        digits[n++] = (char)('0' + v % 10);
        v /= 10;
    } while (v);
    while (n) text_char(digits[--n]);
}

static void text_pointer(const void *p) {
    uintptr_t v = (uintptr_t)p;
    uint8_t shift = 8 * sizeof v;
    while (shift > 4 && !(v >> (shift - 4))) shift = (uint8_t)(shift - 4);
    do {
        shift = (uint8_t)(shift - 4);
        text_char("0123456789abcdef"[v >> shift & 15]);
    } while (shift);
}

// "p " and the microseconds: the seconds, then six digits of the ticks' part of a second.
static void text_time(void) {
    uint8_t start, cut = text.hz > WFI_TEXT_HZ_MAX ? 4 : 0;
    uint32_t rest = text.ticks >> cut, hz = ((text.hz - 1) >> cut) + 1;
    text_word("p ");
    start = text.len;
    for (uint32_t unit = 1000000000, left = text.seconds; unit; left %= unit, unit /= 10) {
        if (text.len > start || left >= unit) text_char((char)('0' + left / unit));
    }
    for (uint8_t i = 0; i < 6; ++i) {
        rest *= 10;
        char digit = (char)('0' + rest / hz);
        rest %= hz;
        if (text.len > start || digit != '0' || i == 5) text_char(digit);
    }
    text_char(' ');
}

// A line of an event: code, task, and the other task or object if there is one.
static void text_plot(const char *code, const void *a, const char *between, const void *b) {
    text_time();
    text_word(code);
    text_pointer(a);
    if (b) text_word(between);
    if (b) text_pointer(b);
    text_char('\n');
}

static void text_mutex(const char *code, const struct text_event *e) {
    if (WF_CFG_TEXT_TASK_FIRST)
        text_plot(code, e->b, " ", e->a);
    else
        text_plot(code, e->a, " ", e->b);
}

static void text_user(const struct text_event *e) {
    const char *name = (const char *)e->a;
    text_time();
    for (uint8_t i = 0; i < WFI_TEXT_NAME && name[i]; ++i) text_char(text_safe(name[i]));
    text_char(' ');
    text_decimal((uintptr_t)e->b);
    text_char('\n');
}

// "nT 330 -p 19 -n name" or "nM 20e3 -n name".
static void text_new(const struct text_event *e) {
    const char *name = (const char *)e->b;
    text_word(e->type == WFI_TEXT_TASK ? "nT " : "nM ");
    text_pointer(e->a);
    int32_t prio = (int32_t)e->time;
    if (e->type == WFI_TEXT_TASK && prio != WF_PRIO_UNKNOWN) {
        text_word(prio < 0 ? " -p -" : " -p ");
        text_decimal((uintptr_t)(prio < 0 ? -prio : prio));
    }
    if (name && *name) {
        text_word(" -n ");
        text.name = name;
    } else {
        text_char('\n');
    }
}

static void text_leave(const char *code, const struct text_event *e) {
    text.next = e->b;
    if (e->a && e->type == WFI_TEXT_PREEMPT)
        text_plot(code, e->a, " -t ", e->b);
    else if (e->a)
        text_plot(code, e->a, "", NULL);
}

static void text_line(const struct text_event *e) {
    if (e->type > WFI_TEXT_MUTEX) text_time_to(e->time);
    switch (e->type) {
    case WFI_TEXT_TASK:
    case WFI_TEXT_MUTEX: text_new(e); break;
    case WFI_TEXT_ARRIVED: text_plot("JA ", e->a, "", NULL); break;
    case WFI_TEXT_PREEMPT: text_leave("JP ", e); break;
    case WFI_TEXT_COMPLETE: text_leave("JC ", e); break;
    case WFI_TEXT_ACQUIRED: text_mutex("AM ", e); break;
    case WFI_TEXT_RELEASED: text_mutex("RM ", e); break;
    default: text_user(e);
    }
}

// Takes the oldest event. While there is none, advances the time, so that no wrap of the stamp is
// missed.
static bool text_take(struct text_event *e) {
    uint32_t was = wf_port_lock();
    if (!text.count && text.lost_untold) text_store_lost();
    bool took = text.count != 0;
    if (took) {
        uint16_t i = text.head;
        *e = (struct text_event){text.type[i], text.time[i], text.a[i], text.b[i]};
        text.head = (uint16_t)((i + 1) % WF_CFG_TEXT_EVENTS);
        --text.count;
    } else {
        text_time_to((uint32_t)wf_port_now());
    }
    wf_port_unlock(was);
    return took;
}

static bool text_next_line(void) {
    struct text_event e;
    text.at = text.len = 0;
    if (!text.next && text_take(&e)) text_line(&e);
    if (text.len || !text.next) return text.len != 0;
    text_plot("JR ", text.next, "", NULL);
    text.next = NULL;
    return true;
}

void wf_text_start(uint32_t hz) {
    text.hz = hz;
    if (text.ticks >= hz) text.ticks = 0;
}

int wf_text_get_byte(void) {
    if (!text.hz) return -1;
    if (text.at == text.len && !text.name && !text_next_line()) return -1;
    if (text.at < text.len) return (uint8_t)text.line[text.at++];
    char c = *text.name++;
    if (c) return (uint8_t)text_safe(c);
    text.name = NULL;
    return '\n';
}

#endif
