"""timechart.py - the boxes of a timechart's picture, and what is in one of them that is not in the other.

timechart.py boxes CHART FIRST LAST           a line for each: row, class, start and end in ns
timechart.py compare OURS THEIRS FIRST LAST EVENTS
timechart.py names OURS FIRST LAST EVENTS      the parts of stays in which a task gets other names: each has its own box
  FIRST, LAST: ns of the first and the last event. EVENTS: what perf script says of them, with COMM records.
  What perf has, we have, under the same row; but for what it draws as a run that begins when its task does not come
  to a CPU, or ends when it does not leave it, for nobody saw that, and what is before such. What we have beside that is one of what
  perf leaves out: a stay in which a task got another name, and whatever else a name did that had nothing but such stays;
  what goes on when the recording ends; waits of tasks that were preempted; tasks whose name no record tells; and stays
  in which a thread was made, which perf takes for the process that begins anew, for it has processes, not threads.
Prints what is wrong, and counts: of names the parts, and those between two names of one stay; else same, and ours by reason.
"""
import re
import sys
import xml.etree.ElementTree as tree

NS = "{http://www.w3.org/2000/svg}"
KINDS = {"sample": "run", "sample_hi": "run", "waiting": "wait", "WAITING": "wait", "blocked": "blocked"}
CALLS = {"disk", "net", "sync", "poll", "error"}


def shift(e):
    m = re.match(r"translate\(([-0-9.]+), ?([-0-9.]+)\)", e.get("transform", ""))
    return (float(m[1]), float(m[2])) if m else (0.0, 0.0)


def rects(e, dx=0.0, dy=0.0):
    """(class, x, width, y, text of a label or None), in the order of the file."""
    x, y = shift(e)
    for c in e:
        if c.tag == NS + "rect" and c.get("class"):
            yield c.get("class"), float(c.get("x")) + dx + x, float(c.get("width")), float(c.get("y", 0)) + dy + y, None
        elif c.tag == NS + "text":
            yield "text", float(c.get("x", 0)) + dx + x, 0, float(c.get("y", 0)) + dy + y, c.text or ""
        elif c.tag == NS + "g":
            yield from rects(c, dx + x, dy + y)


def chart(path, first, last):
    """{row: [(kind, start, end)]}, CPUs' rows as "CPU n"."""
    root = tree.parse(path).getroot()
    ours = root.get("viewBox") is not None
    width = float(root.get("width"))
    left, start = (230, first) if ours else (0, first // 100000000 * 100000000)
    scale = (last - start) / (width - (250 if ours else 0))
    names, boxes, rows = {}, [], {}
    for cls, x, w, y, text in rects(root):
        m = text and re.fullmatch(r"(CPU \d+|.*:\d+) ?(\(.*\))?", text)
        if m:
            # Labels stand in their row: ours 14 or 26 px below its top, perf's 12.5.
            # What is longer than a task's name may be is cut.
            name, colon, tid = m[1].rpartition(":")
            names[round(y - (26 if ours and m[1].startswith("CPU") else 14 if ours else 12.5))] = name[:15] + colon + tid
        elif text is None and (cls in KINDS or cls in CALLS or re.fullmatch(r"c\d", cls)):
            boxes.append((cls, (x - left) * scale + start, (x + w - left) * scale + start, round(y)))
    for cls, a, b, y in boxes:
        row = names.get(y)
        if row is None and not ours:
            row = names.get(max((n for n in names if n <= y), default=None)) if cls in CALLS else None
        elif row is None and cls in CALLS:
            row = names.get(max((n for n in names if n <= y), default=None))
        if row is not None:
            # perf draws beyond the last event what it makes longer than it was: a millisecond.
            rows.setdefault(row, []).append((KINDS.get(cls, cls), max(a, first), min(b, last) if a <= b < last + 2e6 else b))
    return rows


def take(have, kind, a, b, near):
    for i, (k, x, y) in enumerate(have):
        if k == kind and abs(x - a) < near and abs(y - b) < near:
            return have.pop(i)
    return None


def why(row, box, last, told, near):
    kind, a, b = box
    tid = row.rpartition(":")[2]
    if abs(b - last) < near:
        return "still"
    if b - a < near and kind in CALLS:
        return "nothing left of it"
    if any(a - near <= t <= b + near for t in told[0].get(tid, [])):
        return "renamed"
    if kind == "run" and any(a - near <= t <= b + near for t in told[2].get(tid, [])):
        return "made a thread"
    if kind == "run" and not any(abs(t - a) < near for t in told[1].get(tid, [])):
        return "came unseen"
    return "preempted" if kind == "wait" else None


def events(path):
    """Per task the times at which it got a name, came to a CPU and left it, and a thread was made of its process."""
    comms, comes, leaves, named, threads = {}, {}, {}, set(), {}
    for line in open(path, errors="replace"):
        # Of a new thread perf takes the name for that of its process.
        m = re.search(r"PERF_RECORD_(?:COMM.*/(\d+)$|FORK\((\d+):\2\))", line)
        if m:
            named.add(m[1] or m[2])
        m = re.search(r" (\d+)\.(\d{9}): +PERF_RECORD_FORK\((\d+):\d+\):\(\3:", line)
        if m:
            threads.setdefault(m[3], []).append(int(m[1] + m[2]))
        m = re.search(r" (\d+)\.(\d{9}): +(PERF_RECORD_COMM|sched:sched_switch)(.*)", line)
        if not m or m[1] + m[2] == "0000000000":
            continue
        at = int(m[1] + m[2])
        if m[3] == "sched:sched_switch":
            leaves.setdefault(re.search(r"prev_pid=(\d+)", m[4])[1], set()).add(at)
            comes.setdefault(re.search(r"next_pid=(\d+)", m[4])[1], set()).add(at)
        else:
            comms.setdefault(m[4].rpartition("/")[2].strip(), []).append(at)
    return comms, comes, leaves, named, threads


def compare(ours, theirs, first, last, path):
    # Four digits behind the point of a picture that is as wide as a recording is long.
    near = max(50.0, (last - first) / 4e6)
    exact = 20.0
    comms, comes, leaves, named, threads = events(path)
    count, bad, all_unseen, renamed = {"same": 0}, 0, set(), set()
    mine, peers = chart(ours, first, last), chart(theirs, first, last)

    def add(what):
        count[what] = count.get(what, 0) + 1

    # CPUs behind tasks: what was not seen of these is not of those.
    for row, boxes in sorted(peers.items(), key=lambda v: (":" not in v[0], v[0])):
        have = sorted(mine.get(row, []), key=lambda v: v[1])
        tid = row.rpartition(":")[2]
        came, left = comes.get(tid, set()), leaves.get(tid, set())
        runs = [(a, b) for kind, a, b in boxes if kind == "run"]
        unseen = {a for a, b in runs if not any(abs(t - a) < exact for t in came) or not any(abs(t - b) < exact for t in left)}
        if ":" in row:
            all_unseen |= unseen
        else:
            unseen = {a for a, b in runs if any(abs(t - a) < exact for t in all_unseen)}
        for kind, a, b in boxes:
            if take(have, kind, a, b, near):
                add("same")
            elif a in unseen and kind == "run" or any(abs(x - b) < exact for x in unseen):
                add("unseen")
            elif kind == "run" and (any(a <= t <= b for t in comms.get(tid, [])) or (round(a), round(b)) in renamed):
                renamed.add((round(a), round(b)))
            elif b < a or b > last + (last - first):
                add("impossible")
            elif row not in mine and len(unseen) == len({a for a, b in runs}):
                add("rows of such")
            else:
                bad += 1
                print(f"missing: {row} {kind} {a:.0f} {b:.0f}")
        mine[row] = have
    for row, boxes in sorted(mine.items()):
        reasons = ["of a CPU" if row.startswith("CPU") else why(row, box, last, (comms, comes, threads), near) for box in boxes]
        # perf draws no row that has no run.
        empty = row not in peers and all(r == "renamed" for r, box in zip(reasons, boxes) if box[0] == "run")
        for reason, box in zip(reasons, boxes):
            reason = reason or ("of a name without a run" if empty else None)
            reason = reason or (None if row.rpartition(":")[2] in named else "nameless")
            add(str(reason))
            if reason is None:
                bad += 1
                print(f"more: {row} {box[0]} {box[1]:.0f} {box[2]:.0f}")
    print(" ".join(f"{k}={v}" for k, v in count.items()))
    return not bad


def parts(path):
    """(row, start, end, between two names) of stays that were seen to begin and to end, of tasks that got names meanwhile."""
    now = {}
    for line in open(path, errors="replace"):
        m = re.search(r" (\d+)\.(\d{9}): +(PERF_RECORD_COMM(?: exec)?: (.*):\d+/(\d+)$|sched:sched_switch: prev_comm=.* prev_pid=(\d+) .*"
                      r" next_comm=(.*) next_pid=(\d+) )", line)
        if not m:
            continue
        at = int(m[1] + m[2])
        if m[5] and m[5] in now:
            now[m[5]].append((at, m[4]))
        elif m[6]:
            stay = now.pop(m[6], [])
            for i, (a, name) in enumerate(stay if len(stay) > 1 else []):
                yield f"{name}:{m[6]}", a, stay[i + 1][0] if i + 1 < len(stay) else at, 0 < i < len(stay) - 1
            now[m[8]] = [(at, m[7])]


def names(ours, first, last, path):
    near = max(50.0, (last - first) / 4e6)
    mine = chart(ours, first, last)
    n, between, bad = 0, 0, 0
    # A name that was there for as long as nothing can be seen of has no box.
    for row, a, b, is_between in parts(path):
        if b - a < 2 * near:
            continue
        n += 1
        between += is_between
        if not take(mine.get(row, []), "run", a, b, near):
            bad += 1
            print(f"missing: {row} {a} {b}")
    print(f"parts={n} between={between}")
    return n and not bad


if __name__ == "__main__":
    what = sys.argv[1]
    first, last = (int(v) for v in (sys.argv[-2:] if what == "boxes" else sys.argv[-3:-1]))
    if what == "compare":
        sys.exit(not compare(sys.argv[2], sys.argv[3], first, last, sys.argv[6]))
    if what == "names":
        sys.exit(not names(sys.argv[2], first, last, sys.argv[5]))
    for row, boxes in chart(sys.argv[2], first, last).items():
        for kind, a, b in boxes:
            print(f"{row}\t{kind}\t{a:.0f}\t{b:.0f}")
