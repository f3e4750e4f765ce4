/* Linux calls that the Glibc module map leaves out. Quirk importer-is-blind: it sees no variadic functions either. */
#ifndef BEDSIDE_CSYSTEM_SHIM_H
#define BEDSIDE_CSYSTEM_SHIM_H

/* Quirk feature-macros: none here, for the Glibc module is built without one, and both must see the same types. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <langinfo.h>
#include <locale.h>
#include <malloc.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/ioctl.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

/* ioctl is variadic. */
static inline int csystem_window_size(int descriptor, struct winsize *size) {
    return ioctl(descriptor, TIOCGWINSZ, size);
}

/* memfd_create and dup3 are extensions that the Glibc module does not show. */
static inline int csystem_memory_file(const char *name) {
    const unsigned int close_on_exec = 1;
    return (int)syscall(SYS_memfd_create, name, close_on_exec);
}
static inline int csystem_replace_descriptor(int replaced, int by) {
    return (int)syscall(SYS_dup3, by, replaced, O_CLOEXEC);
}

/* prctl is variadic. */
static inline int csystem_set_parent_death_signal(int signal) {
    return prctl(PR_SET_PDEATHSIG, signal);
}

/* Neither this thread nor what it starts get privileges from a file, as those of sudo; answers 0, or -1. */
static inline int csystem_forbid_new_privileges(void) {
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

/* Landlock (Linux 5.13): by numbers of system calls, which are the same everywhere, because the C library has no functions
   for it and older systems no header. The version of its interface, or -1 where the kernel has none. */
static inline int csystem_landlock_version(void) {
    const unsigned int asks_for_version = 1;
    return (int)syscall(444, (void *)0, (size_t)0, asks_for_version);
}

/* A set of rules that forbids these uses of files and of TCP unless a rule allows them; a descriptor, or -1. An interface
   before version 4 must not be told of TCP. */
static inline int csystem_landlock_create(unsigned long long files, unsigned long long tcp) {
    struct { unsigned long long files, tcp; } forbidden = { files, tcp };
    return (int)syscall(444, &forbidden, tcp ? sizeof forbidden : sizeof forbidden.files, 0u);
}

static inline int csystem_landlock_allow(int rules, unsigned long long uses, int path) {
    struct __attribute__((packed)) { unsigned long long uses; int path; } rule = { uses, path };
    const int path_and_below = 1;
    return (int)syscall(445, rules, path_and_below, &rule, 0u);
}

/* From now on this thread, and what it starts, keep to the rules. */
static inline int csystem_landlock_restrict(int rules) {
    return (int)syscall(446, rules, 0u);
}

/* posix_spawn_file_actions_addclosefrom_np is an extension that the Glibc module does not show. */
static inline int csystem_spawn_close_from(posix_spawn_file_actions_t *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

/* Quirk c-globals: Swift takes environ for unsafe, and two modules show it. */
static inline char **csystem_environment(void) {
    extern char **environ;
    return environ;
}

/* The Glibc module map leaves malloc.h out. Answers 0 when the C library refuses. */
static inline int csystem_use_one_heap(void) {
    return mallopt(M_ARENA_MAX, 1);
}

/* prctl is variadic, and pthread_setname_np a GNU extension. */
static inline int csystem_set_thread_name(const char *name) {
    return prctl(PR_SET_NAME, name);
}

/* Quirk getopt-globals: getopt_long reports through variables that Swift refuses as not safe for concurrency. */
static inline void csystem_getopt_restart(void) {
    optind = 0;
    opterr = 0;
}

static inline int csystem_getopt_long(int count, char **vector, const char *letters,
                                      const struct option *options, const char **argument) {
    int code = getopt_long(count, vector, letters, options, 0);
    *argument = optarg;
    return code;
}

static inline int csystem_getopt_index(void) { return optind; }

static inline int csystem_getopt_unknown(void) { return optopt; }

/* fcntl is variadic. */
static inline int csystem_set_nonblocking(int descriptor) {
    int flags = fcntl(descriptor, F_GETFL);
    return flags < 0 ? -1 : fcntl(descriptor, F_SETFL, flags | O_NONBLOCK);
}

/* pipe2 is a GNU extension; both ends are closed on exec. */
static inline int csystem_pipe(int ends[2]) {
    extern int pipe2(int ends[2], int flags);
    return pipe2(ends, O_CLOEXEC);
}

/* A file without a name, which is gone with its descriptor; -1 with EOPNOTSUPP and the like where there is no such thing. */
static inline int csystem_open_nameless(const char *folder, mode_t mode) {
    const int nameless = 020000000 | O_DIRECTORY; /* O_TMPFILE, a GNU extension */
    return open(folder, nameless | O_WRONLY | O_CLOEXEC, mode);
}

/* Gives a file without a name one that nothing has. */
static inline int csystem_name_file(int descriptor, const char *path) {
    char source[32];
    /* Quirk fortify-twice: what _FORTIFY_SOURCE would make of snprintf, which is the one such call in these headers. */
    __builtin___snprintf_chk(source, sizeof source, 1, sizeof source, "/proc/self/fd/%d", descriptor);
    return linkat(AT_FDCWD, source, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}

/* renameat2 is a GNU extension. Not every file system can refuse to replace (EINVAL): there a race of no harm is left. */
static inline int csystem_rename_to_new_name(const char *from, const char *to) {
    extern int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned int flags);
    const unsigned int no_replace = 1;
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, no_replace) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return -1;
    if (access(to, F_OK) == 0) {
        errno = EEXIST;
        return -1;
    }
    return rename(from, to);
}

/* accept4 is a GNU extension; the accepted socket never waits and is closed on exec. */
static inline int csystem_accept(int descriptor) {
    extern int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);
    return accept4(descriptor, 0, 0, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

/* Whose process is on the other side of a socket of unix(7); struct ucred is a GNU extension. */
static inline int csystem_peer(int descriptor, uid_t *user, pid_t *process) {
    struct { pid_t process; uid_t user; gid_t group; } peer;
    socklen_t length = sizeof peer;
    if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) return -1;
    *user = peer.user;
    *process = peer.process;
    return 0;
}

#endif
