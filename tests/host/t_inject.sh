#!/bin/sh
# as: root
# time: 300
# Recordings with build ids, or with code made at run time, put in: whole, and read by perf as what its own inject makes.
. "$T_HERE/lib.sh"

need sonde perf workload jitted readelf

export HOME="$PWD"
# said COMMAND...: what perf says of a recording, and no warning
said() {
	"$@" 2> err | sed 's/ *$//' | grep -v '^$'
	[ ! -s err ] || echo "warning: $(cat err)"
}
ids() {
	perf buildid-list -i "$1" 2> /dev/null | grep -v '^ ' | sort
}

t recording_works_here
if ! perf record -q -B -N -g -e cpu-clock,context-switches -F 2000 -o q.data workload tree 200 > said 2>&1; then
	skip "cannot record: $(head -n 1 said)"
	exit 0
fi
ok

t build_ids_are_those_of_perf_and_more
perf inject -b -i q.data -o peer.data
sonde inject -b -v -i q.data -o own.data 2> err
has err 'build ids were put in'
ids own.data > got
ids peer.data > want
[ -s want ] && [ -z "$(comm -13 got want)" ] && ok || fail "perf has $(comm -13 got want)"
grep -q '\[kernel.kallsyms\]' got && grep -q '\[vdso\]' got && ok || fail "got $(cat got)"
sonde inject --buildid-all -i q.data -o all.data 2> err
ids all.data | comm -12 - got | cmp - got && ok || fail 'not all of those that were hit'

t all_else_is_as_it_was
for command in 'report --stdio -q -g none' script; do
	said perf $command -i q.data > want
	said perf $command -i own.data > got
	[ -s want ] && cmp got want && ok || fail "$command: $(diff got want | head -n 4)"
done
perf report --header-only -i own.data | grep -vE 'captured|data (offset|size)|feat offset|^# (event|missing)' > got
perf report --header-only -i q.data | grep -vE 'captured|data (offset|size)|feat offset|^# (event|missing)' > want
cmp got want && ok || fail "$(diff got want)"
for file in own q; do
	perf report --stats -i $file.data 2> /dev/null | awk '/SAMPLE|COMM|MMAP|EXIT/ { print $1, $3 }' > $file.stats
done
[ -s q.stats ] && cmp own.stats q.stats && ok || fail "$(diff own.stats q.stats)"

t pipes_are_its_default
sonde inject -b < q.data > piped 2> err
# perf lists of a pipe only what samples themselves are in, and not always all callers.
ids own.data > want
eq "$(sonde buildid-list -i piped | sort)" "$(cat want)"
ids piped > got
grep -q workload got && [ -z "$(comm -23 got want)" ] && ok || fail "perf has $(cat got)"
said perf report --stdio -q --no-children -g none -i - < piped > got
said perf report --stdio -q --no-children -g none -i q.data > want
cmp got want && ok || fail "$(diff got want | head -n 4)"
perf record -q -B -N -e cpu-clock -o - workload shape 100 2> /dev/null > raw
sonde inject -b < raw 2> own.err | said perf report --stdio -q -s dso,sym -i - > got
eq "$(cat own.err)" ""
said perf report --stdio -q -s dso,sym -i - < raw > want
cmp got want && ok || fail "$(diff got want | head -n 4)"
sonde inject -b -o filed.data < raw 2> err
said perf report --stdio -q -s dso,sym -i filed.data > got
cmp got want && ok || fail "$(diff got want | head -n 4)"

# What is mapped twice, of two builds, has both; nothing else is another than it was, for either reader.
t mappings_tell_which_build_they_are_of
sonde inject -B -v -i q.data -o maps.data 2> err
has err '[1-9][0-9]* build ids were put in'
sonde inject --mmap2-buildid-all < q.data > piped 2> err
perf script -i q.data --show-mmap-events 2> /dev/null | grep 'RECORD_MMAP' > had
for file in maps.data piped; do
	# perf 6.1 falls over its own pipes there.
	reader=perf
	[ $file = maps.data ] || reader=sonde
	$reader script -i $file --show-mmap-events 2> /dev/null | grep 'RECORD_MMAP' > now
	eq "$(wc -l < now)" "$(wc -l < had)"
	eq "$(grep -c 'MMAP2.*<[0-9a-f]\{40\}>\]: r-xp' now)" "$(wc -l < had)"
	for reader in perf sonde; do
		$reader report -q --stdio --no-children -g none -i $file 2> /dev/null > got
		$reader report -q --stdio --no-children -g none -i q.data 2> /dev/null > want
		[ -s want ] && cmp got want && ok || fail "$reader $file: $(diff got want | head -n 4)"
	done
done
sonde buildid-list -i maps.data > got
eq "$(grep -v vdso got | sort)" "$(perf buildid-list -i maps.data 2> /dev/null | grep -v vdso | sort)"
has got ' .kernel.kallsyms.$'
# The other form of it, as old recorders have: without protection and flags.
file=$(command -v workload)
id=00112233445566778899aabbccddeeff00112233
sonde inject -B --known-build-ids "$id $file" -i q.data -o known.data 2> err
has "$(sonde script --show-mmap-events -i known.data 2> err > now; echo now)" "<$id>.: r-xp $file"

t known_ids_are_taken_for_what_the_files_say
file=$(command -v workload)
id=00112233445566778899aabbccddeeff00112233
sonde inject --known-build-ids "$id $file" -i q.data -o known.data 2> err
ids known.data > got
has got "^$id $file"
echo "$id $file" > list
sonde inject --known-build-ids @list -f -i q.data -o listed.data 2> err
ids listed.data | cmp - got && ok || fail 'not those of the list'
sonde inject --known-build-ids 'xy z' -i q.data -o none.data 2> err
has err "are 'ID PATH'"
[ ! -e none.data ] && ok || fail 'a file was left'

t made_code_becomes_files
mkdir dumps
perf record -q -N -k mono -e cpu-clock:u -F 2000 -o jit.data jitted dumps 200 > /dev/null 2>&1
cp -r dumps other
perf inject -j -i jit.data -o peer.data
said perf report --stdio -q -s dso,sym -i peer.data > want
said perf script -F time,ip,sym,dso -i peer.data > want.script
(cd dumps && ls *.so) > want.files
rm dumps/*.so
sonde inject -j -v -i jit.data -o own.data 2> err
has err '3 functions of 1 dumps'
(cd dumps && ls *.so) > got.files
cmp got.files want.files && ok || fail "$(diff got.files want.files)"
said perf report --stdio -q -s dso,sym -i own.data > got
has got 'jitted-[0-9]*-1.so .*second.int, long'
cmp got want && ok || fail "$(diff got want)"
said perf script -F time,ip,sym,dso -i own.data > got.script
cmp got.script want.script && ok || fail "$(diff got.script want.script | head -n 4)"
# Of two names of one place in the program itself sonde may take the other.
grep jitted- want > want.made
sonde report -q -s dso,sym -i own.data 2> err | sed 's/ *$//' | grep jitted- > got
cmp got want.made && ok || fail "sonde reads it otherwise: $(diff got want.made)"
for file in dumps/*.so; do
	eq "$(perf buildid-list -i "$file")" "$(perf buildid-list -i own.data | sed -n "s|^\([0-9a-f]*\) .*$(basename "$file")$|\1|p")"
	eq "$(readelf -a "$file" 2>&1 > /dev/null)" ""
done

t another_clock_is_refused
perf record -q -B -N -e cpu-clock:u -o clock.data jitted dumps 50 > /dev/null 2>&1
sonde inject -j -i clock.data -o none.data 2> err
eq $? 1
has err 'record with -k mono'

t what_is_not_there_is_told
sonde inject -j -i q.data -o none.data 2> err
has err 'no jit-PID.dump is mapped'
rm -r dumps
sonde inject -j -i jit.data -o none.data 2> err
has err '1 dumps of code could not be read'
for option in --sched-stat --strip --itrace --vm-time-correlation '--guest-data x'; do
	sonde inject $option -i q.data -o none.data 2> err
	eq $? 2
done
