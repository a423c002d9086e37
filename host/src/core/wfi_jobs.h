// SPDX-License-Identifier: MIT
// What a job is: the one definition for statistics, time lines and explanations. A job begins when
// its task becomes ready (the arrival), and ends when the task waits, sleeps, is suspended or ends.
// A wait for a mutex is part of the job. QP's kernels record no jobs.
#ifndef WFI_JOBS_H
#define WFI_JOBS_H

#include "wallfly_host/wf_model.h"

// What a change does to the job of its task, as bits; several in the order of the enum.
enum wfi_job_step {
    WFI_JOB_LOST = 1,      // the job is cut: by a hole, or by the end of the trace
    WFI_JOB_DROPPED = 2,   // the task left without a reason: nothing shows whether the job goes on
    WFI_JOB_DONE = 4,      // the job ended
    WFI_JOB_ABANDONED = 8, // another task suspended or deleted the task before the job was done
    WFI_JOB_ARRIVED = 16,  // a job begins now
    WFI_JOB_FOUND = 32,    // the task runs, but the arrival of its job is not known
    WFI_JOB_STARTED = 64,  // the job runs for the first time
    WFI_JOB_DOUBTFUL = 128 // the task becomes ready, and it is not known whether a job goes on or a
                           // new one begins
};

static inline bool wfi_waits_for_mutex(const struct wf_task *t) {
    return t->waits ? t->waits->kind == WF_OBJECT_MUTEX : t->waits_mutex;
}

struct wfi_job_span {
    uint64_t from;   // its arrival, or when it was found
    bool from_known; // `from` is its arrival
    bool visible;    // its arrival may be in the trace
    bool begins;     // no part of its execution lies before `from`
    bool started;    // it has run
};

// The state for a task; all zero at first.
struct wfi_job {
    bool open;
    bool waits;                    // for a mutex: the job continues
    bool fresh;                    // the task was created, and nothing happened since
    bool mutex;                    // its last wait was for a mutex
    bool doubt;                    // BLOCKED; perhaps for a mutex, as part of an unknown job
    struct wfi_job_span now, last; // now: the open one; last: the one that ended last
};

// Takes a change of its task, of kind TASK, CREATE or WAIT (others do nothing), in the order of
// wf_model_changes.
//   returns  bits of wfi_job_step
unsigned wfi_job_change(struct wfi_job *job, const struct wf_change *c);

#endif
