$SONDE --sysroot tests/data/root/biglittle list -j hw sched:sched_switch br_indirect
