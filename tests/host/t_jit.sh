#!/bin/sh
# as: root
# time: 240
# Programs that write down the code they make while they run: names by their dumps, held against what perf makes of the same recording.
. "$T_HERE/lib.sh"

need sonde perf jitted

mkdir dumps

t recording_works_here
if ! sonde record -q --no-symbols -k mono -e cpu-clock:u -F 2000 -o own.data jitted dumps 200 > said 2> err ||
	! perf record -q -k mono -e cpu-clock:u -F 2000 -o peer.data jitted dumps 200 > said 2> err; then
	skip "cannot record: $(head -n 1 err)"
	exit 0
fi
ok

t made_code_has_the_names_that_perf_puts_in
for file in own peer; do
	perf inject -j -i $file.data -o injected.data 2> err && ok || fail "$file: $(cat err)"
	perf report -i injected.data --stdio -q -s overhead,sym 2> /dev/null | awk '/first|second|third/' | sed 's/ *$//' | sort > want
	sonde report -i $file.data -q -s overhead,sym 2> err | awk '/first|second|third/' | sed 's/ *$//' | sort > got
	eq "$(wc -l < got)" 3
	cmp got want && ok || fail "$file: $(diff got want)"
	eq "$(cat err)" ""
done

t each_sample_of_a_place_has_what_was_there_then
perf script -i injected.data -F time,ip,sym 2> /dev/null | grep -E 'first|second|third' > want
sonde script -i peer.data -F time,ip,sym 2> /dev/null | grep -E 'first|second|third' > got
[ -s got ] && cmp got want && ok || fail "$(diff got want | head -n 4)"

t lines_of_the_source_are_told
sonde script -i peer.data -F ip,sym,srcline 2> /dev/null | grep -A 1 first | grep -q 'first.js:12' && ok || fail "no line"

t folded_stacks_have_them
sonde convert -i peer.data --to folded 2> /dev/null > folded
for name in first second third; do
	has folded "$name"
done

t another_clock_is_told
sonde record -q --no-symbols -e cpu-clock:u -F 2000 -o clock.data jitted dumps 50 > said
sonde report -i clock.data -q -s sym > got 2> err
has err 'has times of another clock'
has got third

t a_recording_names_what_was_made
sonde record -k mono -e cpu-clock:u -F 2000 -o named.data jitted dumps 100 > said 2> err
has err 'code was made where other code had been'
rm -r dumps
sonde report -i named.data -q -s sym > got 2> /dev/null
eq "$(awk '/second/ { n++ } /third/ { n++ } /first|JIT/ { bad++ } END { print n + 0, bad + 0 }' got)" '3 0'
