"""timeline.py PAGE runs|marks|irqs|calls|tasks|numbers|levels|about - the data of a page of sonde timeline, as lines.

Knows what src/timeline/roll.h and lane.h say of it, and nothing of the code that writes or reads it.
"""
import base64
import gzip
import json
import re
import sys

RUN, TASK, IRQ, SOFTIRQ, CALL, MARK, TASK_MARK, COUNTER = range(8)
FAN = 16
STATES = ["preempted", "sleeps", "waits", "stopped", "dead", "still"]


class Bytes:
    def __init__(self, data):
        self.data, self.at = data, 0

    def number(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def take(self, n):
        self.at += n
        return self.data[self.at - n:self.at]


class Page:
    def __init__(self, path):
        with open(path, encoding="utf-8") as f:
            self.html = f.read()
        text = re.search(r'<script type="text/plain" id="data">([A-Za-z0-9+/=]*)</script>', self.html).group(1)
        b = Bytes(gzip.decompress(base64.b64decode(text, validate=True)))
        self.levels, self.stacks = {}, [(0, 0)]
        while True:
            tag, level = b.number(), b.number()
            if tag == 0:
                break
            piece = b.take(b.number())
            if tag == 1:
                s = Bytes(piece)
                while s.at < len(piece):
                    self.stacks.append((s.number(), s.number()))
            else:
                self.levels.setdefault((tag - 2, level), bytearray()).extend(piece)
        self.about = json.loads(b.data[b.at:].decode())
        self.zero = int(self.about["zero"])
        self.names = self.about["names"]

    def items(self, lane, level=0):
        """start, end, id and what else there is."""
        kind = self.about["lanes"][lane][0]
        b = Bytes(bytes(self.levels.get((lane, level), b"")))
        end = 0
        while b.at < len(b.data):
            gap = b.number()
            start = end + (-(gap + 1) // 2 if gap & 1 else gap // 2)
            end = start + b.number()
            item = [start, end, b.number()]
            if level:
                item += [b.number(), b.number()]
            elif kind == RUN:
                item += [b.number(), b.number() - 1]
                item += [b.number() - 1, b.number() - 1] if item[4] >= 0 else [-1, -1]
            elif kind == MARK:
                item += [b.number() - 1, b.number(), b.number()]
                item.append(b.take(b.number()).decode("utf-8", "replace"))
            elif kind == TASK_MARK:
                item.append(b.number())
            yield item

    def lanes(self, kind):
        return ((i, l) for i, l in enumerate(self.about["lanes"]) if l[0] == kind)

    def clock(self, t):
        return "%d.%09d" % divmod(self.zero + t, 10**9)

    def task(self, i):
        return self.about["tasks"][i][1] if i >= 0 else 0


def runs(p):
    for i, lane in p.lanes(RUN):
        for start, end, task, state, delay, waker, cpu in p.items(i):
            yield p.clock(end), lane[2], p.task(task), end - start, max(delay, 0), STATES[state], p.task(waker), cpu


def marks(p):
    for i, lane in p.lanes(MARK):
        for start, _, event, task, _, _, text in p.items(i):
            yield p.clock(start), lane[2], p.task(task), p.about["events"][event][0], text


def irqs(p):
    for kind in IRQ, SOFTIRQ:
        for i, lane in p.lanes(kind):
            for start, end, name in p.items(i):
                yield p.clock(start), end - start, lane[2], "softirq" if kind == SOFTIRQ else "irq", p.names[name]


def calls(p):
    for i, lane in p.lanes(CALL):
        for start, end, name in p.items(i):
            yield p.clock(start), end - start, p.names[name], lane[3]


def numbers(p):
    for i, lane in p.lanes(COUNTER):
        for start, end, value in p.items(i):
            yield p.clock(start), end - start, p.names[lane[2]], value


def tasks(p):
    for host, tid, _, last, first in p.about["tasks"]:
        name = lambda n: p.names[n] if n != 2**32 - 1 else "-"
        yield host, tid, name(first), name(last)


def levels(p):
    """What is wrong with merged items, of all lanes whose lowest level is there."""
    checked = 0
    for i, lane in enumerate(p.about["lanes"]):
        below, level = [[*x[:3], x[1] - x[0], 1] for x in p.items(i)], 1
        if lane[0] != TASK and len(below) != lane[4]:
            yield "lane", i, len(below), lane[4]
        while lane[0] != TASK and len(below) > 1:
            above = list(p.items(i, level))
            for k in range(0, len(below), FAN):
                some = below[k:k + FAN]
                want = [some[0][0], max(x[1] for x in some), sum(x[3] for x in some), sum(x[4] for x in some)]
                got = above[k // FAN]
                checked += 1
                if [*got[:2], *got[3:]] != want or got[2] not in [x[2] for x in some]:
                    yield "lane", i, "level", level, got, want
            if len(above) != -(-len(below) // FAN):
                yield "lane", i, "level", level, len(above)
            below, level = above, level + 1
    if not checked:
        yield "nothing was merged",


def about(p):
    for key in "zero", "first", "last":
        yield key, p.about[key]
    for name, n in p.about["events"]:
        yield "event", name, n
    for name, offset in p.about["hosts"]:
        yield "host", p.names[name], offset
    for n in p.about["notes"]:
        yield "note", p.names[n]


if __name__ == "__main__":
    page = Page(sys.argv[1])
    for row in globals()[sys.argv[2]](page):
        print("\t".join(str(x) for x in row))
