#!/bin/sh
# as: root
# time: 60
# sonde prof usdt against readelf, and what cannot be; usage-self and expressions of groups where they are refused.
. "$T_HERE/../kernel/lib.sh"

need sonde readelf awk

lib=$(find /usr/lib -name 'libstdc++.so.6' 2> /dev/null | head -n 1)

t markers_are_those_of_readelf
if [ -n "$lib" ]; then
	readelf -n "$lib" | awk -v f="$lib" '$1 == "Provider:" { p = $2 } $1 == "Name:" { print p ":" $2 "@" f }' > want
	sonde prof usdt list "$lib" > out 2> err
	eq $? 0
	eq "$(cmp want out)" ""
	sonde prof usdt -v list "libstdcxx:throw@$lib" > out 2> err
	readelf -n "$lib" | awk '$1 == "Name:" { n = $2 } n == "throw" && $1 == "Location:" { sub(",", "", $2); at = $2 }
		n == "throw" && $1 == "Arguments:" { sub(/ *Arguments: /, ""); print at; print; exit }' > want
	has out "^    Addr: $(sed -n 1p want), "
	eq "$(sed -n 's/^    Arguments: //p' out)" "$(sed -n 2p want)"
	sonde prof usdt -v list "libstdcxx:throw@$lib x=+0(%s):string" > out 2> err
	has out '^    Uprobe: p:libstdcxx/throw .* x=\+0\(%[a-z0-9]+\):string$'
	sonde prof usdt list "libstdcxx:thro@$lib" > out 2> err && fail 'no such marker' || has err 'no such marker'
	sonde prof usdt -o o.txt list "$lib@0x1" > out 2> err && fail 'nothing is there' || has err 'no such marker'
	sonde prof usdt -q list "$lib" > out 2> err
	eq "$(cat err)" ""
else
	skip "no libstdc++ here"
fi

t what_cannot_be
sonde prof usdt > out 2> err && fail 'what?' || has err 'list, add, or del'
sonde prof usdt look x > out 2> err && fail 'what?' || has err 'list, add, or del'
sonde prof usdt list > out 2> err && fail 'of what?' || has err 'which program'
sonde prof usdt list /bin/true > out 2> err && fail 'it has none' || has err 'no such marker'
sonde prof usdt list a:b@ > out 2> err && fail 'of what?' || has err 'which program'
sonde prof usdt list a:b@/bin/true@zz > out 2> err && fail 'no address' || has err 'is no address'
sonde prof misc -e cpu-clock > out 2> err && fail 'it has no events' || has err 'no -e'
sonde prof misc -p 1 > out 2> err && fail 'it has no tasks' || has err 'have no meaning'
for p in misc profile cpu-util; do
	sonde prof $p -k x -- true > out 2> err && fail "$p has no keys" || has err 'has no keys'
done
sonde prof trace -e cpu-clock -k x -- true > out 2> err && fail 'trace has no keys' || has err 'multi-trace and top have keys'
sonde prof misc -C x > out 2> err && fail 'no CPUs' || has err 'CPU list'
sonde prof watchdog -e cpu-clock > out 2> err && fail 'it has its own' || has err 'no -e'
sonde prof watchdog -p 1 > out 2> err && fail 'it looks at CPUs' || has err 'CPUs'
sonde prof watchdog --thresh no > out 2> err && fail 'no number' || has err 'number of seconds'
sonde prof trace -e cpu-clock --usage-self 100 -i perf.data > out 2> err && fail 'a recording' || has err 'usage-self goes with what runs'
sonde prof trace -e cpu-clock --cgroups 'a[' -N 1 > out 2> err && fail 'no expression' || has err 'sonde: '
sonde prof kvmmmu -k x > out 2> err && fail 'its own keys' || has err 'has its own keys'
