$SONDE --sysroot tests/data/root/biglittle doctor
