// SPDX-License-Identifier: MIT
// Puts the recorder's version and options into the ELF file of the program, as a text in its
// section .comment, which is not loaded: it costs no byte of the image. `wallfly doctor --elf`
// reads it, and `readelf -p .comment`. Every source that includes the recorder's headers adds the
// text; the linker keeps one of those that are equal, so parts built with other options show.
// Included by wf_config.h.
#ifndef WF_NOTE_H
#define WF_NOTE_H

#include "wallfly/wf_config.h"

#define WFI_NOTE_TEXT_OF(value) #value
#define WFI_NOTE_TEXT(value)    WFI_NOTE_TEXT_OF(value)
#define WFI_NOTE(name, value)   " " name "=" WFI_NOTE_TEXT(value)

#if WF_CFG_RX
#define WFI_NOTE_RX " rx=1"
#else
#define WFI_NOTE_RX " rx=0"
#endif

#if WF_CFG_NOTE && defined __ELF__ && defined __GNUC__ && !defined __ASSEMBLER__
// clang-format off
__asm__(".ident \"wallfly " WF_VERSION
        WFI_NOTE("on", WF_CFG_ON)
        WFI_NOTE("slots", WF_CFG_SLOTS)
        WFI_NOTE("packed", WF_CFG_PACKED)
        WFI_NOTE("qs", WF_CFG_QS_VERSION)
        WFI_NOTE("time", WF_CFG_TIME_SIZE)
        WFI_NOTE("obj", WF_CFG_OBJ_SIZE)
        WFI_NOTE("fun", WF_CFG_FUN_SIZE)
        WFI_NOTE("sig", WF_CFG_SIG_SIZE)
        WFI_NOTE("evt", WF_CFG_EVT_SIZE)
        WFI_NOTE("queue", WF_CFG_QUEUE_CTR_SIZE)
        WFI_NOTE("pool", WF_CFG_POOL_CTR_SIZE)
        WFI_NOTE("block", WF_CFG_POOL_BLK_SIZE)
        WFI_NOTE("timer", WF_CFG_TIMEEVT_CTR_SIZE)
        WFI_NOTE("sync", WF_CFG_SYNC)
        WFI_NOTE("record", WF_CFG_RECORD_MAX)
        WFI_NOTE("stage", WF_CFG_STAGE)
        WFI_NOTE_RX
        WFI_NOTE("test", WF_CFG_TEST)
        WFI_NOTE("trigger", WF_CFG_TRIGGER)
        WFI_NOTE("part", WF_CFG_PART)
        WFI_NOTE("text", WF_CFG_TEXT)
        WFI_NOTE("box", WF_CFG_BOX)
        WFI_NOTE("cores", WF_CFG_CORES)
        WFI_NOTE("chunk", WF_CFG_CHUNK)
        "\"");
// clang-format on
#endif

#endif
