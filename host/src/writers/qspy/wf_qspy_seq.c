// SPDX-License-Identifier: MIT
// QSPY's sequence diagram. Lane i is in column 19 + 20 i. A line is drawn on a canvas of blanks and
// lanes, then cut at its last used column.

#include <string.h>

#include "writers/wfi_writer.h"

enum {
    LANES_MAX = 10,
    LANE_TEXT = 64,
    LANE_FIRST = 19,
    LANE_STEP = 20,
    BOX_HALF = 8,
    LABEL_MAX = 15,
    LABEL_MAX_LONG = 16,
    CANVAS = LANE_FIRST + LANE_STEP * LANES_MAX + 64,
    HEADER_EVERY = 100,
};

struct lane {
    char name[LANE_TEXT];
    uint64_t obj;
    bool known; // obj is set
};

struct seq {
    struct lane lanes[LANES_MAX];
    unsigned lane_count, lines;
    int other; // index of the lane of all others, or -1
};

static struct seq *seq(const struct wf_writer *w) { return w->own; }

static unsigned column(unsigned lane) { return LANE_FIRST + LANE_STEP * lane; }

// A line with text from outside.
static void put_line(struct wf_writer *w, const char *line, size_t len) {
    size_t from = wfi_strbuf_len(&w->text);
    wfi_strbuf_bytes(line, len, &w->text);
    if (w->options.terminal) wfi_strbuf_show(&w->text, from);
    wfi_strbuf_put(&w->text, "\n");
}

static void put_box_edge(struct wf_writer *w) {
    char line[CANVAS];
    memset(line, ' ', sizeof line);
    for (unsigned i = 0; i < seq(w)->lane_count; ++i) {
        memcpy(line + column(i) - BOX_HALF, "+-------+-------+", 17);
    }
    wfi_strbuf_bytes(line, column(seq(w)->lane_count - 1) + BOX_HALF + 1, &w->text);
    wfi_strbuf_put(&w->text, "\n");
}

static void put_header(struct wf_writer *w) {
    char line[CANVAS];
    put_box_edge(w);
    memset(line, ' ', sizeof line);
    for (unsigned i = 0; i < seq(w)->lane_count; ++i) {
        size_t len = strlen(seq(w)->lanes[i].name);
        if (len > LABEL_MAX) len = LABEL_MAX;
        line[column(i) - BOX_HALF] = line[column(i) + BOX_HALF] = '|';
        memcpy(line + column(i) - BOX_HALF + 1 + (LABEL_MAX - len) / 2, seq(w)->lanes[i].name, len);
    }
    put_line(w, line, column(seq(w)->lane_count - 1) + BOX_HALF + 1);
    put_box_edge(w);
    seq(w)->lines += 3;
}

static int open_seq(struct wf_writer *w) {
    struct seq *q = w->own;
    const char *list = w->objects ? w->objects : "";
    q->other = -1;
    for (const char *p = list; *p;) {
        size_t name = strcspn(p, ",");
        if (q->lane_count == LANES_MAX) return WF_ERR_TOO_MANY;
        struct lane *lane = &q->lanes[q->lane_count];
        memcpy(lane->name, p, name < LANE_TEXT ? name : LANE_TEXT - 1);
        if (strcmp(lane->name, "?") == 0) q->other = (int)q->lane_count;
        lane->known = strcmp(lane->name, "NULL") == 0 ||
                      wf_session_find_key(w->s, WF_EFFECT_NAME_OBJECT, lane->name, 0, &lane->obj);
        ++q->lane_count;
        p += name + (p[name] == ',');
    }
    wfi_strbuf_put(&w->text, "-g ");
    put_line(w, list, strlen(list));
    wfi_strbuf_put(&w->text, "\n");
    if (q->lane_count) put_header(w);
    return WF_OK;
}

struct canvas {
    char at[CANVAS];
    unsigned len; // columns used
};

// Draws the columns from `from` up to `len`: the lanes, and between them `odd` and `even`.
static void put_lanes(const struct wf_writer *w, struct canvas *c, unsigned from, unsigned len,
                      char odd, char even) {
    for (unsigned i = from; i < len && i < CANVAS; ++i) c->at[i] = i & 1 ? odd : even;
    for (unsigned i = 0; i < seq(w)->lane_count && i < LANES_MAX; ++i) {
        if (column(i) >= from) c->at[column(i)] = '|';
    }
    c->len = len;
}

static unsigned full_width(const struct wf_writer *w) {
    return 6 + LANE_STEP * seq(w)->lane_count + 1;
}

static void put_stamp(const struct wf_writer *w, const struct wf_record *r, struct canvas *c) {
    memset(c->at, ' ', sizeof c->at);
    // There is room for ten digits. Stamps of slot traces may be longer; the last digits are shown.
    wfi_ten(c->at, w->s->slots.on ? r->stamp % 10000000000 : r->stamp);
    put_lanes(w, c, 10, column(seq(w)->lane_count - 1) + 1, ' ', ' ');
}

static void put_label(struct canvas *c, unsigned at, const char *text, size_t len) {
    memcpy(c->at + at, text, len);
    if (c->len < at + len) c->len = at + (unsigned)len;
}

static void write_canvas(struct wf_writer *w, struct canvas *c, int star, char mark) {
    if (seq(w)->other >= 0) c->at[column((unsigned)seq(w)->other)] = '/';
    if (star >= 0) c->at[column((unsigned)star)] = mark;
    if (seq(w)->lines % HEADER_EVERY == 0) put_header(w);
    put_line(w, c->at, c->len);
    ++seq(w)->lines;
}

static int lane_of(const struct wf_writer *w, uint64_t obj) {
    for (unsigned i = 0; i < seq(w)->lane_count; ++i) {
        if (seq(w)->lanes[i].known && seq(w)->lanes[i].obj == obj) return (int)i;
    }
    return -1;
}

// The signal's name as QSPY prints it, cut to max.
static size_t signal_text(struct wf_writer *w, const struct wf_record *r, size_t max,
                          char text[LABEL_MAX_LONG]) {
    size_t from = wfi_strbuf_len(&w->text);
    uint64_t any = wfi_value(r, WF_KIND_SIGNAL_ANY);
    uint64_t sig = any ? any : wfi_value(r, WF_KIND_SIGNAL);
    wfi_put_signal(w->s, sig, any ? 0 : wfi_value(r, WF_KIND_OBJECT), &w->text);
    size_t len = wfi_strbuf_len(&w->text) - from;
    if (len > max) len = max;
    memcpy(text, w->text.buf + from, len);
    w->text.end = w->text.buf + from;
    return len;
}

static void put_arrow(struct canvas *c, unsigned from, unsigned to, char fill) {
    unsigned low = from < to ? from : to, high = from < to ? to : from;
    memset(c->at + column(low), fill, column(high) - column(low));
    for (unsigned i = low; i < high; ++i) c->at[column(i)] = '+';
}

// A signal that an object sends to itself, or that has no sender.
static void put_loop(struct canvas *c, unsigned lane, const char *sign, const char *text,
                     size_t len) {
    put_label(c, column(lane) + 1, sign, 2);
    put_label(c, column(lane) + 3, text, len);
    put_label(c, column(lane) + 3 + (unsigned)len, "]", 1);
}

static void put_post(struct wf_writer *w, const struct wf_record *r, char fill, char mark) {
    char text[LABEL_MAX_LONG];
    struct canvas c;
    int from = lane_of(w, wfi_value(r, WF_KIND_SENDER));
    int to = lane_of(w, wfi_value(r, WF_KIND_OBJECT));
    if (from < 0) from = seq(w)->other;
    if (to < 0) to = seq(w)->other;
    if (from < 0 || to < 0 || (from == to && from == seq(w)->other)) return;
    size_t len = signal_text(w, r, LABEL_MAX, text);
    unsigned a = (unsigned)from, b = (unsigned)to;
    put_stamp(w, r, &c);
    if (a < b) {
        put_arrow(&c, a, b, fill);
        c.at[column(b) - 1] = '>';
        put_label(&c, column(a) + 3, text, len);
    } else if (a > b) {
        put_arrow(&c, a, b, fill);
        c.at[column(b)] = '|';
        c.at[column(b) + 1] = '<';
        put_label(&c, column(a) - 2 - (unsigned)len, text, len);
    } else {
        put_loop(&c, a, "<-", text, len);
    }
    write_canvas(w, &c, from, mark);
}

static void put_post_lifo(struct wf_writer *w, const struct wf_record *r) {
    char text[LABEL_MAX_LONG];
    struct canvas c;
    int at = lane_of(w, wfi_value(r, WF_KIND_OBJECT));
    if (at < 0) return;
    size_t len = signal_text(w, r, LABEL_MAX_LONG, text);
    put_stamp(w, r, &c);
    put_loop(&c, (unsigned)at, "<=", text, len);
    write_canvas(w, &c, at, '*');
}

static void put_publish(struct wf_writer *w, const struct wf_record *r) {
    char text[LABEL_MAX_LONG];
    struct canvas c;
    int at = lane_of(w, wfi_value(r, WF_KIND_SENDER));
    if (at < 0) at = seq(w)->other;
    if (at < 0) return;
    size_t len = signal_text(w, r, LABEL_MAX_LONG, text);
    put_stamp(w, r, &c);
    put_lanes(w, &c, 10, full_width(w), '.', ' ');
    unsigned lane = (unsigned)at, col = column(lane);
    put_label(&c, lane + 1 < seq(w)->lane_count ? col + 3 : col - 2 - (unsigned)len, text, len);
    write_canvas(w, &c, at, '*');
}

static void put_tick(struct wf_writer *w, const struct wf_record *r) {
    struct canvas c;
    memset(c.at, ' ', sizeof c.at);
    memcpy(c.at, "##########  Tick<", 17);
    char *p = wfi_dec(c.at + 17, wfi_value(r, WF_KIND_RATE));
    memcpy(p, "> Ctr=", 6);
    wfi_ten(p + 6, wfi_value(r, WF_KIND_TICKS));
    put_lanes(w, &c, 34, full_width(w), ' ', '\'');
    write_canvas(w, &c, -1, 0);
}

// Puts a text in brackets on the lane of the record's object, centred.
static void put_note(struct wf_writer *w, const struct wf_record *r, const char *text, size_t len) {
    struct canvas c;
    int at = lane_of(w, wfi_value(r, WF_KIND_OBJECT));
    if (at < 0) return;
    put_stamp(w, r, &c);
    put_label(&c, column((unsigned)at) - (unsigned)(len - 1) / 2, text, len);
    write_canvas(w, &c, -1, 0);
}

static void put_transition(struct wf_writer *w, const struct wf_record *r) {
    char text[LABEL_MAX_LONG + 2] = "<";
    size_t from = wfi_strbuf_len(&w->text);
    uint64_t target = 0; // the last state of the record
    for (unsigned i = 0; i < r->row->count; ++i) {
        if (r->row->fields[i].kind == WF_KIND_STATE) target = r->value[i];
    }
    wfi_put_function(w->s, target, &w->text);
    wfi_strbuf_bytes("", 1, &w->text);
    const char *name = w->text.buf + from;
    size_t cut = strcspn(name, "_");
    const char *colons = strstr(name, "::");
    if (colons && (size_t)(colons - name) < cut)
        name = colons + 2;
    else if (name[cut])
        name += cut + 1;
    size_t len = strlen(name);
    if (len > LABEL_MAX) len = LABEL_MAX;
    memcpy(text + 1, name, len);
    text[len + 1] = '>';
    w->text.end = w->text.buf + from;
    put_note(w, r, text, len + 2);
}

static void take_item(struct wf_writer *w, const struct wf_item *item) {
    if (item->kind != WF_ITEM_RECORD) return;
    const struct wf_record *r = &item->record;
    if (!r->row || r->left || r->missing || !seq(w)->lane_count) return;
    if (!wfi_strbuf_room(&w->text, 4096)) return;
    switch (r->row->effect) {
    case WF_EFFECT_NAME_OBJECT:
        for (unsigned i = 0; i < seq(w)->lane_count; ++i) {
            struct lane *lane = &seq(w)->lanes[i];
            if (strlen(lane->name) != r->text_len) continue;
            if (memcmp(lane->name, r->text, r->text_len) != 0) continue;
            lane->obj = r->value[0];
            lane->known = true;
        }
        break;
    case WF_EFFECT_POST: put_post(w, r, '-', '*'); break;
    case WF_EFFECT_POST_FAIL: put_post(w, r, '~', 'A'); break;
    case WF_EFFECT_POST_LIFO: put_post_lifo(w, r); break;
    case WF_EFFECT_PUBLISH: put_publish(w, r); break;
    case WF_EFFECT_TICK: put_tick(w, r); break;
    case WF_EFFECT_TRANSITION:
        if (r->stamped) put_transition(w, r);
        break;
    case WF_EFFECT_DEFER: put_note(w, r, "(Defer)", 7); break;
    case WF_EFFECT_RECALL: put_note(w, r, "(RCall)", 7); break;
    case WF_EFFECT_RECALL_FAIL: put_note(w, r, "(RCallA)", 8); break;
    default: break;
    }
}

const struct wfi_ops wfi_seq_ops = {
    .own_bytes = sizeof(struct seq), .open = open_seq, .item = take_item};
