/* Linux calls that the Glibc module map leaves out. */
#ifndef BEDSIDE_CSYSTEM_SHIM_H
#define BEDSIDE_CSYSTEM_SHIM_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include <getopt.h>
#include <pthread.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

/* ioctl is variadic. */
static inline int csystem_window_size(int descriptor, struct winsize *size) {
    return ioctl(descriptor, TIOCGWINSZ, size);
}

/* prctl is variadic. */
static inline int csystem_set_parent_death_signal(int signal) {
    return prctl(PR_SET_PDEATHSIG, signal);
}

/* posix_spawn_file_actions_addclosefrom_np is a GNU extension that the Glibc module does not show. */
static inline int csystem_spawn_close_from(posix_spawn_file_actions_t *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

/* environ is a variable, which Swift takes for unsafe, and two modules show it. */
static inline char **csystem_environment(void) { return environ; }

/* pthread_setname_np is a GNU extension that the Glibc module does not show. */
static inline int csystem_set_thread_name(const char *name) {
    return pthread_setname_np(pthread_self(), name);
}

#endif
