/* digits.h - decimal numbers two digits at a time. */
#ifndef BASE_DIGITS_H
#define BASE_DIGITS_H

/* "000102...99": the two digits of n start at index 2 * n. */
extern const char digit_pairs[201];

#endif
