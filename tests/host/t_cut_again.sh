#!/bin/sh
# as: user
# time: 120
# Recordings that another process cuts, and writes again, while they are read.
. "$T_HERE/lib.sh"

need sonde python3

# comes_and_goes FILE COMMAND...: each command reads FILE many times while another process cuts it, and writes it again: what ends well
# is what the whole file gives, and nothing ends with a signal.
cat > comes_and_goes.py <<'END'
import os, random, subprocess, sys, time
path, commands = sys.argv[1], sys.argv[2:]
whole = open(path, "rb").read()
cuts = [0, 100, 4096, 4100, len(whole) // 2, len(whole) - 4096, len(whole) - 1000, len(whole) - 10]
fd = os.open("victim", os.O_RDWR | os.O_CREAT, 0o644)
def start(command):
    os.pwrite(fd, whole, 0)
    os.ftruncate(fd, len(whole))
    return subprocess.Popen(["sonde"] + command.split() + ["-i", "victim"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
def end(p):
    out, err = p.communicate(timeout=60)
    return p.returncode, [l for l in out.split(b"\n") if b"captured on" not in l], err
seen = set()
for command in commands:
    took = time.time()
    status, want, err = end(start(command))
    took = time.time() - took
    if status:
        sys.exit("%s of the whole file: %d, %s" % (command, status, err))
    for i in range(24):
        p = start(command)
        time.sleep(random.random() * took)
        os.ftruncate(fd, cuts[i % len(cuts)])
        status, out, err = end(p)
        seen.add(status)
        if status not in (0, 1) or (status and not err) or (not status and out != want):
            sys.exit("%s, cut to %d: %d, %s" % (command, cuts[i % len(cuts)], status, err))
if 1 not in seen:
    sys.exit("never cut in time")
END
t recordings_that_are_cut_again_and_again
for f in perf/clock.data perf/arm-pipe.data; do
	cp "$T_HERE/../data/$f" rec
	python3 comes_and_goes.py rec report script 'report --header-only' 'flame --folded' > out 2>&1 && ok || fail "$f: $(cat out)"
done
for f in dat/profile.dat dat/v7-zstd.dat; do
	cp "$T_HERE/../data/$f" rec
	python3 comes_and_goes.py rec 'ftrace report' 'ftrace report --profile' 'ftrace dump --all' 'ftrace hist' 'ftrace split -o made' \
		'ftrace convert -o made' > out 2>&1 && ok || fail "$f: $(cat out)"
done
