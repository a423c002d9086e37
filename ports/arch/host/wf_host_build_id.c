// SPDX-License-Identifier: MIT
// The notes of the running program are in its memory; the dynamic linker provides their address.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "wf_host_build_id.h"

#include <link.h>

#include "wallfly/wf_build_id.h"

// The program itself comes first; stop after it.
static int look(struct dl_phdr_info *info, size_t size, void *ctx) {
    uint32_t *id = ctx;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum && !*id; ++i) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type == PT_NOTE)
            *id = wf_build_id((const void *)(info->dlpi_addr + p->p_vaddr), p->p_memsz);
    }
    return 1;
}

uint32_t wf_host_build_id(void) {
    uint32_t id = 0;
    dl_iterate_phdr(look, &id);
    return id;
}
