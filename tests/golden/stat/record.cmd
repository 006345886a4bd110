$SONDE stat record --help | sed -n '1,3p;/^-o is/,$p'; $SONDE stat record -r 2 true; $SONDE stat record -n true; $SONDE stat --percore-show-thread -a true
