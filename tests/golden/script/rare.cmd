# What no perf of 6.1 can show, and JSON: a recording with a field of each kind.
d=$(mktemp -d) && python3 tests/host/fields.py $d/f.data aarch64 tests/data/perf/vmlinux /bin/none && cd $d || exit 1
$SONDE --sysroot none script -i f.data -F hw:comm,cgroup,ins_lat,retire_lat,weight -F sw: -F raw: 2>&1 | sed -n '1,3p; $p'
$SONDE --sysroot none script -i f.data -j -F hw:comm,tod,misc,cgroup,data_src,ins_lat,retire_lat,brstack,iregs,insn,insnlen -F sw:bpf-output -F raw: 2> /dev/null | sed -n '1p; 2p; 88p'
$SONDE --sysroot none script -i f.data -G --show-text-poke-events --stop-bt none --all-cpus 2> /dev/null | sed -n '1,6p'
$SONDE --sysroot none script -i f.data -D -F comm 2> /dev/null | sed -n '/event: 20$/,/New/p'
$SONDE --sysroot none script -i f.data --dump-unsorted-raw-trace -F comm 2> /dev/null | grep -c 'event: '
$SONDE --sysroot none script -i f.data -F comm,cpu,event --Latency --show-bpf-events --show-cgroup-events --show-namespace-events --show-round-events \
	--show-switch-events --switch-on bpf-output --switch-off r11 --show-on-off-events 2> /dev/null
rm -r $d
