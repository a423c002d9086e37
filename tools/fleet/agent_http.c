// SPDX-License-Identifier: MIT
// Uploads: the same messages as over MQTT, each answered when it is safe, with the offset that is
// wanted next; or a whole trace, which is a file then.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "agent.h"
#include "place.h"
#include "wallfly_backend/wf_input.h"
#include "wallfly_host/wf_recording.h"

enum { RETRY_S = 1, REFUSED_MOST = 20, CHUNKS_MAX = WF_FLEET_CHUNK_MAX + WF_FLEET_CHUNK_FRAME };

static const char prefix[] = "/v1/", image_type[] = "application/vnd.wallfly.ram-image";

struct agent_upload {
    struct wf_upload_request *request;
    char device[WF_FLEET_DEVICE_MAX + 1];
    uint64_t stream, offset; // of its last chunk
};

static void answer_text(struct wf_upload_request *r, unsigned status, const char *text) {
    const struct wf_upload_answer a = {
        .status = status, .text = text, .retry_after_s = status == 503 ? RETRY_S : 0};
    wf_upload_answer(r, &a);
}

// ---- the header

static void report_token(struct agent *a, const char *device) {
    if (++a->refused > REFUSED_MOST) return;
    diag_note("%s: an upload without a token for it is refused%s", *device ? device : "HTTP",
              a->refused == REFUSED_MOST ? "; more of them are not shown" : "");
}

// Without a valid token the answer is 401, whatever the path.
static void on_head(void *ctx, struct wf_upload_request *r) {
    struct agent *a = ctx;
    struct fleet_place place = {.device = ""};
    const bool ours = strncmp(r->path, prefix, sizeof prefix - 1) == 0 &&
                      fleet_place_parse(r->path + sizeof prefix - 1, &place);
    if (!tokens_allow(a->tokens, r->token, *place.device ? place.device : NULL)) {
        report_token(a, place.device);
        answer_text(r, 401, "a token for this device is needed: Authorization: Bearer TOKEN");
    } else if (!ours) {
        answer_text(r, 404, "uploads go to /v1/PROJECT/DEVICE");
    } else if (!*place.project) {
        answer_text(r, 400, "the path has no name of a project");
    } else if (strcmp(place.project, a->fleet->project) != 0) {
        answer_text(r, 404, "this agent has another project");
    } else if (!*place.device) {
        answer_text(r, 400, "the path has no name of a device");
    } else if (!agent_has(a, place.device)) {
        answer_text(r, 421, "another agent has this device (--share)");
    }
}

// ---- whole traces

// Any bytes may be an image, so its sender says that it is one.
static bool is_file(const struct wf_upload_request *r, enum wf_file_kind *kind) {
    const bool is_image = strcasecmp(r->type, image_type) == 0;
    *kind = is_image ? WF_FILE_IMAGE : WF_FILE_RECORDING;
    return is_image || (r->len >= WF_RECORDING_MAGIC_LEN && wf_recording_is(r->body, r->len));
}

static void take_file(struct agent *a, struct wf_upload_request *r, const char *device,
                      enum wf_file_kind kind) {
    struct wf_error error;
    char profile[WF_FLEET_PROFILE_MAX];
    // A longer one might never find room beside the chunks.
    if (a->spool_bytes && r->len > a->spool_bytes / 2) {
        answer_text(r, 413, "the upload is longer than half of the spool (--spool-size)");
        return;
    }
    int err = agent_put_file(a, device, kind, r, &error);
    if (err != WF_OK) {
        answer_text(r, 503, error.text);
        return;
    }
    const struct wf_upload_answer answer = {
        .status = 200,
        .text = "stored",
        .header = agent_profile_of(a, device, profile) ? WF_FLEET_PROFILE_HEADER : NULL,
        .header_value = profile};
    wf_upload_answer(r, &answer);
}

// ---- chunks

// Reads the chunks, all of one stream.
static int look(const struct wf_upload_request *r, struct agent_upload *upload,
                struct wf_error *error) {
    struct wf_fleet_chunk chunk;
    for (size_t at = 0; at < r->len;) {
        const bool first = at == 0;
        int err = wf_fleet_chunk_read(r->body, r->len, &at, &chunk, error);
        if (err != WF_OK) return err;
        if (!first && chunk.stream != upload->stream)
            return wf_error_set(error, WF_ERR_BAD_CHUNK, "chunks of two streams in an upload");
        upload->stream = chunk.stream;
        upload->offset = chunk.offset;
    }
    return WF_OK;
}

static struct agent_upload *add_upload(struct agent *a) {
    if (a->upload_count == a->upload_cap) {
        const size_t cap = 2 * a->upload_cap + 16;
        struct agent_upload *more = realloc(a->uploads, cap * sizeof *more);
        if (!more) return NULL;
        a->uploads = more;
        a->upload_cap = cap;
    }
    return &a->uploads[a->upload_count];
}

static void take_chunks(struct agent *a, struct wf_upload_request *r, const char *device) {
    struct wf_error error;
    struct agent_upload *upload = add_upload(a);
    if (!upload) {
        answer_text(r, 503, wf_err_text(WF_ERR_NOMEM));
        return;
    }
    *upload = (struct agent_upload){.request = r};
    snprintf(upload->device, sizeof upload->device, "%s", device);
    int err = look(r, upload, &error);
    if (err == WF_OK) err = wf_intake_take(a->intake, device, r->body, r->len, NULL, &error);
    if (err == WF_OK)
        ++a->upload_count;
    else if (err == WF_ERR_BAD_CHUNK)
        answer_text(r, 400, error.text);
    else
        answer_text(r, 503, agent_no_room(a, err, &error));
    if (err == WF_ERR_BAD_CHUNK) agent_report_bad(a, device, &error);
}

static void on_body(void *ctx, struct wf_upload_request *r) {
    struct agent *a = ctx;
    struct fleet_place place;
    enum wf_file_kind kind;
    (void)fleet_place_parse(r->path + sizeof prefix - 1, &place); // as in on_head
    if (is_file(r, &kind))
        take_file(a, r, place.device, kind);
    else if (r->len > CHUNKS_MAX)
        answer_text(r, 413, "the upload is too long");
    else
        take_chunks(a, r, place.device);
}

// ---- answers

// 200 if the agent wants the end of the last chunk or later, 409 if it wants bytes before it.
static void answer_wanted(struct agent *a, const struct agent_upload *upload) {
    uint8_t bytes[WF_FLEET_ANSWER_MAX];
    char profile[WF_FLEET_PROFILE_MAX];
    const uint64_t wanted = wf_intake_wanted(a->intake, upload->device, upload->stream);
    const struct wf_upload_answer answer = {
        .status = wanted < upload->offset ? 409 : 200,
        .bytes = bytes,
        .len = wf_fleet_answer_write(upload->stream, wanted, bytes),
        .header = agent_profile_of(a, upload->device, profile) ? WF_FLEET_PROFILE_HEADER : NULL,
        .header_value = profile};
    wf_upload_answer(upload->request, &answer);
}

void agent_answer_uploads(struct agent *a, int err) {
    for (size_t i = 0; i < a->upload_count; ++i) {
        if (err == WF_OK)
            answer_wanted(a, &a->uploads[i]);
        else
            answer_text(a->uploads[i].request, 503, "the spool cannot be written");
    }
    a->upload_count = 0;
}

// ---- opening

int agent_read_tokens(const char *file, struct tokens *tokens) {
    struct wf_error error;
    struct wf_input input;
    int err = wf_input_open(file, &input, &error);
    if (err != WF_OK) return diag_error(exit_code_of(err), "%s", error.text);
    err = tokens_parse(tokens, (const char *)input.bytes, input.len, &error);
    wf_input_close(&input);
    if (err != WF_OK) return diag_error(exit_code_of(err), "%s: %s", file, error.text);
    return tokens->count ? EXIT_GOOD : diag_error(EXIT_USAGE, "%s: has no token", file);
}

int agent_open_uploads(struct agent *a) {
    struct wf_error error;
    const struct wf_upload_options o = {.size = sizeof o,
                                        .listen = a->http,
                                        .most = WF_FILE_MAX,
                                        .usual = CHUNKS_MAX,
                                        .head = on_head,
                                        .body = on_body,
                                        .ctx = a};
    a->upload = wf_upload_open(&o, &error);
    if (!a->upload) return diag_error(exit_code_of(error.code), "--http: %s", error.text);
    diag_note("%s: takes uploads", wf_upload_url(a->upload));
    return EXIT_GOOD;
}

void agent_close_uploads(struct agent *a) {
    wf_upload_close(a->upload);
    free(a->uploads);
}
