#!/bin/sh
# time: 180
# Loads and stores: c2c and mem over recordings that mem.py and spe.py make (nobody here has such a PMU), beside perf's own.
. "$T_HERE/lib.sh"

need sonde perf python3

make_one() {
	python3 "$T_HERE/../host/mem.py" "$@" -x "$PWD/program"
}

# perf's own is killed when addr2line cannot read a program: lines of the source are left out in both.
peers() {
	perf c2c report --stdio --no-source "$@" 2> /dev/null
}

ours() {
	sonde c2c report --no-source "$@" 2> err
}

# Widths of columns, "nan", a number in the list of keys, and rows that are equal in all that they are sorted by are not the same in both.
flat() {
	sed '/^# [. ]*$/d; /Cacheline data grouping/d; s/-*nan%/0.0%/; s/\[kernel.kallsyms\]/[unknown]/g; s/  */ /g; s/ *$//' | sort
}

# Beside the line's number, which goes by that order, too.
unnumbered() {
	flat | sed 's/^ [0-9][0-9]* \(.* 0x\|0x\)/ \1/' | sort
}

head -c 20000 /dev/zero | tr '\0' x > program

t lines_and_rows_are_perfs
make_one one.data
for options in "" "-d lcl" "-d rmt" "-d peer" "-c tid,iaddr" "-c pid,iaddr" "-c dso" -N "-N -N" "--stats" "--full-symbols"; do
	peers -i one.data $options | unnumbered > want
	ours -i one.data $options | unnumbered > got
	[ "$(wc -l < want)" -gt 50 ] || fail "perf has $(wc -l < want) lines"
	cmp -s want got || fail "$options: $(differing want got | head -n 6 | tr '\n' ';') $(cat err)"
done
ok

t words_of_any_bits_count_as_in_perf
make_one --bad -n 6000 -s 2 bad.data
for options in "" "-d peer" "-d rmt"; do
	peers -i bad.data $options | unnumbered > want
	ours -i bad.data $options | unnumbered > got
	[ -s want ] && cmp -s want got || fail "$options: $(differing want got | head -n 6 | tr '\n' ';') $(cat err)"
done
ok

t arms_extension_is_by_peers
python3 "$T_HERE/../host/spe.py" spe.data -n 4000 -c 1 --local -x "$PWD/program"
for options in "" "-d tot" "-d lcl" "-c tid,iaddr"; do
	peers -i spe.data $options | unnumbered > want
	ours -i spe.data $options | unnumbered > got
	[ "$(wc -l < want)" -gt 50 ] && cmp -s want got || fail "$options: $(differing want got | head -n 6 | tr '\n' ';') $(cat err)"
done
grep -q 'Cachelines sort on : Peer Snoop' got && ok || fail "not by peers"

t places_in_the_source_are_told_at_least_by_address
sonde c2c report -i one.data > got 2> err
has got ' program\[13[01][04c8]\] ' && ok

t pairs_of_lines_are_one
sonde c2c report -i one.data --double-cl -j > pairs 2> err
sonde c2c report -i one.data --json --show-all > lines 2> err
python3 - << 'END' && ok || fail "$(cat err)"
import json
pairs, lines = json.load(open("pairs")), json.load(open("lines"))
assert pairs["totals"] == lines["totals"] and pairs["totals"]["records"] == 3000
assert all(int(x["address"], 16) % 128 == 0 for x in pairs["lines"])
assert any(int(r["offset"], 16) >= 64 for x in pairs["lines"] for r in x["rows"])
assert len(pairs["lines"]) < len(lines["lines"])
assert sum(x["hitm"] for x in lines["lines"]) == sum(pairs["totals"][k] for k in ("lcl_hitm", "rmt_hitm"))
END

t values_for_programs_are_whole
sonde c2c report -i one.data -c pid,tid,iaddr,dso -x ';' > got 2> err
python3 - << 'END' && ok || fail "$(head -n 3 got)"
import csv
lines, rows = open("got").read().split("\n\n")
lines, rows = (list(csv.DictReader(x.splitlines(), delimiter=";")) for x in (lines, rows))
assert len(lines) > 10 and len(rows) > 100
assert [int(x["index"]) for x in lines] == list(range(len(lines)))
assert {x["comm"] for x in rows} == {"writer8", "writer2"} and {x["pid"] for x in rows} == {"1000", "1010"}
assert all(x["address"].startswith("0x") and float(x["percent"]) >= 0 for x in lines)
END

t with_little_memory_totals_are_whole
sonde c2c report -i one.data --max-memory 64K > got 2> err
has err 'samples are in the totals alone, to do with .* of memory: --max-memory'
has got 'Total records  *: *3000$' && ok

t what_is_no_access_is_told
sonde c2c report -i "$T_HERE/../data/perf/arm-clock.data" --stdio -f > got 2> err || fail "it failed: $(cat err)"
has err 'no sample of .* is of a load or store' && ok

t options_of_c2c_are_checked
for bad in "-d both" "-c comm" "-g" "--stitch-lbr" "what"; do
	sonde c2c report -i one.data $bad > out 2> err && fail "$bad: it did not fail"
done
sonde c2c --verbose report -i nothing.data > out 2> err && fail 'there is no file'
has err nothing.data
sonde c2c report --verbose -i nothing.data > out 2> err && fail 'there is no file'
has err nothing.data
sonde c2c reply > out 2> err && fail 'no such verb'
has err "c2c has no verb 'reply'" && ok

t each_access_is_a_line_as_in_perf
values() {
	tail -n +2 | sort
}
perf mem -D -p --data-page-size -x , -i one.data report 2> /dev/null | values > want
sonde mem -D -p --data-page-size -x , -i one.data report 2> err | values > got
[ "$(wc -l < want)" = 3000 ] && cmp -s want got || fail "$(differing want got | head -n 4 | tr '\n' ';') $(cat err)"
sonde mem report -i one.data --dump-raw-samples -p --data-page-size --field-separator , 2> err | values > got
cmp -s want got || fail "behind the verb: $(differing want got | head -n 4 | tr '\n' ';') $(cat err)"
sonde mem -D --hide-unresolved -i one.data report > got 2> err
eq "$(wc -l < got)" 1
eq "$(sonde mem -D report -i one.data 2> err | head -n 1)" '# PID, TID, IP, ADDR, LOCAL WEIGHT, DSRC, SYMBOL'

t mem_reports_of_x86_are_perfs
rows() {
	awk '/^ *[0-9.]+%/ { $1 = ""; $NF = $NF == "N/A" ? "" : $NF; sub(/( -)+ *$/, ""); sub(/ (Remote)? *$/, ""); print }' | sort
}
for key in mem tlb locked local_weight data_page_size; do
	perf mem -i one.data report --stdio -s $key -n 2> /dev/null | rows > want
	sonde mem -i one.data report -s $key 2> err | rows > got
	[ -s want ] && cmp -s want got || fail "$key: $(differing want got | head -n 6 | tr '\n' ';') $(cat err)"
done
sonde mem report -t store --data-page-size -i one.data > got 2> err
has got 'Data Page Size'
sonde mem report --type-profile -i one.data > got 2> err
has got 'Memory access  *Snoop  *TLB access  *Data Type'
sonde mem -x ';' -i one.data report -s mem > got 2> err
has got '^overhead;samples;mem' && ok

t without_such_a_pmu_recording_is_refused
if [ -e /sys/bus/event_source/devices/arm_spe_0 ] || ls /sys/bus/event_source/devices/*/events/mem-loads > /dev/null 2>&1; then
	skip 'this machine has one'
else
	refused() {
		[ "$1" = 1 ] || fail "exit $1: $(cat out)"
		has err 'none of the events that sample loads and stores is here'
	}
	sonde mem record -t load --ldlat 50 -p --all-user true > out 2> err
	refused $?
	sonde mem record --all-kernel --dry-run true > out 2> err
	refused $?
	sonde mem record -e list > out 2> err
	refused $?
	sonde mem --cpu 0 record true > out 2> err
	refused $?
	sonde c2c record --ldlat 50 --all-user true > out 2> err
	refused $?
	sonde c2c record --all-kernel true > out 2> err
	refused $?
	sonde mem record -t both true > out 2> err && fail "a type that is none"
	has err "'both' is neither load, store" && ok
fi
