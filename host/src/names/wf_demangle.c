// SPDX-License-Identifier: MIT
// Demangles C++ names with the compiler's own library (docs/decisions/0003).

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "wfi_program.h"

// Declared in <cxxabi.h>, a header of C++.
char *__cxa_demangle(const char *mangled, char *buffer, size_t *len, int *status);

// A name refers to an earlier part in a few characters, so a forged one can grow without end: up to
// threefold for every three of REFS_MAX. Real names of objects and handlers have a few.
enum { NAME_MAX_LEN = 1000, REFS_MAX = 24 };

static bool harmless(const char *name) {
    unsigned refs = 0;
    size_t len = 0;
    for (; name[len]; ++len) {
        unsigned char next = (unsigned char)name[len + 1];
        bool ref = (name[len] == 'S' || name[len] == 'T') &&
                   (next == '_' || isdigit(next) || isupper(next));
        refs += ref;
        if (len > NAME_MAX_LEN || refs > REFS_MAX) return false;
    }
    return true;
}

char *wfi_demangle(const char *name) {
    int status;
    if (strncmp(name, "_Z", 2) != 0 || !harmless(name)) return NULL;
    return __cxa_demangle(name, NULL, NULL, &status);
}
