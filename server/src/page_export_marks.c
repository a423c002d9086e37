// SPDX-License-Identifier: MIT
// The marks of the window: all of them, as there is no server to ask for more.

#include <stdlib.h>

#include "packed.h"
#include "page_parts.h"
#include "wallfly_server/memory.h"

static int put_packed(const struct page_export *k, const char *text, size_t len) {
    struct packed p;
    if (!packed_begin(&p, k->out)) return WF_ERR_NOMEM;
    packed_put(&p, text, len);
    return packed_end(&p) ? WF_OK : WF_ERR_NOMEM;
}

int page_export_put_marks(struct page_export *k, struct wf_error *error) {
    char *text = NULL;
    size_t len = 0;
    FILE *out = memory_stream(&text, &len);
    if (!out) return wf_error_code(error, WF_ERR_NOMEM);
    putc('[', out);
    int err =
        page_marks_put(k->a, page_query_tick(k->a, k->from), page_query_tick(k->a, k->until), out);
    putc(']', out);
    if (!memory_close(out) && err == WF_OK) err = WF_ERR_NOMEM;
    fputs(",\n\"marks\":\"", k->out);
    if (err == WF_OK) err = put_packed(k, text, len);
    fputs("\"", k->out);
    free(text);
    return err == WF_OK ? err : wf_error_code(error, err);
}
