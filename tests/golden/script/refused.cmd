# What perf has and this does not, each with what to do instead.
for o in '-s x.py' '-g python' -l --itrace=g --call-trace --max-blocks=3 --stitch-lbr --xed --guestmount=x --dlfilter=x --addr-range=8 --debug-mode \
	--call-ret-trace --insn-trace --graph-function=x --guest-code --guestkallsyms=x --guestmodules=x --guestvmlinux=x --dlarg=x \
	--list-dlfilters --show-kernel-path \
	'record x ls' 'report flamegraph' '-F callindent' '-F machine_pid' '-F metric' '-F srccode' '-F brstackinsn' '--reltime --deltatime' \
	'-D -j' '-F sw:comm' '-F nix:comm' '-F comm,tod' '-F uregs' '--switch-on nix' '-D -i tests/data/dat/events.dat'; do
	echo "== $o"
	$SONDE --sysroot tests/none script -i tests/data/perf/scopes.data $o 2>&1 | grep -v Usage: | head -n 3
done
