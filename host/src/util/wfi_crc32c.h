// SPDX-License-Identifier: MIT
// CRC-32C (Castagnoli, RFC 3720): polynomial 0x1EDC6F41 reflected, begins and ends inverted.
#ifndef WFI_CRC32C_H
#define WFI_CRC32C_H

#include <stddef.h>
#include <stdint.h>

uint32_t wfi_crc32c(const uint8_t *bytes, size_t len);
// The same without instructions that only some processors have.
uint32_t wfi_crc32c_by_table(const uint8_t *bytes, size_t len);

#endif
