"""many.py FILE TIMES - a recording with its samples again and again, each time with other callers in the middle. To standard output."""
import struct
import sys

SAMPLE = 9
# IP TID TIME ADDR ID CPU PERIOD STREAM_ID IDENTIFIER: eight bytes each, before the chain.
WORDS = (1, 2, 4, 8, 64, 128, 256, 512, 1 << 16)
DATA_OFFSET, DATA_SIZE, FEATURES, ATTRS = 40, 48, 72, 24


def records(data):
    at = 0
    while at < len(data):
        kind, _, size = struct.unpack_from("<IHH", data, at)
        yield kind, data[at:at + size]
        at += size


def other(record, sample_type, turn):
    at = 8 + 8 * sum(bool(sample_type & bit) for bit in WORDS)
    n, = struct.unpack_from("<Q", record, at)
    words = list(struct.unpack_from(f"<{n}Q", record, at + 8))
    for i in range(3, n - 2, 3):
        if words[i] < 0xfffffffffffff000:
            words[i] += turn * 16
    return record[:at + 8] + struct.pack(f"<{n}Q", *words) + record[at + 8 + 8 * n:]


def main():
    data, times = open(sys.argv[1], "rb").read(), int(sys.argv[2])
    word = lambda at: struct.unpack_from("<Q", data, at)[0]
    begin, size, sample_type = word(DATA_OFFSET), word(DATA_SIZE), word(word(ATTRS) + 24)
    old = list(records(data[begin:begin + size]))
    new = [r for kind, r in old if kind != SAMPLE]
    for turn in range(times):
        new += [other(r, sample_type, turn) for kind, r in old if kind == SAMPLE]
    new = b"".join(new)
    head, tail = bytearray(data[:begin]), bytearray(data[begin + size:])
    struct.pack_into("<Q", head, DATA_SIZE, len(new))
    for i in range(sum(b.bit_count() for b in data[FEATURES:FEATURES + 32])):
        at, = struct.unpack_from("<Q", tail, i * 16)
        struct.pack_into("<Q", tail, i * 16, at + len(new) - size)
    sys.stdout.buffer.write(head + new + tail)


main()
