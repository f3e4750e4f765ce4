/* What the parts of the simulated machine know of each other. */
#ifndef BEDSIDE_MACHINE_H
#define BEDSIDE_MACHINE_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Nothing of the machine may be seen by another library but what it replaces. */
#define HIDDEN __attribute__((visibility("hidden")))
#define REPLACED __attribute__((visibility("default")))

static const int64_t SECOND = 1000000000;

/* Whether the machine is on: only in a process with a plan. */
HIDDEN extern bool machine_is_on;

/* Threads: exactly one runs at a time, and which one is next is drawn. */
HIDDEN void threads_begin(void);
/* Starts a thread of the machine itself. */
HIDDEN void threads_start(void *(*body)(void *), void *argument);
/* Waits for descriptors; the time is in nanoseconds since the machine was switched on, INT64_MAX for no limit. */
HIDDEN int threads_poll(struct pollfd *descriptors, nfds_t count, int64_t until);
HIDDEN void threads_sleep(int64_t until);
/* Waits until a flag is not zero, which another thread of the machine sets. */
HIDDEN void threads_wait(const int *flag);

/* Clocks, which only move while no thread has anything to do. */
HIDDEN int64_t clocks_now(void);
/* The same with the time that the computer has slept. */
HIDDEN int64_t clocks_since_beginning(void);
HIDDEN void clocks_advance(int64_t to);
HIDDEN void clocks_begin(int64_t wall_milliseconds);
HIDDEN void clocks_set_wall(int64_t by_milliseconds);
HIDDEN void clocks_suspend(int64_t milliseconds);

/* Random numbers, from the number of the night. There are two streams, so that what a program asks for does not change
   what happens to it. */
HIDDEN void random_begin(uint64_t seed);
HIDDEN uint64_t random_below(uint64_t bound);

/* The terminal. */
HIDDEN void terminal_begin(int columns, int rows);
HIDDEN void terminal_type(const void *octets, size_t count);
HIDDEN void terminal_resize(int columns, int rows);

/* The message bus: a thread at the place of dbus-daemon. */
HIDDEN void bus_start(const char *folder);
HIDDEN void bus_stop(void);
/* The longest delay of a message, in nanoseconds; how many of a thousand are sent in pieces. */
HIDDEN void bus_disturb(int64_t longest_delay, int pieces);
/* Keeps all messages until they are let go, and then sends them at once. */
HIDDEN void bus_hold(bool is_held);
/* Ends the connection of one client, by chance. */
HIDDEN void bus_drop(void);

/* The MQTT broker: "away", "silent", "back", or "drop" its connections once. */
HIDDEN void broker_set(const char *word);
/* Of a thousand messages that nobody acknowledges, so many are lost. */
HIDDEN void broker_lose(int of_thousand);

/* Another program, which follows the monitor's status by the socket in this folder. */
HIDDEN void follower_begin(const char *sockets);

/* The disk. */
HIDDEN void disk_begin(const char *folder);
HIDDEN void disk_fill(bool is_full);
/* How long each synchronisation takes, in nanoseconds. */
HIDDEN void disk_slow(int64_t delay);
/* Loses what a disk may lose of what was not synchronised. */
HIDDEN void disk_lose_power(void);

/* The tape: what happened, with its time. */
HIDDEN void tape_begin(const char *path);
HIDDEN void tape_write(char kind, const void *octets, size_t count);
HIDDEN void tape_print(char kind, const char *format, ...) __attribute__((format(printf, 2, 3)));
HIDDEN void tape_end(void);

/* Ends the process, because the night cannot go on. */
HIDDEN void machine_fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* The function that a replacement stands in front of. */
HIDDEN void *machine_real(const char *name);
#define REAL(name) ((__typeof__(&name))({ static void *found; if (!found) found = machine_real(#name); found; }))

#endif
