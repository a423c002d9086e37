// SPDX-License-Identifier: MIT
// Saves the state of a slot reader between two events, so that another can continue from there.

#include "wfi_slots.h"

bool wfi_slots_quiet(const struct wf_slots *s) {
    if (s->state != WFI_SLOTS || s->hunting) return false;
    for (unsigned i = 0; i < s->cores; ++i) {
        if (s->core[i].lossy) return false;
    }
    return true;
}

void wfi_slots_save(const struct wf_slots *s, struct wfi_saved *all, struct wfi_saved_core *cores) {
    all->offset = wfi_at(&s->in);
    all->weighed = s->weighed;
    all->guessed = s->guessed;
    all->chunks = s->chunks;
    all->rows_agree = s->rows_agree;
    all->time_high = s->time_high;
    all->time_low = s->time_low;
    all->time_known = s->time_known;
    all->wallfly = s->wallfly;
    all->together = s->together;
    for (unsigned i = 0; i < s->cores; ++i) {
        const struct wfi_core *c = &s->core[i];
        cores[i] = (struct wfi_saved_core){
            .last = c->last,
            .mark = c->mark,
            .offset = c->offset,
            .account = c->account,
            .refused = c->refused,
            .events = s->ledger.by_core[i],
            .high = c->high,
            .low = c->low,
            .chunk = c->chunks.last,
            .timed = c->timed,
            .own = c->own,
            .foreign = c->foreign,
            .early = c->early,
            .blind = c->blind,
            .any = c->any,
            .numbered = c->chunks.any,
            .shifted = c->shifted,
            .heading = c->heading,
        };
    }
}

void wfi_slots_restore(struct wf_slots *s, const struct wf_slots *header,
                       const struct wfi_saved *all, const struct wfi_saved_core *cores) {
    s->state = WFI_SLOTS;
    s->hunting = false;
    s->flushed = 0;
    s->swap = header->swap;
    s->own_classes = header->own_classes;
    wfi_slots_plan(s);
    s->cores = header->cores;
    s->in.at = s->in.end = s->in.fed = s->in.fed_end = NULL;
    s->in.ending = false;
    s->in.offset = all->offset;
    s->weighed = all->weighed;
    s->guessed = all->guessed;
    s->chunks = all->chunks;
    s->rows_agree = all->rows_agree;
    s->chunk.known = false;
    s->time_high = all->time_high;
    s->time_low = all->time_low;
    s->time_known = all->time_known;
    s->wallfly = all->wallfly;
    s->together = all->together;
    for (unsigned i = 0; i < s->cores; ++i) {
        const struct wfi_saved_core *from = &cores[i];
        struct wfi_core *c = &s->core[i];
        s->ledger.by_core[i] = from->events;
        *c = (struct wfi_core){.timed = from->timed,
                               .own = from->own,
                               .foreign = from->foreign,
                               .early = from->early,
                               .blind = from->blind,
                               .any = from->any,
                               .last = from->last,
                               .mark = from->mark,
                               .heading = from->heading,
                               .high = from->high,
                               .low = from->low,
                               .account = from->account,
                               .refused = from->refused,
                               .chunks = {from->numbered, from->chunk},
                               .shifted = from->shifted,
                               .first_offset = header->core[i].first_offset};
        wfi_clock_offset(c, from->offset);
    }
}
