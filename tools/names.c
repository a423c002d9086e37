// SPDX-License-Identifier: MIT
// The file stays mapped as long as its names are used.

#include "names.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd.h"
#include "wallfly_host/wf_writer.h"

int map_file(const char *name, struct wf_input *m) {
    struct wf_error error;
    if (wf_input_open(name, m, &error) != WF_OK) return diag_error(EXIT_INPUT, "%s", error.text);
    if (m->len) return EXIT_GOOD;
    wf_input_close(m);
    return diag_error(EXIT_INPUT, "%s: is empty", name);
}

static bool parse_address(const char *text, uint64_t *address) {
    char *end;
    errno = 0;
    *address = strtoull(text, &end, 16);
    if (end != text && !*end && !errno && *text != '-') return true;
    diag_error(EXIT_USAGE, "--loaded-at: '%s' is no hexadecimal address, as in 0x555555554000",
               text);
    return false;
}

// Maps and listings do not contain this.
static bool is_fixed(const struct wf_program_info *info) {
    return info->kind == WF_PROGRAM_ELF && !info->moves;
}

int names_open(struct names *n, const struct names_options *o) {
    struct wf_error error;
    *n = (struct names){.file = o->elf ? o->elf : o->map, .placed = o->loaded_at != NULL};
    if (o->elf && o->map) return diag_error(EXIT_USAGE, "--elf and --map: one of them is enough");
    if (o->loaded_at && !n->file)
        return diag_error(EXIT_USAGE, "--loaded-at goes with --elf or --map");
    if (o->loaded_at && !parse_address(o->loaded_at, &n->loaded_at)) return EXIT_USAGE;
    if (!n->file) return EXIT_GOOD;
    int code = map_file(n->file, &n->bytes);
    if (code != EXIT_GOOD) return code;
    n->program = wf_program_open(n->bytes.bytes, n->bytes.len, &error);
    if (n->program && !(n->placed && is_fixed(wf_program_about(n->program)))) return EXIT_GOOD;
    if (n->program)
        code = diag_error(EXIT_USAGE, "%s: is linked to a fixed address; leave out --loaded-at",
                          n->file);
    else
        code = diag_error(EXIT_INPUT, "%s: %s", n->file, error.text);
    names_close(n);
    return code;
}

void names_use(struct names *n, struct wf_session *s) {
    if (n->program) wf_session_use_program(s, n->program, n->placed ? &n->loaded_at : NULL);
}

bool names_watch(struct names *n, const struct wf_session *s, bool end, char text[512]) {
    if (n->reported || !n->program) return false;
    enum wf_program_fit fit = wf_program_fit(s, NULL);
    if (fit == WF_PROGRAM_OTHER_BUILD) {
        snprintf(text, 512,
                 "%.200s: has the build id %08" PRIX32 ", the target %08" PRIX32
                 ": no names are taken from it; give the file that the target runs",
                 n->file, wf_program_about(n->program)->build_id, wf_session_target(s)->build_id);
        return n->reported = true;
    }
    if (fit != WF_PROGRAM_UNPLACED || !end) return false;
    snprintf(text, 512,
             "%.200s: can be loaded anywhere, and its load address is unknown: no names are taken "
             "from it; let the target send WF_FUN_DICTIONARY(main), or give --loaded-at",
             n->file);
    return n->reported = true;
}

static int add_dictionary(struct names *n, struct wf_session *s, uint8_t *bytes, size_t len,
                          struct wf_error *error) {
    struct wf_dict_result result;
    struct names_dictionary *d = malloc(sizeof *d);
    int err = d ? wf_dict_read(s, (const char *)bytes, len, &result) : WF_ERR_NOMEM;
    if (err == WF_OK) {
        *d = (struct names_dictionary){n->dictionary, bytes, len};
        n->dictionary = d;
        return WF_OK;
    }
    free(d);
    free(bytes);
    if (err != WF_ERR_BAD_DICT) return wf_error_code(error, err);
    return wf_error_set(error, err,
                        "line %u is not a line of a dictionary file; the names before it are used",
                        result.line);
}

static void apply_dictionaries(const struct names_dictionary *d, struct wf_session *s) {
    struct wf_dict_result result;
    if (!d) return;
    apply_dictionaries(d->before, s); // in their order
    wf_dict_read(s, (const char *)d->bytes, d->len, &result);
}

void names_begin(const struct names *n, struct wf_session *s) {
    apply_dictionaries(n->dictionary, s);
}

static int check_fit(const struct names *n, const struct wf_session *s, struct wf_error *error) {
    switch (wf_program_fit(s, NULL)) {
    case WF_PROGRAM_OTHER_BUILD:
        return wf_error_set(error, WF_ERR_BAD_PROGRAM,
                            "it has the build id %08" PRIX32 ", the target %08" PRIX32
                            ": take the file that the target runs",
                            wf_program_about(n->program)->build_id, wf_session_target(s)->build_id);
    case WF_PROGRAM_UNPLACED:
        return wf_error_set(error, WF_ERR_BAD_PROGRAM,
                            "it can be loaded anywhere, and its load address is unknown: start "
                            "with --elf=FILE --loaded-at=ADDRESS");
    default: return WF_OK;
    }
}

int names_add(struct names *n, struct wf_session *s, uint8_t *bytes, size_t len,
              struct wf_error *error) {
    if (len && *bytes == '-') return add_dictionary(n, s, bytes, len, error); // its options
    struct names next = {
        .file = "the file that a page sent", .own = bytes, .before = malloc(sizeof *n)};
    next.program = next.before ? wf_program_open(bytes, len, error) : NULL;
    int err = !next.before   ? wf_error_code(error, WF_ERR_NOMEM)
              : next.program ? WF_OK
                             : error->code;
    if (err == WF_OK) {
        names_use(&next, s);
        err = check_fit(&next, s, error);
        if (err != WF_OK) wf_session_use_program(s, NULL, NULL);
        if (err != WF_OK) names_use(n, s);
    }
    if (err == WF_OK) {
        next.dictionary = n->dictionary;
        n->dictionary = NULL;
        *next.before = *n;
        *n = next;
        return WF_OK;
    }
    wf_program_close(next.program);
    free(next.before);
    free(bytes);
    return err;
}

void names_close(struct names *n) {
    if (n->before) names_close(n->before);
    for (struct names_dictionary *d = n->dictionary, *before; d; d = before) {
        before = d->before;
        free(d->bytes);
        free(d);
    }
    free(n->before);
    wf_program_close(n->program);
    wf_input_close(&n->bytes);
    free(n->own);
    *n = (struct names){.file = NULL};
}
