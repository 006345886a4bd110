/* general.h - options in front of the command's name that only reports use: --buildid-dir. */
#ifndef CMD_GENERAL_H
#define CMD_GENERAL_H

/* Apply the option at argv[0]; returns how many words it takes, 0 if it is no such option. */
int general_option(int argc, char **argv);

#endif
