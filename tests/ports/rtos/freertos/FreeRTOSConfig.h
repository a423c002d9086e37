#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H
#define configUSE_PREEMPTION   1
#define configUSE_TIME_SLICING 1
#define configUSE_MUTEXES      1
#ifndef configUSE_TRACE_FACILITY
#define configUSE_TRACE_FACILITY 1
#endif
#define INCLUDE_uxTaskGetStackHighWaterMark 1
#ifndef configRECORD_STACK_HIGH_ADDRESS
#define configRECORD_STACK_HIGH_ADDRESS 0
#endif
#include "wf_freertos.h"
#endif
