# What is told instead of events, as trace-cmd 3.3.1 tells it; -P leaves out what it has already told.
r() { echo "# $*"; $SONDE ftrace report -i tests/data/dat/events.dat "$@" 2>&1; }
r -f
r -P | head -n 12
r -e
$SONDE ftrace report -e tests/data/dat/v6-be32.dat
r -p | sed 's/host page size is .*/host page size is .../'
r -E
r --event 'irq:softirq_ex.*' | head -n 9
r --cpus
r --first-event
r --last-event -t
r --stat | head -n 10
r --uname
r --version
# A format that cannot be read.
d=$(mktemp -d)
$SONDE ftrace convert --file-version 6 -i tests/data/dat/events.dat $d/good.dat
sed 's/REC->next_prio/REC->nexx(prio/' $d/good.dat > $d/bad.dat
for f in good bad; do
	$SONDE ftrace report --check-events -i $d/$f.dat
	echo "exit $?"
done
rm -r $d
