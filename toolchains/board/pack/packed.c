/* packed.c - a board's constants are in their places. */
#include "base/packed.h"

void packed_need(void)
{
}
