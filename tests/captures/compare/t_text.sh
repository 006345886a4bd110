#!/bin/sh
# time: 900
# The kernel as the judge of tracefs/ktext: its own `trace` of a stopped buffer, and the same records printed by us, line for
# line. Only what is listed in `skip` may differ, and there only what we print as "?" (or, where it says so, the whole text).
. "$T_HERE/lib.sh"
. "$T_HERE/../captures/lib.sh"

need ringtext

cat > skip << 'END'
mm_page_alloc page= is computed from memstart_addr, a variable of the kernel
mm_page_alloc_extfrag page= as above
mm_page_alloc_zone_locked page= as above
mm_page_free page= as above
mm_page_free_batched page= as above
mm_page_pcpu_drain page= as above
mm_filemap_add_to_page_cache page= as above
mm_filemap_delete_from_page_cache page= as above
mm_lru_insertion page= as above
mm_lru_activate page= as above
mm_vmscan_write_folio page= as above
writeback_single_inode age= is computed from jiffies at the time of reading
writeback_single_inode_start age= as above
writeback_queue_io age= as above
fscache_active whole: its format file has names of an enum that the kernel does not replace by numbers
END

compare() {
	if [ ! -e "$1/trace" ]; then
		ringtext "$1" > printed && ok || fail "${1##*/}: exit status $?"
		return
	fi
	env $([ ! -e "$1/hashed" ] || echo HASHED=1) $([ ! -e "$1/latency" ] || echo LATENCY=1) \
		ringtext "$1" "$1/trace" skip > verdict
	status=$?
	echo "${1##*/}:"
	cat verdict
	set -- "$(cat "$1/want")" $(tail -n 1 verdict)
	if [ "$status $7" != "0 0" ]; then
		fail "${7:-?} of ${3:-?} lines differ (exit status $status)"
	elif [ "$3" -lt 3 ] || [ "$5" -lt "$1" ]; then
		fail "only $3 lines of $5 events, not $1"
	else
		ok
	fi
}

cases
