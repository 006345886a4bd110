# Traces of SPE: what they do not go with, before anything is opened, and where there is none.
d=$(mktemp -d)
pmu() {
	mkdir -p $d/sys/bus/event_source/devices/$1/format
	echo $2 > $d/sys/bus/event_source/devices/$1/type
	echo $3 > $d/sys/bus/event_source/devices/$1/cpumask
	echo config:0 > $d/sys/bus/event_source/devices/$1/format/ts_enable
}
mkdir -p $d/sys/devices/system/cpu
echo 0-1 > $d/sys/devices/system/cpu/online
pmu arm_spe_0 10 0
pmu intel_pt 12 0
of() { echo "# $*"; $SONDE --sysroot $d record -o x.data "$@" true 2>&1 | grep -v Usage:; }
for o in '-o -' --switch-output=1M --overwrite '-k mono' '-F 100' '-e arm_spe_0/freq=10/' '-e intel_pt//' '-m ,x' '-m 8,64G'; do
	of -e arm_spe_0// $o
done
pmu arm_spe_1 11 1
of -e arm_spe//
echo '# none'
$SONDE --sysroot tests/none record -e arm_spe_0// true
rm -r $d
