// SPDX-License-Identifier: MIT
// Critical section of the test's framework: counts its depth, and nested entries as errors.
#ifndef QF_PORT_H
#define QF_PORT_H

extern int crit_depth, crit_errors;

#ifdef TEST_CRIT_STAT
#define QF_CRIT_STAT_TYPE    unsigned char
#define QF_CRIT_ENTRY(stat_) ((stat_) = 0x5A, crit_errors += crit_depth++ != 0)
#define QF_CRIT_EXIT(stat_)  (crit_errors += --crit_depth != 0 || (stat_) != 0x5A)
#else
#define QF_CRIT_ENTRY() (crit_errors += crit_depth++ != 0)
#define QF_CRIT_EXIT()  (crit_errors += --crit_depth != 0)
#endif

#endif
