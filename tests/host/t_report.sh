#!/bin/sh
# as: root
# time: 300
# sonde report, script and flame on this machine: what the workload is known for, and perf's reading of the same recording where there is one.
. "$T_HERE/lib.sh"

need sonde workload awk

share() {
	sonde report -i "$1" --no-children -g none -q -s sym 2> /dev/null | awk -v s="$2" '$3 == s { sub("%", "", $1); print $1 }'
}

# close GOT WANT SAMPLES: percents. Within five, or five times what chance makes of so few samples: where others have this
# machine's processors, many ticks of the clock are missed.
close() {
	awk -v g="${1:-0}" -v w="$2" -v n="${3:-0}" 'BEGIN {
		d = g > w ? g - w : w - g
		exit !(n > 0 && (d <= 5 || d <= 5 * sqrt(w * (100 - w) / n)))
	}' && ok || fail "got '$1' of $3 samples, not about $2"
}

t recording_works_here
if ! sonde record -q -e cpu-clock:u -F 7999 -o shape workload shape 1000 2> err; then
	skip "cannot record: $(head -n 1 err)"
	exit 0
fi
ok

t shape_has_its_shares
n=$(sonde script -i shape -F comm 2> script.err | grep -c .)
close "$(share shape hot_a)" 60 $n
close "$(share shape hot_b)" 30 $n
close "$(share shape hot_c)" 10 $n

t tree_has_its_branches
sonde record -q -g -e cpu-clock:u -F 7999 -o tree workload tree 1000
sonde flame -i tree --folded 2> /dev/null > folded
left=$(awk '/;left;leaf [0-9]+$/ { n += $NF } END { print n + 0 }' folded)
right=$(awk '/;right;leaf [0-9]+$/ { n += $NF } END { print n + 0 }' folded)
close "$((left * 100 / (left + right)))" 75 $((left + right))

t reports_through_a_pipe
cat tree | sonde report -i - -q --no-children -g none -s sym > piped.txt 2> /dev/null
sonde report -i tree -q --no-children -g none -s sym > file.txt 2> /dev/null
eq "$(cat piped.txt)" "$(cat file.txt)"

# As perf: a pipe on standard output gets the recording, one on standard input has it; an empty one is nobody's.
t pipes_need_no_names
sonde record -q -e cpu-clock:u workload shape 200 | sonde script -F comm > unnamed.txt 2> err
has unnamed.txt workload
[ ! -e perf.data ] && ok || fail "perf.data was written, too"
sonde record -q -e cpu-clock:u -o perf.data workload shape 200 | wc -c > written
eq "$(cat written)" 0
: | sonde script -F comm > unnamed.txt 2> err
has unnamed.txt workload
cat perf.data | sonde script -i perf.data -F comm > named.txt 2> err
eq "$(cat named.txt)" "$(cat unnamed.txt)"
rm perf.data

# What perf here cannot make (it may lack zstd) is in tests/data/perf.
t packed_recordings_and_directories_of_perf
for how in -z "-z --threads" --threads --kcore; do
	rm -rf by_perf
	perf record -q $how -e cpu-clock:u -o by_perf workload shape 200 > perf.out 2>&1 || continue
	perf script -i by_perf -F comm,time,event > theirs.txt 2> /dev/null
	sonde script -i by_perf -F comm,time,event > ours.txt 2> err
	eq $? 0
	cmp theirs.txt ours.txt && [ -s ours.txt ] && ok || fail "perf record $how: $(cat err)"
done
[ -n "$t_state" ] || skip "no perf that records"

t a_reader_that_goes_away_is_no_error
sonde script -i tree 2> err | head -n 1 > first
has first workload
grep -q 'cannot write' err && fail "$(cat err)" || ok

t json_is_json
if command -v python3 > /dev/null; then
	sonde report -i tree -j 2> /dev/null | python3 -c 'import json, sys; d = json.load(sys.stdin); assert d[0]["rows"][0]["comm"] == "workload"'
	eq $? 0
	sonde script -i tree -j 2> /dev/null | python3 -c 'import json, sys; assert all(json.loads(l)["comm"] for l in sys.stdin)'
	eq $? 0
else
	skip "no python3"
fi

t script_is_perfs
if command -v perf > /dev/null; then
	perf script -i tree -F comm,tid,time,period,event,ip 2> perf.err | grep -v '^[[:space:]]*0$' | tr -s ' ' > perf.txt
	script_as_perf tree comm,tid,time,period,event,ip | tr -s ' ' > sonde.txt
	[ "$(grep -c . perf.txt)" -gt 100 ] && ok || { cat perf.err; fail "perf shows nothing"; }
	# libc has no frame pointers: what stands there instead may be a number that was an address of sonde's own image, at 0x400000 and beyond,
	# before it became the workload's by exec. perf shows such a one as a place in that file.
	paste -d '|' perf.txt sonde.txt | tr -d ' \t' | awk -F'|' '$1 != $2 && !($1 && length($2) == 6 && $2 ~ "^[45].*" $1 "$")' > differ
	[ ! -s differ ] && ok || fail "lines differ: $(head -n 20 differ)"
else
	skip "no perf"
fi

t flat_table_is_perfs
if command -v perf > /dev/null; then
	# Of two names of one place perf takes the local one rather than a weak one: each stands for the other.
	nm "$(command -v workload)" | sort | awk 'NF == 3 && $1 == at { print "s/ " $3 "$/ " first "/"; next } { at = $1; first = $3 }' > aliases
	has aliases static_init_tls
	perf report -i tree --stdio --no-children -g none -n 2> /dev/null | table_rows | grep -v 0x | sed -f aliases | sort > perf.txt
	sonde report -i tree --no-children -g none -n 2> /dev/null | table_rows | grep -v 0x | sed -f aliases | sort > sonde.txt
	eq "$(cat sonde.txt)" "$(cat perf.txt)"
else
	skip "no perf"
fi

# Rows of places that have no name, or another one of several, are not compared.
t levels_are_perfs
if command -v perf > /dev/null; then
	sonde record -q -a -g -e cpu-clock -F 997 -o levels.data -- sh -c 'workload shape 300; find /usr/bin | sort | md5sum' 2> err
	for o in "-s comm,dso" "-s comm" "-s dso,comm -n --show-total-period" "-s cpu,comm,dso --percent-limit 5" "-s comm,cpu,dso --percent-limit 4 -n"; do
		perf report --hierarchy -g none --stdio -i levels.data $o 2> perf.err | sed 's/ *$//; /^#$/d; /^# (/d; /^# \.\./d' > theirs
		sonde report --hierarchy -g none -i levels.data $o 2> err | sed 's/ *$//; /^#$/d; /^# \.\./d' > ours
		[ -s theirs ] && diff theirs ours && ok || fail "report --hierarchy $o: $(cat err)"
	done
	perf report --hierarchy --stdio -i tree -s comm,dso,sym -n --percent-limit 10 2> perf.err | sed '/^#/d; s/ *$//; /^$/d' > theirs
	sonde report --hierarchy -i tree -s comm,dso,sym -n --percent-limit 10 2> err | sed '/^#/d; s/ *$//; /^$/d' > ours
	[ -s theirs ] && diff theirs ours && ok || fail "chains below levels: $(cat err)"
else
	skip "no perf"
fi

# Of all CPUs the number that are busy is told by the switches of each, too: that is another way to the same numbers.
t latency_is_shared_by_those_that_run
if command -v python3 > /dev/null; then
	two='for cpu in 0 1; do taskset -c $cpu workload shape 400 & done; wait; workload tree 200'
	sonde record -q -a -g -e cpu-clock -F 1999 --switch-events -o all.data -- sh -c "$two" 2> err
	sonde script -i all.data --show-switch-events -F comm,tid,cpu,time,event,period 2> /dev/null | grep '\[' | python3 "$T_HERE/../host/parallelism.py" > want
	sonde report -i all.data --latency -s parallelism -g none -q 2> err | awk 'NF { print $1, $2, $3 }' > got
	# A switch and a sample may have the same time.
	paste -d ' ' want got | awk '{ a = $1 - $4; b = $2 - $5; if (a < -.3 || a > .3 || b < -.3 || b > .3 || $3 != $6) bad = 1 } END { exit bad || NR < 1 }' && ok ||
		fail "$(cat want got err)"
	# Of tasks alone: what they add to the time is theirs in all.
	sonde record -q -e cpu-clock:u -F 3999 --switch-events -o own.data -- sh -c "$two" 2> err
	sonde report -i own.data -q -F latency,overhead,sym 2> err | awk '{ l += $1; o += $2 } END { exit !(l > 99 && l < 101 && o > 99 && o < 101) }' && ok || fail "$(cat err)"
	sonde report -i own.data -q -s parallelism,sym -x, 2> err > out
	has out '^[0-9.]+,1,leaf$'
	sonde report -i own.data --hierarchy --latency -s parallelism,sym 2> err > out
	has out '^# +Latency  Overhead  Parallelism / Symbol'
	sonde report -i own.data -j -F latency,comm 2> err | python3 -c 'import json, sys; assert abs(sum(r["latency"] for r in json.load(sys.stdin)[0]["rows"]) - 100) < .1' && ok || fail "$(cat err)"
else
	skip "no python3"
fi
sonde report -i tree --latency > out 2> err && fail "without switches" || has err 'switch-events'
sonde report -i tree -s parallelism > out 2> err && fail "without switches" || has err 'switch-events'

# perf keeps what was mapped before an exec: ours are some of its lines.
t records_are_counted_as_by_perf
if command -v perf > /dev/null; then
	sonde record -q -g -e cpu-clock:u -F 2000 -o tasks.data sh -c 'workload shape 100; (workload tree 50 & workload tree 50; wait); ls' > /dev/null
	perf record -q -e cpu-clock:u -e '{page-faults,context-switches}:S' -o perfs.data sh -c 'ls; ls' > /dev/null 2>&1
	for f in tasks perfs; do
		perf report -i $f.data --stats > theirs 2> /dev/null
		sonde report -i $f.data --stats > ours 2> err
		[ -s ours ] && diff theirs ours && ok || fail "counts of $f.data differ: $(cat err)"
		perf report -i $f.data --tasks 2> /dev/null | grep -v ' |swapper$' | sort > theirs
		sonde report -i $f.data --tasks 2> err | grep -v ' |swapper$' | sort > ours
		[ -s ours ] && diff theirs ours && ok || fail "tasks of $f.data differ: $(cat err)"
		perf report -i $f.data --mmaps 2> /dev/null | sed 's/^ *//' | sort -u > theirs
		sonde report -i $f.data --mmaps 2> err | sed 's/^ *//' | grep -v '|' | sort -u > ours
		grep -c r-xp ours
		[ -s ours ] && [ -z "$(comm -13 theirs ours)" ] && ok || fail "maps that perf has not: $(comm -13 theirs ours)"
	done
else
	skip "no perf"
fi

# rows_of TOOL OPTIONS...: of the table of the recording `tree`, in any order.
rows_of() {
	tool=$1
	shift
	sed 's/\$\// \//; s/\/$/ \//' aliases > anywhere
	"$tool" report -i tree --stdio -g none "$@" 2> "$tool.err" | table_rows | grep -v 0x | sed 's/$/ /' | sed -f anywhere | tr -s ' ' | sort
}

t callers_tell_rows_apart_as_perfs
if command -v perf > /dev/null; then
	for how in "--no-children -p ^(left|right)$" "--children -p ^(left|right)$" "--no-children -p ^left$ --exclude-other -s sym" \
		"--children -p ^(left|main)$ -s parent" "--no-children -s comm,parent" "--no-children -p left -s sym -n" "--no-children -s comm,parent --exclude-other -p ^left$" \
		"--no-children -G -p ^(main|left)$ -s parent,sym"; do
		# shellcheck disable=SC2086
		rows_of perf $how > perf.txt
		# shellcheck disable=SC2086
		rows_of sonde $how > sonde.txt
		[ -s perf.txt ] || fail "$how: no rows"
		eq "$how: $(cat sonde.txt)" "$how: $(cat perf.txt)"
	done
	sonde report -i shape -s parent > out 2> err
	eq $? 2
	has err 'no call chains'
else
	skip "no perf"
fi

t sockets_are_perfs
if command -v perf > /dev/null; then
	for how in "-s socket,comm" "-s comm,socket,sym --socket-filter 0" "-s comm,sym --socket-filter 7"; do
		# shellcheck disable=SC2086
		rows_of perf --no-children $how > perf.txt
		# shellcheck disable=SC2086
		rows_of sonde --no-children $how > sonde.txt
		eq "$how: $(cat sonde.txt)" "$how: $(cat perf.txt)"
	done
	perf report -i tree --stdio --no-children -g none -s comm --socket-filter 0 2> /dev/null | grep '^# [SEP]' > perf.txt
	sonde report -i tree --no-children -g none -s comm --socket-filter 0 2> /dev/null | grep '^# [SEP]' > sonde.txt
	eq "$(cat sonde.txt)" "$(cat perf.txt)"
	sonde report -i tree -s socket -x, --no-children 2> /dev/null > out
	has out '^100.00,0$'
else
	skip "no perf"
fi

t the_machine_is_told_as_by_perf
if command -v perf > /dev/null; then
	perf record -q -e cpu-clock:u -o peer.data true 2> /dev/null
	for f in tree peer.data; do
		for how in -I ''; do
			# shellcheck disable=SC2086
			perf report -i $f --header-only $how 2> /dev/null | grep -E '^# (sibling|CPU|node|NUMA|CACHE|MEM|memory|  |pmu map)' > perf.txt
			# shellcheck disable=SC2086
			sonde report -i $f --header-only $how 2> /dev/null | grep -E '^# (sibling|CPU|node|NUMA|CACHE|MEM|memory|  |pmu map)' > sonde.txt
			[ -s perf.txt ] || fail "nothing is told"
			eq "$(cat sonde.txt)" "$(cat perf.txt)"
		done
	done
	sonde script -i tree -I --header-only > out 2> err
	has out '^# CPU 0: Core ID'
else
	skip "no perf"
fi

# A pipe of any length takes no more memory: what does not fit is kept in a file that has no name.
t a_long_pipe_takes_no_memory
most() {
	hourlong "$1" pipe | python3 -c '
import resource, subprocess, sys
subprocess.run(["sonde", "report", "-i", "-", "--stdio", "-s", "comm"], check=True, stdout=open("out", "w"))
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)'
}
if command -v hourlong > /dev/null; then
	mkdir spool
	early=$(most 400000)
	late=$(TMPDIR=$PWD/spool most 2000000)
	[ "$late" -le $((early * 120 / 100)) ] && ok || fail "$early KiB of 400,000 samples, $late of 2,000,000"
	eq "$(ls spool)" ''
	hourlong 2000000 > hour.data
	sonde report -i hour.data --stdio -s comm | grep -v '^#' > want
	grep -v '^#' out > rows
	cmp -s rows want && ok || fail "$(diff rows want)"
	# Two million addresses, each of which was looked up.
	eq "$( (ulimit -d 65536; sonde script -i hour.data -F ip,sym) | wc -l)" 2000000
	rm hour.data
	hourlong 2000000 pipe | (trap '' XFSZ; ulimit -f 30000; TMPDIR=$PWD/spool sonde report -i - --stdio > out 2> err) && fail 'there was no room'
	has err "cannot keep the recording of standard input in $PWD/spool: File too large"
	has err 'TMPDIR=DIR'
else
	skip "no hourlong"
fi
