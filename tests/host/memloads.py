#!/usr/bin/env python3
"""memloads.py FILE [--parts] LOAD... - a perf.data as perf mem record writes it on x86, of one thread on two CPUs in turn. LOAD:
CYCLES:DATA_SRC, a data source in hexadecimal. --parts: the weight in parts (PERF_SAMPLE_WEIGHT_STRUCT), others in its upper half."""
import struct
import sys

BASE = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 3 | 1 << 7 | 1 << 15 | 1 << 19              # IP TID TIME ADDR CPU DATA_SRC PHYS_ADDR
WEIGHT, PARTS = 1 << 14, 1 << 24
NAME = b"cpu/mem-loads,ldlat=3/P"


def main():
    words = [w for w in sys.argv[2:] if w != "--parts"]
    parts = "--parts" in sys.argv
    attr = struct.pack("<IIQQQQQII", 4, 128, 0x1cd, 1000, BASE | (PARTS if parts else WEIGHT), 0, 1 << 18 | 3 << 15, 0, 0)
    attr = (attr + struct.pack("<Q", 3)).ljust(128, b"\0")
    data = struct.pack("<IHHII", 3, 0, 8 + 8 + 16 + 24, 700, 700) + b"loader".ljust(16, b"\0") + struct.pack("<IIQII", 700, 700, 1, 0, 0)
    for i, word in enumerate(words):
        cycles, source = word.split(":")
        weight = int(cycles) | (7 << 32 | 9 << 48 if parts else 0)
        body = struct.pack("<QIIQQIIQQQ", 0x401000 + 4 * i, 700, 700, 1000 * (i + 2), 0x7f0000 + 8 * i, i % 2, 0, weight, int(source, 16), 0x8000 + i)
        data += struct.pack("<IHH", 9, 2, 8 + len(body)) + body
    desc = struct.pack("<II", 1, 128) + attr + struct.pack("<I", 0) + struct.pack("<I", 64) + NAME.ljust(64, b"\0")
    at = 104 + 144
    with open(sys.argv[1], "wb") as f:
        f.write(b"PERFILE2" + struct.pack("<QQQQQQQQ", 104, 144, 104, 144, at, len(data), 0, 0) + struct.pack("<QQQQ", 1 << 12, 0, 0, 0))
        f.write(attr + struct.pack("<QQ", 0, 0) + data + struct.pack("<QQ", at + len(data) + 16, len(desc)) + desc)


main()
