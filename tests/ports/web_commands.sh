# Commands from the page to an emulated board, over its UART.
"$SRC/web/install.sh" "$BUILD" >/dev/null
{ cmake -S "$SRC/examples/boards" -B m3 -G Ninja -DHOST=ON --toolchain "$SRC/cmake/arm-none-eabi.cmake" -DBOARD=mps2-an385 &&
    cmake --build m3 --target philosophers; } >log 2>&1 || { cat log; exit 1; }
timeout 1500 node "$SRC/tests/web/commands.mjs" qemu-system-arm -M mps2-an385 -nographic -monitor none -serial tcp:127.0.0.1:{port} \
    -semihosting-config enable=on,target=native -kernel m3/philosophers.elf
