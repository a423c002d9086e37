// SPDX-License-Identifier: MIT
// The text sender on an ATmega2560: two tasks and a mutex in an invented schedule, at times more
// events than the array holds; sent byte by byte over the UART, as from an idle loop.

#include "../../../examples/boards/board.h"

#include "wallfly/wf_rtos.h"
#include "wallfly/wallfly.h"
#include "wf_port.h"

static struct { uint8_t stack[4]; } display, clock_task, idle, lcd;

void board_tick(void) {}

static void send(void) {
    for (int byte; (byte = wf_text_get_byte()) >= 0;) {
        while (!board_put((uint8_t)byte)) continue;
    }
}

// The clock task interrupts the display task, which holds the mutex.
static void one_round(void) {
    WF_TASK_READY(&display);
    WF_TASK_SWITCH(&idle, &display, WF_SWITCH_preempted);
    WF_BY_N(mutex_take, &lcd, &display, 1);
    WF_TASK_READY(&clock_task);
    WF_TASK_SWITCH(&display, &clock_task, WF_SWITCH_preempted);
    WF_BY(mutex_wait, &lcd, &clock_task);
    WF_TASK_SWITCH(&clock_task, &display, WF_SWITCH_blocked);
    WF_BY_N(mutex_give, &lcd, &display, 0);
    WF_TASK_READY(&clock_task);
    WF_TASK_SWITCH(&display, &clock_task, WF_SWITCH_preempted);
    WF_BY_N(mutex_take, &lcd, &clock_task, 1);
    WF_BY_N(mutex_give, &lcd, &clock_task, 0);
    WF_TASK_SWITCH(&clock_task, &display, WF_SWITCH_delayed);
    WF_TASK_SWITCH(&display, &idle, WF_SWITCH_delayed);
}

int main(void) {
    board_start();
    WF_TASK_CREATE(&idle, 255, "idle");
    WF_TASK_CREATE(&display, 19, "clock disp");
    WF_TASK_CREATE(&clock_task, 18, NULL);
    WF_OBJECT(mutex_create, &lcd);
    WF_NAME(&lcd, "lcd");
    WF_TASK_SWITCH(NULL, &idle, WF_SWITCH_unknown);
    wf_text_start(WF_PORT_HZ);
    for (uint16_t round = 0; round < 200; ++round) {
        one_round();
        if (round % 20 == 19) { // too many at once
            for (uint8_t i = 0; i < 10; ++i) one_round();
        }
        send();
    }
    wf_text_event("told", (uintptr_t)wf_text_lost());
    send();
    board_end(0);
    return 0;
}
