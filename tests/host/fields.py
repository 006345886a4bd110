"""fields.py OUT ARCH PROGRAM [NAME] - a perf.data with what no event of this machine has: branches, registers, memory accesses, output of
BPF programs, and a record of each kind. PROGRAM, an ELF file, is what runs in it, under that NAME."""
import struct
import sys

IP, TID, TIME, ADDR, READ, CHAIN, ID, CPU, PERIOD = (1 << i for i in range(9))
RAW, BRANCHES, UREGS, USTACK, WEIGHT, SRC, IDENT, TXN, IREGS, PHYS = (1 << i for i in range(10, 20))
CGROUP, DPAGE, CPAGE, WEIGHTS = (1 << i for i in range(21, 25))
ID_ALL, COMM = 1 << 18, 1 << 9
TIME0 = 5_000_000_000


def text_segment(path):
    """Where the program's code is: address, offset, size."""
    elf = open(path, "rb").read()
    at, = struct.unpack_from("<Q", elf, 32)
    size, n = struct.unpack_from("<HH", elf, 54)
    for i in range(n):
        kind, flags, offset, vaddr, _, length = struct.unpack_from("<IIQQQQ", elf, at + i * size)
        if kind == 1 and flags & 1:
            return vaddr & -4096, offset & -4096, (length + (vaddr & 4095) + 4095) & -4096
    raise SystemExit("no code in " + path)


class Event:
    def __init__(self, name, kind, config, fields, **more):
        self.name, self.kind, self.config, self.more = name, kind, config, more
        self.fields = IDENT | IP | TID | TIME | CPU | PERIOD | fields
        self.id = 0

    def attr(self):
        m = self.more
        return struct.pack("<IIQQQQQIIQQQQIiQIHHIIQ", self.kind, 128, self.config, m.get("period", 1000), self.fields, 0,
                           ID_ALL | COMM | m.get("flags", 0), 0, 0, 0, 0, m.get("branches", 0), m.get("uregs", 0), 0, 0,
                           m.get("iregs", 0), 0, 0, 0, 0, 0, 0)


def packed(*values):
    return b"".join(struct.pack("<Q", v & (1 << 64) - 1) for v in values)


def record(kind, misc, body):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def text(s):
    return s.encode() + b"\0" * (8 - len(s.encode()) % 8)


class Recording:
    def __init__(self, events):
        self.events, self.now, self.out = events, TIME0, []
        for i, e in enumerate(events):
            e.id = 100 + i

    def tick(self):
        self.now += 1_234_567
        return self.now

    def trailer(self, event=0, pid=7, cpu=1):
        return struct.pack("<IIQII", pid, pid, self.tick(), cpu, 0) + packed(self.events[event].id)

    def side(self, kind, body, misc=0, **more):
        self.out.append(record(kind, misc, body + self.trailer(**more)))

    def user(self, kind, body):
        self.out.append(record(kind, 0, body))

    def sample(self, e, ip, misc=2, addr=0, **v):
        f = e.fields
        body = packed(e.id, ip) + struct.pack("<IIQ", 7, 7, self.tick())
        body += packed(addr) if f & ADDR else b""
        body += struct.pack("<II", 1, 0) + packed(v.get("period", 1000))
        if f & CHAIN:
            chain = v.get("chain", ())
            body += packed(len(chain), *chain)
        if f & RAW:
            raw = v["raw"] + b"\0" * (-(4 + len(v["raw"])) % 8)
            body += struct.pack("<I", len(raw)) + raw
        if f & BRANCHES:
            body += packed(len(v.get("branches", ()))) + b"".join(packed(*b) for b in v.get("branches", ()))
        if f & UREGS:
            body += packed(v.get("abi", 2)) + (packed(*v["uregs"]) if v.get("abi", 2) else b"")
        if f & (WEIGHT | WEIGHTS):
            body += packed(v.get("weight", 0))
        if f & SRC:
            body += packed(v.get("src", 0))
        if f & TXN:
            body += packed(v.get("txn", 0))
        if f & IREGS:
            body += packed(2, *v["iregs"])
        for bit, name in (PHYS, "phys"), (CGROUP, "cgroup"), (DPAGE, "dpage"), (CPAGE, "cpage"):
            if f & bit:
                body += packed(v.get(name, 0))
        self.out.append(record(9, misc, body))


def feature_text(s):
    b = s.encode() + b"\0"
    b += b"\0" * (-len(b) % 64)
    return struct.pack("<I", len(b)) + b


def features(r, arch):
    desc = struct.pack("<II", len(r.events), 128)
    for e in r.events:
        desc += e.attr() + struct.pack("<I", 1) + feature_text(e.name) + packed(e.id)
    return {3: feature_text("board"), 4: feature_text("6.12.0"), 5: feature_text("6.12"), 6: feature_text(arch),
            7: struct.pack("<II", 2, 2), 11: struct.pack("<I", 1) + feature_text("perf"), 12: desc,
            23: packed(1), 29: struct.pack("<IIQQ", 1, 1, 1_700_000_000_123_456_789, TIME0)}


def write(path, r, arch):
    n = len(r.events)
    ids_at = 104
    attrs_at = ids_at + 8 * n
    data_at = attrs_at + 144 * n
    data = b"".join(r.out)
    ids = b"".join(packed(e.id) for e in r.events)
    attrs = b"".join(e.attr() + packed(ids_at + 8 * i, 8) for i, e in enumerate(r.events))
    feats = features(r, arch)
    bits = sum(1 << b for b in feats)
    at = data_at + len(data) + 16 * len(feats)
    table, bodies = b"", b""
    for b in sorted(feats):
        table += packed(at + len(bodies), len(feats[b]))
        bodies += feats[b]
    head = b"PERFILE2" + packed(104, 144, attrs_at, 144 * n, data_at, len(data), 0, 0, bits, 0, 0, 0)
    open(path, "wb").write(head + ids + attrs + data + table + bodies)


def branches(base):
    """Each bit of the flags, and each type and speculation."""
    flags = [1, 2, 6, 10, 2 | 77 << 4] + [2 | t << 20 for t in range(15)] + [2 | 15 << 20 | t << 26 for t in range(8)] + [2 | s << 24 for s in range(4)]
    return [(base + 64 * i, base + 32 * i + 8, f) for i, f in enumerate(flags)]


def sources():
    """Places that data comes from: each bit of each part, as far as all perfs read them alike."""
    yield from (0, 1)
    for at, n in (0, 5), (19, 5), (24, 2), (26, 7), (38, 2), (40, 3):
        for bit in range(n):
            yield 1 << at + bit
            yield 3 << at + bit & (1 << at + n) - 1
    for bit in range(3, 14):
        yield 2 | (2 | 1 << bit) << 5 | 2 << 26
        yield 4 | (4 | 1 << bit) << 5 | 4 << 26
    for level in 1, 2, 3, 4, 9, 10, 11, 12, 13, 14:
        yield 2 | 2 << 5 | level << 33
    for hops in range(5):
        yield 2 | 2 << 5 | 1 << 33 | 1 << 37 | hops << 43


def sides(r, base, offset, size, program):
    r.user(69, packed(len(r.events)) + b"".join(packed(e.id, i, i, -1) for i, e in enumerate(r.events)))
    r.user(73, packed(2) + packed(7) + text("seven").ljust(16, b"\0") + packed(8) + text("eight").ljust(16, b"\0"))
    r.user(74, struct.pack("<HHHHHH", 0, 3, 0, 2, 5, 0))
    r.user(78, packed(1, r.events[0].id) + struct.pack("<d", 0.25))
    r.user(78, packed(2, r.events[0].id) + text("cycles"))
    r.user(82, b"")
    r.side(1, struct.pack("<iiQQQ", -1, 0, 0xffffffff81000000, 0x1000000, 0xffffffff81000000) + text("[kernel.kallsyms]_text"), misc=1)
    r.side(3, struct.pack("<II", 7, 7) + text("seven"), misc=1 << 13)
    r.side(10, struct.pack("<IIQQQIIQQII", 7, 7, base, size, offset, 8, 1, 1234, 5, 5, 2) + text(program), misc=2)
    r.side(10, struct.pack("<IIQQQBBH20sII", 7, 7, 0x7f0000000000, 0x2000, 0x1000, 20, 0, 0, bytes(range(20)), 3, 1) + text("/lib/none.so"), misc=2 | 1 << 14)
    r.side(7, struct.pack("<IIIIQ", 8, 7, 9, 7, r.now))
    r.side(4, struct.pack("<IIIIQ", 8, 7, 9, 7, r.now))
    r.side(14, b"")
    r.side(14, b"", misc=1 << 13)
    r.side(15, struct.pack("<II", 0, 0), misc=1 << 13 | 1 << 14)
    r.side(15, struct.pack("<II", 8, 9))
    r.side(16, struct.pack("<IIQ", 7, 7, 7) + packed(*(n for i in range(7) for n in (4, 0xeffffff0 + i))))
    r.side(19, packed(42) + text("/system.slice/one"))
    r.side(17, struct.pack("<QIHH", 0xffffffffc0001000, 256, 1, 0) + text("bpf_prog_one"))
    r.side(17, struct.pack("<QIHH", 0xffffffffc0001000, 256, 1, 1) + text("bpf_prog_one"))
    r.side(18, struct.pack("<HHI8s", 1, 0, 6, bytes(range(8))))
    r.side(20, struct.pack("<QHH", 0xffffffff81000100, 5, 5) + bytes(range(10)) + b"\0\0")
    r.side(2, packed(r.events[0].id, 3))
    r.side(13, packed(4))
    r.side(5, packed(r.now, r.events[0].id, 0))
    r.side(6, packed(r.now, r.events[0].id, 0))
    r.side(8, struct.pack("<IIQ", 7, 7, 11))
    r.side(11, packed(0x1000, 0x200, 1))
    r.side(12, struct.pack("<II", 7, 7))
    r.side(21, packed(0x99))


def samples(r, base):
    cycles, output, raw, plain = r.events
    masks = cycles.more
    regs = [0x1000 + i for i in range(bin(masks["uregs"]).count("1"))]
    intr = [0xffffffff00000000 + i for i in range(bin(masks["iregs"]).count("1"))]
    for i, src in enumerate(sources()):
        r.sample(cycles, base + 0x100 + 16 * i, addr=0x7ffff000 + i, src=src, weight=7 + i | i << 32 | 3 << 48, uregs=regs, iregs=intr, phys=i << 12,
                 cgroup=42 if i % 2 else 43, dpage=4096 << i % 12, cpage=(0, 4096, 65536, 2 << 20)[i % 4], branches=branches(base + 0x40) if i % 8 == 0 else (),
                 txn=i, chain=(2 ** 64 - 512, base + 0x100 + 16 * i, base + 0x200))
    r.sample(cycles, base + 0x40, misc=1, uregs=(), abi=0, iregs=intr, branches=branches(base + 0x80)[:2])
    for data in b"a text\0", b"0123456789abcdef\0\x1f\n", b"", bytes(range(40)), b"plain, not ended":
        r.sample(output, base + 0x10, raw=data)
    r.sample(raw, base + 0x20, addr=0x1234, weight=99, src=2 | 2 << 5 | 8 << 5, phys=0x5000, dpage=4096, cpage=65536)
    for misc in 1, 2:
        r.sample(plain, base + 0x30, misc=misc)
    r.user(68, b"")


def main():
    out, arch, program = sys.argv[1:4]
    base, offset, size = text_segment(program)
    uregs, iregs = (0x1ff, 0xff01ff) if arch == "x86_64" else (0x1ffffffff, 0x1c0000003)
    memory = ADDR | WEIGHTS | SRC | PHYS | DPAGE | CPAGE
    r = Recording([
        Event("cycles", 0, 0, memory | CHAIN | BRANCHES | UREGS | IREGS | TXN | CGROUP, uregs=uregs, iregs=iregs, branches=1 << 3 | 1 << 16),
        Event("bpf-output", 1, 10, RAW),
        Event("r11", 4, 0x11, memory),
        Event("some_pmu/config=1/", 9, 1, 0),
    ])
    sides(r, base, offset, size, sys.argv[4] if len(sys.argv) > 4 else program)
    samples(r, base)
    write(out, r, arch)


main()
