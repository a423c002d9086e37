// SPDX-License-Identifier: MIT
// Two kinds of state machine:
//
//   philosopher:  thinking -> hungry -> eating -> thinking
//   table:        active { serving <-> paused }

#include "philosophers.h"

#include "ao.h"

enum signal { EAT_SIG = SIG_USER, DONE_SIG, HUNGRY_SIG, PAUSE_SIG, SERVE_SIG, TIMEOUT_SIG };

// Application records, and an enumeration they use.
enum { PHILO_STAT = WF_USER, PAUSE_STAT };
enum { THINKING, HUNGRY, EATING, ACTIVITY = 0 };

// Commands of our own, as in `COMMAND CMD_PAUSE`.
enum { CMD_PAUSE, CMD_MEALS, COMMANDS = 7 };

struct table_event {
    struct event base;
    uint8_t philosopher;
};

struct philosopher {
    struct ao ao;
    struct timer timer;
    uint8_t number;
    uint32_t meals;
    const struct event *queue[8];
};

static struct table {
    struct ao ao;
    struct timer pause_timer;
    bool hungry[PHILOSOPHERS_MAX], eats[PHILOSOPHERS_MAX];
    const struct event *queue[2 * PHILOSOPHERS_MAX];
} table;

static struct philosopher philo[PHILOSOPHERS_MAX];
static unsigned count;
static uint32_t random_state;
static struct pool event_pool;
static _Alignas(void *) uint8_t event_storage[4 * PHILOSOPHERS_MAX * 16];
static uint8_t clock_tick, main_program; // senders of events

static struct {     // the host may peek and poke it
    uint32_t scale; // of all durations, in percent
    uint32_t meals; // added up by CMD_MEALS
} tuning = {100, 0};

static uint32_t random_ticks(uint32_t least, uint32_t most) {
    random_state = random_state * 1103515245u + 12345u;
    uint32_t ticks = least + (random_state >> 16) % (most - least + 1);
    ticks = ticks * tuning.scale / 100;
    return ticks ? ticks : 1;
}

static struct table_event *new_event(uint16_t sig, uint8_t philosopher) {
    struct event *e = event_new(&event_pool, sizeof(struct table_event), sig);
    struct table_event *te = (struct table_event *)e;
    if (te) te->philosopher = philosopher;
    return te;
}

static void tell(uint8_t number, uint8_t activity) {
    WF_BEGIN(PHILO_STAT, philo[number].ao.prio);
    wf_u8(1, number);
    wf_enum(ACTIVITY, activity);
    wf_u32(0, philo[number].meals);
    WF_END();
}

// ---- the philosopher ----

static enum reply on_thinking(struct ao *ao, const struct event *e);
static enum reply on_hungry(struct ao *ao, const struct event *e);
static enum reply on_eating(struct ao *ao, const struct event *e);

static const struct state thinking = {on_thinking, NULL, NULL};
static const struct state hungry = {on_hungry, NULL, NULL};
static const struct state eating = {on_eating, NULL, NULL};

static enum reply on_thinking(struct ao *ao, const struct event *e) {
    struct philosopher *me = (struct philosopher *)ao;
    switch (e->sig) {
    case SIG_ENTER:
        timer_arm(&me->timer, random_ticks(10, 60), 0);
        tell(me->number, THINKING);
        return HANDLED;
    case SIG_EXIT: return HANDLED;
    case TIMEOUT_SIG: return transition(ao, &hungry);
    case EAT_SIG: return HANDLED; // for another philosopher
    default: return TO_PARENT;
    }
}

static enum reply on_hungry(struct ao *ao, const struct event *e) {
    struct philosopher *me = (struct philosopher *)ao;
    struct table_event *te;
    switch (e->sig) {
    case SIG_ENTER:
        te = new_event(HUNGRY_SIG, me->number);
        if (te) ao_post(&table.ao, &te->base, me);
        tell(me->number, HUNGRY);
        return HANDLED;
    case EAT_SIG:
        if (((const struct table_event *)e)->philosopher != me->number) return HANDLED;
        return transition(ao, &eating);
    default: return TO_PARENT;
    }
}

static enum reply on_eating(struct ao *ao, const struct event *e) {
    struct philosopher *me = (struct philosopher *)ao;
    struct table_event *te;
    switch (e->sig) {
    case SIG_ENTER:
        ++me->meals;
        timer_arm(&me->timer, random_ticks(5, 30), 0);
        tell(me->number, EATING);
        return HANDLED;
    case SIG_EXIT:
        te = new_event(DONE_SIG, me->number);
        if (te) ao_publish(&te->base, me);
        return HANDLED;
    case TIMEOUT_SIG: return transition(ao, &thinking);
    case EAT_SIG: return HANDLED;
    default: return TO_PARENT;
    }
}

// ---- the table ----

static enum reply on_active(struct ao *ao, const struct event *e);
static enum reply on_serving(struct ao *ao, const struct event *e);
static enum reply on_paused(struct ao *ao, const struct event *e);

static const struct state serving, paused;
static const struct state active = {on_active, NULL, &serving};
static const struct state serving = {on_serving, &active, NULL};
static const struct state paused = {on_paused, &active, NULL};

static bool may_eat(unsigned n) {
    return table.hungry[n] && !table.eats[(n + 1) % count] && !table.eats[(n + count - 1) % count];
}

// Returns the sender's number. Events may also come from the host, with any content.
static unsigned number_in(const struct event *e) {
    unsigned n = ((const struct table_event *)e)->philosopher;
    return n < count ? n : 0;
}

static void serve(unsigned n) {
    if (!may_eat(n)) return;
    struct table_event *te = new_event(EAT_SIG, (uint8_t)n);
    if (!te) return;
    table.hungry[n] = false;
    table.eats[n] = true;
    ao_publish(&te->base, &table);
}

static enum reply on_active(struct ao *ao, const struct event *e) {
    (void)ao;
    switch (e->sig) {
    case HUNGRY_SIG: table.hungry[number_in(e)] = true; return HANDLED;
    case DONE_SIG: table.eats[number_in(e)] = false; return HANDLED;
    default: return TO_PARENT;
    }
}

static enum reply on_serving(struct ao *ao, const struct event *e) {
    unsigned n;
    switch (e->sig) {
    case SIG_ENTER:
        for (n = 0; n < count; ++n) serve(n);
        return HANDLED;
    case HUNGRY_SIG:
        on_active(ao, e);
        serve(number_in(e));
        return HANDLED;
    case DONE_SIG:
        on_active(ao, e);
        n = number_in(e);
        serve((n + 1) % count);
        serve((n + count - 1) % count);
        return HANDLED;
    case EAT_SIG: return HANDLED;
    case PAUSE_SIG: return transition(ao, &paused);
    default: return TO_PARENT;
    }
}

static enum reply on_paused(struct ao *ao, const struct event *e) {
    switch (e->sig) {
    case SIG_ENTER: WF_RECORD(PAUSE_STAT, ao->prio, WF_STR("paused"), WF_OBJ(ao)); return HANDLED;
    case SIG_EXIT: WF_RECORD(PAUSE_STAT, ao->prio, WF_STR("serving again")); return HANDLED;
    case PAUSE_SIG: return transition(ao, &serving);
    default: return TO_PARENT;
    }
}

// ---- commands ----

static void on_command(uint8_t id, uint32_t p1, uint32_t p2, uint32_t p3) {
    static const struct event pause = {PAUSE_SIG, 0, 0};
    (void)p2;
    (void)p3;
    if (id == CMD_PAUSE) ao_post(&table.ao, &pause, wf_rx_sender());
    if (id != CMD_MEALS || p1 >= count) return;
    tuning.meals += philo[p1].meals;
    tell((uint8_t)p1, THINKING);
}

void philosophers_host_start(void (*reset)(void)) {
    static uint8_t rx_ring[256];
    static const struct wf_range ranges[] = {{&tuning, sizeof tuning, true}};
    static struct ao_host host = {.ring = rx_ring,
                                  .ring_size = sizeof rx_ring,
                                  .events = &event_pool,
                                  .ranges = ranges,
                                  .range_count = 1,
                                  .command = on_command};
    host.reset = reset;
    ao_host_start(&host);
    wf_set_current(WF_OBJ_APP, &tuning);
    WF_OBJ_DICTIONARY(&tuning);
    WF_ENUM_DICTIONARY(CMD_PAUSE, COMMANDS);
    WF_ENUM_DICTIONARY(CMD_MEALS, COMMANDS);
}

// ---- start ----

static void name_all(void) {
    WF_OBJ_DICTIONARY(&clock_tick);
    WF_OBJ_DICTIONARY(&main_program);
    WF_OBJ_DICTIONARY(&event_pool);
    WF_OBJ_DICTIONARY(&table);
    WF_OBJ_DICTIONARY(&table.pause_timer);
    for (unsigned n = 0; n < count; ++n) {
        WF_OBJ_ARR_DICTIONARY(&philo[n], n);
        WF_OBJ_ARR_DICTIONARY(&philo[n].timer, n);
    }
    WF_FUN_DICTIONARY(on_thinking);
    WF_FUN_DICTIONARY(on_hungry);
    WF_FUN_DICTIONARY(on_eating);
    WF_FUN_DICTIONARY(on_active);
    WF_FUN_DICTIONARY(on_serving);
    WF_FUN_DICTIONARY(on_paused);
    WF_SIG_DICTIONARY(EAT_SIG, NULL);
    WF_SIG_DICTIONARY(DONE_SIG, NULL);
    WF_SIG_DICTIONARY(HUNGRY_SIG, NULL);
    WF_SIG_DICTIONARY(PAUSE_SIG, NULL);
    WF_SIG_DICTIONARY(SERVE_SIG, NULL);
    WF_SIG_DICTIONARY(TIMEOUT_SIG, NULL);
    WF_USR_DICTIONARY(PHILO_STAT);
    WF_USR_DICTIONARY(PAUSE_STAT);
    WF_ENUM_DICTIONARY(THINKING, ACTIVITY);
    WF_ENUM_DICTIONARY(HUNGRY, ACTIVITY);
    WF_ENUM_DICTIONARY(EATING, ACTIVITY);
}

void philosophers_start(unsigned n, uint32_t seed, bool names) {
    count = n;
    random_state = seed;
    if (names)
        name_all();
    else
        WF_FUN_DICTIONARY(philosophers_tick);
    pool_init(&event_pool, event_storage, 16, 4 * PHILOSOPHERS_MAX);
    for (unsigned i = 0; i < count; ++i) {
        struct philosopher *p = &philo[i];
        p->number = (uint8_t)i;
        p->timer = (struct timer){.owner = &p->ao, .event = {TIMEOUT_SIG, 0, 0}};
        ao_start(&p->ao, (uint8_t)(i + 1), p->queue, sizeof p->queue / sizeof *p->queue, &thinking);
        ao_subscribe(&p->ao, EAT_SIG);
    }
    table.pause_timer = (struct timer){.owner = &table.ao, .event = {PAUSE_SIG, 0, 0}};
    ao_start(&table.ao, AO_MAX - 1, table.queue, sizeof table.queue / sizeof *table.queue, &active);
    ao_subscribe(&table.ao, DONE_SIG);
    timer_arm(&table.pause_timer, 100, 100);
    WF_REC0(qf_run, 0);
    ao_run();
}

void philosophers_tick(void) {
    timer_tick(&clock_tick);
    ao_run();
}
