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

/* Connects to the monitor's socket, the only one in the folder; -1 where there is none yet. */
static int connect_to_monitor(void) {
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        size_t length = strlen(entry->d_name);
        if (length < 5 || strcmp(entry->d_name + length - 5, ".sock") != 0) continue;
        if ((size_t)snprintf(address.sun_path, sizeof address.sun_path, "%s/%s", folder, entry->d_name)
            >= sizeof address.sun_path)
            machine_fail("the path of the monitor's socket is too long");
    }
    if (entries) closedir(entries);
    if (!address.sun_path[0]) return -1;
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    static const char question[] = "{\"ask\":\"status\",\"follow\":true}\n";
    if (connect(descriptor, (struct sockaddr *)&address, sizeof address) == 0
        && send(descriptor, question, sizeof question - 1, MSG_NOSIGNAL) == sizeof question - 1)
        return descriptor;
    close(descriptor);
    return -1;
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
