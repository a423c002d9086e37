// SPDX-License-Identifier: MIT
// Where programs written for QNX look for it.
#include "compat/trace.h"
