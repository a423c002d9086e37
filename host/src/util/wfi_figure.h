// SPDX-License-Identifier: MIT
// Values of a figure that is a spread.
#ifndef WFI_FIGURE_H
#define WFI_FIGURE_H

#include "wallfly_host/wf_stats.h"

static inline void wfi_figure_set(struct wf_figure *f, const struct wf_histogram *s) {
    f->histogram = s;
    f->count = (double)s->count;
    f->min = (double)s->min;
    f->mean = wf_histogram_mean(s);
    f->p50 = (double)wf_histogram_quantile(s, 500);
    f->p95 = (double)wf_histogram_quantile(s, 950);
    f->p99 = (double)wf_histogram_quantile(s, 990);
    f->max = (double)s->max;
    f->open = (double)s->open;
    f->in_holes = (double)s->in_holes;
}

#endif
