"""Asks an agent for a recording, also as one that misbehaves: asker.py [-s SOURCE] PORT HOW [ARGUMENT...].

  silent          connects and says nothing
  half            stops in the middle of its request
  junk            says something else
  kind            asks with a message that is no request
  lie             its request says that it has more arguments than it has
  ask ARG...      asks for what the arguments say

Prints how the agent answers or ends it: "answer", "closed", "reset", "refused: WHY"."""
import socket
import struct
import sys

TINIT, NOT_SUPP, TRACE_REQ, TRACE_RESP = 1, 5, 6, 7
source, args = "127.0.0.1", sys.argv[1:]
if args[0] == "-s":
    source, args = args[1], args[2:]
port, how, rest = int(args[0]), args[1], args[2:]


def request(words, kind=TRACE_REQ, count=None):
    text = b"".join(w.encode() + b"\0" for w in words)
    part = struct.pack(">III", 0, 4 + len(text), len(words) if count is None else count) + text
    return struct.pack(">IIIIIQ", 28 + len(part), kind, 16, 0, 0, 1) + part


def exactly(s, n):
    got = b""
    while len(got) < n:
        more = s.recv(n - len(got))
        if not more:
            raise ConnectionAbortedError
        got += more
    return got


def end(s):
    try:
        while True:
            size, kind, own = struct.unpack(">III", exactly(s, 12))
            data = exactly(s, size - 12)
            if kind == NOT_SUPP:
                return "refused: " + data[own:].decode()
            if kind == TRACE_RESP:
                return "answer"
    except ConnectionAbortedError:
        return "closed"
    except OSError:
        return "reset"


with socket.socket() as s:
    s.bind((source, 0))
    s.connect(("127.0.0.1", port))
    print("connected", flush=True)
    s.sendall({"silent": b"", "half": request(["-e", "sched"])[:40], "junk": b"GET / HTTP/1.0\r\n\r\n",
               "kind": request(["-e", "sched"], TINIT), "lie": request(["-e", "sched"], count=3),
               "ask": request(rest)}[how])
    print(end(s))
