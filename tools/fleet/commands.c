// SPDX-License-Identifier: MIT
// All commands are encoded first, so that none is sent if one is wrong; then all are one insert,
// which is there as a whole or not at all. Who sends them is the engine's word: its column, or what
// it says of the one who asks.

#include "commands.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "wallfly_host/wf_fleet_chunk.h"
#include "wallfly_host/wf_fleet_sql.h"
#include "wallfly_server/memory.h"

enum { USER_MAX = 1024 }; // in hexadecimal digits

int commands_open(struct commands *c) {
    char sql[512];
    snprintf(sql, sizeof sql,
             "SELECT toUInt8(default_expression != '') FROM system.columns WHERE database = '%s' "
             "AND table = '%s' AND name = 'user'",
             c->fleet->project, wf_fleet_command_table.name);
    int code = fleet_run(c->fleet, sql, NULL);
    if (code != EXIT_GOOD) return code;
    const char *has = wf_engine_answer(c->fleet->engine, NULL);
    if (!*has)
        return diag_error(EXIT_NO,
                          "commands are off in project %s: `wallfly fleet setup --commands` "
                          "permits them",
                          c->fleet->project);
    c->engine_has_user = *has == '1';
    c->out = memory_stream(&c->texts, &c->texts_len);
    return c->out ? EXIT_GOOD : out_of_memory();
}

// ---- the text of a command

// As wf_words_next reads it.
static void put_word(FILE *out, const char *word) {
    if (*word && !word[strcspn(word, " \t\r\n\"\\;#")]) {
        fputs(word, out);
        return;
    }
    putc('"', out);
    for (; *word; ++word) {
        const unsigned char c = (unsigned char)*word;
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < ' ')
            fprintf(out, "\\x%02x", c);
        else
            putc(c, out);
    }
    putc('"', out);
}

// Appends it as a literal, which ends with a zero.
static int put_literal(FILE *to, const char *text) {
    const size_t cap = 2 * strlen(text) + 3;
    char *literal = malloc(cap);
    if (!literal) return out_of_memory();
    wf_fleet_quote(text, literal, cap);
    fwrite(literal, 1, strlen(literal) + 1, to);
    free(literal);
    return EXIT_GOOD;
}

// Returns null when out of memory.
static char *join_words(char *const word[], unsigned count) {
    char *text = NULL;
    size_t len;
    FILE *out = memory_stream(&text, &len);
    for (unsigned i = 0; out && i < count; ++i) {
        if (i) putc(' ', out);
        put_word(out, word[i]);
    }
    if (out && memory_close(out)) return text;
    free(text);
    return NULL;
}

// ---- its frames

static int put_frame(struct commands *c, const struct wf_frame *frame) {
    const size_t most = 2 * frame->len + 8;
    if (c->len + most > c->cap) {
        const size_t cap = 2 * (c->len + most);
        uint8_t *message = realloc(c->message, cap);
        if (!message) return out_of_memory();
        c->message = message;
        c->cap = cap;
    }
    c->len +=
        wf_frame_write(c->message + c->len, ++c->seq, frame->record, frame->payload, frame->len);
    if (c->len <= WF_FLEET_COMMANDS_MAX) return EXIT_GOOD;
    return diag_error(EXIT_USAGE, "the commands have more than %d bytes", WF_FLEET_COMMANDS_MAX);
}

static int encode(struct commands *c, struct wf_commander *commander, char *const word[],
                  unsigned count, const char *text) {
    static struct wf_request request;
    const enum wf_made made = wf_command_make(commander, word, count, &request);
    if (made == WF_MADE_NO_INFO)
        return diag_error(EXIT_INPUT,
                          "%s: the newest trace of device %s does not have the target's sizes",
                          text, c->device);
    if (made != WF_MADE) return diag_error(EXIT_USAGE, "%s: %s", text, request.problem);
    int code = EXIT_GOOD;
    for (unsigned i = 0; i < request.count && code == EXIT_GOOD; ++i) {
        code = put_frame(c, &request.frame[i]);
        wf_command_sent(commander, &request.frame[i]);
    }
    return code;
}

int commands_add(struct commands *c, struct wf_commander *commander, char *const word[],
                 unsigned count) {
    char *text = join_words(word, count);
    if (!text) return out_of_memory();
    int code = encode(c, commander, word, count, text);
    if (code == EXIT_GOOD) code = put_literal(c->out, text);
    free(text);
    ++c->count;
    return code;
}

// ---- writing down

// Gets what the engine calls the one who asks, in hexadecimal digits.
static int ask_user(struct commands *c, char user[USER_MAX]) {
    char sql[256], id[64];
    uint64_t number;
    if (getrandom(&number, sizeof number, 0) != sizeof number)
        return diag_error(EXIT_INPUT, "the system has no random numbers");
    snprintf(id, sizeof id, "query_id=wallfly-%016" PRIx64, number);
    snprintf(sql, sizeof sql,
             "SELECT hex(user) FROM system.processes WHERE query_id = '%s' LIMIT 1",
             strchr(id, '=') + 1);
    int code = fleet_run(c->fleet, sql, id);
    if (code != EXIT_GOOD) return code;
    const char *answer = wf_engine_answer(c->fleet->engine, NULL);
    const size_t len = strlen(answer);
    if (!len || len >= USER_MAX || strspn(answer, "0123456789ABCDEF") != len)
        return diag_error(EXIT_INPUT, "%s: does not say who sends the commands", c->fleet->url);
    memcpy(user, answer, len + 1);
    return EXIT_GOOD;
}

static char *make_insert(const struct commands *c, const char *user) {
    char *sql = NULL, literal[2 * WF_FLEET_DEVICE_MAX + 3];
    size_t len;
    FILE *out = memory_stream(&sql, &len);
    if (!out) return NULL;
    wf_fleet_quote(c->device, literal, sizeof literal);
    fprintf(out, "INSERT INTO %s.%s (device, sent, %stext) SELECT %s, now(), ", c->fleet->project,
            wf_fleet_command_table.name, *user ? "user, " : "", literal);
    if (*user) fprintf(out, "unhex('%s'), ", user);
    fputs("arrayJoin([", out);
    for (const char *text = c->texts; text < c->texts + c->texts_len; text += strlen(text) + 1)
        fprintf(out, "%s%s", text > c->texts ? ", " : "", text);
    fputs("])", out);
    if (memory_close(out)) return sql;
    free(sql);
    return NULL;
}

// Of replicated tables: the same command in the same second is another one.
static const char once[] = "insert_deduplicate";

int commands_store(struct commands *c) {
    char user[USER_MAX] = "", settings[64];
    bool has;
    FILE *out = c->out;
    c->out = NULL;
    if (!memory_close(out)) return out_of_memory();
    int code = c->engine_has_user ? EXIT_GOOD : ask_user(c, user);
    if (code == EXIT_GOOD) code = fleet_has(c->fleet, "system.settings", once, &has);
    if (code != EXIT_GOOD) return code;
    char *sql = make_insert(c, user);
    if (!sql) return out_of_memory();
    snprintf(settings, sizeof settings, "%s=0", once);
    code = fleet_run(c->fleet, sql, has ? settings : NULL);
    free(sql);
    return code;
}

void commands_close(struct commands *c) {
    if (c->out) (void)memory_close(c->out);
    free(c->texts);
    free(c->message);
}
