// SPDX-License-Identifier: MIT
// What the writers share. A format is a row in wf_writer.c and three functions.
#ifndef WFI_WRITER_H
#define WFI_WRITER_H

#include "wallfly_host/wf_sat.h"
#include "wallfly_host/wf_writer.h"
#include "wfi_sentence.h"

enum { WFI_LANES_MAX = 10, WFI_LANE_TEXT = 64 };

struct wfi_lane {
    char name[WFI_LANE_TEXT];
    uint64_t obj;
    bool known; // obj is set
};

struct wf_writer {
    const struct wf_format *format;
    struct wf_session *s;
    struct wf_writer_options options;
    struct wf_filter filter;
    bool filtered;
    wf_write_fn write;
    void *ctx;
    bool failed;
    struct wfi_text text;
    struct wfi_sentences sentences;
    struct wf_sat *sat; // text: of events that are no records; null until there is one
    size_t line;        // where the present line starts in text
    enum wf_line_class line_class;
    uint8_t stale_id; // qspy: byte 1 of QSPY's record buffer
    struct wfi_lane lanes[WFI_LANES_MAX];
    unsigned lane_count, lines; // seq
    int other;                  // seq: the lane of all others, or -1
    char *objects;              // seq: the list as given
    struct wfi_grasp *grasp;    // grasp (wfi_grasp.h)
};

int wfi_qspy_open(struct wf_writer *w);
void wfi_qspy_item(struct wf_writer *w, const struct wf_item *item);
int wfi_people_open(struct wf_writer *w);
void wfi_people_item(struct wf_writer *w, const struct wf_item *item);
int wfi_mat_open(struct wf_writer *w);
void wfi_mat_item(struct wf_writer *w, const struct wf_item *item);
int wfi_seq_open(struct wf_writer *w);
void wfi_seq_item(struct wf_writer *w, const struct wf_item *item);
void wfi_dic_end(struct wf_writer *w);
int wfi_grasp_open(struct wf_writer *w);
void wfi_grasp_item(struct wf_writer *w, const struct wf_item *item);
void wfi_grasp_end(struct wf_writer *w);
void wfi_grasp_close(struct wf_writer *w);

#endif
