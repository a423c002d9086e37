# BBC micro:bit, nRF51822, a Cortex-M0.
set(BOARD_FLAGS -mcpu=cortex-m0)
include(${common}/cortex-m.cmake)
