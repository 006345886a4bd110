$SONDE report -i tests/golden/run
