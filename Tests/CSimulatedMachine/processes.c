#define _GNU_SOURCE
#include "machine.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The only other process of the machine is the message bus, which is a thread. Nothing else can be started. */

static const pid_t FIRST = 4000000;
static pid_t bus = FIRST - 1;
static bool bus_runs;

/* The standard output that a program is given, by the list of its descriptors. */
static const posix_spawn_file_actions_t *last_list;
static int last_output = -1;

REPLACED int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *list, int from, int to) {
    if (machine_is_on && to == STDOUT_FILENO) {
        last_list = list;
        last_output = from;
    }
    return REAL(posix_spawn_file_actions_adddup2)(list, from, to);
}

REPLACED int posix_spawn(
    pid_t *process, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
    char *const arguments[], char *const environment[]) {
    if (!machine_is_on) return REAL(posix_spawn)(process, path, actions, attributes, arguments, environment);
    static const char option[] = "--config-file=", file[] = "/bus.conf";
    bool is_bus = false;
    for (int i = 0; arguments[i]; i++) {
        const char *name = strrchr(arguments[i], '/');
        is_bus |= strcmp(name ? name + 1 : arguments[i], "dbus-daemon") == 0;
        size_t length = strlen(arguments[i]);
        if (!is_bus || strncmp(arguments[i], option, strlen(option)) != 0 || length < strlen(file)) continue;
        char *folder = strndup(arguments[i] + strlen(option), length - strlen(option) - strlen(file));
        bus_start(folder);
        bus_runs = true;
        *process = ++bus;
        if (actions == last_list) dprintf(last_output, "unix:path=%s/bus-private,guid=0\n", folder);
        free(folder);
        return 0;
    }
    tape_print('p', "%s", arguments[1] ? arguments[1] : arguments[0]);
    return ENOENT;
}

REPLACED int kill(pid_t process, int number) {
    if (!machine_is_on || process < FIRST) return REAL(kill)(process, number);
    if (number != 0 && process == bus && bus_runs) {
        bus_runs = false;
        bus_stop();
    }
    return 0;
}

REPLACED pid_t waitpid(pid_t process, int *status, int options) {
    if (!machine_is_on || process < FIRST) return REAL(waitpid)(process, status, options);
    if (process == bus && bus_runs) return 0;
    if (status) *status = 0;
    return process;
}
