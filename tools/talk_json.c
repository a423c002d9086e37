// SPDX-License-Identifier: MIT
// Results of commands as JSON.

#include <inttypes.h>
#include <stdio.h>

#include "talk.h"
#include "wallfly_server/json.h"

static void put_data(struct talk *t, const struct wf_answer *a) {
    const char *comma = "";
    printf(",\"data\":{");
    for (unsigned i = 0; i < a->row->count; ++i) {
        char text[300];
        const struct wf_field *f = &a->row->fields[i];
        if (f->type == WF_TYPE_ITEMS) continue;
        printf("%s\"%s\":", comma, f->name);
        if (wf_answer_field(a, talk_session(t), i, text, sizeof text))
            json_text(stdout, text);
        else
            printf("%" PRIu64, a->value[i]);
        comma = ",";
    }
    if (a->item_count) printf("%s\"items\":[", comma);
    for (unsigned i = 0; i < a->item_count; ++i) printf("%s%" PRIu32, i ? "," : "", a->item[i]);
    printf(a->item_count ? "]}" : "}");
}

void talk_json(struct talk *t, const struct wf_command_result *r) {
    printf("{\"command\":");
    json_text(stdout, r->command);
    printf(",\"outcome\":\"%s\",\"text\":", wf_outcome_name(r->outcome));
    json_text(stdout, r->text);
    if (r->answer && r->answer->error) printf(",\"error\":%u", r->answer->error);
    if (r->answer && r->answer->gap) printf(",\"gap\":true");
    if (r->answer && r->answer->row) put_data(t, r->answer);
    printf("}\n");
}
