"""Lines and inlined functions of addresses beside llvm-addr2line's: lines.py SONDE STEP FILE...

A recording made by hand has a sample at every STEP-th byte of the code of a program with debug information; `sonde script -j` tells what the
source has there, and so does `llvm-addr2line -i` (binutils' takes a file's first header for the file itself now and then). One line for each address of which they tell something else, the number of addresses at last.
The function out of line is the symbol's name here, and is not compared.
"""
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import names


def theirs(path, addresses):
    """For each address, innermost first: (name, file, line)."""
    text = subprocess.run(["llvm-addr2line", "-a", "-i", "-f", "-e", path], input="".join(f"{at:x}\n" for at in addresses), capture_output=True, text=True,
                          check=True).stdout.split("\n")[:-1]
    found = []
    for line in text:
        if line.startswith("0x"):
            found.append([])
        else:
            found[-1].append(line)
    return [[(name, *where.split(" (discriminator")[0].rsplit(":", 1)) for name, where in zip(f[::2], f[1::2])] for f in found]


def ours(sonde, path, addresses):
    names.recording(path, "lines.data", addresses)
    for line in names.run(sonde, "script", "-j", "-i", "lines.data", "-F", "ip,sym,srcline", "--no-demangle"):
        frame = json.loads(line)["frames"][0]
        yield [(f["sym"], f.get("file", "??"), f.get("line", 0)) for f in frame.get("inlined", [])] + [
            (frame.get("sym"), frame.get("file", "??"), frame.get("line", 0))]


def same(a, b):
    if len(a) != len(b) or any(x[0] != y[0] for x, y in zip(a[:-1], b[:-1])):
        return False
    # Where there is no line llvm-addr2line may know the file all the same.
    return all(not x[2] and y[2] in "0?" or os.path.basename(x[1]) == os.path.basename(y[1]) and str(x[2]) == y[2] for x, y in zip(a, b))


def main(sonde, step, paths):
    bad = 0
    for path in map(os.path.realpath, paths):
        _, parts, _ = names.segments(path)
        addresses = [at for _, start, n in parts for at in range(start, start + n, step)]
        differ = inlined = known = 0
        for at, a, b in zip(addresses, ours(sonde, path, addresses), theirs(path, addresses)):
            inlined += len(b) > 1
            known += b[0][1] != "??"
            if not same(a, b):
                differ += 1
                if differ <= 10:
                    print(f"{path}: 0x{at:x}: {a}, not {b}")
        print(f"{len(addresses)} addresses of {os.path.basename(path)}, {known} with a line, {inlined} inlined, {differ} differ")
        bad += differ * 200 > known or not known
    return bad


if __name__ == "__main__":
    sys.exit(1 if main(sys.argv[1], int(sys.argv[2]), sys.argv[3:]) else 0)
