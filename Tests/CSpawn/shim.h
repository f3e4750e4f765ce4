/* Processes and pseudo-terminals for Swift: extensions and macros that the importer does not see. */
#ifndef BEDSIDE_CSPAWN_SHIM_H
#define BEDSIDE_CSPAWN_SHIM_H

#include <spawn.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/wait.h>

/*
 * Declared here rather than by _GNU_SOURCE, which would give system types other members than those that the Glibc
 * module knows.
 */
int pidfd_open(pid_t process, unsigned int flags);
int pipe2(int ends[2], int flags);
int posix_openpt(int flags);
int grantpt(int master);
int unlockpt(int master);
int ptsname_r(int master, char *name, size_t size);

/* POSIX_SPAWN_SETSID is such an extension, and the other flags are macros with a cast. */
static inline short cspawn_flags(bool new_session) {
    const int set_session = 0x80;
    return (short)(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | (new_session ? set_session : 0));
}

/* The macros that read a wait status. */
static inline bool cspawn_has_exited(int status) { return WIFEXITED(status); }
static inline int cspawn_exit_status(int status) { return WEXITSTATUS(status); }
static inline int cspawn_ending_signal(int status) { return WTERMSIG(status); }

#endif
