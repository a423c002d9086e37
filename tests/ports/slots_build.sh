# The slot recorder compiles for every CPU that has a port, without a warning. Its files are compiled as one, as those of
# the single pair, which takes a tenth of the time.
for tool in arm-none-eabi-gcc riscv64-unknown-elf-gcc avr-gcc; do
    command -v $tool >/dev/null || { echo "$tool is missing: run make setup"; exit 1; }
done
warn="-Wall -Wextra -Wpedantic -Wconversion -Wundef -Werror"
cat >use.c <<'END'
#include "wallfly/wallfly.h"
#include "wf_port.h"

void use(const uint32_t *words);
void use(const uint32_t *words) {
    static uint8_t memory[WF_SLOTS_SIZE(1, WF_SLOTS_MIN)] __attribute__((aligned(64)));
    static const struct wf_slots_config config = {memory, sizeof memory, 1, WF_SLOTS_MIN, true, WF_PORT_HZ, 0};
    if (!wf_slots_start(&config)) return;
    WF_REC(sched_next, 1, 2, 3);
    WF_RECORD(WF_USER, 0, WF_U32(0, words[0]), WF_STR("text"), WF_MEM(words, 9));
    wf_slot_words(WF_SLOT_CLASS_USER, 1, words, 8);
    wf_slots_mark();
}
END
for file in "$SRC"/target/src/*.c; do echo "#include \"$file\""; done >>use.c

# builds NAME PORT COMPILER OPTIONS...
builds() {
    name=$1 port=$2
    shift 2
    for level in -O2 -Os; do
        # shellcheck disable=SC2086
        "$@" $level -std=c99 -ffreestanding $warn -DWF_CFG_SLOTS=1 -I"$SRC"/ports/arch/$port -I"$SRC"/target/include \
            -I"$SRC"/schema -c use.c -o object.o || { echo "$name $level"; exit 1; }
    done
    echo "$name builds"
}
clock='-DWF_PORT_CLOCK="clock.h"'
for cpu in m0 m0plus m23; do
    builds cortex-$cpu cortex-m arm-none-eabi-gcc -mthumb -mcpu=cortex-$cpu "$clock" -I"$SRC"/examples/boards/mps2-an385
done
for cpu in m3 m4 m7 m33; do
    builds cortex-$cpu cortex-m arm-none-eabi-gcc -mthumb -mcpu=cortex-$cpu -DWF_PORT_HZ=1000000
    builds cortex-$cpu-4-cores cortex-m arm-none-eabi-gcc -mthumb -mcpu=cortex-$cpu -DWF_PORT_HZ=1000000 -DWF_CFG_CORES=4
done
builds rv32 riscv riscv64-unknown-elf-gcc -march=rv32imac_zicsr -mabi=ilp32 -DWF_PORT_HZ=1000000
builds rv64 riscv riscv64-unknown-elf-gcc -march=rv64imac_zicsr -mabi=lp64 -DWF_PORT_HZ=1000000
builds atmega2560 avr avr-gcc -mmcu=atmega2560 -DF_CPU=16000000UL
builds atmega328p avr avr-gcc -mmcu=atmega328p -DF_CPU=16000000UL -DWF_CFG_CHUNK=16
