$SONDE check feature zstd; echo $?
$SONDE check feature zstd,AIO; echo $?
$SONDE check -q feature HAVE_LIBTRACEEVENT; echo $?
$SONDE check feature zsdt; echo $?
$SONDE check feature; echo $?
$SONDE check; echo $?
$SONDE version --build-options | sed 1d
$SONDE version --verbose | wc -l
$SONDE version; $SONDE version --what; echo $?
