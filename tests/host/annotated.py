"""annotated.py DATA - the samples of each instruction that annotate shows are those that script lists one by one; prints how many."""
import collections
import re
import subprocess
import sys


def lines_of(*argv):
    return subprocess.run(["sonde", *argv, "-i", sys.argv[1]], check=False, capture_output=True, text=True).stdout.splitlines()


listed = collections.Counter()
for line in lines_of("script", "-F", "ip,sym,symoff"):
    at = re.fullmatch(r"\s*[0-9a-f]+ (\S+)\+0x([0-9a-f]+)", line)
    if at:
        listed[at[1], int(at[2], 16)] += 1

shown, start, name = collections.Counter(), 0, ""
for line in lines_of("annotate", "-n"):
    head = re.search(r" ([0-9a-f]{16}) <(.*)>:$", line)
    at = re.match(r" +([0-9]+) :\s+([0-9a-f]+):\s", line)
    if head:
        start, name = int(head[1], 16), head[2]
    elif at and int(at[1]):
        shown[name, int(at[2], 16) - start] += int(at[1])

# Functions whose code is not here are not shown.
functions = {of for of, _ in shown}
listed = collections.Counter({at: n for at, n in listed.items() if at[0] in functions})
if shown != listed or not shown:
    sys.exit(f"{len(shown)} places shown, {len(listed)} listed; otherwise: {list((shown - listed).items())[:5]} {list((listed - shown).items())[:5]}")
print(f"{sum(shown.values())} samples at {len(shown)} places of {len(functions)} functions")
