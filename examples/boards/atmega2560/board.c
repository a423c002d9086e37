// SPDX-License-Identifier: MIT
// ATmega2560 at 16 MHz: UART0 at 1 Mbaud, ticks from Timer0; Timer1 is the port's clock. Under
// simavr, a sleep with interrupts off ends the run; the exit code is in GPIOR0.

#include "../board.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

#include "wf_port.h"

enum { TIMER0_HZ = 1000, TIMER0_PRESCALER = 64 };

static bool sent; // a byte was sent
static uint16_t tick_hz, tick_sum;

void board_start(void) {
    UCSR0A = _BV(U2X0);
    UBRR0 = (uint16_t)(F_CPU / 8 / 1000000 - 1);
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00); // 8N1
    UCSR0B = _BV(RXEN0) | _BV(TXEN0);
#ifndef WF_PORT_CLOCK
    wf_port_start();
#endif
    sei();
}

bool board_put(uint8_t byte) {
    if (!(UCSR0A & _BV(UDRE0))) return false;
    UCSR0A = _BV(U2X0) | _BV(TXC0); // clears TXC0, which then shows the end of this byte
    UDR0 = byte;
    sent = true;
    return true;
}

bool board_get(uint8_t *byte) {
    if (!(UCSR0A & _BV(RXC0))) return false;
    *byte = UDR0;
    return true;
}

void board_end(int code) {
    while (sent && !(UCSR0A & _BV(TXC0))) {
    }
    cli();
    GPIOR0 = (uint8_t)code;
    sleep_enable();
    for (;;) sleep_cpu();
}

// 1000 interrupts per second, `hz` of which count. hz: 0..1000.
void board_tick_start(uint32_t hz) {
    TCCR0B = 0; // stopped
    TIMSK0 = 0;
    tick_hz = (uint16_t)hz;
    tick_sum = 0;
    if (!hz) return;
    TCNT0 = 0;
    OCR0A = (uint8_t)(F_CPU / TIMER0_PRESCALER / TIMER0_HZ - 1);
    TCCR0A = _BV(WGM01); // from 0 to OCR0A
    TIFR0 = _BV(OCF0A);
    TIMSK0 = _BV(OCIE0A);
    TCCR0B = _BV(CS01) | _BV(CS00);
}

ISR(TIMER0_COMPA_vect) {
    tick_sum = (uint16_t)(tick_sum + tick_hz);
    if (tick_sum < TIMER0_HZ) return;
    tick_sum = (uint16_t)(tick_sum - TIMER0_HZ);
    board_tick();
}
