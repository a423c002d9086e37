// SPDX-License-Identifier: MIT
// C++ names as they are written, by the compiler's own library (docs/decisions/0003).

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "wfi_program.h"

// What <cxxabi.h>, a header of C++, declares.
char *__cxa_demangle(const char *mangled, char *buffer, size_t *len, int *status);

// A name says of a part "the same as before" in a few characters, so a made-up one can grow without
// end: a third of REFS_MAX times threefold. Real names of objects and handlers have a few.
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
