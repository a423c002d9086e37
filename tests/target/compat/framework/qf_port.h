// SPDX-License-Identifier: MIT
// The port's header by its name before 7.3.
#include "qp_port.h"
