#!/usr/bin/env python3
"""disasm.py A64TEXT OBJDUMP FILE... - texts of instructions beside objdump's: of an ELF file's code, of a kernel's Image (raw), or with
random:SEED:NUMBER of words made up. Comments (//), names (<main+0x8>) and the 0x that objdump has in front of targets in raw files aside,
they are the same; objdump's "undefined" counts as a text. Prints the numbers; fails when one differs."""
import collections
import random
import re
import struct
import subprocess
import sys
import tempfile

LINE = re.compile(r"\s*([0-9a-f]+):\t([0-9a-f]{8}) \t(.*)")
RAW_MOST = 3 << 20   # bytes of an Image: its code stands first, data behind


def words(name, folder):
    """The raw file, and how objdump reads it."""
    raw = ["-D", "-z", "-b", "binary", "-m", "aarch64"]
    if name.startswith("random:"):
        _, seed, number = name.split(":")
        made = random.Random(int(seed))
        data = struct.pack(f"<{number}I", *(made.getrandbits(32) for _ in range(int(number))))
    elif name.endswith("Image"):
        with open(name, "rb") as f:
            f.seek(1 << 16)
            data = f.read(RAW_MOST)
    else:
        return name, ["-d", "-z"]
    path = f"{folder}/raw"
    with open(path, "wb") as f:
        f.write(data)
    return path, raw


def theirs(objdump, name, folder):
    path, how = words(name, folder)
    out = subprocess.run([objdump, *how, path], stdout=subprocess.PIPE, text=True, check=True).stdout
    for m in map(LINE.match, out.split("\n")):
        if not m:
            continue
        text = re.sub(r"\s*(//.*|; note: .*)", "", m.group(3)).rstrip()
        text = re.sub(r"\s+<[^<>]*>$", "", re.sub(r"\s+<.*>$", "", text))
        # A constant that a symbol marks as such.
        if text.startswith((".word", ".inst\t0x") if how[0] == "-d" else ".word"):
            continue
        if not text.startswith(".inst"):
            text = re.sub(r"([\t ])0x([0-9a-f]+)$", r"\1\2", text)
        yield m.group(1), m.group(2), text


def compare(tool, objdump, name, folder):
    want = list(theirs(objdump, name, folder))
    asked = "".join(f"{addr} {word}\n" for addr, word, _ in want)
    got = subprocess.run([tool], input=asked, stdout=subprocess.PIPE, text=True, check=True).stdout.split("\n")
    bad, kinds, matrices = [], collections.Counter(), 0
    for (addr, word, text), ours in zip(want, got):
        if text == ours or is_apart(text):
            continue
        if is_matrix(int(word, 16)) and ours.startswith(".inst"):
            matrices += 1
            continue
        bad.append(f"  {addr}: {word} objdump: {text!r} ours: {ours!r}")
        kinds[text.split("\t")[0]] += 1
    print(f"{name}: {len(want)} instructions, {len(bad)} differ {dict(kinds.most_common(5)) or ''}; {matrices} of SME, which are not read")
    print("".join(f"{line}\n" for line in bad[:20]), end="")
    return len(want), len(bad)


def is_matrix(word):
    return word >> 31 and not word >> 25 & 15


def is_apart(text):
    """Words that are none: objdump says so in another way; a byte that is shifted by eight, which it takes for 255 alone."""
    return "NYI" in text or text.endswith("#-256") and ".b, " in text


def main():
    tool, objdump, *names = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        counts = [compare(tool, objdump, name, folder) for name in names]
    total, bad = sum(n for n, _ in counts), sum(b for _, b in counts)
    print(f"{total} instructions, {bad} differ")
    sys.exit(bad > 0 or total < 1000)


main()
