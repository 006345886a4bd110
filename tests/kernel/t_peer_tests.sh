#!/bin/sh
# time: 2400
# kernels: none
# also: 6.12
# perf's own tests against us, as its package has them: attributes of counters, and shell tests.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_peer.sh"

peer_begin
peer_attrs 20 ""
peer_shell buildid pipe_test record record_sideband script list record+zstd_comp_decomp stat stat+csv_output stat+csv_summary \
	stat+json_output stat+shadow_stat stat+std_output stat_all_pmu perftool-testsuite_report test_arm_callgraph_fp test_brstack \
	test_data_symbol ftrace annotate diff lock_contention record_offcpu trace_btf_enum trace+probe_vfs_getname test_arm_spe
