#define _GNU_SOURCE
#include "machine.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/*
 * Another program of the user's, which follows the status of the monitor through its socket: each line goes to the tape, and an
 * empty one where the connection has ended.
 */

static char folder[256];

/* Connects to a socket and asks; -1 where nobody listens. */
static int ask(const struct sockaddr_un *address) {
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    static const char question[] = "{\"ask\":\"status\",\"follow\":true}\n";
    if (connect(descriptor, (const struct sockaddr *)address, sizeof *address) == 0
        && send(descriptor, question, sizeof question - 1, MSG_NOSIGNAL) == sizeof question - 1)
        return descriptor;
    close(descriptor);
    return -1;
}

/* Connects to the monitor's socket; -1 where there is none yet. Before a power cut there was another one. */
static int connect_to_monitor(void) {
    int descriptor = -1;
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && descriptor < 0 && (entry = readdir(entries));) {
        struct sockaddr_un address = { .sun_family = AF_UNIX };
        size_t length = strlen(entry->d_name), room = sizeof address.sun_path;
        if (length < 5 || strcmp(entry->d_name + length - 5, ".sock") != 0) continue;
        if ((size_t)snprintf(address.sun_path, room, "%s/%s", folder, entry->d_name) >= room)
            machine_fail("the path of the monitor's socket is too long");
        descriptor = ask(&address);
    }
    if (entries) closedir(entries);
    return descriptor;
}

/* Reads lines until the connection ends. */
static void read_lines(int descriptor) {
    static char lines[1 << 18];
    size_t filled = 0;
    for (;;) {
        struct pollfd wanted = { descriptor, POLLIN, 0 };
        threads_poll(&wanted, 1, INT64_MAX);
        ssize_t count = recv(descriptor, lines + filled, sizeof lines - filled, MSG_DONTWAIT);
        if (count <= 0) return;
        filled += (size_t)count;
        char *start = lines, *end;
        while ((end = memchr(start, '\n', (size_t)(lines + filled - start)))) {
            tape_write('s', start, (size_t)(end - start));
            start = end + 1;
        }
        filled = (size_t)(lines + filled - start);
        memmove(lines, start, filled);
        if (filled == sizeof lines) machine_fail("a line of the status is too long");
    }
}

static void *follow(void *nothing) {
    for (;;) {
        threads_sleep(clocks_now() + SECOND);
        int descriptor = connect_to_monitor();
        if (descriptor < 0) continue;
        read_lines(descriptor);
        tape_write('s', "", 0);
        close(descriptor);
    }
    return nothing;
}

void follower_begin(const char *sockets) {
    snprintf(folder, sizeof folder, "%s", sockets);
    threads_start(follow, NULL);
}
