#!/usr/bin/env python3
"""Writes a file's bytes as the only segment of a 32-bit ELF core: elf_core.py FILE ADDRESS > CORE"""
import struct
import sys

data, address = open(sys.argv[1], 'rb').read(), int(sys.argv[2], 0)
EHDR, PHDR = 52, 32
head = b'\x7fELF' + bytes([1, 1, 1]) + bytes(9) + struct.pack('<HHIIIIIHHHHHH', 4, 40, 1, 0, EHDR, 0, 0, EHDR, PHDR, 1, 0, 0, 0)
segment = struct.pack('<8I', 1, EHDR + PHDR, address, address, len(data), len(data), 6, 4)
sys.stdout.buffer.write(head + segment + data)
