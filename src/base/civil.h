/* civil.h - seconds since the epoch as date and time of day in UTC (proleptic Gregorian calendar). */
#ifndef BASE_CIVIL_H
#define BASE_CIVIL_H

#include "base/base.h"

struct civil {
	int year, hour, minute, second;
	unsigned month, day;         /* month from 0, day from 1 */
	unsigned weekday;            /* 0: Sunday */
};

/* `seconds` since 1970-01-01 00:00:00 UTC; may be negative. */
static inline struct civil civil_of(int64_t seconds)
{
	int64_t days = seconds / 86400 - (seconds % 86400 < 0), time = seconds - days * 86400;
	/* d: days since 1 March of year 0. In years that begin in March the leap day is the last; 400 make a cycle. */
	int64_t d = days + 719468, cycle = d / 146097 - (d % 146097 < 0);
	unsigned in_cycle = (unsigned)(d - cycle * 146097);
	unsigned year = (in_cycle - in_cycle / 1460 + in_cycle / 36524 - in_cycle / 146096) / 365;
	unsigned day = in_cycle - (365 * year + year / 4 - year / 100), month = (5 * day + 2) / 153;
	bool next_year = month >= 10;

	return (struct civil){
		.year = (int)(year + cycle * 400 + next_year),
		.month = next_year ? month - 10 : month + 2,
		.day = day - (153 * month + 2) / 5 + 1,
		.weekday = (unsigned)((days % 7 + 11) % 7),
		.hour = (int)(time / 3600), .minute = (int)(time / 60 % 60), .second = (int)(time % 60),
	};
}

#endif
