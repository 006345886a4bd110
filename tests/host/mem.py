#!/usr/bin/env python3
"""mem.py FILE [-n SAMPLES] [-x PROGRAM] [-s SEED] [--bad] - a perf.data as perf c2c record writes it on x86: made-up loads and stores of
threads on two nodes, to lines that they share and others that they do not, of PROGRAM's data, the heap and the kernel. --bad: words of
any bits."""
import argparse
import os
import random
import struct

LOADS, STORES, LOADS_ID, STORES_ID = 0x1cd, 0x82d0, 100, 200
SAMPLE = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 3 | 1 << 7 | 1 << 15 | 1 << 16 | 1 << 19 | 1 << 24   # IP TID TIME ADDR CPU DATA_SRC IDENTIFIER PHYS_ADDR WEIGHT_STRUCT
FLAGS = 1 << 18                                                                          # sample_id_all
CPUS, START, BLOCK = 4, 1_000_000_000, 1 << 27
BASE = {1000: 0x555500000000, 1010: 0x666600000000}                                        # of the program in each process

LOAD, STORE = 2, 4
HIT, MISS = 2 << 5, 4 << 5
L1, LFB, L2, L3, RAM, REMOTE_RAM, REMOTE_CACHE, FAR_CACHE, IO, UNCACHED = (1 << 5 + 3 + i for i in (0, 1, 2, 3, 4, 5, 7, 8, 9, 10))
NA = 1 << 5
NONE, SNOOP_HIT, SNOOP_MISS, HITM = 2 << 19, 4 << 19, 8 << 19, 16 << 19
LOCKED, REMOTE, PEER, BLOCKED = 2 << 24, 1 << 37, 2 << 38, 2 << 40
LOADED = [L1 | HIT | NONE] * 4 + [LFB | HIT | NONE, L2 | HIT | NONE, L3 | HIT | SNOOP_HIT, RAM | HIT | SNOOP_MISS, REMOTE_RAM | HIT,
          REMOTE_CACHE | HIT | SNOOP_HIT, L1 | MISS, IO | HIT, UNCACHED | HIT, L2 | HIT | PEER, NA | REMOTE | PEER]
SHARED = [L3 | HIT | HITM] * 3 + [REMOTE_CACHE | HIT | HITM, FAR_CACHE | HIT | HITM, L3 | HIT | REMOTE | HITM, L1 | HIT, RAM | HIT | SNOOP_HIT]
STORED = [L1 | HIT, L1 | HIT | LOCKED, L1 | MISS, NA, UNCACHED | HIT]


def attr(config, config1):
    return struct.pack("<IIQQQQQIIQQ", 4, 128, config, 1, SAMPLE, 4, FLAGS | 1 << 10 | 2 << 15, 0, 0, config1, 0).ljust(128, b"\0")


def record(kind, misc, body, ids=b""):
    return struct.pack("<IHH", kind, misc, 8 + len(body) + len(ids)) + body + ids


def ids(pid, tid, time, cpu):
    return struct.pack("<IIQIIQ", pid, tid, time, cpu, 0, LOADS_ID)


def name(text):
    return text.encode().ljust((len(text) + 8) // 8 * 8, b"\0")


def mapping(pid, start, size, offset, inode, text):
    device = (8, 1, inode, 0) if inode else (0, 0, 0, 0)
    return record(10, 2, struct.pack("<IIQQQIIQQII", pid, pid, start, size, offset, *device, 7, 2) + name(text), ids(pid, pid, 0, 0))


def words(r, shared, bad):
    """Event and word of one access."""
    if bad and r.random() < 0.3:
        return r.choice((LOADS_ID, STORES_ID)), r.getrandbits(64)
    if r.random() < 0.4:
        return STORES_ID, STORE | r.choice(STORED)
    word = LOAD | r.choice(SHARED if shared and r.random() < 0.5 else LOADED)
    return LOADS_ID, word | (LOCKED if r.random() < 0.05 else 0) | (BLOCKED if r.random() < 0.05 else 0)


def place(r, base, own):
    """Where code is, where data is, whether others have it, too."""
    kind = r.randrange(10)
    if kind == 0:
        return 0xffff900000000000 + 16 * r.randrange(8), 0xffff888000001000 + 8 * r.randrange(32), True
    if kind == 1:
        return base + 0x1000 + 4 * r.randrange(4), 0x7ffe00000000 + own + 64 * r.randrange(200), False   # no map
    if kind < 5:
        return base + 0x1200 + 4 * r.randrange(16), 0x10000000 + 8 * r.randrange(400), r.random() < 0.3
    if kind == 5 and r.random() < 0.05:
        return base + 0x1400, 0, False
    return base + 0x1300 + 4 * r.randrange(6), base + 0x3000 + 8 * r.randrange(24), True


def sample(r, i, bad):
    cpu = r.randrange(CPUS)
    pid = 1000 + 10 * (cpu & 1)
    ip, addr, shared = place(r, BASE[pid], pid << 20)
    event, word = words(r, shared, bad)
    body = struct.pack("<QQIIQQIIQQQ", event, ip, pid, pid + cpu // 2, START + 1000 * i, addr, cpu, 0,
                       r.randrange(3, 900) | r.randrange(50) << 32, word, (addr & 0xfff) | r.choice((0x1000000, 0x1000000, 0x9000000)))
    return record(9, 1 if ip >> 63 else 2, body)


def text(s):
    b = s.encode() + b"\0"
    return struct.pack("<I", (len(b) + 63) // 64 * 64) + b.ljust((len(b) + 63) // 64 * 64, b"\0")


def features():
    def event(config, config1, label, number):
        return attr(config, config1) + struct.pack("<I", 1) + text(label) + struct.pack("<Q", number)

    desc = struct.pack("<II", 2, 128) + event(LOADS, 30, "cpu/mem-loads,ldlat=30/P", LOADS_ID) + event(STORES, 0, "cpu/mem-stores/P", STORES_ID)
    nodes = struct.pack("<I", 2) + b"".join(struct.pack("<IQQ", n, 1 << 20, 1 << 19) + text(f"{2 * n}-{2 * n + 1}") for n in range(2))
    memory = struct.pack("<QQQ", 1, BLOCK, 2) + struct.pack("<QQQQQQQQ", 0, 1, 64, 1, 1, 1, 64, 2)
    return {3: text("server"), 4: text("6.1.0"), 5: text("6.1"), 6: text("x86_64"), 7: struct.pack("<II", CPUS, CPUS), 12: desc, 14: nodes,
            16: struct.pack("<II", 1, 4) + text("cpu"), 22: memory}


def main():
    p = argparse.ArgumentParser()
    p.add_argument("file")
    p.add_argument("-n", type=int, default=3000)
    p.add_argument("-x", default="/bin/true")
    p.add_argument("-s", type=int, default=1)
    p.add_argument("--bad", action="store_true")
    args = p.parse_args()
    r = random.Random(args.s)
    attrs = attr(LOADS, 30) + struct.pack("<QQ", 104, 8) + attr(STORES, 0) + struct.pack("<QQ", 112, 8)
    at = 120 + len(attrs)
    data = bytearray(record(1, 1, struct.pack("<IIQQQ", 0xffffffff, 0, 0xffffffff81000000, 0x1000000, 0xffffffff81000000) + name("[kernel.kallsyms]_text"),
                            ids(0xffffffff, 0, 0, 0)))
    size = (os.path.getsize(args.x) + 4095) & ~4095
    for pid in BASE:
        data += record(3, 0, struct.pack("<II", pid, pid) + name(f"writer{pid & 15}"), ids(pid, pid, 0, 0))
        data += record(7, 0, struct.pack("<IIIIQ", pid, pid, pid + 1, pid, START), ids(pid, pid, START, 0))
        data += mapping(pid, BASE[pid], size, 0, 99, args.x)
        data += mapping(pid, 0x10000000, 0x10000, 0, 0, "[heap]")
    for i in range(args.n):
        data += sample(r, i, args.bad)
    data += record(68, 0, b"")
    made = features()
    bits = sum(1 << i for i in made)
    table, body, off = b"", b"", at + len(data) + 16 * len(made)
    for i in sorted(made):
        table += struct.pack("<QQ", off + len(body), len(made[i]))
        body += made[i]
    head = b"PERFILE2" + struct.pack("<QQQQQQQQ", 104, 144, 120, len(attrs), at, len(data), 0, 0) + struct.pack("<QQQQ", bits, 0, 0, 0)
    with open(args.file, "wb") as f:
        f.write(head + struct.pack("<QQ", LOADS_ID, STORES_ID) + attrs + data + table + body)


main()
