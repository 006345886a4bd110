"""Does a recording's report call the functions of a program what probe calls them? names.py SONDE FILE...

A recording is made by hand with one sample at the start of every function, in its middle and at its end that `sonde probe -F` tells of the
file; `sonde script` gives each a name, and `sonde report` the names of all. One line for each name that is another one; at last, for each
file, how many functions there were. Names of C++ and Rust are compared as the linker knows them.
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


def recording(path, to, addresses):
    """A perf.data with a sample for each address of the file."""
    base, parts, machine = segments(path)
    name = path.encode() + b"\0"
    name += b"\0" * (-len(name) % 8)
    data = [record(3, 0, struct.pack("<II", PID, PID) + b"program\0")]
    data += [record(1, 2, struct.pack("<IIQQQ", PID, PID, base + at, n, off) + name) for off, at, n in parts]
    data += [record(9, 2, struct.pack("<QIIQ", base + at, PID, PID, i + 1)) for i, at in enumerate(addresses)]
    data = b"".join(data)
    attr = struct.pack("<IIQQQQQ", 1, ATTR, 0, 1, 1 | 2 | 4, 0, 1 << 8 | 1 << 9).ljust(ATTR, b"\0") + bytes(16)
    arch = text(machine)
    behind = HEADER + len(attr) + len(data)
    header = b"PERFILE2" + struct.pack("<8Q", HEADER, len(attr), HEADER, len(attr), HEADER + len(attr), len(data), 0, 0)
    header += struct.pack("<4Q", 1 << 6, 0, 0, 0)
    with open(to, "wb") as f:
        f.write(header + attr + data + struct.pack("<QQ", behind + 16, len(arch)) + arch)


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
        is_nameless = set(found[at].values()) == {".eh_frame"}
        if names[at] not in found[at] and not (is_nameless and names[at] == "[unknown]"):
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


sys.exit(1 if sum([compare(sys.argv[1], path) for path in sorted({os.path.realpath(path) for path in sys.argv[2:]})]) else 0)
