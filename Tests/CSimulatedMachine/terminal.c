#define _GNU_SOURCE
#include "machine.h"

#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/*
 * A pseudo-terminal of the kernel's, of which only the modes, the size and the keys are used: what the program writes to it
 * goes to the tape at once, because the kernel passes it on in its own time.
 */

static int keyboard = -1;
static dev_t device;

void terminal_begin(int columns, int rows) {
    struct winsize size = { .ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns };
    int program;
    if (openpty(&keyboard, &program, NULL, NULL, &size) != 0) machine_fail("no pseudo-terminal");
    struct stat status;
    fstat(program, &status);
    device = status.st_rdev;
    for (int number = 0; number <= 1; number++) dup2(program, number);
    close(program);
    int high = fcntl(keyboard, F_DUPFD_CLOEXEC, 501);
    if (high >= 0) {
        close(keyboard);
        keyboard = high;
    }
    fcntl(keyboard, F_SETFL, O_NONBLOCK);
    tape_print('r', "%d %d", columns, rows);
}

/* What the program wrote without this library's knowledge, while it sets the modes. */
static void drain(void) {
    char octets[4096];
    while (read(keyboard, octets, sizeof octets) > 0) {}
}

void terminal_type(const void *octets, size_t count) {
    drain();
    tape_write('k', octets, count);
    int before = 0, after = 0;
    ioctl(STDIN_FILENO, FIONREAD, &before);
    if (REAL(write)(keyboard, octets, count) != (ssize_t)count) return;
    // The kernel passes keys on in its own time; until then nothing else happens. In a mode that waits for a line, they
    // are not there before its end.
    for (int i = 0; i < 2000; i++) {
        ioctl(STDIN_FILENO, FIONREAD, &after);
        if (after >= before + (int)count) return;
        REAL(usleep)(50);
    }
}

void terminal_resize(int columns, int rows) {
    struct winsize size = { .ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns };
    ioctl(keyboard, TIOCSWINSZ, &size);
    tape_print('r', "%d %d", columns, rows);
    kill(getpid(), SIGWINCH);
}

static bool is_terminal(int descriptor) {
    struct stat status;
    return keyboard >= 0 && descriptor != keyboard && fstat(descriptor, &status) == 0 && S_ISCHR(status.st_mode)
        && status.st_rdev == device;
}

REPLACED ssize_t write(int descriptor, const void *octets, size_t count) {
    if (!machine_is_on || !is_terminal(descriptor)) return REAL(write)(descriptor, octets, count);
    tape_write('o', octets, count);
    return (ssize_t)count;
}
