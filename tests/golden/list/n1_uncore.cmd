$SONDE --sysroot tests/data/root/n1 list -v "arm_*"
