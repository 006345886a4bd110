"""A sender of trace-cmd's protocol (version 3), also one that misbehaves: peer.py [-s SOURCE] PORT HOW [ARGUMENT].

  silent             connects and says nothing
  half               stops in the middle of a message
  idle               has its ports, and says nothing more
  cpus N             asks for ports of N CPUs, and reads the answer
  send FILE [udp]    sends FILE, a trace.dat of version 6
  stray FILE [udp]   so, but first somebody else comes to the rings' ports
  flood FILE         sends its pages again and again

Prints "connected", and last how the other side ended it: "closed", "reset", "refused: WHY"."""
import socket
import struct
import sys

CLOSE, TINIT, RINIT, SEND_DATA, FIN_DATA, NOT_SUPP = range(6)
STRANGER = "127.0.0.3"
source, args = "127.0.0.1", sys.argv[1:]
if args[0] == "-s":
    source, args = args[1], args[2:]
port, how, rest = int(args[0]), args[1], args[2:]


class Recording:
    """A file of version 6: what stands before its rings, and their pages."""

    def __init__(self, path):
        with open(path, "rb") as f:
            data = f.read()
        at = data.index(b"flyrecord\0")
        self.head = data[:at]
        self.cpus = struct.unpack("<I", data[data.index(b"options  \0") - 4:][:4])[0]
        at += 10
        rings = [struct.unpack("<QQ", data[at + 16 * i:at + 16 * i + 16]) for i in range(self.cpus)]
        self.rings = [data[off:off + size] for off, size in rings]


def connect(to, address=source):
    s = socket.socket()
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    s.bind((address, 0))
    s.connect(("127.0.0.1", to))
    return s


def message(kind, fields=b"", data=b""):
    return struct.pack(">III", 12 + len(fields) + len(data), kind, len(fields)) + fields + data


def exactly(s, n):
    got = b""
    while len(got) < n:
        more = s.recv(n - len(got))
        if not more:
            raise ConnectionAbortedError
        got += more
    return got


def receive(s):
    size, kind, own = struct.unpack(">III", exactly(s, 12))
    data = exactly(s, size - 12)
    return kind, data[own:]


def end(s):
    """How the other side ends it."""
    try:
        while True:
            kind, data = receive(s)
            if kind == NOT_SUPP:
                return "refused: " + data.decode()
    except ConnectionAbortedError:
        return "closed"
    except OSError:
        return "reset"


def greet(s):
    exactly(s, 8)
    s.sendall(b"-1V3\0")
    exactly(s, 3)
    s.sendall(b"766679\0\0")
    exactly(s, 2)


def ask(s, cpus, kind):
    options = kind and b"tcp\0"
    s.sendall(message(TINIT, struct.pack(">III", cpus, 4096, 1 if options else 0), options))
    answer, data = receive(s)
    if answer != RINIT:
        raise ConnectionRefusedError(data.decode())
    return [int(text) for text in data.split(b"\0")[:cpus]]


def stray(ports, udp):
    """Nothing of it is to be taken: a connection is closed at once."""
    for p in ports:
        if udp:
            s = socket.socket(type=socket.SOCK_DGRAM)
            s.bind((STRANGER, 0))
            s.sendto(b"x" * 4096, ("127.0.0.1", p))
        else:
            s = connect(p, STRANGER)
            try:
                s.sendall(b"x" * 4096)
                while s.recv(1):
                    pass
            except OSError:
                pass


def send(s, rec, udp):
    ports = ask(s, rec.cpus, b"" if udp else b"tcp\0")
    for at in range(0, len(rec.head), 4096):
        s.sendall(message(SEND_DATA, data=rec.head[at:at + 4096]))
    s.sendall(message(FIN_DATA))
    if how == "stray":
        stray(ports, udp)
    for p, pages in zip(ports, rec.rings):
        if udp:
            ring = socket.socket(type=socket.SOCK_DGRAM)
            ring.bind((source, 0))
            for at in range(0, len(pages), 4096):
                ring.sendto(pages[at:at + 4096], ("127.0.0.1", p))
            continue
        ring = connect(p)
        try:
            ring.sendall(pages)
            while how == "flood" and pages:
                ring.sendall(pages)
        except OSError:
            pass
        ring.close()
        if how == "flood":
            return
    s.sendall(message(CLOSE))


def talk(s):
    if how == "silent":
        return
    greet(s)
    if how == "cpus":
        ask(s, int(rest[0]), b"tcp\0")
        s.sendall(message(CLOSE))
    elif how == "idle":
        ask(s, 1, b"tcp\0")
    elif how == "half":
        s.sendall(struct.pack(">II", 4096, TINIT))
    else:
        send(s, Recording(rest[0]), rest[1:] == ["udp"])


try:
    control = connect(port)
    print("connected", flush=True)
    talk(control)
    print(end(control))
except ConnectionRefusedError as e:
    print(f"refused: {e}")
except ConnectionAbortedError:
    print("closed")
except OSError:
    print("reset")
