/* general.h - options in front of the command's name that only reports heed. */
#ifndef CMD_GENERAL_H
#define CMD_GENERAL_H

/* How many words it takes; 0: it is none of them. */
int general_option(int argc, char **argv);

#endif
