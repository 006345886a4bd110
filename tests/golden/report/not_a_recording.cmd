$SONDE --sysroot tests/none report -i tests/golden/run
