$SONDE --sysroot tests/none report -i tests/none
