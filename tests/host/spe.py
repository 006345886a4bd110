#!/usr/bin/env python3
"""spe.py FILE [-n RECORDS] [-c CPUS] [-m MIDR] [-x PROGRAM] [-s SEED] [--no-context] [--damage] [--loads LIST] - a perf.data as perf record -e
arm_spe_0/ts_enable=1,pa_enable=1/ writes it: made-up loads, stores, branches of a thread per CPU, with PROGRAM mapped.
--loads: none but these, one after the other, and so on: "l1:4,ram:300,store:9" are where data came from, and cycles."""
import argparse
import os
import random
import struct

SPE, DUMMY, SPE_ID, DUMMY_ID = 10, 9, 100, 200
SAMPLE = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 3 | 1 << 7 | 1 << 15 | 1 << 16 | 1 << 19   # IP TID TIME ADDR CPU DATA_SRC IDENTIFIER PHYS_ADDR
TRACKED = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 7 | 1 << 16
FLAGS = 1 << 18                                                                # sample_id_all
HZ_SHIFT, HZ_MULT, ZERO = 10, 40960, 1_000_000_000                             # 25 MHz: 40 ns a tick


def attr(kind, config, sample):
    flags = FLAGS | (1 << 8 | 1 << 9 | 1 << 13 | 1 << 23 if kind == 1 else 0)
    return struct.pack("<IIQQQQQ", kind, 112, config, 1024, sample, 4, flags).ljust(112, b"\0")


def record(kind, misc, body, ids=b""):
    return struct.pack("<IHH", kind, misc, 8 + len(body) + len(ids)) + body + ids


def ids(tid, time, cpu):
    return struct.pack("<IIQIIQ", tid, tid, time, cpu, 0, DUMMY_ID)


def name(text):
    return text.encode().ljust((len(text) + 8) // 8 * 8, b"\0")


def address(index, value):
    return struct.pack("<BQ", 0xb0 | index, value)


# Events, number of the data source of a Neoverse core.
KNOWN = {"l1": (0x16, 0), "l2": (0x1e, 8), "l3": (0x11e, 11), "ram": (0x31e, 14), "remote": (0x71e, 14), "store": (0x16, 0)}


def known(entry, where):
    """A load whose level and latency are told."""
    what, cycles = entry.split(":")
    events, source = KNOWN[what]
    out = address(0, 1 << 63 | where[0]) + struct.pack("<BB", 0x49, what == "store") + struct.pack("<BH", 0x52, events)
    out += address(2, where[1] + 64) + address(3, 1 << 63 | 0x80000040) + struct.pack("<BB", 0x43, source)
    return out + struct.pack("<BH", 0x98, int(cycles)) + struct.pack("<BH", 0x99, 1) + struct.pack("<BH", 0x9a, 1)


def operation(r, where):
    """One record's packets but its end."""
    pc, data = where
    out = address(0, 1 << 63 | pc + 4 * r.randrange(64))
    kind = r.choice(("load", "load", "store", "branch", "other"))
    events = 2 | r.choice((4, 4, 12)) | r.choice((16, 16, 48)) | (r.choice((0, 256, 768)) | r.choice((0, 0, 0 if r.local else 1024)))
    if kind == "branch":
        out += struct.pack("<BB", 0x4a, r.choice((0, 1, 2))) + address(1, 1 << 63 | pc) + struct.pack("<BH", 0x52, 2 | r.choice((0, 128)))
    elif kind == "other":
        out += struct.pack("<BB", 0x48, 0) + struct.pack("<BB", 0x42, 2)
    else:
        out += struct.pack("<BB", 0x49, kind == "store") + struct.pack("<BH", 0x52, events)
        out += address(2, data + 8 * r.randrange(512)) + address(3, 1 << 63 | 0x80000000 + r.randrange(1 << 20))
        out += struct.pack("<BB", 0x43, r.choice((0, 0, 8, 9, 10, 11, 12, 14)))
    return out + struct.pack("<BH", 0x98, r.randrange(2000)) + struct.pack("<BH", 0x99, r.randrange(50)) + struct.pack("<BH", 0x9a, 2)


def stream(r, cpu, tid, n, args):
    out = bytearray()
    for i in range(n):
        kernel = r.random() < 0.1
        where = (0x00ff800010000000, 0x00fff00000000000) if kernel else (0x401000, 0x7f0000000000)
        one = known(args.loads[i % len(args.loads)], where) if args.loads else operation(r, where)
        if kernel:
            one = one[:8] + b"\xa0" + one[9:]                                  # EL1, not secure
        if not args.no_context:
            one += struct.pack("<BI", 0x65, tid)
        one += struct.pack("<BQ", 0x71, 1_000_000 + 100 * i + cpu)
        if args.damage and r.random() < 0.02:
            one = one[:r.randrange(len(one))] + bytes([r.choice((0x05, 0xc7, 0x22, 0xff))])
        out += one + bytes(-len(one) % 64)
    return bytes(out)


def features(args, indexed):
    def text(s):
        b = s.encode() + b"\0"
        b = b.ljust((len(b) + 63) // 64 * 64, b"\0")
        return struct.pack("<I", len(b)) + b

    def event(kind, config, sample, label, number):
        return attr(kind, config, sample) + struct.pack("<I", 1) + text(label) + struct.pack("<Q", number)

    desc = struct.pack("<II", 2, 112) + event(SPE, 0x10003, SAMPLE, "arm_spe_0/ts_enable=1,pa_enable=1/", SPE_ID) + \
        event(1, DUMMY, TRACKED, "dummy:u", DUMMY_ID)
    return {3: text("board"), 4: text("6.12.0"), 5: text("6.12"), 6: text("aarch64"), 7: struct.pack("<II", args.c, args.c),
            9: text(args.m), 12: desc, 14: struct.pack("<IIQQ", 1, 0, 1 << 20, 1 << 19) + text(f"0-{args.c - 1}"), 16: struct.pack("<II", 1, SPE) + text("arm_spe_0"),
            18: indexed}


def main():
    p = argparse.ArgumentParser()
    p.add_argument("file")
    p.add_argument("-n", type=int, default=200)
    p.add_argument("-c", type=int, default=2)
    p.add_argument("-m", default="0x00000000413fd0c1")
    p.add_argument("-x", default="/bin/true")
    p.add_argument("--local", action="store_true", help="none of another node")
    p.add_argument("-s", type=int, default=1)
    p.add_argument("--no-context", action="store_true")
    p.add_argument("--damage", action="store_true")
    p.add_argument("--loads", type=lambda s: s.split(","))
    args = p.parse_args()
    r = random.Random(args.s)
    r.local = args.local
    attrs = attr(SPE, 0x10003, SAMPLE) + struct.pack("<QQ", 104, 8) + attr(1, DUMMY, TRACKED) + struct.pack("<QQ", 112, 8)
    at = 120 + len(attrs)
    data = bytearray(record(79, 0, struct.pack("<QQQQQBB6x", HZ_SHIFT, HZ_MULT, ZERO, 0, (1 << 56) - 1, 1, 0)))
    data += record(70, 0, struct.pack("<IIQQ", 4, 0, SPE, 1))
    size = os.path.getsize(args.x)
    index = []
    for cpu in range(args.c):
        tid = 1000 + cpu
        data += record(3, 0, struct.pack("<II", tid, tid) + name(f"worker{cpu}"), ids(tid, 0, cpu))
        data += record(10, 2, struct.pack("<IIQQQIIQQII", tid, tid, 0x400000, (size + 4095) & ~4095, 0, 8, 1, 0, 0, 5, 2) + name(args.x),
                       ids(tid, 0, cpu))
    for part in range(2):
        for cpu in range(args.c):
            trace = stream(r, cpu, 1000 + cpu, args.n, args) if part == 0 else b""
            for half in (trace[:len(trace) // 128 * 64], trace[len(trace) // 128 * 64:]) if trace else ():
                data += record(11, 0, struct.pack("<QQQ", 0, len(half), 4 if args.damage else 0), ids(1000 + cpu, ZERO + 39_000_000, cpu))
                index.append((at + len(data), 48))
                data += record(71, 0, struct.pack("<QQQIIII", len(half), 0 if half is trace else index[-1][0] % 64, 0, cpu, 0xffffffff, cpu, 0)) + half
    data += record(4, 0, struct.pack("<IIIIQ", 1000, 1, 1000, 1, ZERO + 99_000_000), ids(1000, ZERO + 99_000_000, 0))
    data += record(68, 0, b"")
    made = features(args, struct.pack("<Q", len(index)) + b"".join(struct.pack("<QQ", *i) for i in index))
    bits = sum(1 << i for i in made)
    table, body, off = b"", b"", at + len(data) + 16 * len(made)
    for i in sorted(made):
        table += struct.pack("<QQ", off + len(body), len(made[i]))
        body += made[i]
    head = b"PERFILE2" + struct.pack("<QQQQQQQQ", 104, 128, 120, len(attrs), at, len(data), 0, 0) + struct.pack("<QQQQ", bits, 0, 0, 0)
    with open(args.file, "wb") as f:
        f.write(head + struct.pack("<QQ", SPE_ID, DUMMY_ID) + attrs + data + table + body)


main()
