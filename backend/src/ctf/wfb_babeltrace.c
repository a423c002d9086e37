// SPDX-License-Identifier: MIT
// Loads libbabeltrace2.

#include "wfb_babeltrace.h"

#include <stdio.h>
#include <string.h>

#include "wfb_load.h"

int wfb_babeltrace_load(struct wfb_babeltrace *bt, struct wf_error *error) {
    *bt = (struct wfb_babeltrace){.library = dlopen("libbabeltrace2.so.0", RTLD_NOW | RTLD_LOCAL)};
    if (!bt->library)
        return wf_error_set(error, WF_ERR_LINK,
                            "CTF is read by libbabeltrace2, which is not installed: install "
                            "libbabeltrace2-0");
    const char *missing = NULL;
#define FIND(result, name, parameters)                                                             \
    if (!wfb_find_function(bt->library, #name, &bt->name)) missing = #name;
    BT_FUNCTIONS(FIND)
#undef FIND
    if (!missing) return WF_OK;
    return wf_error_set(error, WF_ERR_LINK, "libbabeltrace2 has no %s: version 2.0 is needed",
                        missing);
}

// Removes "NAME-addr=0x..., ": memory addresses of the library, of no use to the user.
static void drop_addresses(char *text) {
    for (char *found; (found = strstr(text, "-addr=")) != NULL;) {
        char *begin = found, *end = found + strcspn(found, ",");
        while (begin > text && begin[-1] != ' ') --begin;
        if (*end)
            end += 1 + (end[1] == ' ');
        else
            while (begin > text && strchr(" ,:", begin[-1])) --begin;
        memmove(begin, end, strlen(end) + 1);
    }
}

// The first cause is the deepest one, and says what is wrong; the others say what was being done.
const char *wfb_babeltrace_error(const struct wfb_babeltrace *bt, char *text, size_t cap) {
    bt_const error = bt->bt_current_thread_take_error();
    snprintf(text, cap, "an error without a reason");
    if (!error) return text;
    if (bt->bt_error_get_cause_count(error)) {
        const char *why =
            bt->bt_error_cause_get_message(bt->bt_error_borrow_cause_by_index(error, 0));
        snprintf(text, cap, "%s", why);
        text[strcspn(text, "\n")] = 0;
        drop_addresses(text);
    }
    bt->bt_error_release(error);
    return text;
}
