$SONDE --sysroot tests/data/root/biglittle list --raw-dump hw cache sched
