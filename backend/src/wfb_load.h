// SPDX-License-Identifier: MIT
// Libraries that are loaded when they are first needed.
#ifndef WFB_LOAD_H
#define WFB_LOAD_H

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

// Sets *function, a pointer to a function: ISO C has no conversion from an object pointer. Returns
// false if the library has none of this name.
static inline bool wfb_find_function(void *library, const char *name, void *function) {
    void *address = dlsym(library, name);
    memcpy(function, &address, sizeof address);
    return address != NULL;
}

#endif
