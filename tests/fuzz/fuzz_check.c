// SPDX-License-Identifier: MIT
// The check on any input, with event phrases from the input: no rule may crash, and a rule must
// give a verdict with consistent failures. The first line is the phrase of an event.

#include "fuzz_script.h"
#include "wallfly_host/wf_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define RULE(rule, ...)                                                                            \
    { .size = sizeof(struct wf_check_rule), .kind = WF_CHECK_##rule, __VA_ARGS__ }
#define MAX .max = {true, 1e-6}

static void take(void *ctx, const struct wf_item *item) { wf_check_take(ctx, item); }

static void check_result(const struct wf_check *c, unsigned rule) {
    struct wf_check_result r;
    wf_check_result(c, rule, &r);
    require(r.verdict <= WF_CHECK_UNDECIDED && r.text[0] != 0);
    require((r.kept > 0) <= (r.verdict == WF_CHECK_FAILED));
    for (unsigned i = 0; i < r.kept; ++i) {
        require(r.failures[i].from <= r.failures[i].to && r.failures[i].text[0] != 0);
        require(!r.failures[i].task || r.failures[i].task[0] != 0);
    }
}

static void run(const uint8_t *data, size_t size, const char *const *phrases, bool known) {
    static const char *const some[] = {"* runs", "* stops"}, *const only[] = {"name"};
    const char *const *events = known ? phrases : some;
    const struct wf_check_rule rules[] = {
        RULE(LOSS, .max = {true, 0}),
        RULE(CPU, .core = -1, .task = "*", .window_s = 1e-8, .max = {true, 50}, .min = {true, 1}),
        RULE(CPU, .core = -1, .irq = "*", .window_s = 1e-8, .max = {true, 50}),
        RULE(CPU, .core = 1, .max = {true, 50}),
        RULE(RESPONSE, .task = "*", MAX, .p50 = {true, 1}, .p99 = {true, 1e-9}),
        RULE(PERIOD, .irq = "*", .min = {true, 1e-9}, .mean = {true, 1}),
        RULE(PERIOD, .object = "*", MAX),
        RULE(HOLD, .by = NULL, MAX),
        RULE(BLOCKED, .by = "*", MAX),
        RULE(SPAN, .task = "*", .name = "*", MAX),
        RULE(STEP, .machine = "*", MAX),
        RULE(QUEUE, MAX, .object = "?*"),
        RULE(COUNTER, .min = {true, -1}),
        RULE(STACK, .min = {true, 3}),
        RULE(HEAP, .min = {true, 3}),
        RULE(NO_INVERSION, .task = NULL),
        RULE(NEVER, .events = events, .event_count = 1),
        RULE(AFTER, .events = events, .event_count = 1, .expect = events[1], .max = {true, 1e-8}),
        RULE(ORDER, .events = events, .event_count = 2),
        RULE(STATE, .from = "*", .only = only, .only_count = 1)};
    enum { RULES = sizeof rules / sizeof *rules };
    const struct wf_session_options options = {.size = sizeof options, .hz = 1000000000};
    const struct wf_check_options o = {.size = sizeof o,
                                       .loss = (enum wf_check_loss)(data[0] / 6 % 3),
                                       .failures = 1 + data[0] % 3,
                                       .has_from = data[0] & 128,
                                       .from_s = 1e-7};
    struct wf_session *s = wf_session_open(&options, NULL);
    struct wf_check *c = wf_check_open(s, rules, RULES, &o, NULL);
    require(c != NULL);
    struct script script = {.s = s, .ctx = c, .take = take};
    take_any(&script, data, size, 1);
    wf_check_end(c);
    require(wf_check_error(c) == WF_OK);
    for (unsigned i = 0; i < RULES; ++i) check_result(c, i);
    wf_check_close(c);
    wf_session_close(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint8_t *end = size ? memchr(data, '\n', size) : NULL;
    char phrase[300] = "";
    struct wf_error error;
    size_t len = end ? (size_t)(end - data) : 0;
    if (!end || len >= sizeof phrase || size - len < 3) return 0;
    memcpy(phrase, data, len);
    bool known = wf_check_event(phrase, &error);
    require(known || (error.code == WF_ERR_USAGE && error.text[0] != 0));
    const char *const phrases[] = {phrase, "* runs"};
    run(end + 1, size - len - 1, phrases, known);
    return 0;
}
