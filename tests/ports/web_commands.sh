# Commands from the page to an emulated board, over its UART.
. "$SRC/tests/ports/board.inc"
"$SRC/web/install.sh" "$BUILD" >/dev/null
build_board m3 arm-none-eabi philosophers -DHOST=ON -DBOARD=mps2-an385
timeout 1500 node "$SRC/tests/web/commands.mjs" qemu-system-arm -M mps2-an385 -nographic -monitor none -serial tcp:127.0.0.1:{port} \
    -semihosting-config enable=on,target=native -kernel m3/philosophers.elf
