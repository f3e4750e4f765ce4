#define _GNU_SOURCE
#include "machine.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

/* The time since the machine was switched on, in nanoseconds, and how far the clocks are ahead of it. */
static int64_t now;
static int64_t wall_ahead, slept;

/* A computer that has run for a while; an age must not be more than that. */
static const int64_t RUN_BEFORE = 1000 * SECOND;

/* The descriptors that report a jump of the wall clock (timerfd_create(2), TFD_TIMER_CANCEL_ON_SET). */
enum { MOST_TIMERS = 16 };
static int timers[MOST_TIMERS], timer_count;

void clocks_begin(int64_t wall_milliseconds) {
    wall_ahead = wall_milliseconds * (SECOND / 1000);
}

int64_t clocks_now(void) { return now; }

int64_t clocks_since_beginning(void) { return now + slept; }

void clocks_advance(int64_t to) {
    if (to > now) now = to;
}

static void report_jump(void) {
    uint64_t one = 1;
    for (int i = 0; i < timer_count; i++) (void)!write(timers[i], &one, sizeof one);
}

void clocks_set_wall(int64_t by_milliseconds) {
    wall_ahead += by_milliseconds * (SECOND / 1000);
    report_jump();
}

/* What waits for a time of CLOCK_BOOTTIME or of the wall clock finds it passed; nothing runs meanwhile. */
void clocks_suspend(int64_t milliseconds) {
    slept += milliseconds * (SECOND / 1000);
    report_jump();
}

static int64_t reading(clockid_t clock) {
    switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE: return wall_ahead + now + slept;
    case CLOCK_BOOTTIME: return RUN_BEFORE + now + slept;
    // The processor's time of a process that never waits for one.
    default: return RUN_BEFORE + now;
    }
}

REPLACED int clock_gettime(clockid_t clock, struct timespec *time) {
    if (!machine_is_on) return REAL(clock_gettime)(clock, time);
    int64_t value = reading(clock);
    time->tv_sec = value / SECOND;
    time->tv_nsec = value % SECOND;
    return 0;
}

REPLACED int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    if (!machine_is_on) return REAL(gettimeofday)(time, zone);
    int64_t value = reading(CLOCK_REALTIME);
    time->tv_sec = value / SECOND;
    time->tv_usec = value % SECOND / 1000;
    return 0;
}

REPLACED time_t time(time_t *result) {
    if (!machine_is_on) return REAL(time)(result);
    time_t value = reading(CLOCK_REALTIME) / SECOND;
    if (result) *result = value;
    return value;
}

REPLACED int timerfd_create(int clock, int flags) {
    if (!machine_is_on) return REAL(timerfd_create)(clock, flags);
    // The only use of one is to notice that the wall clock was set.
    if (timer_count == MOST_TIMERS) {
        errno = EMFILE;
        return -1;
    }
    int descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (descriptor >= 0) timers[timer_count++] = descriptor;
    return descriptor;
}

REPLACED int timerfd_settime(int descriptor, int flags, const struct itimerspec *due, struct itimerspec *old) {
    if (!machine_is_on) return REAL(timerfd_settime)(descriptor, flags, due, old);
    if (!(flags & TFD_TIMER_CANCEL_ON_SET)) machine_fail("a timer of the kernel, which the machine does not have");
    return 0;
}
