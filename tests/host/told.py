"""What a perf.data tells of the functions that it hit (simpleperf's FILE2, feature 132), read by its description alone.

told.py FILE         lines "type path address length name", addresses in hex
told.py checks FILE  what readers take for granted: one line for each thing that is not so
told.py damage FILE OUT SEED   a copy whose section is damaged, but not the rest
"""
import random
import struct
import sys

from convert import message, one

FILE2 = 132
TYPES = ["kernel", "module", "elf", "dex", "map"]


def features(b):
    bits = int.from_bytes(b[72:104], "little")
    table = sum(struct.unpack_from("<QQ", b, 40))
    numbers = [i for i in range(256) if bits >> i & 1]
    return {n: struct.unpack_from("<QQ", b, table + 16 * i) for i, n in enumerate(numbers)}


def files(b):
    at, n = features(b).get(FILE2, (0, 0))
    end = at + n
    while at < end:
        size = struct.unpack_from("<I", b, at)[0]
        assert at + 4 + size <= end, "a message goes beyond its section"
        yield message(b[at + 4:at + 4 + size])
        at += 4 + size


def symbols(m):
    for s in map(message, m[4]):
        yield one(s, 1), one(s, 2), one(s, 3, b"").decode()


def maps(b):
    """The names of the records of mappings."""
    at, n = struct.unpack_from("<QQ", b, 40)
    end = at + n
    while at < end:
        kind, _, size = struct.unpack_from("<IHH", b, at)
        if kind in (1, 10):
            yield b[at + 8 + (32 if kind == 1 else 64):at + size].split(b"\0")[0]
        at += size


def checks(b):
    of = features(b)
    if FILE2 not in of:
        yield "there is no such feature"
        return
    table = sum(struct.unpack_from("<QQ", b, 40))
    if min(o for o, n in of.values()) != table + 16 * len(of):
        yield "the first feature is not behind the table"
    if max(o + n for o, n in of.values()) != len(b):
        yield "there is something behind the last feature"
    if 129 in of:
        yield "META_INFO would make it simpleperf's own"
    names, seen = set(maps(b)), set()
    for m in files(b):
        path = m[1][0]
        if path in seen:
            yield f"{path} is told twice"
        seen.add(path)
        if one(m, 2) == 2 and path not in names:
            yield f"{path} is the name of no mapping"
        last = 0
        for addr, size, name in symbols(m):
            if not name or not size or addr < last:
                yield f"{path}: {name} at {addr:x}, {size} bytes"
            if one(m, 2) == 2 and addr >> 32:
                yield f"{path}: {name} at {addr:x} is above 4 GiB"
            last = addr


def damage(b, seed):
    r, (at, n) = random.Random(seed), features(b)[FILE2]
    b = bytearray(b)
    for _ in range(r.choice((1, 3, 30))):
        b[at + r.randrange(n)] = r.choice((0, 0x22, 0x7f, 0x80, 0xff, r.randrange(256)))
    return b


def main(args):
    if args[0] == "damage":
        with open(args[2], "wb") as f:
            f.write(damage(open(args[1], "rb").read(), int(args[3])))
    elif args[0] == "checks":
        for line in checks(open(args[1], "rb").read()):
            print(line)
    else:
        for m in files(open(args[0], "rb").read()):
            for addr, size, name in symbols(m):
                print(TYPES[one(m, 2)], m[1][0].decode(), f"{addr:x} {size:x} {name}")


if __name__ == "__main__":
    main(sys.argv[1:])
