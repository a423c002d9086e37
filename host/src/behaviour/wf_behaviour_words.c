// SPDX-License-Identifier: MIT
// Sentences about runs and changes. Names stand between backticks, as the target sent them.

#include "wfi_compare.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/wfi_strbuf.h"

enum { ACTIONS = 16 }; // of a run that are written

static const char *const sentences[WFI_VERB_COUNT] = {
#define WFI_X(verb, sentence) sentence,
    WFI_VERBS(WFI_X)
#undef WFI_X
};

// Keeps a copy of the text until the comparison is closed.
static const char *keep(struct wf_behaviour_diff *d, const struct wfi_strbuf *t) {
    size_t len = wfi_strbuf_len(t);
    char *text = malloc(len + 1);
    if (!text || !WFI_GROW(d->texts, &d->text_cap, d->text_count + 1)) {
        d->err = WF_ERR_NOMEM;
        free(text);
        return "";
    }
    memcpy(text, t->buf, len);
    text[len] = 0;
    d->texts[d->text_count++] = text;
    return text;
}

static void put_name(struct wfi_strbuf *t, const struct wf_behaviour *b, uint32_t text) {
    wfi_strbuf_printf(t, "`%s`", wfi_behaviour_text_at(b, text));
}

static void put_sentence(struct wfi_strbuf *t, const struct wf_behaviour *b, const char *sentence,
                         uint32_t one, uint32_t two) {
    for (const char *p = sentence; *p; ++p) {
        if (*p != '%') {
            wfi_strbuf_bytes(p, 1, t);
            continue;
        }
        put_name(t, b, *++p == '1' ? one : two);
    }
}

static void put_action(struct wfi_strbuf *t, const struct wf_behaviour *b, uint32_t action) {
    enum wfi_verb verb = wfi_action_verb(b, action);
    put_sentence(t, b, sentences[verb], wfi_action_text(b, action), wfi_action_text2(b, action));
}

static bool is_end(enum wfi_verb verb) { return verb >= WFI_VERB_AWAITS; }

static void put_run(struct wfi_strbuf *t, const struct wf_behaviour *b, uint32_t run) {
    const struct wfi_fact *fact = wfi_fact(b, run);
    const uint32_t *actions = b->list + fact->part[0];
    uint32_t count = fact->part[1];
    for (uint32_t i = 0; i < count; ++i) {
        bool end = is_end(wfi_action_verb(b, actions[i]));
        if (i >= ACTIONS && !end) {
            if (i == ACTIONS) wfi_strbuf_printf(t, ", %u more", count - ACTIONS - 1);
            continue;
        }
        if (i) wfi_strbuf_put(t, end ? "; " : ", ");
        put_action(t, b, actions[i]);
    }
}

// ---- changes

static void put_actor_of(struct wfi_strbuf *t, const struct wf_behaviour_diff *d, uint32_t fact) {
    static const char *const kinds[] = {"", "", "interrupt ", "machine "};
    uint32_t actor = wfi_fact(d->b, fact)->actor, text = wfi_actor_text(d->b, actor);
    const char *name = wfi_behaviour_text_at(d->b, text),
               *kind = kinds[wfi_actor_kind(d->b, actor)];
    // A name that is made of a number has its kind.
    if (strncmp(name, kind, strlen(kind)) == 0) kind = "";
    wfi_strbuf_printf(t, "%s`%s`", kind, name);
}

static void put_actor(struct wfi_strbuf *t, const struct wf_behaviour_diff *d,
                      const struct wfi_change *c) {
    put_actor_of(t, d, c->fact);
}

static void put_first_run(struct wfi_strbuf *t, const struct wfi_change *c) {
    uint64_t run = c->pub.sides[WFI_NEW].first.run;
    if (run) wfi_strbuf_printf(t, ", first in run %" PRIu64, run);
}

static bool never(const struct wfi_change *c) {
    return c->pub.sides[c->pub.vanished ? WFI_NEW : WFI_GOOD].count == 0;
}

static void put_lock_order(struct wfi_strbuf *t, const struct wf_behaviour_diff *d,
                           const struct wfi_change *c) {
    const struct wfi_fact *fact = wfi_fact(d->b, c->fact);
    put_actor(t, d, c);
    wfi_strbuf_put(t, " takes ");
    put_name(t, d->b, fact->part[0]);
    wfi_strbuf_put(t, " before ");
    put_name(t, d->b, fact->part[1]);
    put_first_run(t, c);
    wfi_strbuf_put(t, never(c) ? "; before, always after it" : "; before, nearly always after it");
}

static void put_wake_up(struct wfi_strbuf *t, const struct wf_behaviour_diff *d,
                        const struct wfi_change *c) {
    const struct wfi_fact *fact = wfi_fact(d->b, c->fact);
    const struct wf_behaviour_place *at = &c->pub.sides[WFI_NEW].first;
    put_actor(t, d, c);
    if (fact->kind == WFI_FACT_ACTION) {
        wfi_strbuf_put(t, " ");
        put_action(t, d->b, fact->part[0]);
        put_first_run(t, c);
        wfi_strbuf_put(t, "; before, it always got it");
        return;
    }
    wfi_strbuf_put(t, " waits for ");
    put_name(t, d->b, fact->part[0]);
    wfi_strbuf_printf(t, at->seconds ? " from %.6f s on" : " from tick %.0f on", at->at_s);
    wfi_strbuf_put(t, " and is not woken; before, it always was");
}

static void put_state(struct wfi_strbuf *t, const struct wf_behaviour_diff *d,
                      const struct wfi_change *c) {
    put_actor(t, d, c);
    wfi_strbuf_put(t, !c->pub.vanished ? " has the new state "
                      : never(c)       ? " is never in state "
                                       : " is hardly ever in state ");
    put_name(t, d->b, wfi_fact(d->b, c->fact)->part[0]);
}

static void put_transition(struct wfi_strbuf *t, const struct wf_behaviour_diff *d,
                           const struct wfi_change *c) {
    const struct wfi_fact *fact = wfi_fact(d->b, c->fact);
    put_actor(t, d, c);
    wfi_strbuf_put(t, c->pub.vanished ? " no longer goes from " : " goes from ");
    put_name(t, d->b, fact->part[0]);
    wfi_strbuf_put(t, " to ");
    put_name(t, d->b, fact->part[1]);
    if (!c->pub.vanished) wfi_strbuf_put(t, ", which it did not before");
}

static void put_changed_action(struct wfi_strbuf *t, const struct wf_behaviour_diff *d,
                               const struct wfi_change *c) {
    uint32_t action = wfi_fact(d->b, c->fact)->part[0];
    enum wfi_verb verb = wfi_action_verb(d->b, action);
    const char *sentence = sentences[verb] + (is_end(verb) ? strlen("then ") : 0);
    put_actor(t, d, c);
    wfi_strbuf_put(t, !c->pub.vanished ? " " : never(c) ? " no longer " : " hardly ever ");
    put_sentence(t, d->b, sentence, wfi_action_text(d->b, action), wfi_action_text2(d->b, action));
    if (c->pub.vanished) return;
    put_first_run(t, c);
    wfi_strbuf_put(t, never(c) ? "; before, it never did" : "; before, it hardly ever did");
}

static void put_order(struct wfi_strbuf *t, const struct wf_behaviour_diff *d,
                      const struct wfi_change *c) {
    uint32_t now, was;
    wfi_order_pair(d, c, &now, &was);
    put_actor(t, d, c);
    wfi_strbuf_put(t, " ");
    put_action(t, d->b, now);
    wfi_strbuf_put(t, " before it ");
    put_action(t, d->b, was);
    put_first_run(t, c);
    wfi_strbuf_put(t, "; before, it did so afterwards");
}

static void put_changed_run(struct wfi_strbuf *t, const struct wf_behaviour_diff *d,
                            const struct wfi_change *c) {
    put_actor(t, d, c);
    wfi_strbuf_put(t, c->pub.vanished ? " no longer has the run: " : " has a new kind of run: ");
    put_run(t, d->b, c->fact);
}

static void put_follows(struct wfi_strbuf *t, const struct wf_behaviour_diff *d,
                        const struct wfi_change *c) {
    const struct wfi_fact *fact = wfi_fact(d->b, c->fact);
    put_actor(t, d, c);
    wfi_strbuf_put(t, c->pub.vanished ? ": no longer does the run (" : ": now the run (");
    put_run(t, d->b, fact->part[1]);
    wfi_strbuf_put(t, c->pub.vanished ? ") follow (" : ") follows (");
    put_run(t, d->b, fact->part[0]);
    wfi_strbuf_put(t, ")");
}

static void put_presence(struct wfi_strbuf *t, const struct wf_behaviour_diff *d,
                         const struct wfi_change *c, const char *kind, uint32_t name) {
    wfi_strbuf_printf(t, "%s ", kind);
    put_name(t, d->b, name);
    wfi_strbuf_put(t, !c->pub.vanished ? " is new" : never(c) ? " has vanished" : " is rare now");
}

static void put_change(struct wfi_strbuf *t, const struct wf_behaviour_diff *d,
                       const struct wfi_change *c) {
    const struct wfi_fact *fact = wfi_fact(d->b, c->fact);
    switch (c->pub.kind) {
    case WF_BEHAVIOUR_TASK: put_presence(t, d, c, "task", wfi_actor_text(d->b, fact->actor)); break;
    case WF_BEHAVIOUR_LOCK_ORDER: put_lock_order(t, d, c); break;
    case WF_BEHAVIOUR_WAKE_UP: put_wake_up(t, d, c); break;
    case WF_BEHAVIOUR_STATE: put_state(t, d, c); break;
    case WF_BEHAVIOUR_TRANSITION: put_transition(t, d, c); break;
    case WF_BEHAVIOUR_ORDER: put_order(t, d, c); break;
    case WF_BEHAVIOUR_ACTION: put_changed_action(t, d, c); break;
    case WF_BEHAVIOUR_RUN: put_changed_run(t, d, c); break;
    case WF_BEHAVIOUR_VARIETY:
        put_actor(t, d, c);
        wfi_strbuf_put(t, c->pub.vanished ? " has fewer kinds of runs"
                                          : " has more kinds of runs than before");
        break;
    case WF_BEHAVIOUR_FOLLOWS: put_follows(t, d, c); break;
    case WF_BEHAVIOUR_OBJECT:
        put_presence(t, d, c, wfi_behaviour_text_at(d->b, fact->part[0]), fact->part[1]);
        break;
    default: put_presence(t, d, c, "record", fact->part[0]);
    }
}

static const char *made(struct wf_behaviour_diff *d, struct wfi_strbuf *t, bool failed) {
    const char *text = failed ? "" : keep(d, t);
    if (failed) d->err = WF_ERR_NOMEM;
    wfi_strbuf_close(t);
    return text;
}

const char *wfi_words_run(struct wf_behaviour_diff *d, uint32_t run) {
    struct wfi_strbuf t;
    bool failed = false;
    if (wfi_strbuf_open(&t, &failed)) put_run(&t, d->b, run);
    return made(d, &t, failed);
}

const char *wfi_words_hint(struct wf_behaviour_diff *d, uint32_t run) {
    struct wfi_strbuf t;
    bool failed = false;
    struct wf_behaviour_place at = wfi_place_first(d, run, WFI_NEW);
    if (wfi_strbuf_open(&t, &failed)) {
        wfi_strbuf_printf(&t, at.seconds ? "at %.6f s " : "at tick %.0f ", at.at_s);
        put_actor_of(&t, d, run);
        wfi_strbuf_printf(&t, " has the run %" PRIu64 ", which did not occur before: ", at.run);
        put_run(&t, d->b, run);
    }
    return made(d, &t, failed);
}

const char *wfi_words_change(struct wf_behaviour_diff *d, const struct wfi_change *c) {
    struct wfi_strbuf t;
    bool failed = false;
    if (wfi_strbuf_open(&t, &failed)) put_change(&t, d, c);
    return made(d, &t, failed);
}
