# Toolchain file for the ATmega2560 (-DAVR_MCU=... for another), 16 MHz:
#   cmake -S examples/boards/atmega2560 -B build-avr --toolchain cmake/avr.cmake
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR avr)
set(CMAKE_C_COMPILER avr-gcc)
set(AVR_MCU atmega2560 CACHE STRING "The chip, as in -mmcu")
set(AVR_HZ 16000000 CACHE STRING "The CPU's clock")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES AVR_MCU AVR_HZ)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_C_FLAGS_INIT "-mmcu=${AVR_MCU} -DF_CPU=${AVR_HZ}UL -ffunction-sections -fdata-sections")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,--gc-sections")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
