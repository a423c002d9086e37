// SPDX-License-Identifier: MIT
// Reads the new side in a process of its own, so that two processors read both sides at the same
// time. Its result is a profile, as of `stats --save`; its messages are shown after those of the
// good side.

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <uv.h>

#include "../collect.h"
#include "diff.h"

// Shorter files are read in less time than the second process takes.
enum { BYTES_LEAST = 2 << 20 };

// What the process writes first; then a flag for each source, saved or not, and the profile.
struct head {
    int code;
    bool lossy, without_behaviour;
};

// Whether the side consists of files that are worth it. A pipe can be read only once.
static bool is_worth_it(const struct diff_side *side) {
    off_t bytes = 0;
    for (unsigned i = 0; i < side->count; ++i) {
        struct stat st;
        if (stat(side->sources[i].name, &st) != 0 || !S_ISREG(st.st_mode)) return false;
        bytes += st.st_size;
    }
    return bytes >= BYTES_LEAST && uv_available_parallelism() > 1;
}

// ---- in the process

static bool put_result(const struct diff_side *side, int code, FILE *to) {
    struct head head = {code, side->lossy, side->without_behaviour};
    struct wf_error error;
    size_t len = 0;
    uint8_t *bytes = NULL;
    if (code == EXIT_GOOD) {
        bytes = collect_write(side->profile, side->behaviour, &len, &error);
        if (!bytes) head.code = diag_error(exit_code_of(error.code), "%s", error.text);
    }
    bool good = fwrite(&head, sizeof head, 1, to) == 1;
    for (unsigned i = 0; i < side->count && good; ++i)
        good = putc(side->sources[i].saved, to) != EOF;
    good = good && (!len || fwrite(bytes, 1, len, to) == len);
    free(bytes);
    return fflush(to) == 0 && good;
}

static _Noreturn void run(struct diff_process *p, struct diff_side *side, const struct args *args) {
    if (dup2(fileno(p->messages), STDERR_FILENO) < 0) _exit(EXIT_INPUT);
    int code = diff_read_side(side, args, false);
    if (!put_result(side, code, p->result))
        code = diag_error(EXIT_INPUT, "a temporary file: %s", strerror(errno));
    fflush(stderr);
    _exit(code);
}

// ---- in the command

void diff_process_start(struct diff_process *p, struct diff_side *side, const struct args *args) {
    *p = (struct diff_process){0};
    if (!is_worth_it(side)) return;
    p->result = tmpfile();
    p->messages = tmpfile();
    if (p->result && p->messages) {
        fflush(NULL); // else both processes write what is buffered
        pid_t pid = fork();
        if (pid == 0) run(p, side, args);
        p->pid = pid > 0 ? pid : 0;
    }
    if (!p->pid) diff_process_stop(p);
}

static void show_messages(FILE *messages) {
    char part[4096];
    rewind(messages);
    for (size_t len; (len = fread(part, 1, sizeof part, messages)) > 0;)
        fwrite(part, 1, len, stderr);
}

static int wait_for(struct diff_process *p) {
    int status = 0;
    while (waitpid((pid_t)p->pid, &status, 0) < 0 && errno == EINTR) continue;
    p->pid = 0;
    return status;
}

static int no_result(void) {
    return diag_error(EXIT_INPUT, "the result of the new side cannot be read: %s", strerror(errno));
}

static int take_profile(struct diff_side *side, FILE *from, size_t at) {
    struct stat st;
    if (fstat(fileno(from), &st) != 0 || (size_t)st.st_size < at) return no_result();
    size_t len = (size_t)st.st_size - at;
    uint8_t *bytes = malloc(len + 1);
    if (!bytes) return out_of_memory();
    int code =
        fread(bytes, 1, len, from) == len ? diff_add_saved(side, "new", bytes, len) : no_result();
    free(bytes);
    return code;
}

static int take_result(struct diff_side *side, FILE *from) {
    struct head head;
    rewind(from);
    if (fread(&head, sizeof head, 1, from) != 1) return no_result();
    if (head.code != EXIT_GOOD) return head.code;
    for (unsigned i = 0; i < side->count; ++i) side->sources[i].saved = getc(from) == 1;
    int code = take_profile(side, from, sizeof head + side->count);
    side->lossy = head.lossy;
    side->without_behaviour = head.without_behaviour;
    return code;
}

int diff_process_end(struct diff_process *p, struct diff_side *side) {
    int status = wait_for(p);
    show_messages(p->messages);
    if (WIFSIGNALED(status))
        return diag_error(EXIT_INPUT, "the process that reads the new side was ended by signal %d",
                          WTERMSIG(status));
    return take_result(side, p->result);
}

void diff_process_stop(struct diff_process *p) {
    if (p->pid) {
        kill((pid_t)p->pid, SIGTERM);
        (void)wait_for(p);
    }
    if (p->result) fclose(p->result);
    if (p->messages) fclose(p->messages);
    *p = (struct diff_process){0};
}
