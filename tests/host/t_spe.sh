#!/bin/sh
# time: 120
# SPE recordings, made by spe.py (nobody here has such a core): samples, events and reports beside perf's.
. "$T_HERE/lib.sh"

need sonde perf python3

make_one() {
	python3 "$T_HERE/../host/spe.py" "$@"
}

# Words that perf 6.1 has otherwise: by level and number twice, and where another chip's caches are.
plain() {
	sed 's/\(L[123]\) or L[123] /\1 /; s/N\/A or N\/A/N\/A/; s/Local RAM or RAM/RAM/; s/  */ /g; s/Remote \([LR]\)/\1/; s/^ //; s/ $//'
}

t samples_are_perfs
make_one one.data -n 300 -c 3
for fields in comm,pid,tid,cpu,time,event,ip,sym comm,tid,time,event,ip,addr,weight,phys_addr comm,time,event,period; do
	perf script -i one.data --ns -F $fields 2> /dev/null | sed 's/  */ /g; s/^ //' | sort > want
	sonde script -i one.data --ns -F $fields 2> err | sed 's/  */ /g; s/^ //' | sort > got
	[ "$(wc -l < want)" -gt 1500 ] || fail "perf has $(wc -l < want) samples"
	cmp -s want got || fail "$fields: $(differing want got | head -n 4 | tr '\n' ';') $(cat err)"
done
ok

t they_come_in_order_of_time
sonde script -i one.data --ns -F time > got
sort -n -c got 2> err && ok || fail "$(cat err)"

t data_sources_are_perfs
perf script -i one.data --ns -F time,event,data_src 2> /dev/null | sed 's/: *[0-9a-f]* |/: |/' | plain | sort > want
sonde script -i one.data --ns -F time,event,data_src | sed 's/: *[0-9a-f]* |/: |/' | plain | sort > got
grep -q 'L2 hit|SNP Peer' want && cmp -s want got && ok || fail "$(differing want got | head -n 4 | tr '\n' ';')"

t letters_choose_as_in_perf
for letters in f m t a M b i1i i7i fm tbM; do
	perf script --itrace=$letters -i one.data --ns -F tid,time,event,ip,period 2> /dev/null | sed 's/  */ /g' | sort > want
	sonde script --itrace=$letters -i one.data --ns -F tid,time,event,ip,period | sed 's/  */ /g' | sort > got
	[ -s want ] || fail "perf has nothing of $letters"
	cmp -s want got || fail "$letters: $(differing want got | head -n 4 | tr '\n' ';')"
done
ok

t reports_have_perfs_counts
rows() {
	awk '/^# Samples|^ +[0-9.]+%/ { $1 = $1; print }' | sort
}
perf report -i one.data --stdio --no-children -s comm -n 2> /dev/null | rows > want
sonde report -i one.data -s comm -n 2> /dev/null | rows > got
[ -s want ] && cmp -s want got && ok || fail "$(differing want got | head -n 6 | tr '\n' ';')"

t without_context_the_tracer_tells
make_one bare.data -n 50 --no-context
sonde script -i bare.data -F cpu,event,ip > got 2> err
has err '100 SPE records do not tell whose they are'
[ "$(wc -l < got)" = "$(perf script -i bare.data -F cpu,event,ip 2> /dev/null | wc -l)" ] && ok || fail "$(wc -l < got) $(cat err)"

t damage_is_counted_and_told
make_one hurt.data -n 500 --damage
sonde script -i hurt.data -F event,ip > got 2> err
[ -s got ] || fail 'no samples'
grep -q 'SPE records or packets are cut\|SPE packets are of kinds that nobody knows' err && grep -q '4 stretches of SPE records end within one' err && ok ||
	fail "$(cat err)"

t events_are_the_recordings_own_in_evlist
perf evlist -i one.data 2> /dev/null > want
sonde evlist -i one.data > got
cmp -s want got && ok || fail "$(differing want got | tr '\n' ';')"

t letters_that_are_none_are_refused
sonde script -i one.data --itrace=x > out 2> err && fail 'it did not fail'
has err "'x' is none of the samples that are made of SPE records" && ok

# Rows of one text together, as what is remote is a row of its own here: their samples, and in tenths of percents how many
# cycles. This recording tells perf of no kernel; data of it is known here by its address.
t sort_keys_of_accesses_are_perfs
by_text() {
	plain | awk '/^[0-9.]+%/ { n = $2; share = $1 + 0; $1 = $2 = ""; sub(/( -)+ *$/, ""); sub(/\[kernel.kallsyms\]/, "[unknown]"); sum[$0] += n; shares[$0] += share }
		END { for (k in sum) printf("%d %d%s\n", sum[k], (shares[k] > 2 ? shares[k] + 0.5 : 0), k) }' | sort
}
for key in mem snoop tlb locked blocked symbol_daddr dso_daddr phys_daddr local_weight; do
	perf report -i one.data --stdio --no-children --mem-mode --itrace=M -s $key -n 2> /dev/null | by_text > want
	sonde report -i one.data --mem-mode --itrace=M -s $key -n 2> err | by_text > got
	[ -s want ] && cmp -s want got || fail "$key: $(differing want got | head -n 6 | tr '\n' ';')"
done
ok

t mem_report_is_perfs
perf mem -i one.data report --stdio --itrace=M -s mem,snoop,tlb -n 2> /dev/null | sed 's/Remote \([LR]\)/\1/' | by_text > want
sonde mem -i one.data report -s mem,snoop,tlb 2> err | by_text > got
[ -s want ] && cmp -s want got || fail "$(differing want got | head -n 6 | tr '\n' ';')"
sonde mem -t store -p report -i one.data 2> err > got
sonde mem -f -i one.data report --type store --phys-data 2> err > again
sonde mem report --phys-data -i one.data 2> err > more
has more "Data Physical Address"
cmp -s got again || fail "options in front of the verb and behind it"
has got "Data Physical Address"
! grep -q "Local Weight" got || fail "a store has cycles"
sonde mem report --type both -i one.data > out 2> err && fail 'it did not fail'
has err "'both' is neither load, store nor load,store" && ok
