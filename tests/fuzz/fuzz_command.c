// SPDX-License-Identifier: MIT
// Command lines: for any input the result is a request with valid lengths or a message.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_command.h"
#include "wallfly_host/wf_writer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char names[] =
    "-v740\n-O8\n-F8\n\nObj-Dic:\n8\n0x0000000000001000 table\n0x0000000000002000 philo[0]\n***\n"
    "Fun-Dic:\n8\n0x0000000000003000 on_eating\n***\nUsr-Dic:\n1\n0x00000064 PHILO_STAT\n***\n"
    "Sig-Dic:\n8\n00000005 0x0000000000000000 EAT_SIG\n00000006 0x0000000000001000 OWN_SIG\n"
    "00000007 0x0000000000002000 OWN_SIG\n***\n";

static void note(void *ctx, const char *word) { *(size_t *)ctx += strlen(word); }

static void check(const struct wf_request *r, enum wf_made made) {
    if (made == WF_MADE ? r->count < 1 || r->count > 2 : r->count || !*r->problem) abort();
    for (unsigned i = 0; i < r->count; ++i) {
        if (r->frame[i].len > WF_PAYLOAD_MAX) abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct wf_words words;
    static struct wf_request request;
    struct wf_session_options options = {.size = sizeof options, .dialect = WF_DIALECT_WALLFLY};
    struct wf_dict_result result;
    size_t offered = 0;
    char *line = malloc(size + 1);
    struct wf_session *s = wf_session_open(&options, NULL);
    struct wf_commander *c = wf_commander_open(s);
    if (!line || !s || !c) abort();
    memcpy(line, data, size);
    line[size] = 0;
    wf_dict_read(s, names, sizeof names - 1, &result);
    if (size % 2) wf_commander_assume(c);
    const char *at = line;
    while (wf_words_next(&at, &words)) {
        enum wf_made made = wf_command_make(c, words.word, words.count, &request);
        check(&request, made);
        for (unsigned i = 0; i < request.count; ++i) wf_command_sent(c, &request.frame[i]);
    }
    wf_command_complete(c, line, note, &offered);
    wf_commander_close(c);
    wf_session_close(s);
    free(line);
    return 0;
}
