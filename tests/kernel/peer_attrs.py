#!/usr/bin/env python3
"""peer_attrs.py TESTS LIST VERSION PERF SONDE: perf's own tests of attributes (attr.py and attr/ in the folder TESTS), judged by
perf's own attr.py, for SONDE, which is sonde under the name perf; and each attribute beside that of PERF, field by field, in the
order in which they are opened.

What sonde opens otherwise on purpose is a line of LIST, five words and why:

    VERSION TEST TYPE:CONFIG CHANGE    # reason

The first three may have * in them. CHANGE is FIELD=OURS>PERFS, FIELD+BITS or FIELD-BITS for bits that only ours has or only perf's,
or event+ where only ours opens it. A difference that is listed is shown to attr.py as perf has it: no other value, field or event
is excused.

Each line of the answer begins with ok, skip or FAIL. What neither can open here, or what PERF does not pass itself, is a skip;
lines of LIST for this VERSION that nothing needed are told behind `unneeded`.
"""
import configparser
import fnmatch
import glob
import importlib.util
import os
import re
import sys

sys.dont_write_bytecode = True
# perf 6.1's attr.py asks for it by a name that Python 3.12 has no more.
if not hasattr(configparser, "SafeConfigParser"):
    configparser.SafeConfigParser = configparser.ConfigParser


class Listed:
    def __init__(self, line):
        self.line = " ".join(line.split("#")[0].split())
        self.version, self.test, self.event, change = self.line.split()
        self.field, self.how, values = re.fullmatch(r"(\w+)([-+=])(.*)", change).groups()
        self.ours, _, self.perfs = values.partition(">")
        self.used = False

    def is_of(self, test, event, field):
        return self.field == field and fnmatch.fnmatchcase(test, self.test) and fnmatch.fnmatchcase(event, self.event)


def read_list(path, version):
    with open(path, encoding="ascii") as f:
        rows = [Listed(line) for line in f if line.split("#")[0].strip()]
    return [row for row in rows if fnmatch.fnmatchcase(version, row.version)]


def use(rows):
    for row in rows:
        row.used = True
    return bool(rows)


def excused(rows, ours, perfs):
    """Rows of this field, by one of which, or by whose bits together, ours may be what it is."""
    if any(row.how == "=" for row in rows):
        return use([row for row in rows if (ours, perfs) == (row.ours, row.perfs)])
    more, less = int(ours) & ~int(perfs), int(perfs) & ~int(ours)
    needed = [row for row in rows if int(row.ours) & (more if row.how == "+" else less)]
    for row in needed:
        if row.how == "+":
            more &= ~int(row.ours)
        else:
            less &= ~int(row.ours)
    return not more and not less and use(needed)


def load_attr(folder):
    spec = importlib.util.spec_from_file_location("attr_of_perf", folder + "/attr.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.setup_log(0)
    return module


class Options:
    def __init__(self, folder, program):
        self.test_dir = folder + "/attr"
        self.perf = program


def parse(path):
    parser = configparser.RawConfigParser()
    parser.read(path)
    return parser


def read_events(folder):
    """As they were opened: the first has the smallest descriptor."""
    found = [dict(parse(f).items(os.path.basename(f))) for f in glob.glob(folder + "/event*")]
    return sorted(found, key=lambda e: int(e["fd"]))


def write_events(folder, events):
    for f in glob.glob(folder + "/event*"):
        os.unlink(f)
    for e in events:
        name = "event-%s-%s-%s" % (e["type"], e["config"], e["fd"])
        with open(folder + "/" + name, "w", encoding="ascii") as f:
            f.write("[%s]\n" % name + "".join("%s=%s\n" % pair for pair in e.items()))


def fields_of(event, events):
    """What two runs can share: the leader by its place, a command without the number of its process."""
    place = {e["fd"]: "event %d" % i for i, e in enumerate(events)}
    fields = dict(event, group_fd=place.get(event["group_fd"], event["group_fd"]))
    del fields["fd"]
    if int(fields["pid"]) > 0:
        fields["pid"] = "the command's"
    return fields


def name_of(event):
    return event["type"] + ":" + event["config"]


def compare(test, perfs, ours, rows):
    """The differences that no row excuses; the excused ones become as perf has them, in `ours`."""
    left = []
    while len(ours) > len(perfs) and use([r for r in rows if r.is_of(test, name_of(ours[-1]), "event")]):
        ours.pop()
    for i in range(max(len(perfs), len(ours))):
        name = name_of((ours[i:] + perfs[i:])[0])
        if i >= len(perfs) or i >= len(ours):
            left.append("event %d, %s: only %s opens it" % (i, name, "perf" if i >= len(ours) else "sonde"))
            continue
        theirs, mine = fields_of(perfs[i], perfs), fields_of(ours[i], ours)
        for field in sorted(set(theirs) | set(mine)):
            a, b = mine.get(field), theirs.get(field)
            if a == b:
                continue
            if a is not None and b is not None and excused([r for r in rows if r.is_of(test, name, field)], a, b):
                ours[i][field] = b
            else:
                left.append("event %d, %s: %s is %s, perf's is %s" % (i, name, field, a, b))
    return left


def judge(attr, path, options, adjust):
    """attr.py's verdict on what was opened, after `adjust` saw it, and that."""
    opened = []

    class Judged(attr.Test):
        def run_cmd(self, tempdir):
            try:
                super().run_cmd(tempdir)
            finally:
                opened.extend(read_events(tempdir))
                adjust(opened)
                write_events(tempdir, opened)

    try:
        Judged(path, options).run()
        return "ok", "", opened
    except attr.Fail as e:
        return "FAIL", e.getMsg(), opened
    except attr.Unsup:
        return "unsupported", "cannot be opened here", opened
    except attr.Notest as e:
        return "elsewhere", "not of this machine: " + e.getMsg(), opened


def run(attr, folder, path, programs, rows):
    test = os.path.basename(path)
    left = []
    perf, why, perfs = judge(attr, path, Options(folder, programs[0]), lambda events: None)
    if perf == "elsewhere":
        return "skip", test, why
    ours, our_why, mine = judge(attr, path, Options(folder, programs[1]),
                             lambda events: left.extend(compare(test, perfs, events, rows)))
    if perf == ours == "unsupported" or not (perfs or mine):
        return "skip", test, "neither can open it here"
    if left or (perf == "ok" and ours != "ok"):
        return "FAIL", test, "; ".join(left) or our_why
    return ("ok", test, "") if perf == "ok" else ("skip", test, "perf itself: " + why)


def main():
    folder, list_path, version = sys.argv[1:4]
    rows = read_list(list_path, version)
    attr = load_attr(folder)
    results = [run(attr, folder, path, sys.argv[4:6], rows) for path in sorted(glob.glob(folder + "/attr/test-*"))]
    for verdict, test, why in results:
        print(verdict, test, why)
    for row in rows:
        if not row.used:
            print("unneeded", row.line)
    return any(r[0] == "FAIL" for r in results)


sys.exit(main())
