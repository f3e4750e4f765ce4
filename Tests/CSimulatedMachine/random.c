#define _GNU_SOURCE
#include "machine.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

/* SplitMix64, as the tests' own generator. */
static uint64_t mine, theirs;

static uint64_t next(uint64_t *state) {
    uint64_t value = *state += 0x9E3779B97F4A7C15u;
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9u;
    value = (value ^ value >> 27) * 0x94D049BB133111EBu;
    return value ^ value >> 31;
}

void random_begin(uint64_t seed) {
    mine = seed;
    theirs = ~seed;
}

uint64_t random_below(uint64_t bound) { return next(&mine) % bound; }

static void fill(void *octets, size_t count) {
    for (size_t i = 0; i < count; i++) ((unsigned char *)octets)[i] = (unsigned char)next(&theirs);
}

REPLACED ssize_t getrandom(void *octets, size_t count, unsigned int flags) {
    if (!machine_is_on) return REAL(getrandom)(octets, count, flags);
    fill(octets, count);
    return (ssize_t)count;
}

REPLACED int getentropy(void *octets, size_t count) {
    if (!machine_is_on) return REAL(getentropy)(octets, count);
    fill(octets, count);
    return 0;
}

REPLACED void arc4random_buf(void *octets, size_t count) {
    if (!machine_is_on) {
        (void)!getrandom(octets, count, 0);
        return;
    }
    fill(octets, count);
}
