"""slow_line.py COMMAND...: on a terminal of 80x24; how many bytes it sends at first, for the key j, and for one that changes nothing."""
import fcntl
import os
import pty
import select
import struct
import sys
import termios


def sent(fd):
    n = 0
    while select.select([fd], [], [], 1.5)[0]:
        try:
            n += len(os.read(fd, 65536))
        except OSError:
            break
    return n


def main():
    pid, fd = pty.fork()
    if pid == 0:
        os.environ["TERM"] = "xterm"
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        os.execvp(sys.argv[1], sys.argv[1:])
    print("first", sent(fd))
    os.write(fd, b"j")
    print("j", sent(fd))
    os.write(fd, b"\x1b[99~")
    print("again", sent(fd))
    # A sequence that comes in pieces is one key.
    os.write(fd, b"\x1b")
    os.write(fd, b"[B")
    print("down", sent(fd))
    os.write(fd, b"q")
    sent(fd)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


sys.exit(main())
