# Parts of a recording: events of each CPU and buffer, the first and the last of them; the same as those of trace-cmd 3.3.1, but
# for -e (it takes as many of every buffer) and for parts of so many us behind a pause (it makes them longer).
from=$PWD/tests/data/dat/v7-zstd.dat
d=$(mktemp -d)
trap 'rm -rf "$d"' EXIT
cd $d
split() {
	echo "# $*"
	$SONDE ftrace split -i $from -o part "$@" 2>&1
	for f in part*; do
		[ -e "$f" ] || continue
		$SONDE ftrace report -t -i $f 2> /dev/null | awk '
			match($0, /\[[0-9]+\]/) {
				key = (match($0, /^ *[a-z0-9]+:/) ? $1 : "top:") substr($0, index($0, "[") + 3, 1)
				count[key]++
				match($0, /[0-9]+[.][0-9]+:/)
				last = substr($0, RSTART, RLENGTH - 1)
				first = first ? first : last
			}
			END {
				n = split("top:0 top:1 old:0 old:1 inst1:0 inst1:1 inst2:0 inst2:1", all, " ")
				for (i = 1; i <= n; i++)
					if (count[all[i]])
						printf "  %s %d", all[i], count[all[i]]
				print "  " first, last
			}'
	done
	rm -f part*
}
split
split -B inst1
split --buffer inst2 -B inst1
split --top
split --top -b old
split -B inst1 -t
split --top -b old -B inst2 -t
split -C 1
split --cpu 0 -B inst1
split -s 0.05
split -m 50
split -u 50000
split -u 2000
split -u 2000 --per-cpu
split -s 1
split -m 50 105.15
split -m 100 -r --top
split -e 100
split -e 100 -c
split -p 1
split -p 1 -c
split -p 1 -r
for o in s m u e p; do
	split -$o 0
	split -$o x
done
split -s 1 -e 1
split -c
split -b old
split -B inst1 -b old
split -t
split -B nix
split -C 2
split -B inst1 -t --top
split -B inst1 --top -b inst1
split -B inst1 -B inst1
