# What perf has and would be another recording here: why, and what to do instead; --no-X and what is done anyway are taken.
for o in -S --snapshot=5 --aux-sample --aux-sample=4096 --switch-max-files=3 --switch-output=5 --transaction --kcore \
	--max-overhead=5% --threads --threads=numa --aio \
	--affinity=node --mmap-flush=4K --num-thread-synthesize=2 --debuginfod --debuginfod=http://x --vmlinux=x --clang-path=x --clang-opt=x -r0 \
	--realtime=100 --proc-map-timeout=x --branch-filter=nosuch --synth=nosuch; do
	$SONDE record -o none $o true 2>&1 | grep -v Usage:
	$SONDE record -o none $o true 2> /dev/null; [ $? = 2 ] || echo "exit status"
done
$SONDE record --dry-run -e cpu-clock --no-overwrite --tail-synthesize --no-threads --affinity=sys --mmap-flush=1 --num-thread-synthesize=1 --debuginfod=no --aio=0 --no-kcore --no-control
