"""polls.py - calls that wait, with all that their arguments point to; polls.py FILE: what a trace of them tells.

A trace is strace's or sonde's: each call's sets, times and masks, and behind "=" what is ready in the end.
"""
import ctypes
import os
import re
import sys


class Time(ctypes.Structure):
    _fields_ = [("sec", ctypes.c_long), ("nsec", ctypes.c_long)]


class Poll(ctypes.Structure):
    _fields_ = [("fd", ctypes.c_int), ("events", ctypes.c_short), ("revents", ctypes.c_short)]


def bits(*numbers):
    """A set of descriptors, or of signals less 1."""
    words = (ctypes.c_ulong * 16)()
    for n in numbers:
        words[n // 64] |= 1 << n % 64
    return words


def time(sec, nsec):
    return ctypes.byref(Time(sec, nsec))


def wait():
    """Descriptor 60 can be read, 62 cannot; 61 and 63 are their other ends."""
    libc = ctypes.CDLL(None)
    for at in 60, 62:
        for i, fd in enumerate(os.pipe()):
            os.dup2(fd, at + i)
    os.write(61, b"x")
    masks = bits(9, 13), bits(), None
    for mask in masks:
        libc.pselect(64, bits(60, 62), bits(61, 63), bits(62), time(5, 500), mask)
        libc.pselect(64, bits(62), None, None, time(0, 1000), mask)
        libc.pselect(64, None, None, bits(60), time(0, 1000), mask)
        libc.pselect(64, None, bits(61), None, None, mask)
        libc.ppoll((Poll * 2)(Poll(60, 1), Poll(62, 1)), 2, time(7, 9), mask)
        libc.ppoll((Poll * 1)(Poll(62, 3)), 1, time(0, 1000), mask)
    queue = libc.epoll_create1(0)
    events = ctypes.create_string_buffer(64)
    for mask in masks:
        libc.epoll_pwait(queue, events, 4, 1, mask)
        if hasattr(libc, "epoll_pwait2"):
            libc.epoll_pwait2(queue, events, 4, time(0, 7000), mask)
    libc.signalfd(-1, masks[0], 0)
    libc.sigtimedwait(masks[0], None, time(0, 5000))


# Older straces have no names in what pselect6's mask is packed in.
TOKEN = re.compile(r"\[[^\]]*\]|tv_n?sec=\d+")


def tell(path):
    for line in open(path):
        m = re.match(r"(?:.*?\): \S+/\d+ )?(pselect6|ppoll|epoll_pwait2?|signalfd4|rt_sigtimedwait)\((.*)\) += (.*)", line)
        if not m:
            continue
        args, result = m.group(2), m.group(3)
        # As strace writes them, without what only one of them has.
        args = re.sub(r"<[^>]*>", "", args)
        args = re.sub(r"\.?(\w+): ", r"\1=", args).replace("{ ", "{").replace(" }", "}")
        ready = re.findall(r" => (\[[^\]]*\])", args) + re.findall(r"\[[^\]]*\]", result)
        given = re.sub(r" => (\[[^\]]*\]|{[^}]*})", "", args)
        print(m.group(1), *TOKEN.findall(given.replace("POLL", "")), "=", result.split()[0],
              *(r.replace("POLL", "") for r in ready if r != "[]"))


if len(sys.argv) > 1:
    tell(sys.argv[1])
else:
    wait()
