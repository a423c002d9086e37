// SPDX-License-Identifier: MIT
// Stand-in for FreeRTOS' header: its documented interface, and the members of private types that
// the hooks use. No text of FreeRTOS.
#ifndef INC_FREERTOS_H
#define INC_FREERTOS_H

#include <stddef.h>
#include <stdint.h>

#include "FreeRTOSConfig.h"

typedef long BaseType_t;
typedef unsigned long UBaseType_t;
typedef uint32_t TickType_t;
enum { pdFALSE, pdTRUE, pdFAIL = 0, pdPASS };

#endif
