"""What is in files that `sonde convert` makes, read by their formats' descriptions alone.

convert.py FORMAT FILE       lines "thread<TAB>function<TAB>samples<TAB>weight" by the innermost frame, sorted; a format
                             that has only one of the numbers has - for the other
convert.py perf < SCRIPT     the same of the text of `perf script -F comm,event,period,ip,sym`
convert.py code FILE         lines "path<TAB>function<TAB>address<TAB>bytes<TAB>target<TAB>text" of Perfetto's instructions, in order
convert.py checks FORMAT FILE   what a reader takes for granted: one line for each thing that is not so
"""
import collections
import gzip
import json
import sqlite3
import sys


def fields(b):
    """Protobuf's wire format: (number, value) of a message; bytes for what has a length."""
    at = 0

    def varint():
        nonlocal at
        v = shift = 0
        while True:
            c = b[at]
            at += 1
            v |= (c & 127) << shift
            shift += 7
            if c < 128:
                return v
    while at < len(b):
        tag = varint()
        kind = tag & 7
        if kind == 0:
            v = varint()
        elif kind == 1:
            v = int.from_bytes(b[at:at + 8], "little")
            at += 8
        elif kind == 2:
            n = varint()
            assert at + n <= len(b), "a field goes beyond its message"
            v = b[at:at + n]
            at += n
        else:
            raise ValueError(f"wire type {kind}")
        yield tag >> 3, v


def message(b):
    m = collections.defaultdict(list)
    for number, v in fields(b):
        m[number].append(v)
    return m


def packed(values):
    out = []
    for v in values:
        if isinstance(v, int):
            out.append(v)
            continue
        at = 0
        while at < len(v):
            x = shift = 0
            while True:
                c = v[at]
                at += 1
                x |= (c & 127) << shift
                shift += 7
                if c < 128:
                    break
            out.append(x)
    return out


def one(m, number, default=0):
    return m[number][-1] if m[number] else default


class Totals:
    def __init__(self):
        self.rows = collections.defaultdict(lambda: [0, 0])

    def add(self, thread, function, samples, weight):
        # One function of musl has a local and a weak name: perf shows the former, sonde the latter.
        function = "__init_tls" if function == "static_init_tls" else function
        row = self.rows[thread, function]
        row[0] = "-" if samples is None else row[0] + samples
        row[1] = "-" if weight is None else row[1] + weight


def folded(path, t):
    for line in open(path):
        chain, n = line.rstrip("\n").rsplit(" ", 1)
        names = chain.split(";")
        t.add(names[0], names[-1], int(n), None)


def speedscope(path, t):
    d = json.load(open(path))
    frames = d["shared"]["frames"]
    for p in d["profiles"]:
        assert p["type"] == "sampled" and len(p["samples"]) == len(p["weights"])
        assert p["endValue"] - p["startValue"] == sum(p["weights"])
        for s, w in zip(p["samples"], p["weights"]):
            t.add(p["name"].split(" ")[0], frames[s[-1]]["name"], w, None)


def column_lengths(name, table, problems):
    for key, column in table.items():
        if isinstance(column, list) and len(column) != table["length"]:
            problems.append(f"{name}.{key} has {len(column)} rows, not {table['length']}")


def firefox_checks(d):
    problems = []
    s = d["shared"]
    if d["meta"]["preprocessedProfileVersion"] != 66:
        problems.append("version")
    if not any(c["color"] == "grey" for c in d["meta"]["categories"]):
        problems.append("no grey category")
    for name in "stackTable frameTable funcTable resourceTable nativeSymbols sources sourceLocationTable".split():
        column_lengths(name, s[name], problems)
    for key in "id filename startLine startColumn sourceMapURL content".split():
        if key not in s["sources"]:
            problems.append(f"sources.{key} is missing")
    st = s["stackTable"]
    if any(not 0 <= off <= i for i, off in enumerate(st["prefixOffset"])):
        problems.append("a stack's prefix does not stand before it")
    if any(not 0 <= f < s["frameTable"]["length"] for f in st["frame"]):
        problems.append("a stack's frame is none")
    if any(not 0 <= n < len(s["stringArray"]) for n in s["funcTable"]["name"]):
        problems.append("a function's name is none")
    for t in d["threads"]:
        column_lengths("samples", {k: v for k, v in t["samples"].items() if v is not None}, problems)
        column_lengths("markers", t["markers"], problems)
        if not isinstance(t["pid"], str):
            problems.append("pid is no string")
        if any(b < a for a, b in zip(t["samples"]["time"], t["samples"]["time"][1:])):
            problems.append("times go back")
        if any(x is not None and not 0 <= x < st["length"] for x in t["samples"]["stack"]):
            problems.append("a sample's stack is none")
    return problems


def firefox(path, t):
    d = json.load(open(path))
    s = d["shared"]
    for thread in d["threads"]:
        weights = thread["samples"]["weight"] or [1] * thread["samples"]["length"]
        for stack, w in zip(thread["samples"]["stack"], weights):
            func = s["frameTable"]["func"][s["stackTable"]["frame"][stack]]
            t.add(thread["name"], s["stringArray"][s["funcTable"]["name"][func]], w, None)


def chrome(path, t):
    d = json.load(open(path))
    names, nodes = {}, collections.defaultdict(dict)
    for e in d["traceEvents"]:
        if e["ph"] == "M" and e["name"] == "thread_name":
            names[e["pid"], e["tid"]] = e["args"]["name"]
        if e["name"] != "ProfileChunk":
            continue
        key = e["pid"], e["tid"], e["id"]
        data = e["args"]["data"]
        for n in data["cpuProfile"]["nodes"]:
            assert "parent" not in n or n["parent"] in nodes[key], "a node before its parent"
            nodes[key][n["id"]] = n["callFrame"]["functionName"]
        assert len(data["timeDeltas"]) == len(data["cpuProfile"]["samples"])
        for s in data["cpuProfile"]["samples"]:
            t.add(names[e["pid"], e["tid"]], nodes[key][s], 1, None)


def pprof(path, t):
    m = message(gzip.open(path).read())
    strings = [s.decode() for s in m[6]]
    assert strings[0] == ""
    functions, places = {}, {}
    for b in m[5]:
        f = message(b)
        functions[one(f, 1)] = strings[one(f, 2)]
    for b in m[4]:
        p = message(b)
        lines = [message(x) for x in p[4]]
        places[one(p, 1)] = functions[one(lines[0], 1)] if lines else None
    assert 0 not in functions and 0 not in places
    types = [message(b) for b in m[1]]
    assert strings[one(types[0], 1)].endswith("samples") and strings[one(types[0], 2)] == "count"
    rest = range(0, len(types), 2)
    for b in m[2]:
        s = message(b)
        values = packed(s[2])
        assert len(values) == len(types)
        rest = [n for n in rest if not values[n]]
        labels = {strings[one(x, 1)]: x for x in map(message, s[3])}
        place = packed(s[1])
        t.add(strings[one(labels["thread"], 2)], places[place[0]] if place else None, values[0], values[1])
    assert not rest or not m[2], "events without samples"


def otlp(path, t):
    m = message(open(path, "rb").read())
    d = message(b"".join(m[2]))
    strings = [s.decode() for s in d[5]]
    tables = {n: [message(b) for b in d[n]] for n in (1, 2, 3, 4, 6, 7)}
    assert strings[0] == "" and len(set(strings)) == len(strings)
    assert all(not tables[n][0] for n in tables), "entry 0 of a table is not empty"
    assert all(len(set(d[n])) == len(d[n]) for n in tables), "a table has an entry twice"
    for resource in m[1]:
        for scope in message(resource)[2]:
            for profile in message(scope)[2]:
                p = message(profile)
                for b in p[2]:
                    s = message(b)
                    attributes = {strings[one(tables[6][i], 1)]: message(one(tables[6][i], 2)) for i in packed(s[2])}
                    place = tables[2][packed(tables[7][one(s, 1)][1])[0]]
                    lines = [message(x) for x in place[3]]
                    name = strings[one(tables[3][one(lines[0], 1)], 1)] if lines else None
                    t.add(one(attributes["thread.name"], 1).decode(), name, None, sum(packed(s[4])))


def perfetto(path, t):
    interned = collections.defaultdict(lambda: collections.defaultdict(dict))
    names, processes = {}, set()
    begun = set()
    for number, b in fields(open(path, "rb").read()):
        assert number == 1
        p = message(b)
        sequence = one(p, 10)
        assert sequence, "a packet of no sequence"
        if one(p, 13) & 1:
            begun.add(sequence)
        if p[12]:
            for n, x in fields(one(p, 12)):
                entry = message(x)
                assert one(entry, 1), "an interned entry has no number"
                interned[sequence][n][one(entry, 1)] = entry
        if p[60]:
            track = message(one(p, 60))
            assert len(track[3]) + len(track[4]) == 1, "a track is of a process or of a thread"
            if track[3]:
                processes.add(one(message(one(track, 3)), 1))
                continue
            thread = message(one(track, 4))
            names[one(thread, 2)] = one(thread, 5).decode()
            assert one(thread, 1) in processes, "a thread of no process"
        if p[66]:
            assert sequence in begun
            s = message(one(p, 66))
            frames = interned[sequence][7][one(s, 4)][2]
            frame = interned[sequence][6][frames[-1]]
            assert one(frame, 3) in interned[sequence][19], "a frame of no mapping"
            function = interned[sequence][5].get(one(frame, 2))
            t.add(names[one(s, 3)], one(function, 2).decode() if function else None, 1, None)


def states(path, t):
    """Generic kernel events: how many, as of thread "all", and how many of them say that a thread runs."""
    running = 3
    for _, b in fields(open(path, "rb").read()):
        for x in message(b)[117]:
            s = message(x)
            assert one(s, 3), "the idle task is none"
            t.add("all", "states", 1, int(one(s, 4) == running))


def code(path):
    """Instructions of a module's functions: within them, in order, each where the one before it ends; those of a source have its name."""
    seen = set()
    for _, b in fields(open(path, "rb").read()):
        for x in message(b)[140]:
            module = message(x)
            where = one(module, 1)
            assert where not in seen, "a module comes twice"
            seen.add(where)
            for f in map(message, module[3]):
                start, size = one(f, 2), one(f, 3)
                at = start
                for i in map(message, f[4]):
                    assert one(i, 1) == at, "a gap among instructions"
                    assert not i[6] or one(i, 6) < len(module[4]) and one(i, 7), "a line of no file"
                    at += len(one(i, 2))
                    print(where.decode(), one(f, 1).decode(), f"{one(i, 1):x}", one(i, 2).hex(), f"{one(i, 4):x}", one(i, 3).decode(), sep="\t")
                assert at == start + size, "not all of a function"


def sql(path, t):
    """SQLite itself reads it: sums over each event's table."""
    db = sqlite3.connect(":memory:")
    db.executescript(open(path, encoding="utf-8", errors="replace").read())
    for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name <> '_stacks'").fetchall():
        for comm, stack, samples, weight in db.execute(
                f'SELECT _comm, stack, count(*), sum(_period) FROM "{table}" JOIN _stacks ON id = _stack GROUP BY 1, 2'):
            t.add(comm, stack.split(";")[-1].removesuffix(" (inlined)"), samples, weight)


def rows(path, t):
    """Fields of the switches in a file of SQL, as `perf script -F trace` has them."""
    db = sqlite3.connect(":memory:")
    db.executescript(open(path, encoding="utf-8").read())
    query = ("SELECT printf('prev_comm=%s prev_pid=%d prev_prio=%d next_comm=%s next_pid=%d next_prio=%d',"
             " prev_comm, prev_pid, prev_prio, next_comm, next_pid, next_prio) FROM sched_switch ORDER BY _time")
    print("\n".join(row for (row,) in db.execute(query)))


def perf(path, t):
    """Blocks of `perf script`: a line "comm period event:", then frames "ip symbol"."""
    comm = None
    for line in sys.stdin:
        words = line.split()
        if not words:
            comm = None
        elif not line.startswith("\t"):
            comm, weight = words[0], int(words[1])
            waits = True
        elif waits:
            t.add(comm, " ".join(words[1:]), 1, weight)
            waits = False


def main():
    what = sys.argv[1]
    if what == "checks":
        problems = {"firefox": firefox_checks}[sys.argv[2]](json.load(open(sys.argv[3])))
        print("\n".join(problems))
        return bool(problems)
    if what == "code":
        return code(sys.argv[2])
    t = Totals()
    globals()[what](sys.argv[2] if len(sys.argv) > 2 else None, t)
    for (thread, function), (samples, weight) in sorted(t.rows.items(), key=str):
        print(f"{thread}\t{function}\t{samples}\t{weight}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
