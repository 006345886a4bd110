#!/bin/sh
# as: root
# time: 300
# A recording of which a piece is lost: whatever reads it shows what is there, says what is not, and ends with 1, wherever it is cut.
. "$T_HERE/lib.sh"

need sonde

DATA=$T_HERE/../data

# reads COMMAND FILE...: its status for each file, whole and cut at six places; without ALL at two of them, other ones for each
# file and command. They are odd: where a record ends, a stream may end.
turn=0
reads() {
	command=$1
	shift
	t "$(echo "$command" | tr -c 'a-z0-9\n' _)"
	for f; do
		sonde $command -i "$DATA/$f" > out 2> err || fail "$f, which is whole: $(cat err)"
		n=$(wc -c < "$DATA/$f")
		set -- 3 $((n / 2 | 1)) $((n / 4 | 1)) $((n * 7 / 8 | 1)) $((n / 3 | 1)) $((n - 1))
		turn=$(((turn + 1) % 3))
		[ -n "${ALL:-}" ] || shift $((turn * 2))
		[ -n "${ALL:-}" ] || set -- "$1" "$2"
		for at; do
			head -c $at "$DATA/$f" > cut
			sonde $command -i cut > out 2> err
			status=$?
			[ $status = 1 ] && [ -s err ] && ok || fail "$f, cut at $at of $n: status $status, $(cat err)"
		done
	done
}

samples=$(for f in arm-clock arm-dwarf arm-pipe clock group multi pipe tracepoints zstd; do echo perf/$f.data; done)
for command in report 'report --header' 'report --header-only' 'report -j' script 'script -j' 'script -D' 'report -D' 'script --header-only' 'flame --folded'; do
	reads "$command" $samples
done
for command in 'stat report' 'stat report -j' 'stat report -A'; do
	reads "$command" perf/stat.data perf/stat-each.data
done

few="dat/events.dat dat/functions.dat dat/profile.dat dat/v6.dat"
for command in 'report -g none' 'script --ns' flame\ --folded\ --comm; do
	reads "$command" $few
done
for command in 'ftrace report' 'ftrace report --events' 'ftrace report --stat' 'ftrace report --check-events' 'ftrace report --cpu 0' \
	'ftrace report --profile' 'ftrace report --first-event' 'ftrace report --version' 'ftrace dump' 'ftrace dump --all' \
	'ftrace dump --validate' 'ftrace dump --options' 'ftrace hist'; do
	reads "$command" $few dat/v6-be32.dat dat/v7-latency.dat dat/v7-zlib.dat dat/v7-zstd.dat
done
reads 'ftrace mem' dat/events.dat
reads 'ftrace convert --file-version 7 -o made' $few dat/v7-zlib.dat
reads 'ftrace convert --compression zlib -o made' $few dat/v7-zstd.dat
reads 'ftrace split -o made' $few dat/v7-zlib.dat

# Nothing is cut, and a piece is damaged: offsets are those of what is packed, of a page, of a feature.
damaged() {
	cp "$DATA/$1" bad
	printf '\377\377\377\377\377\377\377\377' | dd of=bad bs=1 seek="$2" conv=notrunc 2> /dev/null
	shift 2
	for command; do
		sonde $command -i bad > out 2> err
		status=$?
		[ $status = 1 ] && [ -s err ] && ok || fail "$command: status $status, $(cat err)"
	done
}

t damaged_sections
damaged dat/v7-zstd.dat 1000 'ftrace report' 'ftrace dump' 'ftrace hist' report script
damaged dat/v7-zstd.dat 4400 'ftrace report' 'ftrace report --profile' 'ftrace report --last-event' 'ftrace hist' 'ftrace split -o made' \
	'ftrace convert --file-version 6 -o made' script

t damaged_pages
damaged dat/v6.dat 8200 'ftrace report' 'ftrace report --profile' 'ftrace report --last-event' 'ftrace hist' 'ftrace split -o made' script

t damaged_features
# Behind the data, whose offset and size are at 40: where each feature is.
table=$(od -A n -t u8 -j 40 -N 16 "$DATA/perf/clock.data" | awk '{ print $1 + $2 }')
damaged perf/clock.data "$table" report script 'report --header-only' 'script --header-only' 'flame --folded'

t damaged_compressed_records
damaged perf/zstd.data 640 report script 'flame --folded'
