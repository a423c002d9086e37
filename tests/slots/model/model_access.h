// SPDX-License-Identifier: MIT
// Every access of the recorder to shared memory, as a step of the model.
#ifndef MODEL_ACCESS_H
#define MODEL_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

uint64_t model_load(const void *p, unsigned bytes);
void model_store(void *p, uint64_t v, unsigned bytes);
bool model_swap(uint64_t *p, uint64_t *from, uint64_t to);
void model_add(uint64_t *p);

#define wfi_get32(p)            (uint32_t) model_load((p), 4)
#define wfi_set32(p, v)         model_store((p), (v), 4)
#define wfi_free32(p, v)        model_store((p), (v), 4)
#define wfi_get64(p)            model_load((p), 8)
#define wfi_set64(p, v)         model_store((p), (uint64_t)(v), 8)
#define wfi_count64(p)          model_add(p)
#define wfi_swap64(p, from, to) model_swap((p), (from), (to))

#endif
