// SPDX-License-Identifier: MIT
// Runs a program for the ATmega2560 at 16 MHz in libsimavr: the output of UART0 goes to standard
// output, byte for byte. The run ends when the program sleeps with interrupts disabled; the exit
// code is the value in GPIOR0. 124: out of cycles; 125: it crashed; 126: it could not start.

#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>

enum { HZ = 16000000, GPIOR0 = 0x3E, EXIT_LIMIT = 124, EXIT_CRASH = 125, EXIT_START = 126 };

static struct run {
    FILE *out, *input;
    avr_irq_t *uart_input;
    uint64_t sent, input_after;
    bool off;     // the UART accepts no more input
    bool feeding; // the UART answers during input
    bool live;    // input comes from standard input, as it arrives
    uint8_t queue[4096];
    unsigned queue_at, queue_len;
} run;

// Called from time to time: passes new input to the UART, and writes its output.
static void talk(void) {
    struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
    fflush(run.out);
    if (run.queue_at == run.queue_len && poll(&p, 1, 0) > 0 && p.revents & POLLIN) {
        ssize_t n = read(STDIN_FILENO, run.queue, sizeof run.queue);
        run.queue_at = 0;
        run.queue_len = n > 0 ? (unsigned)n : 0;
    }
    while (!run.off && run.queue_at < run.queue_len)
        avr_raise_irq(run.uart_input, run.queue[run.queue_at++]);
}

static void feed(void) {
    if (!run.input || run.off || run.feeding || run.sent < run.input_after) return;
    run.feeding = true;
    for (int byte; !run.off && (byte = fgetc(run.input)) != EOF;)
        avr_raise_irq(run.uart_input, (uint32_t)byte);
    run.feeding = false;
}

static void on_output(struct avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq, (void)param;
    fputc((int)(value & 0xFF), run.out);
    ++run.sent;
    feed();
}

static void on_xon(struct avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq, (void)value, (void)param;
    run.off = false;
    feed();
}

static void on_xoff(struct avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq, (void)value, (void)param;
    run.off = true;
}

// Time passes only in the simulation.
static void no_sleep(avr_t *avr, avr_cycle_count_t cycles) { (void)avr, (void)cycles; }

static void connect_uart(avr_t *avr) {
    uint32_t flags = 0; // no text on the console, no sleeping while it polls
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    run.uart_input = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT),
                            on_output, NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUT_XON),
                            on_xon, NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUT_XOFF),
                            on_xoff, NULL);
}

static const char usage[] =
    "usage: runner [options] PROGRAM.elf >UART-BYTES\n"
    "      --input=FILE         what UART0 receives\n"
    "      --input-after=BYTES  only when so many have been sent\n"
    "      --talk               UART0 receives what comes on standard input\n"
    "      --cycles=N           at most\n"
    "      --stats              say on standard error how many it took\n";

int main(int argc, char **argv) {
    static const struct option longs[] = {{"input", 1, NULL, 'i'},  {"input-after", 1, NULL, 'a'},
                                          {"cycles", 1, NULL, 'c'}, {"stats", 0, NULL, 's'},
                                          {"talk", 0, NULL, 't'},   {NULL, 0, NULL, 0}};
    uint64_t limit = UINT64_MAX;
    bool stats = false;
    for (int c; (c = getopt_long(argc, argv, "", longs, NULL)) != -1;) {
        switch (c) {
        case 'i':
            run.input = fopen(optarg, "rb");
            if (!run.input) {
                fprintf(stderr, "runner: %s: %s\n", optarg, strerror(errno));
                return EXIT_START;
            }
            break;
        case 'a': run.input_after = strtoull(optarg, NULL, 10); break;
        case 'c': limit = strtoull(optarg, NULL, 10); break;
        case 's': stats = true; break;
        case 't': run.live = true; break;
        default: fputs(usage, stderr); return EXIT_START;
        }
    }
    if (argc != optind + 1) {
        fputs(usage, stderr);
        return EXIT_START;
    }

    // The library prints to standard output; redirect this to standard error.
    run.out = fdopen(dup(STDOUT_FILENO), "wb");
    if (!run.out || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return EXIT_START;

    elf_firmware_t firmware = {0};
    avr_t *avr = avr_make_mcu_by_name("atmega2560");
    if (!avr || elf_read_firmware(argv[optind], &firmware) != 0) {
        fprintf(stderr, "runner: %s: cannot be loaded\n", argv[optind]);
        return EXIT_START;
    }
    avr_init(avr);
    firmware.frequency = HZ;
    avr_load_firmware(avr, &firmware);
    avr->sleep = no_sleep;
    connect_uart(avr);

    int state = cpu_Running;
    for (uint64_t steps = 0; state != cpu_Done && state != cpu_Crashed && avr->cycle < limit;
         ++steps) {
        state = avr_run(avr);
        if (run.live && steps % 4096 == 0) talk();
    }
    if (stats) fprintf(stderr, "cycles: %llu\n", (unsigned long long)avr->cycle);
    bool good = fclose(run.out) == 0;
    if (run.input) fclose(run.input);
    if (state == cpu_Crashed) return EXIT_CRASH;
    if (state != cpu_Done) return EXIT_LIMIT;
    return good ? avr->data[GPIOR0] : EXIT_START;
}
