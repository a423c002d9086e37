// SPDX-License-Identifier: MIT
// The port's header as it is called before 7.3.
#include "qp_port.h"
