"""Do all commands call a function by one name? names.py SONDE FILE... of programs; names.py SONDE --kernel TRACE.DAT of the running kernel.

A recording is made by hand with one sample at the start of every function, in its middle and at its end that `sonde probe -F` tells of the
file; `sonde script` gives each a name, and `sonde report` the names of all. One line for each name that is another one; at last, for each
file, how many functions there were. Names of C++ and Rust are compared as the linker knows them.

Of the kernel `sonde ftrace report -f` lists a name for each address, from the same /proc/kallsyms; `sonde script` and `sonde report` must have that
one, `sonde probe -F` must list it, and of addresses with several names `sonde probe -D` must choose it. What the trace.dat has is of no matter.

names.py SONDE --stripped FILE...: of a copy without symbols, in the first, the middle and the last byte of each function that objdump finds in
its call frame information, what has no dynamic symbol is called after its start.
"""
import bisect
import collections
import os
import struct
import subprocess
import sys

MACHINES = {62: b"x86_64", 183: b"aarch64"}
HEADER, ATTR, PID = 104, 112, 7


def segments(path):
    """Where a program begins in memory, its executable segments (offset, address, size), and its machine."""
    with open(path, "rb") as f:
        data = f.read()
    kind, machine = struct.unpack_from("<HH", data, 16)
    table, = struct.unpack_from("<Q", data, 32)
    step, n = struct.unpack_from("<HH", data, 54)
    found = []
    for i in range(n):
        what, flags, offset, address, _, size = struct.unpack_from("<IIQQQQ", data, table + i * step)
        if what == 1 and flags & 1:
            found.append((offset, address, size))
    return 0 if kind == 2 else 0x550000000000, found, MACHINES[machine]


def record(kind, misc, body):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def text(s):
    s += b"\0" * (64 - len(s))
    return struct.pack("<I", len(s)) + s


def perf_data(to, machine, records):
    data = b"".join([record(3, 0, struct.pack("<II", PID, PID) + b"program\0")] + records)
    attr = struct.pack("<IIQQQQQ", 1, ATTR, 0, 1, 1 | 2 | 4, 0, 1 << 8 | 1 << 9).ljust(ATTR, b"\0") + bytes(16)
    arch = text(machine)
    behind = HEADER + len(attr) + len(data)
    header = b"PERFILE2" + struct.pack("<8Q", HEADER, len(attr), HEADER, len(attr), HEADER + len(attr), len(data), 0, 0)
    header += struct.pack("<4Q", 1 << 6, 0, 0, 0)
    with open(to, "wb") as f:
        f.write(header + attr + data + struct.pack("<QQ", behind + 16, len(arch)) + arch)


def padded(name):
    name = name.encode() + b"\0"
    return name + b"\0" * (-len(name) % 8)


def samples(misc, addresses):
    return [record(9, misc, struct.pack("<QIIQ", at, PID, PID, i + 1)) for i, at in enumerate(addresses)]


def recording(path, to, addresses):
    """A perf.data with a sample for each address of the file."""
    base, parts, machine = segments(path)
    name = padded(path)
    maps = [record(1, 2, struct.pack("<IIQQQ", PID, PID, base + at, n, off) + name) for off, at, n in parts]
    perf_data(to, machine, maps + samples(2, [base + at for at in addresses]))


def run(*command):
    return subprocess.run(command, capture_output=True, check=True, text=True, errors="replace").stdout.split("\n")[:-1]


def functions(sonde, path):
    """From probe -F: address -> the names, and where they come from; and how long each is at least."""
    found, sizes = collections.defaultdict(dict), {}
    for line in run(sonde, "probe", "-F", "*", "-v", "--no-demangle", "-x", path):
        address, size = int(line[:16], 16), int(line[17:25])
        source, name = line[27:].split("  ", 1)
        found[address][name.strip()] = source.strip()
        sizes[address] = min(size, sizes.get(address, size))
    return found, sizes


def scripted(sonde, path, addresses):
    recording(path, "names.data", addresses)
    lines = run(sonde, "script", "-i", "names.data", "-F", "ip,sym", "--no-demangle")
    assert len(lines) == len(addresses), f"{path}: {len(lines)} samples of {len(addresses)}"
    return [line.split(None, 1)[1].strip() for line in lines]


def compare(sonde, path):
    found, sizes = functions(sonde, path)
    starts = sorted(found)
    names = dict(zip(starts, scripted(sonde, path, starts)))
    bad = 0
    for at in starts:
        if names[at] not in found[at]:
            print(f"{path}: 0x{at:x} is {names[at]}, not {found[at]}")
            bad += 1
    # Inside, the one that began there has it, if none begins in between.
    inside = [at + d for at in starts for d in (sizes[at] // 2, sizes[at] - 1) if sizes[at] > 1]
    for at, name in zip(inside, scripted(sonde, path, inside)):
        start = starts[bisect.bisect(starts, at) - 1]
        if at < start + sizes[start] and name != names[start] != "[unknown]":
            print(f"{path}: 0x{at:x} is {name}, not {names[start]}")
            bad += 1
    recording(path, "names.data", starts)
    report = {line.strip() for line in run(sonde, "report", "-i", "names.data", "-q", "--no-children", "-g", "none", "-s", "sym",
                                           "-F", "sym", "--no-demangle")}
    report = {line[4:] if line.startswith("[") else line for line in report}
    for name in {name for name in names.values() if len(name) < 1000} - report - {"[unknown]"}:
        print(f"{path}: report does not have {name}")
        bad += 1
    print(f"{len(starts)} functions of {os.path.basename(path)}, {bad} have another name")
    return bad


class Kernel:
    """What the commands say of the running kernel's functions."""

    def __init__(self, sonde, trace):
        self.sonde = sonde
        with open("/proc/kallsyms") as f, open("kallsyms", "w") as to:
            lines = f.readlines()
            to.writelines(lines)
        self.start = next(int(line[:16], 16) for line in lines if line[19:-1] in ("_text", "_stext"))
        self.start_name = next(line[19:-1] for line in lines if line[19:-1] in ("_text", "_stext"))
        self.names = {}
        for line in run(sonde, "ftrace", "report", "-i", trace, "-f", "--kallsyms", "kallsyms"):
            self.names[int(line[:16], 16)] = line[17:]

    def record(self, addresses):
        """One map holds the kernel and its modules: what is theirs is told by kallsyms."""
        name = padded("[kernel.kallsyms]" + self.start_name)
        body = struct.pack("<iIQQQ", -1, 0, self.start, (1 << 64) - 1 - self.start, self.start) + name
        perf_data("names.data", os.uname().machine.encode(), [record(1, 1, body)] + samples(1, addresses))

    def scripted(self, addresses):
        self.record(addresses)
        lines = run(self.sonde, "script", "-i", "names.data", "-F", "ip,sym", "--kallsyms", "kallsyms")
        assert len(lines) == len(addresses), f"{len(lines)} samples of {len(addresses)}"
        return [line.split(None, 1)[1].strip() for line in lines]

    def listed(self):
        """From probe -F: address -> the names with their modules; and how long each is at most."""
        found, sizes = collections.defaultdict(set), {}
        for line in run(self.sonde, "probe", "-F", "*", "-v"):
            address, size, module, name = line.split(None, 3)
            found[int(address, 16)].add(name + ("" if module == "kernel" else f" [{module}]"))
            sizes[int(address, 16)] = int(size)
        return found, sizes

    def chosen(self, addresses):
        """What probe takes of several names, which it puts before the offset: address -> name."""
        definitions = []
        for i in range(0, len(addresses), 16):
            definitions += run(self.sonde, "probe", *(word for at in addresses[i:i + 16] for word in ("-D", hex(at))))
        assert len(definitions) == len(addresses), f"{len(definitions)} definitions of {len(addresses)}"
        return dict(zip(addresses, (line.split()[1].split(":")[-1] for line in definitions)))


def compare_kernel(sonde, trace):
    k = Kernel(sonde, trace)
    found, sizes = k.listed()
    starts = sorted(k.names)
    plain = {at: name.split(" [")[0] for at, name in k.names.items()}
    bad = []
    for at, name in zip(starts, k.scripted(starts)):
        if name != plain[at]:
            bad.append(f"0x{at:x} is {name} in script, not {k.names[at]}")
    for at in starts:
        if k.names[at] not in found[at] and " [bpf]" not in k.names[at]:
            bad.append(f"0x{at:x} is {found[at]} in probe, not {k.names[at]}")
    inside = [at + d for at in starts for d in (sizes.get(at, 0) // 2, sizes.get(at, 0) - 1) if sizes.get(at, 0) > 1]
    for at, name in zip(inside, k.scripted(inside)):
        start = starts[bisect.bisect(starts, at) - 1]
        if name not in (plain[start], "[unknown]"):
            bad.append(f"0x{at:x} is {name} in script, not {plain[start]}")
    k.record(starts)
    report = {line.strip().split("] ", 1)[-1] for line in run(sonde, "report", "-i", "names.data", "-q", "--no-children", "-g",
                                                             "none", "-s", "sym", "-F", "sym", "--kallsyms", "kallsyms")}
    bad += [f"report does not have {name}" for name in set(plain.values()) - report]
    several = [at for at in starts if len(found[at]) > 1 and "[" not in k.names[at]][:100]
    for at, name in k.chosen(several).items():
        if name != k.names[at] and not name.startswith(("_text+", "_stext+", "0x")):
            bad.append(f"0x{at:x} is {name} for probe -D, not {k.names[at]}")
    print("\n".join(bad[:50]))
    print(f"{len(starts)} functions of the kernel, {len(several)} with several names, {len(bad)} have another name")
    return len(bad)


def compare_stripped(sonde, path):
    subprocess.run(["strip", "-o", "stripped", path], check=True)
    plt = [(int(w[3], 16), int(w[2], 16)) for line in run("objdump", "-h", "stripped") if len(w := line.split()) > 3 and w[1].startswith(".plt")]
    frames = [line.split("pc=")[1].split("..") for line in run("objdump", "--dwarf=frames", "stripped") if " FDE " in line]
    found, sizes = functions(sonde, os.path.abspath("stripped"))
    named = [(at, at + sizes[at]) for at, names in found.items() if set(names.values()) != {".eh_frame"}]
    starts = [(int(start, 16), int(end, 16)) for start, end in frames]
    starts = [(start, end) for start, end in starts if start < end and not any(at <= start < at + n for at, n in plt)
              and not any(at < end and start < to for at, to in named)]
    inside = [(at, start) for start, end in starts for at in (start, (start + end) // 2, end - 1)]
    bad = 0
    for (at, start), name in zip(inside, scripted(sonde, os.path.abspath("stripped"), [at for at, _ in inside])):
        if name != f"fn_0x{start:x}":
            print(f"{path}, stripped: 0x{at:x} is {name}, not fn_0x{start:x}")
            bad += 1
    print(f"{len(starts)} functions of {os.path.basename(path)} without symbols, {bad} have another name")
    return bad or not starts


def main():
    if sys.argv[2] == "--stripped":
        sys.exit(1 if sum([compare_stripped(sys.argv[1], path) for path in sys.argv[3:]]) else 0)
    if sys.argv[2] == "--kernel":
        sys.exit(1 if compare_kernel(sys.argv[1], sys.argv[3]) else 0)
    sys.exit(1 if sum([compare(sys.argv[1], path) for path in sorted({os.path.realpath(path) for path in sys.argv[2:]})]) else 0)


if __name__ == "__main__":
    main()
