#!/bin/sh
# as: root
# time: 300
# sonde convert: every format says what perf says of the same recording, read by convert.py, which knows the formats alone, and by
# their own tools where this machine has them.
. "$T_HERE/lib.sh"

need sonde workload perf python3

read_format() {
	python3 "$SCRIPTS/convert.py" "$@"
}

# same FORMAT COLUMNS WANT: equal in these columns of convert.py's lines.
same() {
	cut -f "$2" "$3" > want.txt
	cut -f "$2" "got.$1" > got.txt
	cmp want.txt got.txt > cmp.txt && [ -s got.txt ] && ok || fail "$1: $(diff want.txt got.txt | head -n 5)"
}

t names_that_are_no_utf8
sed 's/ls\x00/l\xff\x00/g' "$T_HERE/../data/perf/clock.data" > strange
for format in firefox speedscope pprof perfetto chrome otlp sql; do
	sonde convert -i strange --to $format -o got 2> err || fail "$format: $(cat err)"
	read_format $format got > text 2> err
	grep -q "^l$(printf '\357\277\275')" text && ok || fail "$format: $(head -n 3 text; tail -n 1 err)"
done

t events_that_never_came_have_no_columns
sonde convert -i "$T_HERE/../data/dat/events.dat" --to pprof -o got 2> err
read_format pprof got > text 2> err
[ -s text ] && ok || fail "$(tail -n 1 err)"

t options_of_data
clock=$T_HERE/../data/perf/clock.data
: > json
sonde data convert -v -i "$clock" --to-json json 2> err
eq $? 1
has err 'json is there already'
sonde data convert --force -i "$clock" --to-json json 2> err
eq $? 0
sonde convert --force -i "$clock" --to chrome -o got 2> err
eq $? 0
for refused in --all --tod '--to-ctf dir'; do
	sonde data convert $refused -i "$clock" --to-json - > out 2> err
	[ $? -ne 0 ] && [ ! -s out ] && ok || fail "$refused: $(cat err)"
done

t recording_works_here
if ! sonde record -q -g -e cpu-clock:u -F 3999 -o rec workload tree 400 2> err; then
	skip "cannot record: $(head -n 1 err)"
	exit 0
fi
perf script -i rec -F comm,event,period,ip,sym 2> /dev/null | read_format perf > perf.txt
has perf.txt leaf

t each_format_has_perfs_totals
for format in folded firefox speedscope pprof perfetto chrome otlp sql; do
	sonde convert -i rec --to $format -o "out.$format" 2> err || fail "$format: $(cat err)"
	read_format $format "out.$format" > "got.$format"
	case $format in
	pprof | sql) same $format 1-4 perf.txt ;;
	otlp) same $format 1,2,4 perf.txt ;;
	*) same $format 1-3 perf.txt ;;
	esac
done

t the_weights_are_perfs_too
for format in folded firefox speedscope; do
	sonde convert -i rec --to $format --period -o "weighed.$format" 2> err
	read_format $format "weighed.$format" | cut -f 1-3 > got.txt
	cut -f 1,2,4 perf.txt > want.txt
	cmp want.txt got.txt > cmp.txt && [ -s got.txt ] && ok || fail "$format: $(diff want.txt got.txt | head -n 5)"
done

t firefoxs_tables_are_whole
eq "$(read_format checks firefox out.firefox)" ""

t the_same_bytes_whatever_the_number_of_threads
for format in folded firefox speedscope pprof perfetto chrome otlp sql; do
	sonde convert -i rec --to $format --jobs 1 -o one 2> err
	cmp one "out.$format" && ok || fail "$format differs"
done

t sql_has_the_fields_of_tracepoints
if sonde record -q -a -e sched:sched_switch -o switches.data workload switches 20 2> err; then
	sonde convert --sql -i switches.data -o switches.db.sql 2> err
	eq $? 0
	python3 "$SCRIPTS/convert.py" rows switches.db.sql > got.txt
	perf script -i switches.data -F trace 2> /dev/null | sed 's/^ *//; s/ prev_state=[^ ]* ==>//; s/ *$//' > want.txt
	cmp want.txt got.txt > cmp.txt && [ -s got.txt ] && ok || fail "$(diff want.txt got.txt | head -n 5)"
else
	skip "no tracepoints: $(head -n 1 err)"
fi
sonde convert --sql --to pprof -i rec -o out.sql 2> err
eq $? 2
has err 'sql and pprof'
sonde prof sql -e sched:sched_switch 2> err
has err 'convert --sql'

t folded_is_what_flame_has
sonde flame -i rec --folded > flame.txt 2> err
cmp flame.txt out.folded && ok || fail "they differ"

# A function that the compiler put into its caller, in which nearly all the time is spent: its callers' samples are added to its.
all_inside() {
	sed -E 's/spin_(outer|between)/spin_inside/' | awk -F '\t' -v OFS='\t' '
		{ key = $1 FS $2; if (!(key in n)) { order[++rows] = key; n[key] = w[key] = 0 }
			if ($3 == "-") n[key] = "-"; else n[key] += $3
			if ($4 == "-") w[key] = "-"; else w[key] += $4 }
		END { for (i = 1; i <= rows; i++) print order[i], n[order[i]], w[order[i]] }'
}
t inlined_functions_are_frames
cat > in.c <<'END'
static volatile unsigned long sum;
static inline __attribute__((always_inline)) void spin_inside(unsigned long n)
{
	while (n--)
		sum += n;
}
static inline __attribute__((always_inline)) void spin_between(unsigned long n)
{
	for (int i = 0; i < 100; i++)
		spin_inside(n);
}
__attribute__((noinline)) void spin_outer(unsigned long n)
{
	spin_between(n);
}
int main(void)
{
	spin_outer(1500000);
	return 0;
}
END
if gcc -O2 -g -fno-omit-frame-pointer -o inlined in.c 2> err && sonde record -q -g -e cpu-clock:u -F 999 -o in.data ./inlined 2> err; then
	# Whether perf shows what is inlined depends on how it was built; all that is in the outer function is that.
	perf script --no-inline -i in.data -F comm,event,period,ip,sym 2> /dev/null | read_format perf | all_inside | grep spin_ > in.txt
	[ "$(awk '$2 == "spin_inside" { print $3 }' in.txt)" -gt 20 ] && ok || fail "perf says $(cat in.txt)"
	for format in firefox speedscope pprof perfetto chrome otlp sql; do
		sonde convert -i in.data --to $format -o "in.$format" 2> err || fail "$format: $(cat err)"
		read_format $format "in.$format" | all_inside | grep spin_ > "got.$format"
		case $format in
		otlp) same $format 1,2,4 in.txt ;;
		*) same $format 1-3 in.txt ;;
		esac
		sonde convert -i in.data --to $format --no-inline -o "in.$format" 2> err || fail "$format: $(cat err)"
		read_format $format "in.$format" > out
		grep -q spin_outer out && ! grep -q spin_inside out && ok || fail "$format --no-inline: $(cat out)"
	done
	sonde convert -i in.data --to firefox -o in.firefox
	eq "$(read_format checks firefox in.firefox)" ""
	sonde convert -i in.data --to folded -o in.folded
	has in.folded 'spin_outer;spin_between \(inlined\);spin_inside \(inlined\) [0-9]+$'
	sonde flame -i in.data --folded 2> /dev/null | cmp - in.folded && ok || fail "flame folds it in another way"
else
	skip "cannot compile or record: $(head -n 1 err)"
fi

t names_choose_samples
sonde convert -i rec --to folded --symbols leaf -o some 2> err
eq "$(awk '{ n += $NF } END { print n }' some)" "$(awk -F '\t' '$2 == "leaf" { print $3 }' perf.txt)"
sonde convert -i rec --to folded --max-stack 1 -o some 2> err
grep -q '^workload;leaf ' some && ok || fail "$(head -n 2 some)"

t events_are_told_apart
sonde record -q -e cpu-clock:u,page-faults:u -F 3999 -o two workload shape 200
perf script -i two -F event 2> /dev/null | sort | uniq -c | sort -n > events
sonde convert -i two --to folded -e page-faults:u -o faults 2> err
eq "$(awk '{ n += $NF } END { print n }' faults)" "$(awk '$2 == "page-faults:u:" { print $1 }' events)"
sonde convert -i two --to folded -o clock 2> err
has err 'room for one event, cpu-clock:u'
sonde convert -i two --to pprof -o two.pprof 2> err
eq $? 0
sonde convert -i two --to folded -e no-such -o none 2> err
eq $? 1
has err "no event 'no-such'"

t the_scheduler_in_perfetto_and_chrome
if sonde record -q -a -e 'sched:sched_switch,sched:sched_wakeup,sched:sched_process_exit' -o sched workload forks 20 2> err; then
	perf script -i sched -F event,trace > text 2> /dev/null
	switches=$(grep -c sched_switch: text) wakeups=$(grep -c sched_wakeup: text)
	# With its plugin and without.
	from_idle=$(grep -cE 'sched_switch: swapper/[0-9]+:0 |prev_pid=0 ' text)
	to_idle=$(grep -cE '==> swapper/[0-9]+:0 |next_pid=0 ' text)
	# Who is woken while it runs goes on running.
	awake=$(awk '/sched_switch:/ {
			if (match($0, /prev_pid=[0-9]+/)) prev = substr($0, RSTART + 9, RLENGTH - 9)
			else { match($0, /:[0-9]+ \[[0-9]+\] [^ ]+ ==>/); split(substr($0, RSTART + 1), w, " "); prev = w[1] }
			if (match($0, /next_pid=[0-9]+/)) next_ = substr($0, RSTART + 9, RLENGTH - 9)
			else { match($0, /==> .*:[0-9]+ \[/); n = split(substr($0, RSTART, RLENGTH - 2), w, ":"); next_ = w[n] }
			delete runs[prev]; runs[next_] = 1 }
		/sched_wakeup:/ {
			if (match($0, / pid=[0-9]+/)) pid = substr($0, RSTART + 5, RLENGTH - 5)
			else { match($0, /:[0-9]+ \[/); pid = substr($0, RSTART + 1, RLENGTH - 3) }
			awake += pid in runs }
		END { print awake + 0 }' text)
	sonde convert -i sched --to perfetto -o out.sched 2> err
	read_format states out.sched > states
	eq "$(cat states)" "all	states	$((2 * switches - from_idle - to_idle + wakeups - awake))	$((switches - to_idle))"
	sonde convert -i sched --to chrome -o out.json 2> err
	eq "$(python3 -c 'import json; print(len([e for e in json.load(open("out.json"))["traceEvents"] if e["name"] == "sched:sched_process_exit"]))')" \
		"$(perf script -i sched -F event 2> /dev/null | grep -c sched_process_exit)"
else
	skip "cannot record tracepoints: $(head -n 1 err)"
fi

# The instructions are objdump's, byte by byte.
t code_in_perfetto
sonde record -q -e cpu-clock:u -F 3999 -o code.data workload shape 300
sonde convert --code -i code.data -o code.pftrace 2> err
eq $? 0
read_format code code.pftrace > code.txt 2> err || fail "$(tail -n 1 err)"
has code.txt "/workload	hot_a	"
if [ "$(uname -m)" = x86_64 ] && command -v objdump > /dev/null; then
	objdump -d --disassemble=hot_a "$(command -v workload)" | sed -n 's/^ *\([0-9a-f]*\):\t\([0-9a-f ]*\)\t.*/\1 \2/p;s/^ *\([0-9a-f]*\):\t\([0-9a-f ]*\)$/\1 \2/p' |
		awk '{ for (i = 2; i <= NF; i++) printf "%s", $i } END { print "" }' > want
	awk -F '\t' '$2 == "hot_a" { printf "%s", $4 } END { print "" }' code.txt > got
	[ -s want ] && cmp want got && ok || fail "$(diff want got)"
fi
sonde convert --code -i code.data -o code.pb.gz 2> err
eq $? 2
has err 'pprof has no place for instructions'

# Go has it among its tools.
t pprof_itself
if go tool pprof -h 2>&1 | grep -q sample_index; then
	PPROF_TMPDIR=$PWD go tool pprof -symbolize=none -sample_index=samples -top out.pprof > top.txt 2> err
	eq "$(awk '$6 == "leaf" { print $1 }' top.txt)" "$(awk -F '\t' '$2 == "leaf" { print $3 }' perf.txt)"
	has top.txt 'File: workload'
else
	skip "no go tool pprof"
fi

t perfs_json
perf data convert -i rec --to-json theirs.json > out 2>&1
sonde data convert -i rec --to-json ours.json 2> err
eq $? 0
grep -v captured-on theirs.json | sed 's/"static_init_tls"/"__init_tls"/' > theirs
grep -v captured-on ours.json > ours
cmp theirs ours && ok || fail "$(diff theirs ours | head -n 6)"

t an_old_perf_data
for how in '' '-z'; do
	sonde record -q $how -g -e cpu-clock:u,page-faults:u -F 3999 -o new workload tree 200 2> err || fail "$(cat err)"
	sonde convert -i new -o old.data 2> err
	eq $? 0
	sonde script -i new -F comm,tid,time,event,ip,sym,period > new.txt 2> err
	perf script -i old.data -F comm,tid,time,event,ip,sym,period > old.txt 2> warnings
	eq "$(cat warnings)" ""
	sonde script -i old.data -F comm,tid,time,event,ip,sym,period > ours.txt 2> err
	cmp new.txt ours.txt && ok || fail "$how: $(diff new.txt ours.txt | head -n 4)"
	eq "$(grep -c cpu-clock old.txt)" "$(grep -c cpu-clock new.txt)"
done
sonde convert -i old.data -o - --to perf.data 2> err
eq $? 1
