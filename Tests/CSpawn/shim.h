/* Processes and pseudo-terminals for Swift: GNU extensions and macros that the Glibc module leaves out. */
#ifndef BEDSIDE_CSPAWN_SHIM_H
#define BEDSIDE_CSPAWN_SHIM_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include <fcntl.h>
#include <stdbool.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

/* The flags are macros with a cast or GNU extensions. */
static inline short cspawn_flags(bool new_session) {
    return (short)(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | (new_session ? POSIX_SPAWN_SETSID : 0));
}

/* ioctl is variadic. */
static inline int cspawn_set_window_size(int descriptor, unsigned short rows, unsigned short columns) {
    struct winsize size = {.ws_row = rows, .ws_col = columns};
    return ioctl(descriptor, TIOCSWINSZ, &size);
}

/* The macros that read a wait status. */
static inline bool cspawn_has_exited(int status) { return WIFEXITED(status); }
static inline int cspawn_exit_status(int status) { return WEXITSTATUS(status); }
static inline int cspawn_ending_signal(int status) { return WTERMSIG(status); }

#endif
