"""any_keys.py SEED COUNT COMMAND...: on a terminal whose size changes, so many keys of all kinds, the same ones for a seed, then q until it ends;
its exit code, and an error where it sends control characters that are not its own."""
import fcntl
import os
import pty
import random
import re
import select
import struct
import sys
import termios
import time

KEYS = [b"\x1b[A", b"\x1b[B", b"\x1b[C", b"\x1b[D", b"\x1b[H", b"\x1b[F", b"\x1b[5~", b"\x1b[6~", b"\x1b[Z", b"\x1b[99;5x", b"\t", b"\r", b"\x1b", b"\x0c",
        b"\x7f", b"j", b"k", b"l", b"+", b"e", b"E", b"C", b"d", b"t", b"/", b"F", b"a", b"i", b"P", b"h", b"?", b"n", b"s", b"y", b" ", b"\xff", b"\x00", b"x", b"K", b"U", b"L", b"S", b"V",
        b"H", b"m", b"<", b">", b"0", b"1", b"o", b"b", b"p", b"J", b"O", b"f", b"c", b"B", b"r", b"\x1bOP"]
# What is painted: where, colours, the end of a line, the other screen, the cursor, no wrapping.
OWN = re.compile(rb"\x1b\[(\d*H|[0-9;]*m|K|\?(1049|25|7)[hl])")


def take(fd, seconds):
    got = b""
    while select.select([fd], [], [], seconds)[0]:
        try:
            more = os.read(fd, 65536)
        except OSError:
            return got, True
        if not more:
            return got, True
        got += more
    return got, False


def main():
    seed, count, command = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    choose = random.Random(seed)
    pid, fd = pty.fork()
    if pid == 0:
        os.environ["TERM"] = "xterm"
        os.execvp(command[0], command)
    seen, over = take(fd, 1)
    for _ in range(count):
        if choose.random() < 0.05:
            fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", choose.choice([1, 2, 3, 5, 24, 60]), choose.choice([1, 7, 20, 80, 300]), 0, 0))
        os.write(fd, choose.choice(KEYS))
        more, over = take(fd, 0.01)
        seen += more
        if over:
            break
    until = time.time() + 60
    while not over and time.time() < until:
        os.write(fd, b"\x1bq")
        more, over = take(fd, 0.2)
        seen += more
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    # What it says when the screen is given back is text, with colours of its own where there are some.
    foreign = re.search(rb"[\x00-\x08\x0b-\x1f\x80-\x9f]", re.sub(rb"[\xc2-\xf4][\x80-\xbf]+", b"", OWN.sub(b"", seen)).replace(b"\r\n", b"\n").replace(b"\t", b""))
    if foreign:
        print("byte", foreign.group(0), "in", seen[max(0, foreign.start() - 40):foreign.start() + 40])
    if code:
        print(seen[-3000:].decode(errors="replace"))
    return code or bool(foreign)


sys.exit(main())
