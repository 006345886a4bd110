#!/bin/sh
# as: root
# time: 300
# kernels: 6.12 5.10
# sonde kmem: blocks of messages are known ones; pages that are freed or not. Rows beside perf's: tests/captures.
. "$T_HERE/lib.sh"

need sonde workload python3

# 30 messages of 500 bytes in blocks of 1024, and 40 of 1000 in blocks of 2048, each with a head of 48 bytes.
messages() {
	python3 - "$1" <<- 'END'
	import json, sys
	rows = [r for r in json.load(open(sys.argv[1])) if r["symbol"] in ("alloc_msg", "load_msg")]
	print(*(sum(r[k] for r in rows) for k in ("hit", "bytes_req", "bytes_alloc")))
	END
}

t blocks_are_known_ones
sonde kmem record -q -o blocks.data -- workload blocks > /dev/null 2> err || fail "$(cat err)"
sonde kmem stat --caller --json -i blocks.data > rows 2> err
eq "$(messages rows)" "70 58360 112640"
sonde kmem stat --caller -j -m 1024 -- workload blocks > rows 2> err
eq "$(messages rows)" "70 58360 112640"
sonde kmem stat -i blocks.data > out 2> err
has out '^Total bytes requested: [0-9,]+$'

t pages_stay_or_go
sonde kmem record -q --page -o pages.data -- sh -c 'head -c 4000000 /dev/zero | tail -c 3000000 | wc -c' > /dev/null 2> err || fail "$(cat err)"
sonde kmem stat --page -j -i pages.data > all 2> err
sonde kmem stat --page --live --caller -j -i pages.data > live 2> err
python3 - <<- 'END' && ok || fail "$(cat all)"
import json
a, rows = json.load(open("all"))[0], json.load(open("live"))
# What is allocated and not freed is what is live.
alive = a["allocs"] - a["failures"] - (a["frees"] - a["free_only"])
raise SystemExit(not (a["allocs"] > 100 and sum(r["hits"] for r in rows) == alive and all(r["bytes"] for r in rows)))
END
