$SONDE --sysroot tests/data/root/biglittle list "sched:*" kprobes:my_open -v
