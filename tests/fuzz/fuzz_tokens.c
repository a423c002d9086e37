// SPDX-License-Identifier: MIT
// What an agent reads of strangers and of its user: the path of an upload, up to the first line
// end, and a file of tokens behind it. Names that are taken are valid; a file that is taken has a
// line for each token, and a token of another sum is not allowed.

#include <stdlib.h>
#include <string.h>

#include "place.h"
#include "tokens.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool good) {
    if (!good) abort();
}

static void split_path(const char *path) {
    struct fleet_place place;
    if (!fleet_place_parse(path, &place)) return;
    require(!place.project[0] || wf_fleet_is_project(place.project));
    require(!place.device[0] || wf_fleet_is_device(place.device));
    const size_t project = strlen(place.project), device = strlen(place.device);
    if (!project || !device) return;
    require(strlen(path) == project + 1 + device);
    require(strncmp(path, place.project, project) == 0 && path[project] == '/' &&
            strcmp(path + project + 1, place.device) == 0);
}

static void read_tokens(const char *text, size_t len) {
    struct tokens t = {0};
    struct wf_error error;
    size_t lines = 1;
    for (size_t i = 0; i < len; ++i) lines += text[i] == '\n';
    int err = tokens_parse(&t, text, len, &error);
    require(err == WF_OK || (err == WF_ERR_USAGE && error.text[0]));
    require(t.count <= lines && t.count <= len / 64);
    for (size_t i = 0; i < t.count; ++i)
        require(!t.list[i].device[0] || wf_fleet_is_device(t.list[i].device));
    // The seeds have the sum of "secret", other tokens cannot be guessed.
    require(!tokens_allow(&t, "", NULL) && !tokens_allow(&t, "another", NULL));
    if (tokens_allow(&t, "secret", "device")) require(tokens_allow(&t, "secret", NULL));
    tokens_free(&t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    require(text != NULL);
    memcpy(text, data, size);
    text[size] = 0;
    char *end = memchr(text, '\n', size);
    char *rest = end ? end + 1 : text + size;
    read_tokens(rest, (size_t)(text + size - rest));
    if (end) *end = 0;
    split_path(text);
    free(text);
    return 0;
}
