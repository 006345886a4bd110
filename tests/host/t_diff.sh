#!/bin/sh
# as: root
# time: 300
# sonde diff and flame --diff: perf diff's rows of the same recordings, and programs whose shares are known.
. "$T_HERE/lib.sh"

need sonde workload awk

t recording_works_here
if ! sonde record -q -e cpu-clock:u -F 7999 -o old.data workload shape 1000 2> err; then
	skip "cannot record: $(head -n 1 err)"
	exit 0
fi
sonde record -q -g -e cpu-clock:u -F 7999 -o new.data workload tree 500
sonde record -q -a -g -e cpu-clock -F 997 -o all.data -- sh -c 'workload shape 500; find /usr /etc > found; sort found | md5sum'
sonde record -q -a -g -e cpu-clock -F 997 -o all2.data -- sh -c 'workload shape 300; find /usr /lib > found; sort -r found | cksum'
ok

# field NAME COLUMN: of the row of a function, a number without its percent sign.
field() {
	awk -v s="$1" -v c="$2" '$NF == s { sub("%", "", $c); print $c }' out
}

# near GOT WANT: percents, of a few thousand samples.
near() {
	awk -v g="${1:-1000}" -v w="$2" 'BEGIN { d = g > w ? g - w : w - g; exit !(d <= 6) }' && ok || fail "got '$1', not about $2: $(cat out)"
}

# The three functions of one are not in the other, whose leaf has all there is.
t functions_come_and_go
sonde diff -d workload old.data new.data > out 2> err
near "$(field hot_a 1)" 60
near "$(field hot_b 1)" 30
near "$(field leaf 1)" 100
grep -q 'hot_a' out && grep -q '^ *+[0-9.]*%  workload  *\[\.\] leaf' out && ok || fail "$(cat out)"
sonde diff -b -d workload old.data new.data > out 2> err
grep -q 'hot_a\|leaf' out && fail "rows of one alone" || ok

t a_recording_is_as_it_is
sonde diff -c ratio -q old.data old.data > out 2> err
[ -s out ] && [ "$(grep -c '[.]' out)" = "$(grep -c ' 1\.000000 ' out)" ] && ok || fail "$(cat out)"
sonde diff -q old.data old.data > out 2> err
[ -s out ] && [ "$(grep -c '[.]' out)" = "$(grep -c ' +0\.00% ' out)" ] && ok || fail "$(cat out)"

t files_of_their_usual_names
cp old.data perf.data.old
cp new.data perf.data
sonde diff > out 2> err
sonde diff perf.data.old perf.data > named 2> err
sonde diff new.data > one 2> err
cmp out named && cmp out one && [ -s out ] && ok || fail "$(cat out)"

t json_is_json
if command -v python3 > /dev/null; then
	sonde diff -j old.data new.data all.data 2> /dev/null | python3 -c '
import json, sys
d = json.load(sys.stdin)[0]
for i, f in enumerate(d["files"]):
    assert f["period"] == sum(r["of"][i]["period"] for r in d["rows"] if r["of"][i]), i
    assert f["samples"] == sum(r["of"][i]["samples"] for r in d["rows"] if r["of"][i]), i'
	eq $? 0
else
	skip "no python3"
fi

# rows: as perf and we have both, without what one of several names of a place is chosen for, and places without a name.
rows() {
	grep -v '^#' | sed 's/ *$//' | grep -v '^$' | grep -v -e 0x -e '\[unknown\]' | tr -s ' '
}

# Of rows that are equal but for their names the order is that of the names: where these differ it is another.
t rows_are_perfs
if command -v perf > /dev/null; then
	for o in "-s comm" "-s dso" "-s comm,dso -o 0" "-s cpu -c delta" "-c delta -s dso,comm" "-c ratio -s comm,dso -p" "-c wdiff:3,-2 -s dso -F" "-F -p -s comm" \
		"-b -c ratio -s dso -o 0 -p" "-d workload,nothing" "-d workload,nothing --percentage relative -c ratio" "-C workload,find -s comm,dso" "-S hot_a,hot_b -c wdiff:1,1"; do
		for files in "all.data all2.data" "all.data all2.data all.data"; do
			perf diff $o $files 2> perf.err | rows > theirs
			sonde diff $o $files 2> err | rows > ours
			# perf tells of what is left by -b in parts of that, but makes the differences of the whole.
			case $o in -b*) sed -i 's/^ [0-9.]*%//' theirs ours ;; esac
			[ -s theirs ] && diff theirs ours && ok || fail "diff $o $files: $(cat perf.err err)"
		done
	done
	perf diff -c ratio all.data all2.data 2> perf.err | rows > theirs
	sonde diff -c ratio all.data all2.data 2> err | rows > ours
	same=$(sort theirs | comm -12 - "$(sort ours > sorted; echo sorted)" | wc -l)
	[ "$same" -ge $(($(wc -l < theirs) * 85 / 100)) ] && ok || fail "no more than $same of $(wc -l < theirs) rows: $(diff theirs ours)"
else
	skip "no perf"
fi

# What it tells of each of two recordings is what report does.
t keys_of_callers_tasks_and_tracepoints
sonde record -q -g -e cpu-clock:u -F 3999 --switch-events -o par.data workload tree 300 2> err
if sonde report -i par.data --no-children -g none -s parallelism -x , > want 2> err && [ -s want ]; then
	sonde diff -q -x , -s parallelism par.data par.data > out 2> err
	awk -F, 'NR > 1 { print $NF }' want | sort > a
	awk -F, '{ print $NF }' out | sort > b
	[ -s a ] && cmp a b && ok || fail "$(cat err out want)"
	sonde diff -q -s parallelism old.data par.data > out 2> err && fail "old.data has no switches" || has err 'context switches'
fi
sonde diff -s parent old.data old.data > out 2> err && fail "it has no chains" || has err 'no call chains'
sonde diff -q -s parent new.data new.data > out 2> err
has out '\[other\]'
if sonde record -q -a -e sched:sched_switch -o switch.data workload forks 50 2> err; then
	sonde diff -j -s prev_state,sched_switch.next_prio switch.data switch.data > out 2> err
	sonde report -j -s prev_state,sched_switch.next_prio -i switch.data > want 2> err
	python3 - > told 2>&1 <<-'END' && ok || fail "$(cat told err)"
		import json
		ours = {(r["prev_state"], r["next_prio"]): (r["of"][0]["samples"], r["of"][1]["samples"]) for r in json.load(open("out"))[0]["rows"]}
		theirs = {(r["fields"]["prev_state"], r["fields"]["next_prio"]): r["samples"] for r in json.load(open("want"))[0]["rows"]}
		assert ours and ours == {k: (n, n) for k, n in theirs.items()}, (ours, theirs)
	END
fi

# In points of a percent, so much more where more samples end in it; the widths are those of the new one.
t flames_show_what_has_changed
sonde record -q -g -e cpu-clock:u -F 7999 -o shape.data workload shape 700
sonde flame --diff shape.data -o same.svg shape.data 2> err
grep -q '+0\.00, itself +0\.00' same.svg && ! grep -q 'itself [-+][0-9.]*[1-9]' same.svg && ok || fail "$(cat err)"
sonde flame --diff shape.data -o diff.svg -i new.data 2> err
more=$(sed -n '/<title>leaf$/{n;s/.*itself +\([0-9.]*\).*/\1/p}' diff.svg | awk '{ n += $1 } END { print n + 0 }')
near "$more" 100
grep -q 'class="m7"' diff.svg && ok || fail "nothing is red"
sonde flame --diff shape.data --folded -i new.data > folded 2> err
[ "$(awk '{ n += $(NF - 1) } END { print n }' folded)" = "$(sonde flame --folded -i shape.data 2> err | awk '{ n += $NF } END { print n }')" ] && ok || fail "$(head folded)"
