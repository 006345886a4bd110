"""cfi.py CFITEXT FILE...: the rows of call frame information as readelf works them out against ours; prints what differs.

Fails when a row differs, or when less than a thousand rows were compared in all.
"""
import bisect
import re
import subprocess
import sys

NAMES = {"aarch64": {**{f"x{i}": i for i in range(31)}, "sp": 31, "ra": 30},
         "x86-64": {n: i for i, n in enumerate("rax rdx rcx rbx rsi rdi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15".split())} | {"ra": 16, "rip": 16}}


def machine(path):
    text = subprocess.run(["readelf", "-h", path], capture_output=True, text=True, check=True).stdout
    return "aarch64" if "AArch64" in text else "x86-64"


def number(name, names):
    if name in names:
        return names[name]
    m = re.fullmatch(r"r(\d+)", name)
    return int(m.group(1)) if m else None


def theirs(path, names):
    """(pc, CFA, {register: rule}) of each row that readelf prints of .eh_frame."""
    text = subprocess.run(["readelf", "--wide", "--debug-dump=frames-interp", path], capture_output=True, text=True, check=False).stdout
    columns, is_fde, is_eh = [], False, False
    for line in text.split("\n"):
        if line.startswith("Contents of the "):
            is_eh = ".eh_frame" in line
        elif re.match(r"[0-9a-f]{8} [0-9a-f]{16} [0-9a-f]{8} ", line):
            is_fde = " FDE " in line
        elif line.lstrip().startswith("LOC "):
            columns = line.split()[2:]
        elif is_fde and is_eh and re.match(r"[0-9a-f]{16} ", line):
            pc, cfa, *rules = re.sub(r" \(\w+\)", "", line).split()   # "r9 (r9)"
            base = re.fullmatch(r"([a-z0-9]+)([+-]\d+)", cfa)
            if base:
                cfa = f"r{number(base.group(1), names)}{base.group(2)}"
            yield int(pc, 16), cfa, {number(c, names): r for c, r in zip(columns, rules)}


def ours(tool, path):
    rows = []
    for line in subprocess.run([tool, path], capture_output=True, text=True, check=True).stdout.splitlines():
        start, end, cfa, *rules = line.split()
        rows.append((int(start, 16), int(end, 16), cfa, dict((int(k), v) for k, v in (r.split("=") for r in rules))))
    return sorted(rows)


def same(their, our):
    """What has no rule is "u" to readelf, for it does not know the machine's conventions."""
    return our in (their, "s") if their in "us" else their == our


def compare(tool, path):
    names, rows = NAMES[machine(path)], ours(tool, path)
    starts, n, differ, last = [r[0] for r in rows], 0, 0, {}
    # Of several rows for one place the last one holds.
    for pc, cfa, rules in theirs(path, names):
        last[pc] = cfa, rules
    for pc, (cfa, rules) in last.items():
        i = bisect.bisect_right(starts, pc) - 1
        n += 1
        if i >= 0 and rows[i][0] <= pc < rows[i][1] and rows[i][2] == cfa and \
           all(same(rule, rows[i][3].get(reg, "s")) for reg, rule in rules.items() if reg is not None and reg < 35):
            continue
        differ += 1
        if differ < 5:
            print(f"{path}: {pc:x}: readelf {cfa} {rules}, ours {rows[i] if i >= 0 else None}")
    return n, differ


def main(tool, paths):
    total = [0, 0]
    for path in paths:
        n, differ = compare(tool, path)
        total = [total[0] + n, total[1] + differ]
    print(f"{total[0]} rows, {total[1]} differ")
    return total[1] > 0 or total[0] < 1000


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
