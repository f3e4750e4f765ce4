#define _GNU_SOURCE
#include "machine.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Each entry: a kind, the time in nanoseconds, the number of octets, a line feed, the octets, a line feed. */

static int tape = -1;
static char buffer[1 << 16];
static size_t filled;

void tape_begin(const char *path) {
    tape = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (tape < 0) machine_fail("no tape: %s", path);
    // Out of the way of the program's own numbers.
    int high = fcntl(tape, F_DUPFD_CLOEXEC, 500);
    if (high >= 0) {
        close(tape);
        tape = high;
    }
}

void tape_end(void) {
    size_t sent = 0;
    while (sent < filled) {
        ssize_t count = REAL(write)(tape, buffer + sent, filled - sent);
        if (count <= 0) break;
        sent += (size_t)count;
    }
    filled = 0;
}

static void add(const void *octets, size_t count) {
    const char *rest = octets;
    while (count > 0) {
        if (filled == sizeof buffer) tape_end();
        size_t part = count < sizeof buffer - filled ? count : sizeof buffer - filled;
        memcpy(buffer + filled, rest, part);
        filled += part;
        rest += part;
        count -= part;
    }
}

void tape_write(char kind, const void *octets, size_t count) {
    char head[64];
    int length = snprintf(head, sizeof head, "%c %lld %zu\n", kind, (long long)clocks_since_beginning(), count);
    add(head, (size_t)length);
    add(octets, count);
    add("\n", 1);
}

void tape_print(char kind, const char *format, ...) {
    char text[1024];
    va_list values;
    va_start(values, format);
    int length = vsnprintf(text, sizeof text, format, values);
    va_end(values);
    tape_write(kind, text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
}

void machine_fail(const char *format, ...) {
    char text[1024];
    va_list values;
    va_start(values, format);
    int length = vsnprintf(text, sizeof text, format, values);
    va_end(values);
    if (tape >= 0) {
        tape_write('!', text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
        tape_end();
    }
    fprintf(stderr, "simulated machine: %s\n", text);
    _exit(99);
}
