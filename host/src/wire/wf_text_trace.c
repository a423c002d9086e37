// SPDX-License-Identifier: MIT
// Converts transmission text to records. A line becomes the payloads of up to WFI_MADE_MAX records,
// which are decoded like those of frames; no line is read before all of the last one are returned.
//
// A switch has two lines in the text (JP a -t b, JR b), and one record. So JP and JC wait for the
// next line; a JR of the same time belongs to them. Lines about arrivals at the same time may come
// between.

#include "wfi_text_trace.h"

#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_text_trace.h"
#include "wfi_text_lines.h"

enum { US_HZ = 1000000 };

bool wf_session_takes_text(const struct wf_session *s) { return s->lines != NULL; }

int wf_session_take_text(struct wf_session *s) {
    if (s->lines) return WF_OK;
    s->lines = calloc(1, sizeof *s->lines);
    if (!s->lines) return WF_ERR_NOMEM;
    struct wf_target *t = &s->target;
    if (!t->hz) t->hz = US_HZ;
    t->bytes[WF_TYPE_TIME] = 8;
    t->bytes[WF_TYPE_OBJ] = t->bytes[WF_TYPE_FUN] = 4;
    t->sizes_known = true;
    wfi_follow_key_sizes(s);
    wfi_plan_all(s);
    wfi_clock_size(&s->clock, 4);
    return WF_OK;
}

void wfi_lines_close(struct wf_session *s) {
    struct wfi_lines *l = s->lines;
    if (!l) return;
    for (size_t i = 0; i < l->keys.count; ++i) {
        free(l->entities[i].colour);
        free(l->entities[i].pattern);
    }
    for (unsigned i = 0; i < l->user_count; ++i) free(l->users[i]);
    wfi_dict_free(&l->keys);
    free(l->entities);
    free(l);
    s->lines = NULL;
}

// ---- lines

// Colour and pattern have no record of their own.
static void take_look(struct wf_session *s, struct wfi_entity *entity) {
    const struct wfi_line *line = &s->lines->line;
    if (!line->colour && !line->pattern) return;
    free(entity->colour);
    free(entity->pattern);
    entity->colour = line->colour ? strdup(line->colour) : NULL;
    entity->pattern = line->pattern ? strdup(line->pattern) : NULL;
    if (!entity->colour != !line->colour || !entity->pattern != !line->pattern)
        s->err = WF_ERR_NOMEM;
    struct wfi_made *m = wfi_make_user(s, "look");
    s->lines->look = m->id;
    wfi_made_put(m, WF_ELEMENT_obj, 1);
    wfi_made_put(m, line->id[0], s->target.bytes[WF_TYPE_OBJ]);
    if (line->colour) wfi_made_word(m, line->colour);
    if (line->pattern) wfi_made_word(m, line->pattern);
}

// A second announcement is for the same task; only its new facts are recorded.
static void take_announcement(struct wf_session *s, struct wfi_entity *entity) {
    const struct wfi_line *line = &s->lines->line;
    bool task = line->kind == WFI_LINE_NEW_TASK;
    struct wfi_values v = {.prio = (uint16_t)line->prio};
    *(task ? &v.task : &v.object) = line->id[0];
    enum wf_effect effect = task ? WF_EFFECT_TASK_CREATE : WF_EFFECT_OBJECT_CREATE;
    if (!entity->announced)
        wfi_make(s, effect, &s->lines->now, &v);
    else if (task && line->prio != WF_PRIO_UNKNOWN && line->prio != entity->prio)
        wfi_make(s, WF_EFFECT_TASK_PRIORITY, &s->lines->now, &v);
    *(task ? &entity->task : &entity->mutex) = true;
    entity->announced = true;
    if (line->prio != WF_PRIO_UNKNOWN) entity->prio = line->prio;
    wfi_make_name(s, line->id[0], line->name);
    take_look(s, entity);
}

// Finds the mutex of the two: it is second in the published grammar, first in the published sender.
static const char *order_ids(struct wfi_lines *l, uint64_t *mutex, uint64_t *task) {
    const uint64_t *id = l->line.id;
    const struct wfi_entity *first = wfi_entity_find(l, id[0]), *second = wfi_entity_find(l, id[1]);
    int evidence = (first && first->mutex) + (second && second->task) - (first && first->task) -
                   (second && second->mutex);
    if (!id[0] || !id[1]) evidence = id[0] ? 1 : -1; // an interrupt
    if (!evidence && first && first->mutex)
        evidence = 1; // each is both kinds: as the sender has it
    if (!evidence || (!id[0] && !id[1]))
        return "it is unknown which of the two is the mutex: neither was announced";
    *mutex = id[evidence < 0];
    *task = id[evidence > 0];
    return NULL;
}

static const char *take_mutex(struct wf_session *s) {
    struct wfi_lines *l = s->lines;
    struct wfi_values v = {0};
    const char *why = order_ids(l, &v.object, &v.task);
    struct wfi_entity *mutex = why ? NULL : wfi_entity_of(s, v.object);
    bool acquired = l->line.kind == WFI_LINE_ACQUIRED;
    if (!mutex) return why ? why : wf_err_text(WF_ERR_NOMEM);
    bool again = mutex->epoch == l->epoch && mutex->nest && mutex->owner == v.task;
    unsigned nest = again ? mutex->nest : 0;
    nest = acquired ? (nest < UINT8_MAX ? nest + 1 : nest) : nest - (nest > 0);
    mutex->mutex = true;
    mutex->epoch = l->epoch;
    mutex->owner = v.task;
    mutex->nest = v.nest = (uint8_t)nest;
    wfi_make(s, acquired ? WF_EFFECT_TAKE : WF_EFFECT_GIVE, &l->now, &v);
    return NULL;
}

// Ends the wait for a JR, whether it came or not: `next` runs now.
static void end_leave(struct wf_session *s, uint64_t next) {
    struct wfi_leave *w = &s->lines->leave;
    if (!w->open) return;
    w->open = false;
    // It ran before, because it left.
    if (!s->lines->running_known || s->lines->running != w->task)
        wfi_make_switch(s, &w->at, w->task, WF_REASON_unknown);
    wfi_make_switch(s, &w->at, next, w->reason);
}

static void take_leave(struct wf_session *s) {
    struct wfi_lines *l = s->lines;
    bool completed = l->line.kind == WFI_LINE_COMPLETED;
    l->leave = (struct wfi_leave){.open = true,
                                  .has_target = l->line.ids > 1,
                                  .reason = completed ? WF_REASON_blocked : WF_REASON_preempted,
                                  .task = l->line.id[0],
                                  .target = l->line.ids > 1 ? l->line.id[1] : 0,
                                  .at = l->now};
}

static void take_resumed(struct wf_session *s) {
    struct wfi_lines *l = s->lines;
    uint64_t task = l->line.id[0];
    if (l->leave.open)
        end_leave(s, task);
    else if (!l->running_known || l->running != task)
        wfi_make_switch(s, &l->now, task, WF_REASON_unknown);
}

static void note_hole(struct wf_session *s) {
    struct wfi_lines *l = s->lines;
    l->running_known = false;
    ++l->epoch;
    l->loss_made = true;
    l->loss = (struct wf_loss){
        .kind = WF_LOSS_HOLE, .offset = l->offset, .tick_before = s->clock.last, .exact = true};
    ++s->ledger.holes;
}

static void take_lost(struct wf_session *s) {
    struct wfi_lines *l = s->lines;
    note_hole(s);
    l->loss.records = l->loss.given_up = l->line.count;
    s->ledger.missing += l->line.count;
    s->ledger.given_up += l->line.count;
    s->ledger.exact = !l->broken; // the sender counts
}

static void take_user(struct wf_session *s) {
    const struct wfi_line *line = &s->lines->line;
    struct wfi_made *m = wfi_make_user(s, line->word[2]);
    for (unsigned i = 3; i < line->words; ++i) wfi_made_word(m, line->word[i]);
}

// Returns null, or why the line is dropped.
static const char *take_line(struct wf_session *s) {
    struct wfi_lines *l = s->lines;
    struct wfi_entity *entity[2] = {NULL, NULL};
    bool mutex = l->line.kind == WFI_LINE_ACQUIRED || l->line.kind == WFI_LINE_RELEASED;
    for (unsigned i = 0; i < l->line.ids && !mutex; ++i) {
        if (l->line.id[i]) entity[i] = wfi_entity_of(s, l->line.id[i]);
        if (l->line.id[i] && !entity[i]) return wf_err_text(WF_ERR_NOMEM);
    }
    bool tasks = l->line.kind >= WFI_LINE_ARRIVED && l->line.kind <= WFI_LINE_RESUMED;
    for (unsigned i = 0; i < l->line.ids && tasks; ++i) {
        // The second entity_of may have moved the first.
        if (l->line.id[i]) wfi_entity_find(l, l->line.id[i])->task = true;
    }
    struct wfi_values v = {.task = l->line.id[0]};
    switch (l->line.kind) {
    case WFI_LINE_NEW_TASK:
    case WFI_LINE_NEW_MUTEX: take_announcement(s, entity[0]); return NULL;
    case WFI_LINE_ACQUIRED:
    case WFI_LINE_RELEASED: return take_mutex(s);
    case WFI_LINE_ARRIVED: wfi_make(s, WF_EFFECT_TASK_READY, &l->now, &v); return NULL;
    case WFI_LINE_PREEMPTED:
    case WFI_LINE_COMPLETED: take_leave(s); return NULL;
    case WFI_LINE_RESUMED: take_resumed(s); return NULL;
    case WFI_LINE_LOST: take_lost(s); return NULL;
    case WFI_LINE_USER: take_user(s); return NULL;
    case WFI_LINE_EMPTY: break;
    }
    return NULL;
}

static void take_time(struct wf_session *s) {
    struct wf_record r = {.stamp = s->lines->line.time};
    if (r.stamp > UINT32_MAX) wfi_clock_size(&s->clock, 8);
    wfi_clock_stamp(s, &r);
    struct wfi_moment *now = &s->lines->now;
    now->tick = r.tick;
    now->stamp = r.stamp;
    now->known = true;
    now->back = r.back;
}

// Returns whether the JP or JC continues to wait for its JR.
static bool leave_waits(const struct wfi_lines *l) {
    const struct wfi_leave *w = &l->leave;
    const struct wfi_line *line = &l->line;
    if (line->time != w->at.stamp) return false;
    if (line->kind == WFI_LINE_ARRIVED) return true;
    return line->kind == WFI_LINE_RESUMED && (!w->has_target || w->target == line->id[0]);
}

static void drop_line(struct wf_session *s, const char *why, enum wf_damage_kind kind) {
    struct wfi_lines *l = s->lines;
    note_hole(s);
    l->loss.why = why;
    l->loss.bytes = l->raw_len;
    l->loss.damage[kind] = 1;
    s->ledger.bytes_bad += l->raw_len;
    ++s->ledger.damage[kind];
}

// Handles a whole line. A waiting JP or JC is recorded before it.
static void end_line(struct wf_session *s) {
    struct wfi_lines *l = s->lines;
    const char *why = "a line longer than 512 bytes";
    bool timed = false;
    l->text[l->len < WFI_LINE_MAX ? l->len : WFI_LINE_MAX] = 0;
    if (l->len <= WFI_LINE_MAX) {
        why = wfi_line_read(l->text, l->len, &l->line);
        timed = !why && l->line.kind >= WFI_LINE_ACQUIRED;
    }
    if (!why && l->line.kind == WFI_LINE_EMPTY) {
        s->ledger.bytes_idle += l->raw_len;
        return;
    }
    if (!why) wfi_lines_widen(s, &l->line);
    bool goes_on = timed && l->leave.open && leave_waits(l);
    if (!goes_on) end_leave(s, l->leave.target);
    l->now = (struct wfi_moment){.tick = s->clock.last, .offset = l->offset, .raw_len = l->raw_len};
    if (timed) take_time(s);
    if (!why) why = take_line(s);
    if (why)
        drop_line(s, why, l->len > WFI_LINE_MAX ? WF_DAMAGE_TOO_LONG : WF_DAMAGE_BAD_SUM);
    else
        s->ledger.bytes_good += l->raw_len;
}

// ---- the session's side

static void begin_line(struct wfi_lines *l) {
    l->offset += l->raw_len;
    l->raw_len = l->len = 0;
}

// Takes bytes up to the end of a line; returns true if it is whole.
static bool gather(struct wf_session *s) {
    struct wfi_lines *l = s->lines;
    const uint8_t *lf = memchr(s->src, '\n', (size_t)(s->end - s->src));
    size_t n = (size_t)((lf ? lf : s->end) - s->src);
    size_t kept = l->len < WFI_LINE_MAX ? l->len : WFI_LINE_MAX, room = WFI_LINE_MAX - kept;
    memcpy(l->text + kept, s->src, n < room ? n : room);
    l->len += n;
    l->raw_len += n + (lf != NULL);
    s->src += n + (lf != NULL);
    return lf != NULL;
}

static void cut_line(struct wf_session *s, const char *why) {
    end_leave(s, s->lines->leave.target);
    drop_line(s, why, WF_DAMAGE_CUT);
    if (!s->lines->raw_len) --s->ledger.damage[WF_DAMAGE_CUT]; // between two lines
    begin_line(s->lines);
}

// Handles an interruption of the link since the last byte.
static void take_break(struct wf_session *s) {
    struct wfi_lines *l = s->lines;
    uint64_t lost = l->lost;
    cut_line(s, lost ? NULL : "the link was lost here; data sent in the meantime is not known");
    l->loss.exact = false;
    l->loss.lost = lost;
    if (!l->loss.bytes) l->loss.damage[WF_DAMAGE_CUT] = 0;
    s->ledger.exact = false;
    l->broken = true;
    l->offset += lost;
    l->lost = 0;
    l->relinked = false;
}

void wfi_lines_relink(struct wf_session *s) { s->lines->relinked = true; }

void wfi_lines_lost(struct wf_session *s, uint64_t bytes) {
    s->lines->lost += bytes;
    s->ledger.bytes_lost += bytes;
}

static void fill_record(struct wf_session *s, const struct wfi_made *m, struct wf_item *item) {
    struct wf_record *r = &item->record;
    item->kind = WF_ITEM_RECORD;
    item->changed = item->discarded = false;
    r->id = m->id;
    r->core = 0;
    r->seq = r->seq_expected = (uint8_t)(s->qspy_last + 1);
    s->qspy_last = r->seq;
    r->first = s->ledger.records == 0;
    r->offset = m->at.offset;
    r->raw_len = m->at.raw_len;
    r->payload = m->payload;
    r->len = m->len;
    wfi_decode(s, r);
    r->stamped = r->stamped && m->at.known; // announcements have none
    r->stamp = m->at.stamp;
    r->tick = m->at.tick;
    r->back = m->at.back;
    ++s->ledger.records;
    ++s->ledger.by_id[r->id];
    if (!r->row) ++s->ledger.unknown;
    if (wfi_applies(s, r)) wfi_apply(s, item);
}

// Reads on. Returns true when something to return was made, or may be made from further bytes.
static bool read_on(struct wf_session *s) {
    struct wfi_lines *l = s->lines;
    bool more = s->src != s->end;
    if ((l->relinked && (more || (s->ending && l->raw_len))) || l->lost) {
        take_break(s);
    } else if (more) {
        if (!gather(s)) return false;
        end_line(s);
        begin_line(l);
    } else if (s->ending && l->raw_len) {
        cut_line(s, "the last line is cut off, it has no end of line");
    } else if (s->ending && l->leave.open) {
        end_leave(s, l->leave.target);
    } else {
        return false;
    }
    return true;
}

bool wfi_lines_next(struct wf_session *s, struct wf_item *item) {
    struct wfi_lines *l = s->lines;
    while (l->returned == l->made && !l->loss_made) {
        l->made = l->returned = 0;
        if (!read_on(s)) return false;
    }
    if (l->returned < l->made) {
        fill_record(s, &l->out[l->returned++], item);
    } else {
        item->kind = WF_ITEM_LOSS;
        item->loss = l->loss;
        l->loss_made = false;
    }
    return true;
}
