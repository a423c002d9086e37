// SPDX-License-Identifier: MIT
// A C++ program that knows nothing of wallfly: what std:: has of mutexes and conditions is
// pthread's below. It writes what each thread did as program.c does. Usage: program_cpp OPERATIONS
// COUNTS

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <shared_mutex>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

struct Count {
    unsigned long takes = 0, gives = 0, refused = 0, timeouts = 0;
};
enum { Queue, Recursive, Timed, Shared, Filled, Readers, Objects };
using Counts = Count[Objects];

std::mutex queue_mutex;
std::condition_variable filled;
std::recursive_mutex recursive;
std::timed_mutex timed;
std::shared_mutex shared;
std::deque<int> queue;
unsigned long taken_out, sum;

void produce(Counts &c, int value) {
    {
        std::lock_guard<std::mutex> lock(queue_mutex);
        ++c[Queue].takes;
        queue.push_back(value);
        ++c[Queue].gives;
    }
    ++c[Filled].gives;
    filled.notify_one();
}

void consume(Counts &c) {
    std::unique_lock<std::mutex> lock(queue_mutex);
    ++c[Queue].takes;
    while (queue.empty()) {
        ++c[Queue].gives;
        const auto status = filled.wait_for(lock, std::chrono::milliseconds(1));
        ++c[Queue].takes;
        ++(status == std::cv_status::timeout ? c[Filled].timeouts : c[Filled].takes);
    }
    sum += static_cast<unsigned long>(queue.front());
    queue.pop_front();
    ++taken_out;
    ++c[Queue].gives;
}

void others(Counts &c, unsigned i) {
    {
        std::lock_guard<std::recursive_mutex> outer(recursive), inner(recursive);
        c[Recursive].takes += 2;
        c[Recursive].gives += 2;
    }
    if (timed.try_lock_for(std::chrono::microseconds(i % 20))) {
        ++c[Timed].takes;
        if (i % 100 == 0) std::this_thread::sleep_for(std::chrono::microseconds(30));
        ++c[Timed].gives;
        timed.unlock();
    } else {
        ++c[Timed].timeouts;
    }
    if (i % 8 == 0) {
        std::unique_lock<std::shared_mutex> writer(shared);
        ++c[Shared].takes;
        ++c[Shared].gives;
    } else {
        std::shared_lock<std::shared_mutex> reader(shared);
        ++c[Readers].takes;
        ++c[Readers].gives;
    }
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    const unsigned operations = static_cast<unsigned>(std::atoi(argv[1]));
    static Counts counts[8];
    long tids[8];
    std::vector<std::thread> threads;
    for (unsigned me = 0; me < 8; ++me) {
        threads.emplace_back([me, operations, &tids] {
            tids[me] = syscall(SYS_gettid);
            for (unsigned i = 0; i < operations; ++i) {
                others(counts[me], i);
                if (me % 2 == 0)
                    produce(counts[me], 1);
                else
                    consume(counts[me]);
            }
        });
    }
    for (auto &t : threads) t.join();
    if (taken_out != 4ul * operations || sum != taken_out) return 1;
    FILE *to = std::fopen(argv[2], "w");
    if (!to) return 1;
    const struct {
        const void *at;
        const char *kind;
    } objects[Objects] = {
        {&queue_mutex, "mutex"}, {&recursive, "mutex"},
        {&timed, "mutex"},       {&shared, "mutex"},
        {&filled, "wakes"},      {reinterpret_cast<char *>(&shared) + 1, "semaphore"},
    };
    for (unsigned me = 0; me < 8; ++me) {
        for (unsigned i = 0; i < Objects; ++i) {
            const Count &c = counts[me][i];
            std::fprintf(
                to, "count %ld %lx %s %lu %lu %lu %lu 0\n", tids[me],
                static_cast<unsigned long>(reinterpret_cast<std::uintptr_t>(objects[i].at)),
                objects[i].kind, c.takes, c.gives, c.refused, c.timeouts);
        }
    }
    std::puts("done");
    return std::fclose(to) == 0 ? 0 : 1;
}
