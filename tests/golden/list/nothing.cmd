$SONDE --sysroot tests/data/root/biglittle list no_such_thing
