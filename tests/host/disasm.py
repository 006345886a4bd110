#!/usr/bin/env python3
"""disasm.py CODETEXT OBJDUMP FILE... - texts of instructions beside objdump's: of an ELF file's code, of a kernel's Image (raw), or with
random:SEED:NUMBER of words made up. Comments (//), names (<main+0x8>) and the 0x that objdump has in front of targets in raw files aside,
they are the same; objdump's "undefined" counts as a text. What has been compared with the same text is not compared again: the most that
a program has, and a second kernel. Prints the numbers; fails when one differs."""
import collections
import functools
import random
import re
import struct
import subprocess
import sys
import tempfile

LINE = re.compile(r"\s*([0-9a-f]+):\t([0-9a-f]{8}) \t(.*)")
X86_LINE = re.compile(r"\s*([0-9a-f]+):\t((?:[0-9a-f]{2} )+)\s*\t(.*)")
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


@functools.lru_cache(1 << 18)
def plain(text, is_raw):
    """None: a constant that a symbol marks as such."""
    text = re.sub(r"\s*(//.*|; note: .*)", "", text).rstrip()
    text = re.sub(r"\s+<[^<>]*>$", "", re.sub(r"\s+<.*>$", "", text))
    if text.startswith(".word" if is_raw else (".word", ".inst\t0x")):
        return None
    return text if text.startswith(".inst") else re.sub(r"([\t ])0x([0-9a-f]+)$", r"\1\2", text)


def theirs(objdump, name, folder):
    path, how = words(name, folder)
    out = subprocess.run([objdump, *how, path], stdout=subprocess.PIPE, text=True, check=True).stdout
    for m in map(LINE.match, out.split("\n")):
        text = plain(m.group(3), how[0] != "-d") if m else None
        if text is not None:
            yield m.group(1), m.group(2), text


def compare(tool, objdump, name, folder, compared=set()):
    want, total = [], 0
    for addr, word, text in theirs(objdump, name, folder):
        total += 1
        if (word, text) not in compared:
            compared.add((word, text))
            want.append((addr, word, text))
    bad, kinds, matrices = [], collections.Counter(), 0
    for (addr, word, text), (_, ours) in zip(want, ours_of(tool, "aarch64", ((a, bytes.fromhex(w)[::-1].hex()) for a, w, _ in want))):
        if text == ours or is_apart(text):
            continue
        if is_matrix(int(word, 16)) and ours.startswith(".inst"):
            matrices += 1
            continue
        bad.append(f"  {addr}: {word} objdump: {text!r} ours: {ours!r}")
        kinds[text.split("\t")[0]] += 1
    print(f"{name}: {total} instructions, {len(want)} that are new, of which {len(bad)} differ {dict(kinds.most_common(5)) or ''}; "
          f"{matrices} of SME, which are not read")
    print("".join(f"{line}\n" for line in bad[:20]), end="")
    return total, len(bad)


def ours_of(tool, arch, code):
    """Length and text of each."""
    asked = "".join(f"{addr} {data}\n" for addr, data in code)
    out = subprocess.run([tool, arch], input=asked, stdout=subprocess.PIPE, text=True, check=True).stdout
    return [(int(n), text) for n, text in (line.split(" ", 1) for line in out.splitlines())]


def x86_theirs(objdump, name, folder):
    how = ["-d", "-z"]
    if name.startswith("random:"):
        _, seed, number = name.split(":")
        path, how = f"{folder}/raw", ["-D", "-z", "-b", "binary", "-m", "i386:x86-64"]
        with open(path, "wb") as f:
            f.write(random.Random(int(seed)).randbytes(int(number)))
    else:
        path = name
    out = subprocess.run([objdump, *how, "--insn-width=15", path], stdout=subprocess.PIPE, text=True, check=True).stdout
    for m in map(X86_LINE.match, out.split("\n")):
        if m:
            # Names; the 0x of targets in raw files; "$1," of shifts by one, which newer ones spell out.
            text = re.sub(r"\s*<[^#]*>$", "", re.sub(r"\s+<.*>$", "", m.group(3))).rstrip()
            text = re.sub(r"^((?:bnd |data16 |addr32 |cs |ds |es |ss |gs |fs |rex\.\w* )*(?:j\w+|call|loop\w*|xbegin) +)0x([0-9a-f]+)$", r"\1\2", text)
            text = re.sub(r"(# )0x", r"\1", text)
            yield m.group(1), m.group(2).replace(" ", ""), re.sub(r"^((?:sh|sa|ro|rc)[lr][bwlq]?\s+)\$(?:0x)?1,", r"\1", text)


def x86_compare(tool, objdump, name, folder):
    """Of made up bytes lengths alone: nobody compiles such prefixes."""
    want = list(x86_theirs(objdump, name, folder))
    bad, kinds, unread, left = [], collections.Counter(), 0, collections.Counter()
    is_random = name.startswith("random:")
    got = ours_of(tool, "x86_64", ((addr, data + ("" if "(bad)" not in text else "90" * 16)) for addr, data, text in want))
    for (addr, data, text), (length, ours) in zip(want, got):
        if ours.startswith(".byte"):
            unread += 1
            left[text.split()[0]] += 1
        # fwait is one of its own.
        if "(bad)" in text or (data.startswith("9b") and len(data) > 2) or (is_random and (is_prefix(text) or len(data) == 2 or is_odd(data, text))):
            continue
        if length != len(data) // 2 or not (is_random or ours.startswith(".byte") or ours == text):
            bad.append(f"  {addr}: {data} objdump: {text!r} ours: {length} {ours!r}")
            kinds[text.split()[0]] += 1
    print(f"{name}: {len(want)} instructions, {len(bad)} differ {dict(kinds.most_common(5)) or ''}; {unread} are not read: {dict(left.most_common(8))}")
    print("".join(f"{line}\n" for line in bad[:20]), end="")
    return len(want), len(bad) + (0 if is_random else max(0, unread - len(want) // 20))


PREFIXES = re.compile(r"((rep|repz|repnz|lock|data16|addr32|[c-g]s|ss|es|rex[.\w]*|bnd|notrack|xacquire|xrelease)( |$))+$")


def is_prefix(text):
    """One that has nothing behind it that it could belong to."""
    return PREFIXES.match(text)


def is_odd(data, text):
    """Jumps with an operand size prefix are as long as the processor's maker says."""
    return "9b" in data[:8] or re.match(r"\S*(data16|rex)?\S* ?(j\w+|call|xbegin|loop\w*)w? ", text) and "66" in data[:20]


def is_matrix(word):
    return word >> 31 and not word >> 25 & 15


def is_apart(text):
    """Words that are none: objdump says so in another way; a byte that is shifted by eight, which it takes for 255 alone."""
    return "NYI" in text or text.endswith("#-256") and ".b, " in text


def main():
    tool, objdump, *names = sys.argv[1:]
    how = compare if "aarch64" in objdump else x86_compare
    with tempfile.TemporaryDirectory() as folder:
        counts = [how(tool, objdump, name, folder) for name in names]
    total, bad = sum(n for n, _ in counts), sum(b for _, b in counts)
    print(f"{total} instructions, {bad} differ")
    sys.exit(bad > 0 or total < 1000)


main()
