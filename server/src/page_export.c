// SPDX-License-Identifier: MIT
// Writes the answers that `wallfly serve` would give for the window, one member each.

#include "page_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "wallfly_server/json.h"
#include "wallfly_server/memory.h"

enum { ARROWS = 20000 };

bool page_export_too_long(const struct page_export *k) {
    return (uint64_t)ftello(k->out) > k->size_max;
}

// Writes the members of an answer as an object with this name.
static int put_answer(struct page_export *k, const char *name, page_query_fn *answer,
                      const cJSON *ask, struct wf_error *error) {
    fprintf(k->out, ",\n\"%s\":{", name);
    int err = answer(k->a, ask, k->out, error);
    putc('}', k->out);
    return err;
}

// Writes the member of an answer as it is.
static int put_stats(struct page_export *k, const cJSON *ask, struct wf_error *error) {
    fputs(",\n", k->out);
    return page_query_stats(k->a, ask, k->out, error);
}

// Writes the one member of a message, without the braces.
static bool put_message(FILE *out, page_put_fn *put, const void *ctx) {
    size_t len;
    char *text = page_message(put, ctx, &len);
    if (!text) return false;
    fputs(",\n", out);
    fwrite(text + 1, 1, len - 2, out);
    free(text);
    return true;
}

static int put_messages(struct page_export *k, const struct page *p, struct wf_error *error) {
    const struct page_hello hello = {.about = k->a, .kept = true};
    if (!put_message(k->out, page_put_hello, &hello) || !put_message(k->out, page_put_status, p))
        return wf_error_code(error, WF_ERR_NOMEM);
    fprintf(k->out, ",\n\"from\":%" PRId64 ",\"until\":%" PRId64, k->from, k->until);
    if (k->compact) fputs(",\n\"compact\":true", k->out);
    if (k->view) {
        fputs(",\n\"view\":", k->out);
        json_text(k->out, k->view);
    }
    return WF_OK;
}

static int put_answers(struct page_export *k, cJSON *ask, struct wf_error *error) {
    const struct {
        const char *name;
        page_query_fn *answer;
    } of[] = {{"rows", page_query_rows},     {"things", page_query_entities},
              {"arrows", page_query_arrows}, {"rules", page_query_rules},
              {"notes", page_query_notes},   {"sequence", page_query_sequence}};
    int err = put_stats(k, ask, error);
    for (unsigned i = 0; i < sizeof of / sizeof of[0] && err == WF_OK; ++i) {
        bool entities = of[i].answer == page_query_entities;
        cJSON *whole = entities ? cJSON_CreateObject() : NULL;
        bool good = !entities || cJSON_AddNumberToObject(whole, "from", 0);
        err = good ? put_answer(k, of[i].name, of[i].answer, entities ? whole : ask, error)
                   : wf_error_code(error, WF_ERR_NOMEM);
        cJSON_Delete(whole);
    }
    return err;
}

int page_export_put(struct page_export *k, const struct page *p, struct wf_error *error) {
    cJSON *ask = cJSON_CreateObject();
    if (!ask || !cJSON_AddNumberToObject(ask, "from", (double)k->from) ||
        !cJSON_AddNumberToObject(ask, "until", (double)k->until) ||
        !cJSON_AddNumberToObject(ask, "most", ARROWS)) {
        cJSON_Delete(ask);
        return wf_error_code(error, WF_ERR_NOMEM);
    }
    fputs("{\"kept\":1", k->out);
    int err = put_messages(k, p, error);
    if (err == WF_OK) err = page_export_put_tiles(k, error);
    if (err == WF_OK) err = page_export_put_records(k, error);
    if (err == WF_OK) err = page_export_put_marks(k, error);
    if (err == WF_OK) err = page_export_put_loads(k, error);
    if (err == WF_OK) err = put_answers(k, ask, error);
    fputs("}\n", k->out);
    cJSON_Delete(ask);
    if (err == WF_OK && ferror(k->out)) err = wf_error_code(error, WF_ERR_NOMEM);
    return err == WF_OK && page_export_too_long(k) ? WF_ERR_TOO_MANY : err;
}

int page_export_make(struct page_export *k, const struct page *p, char **data, size_t *len,
                     struct wf_error *error) {
    *data = NULL;
    *len = 0;
    error->text[0] = 0;
    k->out = memory_stream(data, len);
    int err = k->out ? page_export_put(k, p, error) : WF_ERR_NOMEM;
    if (k->out && !memory_close(k->out) && err == WF_OK) err = WF_ERR_NOMEM;
    return err == WF_ERR_NOMEM ? wf_error_code(error, err) : err;
}
