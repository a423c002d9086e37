// SPDX-License-Identifier: MIT
// Looks up names of addresses for tests/cli/names.sh. Usage: names_resolve FILE < ADDRESSES. Input
// line: "o" or "f" for an object or a function, and a hexadecimal address. Output line: the
// address, a space and its name, or "?". "t" and an address: the text there.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "wallfly_host/wf_program.h"

static uint8_t *read_all(const char *name, size_t *len) {
    FILE *f = fopen(name, "rb");
    uint8_t *bytes = malloc(1 << 26);
    *len = f && bytes ? fread(bytes, 1, 1 << 26, f) : 0;
    if (f) fclose(f);
    return bytes;
}

int main(int argc, char **argv) {
    struct wf_error error;
    char line[128], name[WF_PROGRAM_NAME];
    size_t len;
    if (argc != 2) return 2;
    uint8_t *bytes = read_all(argv[1], &len);
    struct wf_program *p = wf_program_open(bytes, len, &error);
    if (!p) {
        printf("%s\n", error.text);
        return 3;
    }
    const struct wf_program_info *info = wf_program_about(p);
    fprintf(stderr, "%s, %s, %u bits, %s-endian, build id %08" PRIX32 "%s\n", info->kind_name,
            info->machine, info->bits, info->big_endian ? "big" : "little", info->build_id,
            info->moves ? ", moves" : "");
    while (fgets(line, sizeof line, stdin)) {
        uint64_t address = strtoull(line + 1, NULL, 16);
        const char *text;
        if (*line == 't') {
            if (wf_program_text(p, address, &text, &len))
                printf("%" PRIx64 " '%s'\n", address, text);
            else
                printf("%" PRIx64 " ?\n", address);
            continue;
        }
        enum wf_program_what what = *line == 'f' ? WF_PROGRAM_FUNCTION : WF_PROGRAM_OBJECT;
        bool known = wf_program_name(p, what, address, name) != 0;
        printf("%" PRIx64 " %s\n", address, known ? name : "?");
    }
    wf_program_close(p);
    free(bytes);
    return 0;
}
