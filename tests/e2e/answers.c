// SPDX-License-Identifier: MIT
// Answers the page's queries without a server: reads a trace as `wallfly serve` does, then one
// query on each line of standard input (JSON, with "op"), and prints one answer on each line. With
// --live=BYTES the file's bytes are read as from a live link that keeps this number of bytes.
//   answers [--live=BYTES] [--relink=BYTES] [--times] [stream options] FILE

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "page_source.h"
#include "wallfly_server/page_search.h"

static const struct option_row options[] = {STREAM_OPTION_ROWS, {NULL, 0, NULL, NULL}};
static const struct cmd cmd = {"answers", NULL, "FILE", 0, 1, "", "", options};

struct asker {
    struct stream stream; // the first member
    struct page_query_context a;
    uint64_t live, relink;
    bool times;
    struct store store;
    uint64_t tells, cancel_at;
};

static bool take_option(struct args *args, struct asker *k, char *text) {
    char *value = strchr(text, '=');
    if (value) *value++ = 0;
    if (strcmp(text, "--live") == 0 && value)
        k->live = strtoull(value, NULL, 10);
    else if (strcmp(text, "--relink") == 0 && value)
        k->relink = strtoull(value, NULL, 10);
    else if (strcmp(text, "--times") == 0)
        k->times = true;
    else {
        for (unsigned i = 0; options[i].name; ++i) {
            if (strcmp(text + 2, options[i].name) == 0) {
                args->value[i] = value ? value : "";
                return true;
            }
        }
        return false;
    }
    return true;
}

static void take(struct asker *k, struct wf_session *s, const struct wf_item *item, unsigned lane,
                 uint64_t block_at) {
    const struct wf_timeline_options o = {.size = sizeof o, .store = store_functions(&k->store)};
    if (!k->a.timeline) k->a.timeline = wf_timeline_open(s, &o, NULL);
    wf_timeline_take(k->a.timeline, item);
    replay_item(k->a.replay, s, item, lane, block_at);
}

static void on_item(struct lane *l, const struct wf_item *item) {
    const struct wf_recording_info *recording = l->stream->recording;
    take((struct asker *)(void *)l->stream, l->session, item, l->number,
         recording ? recording->block_at : 0);
}

static int run_live(struct asker *k, const struct args *args, struct wf_session *s) {
    FILE *f = fopen(args->operand[0], "rb");
    static uint8_t block[1000];
    uint64_t done = 0;
    struct wf_item item;
    if (!f) return diag_error(EXIT_INPUT, "%s", args->operand[0]);
    for (size_t n; (n = fread(block, 1, sizeof block, f)) != 0; done += n) {
        if (k->relink && done / k->relink != (done + n) / k->relink) {
            replay_relink(k->a.replay);
            wf_session_relink(s);
        }
        if (!replay_take(k->a.replay, block, n)) return EXIT_INPUT;
        wf_session_feed(s, block, n);
        while (wf_session_next(s, &item)) take(k, s, &item, 0, 0);
    }
    fclose(f);
    return EXIT_GOOD;
}

// Cancels the operation after the number of calls in "cancel".
static bool tell(void *ctx, uint64_t done, uint64_t of) {
    struct asker *k = ctx;
    if (done > of) diag_note("told %llu of %llu", (unsigned long long)done, (unsigned long long)of);
    return !k->cancel_at || ++k->tells < k->cancel_at;
}

static void answer(struct asker *k, const cJSON *ask) {
    const cJSON *op = cJSON_GetObjectItemCaseSensitive(ask, "op");
    const cJSON *cancel = cJSON_GetObjectItemCaseSensitive(ask, "cancel");
    char *bytes = NULL;
    struct wf_error error = {.text = "no such op"};
    size_t len = 0;
    FILE *out = open_memstream(&bytes, &len);
    int err = WF_ERR_USAGE;
    k->tells = 0;
    k->cancel_at = cJSON_IsNumber(cancel) ? (uint64_t)cancel->valuedouble : 0;
    for (unsigned i = 0; page_queries[i].op && out && cJSON_IsString(op); ++i) {
        if (strcmp(page_queries[i].op, op->valuestring) != 0) continue;
        err = page_queries[i].answer(&k->a, ask, out, &error);
    }
    if (out) fclose(out);
    for (size_t i = 0; i < len; ++i) bytes[i] = bytes[i] == '\n' ? ' ' : bytes[i];
    if (err == WF_OK)
        printf("{%s}\n", bytes);
    else
        printf("{\"error\":%d,\"why\":\"%s\"}\n", err, err == WF_ERR_STOPPED ? "" : error.text);
    fflush(stdout);
    free(bytes);
}

static double now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void answer_all(struct asker *k) {
    char *line = NULL;
    size_t cap = 0;
    while (getline(&line, &cap, stdin) > 0) {
        cJSON *ask = cJSON_Parse(line);
        double begin = now_ms();
        answer(k, ask);
        if (k->times) fprintf(stderr, "%.2f ms: %s", now_ms() - begin, line);
        cJSON_Delete(ask);
    }
    free(line);
}

static int ask_all(struct asker *k, const struct args *args) {
    struct wf_timeline_span span;
    struct wf_session *s = NULL;
    int code;
    double begin = now_ms();
    struct replay_options o = stream_again(&k->stream);
    struct wf_error error;
    o.spool = k->live;
    k->a.replay = replay_open(&o, &error);
    k->a.live = k->live != 0;
    k->a.searches = page_searches_open();
    if (!k->a.searches) return diag_error(EXIT_INPUT, "out of memory");
    if (!k->a.replay) return diag_error(EXIT_INPUT, "%s", error.text);
    if (k->live) {
        s = wf_session_open(&o.session, NULL);
        code = s ? run_live(k, args, s) : EXIT_INPUT;
    } else {
        code = stream_run(&k->stream, true);
    }
    if (k->times)
        fprintf(stderr, "%.0f ms: %llu rows read\n", now_ms() - begin,
                (unsigned long long)replay_rows(k->a.replay));
    if (code == EXIT_GOOD && k->a.timeline) {
        wf_timeline_end(k->a.timeline);
        wf_timeline_extent(k->a.timeline, &span);
        k->a.t0 = span.first;
        k->a.hz = span.hz;
        answer_all(k);
    }
    wf_timeline_close(k->a.timeline);
    wf_session_close(s);
    page_searches_close(k->a.searches);
    replay_close(k->a.replay);
    return code;
}

int main(int argc, char **argv) {
    struct args args = {.cmd = &cmd};
    struct asker k = {.stream = {.single = true, .on_item = on_item}};
    uint64_t rate;
    struct wf_error error;
    for (int i = 1; i < argc; ++i) {
        if (strncmp(argv[i], "--", 2) == 0) {
            if (!take_option(&args, &k, argv[i])) return diag_error(EXIT_USAGE, "%s", argv[i]);
        } else {
            args.operand = &argv[i];
            args.operands = 1;
        }
    }
    if (!store_open(&k.store, &error)) return diag_error(EXIT_INPUT, "%s", error.text);
    k.a.progress = (struct replay_progress){tell, &k};
    int code = stream_rate(&args, &rate);
    k.stream.rate = rate;
    if (code == EXIT_GOOD) code = stream_open(&k.stream, &args);
    if (code != EXIT_GOOD) return code;
    k.a.source = k.stream.name;
    k.a.lane = k.stream.lanes[0]->number;
    code = ask_all(&k, &args);
    stream_close(&k.stream);
    store_close(&k.store);
    return code;
}
