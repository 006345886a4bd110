#!/usr/bin/env python3
"""sched.py OURS THEIRS SCRIPT: are the rows of `sched timehist` those of perf's? Texts of both, and `perf script` of the recording.

Rows must be the same, but for columns that are wider, and what perf gets wrong:
- A switch away from a task to which its CPU did not switch: the event in between is missing, and perf counts what came before as
  its run time. Such rows are found in SCRIPT here, by themselves; they must have the time, the CPU and the task.
- A task between its exit record and its last switch: perf takes it for a new task, ":1234", which has no times before.
- What is behind such a row of the same task hangs on it: its wait.
Prints what differs beside that; "N rows, M of them not compared" at the end. Exit 1: something differs, or hardly anything was compared.
"""
import re
import sys

ROW = re.compile(r'\s*(\d+\.\d+) \[(\d+)\] (.*)')
SWITCH = re.compile(r'\[(\d+)\]\s+(\d+\.\d+):\s+sched:sched_switch: .*prev_pid=(\d+) .*next_pid=(\d+) ')
NAME = re.compile(r'\[(\d+)(?:/\d+)?\]|<idle>|swapper|:-?\d+')


def rows(path):
    """Heading, and rows by time, CPU and kind: several of one kind in one microsecond are one after the other."""
    other, found = [], {}
    with open(path, errors='replace') as f:
        for line in f:
            line = line.rstrip('\n')
            m = ROW.match(line)
            if not m:
                other.append(line.rstrip())
                continue
            kind = 'awakened' if 'awakened: ' in line else 'migrated' if 'migrated: ' in line else 'stay'
            key, n = (m[1], int(m[2]), kind), 0
            while key + (n,) in found:
                n += 1
            found[key + (n,)] = line
    return other, found


def missing(path):
    """(time, cpu) of switches from a task that nobody saw come."""
    on, bad = {}, set()
    with open(path, errors='replace') as f:
        for line in f:
            m = SWITCH.search(line)
            if not m:
                continue
            cpu, time, prev, following = int(m[1]), m[2], m[3], m[4]
            if cpu in on and on[cpu] != prev:
                bad.add((time, cpu))
            on[cpu] = following
    return bad


def task(line):
    m = NAME.search(ROW.match(line)[3])
    return m and (m[1] or m[0])


def same(a, b):
    """A name that is longer than all before it moves what is behind it, perf puts the columns of -V elsewhere in migrations, and it cuts
    names with their numbers at 31 bytes."""
    if a.split() == b.split():
        return True
    x, y = ROW.match(a)[3].split(), ROW.match(b)[3].split()
    return any(len(n) == 31 and i < len(x) and x[i].startswith(n) and x[:i] + x[i + 1:] == y[:i] + y[i + 1:] for i, n in enumerate(y))


def main():
    (head, ours), (their_head, theirs), bad = rows(sys.argv[1]), rows(sys.argv[2]), missing(sys.argv[3])
    failed, left, compared = 0, 0, 0
    tainted = set()
    if '-h' in sys.argv and head != their_head:
        print(f'another heading: {head} {their_head}')
        failed = 1
    for key in sorted(set(ours) | set(theirs)):
        a, b = ours.get(key), theirs.get(key)
        if not a or not b:
            print(f'- {b}\n+ {a}')
            failed += 1
            continue
        who, is_bad = task(a), key[:2] in bad
        if same(a, b):
            compared += 1
        elif is_bad or re.search(r' :-?\d+(\[|$)', b) or who in tainted:
            left += 1
        else:
            print(f'- {b}\n+ {a}')
            failed += 1
        if key[2] == 'stay' and who:
            (tainted.add if is_bad else tainted.discard)(who)
    print(f'{len(ours)} rows, {left} of them not compared')
    # --none: that there is no such row is fine.
    if failed or 3 * compared < left or not (compared or '--none' in sys.argv):
        sys.exit(1)


main()
