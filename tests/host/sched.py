#!/usr/bin/env python3
"""sched.py OURS THEIRS SCRIPT: are the rows of `sched timehist` those of perf's? Texts of both, and `perf script` of the recording.

Rows must be the same, byte by byte, but for what perf gets wrong:
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
NAME = re.compile(r'(\S.*?)\[(\d+)(?:/\d+)?\]|<idle>|swapper')


def rows(path):
    with open(path, errors='replace') as f:
        return [line.rstrip('\n') for line in f]


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


def task(text):
    text = text.strip()
    visual = re.match(r'[sim ]*  ', text)
    m = NAME.search(text[visual.end():] if visual else text)
    return m[2] if m and m[2] else m and m[0]


def main():
    ours, theirs, bad = rows(sys.argv[1]), rows(sys.argv[2]), missing(sys.argv[3])
    failed, left, compared = 0, 0, 0
    tainted = set()
    if len(ours) != len(theirs):
        print(f'{len(ours)} rows, perf has {len(theirs)}')
        failed = 1
    for a, b in zip(ours, theirs):
        x, y = ROW.match(a), ROW.match(b)
        if not x or not y:
            if a.rstrip() != b.rstrip():
                print(f'- {b}\n+ {a}')
                failed += 1
            continue
        who = task(x[3])
        # perf puts the columns of -V elsewhere in these rows.
        if a == b or ('migrated' in a and a.split() == b.split()):
            compared += 1
            if who in tainted and 'awakened' not in a and 'migrated' not in a:
                tainted.discard(who)
            continue
        place = (x[1], int(x[2]))
        if place == (y[1], int(y[2])) and (place in bad or re.search(r' :-?\d+(\[|$)', b) or who in tainted):
            left += 1
            if place in bad:
                tainted.add(who)
            else:
                tainted.discard(who)
            continue
        print(f'- {b}\n+ {a}')
        failed += 1
    print(f'{len(ours)} rows, {left} of them not compared')
    if failed or compared < left:
        sys.exit(1)


main()
