#!/bin/sh
# as: root user
# time: 240
# Files of strangers: whoever looks at the whole machine looks at what others have mapped, and they choose what is in it and when it
# changes. What is bounded is bounded by counts; the times here only end what would not end.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_wait.sh"

need sonde workload python3

# hostile KIND FILE: a copy of the workload that runs, of a terabyte, most of which is a hole that its headers point to.
cat > hostile.py <<'END'
import os, shutil, struct, sys
kind, path, program = sys.argv[1:]
HUGE = 1 << 40
b = bytearray(open(program, "rb").read())
b += bytes(-len(b) % 4096)
at = len(b)
phoff, = struct.unpack_from("<Q", b, 32)
phnum, = struct.unpack_from("<H", b, 56)
def section(name, type, off, size, link=0, flags=2):
    return struct.pack("<IIQQQQIIQQ", name, type, flags, 0, off, size, link, 0, 8, 24)
names = b"\0.symtab\0.dynsym\0.rela.plt\0.plt\0.note.a\0.note.stapsdt\0.strings\0.gnu_debuglink\0.debug_info\0.eh_frame\0"
def n(s):
    return names.index(b"\0" + s.encode() + b"\0") + 1
def table(sections):
    global b
    off = len(b)
    b += names + bytes(-len(names) % 8)
    sections = [bytes(64)] + sections + [section(n(".strings"), 3, off, len(names))]
    struct.pack_into("<Q", b, 40, len(b))
    struct.pack_into("<HHH", b, 58, 64, len(sections), len(sections) - 1)
    for s in sections:
        b += s
struct.pack_into("<Q", b, 40, 0)
struct.pack_into("<HHH", b, 58, 64, 0, 0)
far = 1 << 24
if kind == "notes":
    for i in range(phnum):
        if struct.unpack_from("<I", b, phoff + 56 * i)[0] == 4:
            struct.pack_into("<QQQQQ", b, phoff + 56 * i + 8, far, 0, 0, HUGE - far, HUGE - far)
    table([section(n(".note.a"), 7, far, HUGE - far), section(n(".note.stapsdt"), 7, far, HUGE - far)])
elif kind == "tables":
    big = HUGE - far
    table([section(n(".symtab"), 2, far, big, 7), section(n(".dynsym"), 11, far, big, 7), section(n(".rela.plt"), 4, far, big),
           section(n(".plt"), 1, far, big), section(n(".debug_info"), 1, far, big), section(n(".eh_frame"), 1, far, big)])
elif kind == "link":
    name = os.path.basename(path) + ".debug"
    link = name.encode() + b"\0"
    link += bytes(-len(link) % 4) + b"abcd"
    b += link + bytes(-len(link) % 8)
    for i in range(phnum):
        if struct.unpack_from("<I", b, phoff + 56 * i)[0] == 4:
            struct.pack_into("<I", b, phoff + 56 * i, 0)
    table([section(n(".gnu_debuglink"), 1, at, len(link), 0, 0)])
    d = bytearray(b)
    for i in range(phnum):
        struct.pack_into("<I", d, phoff + 56 * i, 0)
    with open(path + ".debug", "wb") as f:
        f.write(d)
        f.truncate(HUGE)
with open(path, "wb") as f:
    f.write(b)
    if kind != "link":
        f.truncate(HUGE)
os.chmod(path, 0o755)
END
hostile() {
	python3 hostile.py "$1" "$2" "$(command -v workload)" 2> hostile.err || {
		skip "no file of a terabyte here: $(tail -n 1 hostile.err)"
		return 1
	}
}

# bounded COMMAND...: its status; 124 when it did not end, 125 when it took more memory than a board has to spare.
cat > bounded.py <<'END'
import resource, subprocess, sys
p = subprocess.Popen(sys.argv[1:])
try:
    status = p.wait(60)
except subprocess.TimeoutExpired:
    p.kill()
    p.wait()
    sys.exit(124)
used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
if used > 64 << 10:
    print(sys.argv[1:], "took", used, "KB", file=sys.stderr)
    status = 125
sys.exit(status)
END
bounded() {
	python3 bounded.py "$@"
}

level=$(cat /proc/sys/kernel/perf_event_paranoid 2> /dev/null || echo 9)
may_record=y
[ "$level" -le 2 ] || [ "$T_AS" = root ] || may_record=
if [ "$T_AS" = root ]; then
	all=-a
else
	all=
fi
ev=cpu-clock:u

for kind in notes tables link; do
	t a_program_of_a_terabyte_with_${kind}_is_recorded_and_reported
	if [ -z "$may_record" ]; then
		skip "perf_event_paranoid is $level"
		continue
	fi
	hostile $kind huge_$kind || continue
	bounded sonde record -q -e $ev $all -o data_$kind ./huge_$kind shape 100 > out 2>&1
	eq $? 0
	bounded sonde report -i data_$kind --comms huge_$kind -s dso,symbol > out 2> err
	eq $? 0
	has out "huge_$kind"
	# Nothing of it is a function: the probe is refused, in time.
	bounded sonde probe -x ./huge_$kind -F '*' > out 2>&1
	[ $? -lt 124 ] && ok || fail "it did not end"
	bounded sonde probe -x ./huge_$kind -n nosuch > out 2>&1
	eq $? 1
	rm -f huge_$kind huge_$kind.debug data_$kind
done

# pipe_is_full PID: it sleeps because nobody reads what it writes.
pipe_is_full() {
	grep -q '^State:.S' "/proc/$1/status" && [ "$(cut -d ' ' -f 1 "/proc/$1/syscall" 2> /dev/null)" = "$write_number" ]
}

case $(uname -m) in
x86_64) write_number=1 ;;
*) write_number=64 ;;
esac

t a_recording_that_is_cut_while_it_is_read_is_told
if [ -n "$may_record" ]; then
	# More than is read and written before the pipe is full.
	sonde record -q -c 1 -e page-faults:u -o whole workload faults 100000 > out 2>&1
	eq $? 0
	mkfifo text
	(sonde script -i whole > text 2> err; echo $? > status) &
	exec 3< text
	pid=
	find_reader() {
		pid=$(child_of $! sonde)
	}
	wait_for find_reader
	wait_for pipe_is_full "$pid"
	: > whole
	cat <&3 > out
	exec 3<&-
	wait
	eq "$(cat status)" 1
	has err 'whole was cut while it was read'
	has err 'the recording breaks off'
	has out page-faults
else
	skip "perf_event_paranoid is $level"
fi

t names_with_blanks_and_line_feeds_keep_their_samples
if [ -n "$may_record" ]; then
	for name in 'a b' 'blank at the end ' "$(printf 'two\nlines')" 'no\012feed' 'gone (deleted)'; do
		cp "$(command -v workload)" "$name"
		"./$name" shape 60000 &
		pid=$!
		wait_for has_run /proc/$pid/stat 1
		sonde record -q -e $ev -p $pid -o named -- sh -c ". $T_HERE/lib_wait.sh; runs_on /proc/$pid/stat 10" > out 2>&1
		sonde report -i named -s symbol > out 2>&1
		has out '\] hot_a'
		kill $pid
		wait $pid 2> /dev/null
		rm -f "$name" named
	done
else
	skip "perf_event_paranoid is $level"
fi

# A program that only a container has: as long as it runs, and behind that when the recording tells what it hit.
t a_process_in_a_container_has_names
if [ "$T_AS" = root ] && unshare -m true 2> /dev/null; then
	mkdir box mounted
	cp "$(command -v workload)" box/inner
	unshare -m sh -c 'mount --bind box mounted && exec "$PWD/mounted/inner" shape 60000' &
	pid=$!
	is_inner() {
		comm_is $pid inner && has_run /proc/$pid/stat 1
	}
	wait_for is_inner
	sonde record -q -e $ev -p $pid -o boxed -- sh -c ". $T_HERE/lib_wait.sh; runs_on /proc/$pid/stat 10" > out 2>&1
	sonde report -i boxed -s dso,symbol > out 2>&1
	has out 'inner +\[\.\] hot_a'
	sonde record -q --no-symbols -e $ev -p $pid -o untold -- sh -c ". $T_HERE/lib_wait.sh; runs_on /proc/$pid/stat 10" > out 2>&1
	kill $pid
	wait $pid 2> /dev/null
	sonde report -i boxed -s dso,symbol > out 2>&1
	has out 'inner +\[\.\] hot_a'
	sonde report -i untold -s dso,symbol > out 2>&1
	has out 'inner +\[\.\] inner\+0x'
	rm -rf box mounted
else
	skip "root with unshare is needed"
fi
