/* digits.h - decimal numbers two digits at a time. */
#ifndef BASE_DIGITS_H
#define BASE_DIGITS_H

/* "00" to "99", one behind the other. */
extern const char digit_pairs[201];

#endif
