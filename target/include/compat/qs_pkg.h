// SPDX-License-Identifier: MIT
// Takes the place of QP's header of this name. The framework's sources include it after QP's types.
#ifndef QS_PKG_H
#define QS_PKG_H

#include "compat/qs.h"

#if defined Q_SPY && defined Q_UTEST && !defined WF_CFG_QS_TYPES
#ifdef __cplusplus
extern "C" {
#endif
void QS_onTestEvt(QEvt *e);
void QS_onTestPost(const void *sender, QActive *recipient, const QEvt *e, bool status);
#ifdef __cplusplus
}
#endif
#endif

#endif
