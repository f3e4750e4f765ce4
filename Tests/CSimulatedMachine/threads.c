#define _GNU_SOURCE
#include "machine.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/*
 * One thread runs at a time. It gives way where it waits: for descriptors, for time to pass, or for a flag. Then one of
 * those that can go on is drawn; where none can, the clock goes to the moment at which the first one can. So the program's
 * threads meet in any order that a computer could bring about, and in the same one for the same number.
 */

enum { MOST_THREADS = 256 };

/* The time that a turn takes: what never ends does not stop the clock either. */
static const int64_t TURN = 1000;
/* So many turns within a second of the machine's time are no work, but an endless loop. */
static const int64_t MOST_TURNS = 400000;

enum state { RUNNING, POLLING, SLEEPING, WAITING, ENDED };

struct thread {
    enum state state;
    pthread_cond_t turn;
    struct pollfd *descriptors;
    nfds_t count;
    const int *flag;
    int64_t until;
    int ready;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct thread *threads[MOST_THREADS];
static int thread_count;
static struct thread *running;
static _Thread_local struct thread *own;
static int64_t turns, turns_since;

static bool can_go_on(struct thread *thread, int64_t now) {
    switch (thread->state) {
    case POLLING:
        thread->ready = REAL(poll)(thread->descriptors, thread->count, 0);
        return thread->ready != 0 || thread->until <= now;
    case SLEEPING: return thread->until <= now;
    case WAITING: return *thread->flag != 0;
    default: return false;
    }
}

/* Draws who goes on, after the time at which anybody can. */
static struct thread *next_thread(void) {
    for (;;) {
        struct thread *able[MOST_THREADS];
        int count = 0;
        int64_t now = clocks_now(), earliest = INT64_MAX;
        for (int i = 0; i < thread_count; i++) {
            if (can_go_on(threads[i], now)) able[count++] = threads[i];
            else if ((threads[i]->state == POLLING || threads[i]->state == SLEEPING) && threads[i]->until < earliest)
                earliest = threads[i]->until;
        }
        if (count > 0) {
            if (++turns > MOST_TURNS) {
                if (now - turns_since < SECOND) machine_fail("endless work: %lld turns within a second", (long long)turns);
                turns = 0;
                turns_since = now;
            }
            clocks_advance(now + TURN);
            return able[count == 1 ? 0 : random_below((uint64_t)count)];
        }
        if (earliest == INT64_MAX) machine_fail("every thread waits, and nothing will wake one");
        clocks_advance(earliest);
        turns = 0;
        turns_since = earliest;
    }
}

/* Lets another thread run until it is this one's turn; with the lock. */
static void give_way(struct thread *thread) {
    struct thread *next = next_thread();
    running = next;
    if (next != thread) pthread_cond_signal(&next->turn);
    if (thread->state == ENDED) return;
    while (running != thread) pthread_cond_wait(&thread->turn, &lock);
    thread->state = RUNNING;
}

static struct thread *add_thread(void) {
    int place = 0;
    while (place < thread_count && threads[place]->state != ENDED) place++;
    if (place == MOST_THREADS) machine_fail("more than %d threads", MOST_THREADS);
    // The thread that has ended may still hold its place's condition.
    struct thread *thread = calloc(1, sizeof *thread);
    pthread_cond_init(&thread->turn, NULL);
    threads[place] = thread;
    if (place == thread_count) thread_count++;
    return thread;
}

void threads_begin(void) {
    own = add_thread();
    own->state = RUNNING;
    running = own;
}

int threads_poll(struct pollfd *descriptors, nfds_t count, int64_t until) {
    pthread_mutex_lock(&lock);
    own->descriptors = descriptors;
    own->count = count;
    own->until = until;
    own->state = POLLING;
    give_way(own);
    int ready = own->ready, code = errno;
    pthread_mutex_unlock(&lock);
    errno = code;
    return ready;
}

void threads_sleep(int64_t until) {
    pthread_mutex_lock(&lock);
    own->until = until;
    own->state = SLEEPING;
    give_way(own);
    pthread_mutex_unlock(&lock);
}

void threads_wait(const int *flag) {
    pthread_mutex_lock(&lock);
    own->flag = flag;
    own->state = WAITING;
    give_way(own);
    pthread_mutex_unlock(&lock);
}

struct start {
    void *(*body)(void *);
    void *argument;
    struct thread *thread;
};

static void *run_thread(void *argument) {
    struct start start = *(struct start *)argument;
    free(argument);
    own = start.thread;
    pthread_mutex_lock(&lock);
    while (running != own) pthread_cond_wait(&own->turn, &lock);
    own->state = RUNNING;
    pthread_mutex_unlock(&lock);
    void *result = start.body(start.argument);
    pthread_mutex_lock(&lock);
    own->state = ENDED;
    give_way(own);
    pthread_mutex_unlock(&lock);
    return result;
}

// A new thread waits for its turn as one that has slept.
static int start_thread(pthread_t *handle, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
    struct start *start = malloc(sizeof *start);
    pthread_mutex_lock(&lock);
    struct thread *thread = add_thread();
    thread->state = SLEEPING;
    thread->until = 0;
    pthread_mutex_unlock(&lock);
    *start = (struct start){ body, argument, thread };
    int result = REAL(pthread_create)(handle, attributes, run_thread, start);
    if (result != 0) thread->state = ENDED;
    return result;
}

void threads_start(void *(*body)(void *), void *argument) {
    pthread_t handle;
    if (start_thread(&handle, NULL, body, argument) != 0) machine_fail("no thread is left");
    pthread_detach(handle);
}

REPLACED int pthread_create(
    pthread_t *handle, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
    if (!machine_is_on) return REAL(pthread_create)(handle, attributes, body, argument);
    return start_thread(handle, attributes, body, argument);
}

REPLACED int poll(struct pollfd *descriptors, nfds_t count, int milliseconds) {
    if (!machine_is_on || !own) return REAL(poll)(descriptors, count, milliseconds);
    // A question between two steps of one thread; a loop that has work left asks about all its descriptors.
    if (milliseconds == 0 && count == 1) return REAL(poll)(descriptors, count, 0);
    int64_t until = milliseconds < 0 ? INT64_MAX : clocks_now() + (int64_t)milliseconds * (SECOND / 1000);
    return threads_poll(descriptors, count, until);
}

REPLACED int ppoll(
    struct pollfd *descriptors, nfds_t count, const struct timespec *limit, const sigset_t *mask) {
    if (!machine_is_on || !own) return REAL(ppoll)(descriptors, count, limit, mask);
    int64_t until = limit ? clocks_now() + limit->tv_sec * SECOND + limit->tv_nsec : INT64_MAX;
    return threads_poll(descriptors, count, until);
}

REPLACED int nanosleep(const struct timespec *time, struct timespec *rest) {
    if (!machine_is_on || !own) return REAL(nanosleep)(time, rest);
    threads_sleep(clocks_now() + time->tv_sec * SECOND + time->tv_nsec);
    return 0;
}

REPLACED int usleep(useconds_t microseconds) {
    if (!machine_is_on || !own) return REAL(usleep)(microseconds);
    threads_sleep(clocks_now() + (int64_t)microseconds * 1000);
    return 0;
}

REPLACED unsigned int sleep(unsigned int seconds) {
    if (!machine_is_on || !own) return REAL(sleep)(seconds);
    threads_sleep(clocks_now() + (int64_t)seconds * SECOND);
    return 0;
}

REPLACED int pthread_join(pthread_t handle, void **result) {
    if (!machine_is_on || !own) return REAL(pthread_join)(handle, result);
    for (;;) {
        int code = pthread_tryjoin_np(handle, result);
        if (code != EBUSY) return code;
        threads_sleep(clocks_now() + SECOND / 1000);
    }
}
