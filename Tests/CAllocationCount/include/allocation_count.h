/* A library to load before all others (ld.so(8): LD_PRELOAD): it counts what a program allocates. */
#ifndef BEDSIDE_ALLOCATION_COUNT_H
#define BEDSIDE_ALLOCATION_COUNT_H

#include <stdint.h>

/* The environment variable with the path of a file that exists, of eight octets: the count, in the machine's order. */
#define ALLOCATION_COUNT_FILE "BEDSIDE_ALLOCATION_COUNT"

/* How often this process has allocated memory since it was loaded. */
uint64_t allocation_count(void);

#endif
