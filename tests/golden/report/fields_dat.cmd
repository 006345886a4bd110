$SONDE report -i tests/data/dat/v6.dat -q -s comm,next_comm,prev_state; $SONDE report -i tests/data/dat/v6-be32.dat -q -s trace_fields
