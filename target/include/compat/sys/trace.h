// SPDX-License-Identifier: MIT
// The path under which programs written for QNX include it.
#include "compat/trace.h"
