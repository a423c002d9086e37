// SPDX-License-Identifier: MIT
// A program with the usual symbols of MCU programs: static variables of files and functions, arrays
// of structures, constants, functions that use all of them. It is compiled and never run.

struct lock {
    unsigned char owner;
    unsigned long waiting[3];
};
struct task {
    const char *name;
    struct lock lock;
    struct {
        short left, right;
    } forks[2];
    unsigned char low : 4, high : 4;
};
union either {
    long number;
    char bytes[8];
};

struct task tasks[4];
static struct lock uart_mutex;
static unsigned char grid[3][5];
union either either;
const char log_format[] = "task %s waits for %u ticks";
static const char *const names[] = {"idle", "uart"};
int zero_filled, filled = 3;

static int count(void) {
    static int calls = 7;
    return ++calls;
}
__attribute__((noinline)) static int helper(int i) {
    tasks[i & 3].name = names[i & 1];
    grid[i % 3][i % 5] = (unsigned char)count();
    return uart_mutex.owner + (int)uart_mutex.waiting[i & 1] + log_format[i];
}
__attribute__((weak)) int maybe(int i) { return i + (int)either.number; }
int also_helper(int i) __attribute__((alias("maybe")));

int main(void) { return helper(filled) + maybe(zero_filled) + tasks[1].forks[1].right; }
void _start(void);
void _start(void) { (void)main(); }
