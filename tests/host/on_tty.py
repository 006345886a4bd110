"""on_tty.py TEXT COMMAND...: run it on a terminal, send SIGINT when it has written TEXT; what it wrote goes to standard output."""
import os
import pty
import signal
import sys


def main():
    text, command = sys.argv[1].encode(), sys.argv[2:]
    pid, fd = pty.fork()
    if pid == 0:
        os.execvp(command[0], command)
    seen, told = b"", False
    while True:
        try:
            seen += os.read(fd, 4096)
        except OSError:
            break
        if text in seen and not told:
            told = True
            os.kill(pid, signal.SIGINT)
    sys.stdout.buffer.write(seen)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


sys.exit(main())
