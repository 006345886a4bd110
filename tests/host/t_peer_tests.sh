#!/bin/sh
# time: 1200
# perf's own tests against us, as its package has them: attributes of software events, and shell tests.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_peer.sh"

peer_begin
peer_attrs 12
peer_shell buildid pipe_test record record_sideband script list record+zstd_comp_decomp stat stat+csv_output stat+csv_summary \
	stat+json_output stat+shadow_stat stat+std_output stat_all_pmu perftool-testsuite_report test_uprobe_from_different_cu \
	lock_contention record_offcpu
