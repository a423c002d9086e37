// SPDX-License-Identifier: MIT
// Records as in the framework's sources: outside of a critical section and inside one. The stream
// goes to standard output, the lines expected from the host to standard error.

#include <stdio.h>
#include <stdlib.h>

#include "qs_port.h"

#include "qs_pkg.h"

#include "rows.h"

enum { A_SIG = 4 };
typedef struct {
    int member;
} Thing;
static Thing thing, other;
static void a_state(void) {}
static void b_state(void) {}

// A field is only evaluated within the critical section, entered once.
static void *within(Thing *what) {
    if (crit_depth != 1U) abort();
    return what;
}

static void check(bool good, char const *what) {
    if (good) return;
    fprintf(stderr, "wrong: %s\n", what);
    exit(1);
}

#if WF_CFG_QS_VERSION < 730
#define MAKE(rec_, id_, fields_)                                                                   \
    {                                                                                              \
        QS_CRIT_STAT_                                                                              \
        QS_BEGIN_PRE_(rec_, id_)                                                                   \
        fields_ QS_END_PRE_()                                                                      \
    }
#define MAKE_HELD(rec_, id_, fields_)                                                              \
    {                                                                                              \
        FRAMEWORK_STAT                                                                             \
        FRAMEWORK_ENTRY();                                                                         \
        QS_BEGIN_NOCRIT_PRE_(rec_, id_)                                                            \
        fields_ QS_END_NOCRIT_PRE_() FRAMEWORK_EXIT();                                             \
    }
#else
#define MAKE(rec_, id_, fields_)                                                                   \
    {                                                                                              \
        QS_CRIT_STAT                                                                               \
        QS_CRIT_ENTRY();                                                                           \
        QS_MEM_SYS();                                                                              \
        QS_BEGIN_PRE_(rec_, id_)                                                                   \
        fields_ QS_END_PRE_() QS_MEM_APP();                                                        \
        QS_CRIT_EXIT();                                                                            \
    }
#define MAKE_HELD(rec_, id_, fields_)                                                              \
    {                                                                                              \
        FRAMEWORK_STAT                                                                             \
        FRAMEWORK_ENTRY();                                                                         \
        QS_BEGIN_PRE_(rec_, id_)                                                                   \
        fields_ QS_END_PRE_() FRAMEWORK_EXIT();                                                    \
    }
#endif

// Each record twice: in a critical section of its own, and in the framework's.
static void records(void) {
#define R(rec_, id_, fields_, line_)                                                               \
    MAKE(rec_, id_, fields_)                                                                       \
    MAKE_HELD(rec_, id_, fields_)                                                                  \
    fprintf(stderr, "%s\n%s\n", line_, line_);
    ROWS(R)
#undef R
}

static void filtered(void) {
    QS_GLB_FILTER(-QS_ALL_RECORDS);
    check(!QS_GLB_CHECK_(QS_QF_GC) && QS_GLB_CHECK_(QS_QF_RUN), "QS_GLB_CHECK_");
    MAKE(QS_QF_GC, 0, QS_OBJ_PRE_((abort(), &thing));)
    MAKE_HELD(QS_QF_GC, 0, QS_OBJ_PRE_((abort(), &thing));)
    QS_GLB_FILTER(QS_ALL_RECORDS);
    QS_LOC_FILTER(-(QS_AO_ID + 3));
    check(!QS_LOC_CHECK_(3) && QS_LOC_CHECK_(2) && QS_GLB_CHECK_(QS_QF_GC), "QS_LOC_CHECK_");
    MAKE(QS_QEP_STATE_ENTRY, 3, QS_OBJ_PRE_((abort(), &thing));)
    MAKE_HELD(QS_QEP_STATE_ENTRY, 3, QS_OBJ_PRE_((abort(), &thing));)
    QS_LOC_FILTER(QS_ALL_IDS);
}

static void names(void) {
    QS_obj_dict_pre_(&thing, "thing");
    QS_obj_dict_pre_(&other, "other");
    QS_FUN_DICTIONARY(&a_state);
    QS_fun_dict_pre_(&b_state, "b_state");
    QS_SIG_DICTIONARY(A_SIG, (void *)0);
}

#if WF_CFG_QS_VERSION >= 730
static void enter_and_leave(Thing *me) {
    QS_STATE_ENTRY_(a_state, 1)
    QS_STATE_EXIT_(a_state, 1)
    fprintf(stderr, "===RTC===> St-Entry Obj=thing,State=a_state\n"
                    "===RTC===> St-Exit  Obj=thing,State=a_state\n");
}
#endif

void application(void *mine, void *others);

void all_names(void *me); // generated from names.txt

int main(int argc, char **argv) {
    (void)argv;
    check(QS_INIT((void *)0) != 0U, "QS_INIT");
    QS_GLB_FILTER(QS_ALL_RECORDS);
    if (argc > 1) {
        all_names(&thing);
        return 0;
    }
    names();
    unsigned before = crit_entries;
    records();
    check(crit_entries > before, "a critical section");
    filtered();
#if WF_CFG_QS_VERSION >= 730
    enter_and_leave(&thing);
#endif
    application(&thing, &other);
    QS_setCurrObj(AP_OBJ, &other);
    check(QS_rxPriv_.currObj[AP_OBJ] == &other && !QS_rxPriv_.currObj[SM_OBJ], "QS_rxPriv_");
    QS_OUTPUT();
    QS_RX_INPUT();
    QS_EXIT();
    check(crit_depth == 0U, "the critical section is left");
    return fflush(stdout) != 0;
}
