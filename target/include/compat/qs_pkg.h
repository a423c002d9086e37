// SPDX-License-Identifier: MIT
// In place of QP's header of this name, which the framework's sources include behind its types.
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
