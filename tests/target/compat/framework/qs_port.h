// SPDX-License-Identifier: MIT
// The sizes of QS in the test's port; then QS's header, provided by wallfly.
#ifndef QS_PORT_H
#define QS_PORT_H

#include "qp_port.h"

#define QS_TIME_SIZE    4U
#define QS_OBJ_PTR_SIZE 8U
#define QS_FUN_PTR_SIZE 8U

#include "qs.h"

#endif
