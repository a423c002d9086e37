// SPDX-License-Identifier: MIT
// Names of C++: namespaces, members, overloads, templates, operators. Compiled and never run.

namespace lcd {
struct Point {
    int x, y;
    bool operator==(const Point &other) const { return x == other.x && y == other.y; }
};
class Display {
  public:
    static Display instance;
    void draw(int x, const char *text);
    void draw(const Point &at);
    Point corner[2];
    static const int width = 7;
};
Display Display::instance;
namespace {
Point hidden;
}
__attribute__((noinline)) void Display::draw(int x, const char *text) { corner[0].x = x + *text; }
__attribute__((noinline)) void Display::draw(const Point &at) {
    if (at == hidden) corner[1] = at;
}
template <typename T, int N> struct Queue {
    T items[N];
    int put(T item);
};
template <typename T, int N> __attribute__((noinline)) int Queue<T, N>::put(T item) {
    items[item.x & 1] = item;
    return N;
}
Queue<Point, 2> queue;
} // namespace lcd

extern "C" int _start(void);
int main() {
    lcd::Display::instance.draw(1, "hello");
    lcd::Display::instance.draw(lcd::Point{2, 3});
    return lcd::queue.put(lcd::Point{1, 2});
}
extern "C" int _start(void) { return main(); }
extern "C" void *memcpy(void *to, const void *from, unsigned long n);
extern "C" void *memcpy(void *to, const void *from, unsigned long n) {
    for (unsigned long i = 0; i < n; ++i) ((volatile char *)to)[i] = ((const char *)from)[i];
    return to;
}
