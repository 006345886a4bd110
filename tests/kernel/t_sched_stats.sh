#!/bin/sh
# as: root
# time: 60
# kernels: 6.12
# also: 5.10
# sonde sched stats beside what the kernel's own file and /proc say.
. "$T_HERE/lib.sh"

need sonde awk

# count KEY: of all CPUs together.
count() {
	sonde sched stats report -s -x , 2> err | awk -F, -v key="$1" '$5 == key && $2 == "" { print $3 }'
}

t what_is_between
before=$(sysctl -n kernel.sched_schedstats 2> none || cat /proc/sys/kernel/sched_schedstats)
echo 1 > /proc/sys/kernel/sched_schedstats
cat /proc/schedstat > first
sonde sched stats record -- sh -c 'for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.02; done' 2> err || fail "$(cat err)"
cat /proc/schedstat > last
eq "$(grep -c '^version' schedstat.txt)" 2
# Of the kernel's file around it there is no less.
for field in 4:schedules 6:wakeups 8:run_ns; do
	outer=$(awk -v at="${field%:*}" '/^cpu/ { n[FILENAME] += $at } END { printf "%.0f", n["last"] - n["first"] }' first last)
	inner=$(count "${field#*:}")
	[ "$inner" -ge 1 ] && [ "$inner" -le "$outer" ] && ok || fail "$field: $inner of $outer"
done
[ "$(count wakeups)" -ge 10 ] && ok || fail "$(count wakeups) wake-ups"
echo "$before" > /proc/sys/kernel/sched_schedstats

t each_interval
since=$(cut -d ' ' -f 1 /proc/uptime)
sonde sched stats record --interval 100 --all-cpus --output parts.txt sleep 0.55 2> err || fail "$(cat err)"
most=$(awk -v since="$since" '{ printf "%d", ($1 - since) * 10 + 3 }' /proc/uptime)
n=$(grep -c '^version' parts.txt)
[ "$n" -ge 4 ] && [ "$n" -le "$most" ] && ok || fail "$n copies of at most $most"
sonde sched stats report -i parts.txt --each -s -x , > out
eq "$(awk -F, 'NR > 1 { print $1 }' out | sort -un | tail -n 1)" $((n - 1))
# All of them together are the whole.
eq "$(awk -F, '$6 == "schedules" { n += $4 } END { print n }' out)" \
	"$(sonde sched stats report -i parts.txt -s -x , | awk -F, '$5 == "schedules" { print $3 }')"

t live_without_a_file
mkdir empty
cd empty || exit
echo 1 > /proc/sys/kernel/sched_schedstats
sonde sched stats -s -x , -- sh -c 'for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.02; done' > out 2> err || fail "$(cat err)"
n=$(awk -F, '$5 == "schedules" && $2 == "" { print $3 }' out)
[ "${n:-0}" -ge 10 ] && ok || fail "$n: $(head -n 3 out)"
sonde sched stats -C 0 -j -- true > out 2> err
has out '"cpu": *"0"'
sonde sched stats -- sh -c 'exit 5' > out 2> err
eq $? 5
has out 'jiffies between'
timeout -s INT 2 sonde sched stats -s > out 2> err
has out 'jiffies between'
eq "$(ls | tr '\n' ' ')" 'err out '
cd ..
echo "$before" > /proc/sys/kernel/sched_schedstats

t status_of_the_command
sonde sched stats record -- sh -c 'exit 5' 2> err
eq $? 5
