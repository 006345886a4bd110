"""kernel_data.py START LENGTH ADDRESS... - a recording, to standard output, of a kernel whose text begins there, with a sample of each address."""
import struct
import sys

IP, TID, TIME, CPU, PERIOD, KERNEL, HEADER = 1, 2, 4, 0x80, 0x100, 1, 104


def record(kind, misc, body):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def main():
    start, length, *addresses = (int(word, 16) for word in sys.argv[1:])
    attr = struct.pack("<IIQQQ", 1, 128, 0, 1000, IP | TID | TIME | CPU | PERIOD).ljust(128, b"\0") + struct.pack("<QQ", 0, 0)
    name = b"[kernel.kallsyms]_text".ljust(24, b"\0")
    data = record(1, KERNEL, struct.pack("<iIQQQ", -1, 0, start, length, start) + name)
    data += record(3, 0, struct.pack("<II", 7, 7) + b"task".ljust(8, b"\0"))
    for n, addr in enumerate(addresses):
        data += record(9, KERNEL, struct.pack("<QIIQIIQ", addr, 7, 7, 1000 + n, 0, 0, 1000))
    begin = HEADER + len(attr)
    head = b"PERFILE2" + struct.pack("<QQQQQQQQQ", HEADER, len(attr), HEADER, len(attr), begin, len(data), 0, 0, 0)
    sys.stdout.buffer.write(head.ljust(HEADER, b"\0") + attr + data)


main()
