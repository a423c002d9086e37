// SPDX-License-Identifier: MIT

#include "wfi_record.h"

#include <stdio.h>
#include <string.h>

#include "wfi_session.h"

void wfi_record_name(struct wf_session *s, const struct wf_record *r,
                     struct wfi_record_name *name) {
    bool user = r->row == &wf_user_row;
    const struct wfi_name *known = user ? wfi_dict_get(&s->names.users, r->id) : NULL;
    name->text = known ? known->text : name->number;
    name->len = known ? known->len : 0;
    if (known) return;
    if (user) {
        name->len =
            (size_t)snprintf(name->number, sizeof name->number, "user+%u", r->id - s->user_first);
    } else if (r->row) {
        name->text = r->row->name;
        name->len = strlen(name->text);
    } else {
        name->len = (size_t)snprintf(name->number, sizeof name->number, "record+%u", r->id);
    }
}
