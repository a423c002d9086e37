# SPDX-License-Identifier: MIT
# Recordings of many blocks: whole, with a damaged part, and cut without an index.
#   page_blocks.py BLOCKS TRACE WHOLE DAMAGED CUT
import subprocess
import sys

blocks, trace, whole, damaged, cut = sys.argv[1:]
data = subprocess.run([blocks, trace, "3001"], check=True, capture_output=True).stdout
open(whole, "wb").write(data)
bad = bytearray(data)
for at in (len(data) // 3, len(data) // 2, len(data) // 2 + 5000):
    bad[at:at + 60] = bytes(60)
open(damaged, "wb").write(bad)
open(cut, "wb").write(data[:len(data) * 4 // 5])
