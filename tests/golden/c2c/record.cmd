# Events of machines that are not here: both kinds of an x86's cores, the younger one with an event beside; Arm's extension; none.
d=$(mktemp -d)
pmu() {
	p=$d/$1/sys/bus/event_source/devices/$2
	mkdir -p $p/events $p/format
	echo $3 > $p/type
	shift 3
	for e; do echo event=0xcd,umask=0x1 > $p/events/$e; done
	for f in event:config:0-7 umask:config:8-15 ldlat:config1:0-15 ts_enable:config:0 pa_enable:config:1 load_filter:config:33 store_filter:config:34 \
		min_latency:config2:0-11; do echo ${f#*:} > $p/format/${f%%:*}; done
}
pmu x86 cpu 4 mem-loads mem-stores
pmu hybrid cpu_core 4 mem-loads-aux mem-loads mem-stores
pmu hybrid cpu_atom 10 mem-loads mem-stores
for m in hybrid/cpu_core hybrid/cpu_atom; do echo 0-3 > $d/${m%/*}/sys/bus/event_source/devices/${m#*/}/cpus; done
pmu arm arm_spe_0 11
for m in x86 hybrid arm none; do
	echo "# $m"
	mkdir -p $d/$m
	$SONDE --sysroot $d/$m mem record -e list -v
	$SONDE --sysroot $d/$m c2c record -e list
done 2>&1
echo "# chosen"
for m in x86 hybrid arm; do
	$SONDE --sysroot $d/$m mem record --ldlat 40 --dry-run true 2>&1 && echo "$m takes them"
done
$SONDE --sysroot $d/x86 mem record -e ldlat-stores,what --dry-run true 2>&1
$SONDE --sysroot $d/x86 mem -t store record --dry-run true 2>&1
rm -r $d
