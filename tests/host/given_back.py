"""given_back.py SIGNAL COMMAND...: on a terminal of 80x24, ended by the signal once it has painted: is the terminal as it was before?"""
import fcntl
import os
import pty
import select
import struct
import sys
import termios
import time


def read_until(fd, text, seconds):
    seen, until = b"", time.monotonic() + seconds
    while text not in seen and time.monotonic() < until:
        if select.select([fd], [], [], 0.1)[0]:
            seen += os.read(fd, 65536)
    return seen


def main():
    number, command = int(sys.argv[1]), sys.argv[2:]
    far, near = pty.openpty()
    fcntl.ioctl(near, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    before = termios.tcgetattr(near)
    pid = os.fork()
    if pid == 0:
        os.setsid()
        fcntl.ioctl(near, termios.TIOCSCTTY, 0)
        for fd in (0, 1, 2):
            os.dup2(near, fd)
        os.environ["TERM"] = "xterm"
        os.execvp(command[0], command)
    painted = b"q end" in read_until(far, b"q end", 20)
    changed = termios.tcgetattr(near) != before
    os.kill(pid, number)
    os.waitpid(pid, 0)
    until = time.monotonic() + 10
    # The program's guard does it behind it.
    while termios.tcgetattr(near) != before and time.monotonic() < until:
        time.sleep(0.1)
    print(f"painted {painted}, changed {changed}, as before {termios.tcgetattr(near) == before}")
    return 0 if painted and changed and termios.tcgetattr(near) == before else 1


sys.exit(main())
