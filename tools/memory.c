// SPDX-License-Identifier: MIT
// Every allocation of the program's own code goes through these functions (the linker's --wrap,
// tools/CMakeLists.txt), so that no failure is unnoticed: it is reported at once, and a command
// that continues does not end with exit code 0. After a failed allocation libuv aborts in some
// places, and libcrypto and libwebsockets crash: so a failure in these ends the program.

#include "wallfly_server/memory.h"

#include <cjson/cJSON.h>
#include <libwebsockets.h>
#include <openssl/crypto.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>

#include "cmd.h"

void *__real_malloc(size_t len);
void *__real_calloc(size_t n, size_t len);
void *__real_realloc(void *p, size_t len);
char *__real_strdup(const char *text);
void *__wrap_malloc(size_t len);
void *__wrap_calloc(size_t n, size_t len);
void *__wrap_realloc(void *p, size_t len);
char *__wrap_strdup(const char *text);

static void *checked(void *p, size_t len) {
    if (!p && len) memory_is_out();
    return p;
}

void *__wrap_malloc(size_t len) { return checked(__real_malloc(len), len); }
void *__wrap_calloc(size_t n, size_t len) { return checked(__real_calloc(n, len), n && len); }
void *__wrap_realloc(void *p, size_t len) { return checked(__real_realloc(p, len), len); }
char *__wrap_strdup(const char *text) { return checked(__real_strdup(text), 1); }

static void *or_end(void *p, size_t len) {
    if (p || !len) return p;
    memory_is_out();
    _exit(EXIT_INPUT);
}

static void *uv_malloc(size_t len) { return or_end(__real_malloc(len), len); }
static void *uv_calloc(size_t n, size_t len) { return or_end(__real_calloc(n, len), n && len); }
static void *uv_realloc(void *p, size_t len) { return or_end(__real_realloc(p, len), len); }

// libcrypto passes its source file and line.
static void *crypto_malloc(size_t len, const char *file, int line) {
    (void)file;
    (void)line;
    return or_end(__real_malloc(len), len);
}

static void *crypto_realloc(void *p, size_t len, const char *file, int line) {
    (void)file;
    (void)line;
    return or_end(__real_realloc(p, len), len);
}

static void crypto_free(void *p, const char *file, int line) {
    (void)file;
    (void)line;
    free(p);
}

// A length of 0 frees.
static void *lws_memory(void *p, size_t len, const char *reason) {
    (void)reason;
    if (len) return or_end(__real_realloc(p, len), len);
    free(p);
    return NULL;
}

static void report_failure(void) {
    static const char text[] = "wallfly: out of memory\n";
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0) return; // no other place to report it
}

void memory_open(void) {
    memory_on_failure(report_failure);
    cJSON_Hooks json = {__wrap_malloc, free};
    cJSON_InitHooks(&json);
    uv_replace_allocator(uv_malloc, uv_realloc, uv_calloc, free);
    lws_set_allocator(lws_memory);
    CRYPTO_set_mem_functions(crypto_malloc, crypto_realloc, crypto_free);
}
